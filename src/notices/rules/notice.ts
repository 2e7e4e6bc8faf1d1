/** A notice: what somebody is to hear of, in words, and what of it counts as told. */
import type { NoticeEvent } from "../../model/index.ts";

export interface Words {
  readonly subject: string;
  readonly lines: readonly string[];
}

export interface Notice {
  readonly event: NoticeEvent;
  /** A batch, a file, a job, a day. */
  readonly about: string;
  /** Each is told once while it lasts; a notice is written when one of its items was not told yet. */
  readonly items: readonly string[];
  /** Age from which it is told, for what often passes by itself. */
  readonly lastsMs?: number;
  /** `due`: the items that were not told yet. */
  words(due: readonly string[]): Words;
  /** Where it is looked at and decided, at the desk: "/batches/B-000001". */
  readonly path: string;
  /** Whose file it is. */
  readonly file?: { readonly submittedBy?: string | undefined; readonly sender?: string | undefined };
  /** Who cannot approve it: the submitter, and those who have. */
  readonly not?: readonly string[];
}
