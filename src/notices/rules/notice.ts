/** A notice: a report to people, in words, with the cases that it covers. */
import type { NoticeEvent } from "../../model/index.ts";

export interface Words {
  readonly subject: string;
  readonly lines: readonly string[];
}

export interface Notice {
  readonly event: NoticeEvent;
  /** The subject: a batch, a file, a job, a day. */
  readonly about: string;
  /** The cases. Each is reported once while it lasts; a message is written if one of them was not reported yet. */
  readonly items: readonly string[];
  /** The age from which a case is reported, for cases that often end by themselves. */
  readonly lastsMs?: number;
  /** `due`: the cases that were not reported yet. */
  words(due: readonly string[]): Words;
  /** The page of the desk where people look at it and decide: "/batches/B-000001". */
  readonly path: string;
  /** The submitter and the sender of the file. */
  readonly file?: { readonly submittedBy?: string | undefined; readonly sender?: string | undefined };
  /** People who cannot approve it: the submitter, and those who already have. */
  readonly not?: readonly string[];
}
