/** A batch: may it be paid, what speaks against it, who approved; and afterwards where each of its payments stands. */
import { fault, isProblem, orProblem, type Problem } from "../../faults/index.ts";
import {
  DAY_MS,
  destinationOf,
  payoutStateMeaning,
  personKey,
  type Standing,
  shifted,
} from "../../model/index.ts";
import { approveStep } from "../../pipeline/approve-step.ts";
import {
  type BatchFindings,
  type BatchStanding,
  batchFindings,
  batchRows,
  batchStep,
  type KnownEffect,
  type RowsWanted,
} from "../../pipeline/batch-step.ts";
import { recallStep } from "../../pipeline/recall-step.ts";
import type { PaymentStatus } from "../../pipeline/status/payment-status.ts";
import { decide } from "../decide.ts";
import { type Html, html, type Part } from "../html.ts";
import { KEY } from "../icons.ts";
import { type Answer, field, hasRole, type Page, type PageAnswer, seesAll, type Visit } from "../page.ts";
import {
  amount,
  ask,
  badge,
  banner,
  counted,
  day,
  empty,
  hidden,
  panel,
  sums,
  table,
  time,
  words,
} from "../parts.ts";
import { messagePage } from "../refusals.ts";
import { acceptedIn, findingsParts, type Kind, kindOf, rowGroups, toTick } from "./batch-findings.ts";
import { reasonIn } from "./jobs.ts";

const SEE = ["viewer", "submitter", "approver", "operator", "controller", "admin"] as const;
const REJECT = ["approver", "operator"] as const;

/** Whoever an approval rule lists may approve: the step knows. */
export const batchPages: readonly Page[] = [
  { method: "GET", path: "/batches/:id", roles: SEE, handle: (visit) => batchPage(visit) },
  { method: "POST", path: "/batches/:id/approve", roles: SEE, handle: approve },
  { method: "POST", path: "/batches/:id/reject", roles: REJECT, handle: reject },
];

interface Seen extends BatchStanding {
  /** Only while it awaits an approval, for who sees all. */
  readonly findings?: BatchFindings;
}

/** Undefined for what this person may not know of. */
async function seen(visit: Visit): Promise<Seen | undefined> {
  const { workplace, person, params } = visit;
  const standing = await batchStep(workplace, params["id"] ?? "", person);
  if (standing === undefined) return undefined;
  const { batch, isOpen } = standing;
  if (!seesAll(visit)) return personKey(batch.submittedBy) === personKey(person) ? standing : undefined;
  return isOpen ? { ...standing, findings: await batchFindings(workplace, batch) } : standing;
}

function notFound(): PageAnswer {
  return messagePage(
    404,
    "There is no such batch",
    "It may have another number, or it is not for you to see.",
  );
}

async function approve(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const before = await seen(visit);
  if (before === undefined) return notFound();
  const { batch, findings } = before;
  return done(visit, batch.id, () =>
    decide(
      visit,
      async (workplace) => {
        if (findings !== undefined && field(form, "stamp") !== findings.stamp)
          throw fault("STATEMENT_CHANGED", { reason: "what must be looked at is not what this page showed" });
        return approveStep(workplace, batch.id, person, findings && acceptedIn(form, findings));
      },
      () => ({ goTo: `/batches/${batch.id}` }),
    ),
  );
}

async function reject(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const before = await seen(visit);
  if (before === undefined) return notFound();
  const { id } = before.batch;
  return done(visit, id, () =>
    decide(
      visit,
      (workplace) => recallStep(workplace, { reference: id, person, reason: reasonIn(form) }),
      () => ({ goTo: `/batches/${id}` }),
    ),
  );
}

/** If a step refuses, because somebody was faster or a box was not ticked, the page as it is now says so. */
async function done(visit: Visit, id: string, work: () => Promise<Answer>): Promise<Answer> {
  const answer = await orProblem(work);
  return isProblem(answer) ? batchPage({ ...visit, url: `/batches/${id}` }, answer) : answer;
}

