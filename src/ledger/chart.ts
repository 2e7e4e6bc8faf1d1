/** The chart of accounts as a value, and how a ledger account is looked up in it. Reading its file is in read-chart.ts. */
import type { GeneralLedgerFields, LedgerAccount } from "../model/index.ts";
import type { Decimal } from "../money/index.ts";

/** `gl` is looked up by the three general-ledger fields of a payout, every other role by the custody account. */
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
  /** generalLedgerName; of other roles a custody account's name or id, a customerId or a currency. Empty: any. */
  readonly key: string;
  /** generalLedgerProject; empty: any. Role gl only. */
  readonly project: string;
  /** generalLedgerDistribution; empty: any. Role gl only. */
  readonly distribution: string;
  /** Part of the amount, above 0 and at most 1; rows of the same key, project and distribution add up to 1. */
  readonly share: Decimal;
  readonly account: LedgerAccount;
  /** The dimension written on the line; empty: what the payout says. */
  readonly bookProject: string;
  readonly bookDistribution: string;
}

export interface Chart {
  readonly rows: readonly ChartRow[];
  /** Takes whatever no other row maps. */
  readonly suspense: LedgerAccount;
}

/**
 * The rows that take a payout with these fields: one, or several that split it by share. The most specific match wins, a
 * name before a project, a project before a distribution. Empty when none fits.
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

/** "general-ledger name "Hosting", project "P1"", for messages. */
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

/** The account of a system role for the first of `keys` that the chart names, else the role's row without a key. */
export function lookUpRole(
  chart: Chart,
  role: Exclude<ChartRole, "gl">,
  keys: readonly string[],
): LedgerAccount | undefined {
  const rows = chart.rows.filter((row) => row.role === role);
  for (const key of [...keys, ""]) {
    const row = rows.find((one) => one.key === key);
    if (row !== undefined) return row.account;
  }
  return undefined;
}

/** Rows of one role that share it split an amount between them; more than one makes sense for `gl` only. */
export function splitKey({ role, key, project, distribution }: ChartRow): string {
  return JSON.stringify([role, key, project, distribution]);
}

function admits(mapped: string, given: string | undefined): boolean {
  return mapped === "" || mapped === given?.trim();
}

function specificity({ key, project, distribution }: ChartRow): number {
  return (key === "" ? 0 : 4) + (project === "" ? 0 : 2) + (distribution === "" ? 0 : 1);
}
