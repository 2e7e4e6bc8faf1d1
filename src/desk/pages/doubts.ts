/** Doubts: what may have been paid or not, the evidence as a picture and in words, and the choices that it allows. */
import { noTransport } from "../../context/transport.ts";
import { type Instant, payoutId, type Submission } from "../../model/index.ts";
import { type Resolving, resolveDoubtStep } from "../../pipeline/doubt-step.ts";
import type { Choice } from "../../pipeline/payments/doubt-choices.ts";
import { type ChangeDoubt, type Doubt, listDoubts } from "../../pipeline/status/doubts.ts";
import { decide, inShell, type Question } from "../decide.ts";
import { exact, type Html, html, type Part } from "../html.ts";
import { type Answer, field, hasRole, type Page, SEE, type Visit } from "../page.ts";
import * as parts from "../parts.ts";
import { messagePage } from "../refusals.ts";
import { reasonIn } from "./jobs.ts";
import { addressIn, ROWS_MAX, standing, storyPath } from "./payments.ts";

const { age, counted, empty, formatted, head, hidden, money } = parts;
const { facts, panel, SUM, sentence, table, time, words } = parts;

export const doubtPages: readonly Page[] = [
  { method: "GET", path: "/doubts", roles: SEE, nav: { group: "Work", label: "Doubts" }, handle: doubtsPage },
  { method: "GET", path: "/doubts/payment", roles: SEE, handle: doubtPage },
  { method: "POST", path: "/doubts/resolve", roles: ["operator"], handle: resolve },
];

async function doubtsPage({ workplace }: Visit): Promise<Answer> {
  const { payments, changes, underWay } = await listDoubts(workplace);
  const cells = payments
    .slice(0, ROWS_MAX)
    .map(({ instruction: { fields, standing: at, reason }, ageMs }) => {
      const { reference, customerId } = fields;
      const named = html`<a href="/doubts/payment?reference=${encodeURIComponent(reference)}">${reference}</a><span class="sub">${customerId}</span>`;
      return [named, standing(at), reason, age(ageMs), money(fields.amount)];
    });
  const isNone = cells.length === 0;
  const lede = isNone
    ? "Every payment that was sent has a known outcome."
    : "What may have been paid, or not. Nothing of it is sent again unless somebody says so.";
  const list = table("Payments in doubt or held", ["Reference", "Stands at", "Why", "For", SUM], cells);
  const sending = underWay.slice(0, ROWS_MAX).map(({ fields: { reference } }) => reference);
  const content = html`${head("Doubts", lede)}${panel("doubts", "Payments", isNone ? empty("No payment is in doubt", "That is good.") : list, { note: counted(payments.length, "payment") })}
${changes.length > 0 && panel("changes", "Deposits, voids and authorizations", html`<ul class="list">${changes.slice(0, ROWS_MAX).map(changeLine)}</ul>`)}
${sending.length > 0 && panel("sending", "Being sent, or left by a run that died", html`<ul class="list">${sending.map((reference) => html`<li><a href="${storyPath(reference)}">${reference}</a></li>`)}</ul><div class="foot">The next run looks for what was left.</div>`)}`;
  return { title: "Doubts", content };
}

function changeLine({ change: { id, operation, subject, evidence }, ageMs, choices }: ChangeDoubt): Html {
  return html`<li><h3>${operation} of ${subject}</h3><p class="small">In doubt for ${age(ageMs)}. ${evidence}</p>${choices.map((choice) => html`<p class="small">${command(`resolve-change ${id}`, choice)} ${worded(choice.consequence)}</p>`)}</li>`;
}

async function openDoubt({ workplace }: Visit, reference: string): Promise<Doubt | undefined> {
  const { payments } = await listDoubts(workplace);
  return payments.find(({ instruction }) => instruction.fields.reference === reference);
}

async function doubtPage(visit: Visit): Promise<Answer> {
  const reference = field(visit.query, "reference");
  const doubt = await openDoubt(visit, reference);
  // Somebody was faster, or a look has found it.
  if (doubt === undefined) return { goTo: storyPath(reference) };
  const { submission, instruction } = doubt;
  const { fields, standing: at, batchId, row, reason } = instruction;
  const crumbs = html`<a href="/doubts">Doubts</a> / <a href="/batches/${batchId}">${batchId}</a>, row ${row}`;
  const lede = html`${money(fields.amount)} to ${fields.customerId ?? addressIn(fields)} ${submission === undefined ? "was not sent" : "may have been paid, or not"}. Nothing is sent again unless somebody says so.`;
  const act = html`<a class="btn" href="${storyPath(reference)}">Its story</a>`;
  const content = html`${head(html`${reference} ${standing(at)}`, lede, act, crumbs)}
${panel("known", "What is known", html`<div class="body">${submission && picture(visit, submission, doubt)}<dl class="kv"><dt>Why</dt><dd>${worded(reason ?? "no outcome is known yet")}</dd><dt>To</dt><dd class="addr">${addressIn(fields)}</dd>${submission && known(visit, submission, doubt)}</dl></div>`)}
${panel("choices", "Your choices", choicesOf(visit, doubt), { note: "one decision, signed, kept in the record" })}`;
  return { title: `Doubt: ${reference}`, content };
}

