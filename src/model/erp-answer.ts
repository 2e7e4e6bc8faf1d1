/** What an ERP said of an exported entry. */
import type { Instant } from "./instant.ts";

/** posted: it is in the ERP's books, for good. refused: it is not, so a later batch has it again. */
export type ErpVerdict = "posted" | "refused";

/**
 * Why an answer changed nothing. unknown: it names no entry that this target was handed. refused-after-posted: what
 * is posted cannot be refused. posted-after-refused: the entry was freed by the refusal. superseded: so it was, and
 * a later batch has it. posted-otherwise: it was posted before as another document.
 */
export type AnswerTrouble =
  | "unknown"
  | "refused-after-posted"
  | "posted-after-refused"
  | "superseded"
  | "posted-otherwise";

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

/** A batch of which the ERP has said nothing, or not of all entries, for too long. */
export interface UnansweredBatch {
  readonly target: string;
  readonly number: number;
  readonly issuedAt: Instant;
  /** Entries without an answer. */
  readonly entries: number;
}

/**
 * How a target's answers are read: names of columns, and words. Names and words are compared without regard to
 * case.
 */
export interface AnswerForm {
  /** The entry's id, or the external id that Odoo has. */
  readonly entry: string;
  readonly document: string;
  readonly status: string;
  readonly reason: string;
  /** The ERP's own number of the document. */
  readonly erpDocument: string;
  readonly posted: readonly string[];
  readonly refused: readonly string[];
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
