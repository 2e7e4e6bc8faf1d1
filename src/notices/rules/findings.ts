/** The facts to report, as found in the database at one instant. */

import type { BreakKind, BreakSeverity, ControlTotal, Instant } from "../../model/index.ts";
import type { Amount, Decimal } from "../../money/index.ts";
import type { Approvers } from "../../people/decide.ts";
import type { FileNotCome } from "../../views/files-not-come.ts";

export interface Findings {
  readonly files: readonly FoundFile[];
  readonly missingFiles: readonly FileNotCome[];
  readonly waiting: readonly FoundWaiting[];
  readonly payments: readonly FoundPayment[];
  /** Deposits, voids and authorizations in doubt. */
  readonly changes: readonly FoundChange[];
  /** Why nothing is sent: "stop order". */
  readonly stops: readonly string[];
  readonly breaks: readonly FoundBreak[];
  readonly incomplete?: { readonly since: Instant; readonly code: string };
  readonly suspense: readonly FoundSuspense[];
  readonly unanswered: readonly FoundExport[];
  readonly wrongRuns: readonly { readonly job: string; readonly code: unknown }[];
}

/** A batch as messages name it. */
export interface NamedBatch {
  readonly id: string;
  readonly fileName: string;
}

export interface FoundFile {
  readonly sha256: string;
  readonly name: string;
  readonly takenAt: Instant;
  readonly verdict: "accepted" | "rejected" | "refused";
  readonly submittedBy?: string;
  readonly sender?: string;
  /** Only for an accepted file. */
  readonly batch?: NamedBatch & { readonly totals: readonly ControlTotal[]; readonly payees: number };
  /** The batch that already has the file's payments. */
  readonly sentBefore?: string;
}

export interface FoundWaiting extends NamedBatch {
  readonly totals: readonly ControlTotal[];
  readonly payees: number;
  readonly since: Instant;
  /** People who cannot approve it: the submitter, and those who already have while others must. */
  readonly cannotApprove: readonly string[];
  /** The rule by which others may; absent if none covers its sums. */
  readonly rule?: Approvers;
  readonly peopleMissing: number | undefined;
  /** When the batch was approved before, if it was. */
  readonly approvedAt?: Instant;
}

/** A payment that needs a person. */
export interface FoundPayment {
  readonly batch: NamedBatch;
  readonly id: string;
  readonly standing: "in doubt" | "held" | "refused" | "failed";
  readonly amount: Amount;
  readonly destination: string;
  readonly since: Instant;
}

export interface FoundChange {
  readonly id: number;
  readonly operation: string;
  readonly subject: string;
  readonly amount?: Amount;
  readonly since: Instant;
}

export interface FoundBreak {
  readonly opening: string;
  readonly kind: BreakKind;
  readonly severity: BreakSeverity;
  readonly words: string;
  readonly reference?: string;
  readonly payoutId?: string;
  readonly amount?: Amount;
  readonly openedAt: Instant;
}

export interface FoundSuspense {
  readonly what: string;
  readonly entries: number;
  readonly value: Decimal;
  readonly currency: string;
}

export interface FoundExport {
  readonly target: string;
  readonly number: number;
  readonly issuedAt: Instant;
  readonly entries: number;
}