function known(visit: Visit, submission: Submission, { looks, ageMs, evidence, instruction }: Doubt): Html {
  const { settleMinutes } = visit.workplace.config.doubt;
  const { baseUrl, operation, nonce, sends, intendedAt, evidence: said } = submission;
  return html`${said !== undefined && said !== instruction.reason && html`<dt>What happened</dt><dd>${worded(said)}</dd>`}
<dt>Looked for</dt><dd>${looks.length === 0 ? "Not yet." : looks.map(({ times, firstAt, lastAt, saw, notSent }) => html`<span class="sub">${time(visit, firstAt)}${times > 1 && html`, ${times} times until ${time(visit, lastAt)}`}: ${saw}${notSent !== undefined && `; not sent again: ${notSent}`}</span>`)}</dd>
<dt>Can a look be trusted?</dt><dd>${evidence.isWitnessed ? "Yes: others of this key were found by their reference before." : "No: none of this key was ever found by such a reference, so a look that does not show it says nothing."}</dd>
<dt>Settle time</dt><dd>${evidence.settleLeftMs > 0 ? `${Math.ceil(evidence.settleLeftMs / MINUTE_MS)} of ${settleMinutes} min are left: the request may still be on its way.` : `Over: ${settleMinutes} min have passed.`}</dd>
<dt>In doubt for</dt><dd>${age(ageMs)}</dd>
<dt>Request</dt><dd><span class="mono">${operation}</span> to ${baseUrl}, sent ${counted(sends, "time")}, first at ${time(visit, intendedAt)}; number <span class="mono">${nonce.toString()}</span></dd>`;
}

const MINUTE_MS = 60_000;
const [LEFT, RIGHT] = [10, 706];

/** The request, its settle time and the looks for it, on one line in time until now. */
function picture(visit: Visit, submission: Submission, { looks }: Doubt): Html {
  const { config, context } = visit.workplace;
  const { settleMinutes } = config.doubt;
  const clock = (at: Instant) => formatted(visit, at, { dateStyle: "medium", timeStyle: "short" });
  const [start, now] = [Date.parse(submission.intendedAt), Date.parse(context.clock.now())];
  const settled = Date.parse(submission.endedAt ?? submission.intendedAt) + settleMinutes * MINUTE_MS;
  const end = Math.max(now, settled, start + 1);
  const scale = (RIGHT - LEFT) / (end - start);
  const x = (at: number) => Math.round(LEFT + Math.max(0, Math.min(at, end) - start) * scale);
  const seen = looks.flatMap(({ firstAt, lastAt }) => [firstAt, lastAt]);
  const times = looks.reduce((sum, look) => sum + look.times, 0);
  const count = counted(times, "look");
  const words = `Sent ${clock(submission.intendedAt)}, then ${count}${seen.length > 0 ? ` until ${clock(seen.at(-1) ?? "")}` : ""}. The settle time of ${settleMinutes} min ${settled > now ? "is not over" : "has passed"}.`;
  return html`<figure><svg class="chart" viewBox="0 0 716 96" role="img" aria-label="${words}"><rect class="soft" x="${LEFT}" y="4" width="${Math.max(2, x(settled) - LEFT)}" height="64"/><text x="${LEFT + 6}" y="25">settle time, ${settleMinutes} min</text><line class="dbl" x1="${LEFT}" y1="50" x2="${x(now)}" y2="50"/><circle class="dot" cx="${LEFT}" cy="50" r="6"/>${seen.map((at) => html`<circle class="dbd" cx="${x(Date.parse(at))}" cy="50" r="5"/>`)}<text x="${LEFT}" y="90">sent ${clock(submission.intendedAt)}</text><text class="val" x="${RIGHT}" y="90" text-anchor="end">${count}</text></svg></figure>`;
}

/** Whether this process may ask the service, as every decision must. */
function connects({ workplace }: Visit): boolean {
  return workplace.context.transport !== noTransport;
}

/** What nobody has found yet cannot be chosen here. */
function isPossible({ option }: Choice): boolean {
  return option !== `${ACCEPT}PAYOUT_ID`;
}

const ACCEPT = "--accept ";

