/** Today: what waits for whom and since when, what is at stake, how last night went, and what runs next. */
import { jobs } from "../../../jobs/index.ts";
import { timetable } from "../../daemon/timetable.ts";
import type { ControlTotal } from "../../model/index.ts";
import { personKey } from "../../model/index.ts";
import { type BreaksReport, breaksStep } from "../../pipeline/breaks-step.ts";
import { type BatchStatus, statusOfBatches } from "../../pipeline/status/batch-status.ts";
import { listDoubts } from "../../pipeline/status/doubts.ts";
import {
  type Overview,
  overviewOf,
  type Waiting,
  type WaitingForApproval,
} from "../../pipeline/status/overview.ts";
import { type Html, html } from "../html.ts";
import { TODAY } from "../icons.ts";
import { hasRole, type Page, type PageAnswer, seesAll, type Visit } from "../page.ts";
import {
  age,
  type Badge,
  badge,
  counted,
  countOf,
  empty,
  formatted,
  head,
  panel,
  sums,
  table,
  time,
} from "../parts.ts";
import { JOB_NAMES } from "./jobs.ts";

export const todayPages: readonly Page[] = [
  {
    method: "GET",
    path: "/",
    roles: ["viewer", "submitter", "approver", "operator", "controller", "admin"],
    nav: { group: "Work", label: "Today", icon: TODAY },
    handle: today,
  },
];

interface Work {
  readonly title: Html;
  readonly text: Html;
  readonly act: Html;
  readonly isTheirs: boolean;
}

async function today(visit: Visit): Promise<PageAnswer> {
  const { workplace } = visit;
  const batches = await statusOfBatches(workplace);
  if (!seesAll(visit)) return submittersToday(visit, batches);
  const overview = await overviewOf(workplace, batches, await listDoubts(workplace));
  const work = [
    ...doubtWork(visit, overview),
    ...approvalWork(visit, overview),
    ...otherWork(visit, overview),
  ];
  const theirs = work.filter(({ isTheirs }) => isTheirs);
  const others = work.filter(({ isTheirs }) => !isTheirs);
  const content = html`${head(titleOf(visit), ledeOf(overview, theirs.length))}
${tiles(overview)}
<div class="cols"><div>${panel("waits-for-you", "Waits for you", theirs.length === 0 ? empty("Nothing waits for you", "What needs you appears here.") : todo(theirs))}
${others.length > 0 && panel("waits-for-others", "Waits for others", todo(others))}
${beingPaid(batches)}</div>
<div>${lastNight(visit, await breaksStep(workplace))}${next(visit)}</div></div>`;
  return { title: "Today", content };
}

function titleOf({ workplace: { config, context } }: Visit): string {
  return formatted(config.ledger.timeZone, context.clock.now(), {
    weekday: "long",
    day: "numeric",
    month: "long",
  });
}

function ledeOf({ stopOrder, restored, machines, wrongRuns }: Overview, count: number): string {
  const waits =
    count === 0
      ? "Nothing waits for you"
      : count === 1
        ? "One thing waits for you"
        : `${count} things wait for you`;
  const isOff = stopOrder !== undefined || restored !== undefined || machines.binding !== undefined;
  const ran = wrongRuns.length === 0 ? "" : `, and ${counted(wrongRuns.length, "job")} did not end well`;
  return `${waits}. Sending is ${isOff ? "stopped" : "on"}${ran}.`;
}

function tiles({ forApproval, inDoubt, held, sending, dueToday, later }: Overview): Html {
  const tile = (label: string, totals: readonly ControlTotal[], note: string) =>
    html`<div><dt>${label}</dt><dd>${sums(totals)}</dd><dd>${note}</dd></div>`;
  const waiting = forApproval.flatMap(({ totals }) => totals);
  const payments = (totals: readonly ControlTotal[], { longestMs }: Partial<Waiting> = {}) =>
    counted(countOf(totals), "payment") + (longestMs === undefined ? "" : `, ${age(longestMs)}`);
  return html`<dl class="tiles">${tile("Waits for approval", added(waiting), `${counted(forApproval.length, "file")}, ${payments(waiting)}`)}
${tile("In doubt or held", added([...inDoubt.totals, ...held.totals]), payments([...inDoubt.totals, ...held.totals], inDoubt))}
${tile("Due today", added([...dueToday.totals, ...sending.totals]), payments([...dueToday.totals, ...sending.totals]))}
${tile("A later day", later.totals, later.firstDay === undefined ? "nothing" : `from ${later.firstDay} on`)}</dl>`;
}

