/**
 * Looks for texts that give the amounts another unit or currency than the one in which they would be paid. Titles
 * and the names of sheet and file are not refused here; they lead to questions.
 */
import { type Problem, problem, type Where } from "../../faults/index.ts";
import { type Grid, type Line, resultOf, textOf } from "../../model/grid.ts";
import { columnLetters } from "../../model/index.ts";
import { cellAt } from "../../model/lines.ts";
import { present } from "../../model/present.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { shownText } from "../../model/shown-text.ts";
import { cryptocurrencies } from "../../money/index.ts";
import type { ClassifiedLines } from "./classify-lines.ts";
import { amountShape } from "./column-format.ts";
import type { FoundColumns } from "./find-columns.ts";
import { currencyNamed, isOtherUnit, OTHER_UNIT, unitInNote, unitsInHeading } from "./units.ts";

/**
 * The first text that gives the amounts another unit than whole coins. If some amounts do not state their currency,
 * also the first that names another currency than the `assumed` ones. "BTC price in EUR" does not count for amounts
 * in bitcoin.
 */
export function otherUnits(
  grid: Grid,
  { line: headerLine }: Line,
  columns: FoundColumns,
  classified: ClassifiedLines,
  assumed: ReadonlySet<string>,
): Problem[] {
  for (const [text, where] of textsBeside(grid, headerLine, columns, classified, assumed)) {
    const unit = unitInNote(text);
    if (unit === undefined || holdsPrivateKey(text)) continue;
    if (unit === OTHER_UNIT) return [problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(text) }, where)];
    const words = text.toUpperCase().match(/\p{L}+/gu) ?? [];
    const currency = words.some((word) => assumed.has(word))
      ? undefined
      : [...assumed].find((each) => each !== unit);
    if (currency !== undefined)
      return [problem("CURRENCY_NOT_READ", { text: shownText(text), currency }, where)];
  }
  return [];
}

/**
 * Compares the heading of the amounts with the currencies in which they would be paid, however the column was
 * found. It must not name another unit, a currency that is not a coin, or only other coins. If it names several
 * coins, each row may have its own.
 */
export function headingContradicts(
  { sheet }: Pick<Grid, "sheet">,
  { read }: Pick<FoundColumns, "read">,
  paid: ReadonlySet<string>,
): Problem[] {
  const heading = read.find(({ name }) => name === "amount")?.heading ?? "";
  const { currencies, hasOtherUnit } = unitsInHeading(heading);
  const where = { ...present({ sheet }), column: heading };
  const text = shownText(heading);
  if (hasOtherUnit) return [problem("AMOUNT_IN_OTHER_UNIT", { text }, where)];
  const named = [...currencies];
  const isOther = (code: string) => !paid.has(code) && !cryptocurrencies.includes(code);
  const currency = [...paid].find((code) => !currencies.has(code) || named.some(isOther));
  if (named.length === 0 || currency === undefined) return [];
  const others = named.filter((code) => code !== currency).join(", ");
  return [problem("AMOUNT_NAMES_OTHER_CURRENCY", { text, named: others, currency }, where)];
}

/**
 * Headings, notes below the headings, and whole cells of columns that are not read, or the units that they show.
 * Columns of addresses, names and dates do not give the unit of an amount, and a column of numbers gives only its
 * own.
 */
function* textsBeside(
  grid: Grid,
  headerLine: number,
  columns: FoundColumns,
  { noteLines, payments }: ClassifiedLines,
  assumed: ReadonlySet<string>,
): Generator<readonly [string, Where]> {
  const place = present({ sheet: grid.sheet });
  const isRead = new Set(columns.read.map(({ position }) => position));
  for (const [position, column] of columns.header.entries())
    if (!isRead.has(position) && !isOfNumbers(position, payments)) yield [column, { ...place, column }];
  for (const note of noteLines) {
    const { line, cells } = note;
    if (line < headerLine) continue;
    const texts = cells.map((cell) => textOf(cell).trim()).filter((text) => text !== "");
    // In a second line of names, "BTC | EUR" under "Amount", each cell is about its own column.
    const ofAmounts = unitInNote(textOf(cellAt(note, columns.positions.get("amount") ?? -1)).trim()) ?? "";
    const isOfColumn = (text: string) =>
      assumed.has(ofAmounts) && currencyNamed(text.replace(/^[([]|[)\]]$/g, "")) !== undefined;
    const meant = texts.filter((text) => !isOfColumn(text));
    for (const text of [texts.join(" "), ...meant]) yield [text, { ...place, line }];
  }
  for (const { text } of grid.outside) yield [text, place];
  const known = new Set<string>();
  for (const each of payments)
    for (const position of columns.unread) {
      const plain = resultOf(cellAt(each, position));
      const text = typeof plain === "string" ? plain : plain.kind === "number" ? (plain.unit ?? "") : "";
      if (text === "" || text.length > UNIT_LENGTH_MAX || /\d/.test(text) || known.has(text)) continue;
      known.add(text);
      if (currencyNamed(text) === undefined && !isOtherUnit(text)) continue;
      if (typeof plain !== "string" && isOfNumbers(position, payments)) continue;
      const cell = `${columnLetters(position)}${each.line}`;
      yield [text, { ...place, line: each.line, column: columns.header[position] ?? "", cell }];
    }
}

/**
 * Whether a column has a number in every payment, so that its heading is about these: "Amount EUR" beside the
 * amounts.
 */
function isOfNumbers(position: number, payments: ClassifiedLines["payments"]): boolean {
  return payments.length > 0 && payments.every((line) => amountShape(cellAt(line, position)) !== undefined);
}

const UNIT_LENGTH_MAX = 20;