function choicesOf(visit: Visit, { instruction: { fields }, choices }: Doubt): Html {
  const isHere = connects(visit);
  const isTheirs = isHere && hasRole(visit, "operator");
  const name = quoted(fields.reference);
  const inTerminal = (choice: Choice) =>
    html`<span class="small">${command(`resolve ${name}`, choice)}</span>`;
  const offered = choices.map((choice, index) => {
    if (!isPossible(choice))
      return html`<div class="choice no"><span class="label">It is a payout of the service</span><span class="small">Not possible now: no payout with its reference, amount and address was found. Who has found one names it in a terminal:</span>${inTerminal(choice)}</div>`;
    return html`<div class="choice">${isTheirs ? html`<input type="radio" name="do" id="do-${index}" value="${exact(choice.option)}" required><label for="do-${index}">${nameOf(choice)}</label>` : html`<span class="label">${nameOf(choice)}</span>`}${[choice.consequence, ...(choice.notes ?? [])].map((each) => html`<span class="small">${worded(each)}</span>`)}${isTheirs && choice.option === "--abandon" && html`<span class="opt small"><input type="checkbox" id="despite" name="despite" value="yes"><label for="despite">Also if the look right before cannot be completed</label></span>`}${!isHere && inTerminal(choice)}</div>`;
  });
  if (!isHere)
    return html`<div class="body"><p>This desk never connects to the service, and a decision begins with a look there. An operator decides at the machine that sends, by one of these commands, or at the desk of <code>paydrop serve</code>.</p>${offered}</div>`;
  if (!isTheirs) return html`<div class="body"><p>An operator decides.</p>${offered}</div>`;
  return html`<form method="post" action="/doubts/resolve">${hidden("reference", fields.reference)}<fieldset class="body"><legend class="vh">What shall happen</legend>${offered}${words("why", "Reason, for the record")}<div class="acts"><button class="btn main big">Decide…</button></div><p class="hint">To keep looking you sign nothing: just leave this page. Waiting costs nothing but time.</p></fieldset></form>`;
}

function nameOf({ option }: Choice): Part {
  if (option === "--resend") return "Send the same request again";
  if (option === "--abandon") return "Give it up";
  return html`It is payout <span class="mono">${option.slice(ACCEPT.length)}</span>`;
}

function command(what: string, { option }: Choice): Html {
  return html`<code>paydrop doubt ${what} ${option} --reason WHY</code>`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w./]+[\w./-]*$/.test(text) ? text : inShell(text);
}

/** Words of a step as a sentence; commands in backticks become code. */
export function worded(text: string): Html {
  return html`${sentence(text)
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

async function resolve(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const [reference, option, despite] = [field(form, "reference"), field(form, "do"), field(form, "despite")];
  const elsewhere = "This desk never connects to the service: decide at the machine that sends.";
  if (!connects(visit)) return messagePage(409, "Not at this desk", `Nothing was done. ${elsewhere}`);
  const doubt = await openDoubt(visit, reference);
  const late = "The evidence does not allow this choice, or somebody was faster: look again.";
  const choice = doubt?.choices.find((each) => each.option === option && isPossible(each));
  if (doubt === undefined || choice === undefined)
    return messagePage(409, "Not possible now", `Nothing was done. ${late}`);
  const decision = { reference, person, reason: reasonIn(form) };
  const resolving = resolvingOf(option, despite === "yes");
  const question = () => questionAbout(doubt, choice, decision.reason);
  const step = (at: Visit["workplace"]) => resolveDoubtStep(at, decision, resolving);
  return decide(visit, step, storyPath(reference), { question });
}

/** Repeats what the decision is about, and what follows from it. */
function questionAbout({ instruction: { fields } }: Doubt, choice: Choice, reason: string): Question {
  const { reference } = fields;
  const follows = [choice.consequence, ...(choice.notes ?? [])].map((each) => html`<p>${worded(each)}</p>`);
  const content = facts([
    ["Payment", reference],
    ["Sum", money(fields.amount)],
    ["Payee", fields.customerId ?? "nobody named"],
    ["Address", html`<span class="addr">${addressIn(fields)}</span>`],
    ["Decision", html`<b>${nameOf(choice)}</b>`],
    ["What follows", follows],
    ["Reason", reason],
  ]);
  const back = `/doubts/payment?reference=${encodeURIComponent(reference)}`;
  return { title: `${buttonOf(choice)}: ${reference}?`, content, button: buttonOf(choice), back };
}

function buttonOf({ option }: Choice): string {
  if (option === "--resend") return "Send it again";
  return option === "--abandon" ? "Give it up" : "Take it for this payment";
}

function resolvingOf(option: string, despiteIncompleteLook: boolean): Resolving {
  if (option === "--resend") return { by: "resend" };
  if (option === "--abandon") return { by: "abandon", despiteIncompleteLook };
  return { by: "accept", payoutId: payoutId(option.slice(ACCEPT.length)) };
}
