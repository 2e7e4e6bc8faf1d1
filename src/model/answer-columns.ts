/**
 * The columns that Paydrop adds to a sender's file in its answers. They share one prefix, so that intake of a corrected
 * answer can tell them from the sender's own columns, and no sender's column can be mistaken for ours.
 */

const PREFIX = "paydrop:";

export const ANSWER_COLUMNS = {
  problems: `${PREFIX} problems`,
  standing: `${PREFIX} standing`,
  payoutId: `${PREFIX} payoutId`,
  state: `${PREFIX} state`,
  sentAmount: `${PREFIX} sentAmount`,
  currency: `${PREFIX} currency`,
  fee: `${PREFIX} fee`,
  txHash: `${PREFIX} txHash`,
  confirmedDate: `${PREFIX} confirmedDate`,
  note: `${PREFIX} note`,
} as const;

/** Whether a header was written by us in an earlier answer; such columns carry no instruction. */
export function isAnswerColumn(header: string): boolean {
  return header.trim().toLowerCase().startsWith(PREFIX);
}
