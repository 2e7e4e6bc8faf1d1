/**
 * Jobs: stop and go first, then when each job last ran, how that ended, and when it runs next; the checks of
 * `doctor`.
 */
import type { Job } from "../../../jobs/job.ts";
import { jobTimes } from "../../../jobs/times.ts";
import { type TimetableEntry, timetable } from "../../daemon/timetable.ts";
import { explainedFault, fault } from "../../faults/index.ts";
import { addControlTotals, countOf, dayIn, restText } from "../../model/index.ts";
import { giveStopOrder, liftStopOrder, stopOrder } from "../../payments/run/stop-order.ts";
import { type LastRun, listRuns } from "../../store/runs.ts";
import { type JobSlot, listSlots, listUnusualSlots } from "../../store/slots.ts";
import { type BatchStatus, statusOfOpenBatches } from "../../views/batch-status.ts";
import { listDoubts } from "../../views/doubts.ts";
import { type Figures, lastRunsOf } from "../../views/figures.ts";
import { overviewOf } from "../../views/overview.ts";
import { whyWrong } from "../../views/run-result.ts";
import { calendarOf } from "../../workplace/calendar.ts";
import { decide, type Question } from "../decide.ts";
import { type Html, html, type Part } from "../html.ts";
import {
  type Answer,
  field,
  hasRole,
  jobsBeside,
  type Page,
  type PageAnswer,
  reasonIn,
  SEE,
  type Visit,
} from "../page.ts";
import {
  age,
  ask,
  badge,
  banner,
  capital,
  counted,
  empty,
  facts,
  head,
  hidden,
  panel,
  sums,
  table,
  time,
  words,
} from "../parts.ts";
import { fixOf, plain, said } from "../plain-words.ts";
import { messagePage } from "../refusals.ts";

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
const RUN = ["operator", "controller"] as const;
/** A controller compares and books; an operator runs all. */
const OF_CONTROLLERS: ReadonlySet<string> = new Set<Job["name"]>(["reconcile", "ledger", "digest"]);

export const jobPages: readonly Page[] = [
  { method: "GET", path: "/jobs", roles: SEE, nav: { group: "Run", label: "Jobs" }, handle: jobsPage },
  { method: "GET", path: "/jobs/checks", roles: SEE, handle: checksPage },
  { method: "GET", path: "/jobs/of/:name", roles: SEE, handle: jobPage },
  { method: "POST", path: "/jobs/run", roles: RUN, handle: runNow },
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

/** Lists the payments that will leave once sending resumes. */
async function goQuestion(visit: Visit, reason: string): Promise<Question> {
  const { workplace } = visit;
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
    ["Order", order === undefined ? "none any more: another person was faster" : plain(visit, order.reason)],
    ["What is due", html`${counted(countOf(due), "payment")}, ${sums(due)}`],
    ["Of", html`${files.length === 0 ? "no file" : files}${more > 0 && html`<p>and ${more} more</p>`}`],
    ["Service", config.service.baseUrl],
    ["What follows", "The next run sends them to their payees. What has left cannot be taken back."],
    ["Reason", reason],
  ]);
  return { title: "Let sending go on?", content, button: "Let sending go on", back: "/jobs" };
}

const FILES_NAMED = 10;

const RUNS_SHOWN = 30;
const BACK = html`<a href="/jobs">Jobs</a>`;

/** One job: its runs and slots, newest first. */
async function jobPage(visit: Visit): Promise<Answer> {
  const job = jobNamed(visit.params["name"]);
  if (job === undefined) return messagePage(404, "There is no such job", "The page Jobs lists all of them.");
  const { store, config } = visit.workplace;
  const [runs, slots] = await Promise.all([
    store.read(() => listRuns(job, RUNS_SHOWN)),
    store.read(() => listSlots(job, SLOTS_SHOWN)),
  ]);
  const schedule = timetable(config, jobTimes).find((entry) => entry.job === job);
  const lede =
    schedule === undefined
      ? "The configuration does not want this job."
      : html`${capital(scheduleWords(schedule.schedule))}. Next: ${time(visit, schedule.nextRunAt)}.`;
  const columns = [
    "Began",
    { label: "", spoken: "How it ended" },
    "Took",
    { label: "What it said", kind: "broad" },
  ] as const;
  const rows = runs.map((run): Part[] => [
    time(visit, run.startedAt),
    stateOf(run, run.endedAt === undefined),
    run.endedAt !== undefined && took(Date.parse(run.endedAt) - Date.parse(run.startedAt)),
    html`${messageOf(visit, run)}${run.endedAt !== undefined && whatToDo(visit, whyWrong(run))}`,
  ]);
  const history =
    rows.length === 0
      ? empty("No run yet", "The first one is listed once it begins.")
      : table("Runs", columns, rows);
  const content = html`${head(JOB_NAMES[job], lede, runButton(visit, job), BACK)}
${panel("runs", "Runs", history, { note: `the newest ${RUNS_SHOWN}` })}${slotsPanel(visit, "Planned times", slots)}`;
  return { title: JOB_NAMES[job], content };
}

