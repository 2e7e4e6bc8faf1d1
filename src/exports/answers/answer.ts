/**
 * Writes an answer: a new file in the sender's format, which appears whole or not at all. It holds the sender's own lines,
 * each on its own line, with our columns behind them, and a summary.
 */
import { writeFile } from "node:fs/promises";
import { writeWhole } from "../../context/files.ts";
import type { Problem } from "../../faults/index.ts";
import type { Grid } from "../../model/grid.ts";
import type { SheetReading } from "../../model/sheet-reading.ts";
import { oneLine } from "../cell-text.ts";
import { writeAnswerCsv } from "./answer-csv.ts";
import { writeAnswerXlsx } from "./answer-xlsx.ts";

export interface Answer {
  /** Full path: `outbox/NAME.rejected.xlsx`. */
  readonly path: string;
  readonly grid: Grid;
  readonly reading: Pick<SheetReading, "headerLine" | "header">;
  /** The names of our columns. */
  readonly columns: readonly string[];
  /** The texts of our columns by line; lines without any are left out. */
  readonly added: ReadonlyMap<number, readonly string[]>;
  /** The problems whose cells are marked, by line. */
  readonly marked?: ReadonlyMap<number, readonly Problem[]>;
  /** The file holds a private key, so none of its text is returned unchecked. */
  readonly holdsSecret?: boolean;
  readonly summary: Summary;
}

/** What became of the file, for people: the first sheet of a workbook, `NAME.accepted.csv.txt` beside a CSV. */
interface Summary {
  /** What became of the file, in one sentence. */
  readonly sentence: string;
  /** Those without facts are left out. */
  readonly groups: readonly SummaryGroup[];
  /** Problems and warnings; a workbook links the first thousand to their cells. */
  readonly findings: readonly Problem[];
}

/** Labels and values under a heading. */
export interface SummaryGroup {
  readonly heading: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
}

/** Returns the written paths. Throws OUTPUT_UNWRITABLE, leaving nothing. */
export async function writeAnswer({ summary, ...rest }: Answer): Promise<string[]> {
  const groups = summary.groups.filter(({ facts }) => facts.length > 0);
  const answer = { ...rest, summary: { ...summary, groups } };
  const { path, grid } = answer;
  if (grid.format === "xlsx") {
    await writeWhole(path, (temporaryPath) => writeAnswerXlsx(temporaryPath, answer));
    return [path];
  }
  const summaryPath = `${path}.txt`;
  await writeWhole(path, async (temporaryPath) => {
    await writeAnswerCsv(temporaryPath, answer);
    // Before the answer appears under its name, so that whoever sees it finds the summary too.
    await writeWhole(summaryPath, (textPath) => writeFile(textPath, summaryText(answer.summary)));
  });
  return [path, summaryPath];
}

/** A CSV holds only lines, so that programs can read it; what people want to know stands beside it. */
function summaryText({ sentence, groups, findings }: Summary): string {
  const lines = [
    oneLine(sentence),
    ...groups.flatMap(({ heading, facts }) => [
      "",
      heading,
      ...facts.map(([label, value]) => `  ${oneLine(value === "" ? label : `${label}: ${value}`)}`),
    ]),
    ...(findings.length === 0 ? [] : ["", "Problems and warnings"]),
    ...findings.slice(0, FINDINGS_MAX).map((found) => `  ${oneLine(inWords(found))}`),
    ...leftOut(findings.length).map((text) => `  ${text}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** How many problems and warnings a summary lists, and how many cells get a comment. */
export const FINDINGS_MAX = 1000;

/** "200 more stand beside their rows"; empty if all are listed. */
export function leftOut(count: number): string[] {
  return count > FINDINGS_MAX ? [`${count - FINDINGS_MAX} more stand beside their rows`] : [];
}

/** "line 18, amount: the amount is empty - Fill in amount." */
export function inWords({ line, column, message, fix }: Problem): string {
  const place = [line === undefined ? [] : `line ${line}`, column ?? []].flat().join(", ");
  return `${place === "" ? "" : `${place}: `}${message} - ${fix}`;
}
