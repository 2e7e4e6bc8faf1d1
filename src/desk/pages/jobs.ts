/** Jobs: stop and go first, then when each job last ran, how that ended, and when it runs next. */

import type { Job } from "../../../jobs/job.ts";
import { jobTimes } from "../../../jobs/times.ts";
import { type TimetableEntry, timetable } from "../../daemon/timetable.ts";
import { fault } from "../../faults/index.ts";
import { addControlTotals, countOf, dayIn, restText } from "../../model/index.ts";
import { giveStopOrder, liftStopOrder, stopOrder } from "../../payments/run/stop-order.ts";
import { type JobSlot, listUnusualSlots } from "../../store/slots.ts";
import { type BatchStatus, statusOfOpenBatches } from "../../views/batch-status.ts";
import { listDoubts } from "../../views/doubts.ts";
import { type Figures, lastRunsOf } from "../../views/figures.ts";
import { overviewOf } from "../../views/overview.ts";
import { whyWrong } from "../../views/run-result.ts";
import { calendarOf } from "../../workplace/calendar.ts";
import { decide, type Question } from "../decide.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, field, hasRole, type Page, type PageAnswer, SEE, type Visit } from "../page.ts";
import * as parts from "../parts.ts";
import { plain } from "../plain-words.ts";

const { ask, badge, banner, counted, facts, head, panel, sums, table, time, words } = parts;

export const JOB_NAMES: Readonly<Record<Job["name"], string>> = {
  intake: "Look for new files",
  expected: "Look for expected receipts",
  pay: "Send what is due",
  track: "See what has arrived",
  reconcile: "Compare both sides",
  ledger: "Write the books",
  digest: "Write the morning digest",
  retention: "Remove old files",
  backup: "Try the newest backup",
};

const STOP = ["approver", "operator", "controller", "admin"] as const;

export const jobPages: readonly Page[] = [
  { method: "GET", path: "/jobs", roles: SEE, nav: { group: "Run", label: "Jobs" }, handle: jobsPage },
  { method: "POST", path: "/jobs/stop", roles: STOP, handle: stop },
  { method: "POST", path: "/jobs/go", roles: ["operator"], handle: go },
];

async function stop({ workplace, person, form }: Visit): Promise<Answer> {
  await giveStopOrder(workplace, person, reasonIn(form));
  return { goTo: "/jobs" };
}

function go(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const reason = reasonIn(form);
  const step = (workplace: Visit["workplace"]) => liftStopOrder(workplace, person, reason);
  return decide(visit, step, "/jobs", { question: () => goQuestion(visit, reason) });
}

/** Lists the payments that leave once sending goes on. */
async function goQuestion({ workplace }: Visit, reason: string): Promise<Question> {
  const order = await stopOrder(workplace);
  const batches = await statusOfOpenBatches(workplace);
  const { dueToday, sending } = await overviewOf(workplace, batches, await listDoubts(workplace));
  const due = addControlTotals(dueToday.totals, sending.totals);
  const { config, context } = workplace;
  const today = dayIn(config.ledger.timeZone, context.clock.now());
  const isDue = ({ released }: BatchStatus) => released.some(({ payOn = "" }) => payOn <= today);
  const names = batches.filter(isDue).map(({ batch }) => batch);
  const files = names.slice(0, FILES_NAMED).map(({ id, fileName }) => html`<p>${id} ${fileName}</p>`);
  const more = names.length - FILES_NAMED;
  const content = facts([
    ["Stopped", order?.reason ?? "no more: somebody was faster"],
    ["What is due", html`${counted(countOf(due), "payment")}, ${sums(due)}`],
    ["Of", html`${files.length === 0 ? "no file" : files}${more > 0 && html`<p>and ${more} more</p>`}`],
    ["Service", config.service.baseUrl],
    ["What follows", "The next run sends them to their payees. What has left cannot be taken back."],
    ["Reason", reason],
  ]);
  return { title: "Let sending go on?", content, button: "Let sending go on", back: "/jobs" };
}

const FILES_NAMED = 10;

/** The reason of a decision, as its form has it. Throws USAGE. */
export function reasonIn(form: Visit["form"]): string {
  const reason = field(form, "reason").trim();
  if (reason !== "") return reason;
  throw fault("USAGE", { what: "a reason is missing", how: "Say why: it is kept on record." });
}

async function jobsPage(visit: Visit): Promise<PageAnswer> {
  const { workplace } = visit;
  const runs = await lastRunsOf(workplace);
  const order = await stopOrder(workplace);
  const schedule = timetable(workplace.config, jobTimes);
  const wrong = schedule.filter(({ job }) => whyWrong(endedRun(runs, job) ?? {}) !== undefined);
  const ran = schedule.filter(({ job }) => endedRun(runs, job) !== undefined).length;
  const lede =
    wrong.length === 0
      ? wellEnded(ran, schedule.length)
      : `The last run of ${wrong.map(({ job }) => `“${JOB_NAMES[job]}”`).join(" and ")} did not end well.`;
  const next = { label: "Next", kind: "nowrap" } as const;
  const columns = ["Job", { label: "", spoken: "How it is" }, "Last run", next];
  const rows = schedule.map((entry) => jobRow(visit, entry, runs));
  const content = html`${head("Jobs", lede)}
    ${order === undefined ? sendingOn(visit) : sendingStopped(visit, order.reason)}
${panel("jobs", "Jobs", table("Jobs", columns, rows), { note: "run by the machine that sends" })}
  ${slotsPanel(visit, await workplace.store.read(() => listUnusualSlots(SLOTS_SHOWN)))}`;
  return { title: "Jobs", content };
}

