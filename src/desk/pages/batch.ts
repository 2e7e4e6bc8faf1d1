/**
 * A batch: whether it may be paid, the findings against it, its approvers, and afterwards the standing of each
 * payment.
 */
import { fault, isProblem, orProblem, type Problem } from "../../faults/index.ts";
import { type LastTime, lastTimeFacts, lastTimeTitle } from "../../files/reading/index.ts";
import type { ControlTotal, ShownStanding } from "../../model/index.ts";
import { DAY_MS, ROLES, SHOWN_STANDINGS, STANDING_WORDS, shifted } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { TextsBeside } from "../../model/sheet-reading.ts";
import { approveStep } from "../../payments/approve-step.ts";
import { evidenceFileStep } from "../../payments/evidence-file-step.ts";
import { recallStep } from "../../payments/recall-step.ts";
import {
  type BatchFindings,
  type BatchStanding,
  batchEvidence,
  batchFindings,
  batchFindingsShown,
  batchLineage,
  batchRows,
  batchStep,
  batchTexts,
  type KnownEffect,
  type RowsWanted,
  whyNobodyCan,
} from "../../views/batch-step.ts";
import type { PaymentStatus } from "../../views/payment-status.ts";
import { isTrial } from "../../workplace/root.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { decide, type Question } from "../decide.ts";
import { type Html, html, type Part } from "../html.ts";
import { KEY } from "../icons.ts";
import {
  type Answer,
  field,
  hasRole,
  isVisitor,
  type Page,
  type PageAnswer,
  reasonIn,
  SEE,
  seesAll,
  type Visit,
} from "../page.ts";
import {
  amount,
  ask,
  badge,
  counted,
  dayText,
  empty,
  facts,
  fromFile,
  head,
  hidden,
  money,
  panel,
  selectField,
  steps,
  sums,
  table,
  time,
  words,
} from "../parts.ts";
import { fixOf, operationText, plain, said } from "../plain-words.ts";
import { messagePage, notDoneBanner } from "../refusals.ts";
import {
  acceptedIn,
  type Group,
  groupPart,
  groupsOf,
  information,
  marksOf,
  type Shown,
} from "./batch-findings.ts";
import { lineagePanel } from "./batch-lineage.ts";
import { addressIn, mayKnow, referenceLink, shownStandingIn, standing, standingBadge } from "./payments.ts";

type BatchEvidence = NonNullable<Awaited<ReturnType<typeof batchEvidence>>>;

const REJECT = ["approver", "operator"] as const;

/** Open to all roles: approval rules list who may approve, and the step checks it. */
export const batchPages: readonly Page[] = [
  { method: "GET", path: "/batches/:id", roles: ROLES, handle: (visit) => batchPage(visit) },
  { method: "POST", path: "/batches/:id/approve", roles: ROLES, handle: approve },
  { method: "POST", path: "/batches/:id/evidence", roles: SEE, handle: evidence },
  { method: "POST", path: "/batches/:id/reject", roles: REJECT, handle: reject },
];

interface Seen extends BatchStanding {
  /** Only while the batch awaits an approval, and only for people who see all payments. */
  readonly findings?: BatchFindings;
  /** What the approvers were shown, once nothing of the batch awaits approval. */
  readonly evidence?: BatchEvidence;
  readonly groups: readonly Group[];
  /** For the sender: payments that will be booked differently from what the sender may have meant. */
  readonly notes?: readonly string[];
}

function bookingNotes(findings: BatchFindings | undefined): string[] {
  const ofBooks = findings?.warnings.filter(({ code }) => code.startsWith("LEDGER_")) ?? [];
  return ofBooks.map(({ message, count }) => `${message} (${counted(count, "payment")})`);
}

/**
 * Undefined if this person may not see the batch. `find`: findings as of now for a decision, or the kept ones for
 * the page.
 */
