/** An object's fields, a line each; absent ones are left out. */
import { shown } from "./problem-text.ts";

export type Field = readonly [label: string, value: string | undefined];

export function fieldsText(fields: readonly Field[]): string {
  const present = fields.filter((field): field is [string, string] => (field[1] ?? "") !== "");
  const width = Math.max(0, ...present.map(([label]) => label.length));
  return present.map(([label, value]) => `  ${`${label}:`.padEnd(width + 1)} ${shown(value)}`).join("\n");
}
