/** Today: what waits for whom and since when, how much is at stake, the result of last night, and the next jobs. */
import { jobTimes } from "../../../jobs/times.ts";
import { timetable } from "../../daemon/timetable.ts";
import { type ExpectedNow, expectedNow, isToDecide, isWaiting } from "../../expected/index.ts";
import {
  addControlTotals,
  type ControlTotal,
  controlTotals,
  ROLES,
  restText,
  STANDING_WORDS,
} from "../../model/index.ts";
import { type BreaksReport, breaksStep } from "../../nights/index.ts";
import { mayApprove } from "../../people/decide.ts";
import type { BatchStatus } from "../../views/batch-status.ts";
import { statusOfBatchesBy, statusOfOpenBatches } from "../../views/batch-status.ts";
import { type DoubtReport, listDoubts } from "../../views/doubts.ts";
import { dueText } from "../../views/files-not-come.ts";
import { type Overview, overviewOf, type WaitingForApproval } from "../../views/overview.ts";
import { type Html, html, type Part } from "../html.ts";
import { hasRole, isVisitor, type Page, type PageAnswer, seesAll, type Visit } from "../page.ts";
import {
  age,
  badge,
  counted,
  countOf,
  dayText,
  empty,
  formatted,
  fromFile,
  head,
  money,
  panel,
  SUM,
  sums,
  table,
  time,
} from "../parts.ts";
import { said } from "../plain-words.ts";
import { cameBackText } from "./files.ts";
import { JOB_NAMES } from "./jobs.ts";
import { standing as badgeOf } from "./payments.ts";

export const todayPages: readonly Page[] = [
  { method: "GET", path: "/", roles: ROLES, nav: { group: "Work", label: "Today" }, handle: today },
];

async function today(visit: Visit): Promise<PageAnswer> {
  const { workplace } = visit;
  if (!seesAll(visit)) return submittersToday(visit);
  const batches = await statusOfOpenBatches(workplace);
  const doubts = await listDoubts(workplace);
  const overview = await overviewOf(workplace, batches, doubts);
  const expected = expectedWork(visit, await expectedNow(workplace));
  const work = [
    ...approvals(visit, overview),
    ...others(visit, overview),
    changesInDoubt(visit, doubts),
    ...expected,
  ].filter(({ count }) => count > 0);
  const [theirs = [], rest = []] = [true, false].map((isTheirs) =>
    work.filter((each) => each.isTheirs === isTheirs),
  );
  const content = html`${head(titleOf(visit), ledeOf(visit, overview, theirs.length))}
${tiles(visit, overview)}
<div class="cols"><div>${panel("waits-for-you", "Waits for you", theirs.length > 0 ? todo(theirs) : NOTHING_WAITS)}
${rest.length > 0 && panel("waits-for-others", "Waits for others", todo(rest))}
${beingPaid(batches)}</div>
<div>${lastNight(visit, await breaksStep(workplace))}${next(visit)}</div></div>`;
  return { title: "Today", content };
}

const NOTHING_WAITS = empty("Nothing waits for you", "What needs you appears here.");

function titleOf(visit: Visit): string {
  const parts = { weekday: "long", day: "numeric", month: "long" } as const;
  return formatted(visit, visit.workplace.context.clock.now(), parts);
}

function ledeOf(
  visit: Visit,
  { stopOrder, restored, machines, wrongRuns, rest }: Overview,
  count: number,
): string {
  const waits = count === 0 ? "Nothing waits" : counted(count, "thing waits", "things wait");
  const isOff = (stopOrder ?? restored ?? machines.binding) !== undefined;
  const ran = wrongRuns.length > 0 && `, and ${counted(wrongRuns.length, "job")} did not end well`;
  const { timeZone } = visit.workplace.config.ledger;
  const resting = rest && `rests: ${restText(rest, timeZone)}`;
  return `${waits} for you. Sending ${isOff ? "is stopped" : (resting ?? "is on")}${ran || ""}.`;
}

