/** Rules about a file as a whole; breaking one rejects the file whatever its rows are. */
import { type Problem, problem, type Where } from "../faults/index.ts";
import { type Grid, type Line, resultOf, textOf } from "../model/grid.ts";
import { type ControlTotal, columnLetters } from "../model/index.ts";
import { present } from "../model/present.ts";
import { cellHoldsKey, holdsPrivateKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import { currencyShown } from "../money/index.ts";
import type { FoundColumns } from "./find-columns.ts";
import type { InitiationPolicy } from "./policy.ts";
import { remembered } from "./remembered.ts";
import { overLimit } from "./row-rules.ts";
import { currencyNamed, isOtherUnit, unitIn } from "./units.ts";

/** Columns of addresses, names and dates do not say in which unit an amount is. */
interface Places {
  readonly grid: Grid;
  readonly columns: FoundColumns;
  readonly noteLines: readonly Line[];
  readonly payments: readonly Line[];
}

/**
 * The first place that gives the amounts another unit than whole coins or, if some amounts do not say their currency,
 * another currency than the `assumed` ones.
 */
export function otherUnits(
  { grid, columns, noteLines, payments }: Places,
  assumed: ReadonlySet<string>,
): Problem[] {
  const place = present({ sheet: grid.sheet });
  const judge = (text: string, where: Where) => unitProblem(text, where, assumed);
  const ofSheet = grid.sheet === undefined ? undefined : judge(grid.sheet, place);
  const found = ofSheet ?? inHeadings(columns, judge, place) ?? inNotes(noteLines, grid, judge, place);
  return [found ?? inCells(columns, payments, assumed, place)].filter((each) => each !== undefined);
}

type Judge = (text: string, where: Where) => Problem | undefined;

function inHeadings({ header, read }: FoundColumns, judge: Judge, place: Where): Problem | undefined {
  const named = new Set(read.filter(({ name }) => name !== "amount").map(({ position }) => position));
  for (const [position, heading] of header.entries()) {
    const found = named.has(position) ? undefined : judge(heading, { ...place, column: heading });
    if (found !== undefined) return found;
  }
  return undefined;
}

function inNotes(lines: readonly Line[], { outside }: Grid, judge: Judge, place: Where): Problem | undefined {
  for (const { line, cells } of lines) {
    const texts = cells.map((cell) => textOf(cell).trim()).filter((text) => text !== "");
    const found =
      judge(texts.join(" "), { ...place, line }) ??
      texts.map((text) => judge(text, { ...place, line })).find(Boolean);
    if (found !== undefined) return found;
  }
  return outside.map(({ text }) => judge(text, place)).find((found) => found !== undefined);
}

/** Whole cells of columns that are not read, and what number formats show there. */
function inCells(
  { unread, header }: FoundColumns,
  payments: readonly Line[],
  assumed: ReadonlySet<string>,
  place: Where,
): Problem | undefined {
  const judge = remembered((text: string) => ({
    isOther: isOtherUnit(text),
    currency: currencyNamed(text),
  }));
  for (const { line, cells } of payments) {
    for (const position of unread) {
      const plain = resultOf(cells[position] ?? "");
      if (plain === "") continue;
      const unit = typeof plain === "string" ? plain : plain.kind === "number" ? (plain.unit ?? "") : "";
      if (unit === "" || unit.length > UNIT_LENGTH_MAX || /\d/.test(unit)) continue;
      const { isOther, currency = undefined } = judge(unit);
      const where = {
        ...place,
        line,
        column: header[position] ?? "",
        cell: `${columnLetters(position)}${line}`,
      };
      if (isOther) return problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(unit) }, where);
      const found = currency === undefined ? undefined : notAssumed(currency, unit, where, assumed);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const UNIT_LENGTH_MAX = 20;

function unitProblem(text: string, where: Where, assumed: ReadonlySet<string>): Problem | undefined {
  if (holdsPrivateKey(text)) return undefined;
  const unit = unitIn(text);
  if (unit === undefined) return undefined;
  if ("otherUnit" in unit) return problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(text) }, where);
  // "BTC price in EUR" says nothing about the amounts.
  const saysAssumed = [...assumed].some((currency) => text.toUpperCase().includes(currency));
  return saysAssumed ? undefined : notAssumed(unit.currency, text, where, assumed);
}

function notAssumed(
  named: string,
  text: string,
  where: Where,
  assumed: ReadonlySet<string>,
): Problem | undefined {
  const currency = [...assumed].find((each) => each !== currencyShown(named));
  return currency === undefined
    ? undefined
    : problem("CURRENCY_NOT_READ", { text: shownText(text), currency }, where);
}

/** The hidden columns that are read: whoever approves does not see what is paid. */
export function hiddenColumns({ hiddenColumns, sheet }: Grid, { read }: FoundColumns): Problem[] {
  return read
    .filter(({ position }) => hiddenColumns.has(position))
    .map(({ heading }) =>
      problem("COLUMN_HIDDEN", { column: heading }, { ...present({ sheet }), column: heading }),
    );
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

/** One problem per currency whose sum exceeds its limit per file. */
export function limitsExceeded(
  totals: readonly ControlTotal[],
  { limits }: { readonly limits: Pick<InitiationPolicy["limits"], "perFile"> },
): Problem[] {
  return totals.flatMap(
    ({ currency, amount: value }) =>
      overLimit({ currency, value }, limits.perFile[currency], "perFile") ?? [],
  );
}
