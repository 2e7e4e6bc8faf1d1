/**
 * Doubts: payments that may have been paid or not, the evidence as a picture and in words, and the choices that it
 * allows.
 */
import { type Instant, isUuid, MINUTE_MS, payoutId, type Submission } from "../../model/index.ts";
import { type Resolving, resolveChangeStep, resolveDoubtStep } from "../../payments/doubt-step.ts";
import { type ChangeDoubt, type Doubt, listDoubts } from "../../views/doubts.ts";
import { decide, type Question } from "../decide.ts";
import { exact, type Html, html, type Part } from "../html.ts";
import { type Answer, field, hasRole, type Page, reasonIn, SEE, type Visit } from "../page.ts";
import {
  age,
  capital,
  counted,
  empty,
  facts,
  fromFile,
  head,
  hidden,
  money,
  panel,
  SUM,
  table,
  time,
  timeText,
  words,
} from "../parts.ts";
import { minutesText, operationText, plain, said } from "../plain-words.ts";
import { messagePage } from "../refusals.ts";
import { connects, ELSEWHERE, NOT_HERE } from "./payment-decisions.ts";
import { addressIn, ROWS_MAX, referenceLink, standing, storyPath } from "./payments.ts";

export const doubtPages: readonly Page[] = [
  { method: "GET", path: "/doubts", roles: SEE, nav: { group: "Work", label: "Doubts" }, handle: doubtsPage },
  { method: "GET", path: "/doubts/payment", roles: SEE, handle: doubtPage },
  { method: "POST", path: "/doubts/resolve", roles: ["operator"], handle: resolve },
  { method: "GET", path: "/doubts/change", roles: SEE, handle: changePage },
  { method: "POST", path: "/doubts/change", roles: ["operator"], handle: resolveChange },
];

async function doubtsPage(visit: Visit): Promise<Answer> {
  const { workplace } = visit;
  const { payments, changes, underWay } = await listDoubts(workplace);
  const cells = payments
    .slice(0, ROWS_MAX)
    .map(({ instruction: { fields, standing: at, reason }, ageMs }) => {
      const { reference, customerId } = fields;
      const named = html`${referenceLink(reference, `/doubts/payment?reference=${encodeURIComponent(reference)}`)}
        <span class="sub">${fromFile(customerId ?? "")}</span>`;
      return [named, standing(at), reason && said(visit, reason), age(ageMs), money(fields.amount)];
    });
  const isNone = cells.length === 0;
  const lede = isNone
    ? "Every payment that was sent has a known outcome."
    : "Payments that may have been made or not. Nothing is sent again unless a person decides so.";
  const list = table("Payments in doubt or held", ["Reference", "Stands at", "Why", "For", SUM], cells);
  const sending = underWay.slice(0, ROWS_MAX).map(({ fields: { reference } }) => reference);
  const content = html`${head("Doubts", lede)}
    ${panel("doubts", "Payments", isNone ? empty("No payment is in doubt", "That is good.") : list, {
      note: counted(payments.length, "payment"),
    })}
${
  changes.length > 0 &&
  panel(
    "changes",
    "Deposits, voids and authorizations",
    html`<ul class="list">${changes.slice(0, ROWS_MAX).map((each) => changeLine(visit, each))}</ul>`,
  )
}
${
  sending.length > 0 &&
  panel(
    "sending",
    "Being sent, or left by a run that died",
    html`<ul class="list">
  ${sending.map((reference) => html`<li>${referenceLink(reference)}</li>`)}</ul>
  <div class="foot">The next run looks for these.</div>`,
  )
}`;
  return { title: "Doubts", content };
}

function changeLine(visit: Visit, { change, ageMs }: ChangeDoubt): Html {
  return html`<li><h3><a href="/doubts/change?number=${change.id}">${changeTitle(change)}</a></h3>
  <p class="small">In doubt for ${age(ageMs)}. ${change.evidence && said(visit, change.evidence)}</p></li>`;
}