async function seen(visit: Visit, find: typeof batchFindingsShown): Promise<Seen | undefined> {
  const { workplace, person, params } = visit;
  const standing = await batchStep(workplace, params["id"] ?? "", person);
  if (standing === undefined) return undefined;
  const { batch, isOpen } = standing;
  if (!mayKnow(visit, batch)) return undefined;
  if (!seesAll(visit))
    return { ...standing, groups: [], ...(isOpen && { notes: bookingNotes(await find(workplace, batch)) }) };
  const findings = isOpen ? await find(workplace, batch) : undefined;
  const evidence = isOpen ? undefined : await batchEvidence(workplace, batch);
  const looked = findings === undefined ? evidence : { ...findings, open: findings.asked.open };
  const groups = looked === undefined ? [] : groupsOf(looked, workplace.config);
  return { ...standing, ...present({ findings, evidence }), groups };
}

const ELSE = "It may have another number, or it is not for you to see.";
const NO_BATCH = "There is no such batch";
const NOT_FOUND = messagePage(404, NO_BATCH, ELSE);

/** A download that is recorded. */
async function evidence({ workplace, params, person }: Visit): Promise<Answer> {
  const standing = await batchStep(workplace, params["id"] ?? "", person);
  if (standing === undefined) return NOT_FOUND;
  const { batch, bytes } = await evidenceFileStep(workplace, standing.batch.id, person);
  return { fileName: `${batch.id}.zip`, type: "application/zip", bytes };
}

function evidenceFor(visit: Visit, { batch }: Seen): Html | false {
  if (!seesAll(visit)) return false;
  const how = html`<p>Everything about this file in one archive: as it came, its rows, who signed what, what
    was sent and what became of it.
    <a href="/record?${new URLSearchParams({ about: batch.id, kind: "evidence" }).toString()}">The record</a>
    keeps that it was given, with the head that an auditor needs to verify it.</p>`;
  const form = html`<form method="post" action="/batches/${batch.id}/evidence">
  <p class="acts"><button class="btn">Download the evidence</button></p></form>`;
  return panel("evidence", "For an auditor", html`<div class="body">${how}${form}</div>`);
}

interface Decision {
  /** "Reject" */
  readonly title: string;
  readonly follows: string;
  step(workplace: Workplace, before: Seen): Promise<unknown>;
}

function approve(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  return decided(visit, {
    title: "Approve",
    follows: "Once enough people have approved it, the next run sends its payments.",
    step: async (workplace, { batch, findings, groups, given }) => {
      // Sent twice, by a double click or from a second tab: the page shows that they have approved it.
      if (given.some((person) => isVisitor(visit, person))) return;
      if (findings !== undefined && field(form, "stamp") !== findings.stamp)
        throw fault("STATEMENT_CHANGED", { reason: "page" });
      await approveStep(workplace, batch.id, person, findings && acceptedIn(form, findings, groups));
    },
  });
}

function reject(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  return decided(visit, {
    title: "Reject",
    follows: "Its unsent payments will not be made.",
    step: (workplace, { batch: { id } }) =>
      recallStep(workplace, { reference: id, person, reason: reasonIn(form) }),
  });
}

/** If the step refuses, because another person was faster or a box was not ticked, the present page says so. */
async function decided(visit: Visit, decision: Decision): Promise<Answer> {
  const before = await seen(visit, batchFindings);
  if (before === undefined) return messagePage(404, NO_BATCH, `Nothing was done. ${ELSE}`);
  const step = (workplace: Workplace) => decision.step(workplace, before);
  const asking = { question: () => questionOf(before, decision), isAsked: true };
  const answer = await orProblem(() => decide(visit, step, `/batches/${before.batch.id}`, asking));
  return isProblem(answer) ? batchPage(visit, answer) : answer;
}

/** The question on the page to sign; the batch's page has shown all details. */
function questionOf({ batch, findings }: Seen, { title, follows }: Decision): Question {
  const content = facts([
    ["File", html`${batch.fileName}, ${batch.id}, sent in by ${batch.submittedBy}`],
    ["Sum", html`${counted(batch.rowCount, "payment")}, ${sums(batch.controlTotals)}`],
    ["Six words", findings && sixWords(findings)],
    ["What follows", follows],
  ]);
  return { title: `${title} ${batch.fileName}?`, content, button: title, back: `/batches/${batch.id}` };
}

