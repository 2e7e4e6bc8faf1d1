/** `NAME.accepted.*`: the sender's file with the standing of every row, and what awaits approval. */
import type { Problem } from "../../faults/index.ts";
import { ANSWER_COLUMNS, type BatchId, type ControlTotal } from "../../model/index.ts";
import type { SheetReading } from "../../model/sheet-reading.ts";
import type { Answer, SummaryGroup } from "./answer.ts";
import { readingGroups, totalFacts } from "./reading-summary.ts";
import { writeAnswer } from "./write-answer.ts";

export interface AcceptedAnswer extends Pick<Answer, "grid" | "path"> {
  readonly reading: SheetReading;
  /** The sender's own file name. */
  readonly file: string;
  /** Of the sender's file, lower-case hex. */
  readonly sha256: string;
  readonly batchId: BatchId;
  /** What an approval must name. */
  readonly digest: string;
  readonly controlTotals: readonly ControlTotal[];
  /** By line, in words: "received, awaits approval". */
  readonly standings: ReadonlyMap<number, string>;
  readonly warnings: readonly Problem[];
  /** What an approver should know besides: first-time destinations, repeats. */
  readonly groups: readonly SummaryGroup[];
}

/** Throws OUTPUT_UNWRITABLE. */
export function writeAcceptedAnswer(accepted: AcceptedAnswer): Promise<string[]> {
  const { path, grid, reading, warnings, standings } = accepted;
  const awaiting: SummaryGroup = {
    heading: "What awaits approval",
    facts: [
      ["Batch", accepted.batchId],
      ["Digest", accepted.digest],
      ...totalFacts(accepted.controlTotals),
      ["SHA-256 of the file", accepted.sha256],
    ],
  };
  const toAccept: SummaryGroup = {
    heading: "What the approver must accept",
    facts: reading.questions.map(
      ({ text, value }) => [text, value === undefined ? "" : `or leave its rows out: ${value}`] as const,
    ),
  };
  const groups = [awaiting, toAccept, ...accepted.groups, ...readingGroups(reading, warnings)];
  const payments = accepted.controlTotals.reduce((sum, { count }) => sum + count, 0);
  return writeAnswer({
    path,
    grid,
    reading,
    columns: [ANSWER_COLUMNS.standing],
    added: new Map([...standings].map(([line, standing]) => [line, [standing]])),
    marked: new Map(),
    holdsSecret: false,
    summary: {
      sentence: `${accepted.file} was accepted: ${payments} ${payments === 1 ? "payment awaits" : "payments await"} approval.`,
      groups: groups.filter(({ facts }) => facts.length > 0),
      findings: warnings,
    },
  });
}
