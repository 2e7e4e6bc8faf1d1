/** Finds the line of column names in a file of expected receipts by the meaning of the names. */
import { type Problem, problem } from "../../faults/index.ts";
import { unitsInHeading } from "../../files/reading/index.ts";
import { isAnswerColumn, SUMMARY_SHEET } from "../../model/answer-columns.ts";
import {
  EXPECTED_COLUMN_WORDS,
  type ExpectedColumn,
  expectedColumnNamed,
} from "../../model/expected-columns.ts";
import { type Line, type SheetHead, textOf } from "../../model/grid.ts";
import { shownText } from "../../model/shown-text.ts";
import { wordOf } from "../../model/words.ts";

export interface FoundColumns {
  /** The line of the column names. */
  readonly headerLine: number;
  readonly header: readonly string[];
  /** From 0. */
  readonly positions: ReadonlyMap<ExpectedColumn, number>;
  /** The currency in the heading of the amounts. */
  readonly amountCurrency: string | undefined;
}

const HEADER_LINE_MAX = 30;

/** Problems: EXPECTED_COLUMNS_MISSING, EXPECTED_COLUMN_TWICE. */
export function findColumns(lines: readonly Line[]): FoundColumns | Problem {
  const { best, missing } = bestLine(lines);
  if (best === undefined || missing !== "")
    return problem("EXPECTED_COLUMNS_MISSING", { sheets: "", missing });
  const positions = new Map<ExpectedColumn, number>();
  const header = best.line.cells.map((cell) => textOf(cell).trim());
  for (const { column, position } of best.named) {
    const earlier = positions.get(column);
    if (earlier !== undefined) {
      const [before = "", other = ""] = [header[earlier], header[position]];
      const what = EXPECTED_COLUMN_WORDS[column];
      const params = { first: shownText(before), second: shownText(other), what };
      return problem("EXPECTED_COLUMN_TWICE", params, { line: best.line.line, column: other });
    }
    positions.set(column, position);
  }
  const { currencies } = unitsInHeading(header[positions.get("amount") ?? -1] ?? "");
  const [amountCurrency, another] = currencies;
  return {
    headerLine: best.line.line,
    header,
    positions,
    amountCurrency: another === undefined ? amountCurrency : undefined,
  };
}

/** The line with most known names. `missing`: the columns that it lacks, in words; empty if it lacks none. */
function bestLine(lines: readonly Line[]) {
  const first = lines.slice(0, HEADER_LINE_MAX).map((line) => ({ line, named: columnsOf(line) }));
  const [best] = first.toSorted((a, b) => b.named.length - a.named.length);
  const known = new Set(best?.named.map(({ column }) => column));
  const missing = (["reference", "amount"] as const).filter((column) => !known.has(column));
  return { best, missing: missing.join(" and ") };
}

function columnsOf({ cells }: Line): { readonly column: ExpectedColumn; readonly position: number }[] {
  return cells.flatMap((cell, position) => {
    const heading = textOf(cell);
    const column = heading.trim() === "" || isAnswerColumn(heading) ? undefined : meaningOf(heading);
    return column === undefined ? [] : [{ column, position }];
  });
}

/** Also accepts "Amount (BTC)". */
function meaningOf(heading: string): ExpectedColumn | undefined {
  const named = expectedColumnNamed(heading);
  if (named !== undefined || heading.length > HEADING_LENGTH_MAX) return named;
  const { rest, hasOtherUnit } = unitsInHeading(heading);
  return !hasOtherUnit && expectedColumnNamed(rest) === "amount" ? "amount" : undefined;
}

const HEADING_LENGTH_MAX = 80;

/** How many cells of a line are known column names, to guess the delimiter of a CSV. */
export function countKnownNames(cells: readonly string[]): number {
  return cells.filter((cell) => meaningOf(cell) !== undefined).length;
}

/** The only visible sheet with such columns. Problems: EXPECTED_SHEET_UNCLEAR, EXPECTED_COLUMNS_MISSING. */
export function chooseSheet(heads: readonly SheetHead[]): string | Problem {
  const isOurs = ({ name }: SheetHead) => wordOf(name) === wordOf(SUMMARY_SHEET);
  const visible = heads.filter((head) => head.visibility === "visible" && !isOurs(head));
  const read = visible.filter(({ lines }) => bestLine(lines).missing === "");
  const [only, another] = read;
  if (another !== undefined)
    return problem("EXPECTED_SHEET_UNCLEAR", { sheets: read.map(({ name }) => name).join(", ") });
  if (only !== undefined) return only.name;
  const [first, second] = visible;
  const sheets = second === undefined ? "" : ` of ${visible.map(({ name }) => name).join(", ")}`;
  const missing = second === undefined && first ? bestLine(first.lines).missing : "reference and amount";
  return problem("EXPECTED_COLUMNS_MISSING", { sheets, missing });
}
