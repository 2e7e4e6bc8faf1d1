/**
 * The value that an approval covers: who gets what and when, through which call, under which key and where, the
 * policy in force, and the findings that the approver accepted. It has one canonical text and one digest, so that a
 * signature covers all of it.
 */

import { hash } from "node:crypto";
import type { Batch } from "./batch.ts";
import { compareText } from "./compare-text.ts";
import { formatControlTotals } from "./control-total.ts";

/** The call that creates the payouts of a custody account. */
export interface ApprovedCall {
  readonly custodyAccountId: string;
  readonly operation: string;
  /** Whether the creation is also the first authorization: a flag of one operation. */
  readonly authorize: boolean;
  /** "POST /payouts", for an operation without a path in the interface. */
  readonly route?: string | undefined;
  /** Fingerprint of the client key. */
  readonly keyId: string;
}

/** Rows with the same finding that the approver accepted. */
export interface AcceptedFinding {
  /**
   * The earlier payment that the rows repeat, the two addresses that look alike, or the question about their file.
   */
  readonly about: string;
  readonly code: string;
  /** Ascending; empty for a whole file. */
  readonly rows: readonly number[];
}

/** How payees are compared now: from the first payment that waits, was approved, or was paid. */
export const PAYEES_COMPARED = "from the first payment" as const;

export interface Approved {
  readonly accepted: readonly AcceptedFinding[];
  readonly baseUrl: string;
  readonly calls: readonly ApprovedCall[];
  /** SHA-256 of what was accepted for the layout of the batch's file; absent if nothing was. */
  readonly layout?: string;
  /**
   * How payees were compared. Absent from approvals of earlier versions, which asked about another address of a
   * payee only after two payments to the same one.
   */
  readonly payees?: typeof PAYEES_COMPARED;
  /** Fingerprint of the limits, lists and rules in force at the approval. */
  readonly policy: string;
  readonly rowCount: number;
  /** The digest of the batch's rows. */
  readonly rows: string;
  /** "39 x BTC 1.2345" */
  readonly sums: string;
}

/** The part that follows from the batch itself. */
export function approvedRows({ digest, rowCount, controlTotals }: Batch) {
  return { rowCount, rows: digest, sums: formatControlTotals(controlTotals) };
}

/** A canonical JSON text: members sorted, absent ones left out; calls by account, findings by their first row. */
export function approvedText(approved: Approved): string {
  const { accepted, baseUrl, calls, layout, payees, policy, rowCount, rows, sums } = approved;
  const sortedCalls = calls
    .toSorted((a, b) => compareText(a.custodyAccountId, b.custodyAccountId))
    .map(({ authorize, custodyAccountId, keyId, operation, route }) => ({
      authorize,
      custodyAccountId,
      keyId,
      operation,
      route,
    }));
  const rest = { layout, payees, policy, rowCount, rows, sums };
  return JSON.stringify({ accepted, baseUrl, calls: sortedCalls, ...rest });
}

export function readApproved(text: string): Approved {
  return JSON.parse(text) as Approved;
}

/** SHA-256 of the canonical text, lower-case hex. */
export function approvedDigest(text: string): string {
  return hash("sha256", text);
}

/** Whether a finding that needs acceptance is about the address, not a repeat. */
export function isOfDestination(code: string): boolean {
  return code.startsWith("DESTINATION_");
}

/** Whether a finding compares a payee's name with its addresses. */
export function isOfPayee(code: string): boolean {
  return code === "DESTINATION_NOT_USUAL" || code === "DESTINATION_OF_ANOTHER";
}

/** Groups findings by code and subject, in the order of their first rows. */
export function groupedFindings(
  findings: Iterable<Omit<AcceptedFinding, "rows"> & { readonly row: number }>,
): AcceptedFinding[] {
  const groups = new Map<string, { about: string; code: string; rows: number[] }>();
  for (const { about, code, row } of findings) {
    const key = `${code} ${about}`;
    const group = groups.get(key) ?? { about, code, rows: [] };
    groups.set(key, group);
    group.rows.push(row);
  }
  return [...groups.values()];
}

/** Whether one of the approvals accepted a finding about a row. */
export function acceptedBy(
  approvals: readonly Pick<Approved, "accepted">[],
): (row: number, code: string, about: string) => boolean {
  const rows = new Map<string, Set<number>>();
  for (const { about, code, rows: accepted } of approvals.flatMap((approval) => approval.accepted)) {
    const known = rows.get(`${code} ${about}`) ?? new Set();
    rows.set(`${code} ${about}`, known);
    for (const row of accepted) known.add(row);
  }
  return (row, code, about) => rows.get(`${code} ${about}`)?.has(row) === true;
}

/** The call by which a creation would be sent. */
export interface Sending extends ApprovedCall {
  readonly baseUrl: string;
}

/** How `now` differs from what was approved, in words; undefined if it does not. */
export function whyOtherwise({ baseUrl, calls }: Approved, now: Sending): string | undefined {
  const call = calls.find(({ custodyAccountId }) => custodyAccountId === now.custodyAccountId);
  const members = [
    ["service.baseUrl", baseUrl, now.baseUrl],
    ["the operation", call?.operation, now.operation],
    ["its flag authorize", call?.authorize, now.authorize],
    ["its route", call?.route, now.route],
    ["the client key's fingerprint", call?.keyId, now.keyId],
  ];
  const differences = members
    .filter(([, approved, configured]) => approved !== configured)
    .map(([name, approved, configured]) => `${name} ${approved ?? "none"}, not ${configured ?? "none"}`);
  return differences.length === 0 ? undefined : differences.join("; ");
}
