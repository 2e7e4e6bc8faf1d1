/**
 * What is approved as six words, the same for every approver: of the rows, the file, its submitter, and how the
 * configuration would send them by which rules. A random value goes in that was drawn after the file was taken, so
 * that whoever writes a file cannot search for one whose words are those of another.
 */
import { invariant } from "../../faults/index.ts";
import { approvedRows, type Batch } from "../../model/index.ts";
import { spokenWords } from "../../model/spoken-words.ts";
import { firstInstructionId } from "../../store/batches.ts";
import { policyFingerprint } from "../../workplace/settings.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { sendingNow } from "./approved-now.ts";

/** What each approver accepted of it before is left out: the words must be the same for the next one. */
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