/** "Void a payout: 1b2c3d4e-..." */
function changeTitle({ operation, subject }: ChangeDoubt["change"]): string {
  return `${capital(operationText(operation))}: ${subject}`;
}

async function openChange({ workplace }: Visit, number: string): Promise<ChangeDoubt | undefined> {
  const { changes } = await listDoubts(workplace);
  return changes.find(({ change }) => String(change.id) === number);
}

/** A deposit, void or authorization with an unknown outcome. */
async function changePage(visit: Visit): Promise<Answer> {
  const found = await openChange(visit, field(visit.query, "number"));
  if (found === undefined) return { goTo: "/doubts" };
  const { change, ageMs } = found;
  const lede = `Asked for by ${change.person}; it may have been done, or not.`;
  const crumbs = html`<a href="/doubts">Doubts</a>`;
  const known = html`<div class="body"><dl class="kv"><dt>Why</dt>
  <dd>${said(visit, change.evidence ?? "no outcome is known yet")}</dd><dt>Asked for</dt>
  <dd>${time(visit, change.intendedAt)}, ${age(ageMs)} ago</dd></dl></div>`;
  const content = html`${head(changeTitle(change), lede, undefined, crumbs)}${panel("known", "What is known", known)}
    ${panel("choices", "Your choices", changeChoices(visit, change), { note: ONE_DECISION })}`;
  return { title: "Doubt", content };
}

const ONE_DECISION = "one decision, signed, kept in the record";

/** The consequences if a change was done, or was not. */
function changeWords({ operation }: ChangeDoubt["change"]): {
  readonly done: string;
  readonly undone: string;
} {
  if (operation.startsWith("createDeposit"))
    return {
      done: "That deposit is the requested one, and its reference stays used.",
      undone: "Its reference may be used again. If the deposit appears nevertheless, nobody has its address.",
    };
  return {
    done: "It was done. Refused if the service shows that it was not, or shows nothing of it.",
    undone: "As far as is known. It may be requested again, and the first request may still arrive.",
  };
}

function changeChoices(visit: Visit, change: ChangeDoubt["change"]): Html {
  const isDeposit = change.operation.startsWith("createDeposit");
  const { done, undone } = changeWords(change);
  const which =
    isDeposit &&
    html`<div class="field"><label for="id">Number of the deposit</label>
      <input id="id" name="id" maxlength="40" autocomplete="off"></div>`;
  const offered = html`${choice(visit, "accept", "It was done", [done], which)}
    ${choice(visit, "abandon", "It was not done", [undone, LOOKED_AT], DESPITE)}`;
  return decisionForm(visit, "/doubts/change", hidden("number", String(change.id)), offered);
}

const LOOKED_AT =
  "Paydrop looks right before, and refuses if the service shows that it was done, or if the look is inconclusive.";
const DESPITE = html`<span class="opt small"><input type="checkbox" id="despite" name="despite" value="yes">
  <label for="despite">Also if the look right before cannot be completed</label></span>`;

/** Offers choices to people who may decide here; tells the others who may decide, and where. */
function decisionForm(visit: Visit, action: string, about: Html, offered: Html): Html {
  if (!connects(visit)) return html`<div class="body"><p>${ELSEWHERE}</p>${offered}</div>`;
  if (!hasRole(visit, "operator")) return html`<div class="body"><p>An operator decides.</p>${offered}</div>`;
  return html`<form method="post" action="${action}">${about}<fieldset class="body">
  <legend class="vh">What should happen</legend>${offered}${words("why", "Reason, for the record")}
  <div class="acts"><button class="btn main big">Decide…</button></div>
  <p class="hint">To keep looking you sign nothing: just leave this page. Waiting costs nothing but time.</p>
  </fieldset></form>`;
}

