/** The chart of accounts as a value, and how ledger accounts are looked up in it. read-chart.ts reads its file. */
import type { GeneralLedgerFields, LedgerAccount } from "../model/index.ts";
import type { Decimal } from "../money/index.ts";

/** `gl` is looked up by a payout's three general-ledger fields, every other role by the custody account. */
export const CHART_ROLES = [
  "gl",
  "treasury",
  "network-fees",
  "deposits-clearing",
  "receivable",
  "overpayments",
  "suspense",
  "valuation-difference",
  "write-off",
] as const;

export type ChartRole = (typeof CHART_ROLES)[number];

export interface ChartRow {
  readonly role: ChartRole;
  /** generalLedgerName; for other roles a custody account's name or id, a customerId or a currency. Empty: any. */
  readonly key: string;
  /** generalLedgerProject; empty: any. Role gl only. */
  readonly project: string;
  /** generalLedgerDistribution; empty: any. Role gl only. */
  readonly distribution: string;
  /** Part of the amount, above 0 and at most 1. Rows with the same key, project and distribution add up to 1. */
  readonly share: Decimal;
  readonly account: LedgerAccount;
  /** The dimension to book; empty: the payout's own. */
  readonly bookProject: string;
  readonly bookDistribution: string;
}

export interface Chart {
  readonly rows: readonly ChartRow[];
  /** Takes everything that no other row maps. */
  readonly suspense: LedgerAccount;
}

/**
 * The rows for a payout with these fields: several if the chart splits the amount by shares, none if nothing fits. The
 * most specific match wins; name counts before project, project before distribution.
 */
export function lookUpGeneralLedger(chart: Chart, fields: GeneralLedgerFields): readonly ChartRow[] {
  const fits = chart.rows.filter(
    (row) =>
      row.role === "gl" &&
      admits(row.key, fields.generalLedgerName) &&
      admits(row.project, fields.generalLedgerProject) &&
      admits(row.distribution, fields.generalLedgerDistribution),
  );
  const best = Math.max(...fits.map(specificity));
  return fits.filter((row) => specificity(row) === best);
}

/** For messages: `general-ledger name "Hosting", project "P1"`. */
export function generalLedgerInWords(fields: GeneralLedgerFields): string {
  const {
    generalLedgerName: name,
    generalLedgerProject: project,
    generalLedgerDistribution: distribution,
  } = fields;
  const named = Object.entries({ name, project, distribution }).filter(([, value]) => value !== undefined);
  if (named.length === 0) return "a payout without general-ledger fields";
  return named.map(([field, value]) => `general-ledger ${field} "${value}"`).join(", ");
}

/** The account of the first of `keys` that the chart maps for this role, otherwise of the role's row without a key. */
export function lookUpRole(
  chart: Chart,
  role: Exclude<ChartRole, "gl">,
  keys: readonly string[],
): LedgerAccount | undefined {
  const rows = chart.rows.filter((row) => row.role === role);
  for (const key of [...keys, ""]) {
    const row = rows.find((candidate) => candidate.key === comparableKey(key));
    if (row !== undefined) return row.account;
  }
  return undefined;
}

/** Rows of one role with the same split key share an amount. Only `gl` may have more than one. */
export function splitKey({ role, key, project, distribution }: ChartRow): string {
  return JSON.stringify([role, key, project, distribution]);
}

function admits(mapped: string, value: string | undefined): boolean {
  return mapped === "" || (value !== undefined && mapped === comparableKey(value));
}

/** Programs differ in how they write an accent: as a letter of its own, or behind its letter. */
export function comparableKey(text: string): string {
  return text.trim().normalize("NFC");
}

function specificity({ key, project, distribution }: ChartRow): number {
  return (key === "" ? 0 : 4) + (project === "" ? 0 : 2) + (distribution === "" ? 0 : 1);
}
