/** The journal's sums, for people. */
import type { NotBooked, TrialBalance } from "../../ledger/index.ts";
import type { Decimal } from "../../money/index.ts";
import { counted } from "./counted.ts";
import { textTable } from "./text-table.ts";

export function trialBalanceText(balance: TrialBalance, functionalCurrency: string): string {
  const right = "right" as const;
  // A sum over no line has no decimals of its own.
  const money = (value: Decimal) => value.rounded(balance.debit.scale).toString();
  const decimals = decimalsByCurrency(balance);
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

const SHOWN = 10;

/** What never becomes an entry is the same every night and only grows, so it is told by state and reason. */
export function notBookedLines(notBooked: readonly NotBooked[]): string[] {
  const groups = [...Map.groupBy(notBooked, ({ sourceState, reason }) => `${sourceState}: ${reason}`)];
  const lines = groups.slice(0, SHOWN).map(([what, rows]) => {
    const [only, ...others] = rows.map(({ sourceId }) => sourceId);
    return `not booked: ${others.length === 0 ? only : counted(rows.length, "movement")}, ${what}`;
  });
  const rest = groups.slice(SHOWN).flatMap(([, rows]) => rows).length;
  return rest === 0 ? lines : [...lines, `... and ${rest} others not booked; \`--json\` lists them all`];
}

/** As many decimals as the finest quantity of each currency has, so that the points stand below each other. */
function decimalsByCurrency({ rows }: TrialBalance): ReadonlyMap<string, number> {
  const decimals = new Map<string, number>();
  for (const { currency, value } of rows.flatMap(({ quantities }) => quantities))
    decimals.set(currency, Math.max(decimals.get(currency) ?? 0, value.scale));
  return decimals;
}
