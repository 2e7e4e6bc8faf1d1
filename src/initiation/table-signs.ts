/** By which signs intake finds the table of payouts in a file. */
import type { ColumnMeanings, ColumnName } from "../model/columns.ts";
import { type Cell, resultOf, type TitleLine } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import { ColumnWords } from "./column-words.ts";
import { recognizeAddress } from "./destinations/address.ts";

const KNOWN_COLUMNS_OF_A_HEADER = 3;

/** `columns`: the sender's own headers. */
export function payoutTableSigns(columns: ColumnMeanings) {
  const words = new ColumnWords(columns);
  const columnOf = (text: string) => words.meaningOf(text).name;
  return { isHeader, hasDestination, isRead, showsMissingCell, mayBePayout, closestHeader };

  /** Whether a line is the header of a payout file: it has reference and amount, or three known columns. */
  function isHeader(cells: readonly string[]): boolean {
    const known = new Set(cells.map(columnOf).filter((name) => name !== undefined));
    return known.size >= KNOWN_COLUMNS_OF_A_HEADER || (known.has("reference") && known.has("amount"));
  }

  /** Whether one of these columns holds destinations. */
  function hasDestination(header: readonly string[]): boolean {
    return header.some((text) => DESTINATIONS.has(columnOf(text)));
  }

  /** Whether a column of this name is read; others are passed through. */
  function isRead(text: string): boolean {
    return columnOf(text) !== undefined;
  }

  /** Whether hardly anything else passes for a value of the column: where a line lacks a cell, what slips into it is refused. */
  function showsMissingCell(text: string): boolean {
    return UNLIKE_OTHERS.has(columnOf(text));
  }

  /** For a file without a header: names the line with most header words, for a message; "" if no line has any. */
  function closestHeader(lines: readonly TitleLine[]): string {
    const [closest] = lines
      .map(({ line, cells }) => ({ line, said: cells.flatMap(({ text }) => columnInWords(text)) }))
      .toSorted((match, other) => other.said.length - match.said.length);
    if (closest === undefined || closest.said.length === 0) return "";
    return `; line ${closest.line} comes closest, with ${closest.said.join(", ")}`;
  }

  /** `"payee"`, or `"ammount" (did you mean amount?)`; empty for a text that names no column. */
  function columnInWords(text: string): string[] {
    const quoted = JSON.stringify(shownText(text.trim()));
    if (isRead(text)) return [quoted];
    const meant = words.meantBy(text);
    return meant === undefined ? [] : [`${quoted} (did you mean \`${meant}\`?)`];
  }
}

const DESTINATIONS: ReadonlySet<ColumnName | undefined> = new Set<ColumnName>([
  "destinationAddress",
  "destinationAccountId",
]);

const UNLIKE_OTHERS: ReadonlySet<ColumnName | undefined> = new Set<ColumnName | undefined>([
  ...DESTINATIONS,
  "accountId",
  "currency",
]);

/** Whether a line without a known header looks like a payout: it has an address and a number. */
function mayBePayout(cells: readonly Cell[]): boolean {
  const isNumber = ({ kind, text }: Cell) =>
    kind === "number" || /^\d+(?:[.,]\d+)?(?:e-\d+)?$/i.test(text.trim());
  const isAddress = ({ text }: Cell) => !("malformed" in recognizeAddress(text.trim()));
  return cells.map(resultOf).some(isNumber) && cells.map(resultOf).some(isAddress);
}