function tiles(visit: Visit, { forApproval, inDoubt, held, sending, dueToday, later }: Overview): Html {
  const tile = (label: string, totals: readonly ControlTotal[], note: string) =>
    html`<div><dt>${label}</dt><dd>${sums(totals)}</dd><dd>${counted(countOf(totals), "payment")}${note}</dd></div>`;
  const { longestMs } = inDoubt;
  const { firstDay } = later;
  return html`<dl class="tiles">
${tile(
  "Waits for approval",
  addControlTotals(...forApproval.map(({ totals }) => totals)),
  ` in ${counted(forApproval.length, "file")}`,
)}
${tile(
  "In doubt or held",
  addControlTotals(inDoubt.totals, held.totals),
  longestMs === undefined ? "" : `, ${age(longestMs)}`,
)}
${tile("Due today", addControlTotals(dueToday.totals, sending.totals), "")}
${tile("A later day", later.totals, firstDay === undefined ? "" : `, from ${dayText(visit, firstDay)} on`)}</dl>`;
}

/** Something that waits for a person; not shown if its count is 0. */
interface Work {
  readonly count: number;
  readonly isTheirs: boolean;
  readonly href: string;
  readonly title: Part;
  readonly mark?: Html;
  readonly text: Part;
  readonly button?: string;
}

function todo(work: readonly Work[]): Html {
  const item = ({
    href,
    button,
    ...work
  }: Work) => html`<li><div><h3><a href="${href}">${work.title}</a>${work.mark}</h3><p>${work.text}</p></div>
<div class="right"><a class="btn${button && " main"}" href="${href}">${button ?? "Look"}</a></div></li>`;
  return html`<ul class="todo">${work.map(item)}</ul>`;
}

function approvals(visit: Visit, { forApproval }: Overview): Work[] {
  return forApproval.map((batch) => {
    const isTheirs = isForVisitor(visit, batch);
    const { longestMs } = batch;
    return {
      count: 1,
      isTheirs,
      href: `/batches/${batch.batchId}`,
      title: batch.fileName,
      mark: badge("wait", missingText(batch)),
      text: html`${sums(batch.totals)} · ${counted(countOf(batch.totals), "payment")}
        ${longestMs !== undefined && ` · sent in ${age(longestMs)} ago`}`,
      ...(isTheirs && { button: "Look and approve" }),
    };
  });
}

/** Whether the visitor's approval would count. */
function isForVisitor(visit: Visit, { peopleMissing, not, approvers }: WaitingForApproval): boolean {
  if (peopleMissing === undefined || not.some((name) => isVisitor(visit, name))) return false;
  return mayApprove(visit, { approvers });
}

function missingText({ peopleMissing, isAnew }: WaitingForApproval): string {
  if (peopleMissing === undefined) return "no rule covers it";
  return `${isAnew ? "again: " : ""}${counted(peopleMissing, "approval")} missing`;
}

