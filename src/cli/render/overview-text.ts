/**
 * The first lines of `status`: what waits for whom, and for each scheduled job its last run, the result and the
 * next run.
 */
import type { TimetableEntry } from "../../daemon/timetable.ts";
import { applying } from "../../model/applying.ts";
import { localMinuteText, minuteText, restText } from "../../model/index.ts";
import { formatAmount } from "../../money/index.ts";
import type { LastRun } from "../../store/runs.ts";
import type { JobSlot } from "../../store/slots.ts";
import { dueText } from "../../views/files-not-come.ts";
import type { Overview, Waiting, WaitingForApproval } from "../../views/overview.ts";
import type { Disagreement } from "../../workplace/agreement.ts";
import type { Colors } from "../output.ts";
import { problemText, shown } from "./problem-text.ts";
import { ageText, counted, totalsText } from "./text-parts.ts";
import { textTable } from "./text-table.ts";

export function overviewText(
  overview: Overview,
  timetable: readonly TimetableEntry[],
  timeZone: string,
  /** Changes in doubt, in addition to payments. */
  changesInDoubt: number,
  colors: Colors,
): string {
  const rows = applying(
    ...waitingRows(overview, timetable),
    ...calendarRows(overview, timeZone),
    changesRow(changesInDoubt),
  );
  const columns = ["waiting", "payments", "for", "next"];
  const { stopOrder, restored, machines, rest } = overview;
  const isNothingWaiting = rows.length === 0 && (stopOrder ?? restored ?? machines.binding) === undefined;
  const stopped = `${colors.red("A stop order is in force")}, so nothing is sent: ${shown(stopOrder ?? "")}`;
  return applying(
    restored && problemText(restored, colors),
    stopOrder !== undefined && stopped,
    ...machinesText(machines, colors),
    rest && `Nothing new is sent: ${restText(rest, timeZone)}.`,
    rows.length > 0 && textTable(columns, rows),
    isNothingWaiting && "Nothing waits for anybody.",
    jobsText(overview.lastRuns, timetable),
  ).join("\n\n");
}

function machinesText({ binding, advisory }: Overview["machines"], colors: Colors): string[] {
  const words = ({ machine, when, what }: Disagreement) => `${machine} (${when}): ${shown(what)}`;
  return applying(
    binding &&
      `${colors.red("This machine sends nothing")}, because its configuration is not that of ${words(binding)}`,
    advisory && `Files are read, or movements booked, differently on ${words(advisory)}`,
  );
}

function waitingRows(overview: Overview, timetable: readonly TimetableEntry[]): string[][] {
  const { forApproval, inDoubt, held, refused, failed, dueToday, beyondLimits, later } = overview;
  const { sending, openBreaks, wrongRuns, filesBack, overDayLimits, noticesGivenUp } = overview;
  const nextPay = timetable.find(({ job }) => job === "pay")?.nextRunAt;
  const byItself = nextPay === undefined ? "" : `, or \`serve\` at ${minuteText(nextPay)}`;
  const { alarm, warning } = openBreaks;
  const breaks = `${counted(alarm, "alarm")}, ${counted(warning, "warning")}`;
  return applying(
    ...forApproval.map((batch) => ["approval", what(batch), age(batch), approvalText(batch)]),
    row("in doubt", inDoubt, "treasury: `paydrop doubt`"),
    row("held", held, "treasury: `paydrop doubt`"),
    row(
      "refused",
      refused,
      "treasury: `paydrop reopen BATCH`; or `doubt resolve REF --abandon`, then the sender: a new row",
    ),
    row("failed", failed, "`paydrop reconcile` says which payees were not paid, and what to do"),
    row("sending", sending, "`paydrop pay` checks payments that a dead process left"),
    row("due today", dueToday, `\`paydrop pay\`${byItself}`),
    row("over a limit", beyondLimits, OVER_LIMITS),
    ...overDayLimits.map((over) => ["over a limit", `${formatAmount(over)} of these`, "", OVER_LIMITS]),
    row("a later day", later, `from ${later.firstDay} on`),
    alarm + warning > 0 && ["breaks", breaks, "", "treasury: `paydrop breaks`"],
    incompleteRow(overview),
    ...wrongRuns.map(({ job, code }) => [
      "job",
      job,
      "",
      `it did not end well: ${code} (below, or \`paydrop jobs\`)`,
    ]),
    noticesGivenUp > 0 && ["notices", `${noticesGivenUp} not delivered`, "", NOT_TOLD],
    filesBack.rejected > 0 && ["files", `${filesBack.rejected} came back`, "", FILES_BACK],
    filesBack.refused > 0 && ["files", `${filesBack.refused} could not be read`, "", FILES_BACK],
  );
}

