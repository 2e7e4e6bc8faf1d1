/** Rules about a file as a whole; breaking one rejects the file whatever its rows are. */
import { type Problem, problem, type Where } from "../faults/index.ts";
import { type Grid, type Line, resultOf, textOf } from "../model/grid.ts";
import { columnLetters } from "../model/index.ts";
import { present } from "../model/present.ts";
import { cellHoldsKey, holdsPrivateKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import type { FoundColumns } from "./find-columns.ts";
import { currencyNamed, isOtherUnit, OTHER_UNIT, unitIn } from "./units.ts";

interface Places {
  readonly grid: Grid;
  readonly columns: FoundColumns;
  readonly noteLines: readonly Line[];
  readonly payments: readonly Line[];
}

/**
 * The first place that gives the amounts another unit than whole coins or, if some amounts do not say their currency,
 * another currency than the `assumed` ones. "BTC price in EUR" says nothing about amounts in bitcoin.
 */
export function otherUnits(places: Places, assumed: ReadonlySet<string>): Problem[] {
  for (const [text, where] of textsBeside(places)) {
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
function* textsBeside({ grid, columns, noteLines, payments }: Places): Generator<readonly [string, Where]> {
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
  for (const { line, cells } of payments)
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

/** The hidden columns that are read: whoever approves does not see what is paid. */
export function hiddenColumns({ hiddenColumns, sheet }: Grid, { read }: FoundColumns): Problem[] {
  return read
    .filter(({ position }) => hiddenColumns.has(position))
    .map(({ heading: column }) => problem("COLUMN_HIDDEN", { column }, { ...present({ sheet }), column }));
}

/** Private keys outside the cells and in lines that are not among `checked`. */
export function secretsBeside({ outside, sheet, lines: all }: Grid, checked: readonly Line[]): Problem[] {
  const place = present({ sheet });
  const known = new Set(checked);
  const lines = all.filter((line) => !known.has(line) && lineHoldsKey(line));
  const texts = outside.filter(({ text }) => holdsPrivateKey(text));
  return [
    ...lines.map(({ line }) =>
      problem("VALUE_IS_SECRET", { field: "a line beside the payments" }, { ...place, line }),
    ),
    ...texts.map((text) => problem("VALUE_IS_SECRET", { field: text.place }, place)),
  ];
}

/** A seed phrase may be spread over cells. */
export function lineHoldsKey({ cells }: Line): boolean {
  return cells.some(cellHoldsKey) || holdsPrivateKey(cells.map(textOf).join(" "));
}

/** Tells in which encoding a CSV was read, if that was a guess, by the first text whose letters depend on it. */
export function encodingNotice({ csv }: Grid, lines: readonly Line[]): Problem[] {
  if (csv?.isEncodingGuessed !== true) return [];
  for (const { line, cells } of lines) {
    const text = cells.map(textOf).find((each) => /[\x80-\uffff]/.test(each));
    if (text !== undefined) return [problem("ENCODING_GUESSED", { text: shownText(text) }, { line })];
  }
  return [];
}
