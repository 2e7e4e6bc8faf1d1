/** An ERP's answer about an exported entry. */
import type { Instant } from "./instant.ts";

/** posted: it is in the ERP's books, for good. refused: it is not, so a later batch contains it again. */
export type ErpVerdict = "posted" | "refused";

/**
 * Why an answer changed nothing.
 * - unknown: it names an entry that this target never received.
 * - refused-after-posted: a posted entry cannot be refused.
 * - posted-after-refused: the refusal has freed the entry.
 * - superseded: the same, and a later batch contains it.
 * - posted-otherwise: it was posted before as another document.
 * - read-before: a file that says the same was read before this batch, and its ids do not say which batch they mean.
 */
export type AnswerTrouble =
  | "unknown"
  | "refused-after-posted"
  | "posted-after-refused"
  | "superseded"
  | "posted-otherwise"
  | "read-before";

/** An answer that changed nothing. */
export interface TroubledAnswer {
  readonly target: string;
  /** The entry, document number or id that the answer names. */
  readonly saidOf: string;
  readonly verdict: ErpVerdict;
  readonly trouble: AnswerTrouble;
  readonly file: string;
  readonly line: number;
  readonly answeredAt: Instant;
}

/** A batch for whose entries the ERP has not sent all answers for too long. */
export interface UnansweredBatch {
  readonly target: string;
  readonly number: number;
  readonly issuedAt: Instant;
  /** Entries without an answer. */
  readonly entries: number;
}

/** How a target's answers are read: names of columns, and words, both compared without case. */
export interface AnswerForm {
  /** The entry's id, or the external id that Odoo keeps. */
  readonly entry: string;
  readonly document: string;
  readonly status: string;
  readonly reason: string;
  /** The ERP's own number of the document. */
  readonly erpDocument: string;
  readonly posted: readonly string[];
  readonly refused: readonly string[];
}

/** A name of a column or a word of an answer, as it is compared. */
export function foldedAnswer(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}

export const USUAL_ANSWER: AnswerForm = {
  entry: "entryId",
  document: "documentNumber",
  status: "status",
  reason: "reason",
  erpDocument: "erpDocument",
  posted: ["posted"],
  refused: ["refused"],
};