/** The text gives the standing, and since when a payment is in doubt; the linked page has the details. */
function others(visit: Visit, overview: Overview): Work[] {
  const { inDoubt, held, refused, failed, beyondLimits, overDayLimits, openBreaks, filesBack } = overview;
  const { noticesGivenUp: givenUp } = overview;
  const isOperator = hasRole(visit, "operator");
  const payments = (what: string, { totals, longestMs }: Overview["inDoubt"], text: string): Work => ({
    count: countOf(totals),
    isTheirs: isOperator,
    href: "/payments",
    title: `${counted(countOf(totals), "payment")} ${what}`,
    text: html`${sums(totals)}${longestMs !== undefined && ` · ${age(longestMs)}`}. ${text}`,
  });
  const { alarm, warning } = openBreaks;
  const breaks = { count: alarm + warning, isTheirs: hasRole(visit, "controller"), href: "/nights" };
  const files = { count: filesBack.rejected, isTheirs: false, href: "/files" };
  const perhaps = "They may have been sent. Nothing is sent again until a person decides.";
  const unfit = "The payout that was found does not fit: nothing is sent until a person decides.";
  const beyond = "They wait for a later day, or for higher limits.";
  const found = `${counted(alarm, "alarm")}, ${counted(warning, "warning")} of the last comparison`;
  return [
    { ...payments("in doubt", inDoubt, perhaps), href: "/doubts", mark: badgeOf("in doubt") },
    { ...payments("held", held, unfit), href: "/doubts", mark: badgeOf("held") },
    payments("refused", refused, "The service said no before paying."),
    payments("failed", failed, "Accepted by the service, and ended without paying."),
    { ...payments("over a limit of today", beyondLimits, beyond), isTheirs: false },
    ...overview.filesNotCome.map((missing): Work => {
      const { sender, day } = missing;
      const due = `It was due on ${dayText(visit, day)} (${dueText(missing)}).`;
      const text = `${due} Ask the sender; it leaves this list once a file comes.`;
      return { count: 1, isTheirs: false, href: "/files", title: `No file of ${sender} came`, text };
    }),
    ...overview.runsOutFirst.map(({ batchId, totals, ends, goesAt }): Work => {
      const text = html`${sums(totals)}. It ends on ${time(visit, ends)}, before it can be sent on
        ${time(visit, goesAt)}. Approve it again then.`;
      const title = `The approval of ${batchId} ends too early`;
      return { count: 1, isTheirs: hasRole(visit, "approver"), href: `/batches/${batchId}`, title, text };
    }),
    ...overDayLimits.map((over): Work => {
      const more = html`${money(over)} more than the limits of a day leave. ${beyond}`;
      return { count: 1, isTheirs: false, href: "/payments", title: "Much is due today", text: more };
    }),
    { ...breaks, title: counted(breaks.count, "break"), text: found },
    {
      count: givenUp,
      isTheirs: isOperator,
      href: "/jobs",
      title: `${counted(givenUp, "notice")} could not be delivered`,
      text: "People did not hear what waits for them. The mail server or the chat did not accept the message.",
    },
    { ...files, title: `${counted(filesBack.rejected, "file")} came back`, text: cameBackText(filesBack) },
  ];
}

function changesInDoubt(visit: Visit, { changes: { length: count } }: DoubtReport): Work {
  const title = `${counted(count, "deposit, void or authorization", "deposits, voids or authorizations")} in doubt`;
  const text = "Each may have been done, or not. A person decides if no look shows it.";
  const isTheirs = hasRole(visit, "operator");
  return { count, isTheirs, href: "/doubts", title, text, mark: badgeOf("in doubt") };
}

/** Overdue expectations of customers, and receipts that belong to no expectation yet. */
function expectedWork(visit: Visit, { standings, open, files }: ExpectedNow): Work[] {
  const isController = hasRole(visit, "controller");
  const overdue = standings.filter(({ isOverdue }) => isOverdue);
  const totals = controlTotals(overdue.map((each) => ({ ...each.expectation.amount, value: each.open })));
  const waiting = files.filter((file) => isWaiting(visit.workplace, file));
  const changed = standings.filter(({ trouble }) => trouble?.code === "EXPECTED_ADDRESS_CHANGED");
  const [alarm] = changed.flatMap(({ trouble }) => trouble ?? []);
  const toDecide = open.filter(isToDecide).length;
  const href = "/expected";
  return [
    {
      count: changed.length,
      isTheirs: hasRole(visit, "operator"),
      href,
      title: `${counted(changed.length, "address", "addresses")} changed`,
      mark: badge("bad", "alarm"),
      text: alarm === undefined ? "" : said(visit, alarm.message),
    },
    {
      count: overdue.length,
      isTheirs: isController,
      href,
      title: `${counted(overdue.length, "receipt is", "receipts are")} overdue`,
      mark: badge("warn", "overdue"),
      text: sums(totals),
    },
    {
      count: toDecide,
      isTheirs: isController,
      href,
      title: counted(toDecide, "receipt to decide", "receipts to decide"),
      text: "Not matched until a controller says what it was for.",
    },
    {
      count: waiting.length,
      isTheirs: hasRole(visit, "approver") && waiting.some(({ takenBy }) => !isVisitor(visit, takenBy)),
      href,
      title: `${counted(waiting.length, "file")} of expected receipts`,
      mark: badge("wait", "1 approval missing"),
      text: "It does not count before a person has approved it.",
    },
  ];
}