function took(ms: number): string {
  return ms < 60_000 ? `${Math.ceil(ms / 1000)} s` : age(ms);
}

function jobNamed(name: string | undefined): Job["name"] | undefined {
  return jobTimes.find((job) => job.name === name)?.name;
}

async function runNow(visit: Visit): Promise<Answer> {
  const { desk, person, form } = visit;
  const job = jobNamed(field(form, "job"));
  if (job === undefined)
    throw fault("USAGE", { what: "there is no such job", how: "Choose one on the page Jobs." });
  const hints = jobsBeside(desk, "Run it at the desk of the machine that runs them.");
  if (!mayRun(visit, job)) throw fault("ROLE_LACKING", { person, action: "run this job", roles: "operator" });
  hints.emit("run", job, person);
  return { goTo: `/jobs?asked=${job}` };
}

/** Everything that must be right before money can move, as `doctor` finds it now. */
async function checksPage(visit: Visit): Promise<Answer> {
  const { doctor } = visit.desk;
  if (doctor === undefined)
    return messagePage(
      404,
      "Nothing is checked here",
      "The desk of the machine that sends has the secrets, and checks.",
    );
  const checks = await doctor();
  const wrong = checks.filter(({ isGood }) => !isGood);
  const lede =
    wrong.length === 0
      ? "All checks are good."
      : `${counted(wrong.length, "check")} of ${checks.length} ${wrong.length === 1 ? "is" : "are"} not good.`;
  const rows = [...wrong, ...checks.filter(({ isGood }) => isGood)].map(
    ({ what, isGood, found, problems }): Part[] => [
      capital(what.replace(/^folders\.(\w+)$/, "folder “$1”")),
      isGood ? badge("ok", "good") : badge("bad", "wrong"),
      isGood
        ? plain(visit, found)
        : problems.map(
            (each) => html`<p>${said(visit, each.message)}<span class="sub">${fixOf(visit, each)}</span></p>`,
          ),
    ],
  );
  const columns = [
    "Check",
    { label: "", spoken: "How it is" },
    { label: "What was found", kind: "broad" },
  ] as const;
  const again = html`<a class="btn" href="/jobs/checks">Check again</a>`;
  const content = html`${head("Checks", lede, again, BACK)}
${panel("checks", "Checks", table("Checks", columns, rows))}`;
  return { title: "Checks", content };
}

async function jobsPage(visit: Visit): Promise<PageAnswer> {
  const { workplace } = visit;
  const runs = await lastRunsOf(workplace);
  const order = await stopOrder(workplace);
  const unusual = await workplace.store.read(() => listUnusualSlots(SLOTS_SHOWN));
  const schedule = timetable(workplace.config, jobTimes);
  const wrong = schedule.filter(({ job }) => whyWrong(endedRun(runs, job) ?? {}) !== undefined);
  const ran = schedule.filter(({ job }) => endedRun(runs, job) !== undefined).length;
  const lede =
    wrong.length === 0
      ? wellEnded(ran, schedule.length)
      : `The last run of ${wrong.map(({ job }) => `“${JOB_NAMES[job]}”`).join(" and ")} did not end well.`;
  const next = { label: "Next", kind: "nowrap" } as const;
  const columns = [
    "Job",
    { label: "", spoken: "How it is" },
    "Last run",
    next,
    { label: "", spoken: "Run it now" },
  ];
  const rows = schedule.map((entry) => jobRow(visit, entry, runs));
  const checks =
    visit.desk.doctor !== undefined && html`<a class="btn" href="/jobs/checks">Check everything</a>`;
  const asked = field(visit.query, "asked");
  const named = jobNamed(asked);
  const begins = named !== undefined && banner("ok", "Jobs", aboutToRun(named));
  const content = html`${head("Jobs", lede, checks)}${begins}
    ${order === undefined ? sendingOn(visit) : sendingStopped(visit, order.reason)}
${panel("jobs", "Jobs", table("Jobs", columns, rows), { note: "run by the machine that sends" })}
  ${slotsPanel(visit, "Not run as planned", unusual)}`;
  return { title: "Jobs", content };
}

