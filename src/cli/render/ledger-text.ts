/** The journal's sums, for people. */
import type { TrialBalance } from "../../ledger/index.ts";
import type { Decimal } from "../../money/index.ts";
import { textTable } from "./text-table.ts";

export function trialBalanceText(balance: TrialBalance, functionalCurrency: string): string {
  const right = "right" as const;
  // A sum over no line has no decimals of its own.
  const money = (value: Decimal) => value.rounded(balance.debit.scale).toString();
  return textTable(
    [
      { title: "code" },
      { title: "ledger account" },
      { title: `debit ${functionalCurrency}`, align: right },
      { title: `credit ${functionalCurrency}`, align: right },
      { title: "balance", align: right },
      { title: "quantity", align: right },
    ],
    [
      ...balance.rows.map(({ code, name, debit, credit, balance: net, quantities }) => [
        code,
        name,
        money(debit),
        money(credit),
        money(net),
        quantities.map(({ currency, value }) => `${value} ${currency}`).join(", "),
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
