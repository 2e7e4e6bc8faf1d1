/** Counts in sentences ("1 payout", "2 payouts"), control totals and durations in words. */
import type { ControlTotal } from "../../model/index.ts";

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** "40 payments, 1.81168548 BTC"; one part per currency. */
export function totalsText(totals: readonly ControlTotal[]): string {
  if (totals.length === 0) return "nothing";
  return totals
    .map(
      ({ currency, count, amount }) =>
        `${counted(count, "payment")}, ${amount.normalized().toString()} ${currency}`,
    )
    .join("; ");
}

/** "3 min", "5 h", "2 days" */
export function ageText(ageMs: number): string {
  const minutes = Math.floor(ageMs / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}
