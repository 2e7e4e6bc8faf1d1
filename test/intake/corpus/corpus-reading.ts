/** The expectation of a corpus file and what Paydrop makes of the file, in the same form; README.md explains it. */
import { readFileSync } from "node:fs";
import { Fault, type Problem } from "../../../src/faults/index.ts";
import { type InitiationPolicy, payoutTableSigns } from "../../../src/initiation/index.ts";
import { DEFAULT_FILE_LIMITS, openTable } from "../../../src/intake/index.ts";
import type { Cell, DraftInstruction, Table } from "../../../src/model/index.ts";
import { initiate } from "../../initiation/initiated.ts";
import { policyWith } from "../../initiation/payout-table.ts";
import { rowsOf } from "../../rows-of.ts";

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
  /** If the file contains payouts: the result of initiation. */
  readonly payouts?: Payouts;
}

/** The whole table as intake reads it. */
interface Reading {
  readonly dialect: string;
  readonly sheet?: string;
  readonly headerLine: number;
  readonly header: readonly string[];
  readonly rows: readonly {
    readonly line: number;
    /** Kind and exact text: "number 0.1", "formula number 0.1", "empty". */
    readonly cells: readonly string[];
    readonly problems?: readonly string[];
  }[];
}

interface Refusal {
  readonly code: string;
  /** The part of the message that gives the reason. */
  readonly says?: string;
  /** "sheet Payouts, line 3, column Amount". */
  readonly at?: string;
}

interface Payouts {
  readonly verdict: "accepted" | "rejected";
  /** "PAY-1: 0.05 BTC to bc1q... on 2026-12-01". */
  readonly paid?: readonly string[];
  /** "line 3, Amount: AMOUNT_HAS_EXPONENT". */
  readonly problems?: readonly string[];
  readonly warnings?: readonly string[];
}

export function readExpectation(path: string): Expectation {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** The members of an expectation that follow from the file itself. */
export async function seenIn(
  path: string,
  { sheet, numberFormat = "auto", payouts }: Expectation,
): Promise<Pick<Expectation, "reading" | "refusal" | "payouts">> {
  const open = () => openTable(path, layoutFor(sheet));
  try {
    const reading = await readingOf(await open());
    if (payouts === undefined) return { reading };
    return { reading, payouts: await payoutsOf(await open(), policyWith({ numberFormat })) };
  } catch (error) {
    if (error instanceof Fault) return { refusal: refusalOf(error.problem) };
    throw error;
  }
}

function layoutFor(sheet: string | undefined) {
  return {
    isHeader: payoutTableSigns({}).isHeader,
    limits: DEFAULT_FILE_LIMITS,
    ...(sheet === undefined ? {} : { sheet }),
  };
}

async function readingOf(table: Table): Promise<Reading> {
  const rows = await rowsOf(table);
  return {
    dialect: table.dialect,
    ...(table.sheet === undefined ? {} : { sheet: table.sheet }),
    headerLine: table.headerLine,
    header: table.header,
    rows: rows.map(({ line, cells, problems }) => ({
      line,
      cells: cells.map(cellInWords),
      ...listed("problems", problems.map(placeAndCode)),
    })),
  };
}

/** "number 0.1"; "formula number 0.1"; "formula without result =A1*2". */
function cellInWords(cell: Cell): string {
  if (cell.kind === "empty") return "empty";
  if (cell.kind !== "formula") return `${cell.kind} ${cell.text}`;
  return cell.value.kind === "empty"
    ? `formula without result ${cell.text}`
    : `formula ${cellInWords(cell.value)}`;
}

async function payoutsOf(table: Table, policy: InitiationPolicy): Promise<Payouts> {
  const { verdict, drafts, problems, warnings } = await initiate(table, policy);
  return {
    verdict,
    ...listed("paid", drafts.map(payoutInWords)),
    ...listed("problems", problems.map(placeAndCode)),
    ...listed("warnings", warnings.map(placeAndCode)),
  };
}

function payoutInWords({ fields }: DraftInstruction): string {
  const { reference, amount, destinationAddress = "nobody", payOn } = fields;
  const day = payOn === undefined ? "" : ` on ${payOn}`;
  return `${reference}: ${amount.value.toString()} ${amount.currency} to ${destinationAddress}${day}`;
}

function placeAndCode(found: Problem): string {
  const place = placeOf(found);
  return place === "" ? found.code : `${place}: ${found.code}`;
}

function placeOf({ line, column }: Problem): string {
  return [line === undefined ? "" : `line ${line}`, column ?? ""].filter((part) => part !== "").join(", ");
}

function refusalOf(found: Problem): Refusal {
  const sheet = found.sheet === undefined ? "" : `sheet ${found.sheet}`;
  const at = [sheet, placeOf(found)].filter((part) => part !== "").join(", ");
  return { code: found.code, says: found.message, ...(at === "" ? {} : { at }) };
}

function listed<Name extends string>(
  name: Name,
  values: readonly string[],
): { [Key in Name]?: readonly string[] } {
  return values.length === 0 ? {} : ({ [name]: values } as { [Key in Name]: readonly string[] });
}