/** One sum for each currency. */
function added(totals: readonly ControlTotal[]): readonly ControlTotal[] {
  return [...Map.groupBy(totals, ({ currency }) => currency).values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          others.reduce(
            (sum, { count, amount }) => ({
              ...sum,
              count: sum.count + count,
              amount: sum.amount.plus(amount),
            }),
            first,
          ),
        ],
  );
}

function todo(work: readonly Work[]): Html {
  return html`<ul class="todo">${work.map(({ title, text, act }) => html`<li><div><h3>${title}</h3><p>${text}</p></div><div class="right">${act}</div></li>`)}</ul>`;
}

function approvalWork(visit: Visit, { forApproval }: Overview): Work[] {
  return forApproval.map((batch) => ({
    isTheirs: mayApprove(visit, batch),
    title: html`<a href="/batches/${batch.batchId}">${batch.fileName}</a> ${badge("wait", missingText(batch))}`,
    text: html`${sums(batch.totals)} · ${counted(countOf(batch.totals), "payment")}${batch.longestMs !== undefined && html` · sent in ${age(batch.longestMs)} ago`}`,
    act: html`<a class="btn${mayApprove(visit, batch) && " main"}" href="/batches/${batch.batchId}">${mayApprove(visit, batch) ? "Look and approve" : "Look"}</a>`,
  }));
}

function mayApprove(visit: Visit, { not }: WaitingForApproval): boolean {
  const { person } = visit;
  return hasRole(visit, "approver") && !not.some((name) => personKey(name) === personKey(person));
}

function missingText({ peopleMissing, isAnew }: WaitingForApproval): string {
  if (peopleMissing === undefined) return "no rule covers it";
  return `${isAnew ? "again: " : ""}${counted(peopleMissing, "approval")} missing`;
}

function doubtWork(visit: Visit, { inDoubt, held }: Overview): Work[] {
  const one = (label: string, kind: Badge, waiting: Waiting, text: string): Work[] =>
    waiting.totals.length === 0
      ? []
      : [
          {
            isTheirs: hasRole(visit, "operator"),
            title: html`<a href="/doubts">${counted(countOf(waiting.totals), "payment")} ${label}</a> ${badge(kind, label)}`,
            text: html`${sums(waiting.totals)}${waiting.longestMs !== undefined && html` · ${age(waiting.longestMs)}`}. ${text}`,
            act: html`<a class="btn" href="/doubts">See the evidence</a>`,
          },
        ];
  return [
    ...one("in doubt", "doubt", inDoubt, "Sent, perhaps. Nothing is sent again until somebody decides."),
    ...one("held", "warn", held, "What was found does not fit, so nothing is sent until somebody decides."),
  ];
}

function otherWork(
  visit: Visit,
  { refused, failed, beyondLimits, openBreaks, notAccepted }: Overview,
): Work[] {
  const work = (
    count: number,
    isTheirs: boolean,
    title: string,
    text: Html | string,
    href: string,
  ): Work[] =>
    count === 0
      ? []
      : [
          {
            isTheirs,
            title: html`<a href="${href}">${title}</a>`,
            text: html`${text}`,
            act: html`<a class="btn" href="${href}">Look</a>`,
          },
        ];
  const breaks = openBreaks.alarm + openBreaks.warning;
  const waits = (waiting: Waiting, what: string, text: string, isTheirs: boolean) =>
    work(
      countOf(waiting.totals),
      isTheirs,
      `${counted(countOf(waiting.totals), "payment")} ${what}`,
      html`${sums(waiting.totals)}. ${text}`,
      "/payments",
    );
  return [
    ...waits(refused, "refused", "The service said no before paying.", hasRole(visit, "operator")),
    ...waits(failed, "failed", "Taken by the service, and ended without paying.", hasRole(visit, "operator")),
    ...waits(
      beyondLimits,
      "over a limit of today",
      "They wait for a later day, or for higher limits.",
      false,
    ),
    ...work(
      breaks,
      hasRole(visit, "controller"),
      counted(breaks, "break"),
      `${counted(openBreaks.alarm, "alarm")}, ${counted(openBreaks.warning, "warning")} of the last comparison`,
      "/nights",
    ),
    ...work(
      notAccepted,
      false,
      `${counted(notAccepted, "file")} not accepted`,
      "in the last 24 hours; the sender has the answer",
      "/files",
    ),
  ];
}