async function batchPage(visit: Visit, notDone?: Problem): Promise<PageAnswer> {
  const now = await seen(visit);
  if (now === undefined) return notFound();
  const { batch, findings } = now;
  const whyNot = whyNoApproval(visit, now);
  const look = findings === undefined ? html`` : await lookPanel(visit, now, findings, whyNot === undefined);
  const aside = html`${findings !== undefined && balancePanel(visit, findings)}${approvalsPanel(visit, now)}`;
  const content = html`${header(now, whyNot === undefined)}
${notDone !== undefined && banner("bad", "Not done", html`<b>Nothing was done.</b> ${sentence(notDone.message)} ${notDone.fix}`)}
${tiles(visit, now)}
<div class="cols"><div>${look}${standingsPanel(now)}</div><div>${aside}</div></div>
${await rowsPanel(visit, now)}
${now.isOpen && seesAll(visit) && signPanel(visit, now, whyNot)}${rejection(visit, now)}
${whyNot === undefined && html`<div class="sticky noprint"><b>${sums(batch.controlTotals)}</b><a class="btn main" href="#sign">Go to sign</a></div>`}`;
  return { title: batch.fileName, content, ...(notDone !== undefined && { status: 409 }) };
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** Why this person is not offered to approve; undefined if they are. */
function whyNoApproval({ person }: Visit, { isOpen, whyNot, approvals, findings }: Seen): string | undefined {
  if (!isOpen || findings === undefined) return "Nothing of it waits for an approval.";
  if (whyNot !== undefined) return sentence(whyNot.message);
  const [refusal] = findings.refusals;
  if (refusal !== undefined) return sentence(refusal.message);
  const isGiven = approvals.some((each) => personKey(each.person) === personKey(person));
  return isGiven ? "You have approved it; others must as well." : undefined;
}

function missing({ isOpen, peopleNeeded = 0, approvals }: BatchStanding): number {
  return isOpen ? Math.max(1, peopleNeeded - approvals.length) : 0;
}

function header(now: Seen, isOffered: boolean): Html {
  const { batch, standings, isOpen, peopleNeeded, approvals } = now;
  const given = approvals.map(({ person }) => person).join(" and ");
  const waits =
    peopleNeeded === undefined
      ? "No approval rule covers it, so that it cannot be paid."
      : `${counted(peopleNeeded, "person approves", "people approve")} it; ${given === "" ? "nobody has" : `${given} has`}${isOffered ? ", and you can." : "."}`;
  const isLeft = ["approved", "sending", "in doubt", "held"].some((each) => standings.has(each as Standing));
  const at = isOpen ? 1 : isLeft ? 2 : 3;
  const steps = ["Read", `Approval, ${approvals.length} of ${peopleNeeded ?? "?"}`, "Sent"].map(
    (label, index) =>
      index < at
        ? html`<li class="done"><b>✓</b>${label}</li>`
        : html`<li${index === at && html` aria-current="step"`}><b>${index + 1}</b>${label}</li>`,
  );
  const isWithdrawn = standings.size === 1 && standings.has("withdrawn");
  const acts =
    isOffered && html`<div class="acts"><a class="btn main" href="#look">Look and approve</a></div>`;
  return html`<header class="head"><div><p class="crumbs"><a href="/files">Files</a> / ${batch.id}</p><h1>${batch.fileName}</h1><p class="lede">${counted(batch.rowCount, "payment")}. ${isOpen ? waits : isWithdrawn ? "It was rejected, and nothing of it is paid." : `Approved by ${given || "nobody whose approval holds"}.`}</p>${!isWithdrawn && html`<ol class="steps">${steps}</ol>`}</div>${acts}</header>`;
}

function tiles({ workplace: { config, context } }: Visit, { batch, peopleNeeded, together }: Seen): Html {
  const [zone, now] = [config.ledger.timeZone, context.clock.now()];
  const needed = peopleNeeded === undefined ? "no rule" : counted(peopleNeeded, "person", "people");
  return html`<dl class="tiles"><div><dt>Total</dt><dd>${sums(batch.controlTotals)}</dd><dd>in fiat not known here</dd></div>
<div><dt>Payments</dt><dd>${batch.rowCount}</dd><dd>${batch.id}</dd></div>
<div><dt>Sent in</dt><dd>${time(zone, batch.submittedAt, now)}</dd><dd>by ${batch.submittedBy}, who may not approve it</dd></div>
<div><dt>Approved by</dt><dd>${needed}</dd><dd>${together === undefined ? "by the rules for this sum" : html`because ${sums(together)} go out together`}</dd></div></dl>`;
}

const FINDINGS_SHOWN = 20;
const FINDINGS_MAX = 2_000;

async function lookPanel(
  visit: Visit,
  { batch }: Seen,
  findings: BatchFindings,
  isOffered: boolean,
): Promise<Html> {
  const max = field(visit.query, "all") === "" ? FINDINGS_SHOWN : FINDINGS_MAX;
  const among = rowGroups(findings).flatMap(({ found }) => found.slice(0, max).map(({ row }) => row));
  const spoken =
    among.length === 0
      ? []
      : await batchRows(visit.workplace, batch.id, { ...ANY, among, count: among.length });
  const ticks = isOffered ? toTick(findings, visit.workplace.config) : [];
  const parts = findingsParts(findings, {
    payments: new Map(spoken.map((payment) => [payment.row, payment])),
    max,
    hrefOf: ({ id }) => `/batches/${batch.id}?all=1#${id}`,
    ticks: ticks.map(({ kind }) => kind),
  });
  const [refusal] = findings.refusals;
  const others = findings.refusals.length - 1;
  const refused =
    refusal !== undefined &&
    html`<div class="body"><p class="err">${sentence(refusal.message)} ${others > 0 && `So are ${others} others.`}</p><p>${refusal.fix}</p></div>`;
  const inside = html`${refused}${parts}`;
  const note = ticks.length === 0 ? "nothing to tick" : `${ticks.length} to tick`;
  return html`<form id="ap" method="post" action="/batches/${batch.id}/approve">${hidden("stamp", findings.stamp)}${panel("look", "Look at these first", inside, { note })}</form>`;
}

function balancePanel(visit: Visit, { effects }: BatchFindings): Html {
  const { config, context } = visit.workplace;
  const line = (label: string, value: Part) =>
    html`<tr><th scope="row">${label}</th><td class="num">${value}</td></tr>`;
  const tableOf = ({ custodyAccount, currency, there, approvedBefore, paid, fees, left }: KnownEffect) => {
    const of = (value: typeof paid) => amount(value, currency);
    return html`<table class="sums"><caption class="vh">Effect on ${custodyAccount}</caption><tbody>${line(custodyAccount, there === undefined ? "not known here" : of(there.total.value))}
${!approvedBefore.isZero() && line("Approved before", html`−${of(approvedBefore)}`)}${line("This file", html`<b>−${of(paid)}</b>`)}
${fees !== undefined && line("Fees, estimated", html`−${of(fees.approvedBefore.plus(fees.paid))}`)}${line("Left after it", left === undefined ? "not known here" : html`${left.isNegative() && badge("bad", "short")} ${of(left)}`)}</tbody></table>
${there !== undefined && html`<p class="small mute">As of the last look at the service, ${time(config.ledger.timeZone, there.observedAt, context.clock.now())}.</p>`}`;
  };
  const note = html`<p class="small mute">The desk never asks the service: <code>paydrop preview</code> on the machine that pays does, and shows fiat.</p>`;
  return panel(
    "bal",
    "What it does to the balance",
    html`<div class="body">${effects.map(tableOf)}${note}</div>`,
  );
}

function approvalsPanel({ workplace: { config, context }, person }: Visit, now: Seen): Html {
  const zone = config.ledger.timeZone;
  const given = now.approvals.map(
    ({ person: by, decidedAt, statement }) =>
      html`<li><p class="line"><b>${personKey(by) === personKey(person) ? "You" : by}</b>${badge("ok", "approved")}</p><p class="small mute">${time(zone, decidedAt, context.clock.now())}${statement !== undefined && ", signed; the signature holds"}</p></li>`,
  );
  const count = missing(now);
  const open =
    count > 0 &&
    html`<li><p class="line"><b>${counted(count, "more person", "more people")}</b>${badge("wait", "missing")}</p></li>`;
  if (given.length === 0 && count === 0) return html``;
  return panel("who-approved", "Who approved", html`<ol class="list">${given}${open}</ol>`);
}

const STANDS: Readonly<Record<Standing, readonly [Parameters<typeof badge>[0], string]>> = {
  received: ["wait", "waits for approval"],
  approved: ["wait", "approved"],
  sending: ["run", "being sent"],
  accepted: ["ok", "taken by the service"],
  refused: ["bad", "refused"],
  "in doubt": ["doubt", "in doubt"],
  held: ["warn", "held"],
  withdrawn: ["off", "withdrawn"],
  abandoned: ["off", "given up"],
};

const ARRIVAL: Readonly<Record<string, readonly [Parameters<typeof badge>[0], string]>> = {
  open: ["run", "on its way"],
  done: ["ok", "arrived"],
  failed: ["bad", "failed"],
};

function standingsPanel({ standings }: Seen): Html {
  if (standings.size === 1 && standings.has("received")) return html``;
  const lines = [...standings].map(
    ([standing, count]) =>
      html`<li><p class="line">${badge(...STANDS[standing])}<b>${counted(count, "payment")}</b></p></li>`,
  );
  return panel("stands", "Where its payments stand", html`<ul class="list">${lines}</ul>`);
}

const ROWS_SHOWN = 100;
const ANY = { find: "", order: "file", skip: 0 } as const;

const ORDERS: readonly (readonly [RowsWanted["order"], string])[] = [
  ["largest", "largest first"],
  ["file", "as in the file"],
  ["payee", "by payee"],
];

async function rowsPanel(visit: Visit, { batch, findings }: Seen): Promise<Html> {
  const { query, workplace } = visit;
  const find = field(query, "find").trim();
  const [order] = ORDERS.find(([name]) => name === field(query, "order")) ?? ["largest" as const];
  const groups = findings === undefined ? [] : rowGroups(findings);
  const only = groups.find(({ kind }) => kind.id === field(query, "only"));
  const skip = Math.max(0, Number.parseInt(field(query, "skip"), 10) || 0);
  const among = only?.found.map(({ row }) => row);
  const found = await batchRows(workplace, batch.id, { find, order, among, skip, count: ROWS_SHOWN + 1 });
  const rows = found.slice(0, ROWS_SHOWN);
  const link = (label: string, to: number) => {
    const search = new URLSearchParams({ find, order, only: only?.kind.id ?? "", skip: String(to) });
    return html`<a href="/batches/${batch.id}?${search.toString()}#rows">${label}</a> `;
  };
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen && html` selected`}>${label}</option>`;
  const bar = html`<form class="bar" method="get" action="/batches/${batch.id}#rows"><div class="field grow"><label for="f-find">Find in these rows</label><input id="f-find" name="find" type="search" value="${find}" maxlength="200"></div>
${groups.length > 0 && html`<div class="field"><label for="f-only">Show</label><select id="f-only" name="only">${option("", `all ${batch.rowCount}`, only === undefined)}${groups.map(({ kind, found: some }) => option(kind.id, `${kind.mark?.[1]}, ${some.length}`, kind === only?.kind))}</select></div>`}
<div class="field"><label for="f-order">Order</label><select id="f-order" name="order">${ORDERS.map(([name, label]) => option(name, label, name === order))}</select></div><button class="btn">Show</button></form>`;
  const last = skip + rows.length;
  const foot = html`<div class="foot">Rows ${skip + 1} to ${last}${find === "" && ` of ${among?.length ?? batch.rowCount}`}. ${skip > 0 && link("Earlier", Math.max(0, skip - ROWS_SHOWN))}${found.length > ROWS_SHOWN && link(`Next ${ROWS_SHOWN}`, last)}</div>`;
  const marks = marksOf(findings);
  const body =
    rows.length === 0
      ? empty("No such rows", "Look for something else.")
      : html`${rowsTable(visit, rows, marks)}${foot}`;
  return panel("rows", "Rows", html`${bar}${body}`);
}

/** What is to be looked at, by row. */
function marksOf(findings: BatchFindings | undefined): (row: number) => readonly Kind[] {
  const kinds = new Map<number, Set<Kind>>();
  for (const question of findings?.questions ?? [])
    kinds.set(question.row, (kinds.get(question.row) ?? new Set()).add(kindOf(question)));
  return (row) => [...(kinds.get(row) ?? [])];
}

function rowsTable(
  visit: Visit,
  rows: readonly PaymentStatus[],
  marksAt: (row: number) => readonly Kind[],
): Html {
  const columns = [
    { label: "Reference" },
    { label: "Payee and address" },
    { label: "Stands at" },
    { label: "Amount", kind: "lead" },
  ] as const;
  const cells = rows.map((payment) => {
    const { row, fields, reason } = payment;
    return [
      html`<a href="/payments?q=${encodeURIComponent(fields.reference)}">${fields.reference}</a><span class="sub">row ${row}</span>`,
      html`${fields.customerId ?? html`<span class="mute">no payee named</span>`}<span class="sub"><span class="addr">${destinationOf(fields)}</span></span>${fields.payOn !== undefined && html`<span class="sub">on ${fields.payOn}</span>`}`,
      html`${standsAt(visit, payment)}${marksAt(row).map(({ mark }) => mark !== undefined && html` ${badge(...mark)}`)}${reason !== undefined && html`<span class="sub">${reason}</span>`}`,
      amount(fields.amount.value, fields.amount.currency),
    ];
  });
  return table("Payments of this batch", columns, cells);
}

function standsAt({ workplace: { config, context } }: Visit, payment: PaymentStatus): Html | false {
  const { standing, notBefore, mustBeApprovedAnew, payoutState } = payment;
  if (mustBeApprovedAnew) return badge("warn", "must be approved again");
  if (standing === "received") return false;
  if (standing === "approved" && notBefore !== undefined)
    return badge(
      "wait",
      `waits for ${day(config.ledger.timeZone, `${notBefore}T12:00:00.000Z`, context.clock.now())}`,
    );
  const arrival =
    payoutState === undefined ? undefined : ARRIVAL[payoutStateMeaning(payoutState) ?? "unknown"];
  const said = payoutState !== undefined && html` <span class="sub mono">${payoutState}</span>`;
  return html`${badge(...(arrival ?? STANDS[standing]))}${said}`;
}

function signPanel(
  { workplace: { config, context }, person }: Visit,
  { batch, findings }: Seen,
  whyNot?: string,
): Html {
  const isProven = config.approval.identity === "proven";
  if (findings === undefined || whyNot !== undefined)
    return panel(
      "sign",
      "Approve",
      html`<div class="body"><p>You are not offered to approve this batch. ${whyNot}</p></div>`,
    );
  const now = context.clock.now();
  const until = shifted(now, config.approval.validDays * DAY_MS);
  const accepted = toTick(findings, config).map(({ kind, count }) => kind.title(count));
  const { baseUrl, calls } = findings.sending;
  const digest = batch.digest.match(/.{1,8}/g)?.join(" ");
  const intro = isProven
    ? "The next page shows in full what you sign. Your passkey, or SSH key, signs these words and no others; anyone can verify the signature later without Paydrop."
    : "In a trial nothing is signed: a name is all it takes.";
  return panel(
    "sign",
    isProven ? "Sign" : "Approve",
    html`<div class="body"><p>${intro}</p><dl class="kv"><dt>Decision</dt><dd><b>approve</b></dd><dt>File</dt><dd>${batch.fileName}, ${batch.id}</dd><dt>Sum</dt><dd>${counted(batch.rowCount, "payment")}, ${sums(batch.controlTotals)}</dd>
<dt>Accepted</dt><dd>${accepted.length === 0 ? "nothing has to be" : accepted.join("; ")}</dd><dt>Rows (digest)</dt><dd><span class="hash">${digest}</span></dd><dt>Service</dt><dd>${baseUrl}, ${[...new Set(calls.map(({ operation }) => operation))].join(", ")}</dd><dt>By</dt><dd>${person}, valid until ${time(config.ledger.timeZone, until, now)}</dd></dl>
<div class="acts"><button class="btn main big" form="ap">${isProven && KEY}${isProven ? "Approve and sign…" : "Approve"}</button></div></div>`,
  );
}

/** While nothing was sent; approved payments only where the keys of the service are, which a run must not be using. */
function rejection(visit: Visit, { batch, standings }: Seen): Html {
  const isApproved = standings.has("approved");
  if (!hasRole(visit, ...REJECT) || !(standings.has("received") || isApproved)) return html``;
  if (isApproved && visit.workplace.keyId() === undefined)
    return panel(
      "no",
      "Take back",
      html`<div class="body"><p>What is approved is taken back on the machine that pays: <code>paydrop recall ${batch.id}</code></p></div>`,
    );
  const [label, title] = isApproved
    ? ["Take back", "Take back what was not sent?"]
    : ["Reject", "Reject this file?"];
  const consequence = html`<p>None of its payments that were not sent is made. ${batch.submittedBy} is told why, and may send in a corrected file.</p>${words("why", `Reason, for ${batch.submittedBy} and the record`)}`;
  const open = html`<div class="body"><p>Nothing of it is paid then, and the reason is kept.</p><p class="acts"><button class="btn stop" type="button" popovertarget="reject">${label}…</button></p></div>`;
  return html`${panel("no", label ?? "", open)}${ask("reject", title ?? "", `/batches/${batch.id}/reject`, consequence, html`<button class="btn stop">${label}</button>`)}`;
}
