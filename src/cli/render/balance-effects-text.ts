/** Renders the balances that payments leave on the custody accounts. */

import { applying } from "../../model/applying.ts";
import { minuteText } from "../../model/index.ts";
import { type Amount, addAmounts, type Decimal, formatAmount } from "../../money/index.ts";
import type { BalanceEffect, BalanceEffects } from "../../payments/named/balance-effects.ts";
import type { Colors } from "../output.ts";
import { problemLines } from "./problem-text.ts";
import { lines } from "./text-parts.ts";
import { figures, textTable } from "./text-table.ts";
import { yesNo } from "./wire-text.ts";

export function balanceEffectsText({ effects, problems }: BalanceEffects, colors: Colors): string {
  const found = effects.length === 0 ? [] : [table(effects), ...fiatLines(effects), ...feeLines(effects)];
  return lines(
    colors.bold("balances"),
    ...found.map((line) => line.replace(/^/gm, "  ")),
    ...problemLines(problems, colors),
  );
}

function table(effects: readonly BalanceEffect[]): string {
  const hasFees = effects.some(({ fees }) => fees !== undefined);
  const hasArriving = effects.some(({ arriving }) => !arriving.isZero());
  const columns = applying(
    "account",
    figures("available now"),
    figures("approved before"),
    figures("this file"),
    hasFees && figures("fees, estimated"),
    figures("left"),
    hasArriving && figures("arriving"),
    "can be spent",
  );
  const rows = effects.map((effect) => {
    const { currency, fundsCanBeSpent } = effect;
    const text = (value: Decimal | undefined) =>
      value === undefined ? "not known" : formatAmount({ currency, value: value.normalized() });
    return applying(
      effect.custodyAccount,
      text(effect.available),
      text(effect.approvedBefore),
      text(effect.paid),
      hasFees && text(effect.fees?.approvedBefore.plus(effect.fees.paid)),
      text(effect.left),
      hasArriving && text(effect.arriving),
      yesNo(fundsCanBeSpent) ?? "not known",
    );
  });
  return textTable(columns, rows);
}

/** How fees were estimated, and for which paying accounts they were not. */
function feeLines(effects: readonly BalanceEffect[]): string[] {
  const estimated = effects.flatMap(({ custodyAccount, currency, fees }) =>
    fees === undefined ? [] : [`${custodyAccount} ${formatAmount({ currency, value: fees.perPayout })}`],
  );
  const without = effects.flatMap(({ custodyAccount, fees, paid, approvedBefore }) =>
    fees !== undefined || (paid.isZero() && approvedBefore.isZero()) ? [] : [custodyAccount],
  );
  const how = "fees by `feeEstimate` for each payout that does not subtract its own";
  return applying(
    estimated.length > 0 && `${how}: ${estimated.join(", ")}`,
    without.length > 0 && `without fees for ${without.join(", ")}: no \`feeEstimate\` is configured`,
  );
}

/** "in fiat: 1200.50 EUR, at 1 BTC = 60000 EUR of 2026-11-21 09:30 UTC" per account, and the sum of several. */
function fiatLines(effects: readonly BalanceEffect[]): string[] {
  const paying = effects.filter(({ paid }) => !paid.isZero());
  const lines = paying.map(({ custodyAccount, currency, fiat }) => {
    if (fiat === undefined) return `in fiat: not known, the service shows no rate for ${custodyAccount}`;
    const { rate, measuredAt, paid } = fiat;
    const when = measuredAt === undefined ? "" : `, measured ${minuteText(measuredAt)}`;
    return `in fiat: ${formatAmount(paid)} from ${custodyAccount}, at 1 ${currency} = ${rate} ${paid.currency}${when}`;
  });
  const amounts = paying.flatMap(({ fiat }) => fiat?.paid ?? []);
  return amounts.length === paying.length && amounts.length > 1 ? [...lines, ...sumLines(amounts)] : lines;
}

function sumLines(amounts: readonly Amount[]): string[] {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  return [...byCurrency.values()].map((some) => `in fiat: ${formatAmount(some.reduce(addAmounts))} together`);
}