async function batchPage(visit: Visit, notDone?: Problem): Promise<PageAnswer> {
  const now = await seen(visit, batchFindingsShown);
  if (now === undefined) return NOT_FOUND;
  const { batch, findings, evidence } = now;
  const lineage = seesAll(visit) ? await batchLineage(visit.workplace, batch) : undefined;
  const whyNot = await whyNoApproval(visit, now);
  const isOffered = whyNot === undefined;
  const isLookedThrough = findings === undefined && now.isOpen && seesAll(visit);
  const content = html`${header(visit, now, isOffered)}
${notDone && notDoneBanner(visit, notDone)}
${tiles(visit, now)}
${notesPanel(visit, now)}<div class="cols">
<div>${isLookedThrough && lookingPanel(now)}${lineage && lineagePanel(visit, batch, lineage)}
  ${findings !== undefined && (await lookPanel(visit, now, findings, isOffered))}
  ${findings?.lastTime !== undefined && lastTimePanel(visit, findings.lastTime)}${standingsPanel(now)}
  ${evidence !== undefined && (await evidencePanel(visit, now, evidence))}</div>
  <div>${findings !== undefined && balancePanel(visit, findings)}${approvalsPanel(visit, now)}
  ${evidenceFor(visit, now)}</div></div>
${await rowsPanel(visit, now)}${findings !== undefined && signPanel(visit, now, findings, whyNot)}
  ${rejection(visit, now)}
${
  isOffered &&
  html`<div class="sticky noprint"><b>${sums(batch.controlTotals)}</b>
  <a class="btn main" href="#sign">Go to sign</a></div>`
}`;
  return { title: batch.fileName, content, ...(notDone !== undefined && { status: 409 }) };
}

/** Why this person is not offered to approve; undefined if they are. */
async function whyNoApproval(
  visit: Visit,
  { batch, whyNot, given, findings }: Seen,
): Promise<string | undefined> {
  if (findings === undefined) return "None of its payments waits for an approval.";
  const problem = whyNot ?? findings.refusals[0];
  if (problem !== undefined) return said(visit, problem.message);
  const unknown = await whyNobodyCan(visit.workplace, batch);
  if (unknown !== undefined) return `${said(visit, unknown.message)} ${fixOf(visit, unknown)}`;
  const isGiven = given.some((person) => isVisitor(visit, person));
  return isGiven ? "You have approved it; others must as well." : undefined;
}

function header(
  visit: Visit,
  { batch, standings, isOpen, peopleNeeded, approvals, rejections }: Seen,
  isOffered: boolean,
): Html {
  const given = approvals.map(({ person }) => person).join(" and ");
  const isRejected = standings.size === 1 && standings.has("withdrawn");
  const isLeft = standings.has("approved") || standings.has("sending");
  const lede = isOpen
    ? peopleNeeded === undefined
      ? "No approval rule covers it, so it cannot be paid."
      : `${counted(peopleNeeded, "person approves", "people approve")} it; ` +
        `${given || "nobody"} ${approvals.length > 1 ? "have" : "has"}${isOffered ? ", and you can." : "."}`
    : isRejected
      ? html`${rejections.map((each) => html`${said(visit, each)} `)}Nothing in it is paid.`
      : `Approved by ${given || "nobody whose approval is valid"}.`;
  const at = isOpen ? 1 : isLeft ? 2 : 3;
  const way = steps(["Read", `Approval, ${approvals.length} of ${peopleNeeded ?? "?"}`, "Sent"], at);
  const act = isOffered && html`<a class="btn main" href="#look">Look and approve</a>`;
  const crumbs = html`<a href="/files">Files</a> / ${batch.id}`;
  const some = !isRejected && rejections.map((each) => html` Of some payments: ${each}.`);
  const decided = html`${counted(batch.rowCount, "payment")}. ${lede}${some}`;
  return head(batch.fileName, decided, act, crumbs, !isRejected && way);
}