/** `more`: additional fields of the choice. */
function choice(
  visit: Visit,
  value: string,
  label: Part,
  consequences: readonly string[],
  more?: Part,
  isRefused = false,
): Html {
  const isTheirs = !isRefused && connects(visit) && hasRole(visit, "operator");
  const id = `do-${value.replaceAll(/[^\w]/g, "")}`;
  const name = isTheirs
    ? html`<input type="radio" name="do" id="${id}" value="${exact(value)}" required><label for="${id}">
      ${label}</label>`
    : html`<span class="label">${label}</span>`;
  return html`<div class="choice">${name}${consequences.map((each) => html`<span class="small">${each}</span>`)}
    ${isTheirs && more}</div>`;
}

async function resolveChange(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  if (!connects(visit)) return NOT_HERE;
  const found = await openChange(visit, field(form, "number"));
  const [by, id] = [field(form, "do"), field(form, "id").trim()];
  const isDeposit = found?.change.operation.startsWith("createDeposit") === true;
  const isNamed = by !== "accept" || !isDeposit || isUuid(id);
  if (found === undefined || !["accept", "abandon"].includes(by) || !isNamed)
    return messagePage(409, "Not possible now", isNamed ? LATE : UNNAMED);
  const decision = { number: found.change.id, person, reason: reasonIn(form) };
  const accepted = { by: "accept", id: isDeposit ? id.toLowerCase() : found.change.subject } as const;
  const abandoned = { by: "abandon", despiteIncompleteLook: field(form, "despite") === "yes" } as const;
  const resolving = by === "accept" ? accepted : abandoned;
  const question = () => changeQuestion(found.change, resolving, decision.reason);
  return decide(visit, (at) => resolveChangeStep(at, decision, resolving), "/doubts", { question });
}

function changeQuestion(
  change: ChangeDoubt["change"],
  resolving: { by: string; id?: string },
  reason: string,
): Question {
  const { done, undone } = changeWords(change);
  const isDone = resolving.by === "accept";
  const button = isDone ? "It was done" : "It was not done";
  const content = facts([
    ["What was asked for", changeTitle(change)],
    ["Decision", html`<b>${button}</b>${isDone && html` <span class="mono">${resolving.id}</span>`}`],
    ["What follows", isDone ? done : undone],
    ["Reason", reason],
  ]);
  return {
    title: `${button}: ${change.subject}?`,
    content,
    button,
    back: `/doubts/change?number=${change.id}`,
  };
}

const LATE =
  "Nothing was done. The evidence does not allow this choice, or another person was faster: look again.";
const UNNAMED = "Nothing was done. Give the whole number, as the service or its operator names it.";

async function openDoubt({ workplace }: Visit, reference: string): Promise<Doubt | undefined> {
  const { payments } = await listDoubts(workplace);
  return payments.find(({ instruction }) => instruction.fields.reference === reference);
}

async function doubtPage(visit: Visit): Promise<Answer> {
  const reference = field(visit.query, "reference");
  const doubt = await openDoubt(visit, reference);
  // Another person was faster, or a look has found it.
  if (doubt === undefined) return { goTo: storyPath(reference) };
  const { submission, instruction } = doubt;
  const { fields, standing: at, batchId, row, reason } = instruction;
  const crumbs = html`<a href="/doubts">Doubts</a> / <a href="/batches/${batchId}">${batchId}</a>, row ${row}`;
  const lede = html`${money(fields.amount)} to
    ${fields.customerId ?? addressIn(fields)} ${
      submission === undefined ? "was not sent" : "may have been paid, or not"
    }. Nothing is sent again unless a person decides so.`;
  const act = html`<a class="btn" href="${storyPath(reference)}">Its story</a>`;
  const content = html`${head(html`${reference} ${standing(at)}`, lede, act, crumbs)}
${panel(
  "known",
  "What is known",
  html`<div class="body">${submission && picture(visit, submission, doubt)}
<dl class="kv"><dt>Why</dt><dd>${said(visit, reason ?? "no outcome is known yet")}</dd><dt>To</dt>
<dd class="addr">${addressIn(fields)}</dd>${submission && known(visit, submission, doubt)}</dl></div>`,
)}
${panel("choices", "Your choices", choicesOf(visit, doubt), { note: ONE_DECISION })}`;
  return { title: `Doubt: ${reference}`, content };
}

