/** A notice: a report to people, in words, with the cases that it covers. */
import type { NoticeEvent } from "../../model/index.ts";
import type { Approvers } from "../../people/decide.ts";

export interface Words {
  readonly subject: string;
  readonly lines: readonly string[];
}

export interface Notice {
  readonly event: NoticeEvent;
  /** A batch, a file, a job, a day. */
  readonly about: string;
  /** The cases. Each is reported once while it lasts. */
  readonly items: readonly string[];
  /** A younger case is not reported yet, because such cases often end by themselves. */
  readonly reportedFromMs?: number;
  /** `due`: the cases that were not reported yet. */
  words(due: readonly string[]): Words;
  /** The page of the desk about it: "/batches/B-000001". */
  readonly path: string;
  /** Who may hear as its sender. */
  readonly file?: { readonly submittedBy?: string | undefined; readonly sender?: string | undefined };
  /** People who cannot approve it: the submitter, and those who already have while others must. */
  readonly cannotApprove?: readonly string[];
  /** The rule by which others may; absent if none covers its sums. */
  readonly rule?: Approvers;
}
