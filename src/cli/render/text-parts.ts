/** Parts of the texts for people: lines under conditions, counts and durations in words, control totals, fields. */
import { applying } from "../../model/applying.ts";
import { counted } from "../../model/counted.ts";
import type { ControlTotal } from "../../model/index.ts";
import { shown } from "./problem-text.ts";

export { counted };

/** The lines that apply, as one text. */
export function lines(...parts: readonly (string | false | undefined)[]): string {
  return applying(...parts).join("\n");
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

/** An object's fields, a line each; absent ones are left out. */
export type Field = readonly [label: string, value: string | undefined];

export function fieldsText(fields: readonly Field[]): string {
  const present = fields.filter((field): field is [string, string] => (field[1] ?? "") !== "");
  const width = Math.max(0, ...present.map(([label]) => label.length));
  return present.map(([label, value]) => `  ${`${label}:`.padEnd(width + 1)} ${shown(value)}`).join("\n");
}