function known(visit: Visit, submission: Submission, { looks, ageMs, evidence, instruction }: Doubt): Html {
  const { settleMinutes } = visit.workplace.config.doubt;
  const { baseUrl, operation, nonce, sends, intendedAt, evidence: happened } = submission;
  return html`${
    happened !== undefined &&
    happened !== instruction.reason &&
    html`<dt>What happened</dt><dd>${said(visit, happened)}</dd>`
  }
<dt>Looked for</dt><dd>${
    looks.length === 0
      ? "Not yet."
      : looks.map(
          ({ times, firstAt, lastAt, saw, notSent }) => html`<span class="sub">
    ${time(visit, firstAt)}${times > 1 && html`, ${times} times until ${time(visit, lastAt)}`}: ${plain(visit, saw)}
    ${notSent !== undefined && `; not sent again: ${plain(visit, notSent)}`}</span>`,
        )
  }</dd>
<dt>Can a look be trusted?</dt>
  <dd>${
    evidence.isWitnessed
      ? "Yes: others of this key were found by their reference before."
      : "No: no payout of this key was ever found by such a reference, so a look that does not show it proves nothing."
  }</dd>
<dt>Settle time</dt><dd>${
    evidence.settleLeftMs > 0
      ? html`${minutesText(Math.ceil(evidence.settleLeftMs / MINUTE_MS))} of ${minutesText(settleMinutes)} are left:
        the request may still be on its way.`
      : `Over: ${minutesText(settleMinutes)} have passed.`
  }</dd>
<dt>In doubt for</dt><dd>${age(ageMs)}</dd>
<dt>Request</dt><dd>${capital(operationText(operation))}, at ${baseUrl}, sent ${counted(sends, "time")},
  first at ${time(visit, intendedAt)}; number <span class="mono">${nonce.toString()}</span></dd>`;
}

const [LEFT, RIGHT] = [10, 706];

/** The request, its settle time and the looks for it, on one line in time until now. */
function picture(visit: Visit, submission: Submission, { looks }: Doubt): Html {
  const { config, context } = visit.workplace;
  const { settleMinutes } = config.doubt;
  const clock = (at: Instant) => timeText(visit, at);
  const [start, now] = [Date.parse(submission.intendedAt), Date.parse(context.clock.now())];
  const settled = Date.parse(submission.endedAt ?? submission.intendedAt) + settleMinutes * MINUTE_MS;
  const end = Math.max(now, settled, start + 1);
  const scale = (RIGHT - LEFT) / (end - start);
  const x = (at: number) => Math.round(LEFT + Math.max(0, Math.min(at, end) - start) * scale);
  const seen = looks.flatMap(({ firstAt, lastAt }) => [firstAt, lastAt]);
  const times = looks.reduce((sum, look) => sum + look.times, 0);
  const count = counted(times, "look");
  const words =
    `Sent ${clock(submission.intendedAt)}, then ` +
    `${count}${seen.length > 0 ? ` until ${clock(seen.at(-1) ?? "")}` : ""}. The settle time of ` +
    `${minutesText(settleMinutes)} ${settled > now ? "is not over" : "has passed"}.`;
  return html`<figure><svg class="chart" viewBox="0 0 716 96" role="img" aria-label="${words}">
    <rect class="soft" x="${LEFT}" y="4" width="${Math.max(2, x(settled) - LEFT)}" height="64"/>
    <text x="${LEFT + 6}" y="25">settle time, ${minutesText(settleMinutes)}</text>
    <line class="dbl" x1="${LEFT}" y1="50" x2="${x(now)}" y2="50"/><circle class="dot" cx="${LEFT}" cy="50" r="6"/>
    ${seen.map((at) => html`<circle class="dbd" cx="${x(Date.parse(at))}" cy="50" r="5"/>`)}
    <text x="${LEFT}" y="90">sent ${clock(submission.intendedAt)}</text>
    <text class="val" x="${RIGHT}" y="90" text-anchor="end">${count}</text></svg></figure>`;
}

