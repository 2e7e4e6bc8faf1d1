/** Rules about a file as a whole; breaking one rejects the file whatever its rows are. */
import { type Problem, problem, type Where } from "../faults/index.ts";
import type { ColumnName } from "../model/columns.ts";
import { type ControlTotal, EMPTY_CELL, type Row, resultOf, type Table } from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import { formatAmount } from "../money/index.ts";
import { currencyInNote } from "./amounts/named-currency.ts";
import { isOtherUnit, namesOtherUnit } from "./amounts/other-unit.ts";
import { recognizeAddress } from "./destinations/address.ts";
import type { Header } from "./header.ts";
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
  const place = sheet === undefined ? {} : { sheet };
  const notes = titleLines.map((titleLine) => otherUnitIn(titleLine, sheet, assumed));
  const [found] = [...notes, unitProblem(sheet ?? "", place, assumed)].filter((each) => each !== undefined);
  return found === undefined ? [] : [found];
}

/** As `otherUnits`, of a line that is no payout: `Total mBTC` gives another unit to all amounts above it. */
export function otherUnitIn(
  { line, cells }: Pick<Row, "line" | "cells">,
  sheet: string | undefined,
  assumed: ReadonlySet<string>,
): Problem | undefined {
  const place = sheet === undefined ? { line } : { sheet, line };
  return cells
    .map((cell) => unitProblem(resultOf(cell).text, place, assumed))
    .find((each) => each !== undefined);
}

function unitProblem(text: string, where: Where, assumed: ReadonlySet<string>): Problem | undefined {
  if (holdsPrivateKey(text)) return undefined;
  if (namesOtherUnit(text) || isOtherUnit(text))
    return problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(text) }, where);
  const named = currencyInNote(text);
  // "BTC price in EUR" says nothing about the amounts.
  const currency = [...assumed].find((each) => each !== named && !text.includes(each));
  if (named === undefined || currency === undefined) return undefined;
  return problem("CURRENCY_NOT_READ", { text: shownText(text), currency }, where);
}

/** One problem per currency whose sum exceeds its limit per file. */
export function limitsExceeded(totals: readonly ControlTotal[], { limits }: InitiationPolicy): Problem[] {
  return totals.flatMap(({ currency, amount }) => {
    const perFile = limits.perFile[currency];
    if (perFile === undefined || amount.compare(perFile) <= 0) return [];
    const sum = `the sum of ${formatAmount({ currency, value: amount })}`;
    const limit = formatAmount({ currency, value: perFile });
    return [
      problem("AMOUNT_OVER_LIMIT", {
        amount: sum,
        limit,
        scope: "per file",
        key: `limits.perFile.${currency}`,
      }),
    ];
  });
}