/** "2.13 BTC in 24 hours, above 0.5 BTC": the sum, and the highest limit at which fewer people would do. */
function whyPeople(visit: Visit, { batch, peopleNeeded, together, isSubmitterUnproven }: Seen): string {
  if (peopleNeeded === undefined) return OF_RULES;
  const ofRule = isSubmitterUnproven ? peopleNeeded - 1 : peopleNeeded;
  const totals = together ?? batch.controlTotals;
  const why = whyRule(visit, ofRule, totals, together !== undefined);
  return isSubmitterUnproven ? `${why}; one more, because no signature says who sent it in` : why;
}

const OF_RULES = "by the rules for this sum";

function whyRule(visit: Visit, needed: number, totals: readonly ControlTotal[], isTogether: boolean): string {
  const { rules, windowHours } = visit.workplace.config.approval;
  const fewer = rules.filter(({ people }) => people < needed);
  const why = totals.flatMap(({ currency, amount: sum }) => {
    const limits = fewer
      .flatMap(({ upTo }) => upTo?.[currency] ?? [])
      .filter((limit) => limit.compare(sum) < 0);
    const [limit] = limits.toSorted((one, other) => other.compare(one));
    if (limit === undefined) return [];
    const within = isTogether ? ` in ${counted(windowHours, "hour")}` : "";
    const short = sum.rounded(SUM_DECIMALS);
    const shown = (short.compare(limit) > 0 ? short : sum).normalized().toString();
    return [`${shown} ${currency}${within}, above ${limit.normalized().toString()} ${currency}`];
  });
  return why.length > 0 ? why.join("; ") : OF_RULES;
}

/** For a sum within a sentence; the exact sum is shown beside it. */
const SUM_DECIMALS = 2;

function notesPanel(visit: Visit, { notes = [] }: Seen): Html | false {
  const all = html`<ul class="list">${notes.map((note) => html`<li>${said(visit, note)}</li>`)}</ul>`;
  return notes.length > 0 && panel("notes", "About the books", all, { note: "it is paid nevertheless" });
}

function tiles(visit: Visit, now: Seen): Html {
  const { batch, peopleNeeded } = now;
  return html`<dl class="tiles"><div><dt>Total</dt><dd>${sums(batch.controlTotals)}</dd>
  <dd>no exchange rate is known here</dd></div>
<div><dt>Payments</dt><dd>${batch.rowCount}</dd><dd>${batch.id}</dd></div>
<div><dt>Sent in</dt><dd>${time(visit, batch.submittedAt)}</dd>
<dd>by ${batch.submittedBy}, who may not approve it</dd></div>
<div><dt>It takes</dt><dd>${peopleNeeded === undefined ? "no rule" : counted(peopleNeeded, "person", "people")}</dd>
  <dd>${whyPeople(visit, now)}</dd></div></dl>`;
}

const FINDINGS_SHOWN = 20;
const FINDINGS_MAX = 2_000;

/** The payments that the groups mention, and how many of each group are shown. */
async function shownOf(visit: Visit, { batch, groups }: Seen, isOffered: boolean): Promise<Shown> {
  const { query, workplace } = visit;
  const max = field(query, "all") === "" ? FINDINGS_SHOWN : FINDINGS_MAX;
  const among = groups.flatMap(({ questions }) => questions.slice(0, max).map(({ row }) => row));
  const wanted = { find: "", order: "file", among, skip: 0, count: among.length } as const;
  const spoken = among.length === 0 ? [] : await batchRows(workplace, batch.id, wanted);
  const payments = new Map(spoken.map((payment) => [payment.row, payment]));
  return { visit, payments, max, hrefOfAll: `/batches/${batch.id}?all=1`, isOffered };
}

const NOTHING_FOUND = html`<div class="check"><p>No question is open, and nothing else was found.</p></div>`;