const RESEND = "--resend";
const ABANDON = "--abandon";
const ACCEPT = "--accept ";

interface Offered {
  readonly label: Part;
  readonly consequences: readonly string[];
  /** Additional fields of the choice. */
  readonly more?: Part;
  /** Shown, but not to be chosen now. */
  readonly isRefused?: boolean;
}

/** Words a choice, from the evidence. The step decides which choices exist. */
function offeredAs(visit: Visit, doubt: Doubt, option: string): Offered {
  const { instruction, evidence } = doubt;
  if (option === RESEND) {
    const resent = resendWords(evidence, visit.workplace.config.nonce.rule);
    const { whyNotSentAgain: why } = evidence;
    const refused = why === undefined ? [] : [`Not possible now: ${plain(visit, why)}.`];
    const consequences = [...refused, resent, FOUND_NOT_SENT, ...warnings(evidence)];
    return { label: "Send the same request again", consequences, isRefused: why !== undefined };
  }
  if (option === ABANDON)
    return {
      label: "Give it up",
      consequences: abandonWords(doubt),
      more: instruction.standing !== "held" && DESPITE,
    };
  if (evidence.acceptable.length === 0)
    return { label: "It is a payout whose number I have", consequences: [NONE_FOUND], more: WHICH };
  const label = html`It is payout <span class="mono">${option.slice(ACCEPT.length)}</span>`;
  return { label, consequences: [ACCEPTED] };
}

function choicesOf(visit: Visit, doubt: Doubt): Html {
  const { instruction, choices, evidence } = doubt;
  const offered = choices.map(({ option }) => {
    const { label, consequences, more, isRefused } = offeredAs(visit, doubt, option);
    const isNamed = option === RESEND || option === ABANDON || evidence.acceptable.length > 0;
    return choice(visit, isNamed ? option : ACCEPT, label, consequences, more, isRefused);
  });
  const about = hidden("reference", instruction.fields.reference);
  return decisionForm(visit, "/doubts/resolve", about, html`${offered}`);
}

const ACCEPTED = "That payout is this payment: it is followed and booked, and nothing is sent again.";
const NONE_FOUND =
  "No look has found a payout with its reference, amount and address. If the service’s operator has given you its " +
  "number, enter it here; it is accepted only if the service shows that it pays the same.";
const WHICH = html`<div class="field"><label for="id">Number of the payout</label>
  <input id="id" name="id" maxlength="40" autocomplete="off"></div>`;
const FOUND_NOT_SENT =
  "It is looked for right before, and not sent if it is found or the look is incomplete.";
const ABANDONED =
  "Nothing is sent again. If its payout appears, the next comparison raises an alarm. If the service’s operator " +
  "says that it was not carried out, send it in with another file, under a new reference: its approvers hear " +
  "of this one.";
const NEVER_LEFT =
  "Nothing was sent, as far as is known here. It may then be paid again under a new reference, unless the " +
  "payout that the service shows for it pays the same.";

/** Warnings about how little the look right before may prove. */
function warnings({ settleLeftMs, isWitnessed }: Doubt["evidence"]): string[] {
  const left =
    `Its request may still be on its way: ${minutesText(Math.ceil(settleLeftMs / MINUTE_MS))} of the ` +
    `settle time are left.`;
  const blind =
    "No payout of this key was ever found by such a reference: a look that does not show it proves nothing.";
  return [...(settleLeftMs > 0 ? [left] : []), ...(isWitnessed ? [] : [blind])];
}