const ON_THE_WAY: readonly string[] = ["approved", "sending", "in doubt", "held"];

const ROWS_MAX = 20;

function beingPaid(batches: readonly BatchStatus[]): Html | false {
  const rows = batches.toReversed().flatMap(({ batch, standings }) => {
    const file = html`<span class="sub">${fromFile(batch.fileName)}</span>`;
    const name = html`<a href="/batches/${batch.id}">${batch.id}</a> ${file}`;
    const some = standings.filter(({ standing }) => ON_THE_WAY.includes(standing));
    return some.map(({ standing, totals }) => [name, badgeOf(standing), countOf(totals), sums(totals)]);
  });
  const columns = ["Batch", "Stands at", { label: "Payments", kind: "num" } as const, SUM];
  const shown = table("Batches that are being paid", columns, rows.slice(0, ROWS_MAX));
  return rows.length > 0 && panel("being-paid", "Being paid", shown);
}

const EVERYTHING = "Everything that the service showed was compared.";

function lastNight(visit: Visit, { comparedAt, incomplete, open }: BreaksReport): Html {
  const never = empty("Not compared yet", "Both sides are compared once a night.");
  if (comparedAt === undefined) return panel("last-night", "Last night", never);
  const breaks = open.filter(({ severity }) => severity !== "note").length;
  const whole = incomplete === undefined ? badge("ok", "complete") : badge("bad", "incomplete");
  const found = breaks === 0 ? badge("ok", "no breaks") : badge("warn", counted(breaks, "break"));
  const text = incomplete === undefined ? EVERYTHING : said(visit, incomplete.message);
  const content = html`<div class="body"><p>${whole} ${found}</p><p>${text}</p></div>`;
  return panel("last-night", "Last night", content, { note: time(visit, comparedAt) });
}

function next(visit: Visit): Html {
  const entries = timetable(visit.workplace.config, jobTimes);
  const sorted = entries.toSorted((a, b) => (a.nextRunAt < b.nextRunAt ? -1 : 1));
  const lines = html`${sorted.map(
    ({ job, nextRunAt }) => html`<dt>${time(visit, nextRunAt)}</dt><dd>${JOB_NAMES[job]}</dd>`,
  )}`;
  const acts = html`<a class="btn quiet" href="/jobs">All jobs</a>`;
  return panel("next", "Next", html`<div class="body"><dl class="kv tight">${lines}</dl></div>`, { acts });
}

/** Only the person's own files, without even counts of others. */
async function submittersToday(visit: Visit): Promise<PageAnswer> {
  const own = (await statusOfBatchesBy(visit.workplace, visit.person, ROWS_MAX)).toReversed();
  const isWaiting = ({ standings }: BatchStatus) => standings.some(({ standing }) => standing === "received");
  const waiting = own.filter(isWaiting).length;
  const lineOf = ({ standing, totals }: BatchStatus["shown"][number]) =>
    `${STANDING_WORDS[standing]}: ${counted(countOf(totals), "payment")}`;
  const rows = own.map(({ batch, shown, rejections }) => {
    const why = html`${rejections.map((each) => html`<span class="sub">${each}</span>`)}`;
    const named = html`<a href="/batches/${batch.id}">${fromFile(batch.fileName)}</a>`;
    return [named, html`${shown.map(lineOf).join(", ")}${why}`, sums(batch.controlTotals)];
  });
  const none = empty("No files yet", html`<a class="btn main" href="/files">Send in a file</a>`);
  const list = rows.length === 0 ? none : table("Your files", ["File", "Stands at", SUM], rows);
  const lede = `${counted(waiting, "file")} of yours ${waiting === 1 ? "waits" : "wait"} for approval.`;
  const content = html`${head(titleOf(visit), lede)}${panel("your-files", "Your files", list)}`;
  return { title: "Today", content };
}
