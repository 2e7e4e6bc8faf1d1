/** An ERP's answer about export batches does not fit, or there is none. */
import { counted } from "../../../model/counted.ts";
import type { AnswerTrouble } from "../../../model/index.ts";
import { printable } from "../wording.ts";
import type { BreakRule } from "./break-rule.ts";

const WHY: Readonly<Record<AnswerTrouble, string>> = {
  unknown: "it never received that",
  "refused-after-posted": "it had said before that it was posted, which is final",
  "posted-after-refused":
    "it had refused it before, so the next export batch has it again and would book it twice",
  superseded: "it had refused it before, and a later export batch has it: it may be booked twice",
  "posted-otherwise": "it had named another document before",
  "read-before": "the same answer was read before, so it may be about an earlier export batch",
};

export const ERP_RULES: readonly BreakRule[] = [
  {
    kind: "erp-answer",
    severity: "alarm",
    find: ({ troubledAnswers }) =>
      troubledAnswers.map(({ target, saidOf, verdict, trouble, file, line }) => ({
        key: `${target}:${trouble}:${verdict}:${saidOf}`,
        severity: trouble === "unknown" ? "warning" : "alarm",
        reference: saidOf,
        field: "answer",
        found: verdict,
        sentence:
          `${printable(target)} says that ${printable(saidOf)} was ${verdict} (${printable(file)}, line ` +
          `${line}). This changed nothing: ${WHY[trouble]}.`,
      })),
  },
  {
    kind: "erp-unanswered",
    severity: "alarm",
    find: ({ unanswered }) =>
      unanswered.map(({ target, number, issuedAt, entries }) => ({
        key: `${target}:${number}`,
        field: "answer",
        sentence:
          `${printable(target)} has not said whether it posted ` +
          `${counted(Number(entries), "entry", "entries")} of export batch ${number}, which was issued ` +
          `at ${issuedAt}.`,
      })),
  },
];