function abandonWords({ instruction, evidence }: Doubt): string[] {
  if (instruction.standing !== "held")
    return [
      ABANDONED,
      "It is looked for right before: refused if it is found, or if the look cannot be completed.",
      ...warnings(evidence),
    ];
  const first = evidence.hasLeft ? ABANDONED : NEVER_LEFT;
  return [first, "Refused while a payout of the service is this one, can be accepted and has not failed."];
}

/** The effect of a repetition under the configured nonce rule. */
function resendWords(
  { isForgotten, isOvertaken }: Doubt["evidence"],
  rule: "unique" | "increasing" | string,
): string {
  const twice = "it pays twice if the first request arrived";
  if (isForgotten) return `The service may have forgotten the number of this request: then ${twice}.`;
  if (rule === "unique" || !isOvertaken)
    return `The service pays it once if it takes each number once, as the configuration states; otherwise ${twice}.`;
  const refused =
    "A higher number has left since: a service that wants rising numbers refuses this one, and it stays in doubt.";
  return rule === "increasing"
    ? refused
    : `${refused} One that takes each number once pays it once; one that ignores numbers: ${twice}.`;
}

async function resolve(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const [reference, option] = [field(form, "reference"), field(form, "do")];
  if (!connects(visit)) return NOT_HERE;
  const doubt = await openDoubt(visit, reference);
  const resolving = doubt && resolvingOf(visit, option, doubt);
  if (doubt === undefined || resolving === undefined)
    return messagePage(409, "Not possible now", option === ACCEPT ? UNNAMED : LATE);
  const decision = { reference, person, reason: reasonIn(form) };
  const question = () => questionAbout(visit, doubt, option, decision.reason);
  const step = (at: Visit["workplace"]) => resolveDoubtStep(at, decision, resolving);
  return decide(visit, step, storyPath(reference), { question });
}

/** Repeats the subject of the decision and its consequences. */
function questionAbout(visit: Visit, doubt: Doubt, option: string, reason: string): Question {
  const { fields } = doubt.instruction;
  const { reference } = fields;
  const { label, consequences } = offeredAs(visit, doubt, option);
  const named = option === ACCEPT && html` <span class="mono">${field(visit.form, "id")}</span>`;
  const content = facts([
    ["Payment", reference],
    ["Sum", money(fields.amount)],
    ["Payee", fields.customerId ?? "nobody named"],
    ["Address", html`<span class="addr">${addressIn(fields)}</span>`],
    ["Decision", html`<b>${label}</b>${named}`],
    ["What follows", consequences.map((each) => html`<p>${each}</p>`)],
    ["Reason", reason],
  ]);
  const back = `/doubts/payment?reference=${encodeURIComponent(reference)}`;
  return { title: `${buttonOf(option)}: ${reference}?`, content, button: buttonOf(option), back };
}

function buttonOf(option: string): string {
  if (option === RESEND) return "Send it again";
  return option === ABANDON ? "Give it up" : "Take it for this payment";
}

/** Undefined if the evidence does not allow the choice now, or if no payout is named. */
function resolvingOf({ form }: Visit, option: string, { choices, evidence }: Doubt): Resolving | undefined {
  const named = field(form, "id").trim().toLowerCase();
  if (option === ACCEPT && evidence.acceptable.length === 0)
    return isUuid(named) ? { by: "accept", payoutId: named } : undefined;
  const isOffered = choices.some((each) => each.option === option) && option !== `${ACCEPT}PAYOUT_ID`;
  if (!isOffered) return undefined;
  if (option === RESEND) return { by: "resend" };
  if (option === ABANDON) return { by: "abandon", despiteIncompleteLook: field(form, "despite") === "yes" };
  return { by: "accept", payoutId: payoutId(option.slice(ACCEPT.length)) };
}
