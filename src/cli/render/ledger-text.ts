/** The journal's sums, for people. */
import type { TrialBalance } from "../../ledger/index.ts";
import type { Decimal } from "../../money/index.ts";
import { figures, textTable } from "./text-table.ts";

export function trialBalanceText(balance: TrialBalance, functionalCurrency: string): string {
  // A sum over no line has no decimals of its own.
  const money = (value: Decimal) => value.rounded(balance.debit.scale).toString();
  const decimals = decimalsByCurrency(balance);
  return textTable(
    [
      "code",
      "ledger account",
      figures(`debit ${functionalCurrency}`),
      figures(`credit ${functionalCurrency}`),
      figures("balance"),
      figures("quantity"),
    ],
    [
      ...balance.rows.map(({ code, name, debit, credit, balance: net, quantities }) => [
        code,
        name,
        money(debit),
        money(credit),
        money(net),
        quantities
          .map(({ currency, value }) => `${value.rounded(decimals.get(currency) ?? value.scale)} ${currency}`)
          .join(", "),
      ]),
      [
        "",
        "total",
        balance.debit.toString(),
        balance.credit.toString(),
        balance.debit.minus(balance.credit).toString(),
        "",
      ],
    ],
  );
}

/** As many decimals as the finest quantity of each currency has, so that the points stand below each other. */
function decimalsByCurrency({ rows }: TrialBalance): ReadonlyMap<string, number> {
  const decimals = new Map<string, number>();
  for (const { currency, value } of rows.flatMap(({ quantities }) => quantities))
    decimals.set(currency, Math.max(decimals.get(currency) ?? 0, value.scale));
  return decimals;
}
