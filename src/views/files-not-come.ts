/** Files of senders that did not come by their due day (`files.senders.due`). */
import type { Config } from "../config/index.ts";
import { isFrom } from "../files/intake/sent-file.ts";
import { type Day, type Instant, passedDue, readDueRule } from "../model/index.ts";
import { firstEntryAt } from "../store/audit.ts";
import { listFileNamesSince } from "../store/batches.ts";
import type { Transaction } from "../store/sql.ts";
import { calendarOf } from "../workplace/calendar.ts";

export interface FileNotCome {
  readonly sender: string;
  /** As configured: "25th". */
  readonly due: string;
  /** The last day on which it was due. */
  readonly day: Day;
  /** The end of that day and of the hours of grace. */
  readonly since: Instant;
}

/**
 * One entry for each sender without a file for the last due day. A file counts for the nearest due day, whatever
 * its verdict, because files that came back are reported separately. The entry lasts until a file comes, or until
 * files count for the next due day. Due days before the first entry of the record are ignored, because the sender
 * may have sent files elsewhere then.
 */
export function* filesNotCome(
  config: Pick<Config, "files" | "calendar" | "ledger">,
  at: Instant,
): Transaction<FileNotCome[]> {
  const calendar = calendarOf(config);
  const began = yield* firstEntryAt();
  const missing: FileNotCome[] = [];
  for (const sender of config.files.senders) {
    const rule = sender.due === undefined ? undefined : readDueRule(sender.due);
    const passed = rule && passedDue(rule, calendar, sender.graceHours, at);
    if (sender.due === undefined || passed === undefined || at >= passed.until) continue;
    const { day, overSince: since, from } = passed;
    if (began === undefined || began > since) continue;
    const names = yield* listFileNamesSince(from);
    if (!names.some((name) => isFrom(sender, name)))
      missing.push({ sender: sender.name, due: sender.due, day, since });
  }
  return missing;
}
