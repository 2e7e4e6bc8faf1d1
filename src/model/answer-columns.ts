/**
 * The columns that Paydrop adds to a sender's file in its answers. They share a prefix, by which the intake of a
 * corrected answer distinguishes them from the sender's own columns.
 */
import type { OutsideText } from "./grid.ts";
import { holdsPrivateKey } from "./private-key.ts";

const PREFIX = "paydrop:";

/** The sheet on which our answers open; Paydrop never reads it. */
export const SUMMARY_SHEET = "Paydrop summary";

/** The red of cells that an answer marks. No spreadsheet palette has it, so it is not the sender's. */
export const ANSWER_MARK = "FFFFC7CD";

export const ANSWER_COLUMNS = {
  problems: `${PREFIX} problems`,
  /** The reference that Paydrop assigns if the sender's file has none. */
  reference: `${PREFIX} reference`,
  standing: `${PREFIX} standing`,
  payoutId: `${PREFIX} payoutId`,
  state: `${PREFIX} state`,
  sentAmount: `${PREFIX} sentAmount`,
  currency: `${PREFIX} currency`,
  fee: `${PREFIX} fee`,
  txHash: `${PREFIX} txHash`,
  confirmedDate: `${PREFIX} confirmedDate`,
  error: `${PREFIX} error`,
  note: `${PREFIX} note`,
} as const;

/** The columns of an answer to a file of expected receipts. */
export const EXPECTED_ANSWER_COLUMNS = {
  standing: `${PREFIX} standing`,
  depositId: `${PREFIX} depositId`,
  address: `${PREFIX} address`,
  rateUntil: `${PREFIX} rateUntil`,
  received: `${PREFIX} received`,
  note: `${PREFIX} note`,
} as const;

/** A comment on a wrong cell, marked as Paydrop's. */
export function asRemark(text: string): string {
  return `${PREFIX} ${text}`;
}

/** The texts of a file outside its cells, without the remarks of an earlier answer. */
export function senderTexts(
  outside: readonly OutsideText[],
  header: readonly string[],
): readonly OutsideText[] {
  return header.some(isAnswerColumn) ? outside.filter(({ text }) => !isAnswerColumn(text)) : outside;
}

/** Whether a header was written by us in an earlier answer; such columns carry no instruction. */
export function isAnswerColumn(header: string): boolean {
  return header.trim().toLowerCase().startsWith(PREFIX);
}

/**
 * The header of the column of reasons. It names the checked file, so that its correction is recognised under any
 * name.
 */
export function problemsColumn(file: string): string {
  return `${ANSWER_COLUMNS.problems} (${file})`;
}

/** The file whose answer has this header; undefined for any other header. */
export function correctedFile(header: readonly string[]): string | undefined {
  const named = header.map((name) => /^paydrop: problems \((.+)\)$/i.exec(name.trim())?.[1]);
  return named.findLast((file) => file !== undefined && !holdsPrivateKey(file));
}

/** A header's own texts, trimmed: without the columns that an answer added, and without empty ones at the end. */
export function headerTexts(texts: readonly string[]): readonly string[] {
  const own = texts.map((text) => text.trim()).filter((text) => !isAnswerColumn(text));
  return own.slice(0, own.findLastIndex((text) => text !== "") + 1);
}
