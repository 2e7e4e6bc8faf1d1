/**
 * Whether a stored batch is what was approved. Its rows must give the digest that its approvers were shown and that
 * the batch, its submission, each approval and the audit record have. The columns beside the canonical fields must
 * agree with them, and the record must have each approval with what it approved. A forger would have to change all
 * of these, and all later hashes of the record. The sums of the rows choose the approval rule, and the submitter on
 * record may not approve.
 */
import { hash } from "node:crypto";
import {
  type Approval,
  type Approved,
  approvedDigest,
  approvedRows,
  type Batch,
  BatchDigest,
  type BatchId,
  destinationOf,
  type InstructionFields,
  RunningTotals,
  readApproved,
  readCanonicalFields,
  sameControlTotals,
} from "../../model/index.ts";
import { type AuditEntry, listAuditOfBatches } from "../../store/audit.ts";
import { countRows, type FieldText, getBatch, listApprovals, listFieldTexts } from "../../store/batches.ts";
import type { Transaction } from "../../store/sql.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";

export interface StoredBatch {
  readonly batch: Batch;
  readonly approvals: readonly Approval[];
  /** Its submission and approvals in the audit record. */
  readonly recorded: readonly AuditEntry[];
  /** The number of stored rows, including rows with unexpected numbers. */
  readonly rows: number;
}

/** Reads everything in one transaction, so that an approval given meanwhile is in all parts or in none. */
export function* storedBatches(ids: readonly BatchId[]): Transaction<StoredBatch[]> {
  const record = Map.groupBy(
    ids.length === 0 ? [] : yield* listAuditOfBatches(ids),
    ({ subject }) => subject,
  );
  const found: StoredBatch[] = [];
  for (const id of ids)
    found.push({
      batch: yield* getBatch(id),
      approvals: yield* listApprovals(id),
      recorded: record.get(id) ?? [],
      rows: yield* countRows(id),
    });
  return found;
}

/** The approvals, each with the value that it approves. */
export function valuesOf(
  approvals: readonly Approval[],
): { readonly approval: Approval; readonly value: Approved }[] {
  return approvals.map((approval) => ({ approval, value: readApproved(approval.approved) }));
}

/**
 * Whether the record has the batch's submitter and each approval with the value that it approves, all with the same
 * digest.
 */
export function isOnRecord({ batch, approvals, recorded }: StoredBatch): boolean {
  const submitted = recorded.filter(({ action }) => action === "submit");
  const given = recorded.filter(({ action }) => action === "approve");
  const isGiven = ({ person, digest, decidedAt, approved }: Approval) =>
    digest === batch.digest &&
    given.some(
      ({ person: by, at, detail }) =>
        by === person && at >= decidedAt && detail["approved"] === approvedDigest(approved),
    );
  const rows = JSON.stringify(approvedRows(batch));
  return (
    submitted.length > 0 &&
    submitted.every(({ person }) => person === batch.submittedBy) &&
    [...submitted, ...given].every(({ detail }) => detail["digest"] === batch.digest) &&
    approvals.every(isGiven) &&
    valuesOf(approvals).every(
      ({ value: { rowCount, rows: digest, sums } }) =>
        JSON.stringify({ rowCount, rows: digest, sums }) === rows,
    )
  );
}

/** The hashes of the rows by their numbers; undefined if the rows do not give the digest and the sums. */
export async function hashesOf({ batch, rows }: StoredBatch, store: Store): Promise<Buffer | undefined> {
  const computed = new BatchDigest();
  let count = 0;
  let last = 0;
  for await (const window of fieldWindows(batch.id, store))
    for (const { row, fields } of window) {
      computed.addText(row, fields);
      count += 1;
      last = row;
    }
  if (computed.hex() !== batch.digest || count !== rows) return undefined;
  // Summed only after the digest was checked, because an altered row may have no amount.
  const totals = new RunningTotals();
  const hashes = Buffer.alloc((last + 1) * HASH_BYTES);
  for await (const window of fieldWindows(batch.id, store))
    for (const stored of window) {
      const fields = readCanonicalFields(stored.fields);
      if (!hasOwnColumns(stored, fields)) return undefined;
      totals.add(fields.amount);
      hash("sha256", stored.fields, "buffer").copy(hashes, stored.row * HASH_BYTES, 0, HASH_BYTES);
    }
  return sameControlTotals(totals.totals(), batch.controlTotals) ? hashes : undefined;
}

/** Long enough that nobody can find another row with the same hash. */
const HASH_BYTES = 16;

/** Whether a row with these canonical fields was among those compared. */
export function isAmong(hashes: Buffer | undefined, row: number, fields: string): boolean {
  const start = row * HASH_BYTES;
  const known = hashes?.subarray(start, start + HASH_BYTES);
  return known?.equals(hash("sha256", fields, "buffer").subarray(0, HASH_BYTES)) === true;
}

/**
 * Whether the columns that Paydrop decides by agree with the canonical fields. Withdrawn payments may have given up
 * their references.
 */
function hasOwnColumns(stored: FieldText, fields: InstructionFields): boolean {
  const { reference, amount, payOn = null } = fields;
  const isFreed = stored.standing === "withdrawn" && stored.reference.startsWith(`${reference} (withdrawn `);
  return (
    (stored.reference === reference || isFreed) &&
    stored.currency === amount.currency &&
    stored.amount === amount.value.toString() &&
    stored.destination === destinationOf(fields) &&
    stored.pay_on === payOn
  );
}

/** The rows from number 1: Paydrop numbers them from 1. */
function fieldWindows(id: BatchId, store: Store) {
  return inWindows<FieldText>(store, (last) => listFieldTexts(id, last?.row ?? 0, ROWS));
}

/** Rows read at a time. */
const ROWS = 500;
