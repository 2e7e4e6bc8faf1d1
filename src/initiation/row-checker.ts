/** One row, from cells to a draft instruction or to all its problems. What depends on other rows is not judged here. */
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
import { holdsPrivateKey, looksLikePrivateKey } from "../model/private-key.ts";
import { type Amount, Decimal } from "../money/index.ts";
import { readCalculatedNumber } from "./amounts/number-cell.ts";
import { isOtherUnit } from "./amounts/other-unit.ts";
import { cellPlace } from "./cell-place.ts";
import { type Header, isPayoutHeader } from "./header.ts";
import { instructionFields } from "./instruction-fields.ts";
import type { InitiationPolicy } from "./policy.ts";
import { applyRowRules } from "./row-rules.ts";
import { rowReader } from "./row-schema.ts";
import { shownText } from "./shown-text.ts";

export interface CheckedRow {
  readonly row: number;
  readonly line: number;
  /** The row's reference where it could be read, also if something else is wrong with the row. */
  readonly reference: string | undefined;
  /** The amount as typed, where it was read from text. */
  readonly amountText: string | undefined;
  /** What the row asks for where that could be read, also if something else is wrong with the row. */
  readonly asked: Amount | undefined;
  readonly draft: DraftInstruction | undefined;
  readonly problems: Problem[];
  readonly warnings: Problem[];
  /** The problem or warning put at the row's own place in the file. */
  readonly place: (column: ColumnName, what: Problem) => Problem;
}

/** Checks the rows of one table, whose header has been read. */
export function rowChecker(
  table: Pick<Table, "format" | "sheet">,
  header: Header,
  policy: InitiationPolicy,
): (row: Row) => CheckedRow {
  const label = (column: ColumnName) => header.texts[header.positions.get(column) ?? -1] ?? column;
  const hasColumn = (column: ColumnName) => header.positions.has(column);
  const { amountCurrency } = header;
  const readRow = rowReader(policy, header.positions, label);
  const read = new Set(header.positions.values());
  const passedThrough = [...header.texts.keys()].filter((position) => !read.has(position));

  return (row) => {
    const place = (column: ColumnName, what: Problem): Problem => ({
      ...what,
      ...cellPlace({ ...table, header: header.texts }, row, header.positions.get(column), column),
      ...excerptOf(what, row.cells[header.positions.get(column) ?? -1]),
    });
    const problems: Problem[] = [...row.problems];
    const warnings: Problem[] = [];
    const outcome = { row: row.row, line: row.line, problems, warnings, place };
    // Cells of a row whose format is broken may have slipped into other columns.
    if (problems.length > 0) return { ...outcome, ...NOTHING_READ };

    const report = (column: ColumnName, what: Problem) => problems.push(place(column, what));
    const warn = (column: ColumnName, what: Problem) => warnings.push(place(column, what));
    const reading = readRow((position, column) => cellAt(row, position, column, warn));
    for (const [column, what] of reading.problems) {
      const { text } = resultOf(row.cells[header.positions.get(column) ?? -1] ?? EMPTY_CELL);
      const isSecret = FREE_TEXTS.has(column) ? holdsPrivateKey(text) : looksLikePrivateKey(text);
      report(column, isSecret ? problem("VALUE_IS_SECRET", { field: label(column) }) : what);
    }
    // Also what nobody reads would be kept in the archive and handed on in answers.
    for (const position of passedThrough) {
      const name = header.texts[position] ?? "the cell";
      const { text } = resultOf(row.cells[position] ?? EMPTY_CELL);
      if (holdsPrivateKey(text, name)) problems.push(secretAt(row, position));
      else if (isOtherUnit(text)) problems.push(otherUnitAt(row, position, text));
    }
    const ruled = applyRowRules({ reading, policy, label, hasColumn, amountCurrency, report, warn });
    const instead = holdsNoAmount(row, header) ? whatItIs(row, place, problems) : undefined;
    if (instead !== undefined) {
      problems.splice(0, problems.length, ...instead);
      return { ...outcome, ...NOTHING_READ };
    }
    const { reference, amount } = reading.values;
    const fields = problems.length === 0 ? instructionFields(reading.values, ruled, policy) : undefined;
    const draft = fields === undefined ? undefined : { row: row.row, fields };
    const amountText = amount?.fromNumberCell === false ? amount.text : undefined;
    const currency = ruled.custodyAccount?.currency;
    const asked =
      amount === undefined || currency === undefined ? undefined : { currency, value: amount.value };
    return { ...outcome, reference, amountText, asked, draft };
  };

  /** What is wrong with a row that is no payment, in place of all that is wrong with it as a payment; undefined where it may be one. */
  function whatItIs(
    row: Row,
    place: CheckedRow["place"],
    problems: readonly Problem[],
  ): readonly Problem[] | undefined {
    const texts = textsOf(row);
    if (isPayoutHeader(texts, policy.columns)) {
      const secrets = problems.filter(({ code }) => SECRET_CODES.has(code));
      return [place("reference", problem("HEADER_REPEATED", {})), ...secrets];
    }
    // The words of a seed phrase in a cell each.
    if (!holdsPrivateKey(texts.join(" "))) return undefined;
    return texts.flatMap((text, position) => (text === "" ? [] : [secretAt(row, position)]));
  }

  function otherUnitAt(row: Row, position: number, text: string): Problem {
    return {
      ...problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(text) }),
      ...cellPlace({ ...table, header: header.texts }, row, position),
    };
  }

  function secretAt(row: Row, position: number): Problem {
    const field = header.texts[position] ?? "the cell";
    return {
      ...problem("VALUE_IS_SECRET", { field }),
      ...cellPlace({ ...table, header: header.texts }, row, position),
    };
  }
}

/** Asked of every row: an amount has a digit, and the name of a column or a word of a phrase has none. */
function holdsNoAmount({ cells }: Row, { positions }: Header): boolean {
  const { kind, text } = cells[positions.get("amount") ?? -1] ?? EMPTY_CELL;
  return kind !== "number" && !/\d/.test(text);
}

function textsOf({ cells }: Row): string[] {
  return cells.map((cell) => resultOf(cell).text);
}

/** Where a hash or a sentence may stand; anywhere else a text that cannot be read and looks like a key is taken for one. */
const FREE_TEXTS: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "reference",
  "customerId",
  "username",
  "orderCodeName",
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
]);

const NOTHING_READ = { reference: undefined, amountText: undefined, asked: undefined, draft: undefined };

/** The column's cell; a formula is replaced by its saved result, with a warning. */
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

/** An amount as it is read: the file may have it with the noise of its binary form. */
function resultText({ kind, text }: Cell, column: ColumnName): string {
  const number = kind === "number" && column === "amount" ? readCalculatedNumber(text) : undefined;
  return number instanceof Decimal ? number.toString() : text;
}

/** Of a formula its saved result, which is what was judged. */
function excerptOf({ code }: Problem, cell: Cell = EMPTY_CELL): { readonly excerpt?: string } {
  const { text } = resultOf(cell);
  return UNREPEATED_CODES.has(code) || text.trim() === "" ? {} : { excerpt: shownText(text) };
}
