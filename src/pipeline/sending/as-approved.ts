/**
 * What is sent is what was approved: the stored rows of each batch still make the digest that its approvers were shown, as
 * the batch, each approval and the audit record have it, and the record has each approval. Whoever changes rows has to
 * forge all three, and the record's hashes from there on; so does whoever adds an approval.
 */
import { fault } from "../../faults/index.ts";
import { BatchDigest, type BatchId } from "../../model/index.ts";
import { listAudit } from "../../store/audit.ts";
import {
  type FieldText,
  getBatch,
  listApprovals,
  listBatchesAt,
  listFieldTexts,
} from "../../store/batches.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";

/** Throws BATCH_ALTERED if rows or approvals of a batch with payments to send were changed by other means than Paydrop. */
export async function checkAsApproved(store: Store): Promise<void> {
  for (const { batch, approvals, recorded } of await store.read(() => approvedBatches())) {
    const digest = await digestOf(batch.id, store);
    const isShown = [batch, ...approvals, ...recorded].every((shown) => shown.digest === digest);
    const isGiven = approvals.every(({ person, decidedAt }) =>
      recorded.some((entry) => entry.person === person && entry.at >= decidedAt),
    );
    if (!isShown || !isGiven) throw fault("BATCH_ALTERED", { batch: batch.id });
  }
}

/** In one transaction, so that an approval that is being given is in both or in neither. */
function* approvedBatches() {
  const ids = yield* listBatchesAt("approved");
  const record = ids.length === 0 ? [] : yield* listAudit(ids);
  const given = Map.groupBy(
    record.filter(({ action }) => action === "approve"),
    ({ subject }) => subject,
  );
  const found = [];
  for (const id of ids) {
    const recorded = (given.get(id) ?? []).map(({ person, at, detail }) => ({
      person,
      at,
      digest: detail["digest"],
    }));
    found.push({ batch: yield* getBatch(id), approvals: yield* listApprovals(id), recorded });
  }
  return found;
}

async function digestOf(id: BatchId, store: Store): Promise<string> {
  const computed = new BatchDigest();
  for await (const window of inWindows<FieldText>(store, (last) => listFieldTexts(id, last?.row ?? 0, ROWS)))
    for (const { row, fields } of window) computed.addText(row, fields);
  return computed.hex();
}

/** Read at a time. */
const ROWS = 500;
