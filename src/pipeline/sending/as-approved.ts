/** What is sent is what was approved: the stored rows of each batch still make the digest that its approvers were shown. */
import { fault } from "../../faults/index.ts";
import { BatchDigest } from "../../model/index.ts";
import { type FieldText, getBatch, listBatchesAt, listFieldTexts } from "../../store/batches.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";

/** Throws BATCH_ALTERED if rows of a batch with payments to send were changed, added or removed by other means than Paydrop. */
export async function checkAsApproved(store: Store): Promise<void> {
  for (const id of await store.read(() => listBatchesAt("approved"))) {
    const computed = new BatchDigest();
    for await (const window of inWindows<FieldText>(store, (last) =>
      listFieldTexts(id, last?.row ?? 0, ROWS),
    ))
      for (const { row, fields } of window) computed.addText(row, fields);
    const { digest } = await store.read(() => getBatch(id));
    if (computed.hex() !== digest) throw fault("BATCH_ALTERED", { batch: id });
  }
}

/** Read at a time. */
const ROWS = 500;