/** The findings before the decision, and who accepted them; still shown after the batch was sent. */
async function evidencePanel(visit: Visit, now: Seen, evidence: BatchEvidence): Promise<Html> {
  const { groups, approvals } = now;
  const shown = { ...(await shownOf(visit, now, false)), approvals };
  const others = information(visit, evidence);
  const content = html`${groups.map((group) => groupPart(group, shown))}${others}
    ${groups.length === 0 && others === false && NOTHING_FOUND}`;
  const people = approvals.map(({ person }) => person).join(" and ");
  const note = people === "" ? "before its approval" : `as shown to ${people}`;
  return panel("look", "What was looked at before the decision", content, { note });
}

async function lookPanel(visit: Visit, now: Seen, findings: BatchFindings, isOffered: boolean) {
  const { batch, groups } = now;
  const shown = await shownOf(visit, now, isOffered);
  const { max } = shown;
  const { length } = findings.refusals;
  const refused = html`${findings.refusals.slice(0, max).map(
    (each) => html`<p class="err">
    ${each.reference} ${said(visit, each.message)}</p><p class="fix">${fixOf(visit, each)}</p>`,
  )}`;
  const others = information(visit, { ...findings, ...findings.asked });
  const ticks = isOffered ? groups.filter(({ isAsked }) => isAsked).length : 0;
  const content = html`${
    length > 0 &&
    html`<div class="check"><h3>${counted(length, "reason")} why it may not be approved</h3>${refused}</div>`
  }${groups.map((group) => groupPart(group, shown))}${others}
    ${length + groups.length === 0 && others === false && NOTHING_FOUND}`;
  return html`<form id="ap" method="post" action="/batches/${batch.id}/approve">
    ${hidden("stamp", findings.stamp)}
    ${panel("look", "Look at these first", content, { note: ticks === 0 ? "nothing to tick" : `${ticks} to tick` })}
    </form>`;
}

/** Compares the batch with the last approved file of its layout. Only informs; the questions are above. */
function lastTimePanel(visit: Visit, lastTime: LastTime): Html {
  const rows = lastTimeFacts(lastTime).map(([label, value]) => [label, plain(visit, value)] as const);
  const content = html`<div class="body">${facts(rows)}</div>`;
  return panel("last-time", plain(visit, lastTimeTitle(lastTime)), content, { note: "nothing to tick" });
}

/** Reloads itself in browsers that run scripts. */
function lookingPanel({ batch }: Seen): Html {
  const path = `/batches/${batch.id}`;
  const content = html`<div class="body" hx-get="${path}" hx-trigger="load delay:2s" hx-target="#main"
    hx-select="#main" hx-swap="outerHTML"><p>Its ${counted(batch.rowCount, "payment")} are compared with all
    that was paid before. That takes some seconds; nobody can approve it until then.</p><p>
    <a class="btn" href="${path}">Look again</a></p></div>`;
  return panel("look", "Look at these first", content);
}

function balancePanel(visit: Visit, { effects }: BatchFindings): Html {
  const effectOn = (effect: KnownEffect) => {
    const { custodyAccount, currency, there, sentSince, approvedBefore, paid, fees, left } = effect;
    const line = (label: Part, value: typeof left, minus = "−") =>
      html`<tr><th scope="row">${label}</th>
        <td class="num">${value === undefined ? "not known here" : html`${minus}${amount(value, currency)}`}</td></tr>`;
    return html`<table class="sums"><caption class="vh">Effect on ${custodyAccount}</caption>
    <tbody>${line(html`${custodyAccount} holds`, there?.total.value, "")}
    ${sentSince !== undefined && line("Sent since the last look", sentSince)}
    ${!approvedBefore.isZero() && line("Approved before", approvedBefore)}${line(html`<b>This file</b>`, paid)}
    ${fees !== undefined && line("Fees, estimated", fees.approvedBefore.plus(fees.paid))}
    ${line("Left after it", left, "")}</tbody></table>
${left?.isNegative() && html`<p>${badge("bad", "not enough")}</p>`}
  ${
    there !== undefined &&
    html`<p class="small mute">As of the last look at the service, ${time(visit, there.observedAt)}.</p>`
  }`;
  };
  const content = html`<div class="body">${effects.map(effectOn)}
  <p class="small mute">This page shows the last known balance and does not ask the service.</p></div>`;
  return panel("bal", "What it does to the balance", content);
}

