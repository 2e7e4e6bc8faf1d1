/** Rules about a file as a whole; breaking one rejects the file whatever its rows are. */
import { type Problem, problem, type Where } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import { type ControlTotal, EMPTY_CELL, type Row, resultOf, type Table } from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import { overLimit } from "./amounts/amount-rules.ts";
import { currencyInNote } from "./amounts/named-currency.ts";
import { isOtherUnit, namesOtherUnit } from "./amounts/other-unit.ts";
import { recognizeAddress } from "./destinations/address.ts";
import type { Header } from "./header.ts";
import { saysNotToPay } from "./pay-words.ts";
import type { InitiationPolicy } from "./policy.ts";

/** The problem of a file without payouts, or of a correction in which nothing was corrected. */
export function nothingToTake(rowsAcceptedBefore: number): Problem {
  return rowsAcceptedBefore === 0
    ? problem("FILE_HAS_NO_ROWS", {})
    : problem("FILE_HAS_NO_NEW_ROWS", { rows: rowsAcceptedBefore });
}

/** One problem per payout above the header: whoever sorts a sheet may sort its header in among the rows. */
export function payoutsAbove({ titleLines = [], sheet }: Table, { positions }: Header): Problem[] {
  return titleLines.flatMap(({ line, cells }) => {
    const text = (column: ColumnName) =>
      resultOf(cells[positions.get(column) ?? -1] ?? EMPTY_CELL).text.trim();
    const isAddress = !("malformed" in recognizeAddress(text("destinationAddress")));
    const isPayout = /\d/.test(text("amount")) && (isAddress || text("destinationAccountId") !== "");
    return isPayout ? [problem("PAYOUT_ABOVE_HEADER", {}, { ...present({ sheet }), line })] : [];
  });
}

/**
 * The first text above the header, or the sheet's name, that gives the amounts another unit, or another currency than
 * the `assumed` ones: those of rows that do not say theirs.
 */
export function otherUnits({ titleLines = [], sheet }: Table, assumed: ReadonlySet<string>): Problem[] {
  const notes = titleLines.map((titleLine) => otherUnitIn(titleLine, sheet, assumed));
  const name = unitProblem([sheet ?? ""], present({ sheet }), assumed);
  return [...notes, name].filter((each) => each !== undefined).slice(0, 1);
}

/** As `otherUnits`, of a line that is no payout: `Total mBTC` gives another unit to all amounts above it. */
export function otherUnitIn(
  { line, cells }: Pick<Row, "line" | "cells">,
  sheet: string | undefined,
  assumed: ReadonlySet<string>,
): Problem | undefined {
  const texts = cells.map((cell) => resultOf(cell).text.trim()).filter((text) => text !== "");
  return unitProblem(texts, present({ sheet, line }), assumed);
}

/** `texts`: those of one line, side by side. */
function unitProblem(
  texts: readonly string[],
  where: Where,
  assumed: ReadonlySet<string>,
): Problem | undefined {
  if (texts.some((text) => holdsPrivateKey(text))) return undefined;
  const unit = texts.find((text) => namesOtherUnit(text) || isOtherUnit(text));
  if (unit !== undefined) return problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(unit) }, where);
  const notes = texts.map((text, index) => ({ text, named: currencyInNote(text, texts[index + 1]) }));
  const note = notes.find(({ named }) => named !== undefined);
  // "BTC price in EUR" says nothing about the amounts.
  const currency = [...assumed].find((each) => each !== note?.named && !texts.join(" ").includes(each));
  if (note === undefined || currency === undefined) return undefined;
  return problem("CURRENCY_NOT_READ", { text: shownText(note.text), currency }, where);
}

/** The first text above the header, or the sheet's name, that says not to pay the file. */
export function notToBePaid({ titleLines = [], sheet }: Table): Problem[] {
  const place = present({ sheet });
  const titles = titleLines.flatMap(({ line, cells }) =>
    cells.map((cell) => ({ text: resultOf(cell).text.trim(), where: { ...place, line } })),
  );
  return [...titles, { text: sheet ?? "", where: place }]
    .filter(({ text }) => saysNotToPay(text))
    .map(({ text, where }) => problem("FILE_NOT_TO_BE_PAID", { text: shownText(text) }, where))
    .slice(0, 1);
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
