/** The morning digest: sums, breaks and what waits, on one page of text. */
import { counted } from "../../model/counted.ts";
import { addControlTotals, type ControlTotal, countOf, type Day } from "../../model/index.ts";
import { formatAmount } from "../../money/index.ts";
import type { Findings } from "./findings.ts";
import type { Words } from "./notice.ts";
import { safeText } from "./safe-text.ts";

/** What the digest says besides the findings. */
export interface WorkFound {
  readonly dueToday: readonly ControlTotal[];
  readonly later: readonly ControlTotal[];
  readonly sending: readonly ControlTotal[];
  readonly breaks: Readonly<Record<"alarm" | "warning" | "note", number>>;
  readonly comparedAt?: string;
  readonly notDelivered: number;
}

const BATCHES_MAX = 20;

export function digestWords(day: Day, findings: Findings, work: WorkFound): Words {
  const { missingFiles, waiting, incomplete, suspense, unanswered, wrongRuns, stops } = findings;
  const waits = waiting.map(
    ({ id, fileName, totals, peopleMissing }) =>
      `- ${id} ${safeText(fileName)}: ${sums(totals)}, ` +
      `${peopleMissing === undefined ? "no rule covers it" : `${counted(peopleMissing, "approval")} missing`}`,
  );
  const { alarm, warning, note } = work.breaks;
  const lines = [
    ...stops.map((reason) => `Nothing is sent: ${reason}.`),
    `Waits for approval: ${sums(addControlTotals(...waiting.map(({ totals }) => totals)))}.`,
    ...waits.slice(0, BATCHES_MAX),
    ...(waits.length > BATCHES_MAX ? [`- and ${waits.length - BATCHES_MAX} others`] : []),
    `Due today: ${sums(work.dueToday)}. Being sent: ${sums(work.sending)}. A later day: ${sums(work.later)}.`,
    ...missingFiles.map(({ sender, day }) => `The file of ${safeText(sender)} due on ${day} has not come.`),
    ...standings(findings),
    `Breaks: ${counted(alarm, "alarm")}, ${counted(warning, "warning")}, ${counted(note, "note")}.`,
    incomplete === undefined
      ? `Last comparison: ${work.comparedAt ?? "none yet"}.`
      : `No comparison has been complete since ${incomplete.since}: ${incomplete.code}.`,
    ...some(suspense.length, "value on suspense", "values on suspense"),
    ...some(unanswered.length, "export batch without an answer", "export batches without an answer"),
    ...wrongRuns.map(({ job, code }) => `The job ${job} did not end well: ${String(code)}.`),
    ...some(work.notDelivered, "notice could not be delivered", "notices could not be delivered"),
  ];
  return { subject: `what waits on ${day}`, lines };
}

function sums(totals: readonly ControlTotal[]): string {
  if (totals.length === 0) return "nothing";
  const amounts = totals.map(({ currency, amount }) =>
    formatAmount({ currency, value: amount.normalized() }),
  );
  return [counted(countOf(totals), "payment"), ...amounts].join(", ");
}

function standings({ payments, changes }: Findings): string[] {
  const byStanding = Map.groupBy(payments, ({ standing }) => standing);
  const lines = [...byStanding].map(([standing, found]) => {
    const totals = found.map(({ amount: { currency, value } }) => ({ currency, count: 1, amount: value }));
    return `${standing[0]?.toUpperCase()}${standing.slice(1)}: ${sums(addControlTotals(totals))}.`;
  });
  return [...lines, ...some(changes.length, "other change in doubt", "other changes in doubt")];
}

function some(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [`${counted(count, one, many)}.`];
}