const SLOTS_SHOWN = 20;

function aboutToRun(job: Job["name"]): Html {
  return html`<b>“${JOB_NAMES[job]}” is about to run.</b> Load this page again to see how it ended.`;
}

function slotsPanel(visit: Visit, title: string, slots: readonly JobSlot[]): Html | false {
  if (slots.length === 0) return false;
  const names: Readonly<Record<string, string>> = JOB_NAMES;
  const rows = slots.map(({ job, dueAt, until, how, reason = "" }) => {
    const end = until !== undefined && html` to ${time(visit, until)}`;
    const mark = badge(
      how === "run" ? "ok" : how === "skipped" ? "off" : "wait",
      how === "run" ? "ran" : how,
    );
    return [names[job] ?? job, html`${time(visit, dueAt)}${end}`, mark, reason];
  });
  const columns = ["Job", "Planned for", { label: "", spoken: "What became of it" }, "Why"];
  return panel("slots", title, table(title, columns, rows));
}

/** Says nothing about a job that has not run. */
function wellEnded(ran: number, all: number): string {
  if (ran === all) return "Every job's last run ended well.";
  const others = `${all - ran} of ${all} jobs ${all - ran === 1 ? "has" : "have"} not run yet`;
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

/** The panel to resume sending; the banner of every page already gives the reason. */
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
  const name = html`<a href="/jobs/of/${job}">${JOB_NAMES[job]}</a><span class="sub">${scheduleWords(schedule)}</span>`;
  const next = time(visit, nextRunAt);
  const button = runButton(visit, job);
  if (last === undefined) return [name, badge("off", "not run yet"), "", next, button];
  const isAtWork = last.endedAt === undefined;
  const said = messageOf(visit, last);
  const message = html`${time(visit, last.startedAt)}${said !== "" && ` · ${said}`}
    ${!isAtWork && whatToDo(visit, code)}`;
  return [name, stateOf(ended ?? {}, isAtWork), message, next, button];
}

function stateOf(ended: Pick<LastRun, "outcome">, isAtWork: boolean): Html {
  if (isAtWork) return badge("run", "at work");
  const code = whyWrong(ended);
  return code === undefined ? badge("ok", "fine") : badge("bad", String(code));
}

function messageOf(visit: Visit, { outcome }: Pick<LastRun, "outcome">): string {
  const message = outcome?.["message"];
  return typeof message === "string" ? plain(visit, message) : "";
}

/** The fix for a failure, from the catalogue; false if nothing failed. */
function whatToDo(visit: Visit, code: unknown): Html | false {
  if (code === undefined) return false;
  const known = explainedFault(String(code));
  if (known === undefined)
    return html`<span class="sub">The log of the machine that runs the jobs says why.</span>`;
  // The case itself is not stored, so its fix may lack values.
  const fix = known.fix.includes("<") ? known.afterwards : known.fix;
  return html`<span class="sub">${said(visit, fix)}</span>`;
}

function mayRun(visit: Visit, job: Job["name"]): boolean {
  return hasRole(visit, "operator") || (hasRole(visit, "controller") && OF_CONTROLLERS.has(job));
}

/** Only if the scheduled jobs run in this process. */
function runButton(visit: Visit, job: Job["name"]): Html | false {
  if (visit.desk.hints === undefined || !mayRun(visit, job)) return false;
  const spoken = html`<span class="vh">: ${JOB_NAMES[job]}</span>`;
  const button = html`<button class="btn">Run now${spoken}</button>`;
  return html`<form method="post" action="/jobs/run">${hidden("job", job)}${button}</form>`;
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