function approvalsPanel(
  visit: Visit,
  { approvals, given: inVain, peopleMissing: missing = 0 }: Seen,
): Html | false {
  const given = html`${approvals.map(
    ({ person, decidedAt, statement }) => html`<li>
  <p class="line"><b>${isVisitor(visit, person) ? "You" : person}</b>${badge("ok", "approved")}</p>
  <p class="small mute">${time(visit, decidedAt)}${statement !== undefined && ", signed; the signature is valid"}</p>
  </li>`,
  )}`;
  const isAnyone = approvals.length > 0 && inVain.length === 0;
  const more = isAnyone ? "One more approval" : counted(missing, "more person", "more people");
  const others = html`<li><p class="line"><b>${more}</b>
    ${badge("wait", "missing")}</p></li>`;
  if (approvals.length + missing === 0) return false;
  return panel("who-approved", "Who approved", html`<ol class="list">${given}${missing > 0 && others}</ol>`);
}

function standsAt(
  visit: Visit,
  { standing: at, notBefore, dayOff, mustBeApprovedAnew, payoutState, reason }: PaymentStatus,
) {
  const goesOn = notBefore && dayText(visit, notBefore);
  const moved = dayOff !== undefined && html`<span class="sub">${dayText(visit, dayOff)} is a day off</span>`;
  if (at === "received") return dayOff === undefined ? "" : html`goes on ${goesOn}${moved}`;
  const waits = notBefore === undefined ? standing(at, payoutState) : badge("wait", `waits for ${goesOn}`);
  const mark = mustBeApprovedAnew ? badge("warn", "must be approved again") : waits;
  return html`${mark}${moved}<span class="sub mono">${payoutState}</span>
    <span class="sub">${reason && plain(visit, reason)}</span>`;
}

/** The count of some of the payments opens them, among the rows below. */
function standingsPanel({ batch, standings }: Seen): Html | false {
  if (standings.size === 1 && standings.has("received")) return false;
  const line = (at: ShownStanding, count: number) => {
    const rows = `/batches/${batch.id}?${new URLSearchParams({ at }).toString()}#rows`;
    const payments = counted(count, "payment");
    const some =
      count === batch.rowCount ? html`<b>${payments}</b>` : html`<a href="${rows}">${payments}</a>`;
    return html`<li><p class="line">${standingBadge(at)}${some}</p></li>`;
  };
  const shown = SHOWN_STANDINGS.filter((at) => standings.has(at));
  const lines = html`<ul class="list">${shown.map((at) => line(at, standings.get(at) ?? 0))}</ul>`;
  return panel("stands", "Where its payments stand", lines);
}

const ROWS_SHOWN = 100;

const ORDERS = { largest: "largest first", file: "as in the file", payee: "by payee" };

const SHORT: Partial<Record<Group["kind"], string>> = {
  alike: "look-alikes",
  changed: "new addresses",
  other: "other names",
  repeats: "paid before",
};

/** What of the rows a visitor asks for. */
function rowsAsked({ query }: Visit, { groups }: Seen) {
  const orders = Object.keys(ORDERS) as RowsWanted["order"][];
  return {
    find: field(query, "find").trim(),
    order: orders.find((name) => name === field(query, "order")) ?? "largest",
    only: groups.find(({ kind }) => kind === field(query, "only")),
    at: shownStandingIn(field(query, "at")),
    skip: Math.max(0, Number.parseInt(field(query, "skip"), 10) || 0),
  };
}

