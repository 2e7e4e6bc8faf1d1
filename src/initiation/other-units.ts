/** Looks for what gives the amounts another unit, or another currency, than the one that is assumed. */
import { type Problem, problem, type Where } from "../faults/index.ts";
import { type Grid, resultOf, textOf } from "../model/grid.ts";
import { columnLetters } from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import type { FoundColumns } from "./find-columns.ts";
import type { ToldLines } from "./tell-lines.ts";
import { currencyNamed, isOtherUnit, OTHER_UNIT, unitIn } from "./units.ts";

/**
 * The first place that gives the amounts another unit than whole coins or, if some amounts do not say their currency,
 * another currency than the `assumed` ones. "BTC price in EUR" says nothing about amounts in bitcoin.
 */
export function otherUnits(
  grid: Grid,
  columns: FoundColumns,
  told: ToldLines,
  assumed: ReadonlySet<string>,
): Problem[] {
  for (const [text, where] of textsBeside(grid, columns, told)) {
    const unit = unitIn(text);
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
 * The name of the sheet, headings, notes, and whole cells of columns that are not read, or the units that they show.
 * Columns of addresses, names and dates do not say in which unit an amount is.
 */
function* textsBeside(
  grid: Grid,
  columns: FoundColumns,
  { noteLines, payments }: ToldLines,
): Generator<readonly [string, Where]> {
  const place = present({ sheet: grid.sheet });
  yield [grid.sheet ?? "", place];
  const named = new Set(columns.read.flatMap(({ name, position }) => (name === "amount" ? [] : [position])));
  for (const [position, column] of columns.header.entries())
    if (!named.has(position)) yield [column, { ...place, column }];
  for (const { line, cells } of noteLines) {
    const texts = cells.map((cell) => textOf(cell).trim()).filter((text) => text !== "");
    for (const text of [texts.join(" "), ...texts]) yield [text, { ...place, line }];
  }
  for (const { text } of grid.outside) yield [text, place];
  const known = new Set<string>();
  for (const {
    line: { line, cells },
  } of payments)
    for (const position of columns.unread) {
      const plain = resultOf(cells[position] ?? "");
      const text = typeof plain === "string" ? plain : plain.kind === "number" ? (plain.unit ?? "") : "";
      if (text === "" || text.length > UNIT_LENGTH_MAX || /\d/.test(text) || known.has(text)) continue;
      known.add(text);
      if (currencyNamed(text) === undefined && !isOtherUnit(text)) continue;
      const cell = `${columnLetters(position)}${line}`;
      yield [text, { ...place, line, column: columns.header[position] ?? "", cell }];
    }
}

const UNIT_LENGTH_MAX = 20;
