/**
 * What is sent is what was approved: the stored rows of each batch still make the digest that its approvers were shown, as
 * the batch, its submission, each approval and the audit record have it, and the record has each approval. Whoever changes
 * rows has to forge all of them, and the record's hashes from there on; so does whoever adds an approval. The sums that
 * choose the approval rule are those of the rows, and who may not approve is who submitted.
 */
import { fault } from "../../faults/index.ts";
import {
  type Approval,
  type Batch,
  BatchDigest,
  type BatchId,
  RunningTotals,
  readCanonicalFields,
  sameControlTotals,
} from "../../model/index.ts";
import { type AuditEntry, listAuditOfBatches } from "../../store/audit.ts";
import {
  countRows,
  type FieldText,
  getBatch,
  listApprovals,
  listBatchesAt,
  listFieldTexts,
} from "../../store/batches.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";

/** Throws BATCH_ALTERED if a batch with payments that may be sent was changed by other means than Paydrop. */
export async function checkAsApproved(store: Store): Promise<void> {
  for (const approved of await store.read(() => approvedBatches())) {
    if (!isOnRecord(approved) || !(await isMadeOf(approved, store)))
      throw fault("BATCH_ALTERED", { batch: approved.batch.id });
  }
}

interface ApprovedBatch {
  readonly batch: Batch;
  readonly approvals: readonly Approval[];
  /** Its submission and approvals in the audit record. */
  readonly recorded: readonly AuditEntry[];
  /** Of all rows, whatever their numbers. */
  readonly rows: number;
}

/** In one transaction, so that an approval that is being given is in both or in neither. */
function* approvedBatches() {
  // What is in doubt may be sent again, and what is being sent becomes a doubt if its process has died.
  const ids = yield* listBatchesAt(["approved", "sending", "in doubt"]);
  const record = Map.groupBy(
    ids.length === 0 ? [] : yield* listAuditOfBatches(ids),
    ({ subject }) => subject,
  );
  const found: ApprovedBatch[] = [];
  for (const id of ids)
    found.push({
      batch: yield* getBatch(id),
      approvals: yield* listApprovals(id),
      recorded: record.get(id) ?? [],
      rows: yield* countRows(id),
    });
  return found;
}

/** Whether the record has who submitted the batch, each approval, and the same digest in all of them. */
function isOnRecord({ batch, approvals, recorded }: ApprovedBatch): boolean {
  const submitted = recorded.filter(({ action }) => action === "submit");
  const given = recorded.filter(({ action }) => action === "approve");
  return (
    submitted.length > 0 &&
    submitted.every(({ person }) => person === batch.submittedBy) &&
    [...submitted, ...given].every(({ detail }) => detail["digest"] === batch.digest) &&
    approvals.every(
      ({ person, digest, decidedAt }) =>
        digest === batch.digest && given.some((entry) => entry.person === person && entry.at >= decidedAt),
    )
  );
}

async function isMadeOf({ batch, rows }: ApprovedBatch, store: Store): Promise<boolean> {
  const computed = new BatchDigest();
  let count = 0;
  for await (const window of fieldWindows(batch.id, store))
    for (const { row, fields } of window) {
      computed.addText(row, fields);
      count += 1;
    }
  if (computed.hex() !== batch.digest || count !== rows) return false;
  // Only now, because what somebody changed may hold no amount.
  const totals = new RunningTotals();
  for await (const window of fieldWindows(batch.id, store))
    for (const { fields } of window) totals.add(readCanonicalFields(fields).amount);
  return sameControlTotals(totals.totals(), batch.controlTotals);
}

/** The rows with the numbers that Paydrop gives, from 1. */
function fieldWindows(id: BatchId, store: Store) {
  return inWindows<FieldText>(store, (last) => listFieldTexts(id, last?.row ?? 0, ROWS));
}

/** Read at a time. */
const ROWS = 500;
