/**
 * Six words that stand for the approved batch, the same for every approver. They depend on the rows, the file, its
 * submitter, and the configured calls and rules. They also depend on a random value drawn after the file was taken
 * in, so that the author of a file cannot search for another file with the same words.
 */
import { invariant } from "../../faults/index.ts";
import { approvedRows, type Batch } from "../../model/index.ts";
import { spokenWords } from "../../model/spoken-words.ts";
import { firstInstructionId } from "../../store/batches.ts";
import { policyFingerprint } from "../../workplace/settings.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { sendingNow } from "./approved-now.ts";

/** Leaves out what earlier approvers accepted, because the words must be the same for the next one. */
export async function wordsOf(workplace: Workplace, batch: Batch): Promise<string> {
  const { id, fileName, fileSha256, submittedBy } = batch;
  // A payment's id is a random UUID that it gets when its batch is stored.
  const drawn = await workplace.store.read(() => firstInstructionId(id));
  invariant(drawn !== undefined, `batch ${id} has no payment`);
  const { baseUrl, calls } = await sendingNow(workplace, batch);
  const sent = calls.map(({ custodyAccountId, operation, authorize, route = "", key }) => {
    return [custodyAccountId, operation, authorize, route, key];
  });
  const policy = await policyFingerprint(workplace.config);
  const file = [id, fileName, fileSha256, submittedBy];
  return spokenWords(JSON.stringify([drawn, file, approvedRows(batch), baseUrl, sent.toSorted(), policy]));
}
