/** Files that came back to their senders and were not sent again, as Files, Today and the terminal count them. */
import { DAY_MS, type Instant, shifted } from "../model/index.ts";
import { countFilesBack, type FilesBack } from "../store/batches.ts";
import type { Transaction } from "../store/sql.ts";

/** Files that came back longer ago will hardly be sent again. */
export const FILES_BACK_DAYS = 30;

/** `submittedBy`: empty for everybody. */
export function filesBack(now: Instant, submittedBy = ""): Transaction<FilesBack> {
  return countFilesBack(shifted(now, -FILES_BACK_DAYS * DAY_MS), submittedBy);
}
