/** The journal's sums, for people. */
import type { TrialBalance } from "../../ledger/index.ts";
import { textTable } from "./text-table.ts";

export function trialBalanceText(balance: TrialBalance, functionalCurrency: string): string {
  const right = "right" as const;
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
        debit.toString(),
        credit.toString(),
        net.toString(),
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