const SLOTS_SHOWN = 20;

/** The newest slots at which a job did not run as planned. */
function slotsPanel(visit: Visit, slots: readonly JobSlot[]): Html | false {
  if (slots.length === 0) return false;
  const names: Readonly<Record<string, string>> = JOB_NAMES;
  const rows = slots.map(({ job, dueAt, until, how, reason = "" }) => {
    const end = until !== undefined && html` to ${time(visit, until)}`;
    const mark = how === "skipped" ? badge("off", "skipped") : badge("wait", how);
    return [names[job] ?? job, html`${time(visit, dueAt)}${end}`, mark, reason];
  });
  const columns = ["Job", "Slot", { label: "", spoken: "What it was" }, "Why"];
  return panel(
    "slots",
    "Not run as planned",
    table("Slots that were skipped or caught up on", columns, rows),
  );
}

/** Says nothing of a job that has not run. */
function wellEnded(ran: number, all: number): string {
  if (ran === all) return "Every job's last run ended well.";
  const others = `${all - ran} of ${all} jobs have not run yet`;
  return ran === 0 ? "No job has run yet." : `What has run ended well; ${others}.`;
}

type Runs = Pick<Figures, "lastRuns" | "lastEndedRuns">;

function endedRun({ lastEndedRuns }: Runs, job: string) {
  return lastEndedRuns.find((run) => run.job === job);
}

function sendingOn(visit: Visit): Html {
  const button = html`<button class="btn stop" type="button" popovertarget="stop">Stop sending…</button>`;
  const { config, context } = visit.workplace;
  const rest = calendarOf(config).restAt(context.clock.now(), "begin");
  const now =
    rest === undefined ? "Sending is on." : `Sending rests: ${restText(rest, config.ledger.timeZone)}.`;
  const text = html`<b>${now}</b> Stopping takes no signature; going on takes one of an operator.`;
  if (!hasRole(visit, ...STOP)) return banner("ok", "Sending", text);
  const consequence = html`<p>No further payment leaves, also in a run under way. What was sent is still followed.
    Nothing is lost.</p>${words("stop-why", "Reason")}`;
  return html`${banner("ok", "Sending", text, button)}
    ${ask(
      "stop",
      "Stop sending now?",
      "/jobs/stop",
      consequence,
      html`<button class="btn stop">Stop sending</button>`,
    )}`;
}

/** The banner of every page gives the reason; this panel lets sending go on. */
function sendingStopped(visit: Visit, reason: string): Html {
  const others = html`<div class="body"><p>An operator lets sending go on.</p></div>`;
  if (!hasRole(visit, "operator")) return panel("go", "Going on", others);
  const form = html`<form class="body" method="post" action="/jobs/go">
  <p>Payments that are approved and due leave again with the next run. The order is: ${plain(visit, reason)}</p>
  ${words("go-why", "Why it may go on")}<p class="acts"><button class="btn main">Go on…</button></p></form>`;
  return panel("go", "Let sending go on", form);
}

function jobRow(visit: Visit, { job, schedule, nextRunAt }: TimetableEntry, runs: Runs): Part[] {
  const last = runs.lastRuns.find((run) => run.job === job);
  const ended = endedRun(runs, job);
  const code = ended && whyWrong(ended);
  const name = html`${JOB_NAMES[job]}<span class="sub">${scheduleWords(schedule)}</span>`;
  const next = time(visit, nextRunAt);
  if (last === undefined) return [name, badge("off", "not run yet"), "", next];
  const end = code === undefined ? badge("ok", "fine") : badge("bad", String(code));
  const state = last.endedAt === undefined ? badge("run", "at work") : end;
  const message = last.outcome?.["message"];
  const said = typeof message === "string" && ` · ${plain(visit, message)}`;
  return [name, state, html`${time(visit, last.startedAt)}${said}`, next];
}

/** "every 5 min", "daily, 04:00"; other cron expressions as they are. */
function scheduleWords(schedule: string): string {
  const [minute = "", hour = "", ...days] = schedule.split(" ");
  if (days.join(" ") !== "* * *") return schedule;
  if (hour === "*" && minute === "*") return "each minute";
  if (hour === "*" && /^\*\/\d+$/.test(minute)) return `every ${minute.slice(2)} min`;
  const isDaily = /^\d+$/.test(hour) && /^\d+$/.test(minute);
  return isDaily ? `daily, ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}` : schedule;
}
