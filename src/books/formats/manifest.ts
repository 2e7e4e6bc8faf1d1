/**
 * A file with the contents of an export batch, beside its files: for people who compare, and for programs that
 * import.
 */
import type { Decimal } from "../../money/index.ts";
import type { TrialBalance } from "../rules/trial-balance.ts";

export interface Manifest {
  readonly target: string;
  readonly number: number;
  readonly issuedAt: string;
  /** The month to which its entries were limited. */
  readonly period?: string | undefined;
  /** Who has imported a file of this form; absent if nobody is known. */
  readonly confirmedBy?: string | undefined;
  readonly functionalCurrency: string;
  readonly entries: number;
  readonly lines: number;
  readonly balance: TrialBalance;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly size: number }[];
}

/**
 * JSON, with amounts as texts. Sums are over all entries, in the functional currency; quantities are signed, debit
 * positive.
 */
export function manifestText(manifest: Manifest): string {
  const { target, number, issuedAt, period, confirmedBy, functionalCurrency, balance } = manifest;
  const { entries, lines, files } = manifest;
  const text = (value: Decimal) => value.toString();
  const quantities = new Map<string, Decimal>();
  for (const { currency, value } of balance.rows.flatMap((row) => row.quantities))
    quantities.set(currency, quantities.get(currency)?.plus(value) ?? value);
  const document = {
    target,
    number,
    issuedAt,
    ...(period === undefined ? {} : { period }),
    format: confirmedBy === undefined ? "unconfirmed" : `confirmed by ${confirmedBy}`,
    counts: { entries, lines },
    sums: {
      [functionalCurrency]: { debit: text(balance.debit), credit: text(balance.credit) },
      ...Object.fromEntries(
        [...quantities].map(([currency, value]) => [currency, { quantity: text(value) }]),
      ),
    },
    accounts: balance.rows.map((row) => ({
      code: row.code,
      name: row.name,
      currency: functionalCurrency,
      debit: text(row.debit),
      credit: text(row.credit),
      quantities: Object.fromEntries(row.quantities.map(({ currency, value }) => [currency, text(value)])),
    })),
    files: files.map(({ path, sha256, size }) => ({ name: nameOf(path), sha256, bytes: size })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function nameOf(path: string): string {
  return path.replace(/^.*[/\\]/, "");
}
