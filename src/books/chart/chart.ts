/** The lines of the chart of accounts. read-chart.ts reads them from its file; look-up.ts finds them. */
import type { GeneralLedgerFields, LedgerAccount } from "../../model/index.ts";
import type { Share } from "./share.ts";

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

/** These may also be mapped by the deposit's customer and reference. */
export const DEPOSIT_ROLES: readonly ChartRole[] = [
  "deposits-clearing",
  "receivable",
  "overpayments",
  "valuation-difference",
  "write-off",
];

/** The party of a line: a fixed id of the ERP, or the party of the movement. */
export interface ChartParty {
  /** The ERP's name for the kind: "Customer". */
  readonly type: string;
  /** An id; or `{payee}`, the payee that the approved file names, or `{customer}`, the deposit's customerId. */
  readonly id: string;
}

export interface ChartRow {
  readonly role: ChartRole;
  /** generalLedgerName; for other roles a custody account's name or id, a customerId or a currency. Empty: any. */
  readonly key: string;
  /** The deposit's customerId; empty: any. Deposit roles only. */
  readonly customer: string;
  /** The deposit's reference or a pattern for it; empty: any. Deposit roles only. */
  readonly reference: string;
  /** generalLedgerProject; empty: any. Role gl only. */
  readonly project: string;
  /** generalLedgerDistribution; empty: any. Role gl only. */
  readonly distribution: string;
  /** Part of the amount. Rows with the same key, project and distribution add up to 1. */
  readonly share: Share;
  readonly account: LedgerAccount;
  /** The account's name at each target, by the target's name; `hledger` is the journal. */
  readonly accountNames: Readonly<Record<string, string>>;
  /** The dimension to book; empty: the payout's own. */
  readonly bookProject: string;
  readonly bookDistribution: string;
  /** Further dimensions to book, by name: costCenter, class, department, location or the company's own. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly party?: ChartParty | undefined;
  /** The line in the file. */
  readonly line: number;
}

/** Rows of one role with the same split key share an amount. Only `gl` may have more than one. */
export function splitKey(row: Omit<ChartRow, "line">): string {
  const { role, key, customer, reference, project, distribution } = row;
  return JSON.stringify([role, key, foldedKey(customer), foldedKey(reference), project, distribution]);
}

/** Programs write an accent in two ways: within its letter, or after it. */
export function comparableKey(text: string): string {
  return text.trim().normalize("NFC");
}

/**
 * Equal for texts that differ only in case or white space. Ignores the rules of single languages: `İ` and `ı` are
 * not forms of `i`, as they are in Turkish.
 */
export function foldedKey(text: string): string {
  return comparableKey(text).replace(/\s+/g, " ").toLowerCase().replaceAll("ς", "σ");
}

const CHOICES_MAX = 12;

/** The GL accounts that a file may name: "Contractors (6200), Salaries (6100)". */
export function generalLedgerChoices({ rows }: { readonly rows: readonly ChartRow[] }): string {
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

/** For messages: `GL account "Hosting", project "P1"`; a code is given as it is: `GL account 6200`. */
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