async function rowsPanel(visit: Visit, now: Seen): Promise<Html> {
  const { workplace } = visit;
  const { batch, groups, standings } = now;
  const asked = rowsAsked(visit, now);
  const { find, order, only, at, skip } = asked;
  const among = only?.questions.map(({ row }) => row);
  const wanted = { find, order, among, standing: at, skip, count: ROWS_SHOWN + 1 };
  const found = await batchRows(workplace, batch.id, wanted);
  const rows = found.slice(0, ROWS_SHOWN);
  const bar = rowsBar(now, asked);
  if (rows.length === 0)
    return panel("rows", "Rows", html`${bar}${empty("No such rows", "Look for something else.")}`);
  const link = (label: string, to: number) => {
    const query = { find, order, only: only?.kind ?? "", at: at ?? "", skip: String(to) };
    return html`<a href="/batches/${batch.id}?${new URLSearchParams(query).toString()}#rows">${label}</a> `;
  };
  const numbers = rows.map(({ row }) => row);
  const beside = await batchTexts(workplace, batch, numbers);
  const last = skip + rows.length;
  const of = among?.length ?? (at === undefined ? batch.rowCount : standings.get(at));
  const foot = html`<div class="foot">Rows ${skip + 1} to ${last}
    ${find === "" && (at === undefined || among === undefined) && ` of ${of}`}.
    ${skip > 0 && link("Earlier", Math.max(0, skip - ROWS_SHOWN))}
    ${found.length > ROWS_SHOWN && link(`Next ${ROWS_SHOWN}`, last)}</div>`;
  return panel("rows", "Rows", html`${bar}${rowsTable(visit, rows, marksOf(groups), beside)}${foot}`);
}

/** The form above the rows. */
function rowsBar(
  { batch, groups, standings }: Seen,
  { find, order, only, at }: ReturnType<typeof rowsAsked>,
): Html {
  const kinds = groups
    .filter(({ questions }) => questions.length > 0)
    .map(({ kind, questions }) => [kind, `${SHORT[kind]}, ${questions.length}`] as const);
  const ats = SHOWN_STANDINGS.filter((each) => standings.has(each) || each === at).map(
    (each) => [each, `${STANDING_WORDS[each]}, ${standings.get(each) ?? 0}`] as const,
  );
  return html`<form class="bar" method="get" action="/batches/${batch.id}#rows">
  <div class="field grow"><label for="f-find">Find in these rows</label>
  <input id="f-find" name="find" type="search" value="${find}" maxlength="200"></div>
${kinds.length > 0 && selectField("f-only", "only", "Show", [["", `all ${batch.rowCount}`], ...kinds], only?.kind)}
${(standings.size > 1 || at !== undefined) && selectField("f-at", "at", "Stands at", [["", "any"], ...ats], at)}
${selectField("f-order", "order", "Order", Object.entries(ORDERS), order)}
  <button class="btn">Show</button></form>`;
}

const NOBODY_NAMED = html`<span class="mute">no payee named</span>`;

function rowsTable(
  visit: Visit,
  rows: readonly PaymentStatus[],
  marks: ReadonlyMap<number, Html>,
  beside: TextsBeside | undefined,
): Html {
  const texts = new Map(beside?.rows.map((each) => [each.row, each.texts]));
  const besideOf = (row: number) =>
    texts
      .get(row)
      ?.map(
        (text, at) => text !== "" && html`<span class="sub beside">${beside?.columns[at]}: ${text}</span>`,
      );
  const broad = ["Payee and address", "Stands at"].map((label) => ({ label, kind: "broad" as const }));
  const cells = rows.map((payment) => {
    const { row, fields } = payment;
    const { payOn } = fields;
    const [at, mark] = [standsAt(visit, payment), marks.get(row)];
    return [
      html`${referenceLink(fields.reference)}<span class="sub">row ${row}</span>`,
      html`${fields.customerId === undefined ? NOBODY_NAMED : fromFile(fields.customerId)}<span class="sub">
        <span class="addr">${addressIn(fields)}</span></span>
        ${payOn !== undefined && html`<span class="sub">on ${dayText(visit, payOn)}</span>`}${besideOf(row)}`,
      mark === undefined ? at : html`${at}${mark}`,
      money(fields.amount),
    ];
  });
  return table("Payments of this batch", ["Reference", ...broad, { label: "Amount", kind: "lead" }], cells);
}

