/** The instructions of one file, with its hash and control totals. */
import type { ControlTotal } from "./control-total.ts";
import type { BatchId } from "./ids.ts";
import type { Instant } from "./instant.ts";
import type { Role } from "./person.ts";

export interface Batch {
  readonly id: BatchId;
  readonly fileSha256: string;
  /** The sender's name of the file. */
  readonly fileName: string;
  /** Absolute path of the original in the archive. */
  readonly archivedAs: string;
  readonly submittedBy: string;
  readonly submittedAt: Instant;
  /** Names the batch in an approval; see `BatchDigest`. */
  readonly digest: string;
  readonly rowCount: number;
  readonly controlTotals: readonly ControlTotal[];
}

export interface Approval {
  readonly person: string;
  readonly digest: string;
  readonly decidedAt: Instant;
  /** The text of what was approved (approved.ts). */
  readonly approved: string;
  /** The hash of the statement that the person signed; absent if an earlier version took the approval by name. */
  readonly statement?: string;
  /** The roles by which the approval counts; absent until its signature was verified. */
  readonly roles?: readonly Role[];
}
