/** Turns one row's cells into a draft instruction, or into all its problems. Ignores other rows. */
import { type Problem, problem, SECRET_CODES, UNREPEATED_CODES } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import {
  type Cell,
  type DraftInstruction,
  EMPTY_CELL,
  type Row,
  resultOf,
  type Table,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey, looksLikePrivateKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import { type Amount, Decimal } from "../money/index.ts";
import { readCalculatedNumber } from "./amounts/number-cell.ts";
import { cellPlace } from "./cell-place.ts";
import type { Header } from "./header.ts";
import { instructionFields } from "./instruction-fields.ts";
import type { InitiationPolicy } from "./policy.ts";

import { applyRowRules, type RuledRow } from "./row-rules.ts";
import { type Label, type RowReading, rowReader } from "./row-schema.ts";
import { payoutTableSigns } from "./table-signs.ts";
import { payProblem, unitProblem, unreadCellReader } from "./unread-cells.ts";

export interface CheckedRow {
  readonly row: number;
  readonly line: number;
  /** The reference if it could be read, even if the row has other problems. */
  readonly reference: string | undefined;
  /** The amount as typed, if it came from a text cell. */
  readonly amountText: string | undefined;
  /** The amount asked for if it could be read, even if the row has other problems. */
  readonly asked: Amount | undefined;
  /** The currency of its custody account, where the row itself names none. */
  readonly assumedCurrency: string | undefined;
  readonly draft: DraftInstruction | undefined;
  readonly problems: Problem[];
  readonly warnings: Problem[];
  /** Adds this row's position in the file to a problem or warning. */
  readonly place: (column: ColumnName, what: Problem) => Problem;
}

/** The draft of a row without problems, as a list of one; empty for any other row. */
export function goodDraft({ draft, problems }: CheckedRow): DraftInstruction[] {
  return draft === undefined || problems.length > 0 ? [] : [draft];
}

type Report = (column: ColumnName, what: Problem) => void;

/** A checked row without the values that were read from it. */
type Findings = Omit<CheckedRow, keyof typeof NOTHING_READ>;

/** Checks single rows of one table, whose header has been read. */
export function rowChecker({ sheet }: Pick<Table, "sheet">, header: Header, policy: InitiationPolicy) {
  const { positions, texts, ignored, amountCurrency } = header;
  const table = { ...present({ sheet }), header: texts };
  const label: Label = (column) => texts[positions.get(column) ?? -1] ?? column;
  const hasColumn = (column: ColumnName) => positions.has(column);
  const { isHeader } = payoutTableSigns(policy.columns);
  const readRow = rowReader(policy, positions, label);
  const read = new Set(positions.values());
  /** The columns that are not read: their positions, and what their cells say about their rows. */
  const passedThrough = [...texts.entries()]
    .filter(([position]) => !read.has(position))
    .map(([position, text]) => [position, unreadCellReader(text, ignored.has(position))] as const);
  return { check };

  function check(row: Row): CheckedRow {
    const place = (column: ColumnName, what: Problem): Problem => placed(row, column, what);
    const problems: Problem[] = [...row.problems];
    const warnings: Problem[] = [];
    const findings = { row: row.row, line: row.line, problems, warnings, place };
    // Cells of a malformed row may have slipped into other columns.
    if (problems.length > 0) return { ...findings, ...NOTHING_READ };

    const report: Report = (column, what) => problems.push(place(column, what));
    const warn: Report = (column, what) => warnings.push(place(column, what));
    const reading = readRow((position, column) => cellAt(row, position, column, warn));
    reportUnread(row, reading, report);
    const ruled = applyRowRules({ reading, policy, label, hasColumn, amountCurrency, report, warn });
    checkPassedThrough(row, ruled, findings);
    const instead = isNoPayout(row, header) ? whatItIs(row, reading, place, problems) : undefined;
    if (instead === undefined) return checkedRow(findings, reading, ruled);
    problems.splice(0, problems.length, ...instead);
    return { ...findings, ...NOTHING_READ };
  }

  function placed(row: Row, column: ColumnName, what: Problem): Problem {
    const position = header.positions.get(column);
    return {
      ...what,
      ...cellPlace(table, row, position, column),
      ...excerptOf(what, row.cells[position ?? -1]),
    };
  }

  /** Reports the cells that could not be read; a private key in one of them is reported as such, and not repeated. */
  function reportUnread({ cells }: Row, reading: RowReading, report: Report): void {
    for (const [column, what] of reading.problems) {
      const { text } = resultOf(cells[header.positions.get(column) ?? -1] ?? EMPTY_CELL);
      const isSecret = FREE_TEXTS.has(column) ? holdsPrivateKey(text) : looksLikePrivateKey(text);
      report(column, isSecret ? problem("VALUE_IS_SECRET", { field: label(column) }) : what);
    }
  }

  function checkPassedThrough(row: Row, { assumedCurrency }: RuledRow, findings: Findings): void {
    for (const [position, readUnread] of passedThrough) {
      const { text } = resultOf(row.cells[position] ?? EMPTY_CELL);
      const said = readUnread(text);
      if (said.holdsKey) findings.problems.push(secretAt(row, position));
      const unit = unitProblem(said, text, assumedCurrency);
      if (unit !== undefined) findings.problems.push(inCell(row, position, unit));
      const { payWord } = said;
      if (payWord === undefined) continue;
      const what = payProblem(payWord, texts[position] ?? "", text);
      const list = payWord === "paid" ? findings.warnings : findings.problems;
      list.push(inCell(row, position, what));
    }
  }

  function checkedRow(findings: Findings, { values }: RowReading, ruled: RuledRow): CheckedRow {
    const { reference, amount } = values;
    const hasProblems = findings.problems.length > 0;
    const fields = hasProblems ? undefined : instructionFields(values, ruled, policy);
    const currency = ruled.custodyAccount?.currency;
    const isKnown = amount !== undefined && currency !== undefined;
    return {
      ...findings,
      reference,
      amountText: amount?.fromNumberCell === false ? amount.text : undefined,
      assumedCurrency: ruled.assumedCurrency,
      asked: isKnown ? { currency, value: amount.value } : undefined,
      draft: fields === undefined ? undefined : { row: findings.row, fields },
    };
  }

  /** The problems of a row that is no payment, which replace its problems as a payment; undefined if it may be one. */
  function whatItIs(
    row: Row,
    reading: RowReading,
    place: CheckedRow["place"],
    problems: readonly Problem[],
  ): readonly Problem[] | undefined {
    const texts = textsOf(row);
    const secrets = problems.filter(({ code }) => SECRET_CODES.has(code));
    if (isHeader(texts)) return [place("reference", problem("HEADER_REPEATED", {})), ...secrets];
    // A seed phrase may be spread over cells, a word in each.
    if (!holdsPrivateKey(texts.join(" "))) return secrets.length === 0 ? note(row, reading) : undefined;
    return texts.flatMap((text, position) => (text === "" ? [] : [secretAt(row, position)]));
  }

  /**
   * A note among the rows ("Approved by: Ann Smith"), or a payout of which only one cell is filled in; undefined for any
   * other row.
   */
  function note(row: Row, { values, problems }: RowReading): readonly Problem[] | undefined {
    const filled = [...textsOf(row).entries()].filter(([, text]) => text.trim() !== "");
    const isNamed = values.reference !== undefined;
    const goesSomewhere = DESTINATIONS.some((each) => values[each] !== undefined || problems.has(each));
    if (filled.length > 1 && (isNamed || goesSomewhere)) return undefined;
    const [[position] = [-1]] = filled;
    const text = filled.map(([, each]) => each.trim()).join(", ");
    return [problem("ROW_IS_NOTE", { text: shownText(text) }, cellPlace(table, row, position))];
  }

  function secretAt(row: Row, position: number): Problem {
    const field = header.texts[position] ?? "the cell";
    return inCell(row, position, problem("VALUE_IS_SECRET", { field }));
  }

  function inCell(row: Row, position: number, what: Problem): Problem {
    return { ...what, ...cellPlace(table, row, position) };
  }
}

const DESTINATIONS = ["destinationAddress", "destinationAccountId"] as const;

/**
 * A quick test for every row: an amount has a digit, while a column name or a word of a seed phrase has none. The cells
 * of a malformed row may have slipped into other columns.
 */
export function isNoPayout({ cells, problems }: Row, { positions }: Header): boolean {
  if (problems.length > 0) return true;
  const { kind, text } = cells[positions.get("amount") ?? -1] ?? EMPTY_CELL;
  return kind === "date" || (kind !== "number" && !/\d/.test(text));
}

function textsOf({ cells }: Row): string[] {
  return cells.map((cell) => resultOf(cell).text);
}

/** Columns that may hold a hash or a sentence; in others unreadable text like a key is treated as one. */
const FREE_TEXTS: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "reference",
  "customerId",
  "username",
  "orderCodeName",
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
]);

