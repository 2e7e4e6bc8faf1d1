/** Renders the trial balance. */
import type { NotBooked, TrialBalance } from "../../books/index.ts";
import type { Decimal } from "../../money/index.ts";
import { counted } from "./text-parts.ts";
import { figures, textTable } from "./text-table.ts";

export function trialBalanceText(balance: TrialBalance, functionalCurrency: string): string {
  const { debit, credit } = balance;
  // An empty sum has no decimals of its own.
  const money = (value: Decimal) => value.rounded(debit.scale).toString();
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
      ...balance.rows.map(({ code, name, quantities, ...sums }) => [
        code,
        name,
        money(sums.debit),
        money(sums.credit),
        money(sums.balance),
        quantities
          .map(({ currency, value }) => `${value.rounded(decimals.get(currency) ?? value.scale)} ${currency}`)
          .join(", "),
      ]),
      ["", "total", ...[debit, credit, debit.minus(credit)].map(String), ""],
    ],
  );
}

const SHOWN = 10;

/** Summarizes movements that are never booked, by state and reason, since their list only grows. */
export function notBookedLines(notBooked: readonly NotBooked[]): string[] {
  const groups = [...Map.groupBy(notBooked, ({ sourceState, reason }) => `${sourceState}: ${reason}`)];
  const lines = groups.slice(0, SHOWN).map(([what, rows]) => {
    const [only, ...others] = rows.map(({ sourceId }) => sourceId);
    return `not booked: ${others.length === 0 ? only : counted(rows.length, "movement")}, ${what}`;
  });
  const rest = groups.slice(SHOWN).flatMap(([, rows]) => rows).length;
  return rest === 0 ? lines : [...lines, `... and ${rest} others not booked; \`--json\` lists them all`];
}

/** Per currency, the decimals of the finest quantity, so that decimal points align. */
function decimalsByCurrency({ rows }: TrialBalance): ReadonlyMap<string, number> {
  const decimals = new Map<string, number>();
  for (const { currency, value } of rows.flatMap(({ quantities }) => quantities))
    decimals.set(currency, Math.max(decimals.get(currency) ?? 0, value.scale));
  return decimals;
}