const ON_THE_WAY: Partial<Record<string, readonly [Badge, string]>> = {
  approved: ["wait", "approved"],
  sending: ["run", "being sent"],
  "in doubt": ["doubt", "in doubt"],
  held: ["warn", "held"],
};

function beingPaid(batches: readonly BatchStatus[]): Html {
  const rows = batches.toReversed().flatMap(({ batch, standings }) =>
    standings.flatMap(({ standing, totals }) => {
      const shown = ON_THE_WAY[standing];
      if (shown === undefined) return [];
      return [
        [
          html`<a href="/batches/${batch.id}">${batch.id}</a> <span class="sub">${batch.fileName}</span>`,
          badge(...shown),
          countOf(totals),
          sums(totals),
        ],
      ];
    }),
  );
  if (rows.length === 0) return html``;
  const columns = [
    { label: "Batch" },
    { label: "Stands at" },
    { label: "Payments", kind: "num" },
    { label: "Sum", kind: "lead" },
  ] as const;
  return panel(
    "being-paid",
    "Being paid",
    table("Batches that are being paid", columns, rows.slice(0, ROWS_MAX)),
  );
}

const ROWS_MAX = 20;

function lastNight(
  { workplace: { config, context } }: Visit,
  { comparedAt, incomplete, open }: BreaksReport,
): Html {
  if (comparedAt === undefined)
    return panel(
      "last-night",
      "Last night",
      empty("Not compared yet", "Both sides are compared once a night."),
    );
  const isWhole = incomplete === undefined;
  const breaks = open.filter(({ severity }) => severity !== "note").length;
  const marks = [
    isWhole ? badge("ok", "complete") : badge("bad", "incomplete"),
    breaks === 0 ? badge("ok", "no breaks") : badge("warn", counted(breaks, "break")),
  ];
  const text = isWhole ? "Everything that the service showed was compared." : `${incomplete.message}.`;
  const when = time(config.ledger.timeZone, comparedAt, context.clock.now());
  return panel(
    "last-night",
    "Last night",
    html`<div class="body"><p>${marks[0]} ${marks[1]}</p><p>${text}</p></div>`,
    { note: when },
  );
}

function next(visit: Visit): Html {
  const { config, context } = visit.workplace;
  const entries = timetable(config, jobs).toSorted((a, b) => (a.nextRunAt < b.nextRunAt ? -1 : 1));
  const lines = entries.map(
    ({ job, nextRunAt }) =>
      html`<dt>${time(config.ledger.timeZone, nextRunAt, context.clock.now())}</dt><dd>${JOB_NAMES[job]}</dd>`,
  );
  const acts = html`<a class="btn quiet" href="/jobs">All jobs</a>`;
  return panel(
    "next",
    "Next",
    html`<div class="body"><dl class="kv tight">${lines}</dl></div>`,
    seesAll(visit) ? { acts } : {},
  );
}

/** Own files only, not even counts of others. */
function submittersToday(visit: Visit, batches: readonly BatchStatus[]): PageAnswer {
  const own = batches
    .filter(({ batch }) => personKey(batch.submittedBy) === personKey(visit.person))
    .toReversed();
  const waiting = own.filter(({ standings }) => standings.some(({ standing }) => standing === "received"));
  const rows = own
    .slice(0, ROWS_MAX)
    .map(({ batch, standings }) => [
      batch.fileName,
      html`${standings.map(({ standing, totals }) => html`<span class="sub">${standing}: ${counted(countOf(totals), "payment")}</span>`)}`,
      sums(batch.controlTotals),
    ]);
  const columns = [{ label: "File" }, { label: "Stands at" }, { label: "Sum", kind: "lead" }] as const;
  const list =
    rows.length === 0
      ? empty("No files yet", html`<a class="btn main" href="/files">Send in a file</a>`)
      : table("Your files", columns, rows);
  const lede =
    waiting.length === 0
      ? "None of your files waits for approval."
      : `${counted(waiting.length, "file")} of yours ${waiting.length === 1 ? "waits" : "wait"} for approval.`;
  return {
    title: "Today",
    content: html`${head(titleOf(visit), lede)}${panel("your-files", "Your files", list)}`,
  };
}
