/** Rules about a file as a whole; breaking one rejects the file whatever its rows are. */
import { type Problem, problem, type Where } from "../faults/index.ts";
import { type Cell, type ControlTotal, EMPTY_CELL, type Row, resultOf, type Table } from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import { formatAmount } from "../money/index.ts";
import { currenciesOfNote } from "./amounts/other-currency.ts";
import { isOtherUnit, namesOtherUnit } from "./amounts/other-unit.ts";
import type { Header } from "./header.ts";
import { saysNotToPay } from "./pay-words.ts";
import type { InitiationPolicy } from "./policy.ts";

/** The problem of a file without payouts, or of a correction in which nothing was corrected. */
export function nothingToTake(rowsAcceptedBefore: number): Problem {
  return rowsAcceptedBefore === 0
    ? problem("FILE_HAS_NO_ROWS", {})
    : problem("FILE_HAS_NO_NEW_ROWS", { rows: rowsAcceptedBefore });
}

/** The first text above the header, or the sheet's name, that gives the amounts another unit. */
export function otherUnits({ titleLines = [], sheet }: Table): Problem[] {
  const place = sheet === undefined ? {} : { sheet };
  const notes = titleLines.map((titleLine) => otherUnitIn(titleLine, sheet));
  const [found] = [...notes, unitProblem(sheet ?? "", place)].filter((each) => each !== undefined);
  return found === undefined ? [] : [found];
}

/** As `otherUnits`, of a line that is no payout: `Total mBTC` gives another unit to all amounts above it. */
export function otherUnitIn(
  { line, cells }: Pick<Row, "line" | "cells">,
  sheet: string | undefined,
): Problem | undefined {
  const place = sheet === undefined ? { line } : { sheet, line };
  return cells.map((cell) => unitProblem(resultOf(cell).text, place)).find((each) => each !== undefined);
}

function unitProblem(text: string, where: Where): Problem | undefined {
  if (!(namesOtherUnit(text) || isOtherUnit(text)) || holdsPrivateKey(text)) return undefined;
  return problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(text) }, where);
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

/** What a line or the sheet's name says about the currency of all amounts: "Invoices in EUR, paid in BTC" names two. */
export interface CurrencyNote {
  readonly currencies: readonly string[];
  readonly text: string;
  readonly where: Where;
}

/** What is said above the header and in the sheet's name. */
export function currencyNotes(
  { titleLines = [], sheet }: Table,
  policy: InitiationPolicy,
): readonly CurrencyNote[] {
  const name: Cell = { kind: "text", text: sheet ?? "" };
  return [
    ...titleLines.flatMap((titleLine) => currencyNoteIn(titleLine, sheet, policy)),
    ...currencyNoteIn({ cells: [name] }, sheet, policy),
  ];
}

/** Of a line that is no payout; at most one. `amount`: its cell among the amounts, in which a currency may stand alone. */
export function currencyNoteIn(
  { line, cells }: { readonly line?: number; readonly cells: readonly Cell[] },
  sheet: string | undefined,
  { scales }: InitiationPolicy,
  amount: Cell = EMPTY_CELL,
): CurrencyNote[] {
  const texts = cells.map((cell) => resultOf(cell).text.trim()).filter((text) => text !== "");
  const unit = `in ${resultOf(amount).text.replace(/[^\p{L}\p{Sc}]/gu, "")}`;
  const currencies = currenciesOfNote([unit, ...texts], (code) => scales.scaleOf(code) !== undefined);
  if (currencies.length === 0 || texts.some((text) => holdsPrivateKey(text))) return [];
  return [{ currencies, text: shownText(texts.join(" ")), where: present({ sheet, line }) }];
}

/** Amounts whose currency neither their column nor their row names, and that are paid in another one than a note says. */
export function otherCurrency(
  notes: readonly CurrencyNote[],
  { positions, amountCurrency }: Header,
  totals: readonly ControlTotal[],
): Problem[] {
  if (amountCurrency !== undefined || positions.has("currency")) return [];
  const differing = notes.flatMap(({ currencies, text, where }) => {
    const paid = totals.map(({ currency }) => currency).find((currency) => !currencies.includes(currency));
    return paid === undefined ? [] : [problem("AMOUNT_IN_OTHER_CURRENCY", { text, paid }, where)];
  });
  return differing.slice(0, 1);
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