/** Two approvers read these words to each other. */
function sixWords({ words }: BatchFindings): Html {
  return html`<b class="spoken">${words}</b>`;
}

function signPanel(visit: Visit, now: Seen, findings: BatchFindings, whyNot?: string): Html {
  const { sending } = findings;
  const { config, context } = visit.workplace;
  const { batch, groups } = now;
  const not = html`<div class="body"><p>You cannot approve it. ${whyNot}</p>
  <p>Six words, to compare by telephone: ${sixWords(findings)}</p></div>`;
  if (whyNot !== undefined) return panel("sign", "Approve", not);
  const isProven = !isTrial(config);
  const until = shifted(context.clock.now(), config.approval.validDays * DAY_MS);
  const accepted = groups.filter(({ isAsked }) => isAsked).map(({ title }) => html`<p>${title}</p>`);
  const intro = isProven
    ? "The next page shows in full what you sign: your key signs these words and no others. Anyone can verify that " +
      "later without Paydrop."
    : "In a trial the desk signs for you, with a key of the trial that is worth nothing elsewhere.";
  const shown = html`<dl class="kv"><dt>Decision</dt><dd><b>approve</b></dd><dt>File</dt>
  <dd>${batch.fileName}, ${batch.id}</dd><dt>Sum</dt>
  <dd>${counted(batch.rowCount, "payment")}, ${sums(batch.controlTotals)}</dd>
<dt>Six words</dt><dd>${sixWords(findings)}<span class="sub">Read them to the other approver by telephone:
  theirs must be the same. They change with anything of what is approved.</span></dd>
<dt>Accepted</dt><dd>${accepted.length === 0 ? "nothing has to be" : accepted}</dd><dt>Rows (digest)</dt>
<dd><span class="hash">${batch.digest.replace(/.{8}\B/g, "$& ")}</span></dd><dt>Service</dt>
<dd>${sending.baseUrl}, ${[...new Set(sending.calls.map(({ operation }) => operationText(operation)))].join(", ")}
  </dd><dt>By</dt><dd>${visit.person}, valid until ${time(visit, until)}</dd></dl>`;
  const act = html`<div class="acts"><button class="btn main big" form="ap">${isProven && KEY}
    ${isProven ? "Approve and sign…" : "Approve"}</button></div>`;
  const content = html`<div class="body"><p>${intro}</p>${shown}${act}</div>`;
  return panel("sign", isProven ? "Sign" : "Approve", content);
}

/**
 * Offered while nothing was sent. Approved payments can be rejected only in a process that has the service's keys,
 * because it takes the lanes of these keys.
 */
function rejection(visit: Visit, { batch, standings }: Seen): Html | false {
  const isApproved = standings.has("approved");
  if (!hasRole(visit, ...REJECT) || !(isApproved || standings.has("received"))) return false;
  const isElsewhere = isApproved && visit.workplace.keyId() === undefined;
  const how = isElsewhere
    ? html`<p>What is approved can be rejected only at the desk of the machine that sends.</p>`
    : html`<p>Its unsent payments are then not paid, and the reason is kept.</p><p class="acts">
    <button class="btn stop" type="button" popovertarget="reject">Reject…</button></p>`;
  const consequence = html`<p>${counted(batch.rowCount, "payment")}, ${sums(batch.controlTotals)}, sent in
    by ${batch.submittedBy}.</p><p>Its unsent payments will not be made. ${batch.submittedBy} may
    send in a corrected file.</p>${words("why", `Reason, for ${batch.submittedBy} and the record`)}`;
  return html`${panel("no", "Reject", html`<div class="body">${how}</div>`)}
    ${ask(
      "reject",
      `Reject ${batch.fileName}?`,
      `/batches/${batch.id}/reject`,
      consequence,
      html`<button class="btn stop">Reject</button>`,
    )}`;
}
