/** The expectation of a corpus file and how Paydrop reads the file, in the same form; README.md explains it. */
import { readFileSync } from "node:fs";
import { Fault, isProblem, type Problem } from "../../../src/faults/index.ts";
import { chooseSheet, countKnownNames, type InitiationPolicy } from "../../../src/files/reading/index.ts";
import { type Cell, type Grid, type Line, textOf } from "../../../src/model/grid.ts";
import { present } from "../../../src/model/present.ts";
import { DEFAULT_FILE_LIMITS, openSentFile } from "../../../src/readers/index.ts";

export interface Expectation {
  /** Why the file is in the corpus. */
  readonly about: string;
  /** What other programs make of the same file. */
  readonly secondOpinion?: string;
  /** Configuration for reading it. */
  readonly sheet?: string;
  readonly numberFormat?: InitiationPolicy["numberFormat"];
  /** Exactly one of the two. */
  readonly reading?: Reading;
  readonly refusal?: Refusal;
}

/** The whole sheet as intake reads it. */
interface Reading {
  readonly dialect: string;
  readonly sheet?: string;
  readonly rows: readonly {
    readonly line: number;
    readonly isHidden?: true | undefined;
    /** Kind and exact text, "number 0.1", "formula number 0.1", "empty", and a flaw behind it: "text a (merged)". */
    readonly cells: readonly string[];
  }[];
  /** Letters, by position. */
  readonly hiddenColumns?: readonly number[];
  /** "the comment on C4: hold" */
  readonly outside?: readonly string[];
}

interface Refusal {
  readonly code: string;
  /** The part of the message that gives the reason. */
  readonly says?: string;
  /** "sheet Payouts, line 3, column Amount". */
  readonly at?: string;
}

export function readExpectation(path: string): Expectation {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** The members of an expectation that follow from the file itself. */
export async function seenIn(
  path: string,
  { sheet }: Expectation,
): Promise<Pick<Expectation, "reading" | "refusal">> {
  try {
    const knownNames = (cells: readonly string[]) => countKnownNames(cells, {});
    const sent = await openSentFile(path, { limits: DEFAULT_FILE_LIMITS, knownNames });
    try {
      const chosen = chooseSheet(sent.sheets, { columns: {}, ...present({ sheet }) });
      if (isProblem(chosen)) return { refusal: refusalOf(chosen) };
      return { reading: readingOf(await sent.readSheet(chosen.sheet)) };
    } finally {
      await sent.close();
    }
  } catch (error) {
    if (error instanceof Fault) return { refusal: refusalOf(error.problem) };
    throw error;
  }
}

function readingOf({ dialect, sheet, lines, hiddenColumns, outside }: Grid): Reading {
  return {
    dialect,
    ...present({ sheet }),
    rows: lines.map(({ line, cells, isHidden }: Line) => {
      return { line, ...present({ isHidden }), cells: cells.map(cellInWords) };
    }),
    ...(hiddenColumns.size > 0 ? { hiddenColumns: [...hiddenColumns] } : {}),
    ...(outside.length > 0 ? { outside: outside.map(({ place, text }) => `${place}: ${text}`) } : {}),
  };
}

function cellInWords(cell: Cell): string {
  if (cell === "") return "empty";
  if (typeof cell === "string") return `text ${cell}`;
  if (cell.kind === "formula")
    return cell.value === "" ? "formula without result" : `formula ${cellInWords(cell.value)}`;
  const flaw = "flaw" in cell ? ` (${cell.flaw})` : "";
  return `${cell.kind} ${textOf(cell)}${flaw}`;
}

function refusalOf({ code, message, sheet, line, column }: Problem): Refusal {
  const place = [sheet && `sheet ${sheet}`, line === undefined ? "" : `line ${line}`, column ?? ""];
  const at = place.filter(Boolean).join(", ");
  return { code, says: message, ...(at === "" ? {} : { at }) };
}
