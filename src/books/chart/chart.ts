/** The chart of accounts as a value, and how ledger accounts are looked up in it. read-chart.ts reads its file. */
import { GENERAL_LEDGER_FIELDS, type GeneralLedgerFields, type LedgerAccount } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";

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
 * most specific match wins; name counts before project, project before distribution. Where no row has the name, it may be
 * the code of an account that some row books to: then that account takes the whole.
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
  const found = fits.filter((row) => specificity(row) === best);
  const isNamed = found.some(({ key }) => key !== "");
  const ofCode = isNamed ? undefined : rowOfCode(chart, fields.generalLedgerName);
  return ofCode === undefined ? found : [ofCode];
}

function rowOfCode({ rows }: Chart, name = ""): ChartRow | undefined {
  const code = comparableKey(name);
  const row = rows.find(({ role, account }) => role === "gl" && code !== "" && account.code === code);
  return row && { ...row, share: Decimal.of("1"), bookProject: "", bookDistribution: "" };
}

/**
 * The fields whose values no line has, where no line fits them all together; of a kind of which no line has any, the chart
 * says nothing.
 */
export function unknownToChart(
  chart: Chart,
  fields: GeneralLedgerFields,
): readonly (keyof GeneralLedgerFields)[] {
  if (lookUpGeneralLedger(chart, fields).length > 0) return [];
  return GENERAL_LEDGER_FIELDS.filter((field) => {
    const column = CHART_COLUMNS[field];
    const known = chart.rows.filter((row) => row.role === "gl" && row[column] !== "");
    return (
      fields[field] !== undefined &&
      known.length > 0 &&
      !known.some((row) => admits(row[column], fields[field]))
    );
  });
}

const CHART_COLUMNS = {
  generalLedgerName: "key",
  generalLedgerProject: "project",
  generalLedgerDistribution: "distribution",
} as const satisfies Record<keyof GeneralLedgerFields, keyof ChartRow>;

const CHOICES_MAX = 12;

/** What a file may have as its GL account: "Contractors (6200), Salaries (6100)". */
export function generalLedgerChoices({ rows }: Chart): string {
  const named = rows.filter(({ role, key }) => role === "gl" && key !== "");
  const byKey = Map.groupBy(named, ({ key }) => key);
  const choices = [...byKey].map(([key, of]) => {
    const codes = new Set(
      of
        .filter(({ project, distribution }) => project + distribution === "")
        .map(({ account }) => account.code),
    );
    return codes.size === 0 ? key : `${key} (${[...codes].join(", ")})`;
  });
  const more = choices.length - CHOICES_MAX;
  return `${choices.slice(0, CHOICES_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** For messages: `GL account "Hosting", project "P1"`; codes are codes: `GL account 6200`. */
export function generalLedgerInWords(fields: GeneralLedgerFields): string {
  const {
    generalLedgerName: name,
    generalLedgerProject: project,
    generalLedgerDistribution: distribution,
  } = fields;
  const named = Object.entries({ name, project, distribution }).filter(([, value]) => value !== undefined);
  if (named.length === 0) return "a payout without a GL account";
  const worded = ([field, value = ""]: (typeof named)[number]) => {
    const what = field === "name" ? "GL account" : field;
    return LIKE_A_CODE.test(value) ? `${what} ${value}` : `${what} "${value}"`;
  };
  return named.map(worded).join(", ");
}

const LIKE_A_CODE = /^\d[\d./-]*$/;

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