/** Files that did not come, and approvals that expire before their payments can be sent. */
function calendarRows({ filesNotCome, runsOutFirst }: Overview, timeZone: string): string[][] {
  return [
    ...filesNotCome.map((missing) => {
      const { sender, day } = missing;
      return ["file", `none of ${sender}`, "", `it was due on ${day} (${dueText(missing)}): ask the sender`];
    }),
    ...runsOutFirst.map(({ batchId, totals, ends, goesAt }) => {
      const [end, next] = [ends, goesAt].map((at) => localMinuteText(timeZone, at));
      const what = `its approval ends at ${end}, before it can be sent at ${next}: approve it again then`;
      return ["approval", `${totalsText(totals)} (${batchId})`, "", what];
    }),
  ];
}

function incompleteRow({ incompleteComparison: incomplete, at }: Overview): string[] | undefined {
  if (incomplete === undefined) return undefined;
  const { since, code } = incomplete;
  const next = `none complete since ${minuteText(since)}: ${code} (\`paydrop breaks\`)`;
  return ["comparison", "incomplete", ageText(Date.parse(at) - Date.parse(since)), next];
}

const OVER_LIMITS = "a later day, or higher `limits`: `paydrop pay` says which";

const NOT_TOLD = "`paydrop notices list` says why; `paydrop notices test` tries again";

const FILES_BACK = "the sender: the outbox says why (listed until it is sent again, 30 days at most)";

function changesRow(count: number): string[] | undefined {
  const changes = counted(count, "deposit, void or authorization", "deposits, voids or authorizations");
  return count === 0 ? undefined : ["in doubt", changes, "", "treasury: `paydrop doubt`"];
}

function row(name: string, waiting: Waiting, next: string): string[] | undefined {
  return waiting.totals.length === 0 ? undefined : [name, totalsText(waiting.totals), age(waiting), next];
}

function what({ batchId, fileName, totals }: WaitingForApproval): string {
  return `${totalsText(totals)} (${batchId} ${fileName})`;
}

function approvalText({ digest, not, peopleMissing, isAnew }: WaitingForApproval): string {
  if (peopleMissing === undefined) return "no approval rule covers it: `approval.rules`";
  const people = `${counted(peopleMissing, "person", "people")} besides ${not.join(", ")}`;
  return `${isAnew ? "to be approved again; " : ""}${people}: \`paydrop approve ${digest.slice(0, 16)} --by NAME\``;
}

function age({ longestMs }: Waiting): string {
  return longestMs === undefined ? "" : ageText(longestMs);
}

/** Renders the scheduled jobs: last run, its result, next run. */
export function jobsText(lastRuns: readonly LastRun[], timetable: readonly TimetableEntry[]): string {
  const columns = ["job", "last run", "outcome", "next, by `serve`"];
  const rows = timetable.map(({ job, nextRunAt }) => {
    const last = lastRuns.find((run) => run.job === job);
    const next = minuteText(nextRunAt);
    return last === undefined
      ? [job, "never", "", next]
      : [job, minuteText(last.startedAt), outcomeText(last), next];
  });
  return textTable(columns, rows);
}

function outcomeText({ endedAt, outcome = {} }: LastRun): string {
  if (endedAt === undefined) return "under way, or its process ended";
  return [outcome["outcome"], outcome["code"], outcome["message"]].filter(Boolean).join(": ");
}

/** Why jobs do not do their work now: `pay` on a day off. */
export function restLines(timetable: readonly TimetableEntry[], timeZone: string): string[] {
  return timetable.flatMap(({ job, rest }) => (rest ? `${job} rests: ${restText(rest, timeZone)}` : []));
}

export function slotsText(slots: readonly JobSlot[], timeZone: string): string {
  if (slots.length === 0) return "No slot is stored yet.";
  const local = (at: string) => localMinuteText(timeZone, at).replace(/ \(.*$/, "");
  const rows = slots.map(({ job, dueAt, until, how, reason = "" }) => {
    return [job, until === undefined ? local(dueAt) : `${local(dueAt)} to ${local(until)}`, how, reason];
  });
  return textTable(["job", `slot (${timeZone})`, "was", "why"], rows);
}
