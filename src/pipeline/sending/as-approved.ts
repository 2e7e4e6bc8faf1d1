/**
 * What is sent is what was approved: the stored rows of each batch still make the digest that its approvers were shown, as
 * the batch, each approval and the audit record have it. Whoever changes rows has to forge all three, and the record's hashes
 * from there on.
 */
import { fault } from "../../faults/index.ts";
import { BatchDigest } from "../../model/index.ts";
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

/** Throws BATCH_ALTERED if rows of a batch with payments to send were changed, added or removed by other means than Paydrop. */
export async function checkAsApproved(store: Store): Promise<void> {
  const batches = await store.read(() => listBatchesAt("approved"));
  if (batches.length === 0) return;
  const record = Map.groupBy(await store.read(() => listAudit(batches)), ({ subject }) => subject);
  for (const id of batches) {
    const computed = new BatchDigest();
    for await (const window of inWindows<FieldText>(store, (last) =>
      listFieldTexts(id, last?.row ?? 0, ROWS),
    ))
      for (const { row, fields } of window) computed.addText(row, fields);
    const { batch, approvals } = await store.read(function* () {
      return { batch: yield* getBatch(id), approvals: yield* listApprovals(id) };
    });
    const recorded = (record.get(id) ?? []).filter(({ action }) => action === "approve");
    const shown = [
      batch.digest,
      ...approvals.map(({ digest }) => digest),
      ...recorded.map(({ detail }) => detail["digest"]),
    ];
    const hex = computed.hex();
    if (shown.some((digest) => digest !== hex)) throw fault("BATCH_ALTERED", { batch: id });
  }
}

/** Read at a time. */
const ROWS = 500;