const NOTHING_READ = {
  reference: undefined,
  amountText: undefined,
  asked: undefined,
  assumedCurrency: undefined,
  draft: undefined,
};

/** The cell of a column; a formula is replaced by its saved result, with a warning. */
function cellAt(
  { cells }: Row,
  position: number,
  column: ColumnName,
  warn: (column: ColumnName, what: Problem) => void,
): Cell {
  const cell = cells[position] ?? EMPTY_CELL;
  if (cell.kind !== "formula" || cell.value.kind === "empty") return cell;
  warn(column, problem("FORMULA_RESULT_USED", { text: shownText(resultText(cell.value, column)) }));
  return cell.value;
}

/** The text as it is read: an amount without the noise of its binary form in the file. */
function resultText({ kind, text }: Cell, column: ColumnName): string {
  const number = kind === "number" && column === "amount" ? readCalculatedNumber(text) : undefined;
  return number instanceof Decimal ? number.toString() : text;
}

/** The cell's text to show with a problem; for a formula its saved result, which is what was checked. */
function excerptOf({ code }: Problem, cell: Cell = EMPTY_CELL): { readonly excerpt?: string } {
  const { text } = resultOf(cell);
  return UNREPEATED_CODES.has(code) || text.trim() === "" ? {} : { excerpt: shownText(text) };
}
