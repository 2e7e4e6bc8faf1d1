/** Doubts: what may have been paid or not, the evidence as a picture and in words, and the choices that it allows. */
import { noTransport } from "../../context/transport.ts";
import type { Instant } from "../../model/index.ts";
import { payoutId } from "../../model/index.ts";
import { type Resolving, resolveDoubtStep } from "../../pipeline/doubt-step.ts";
import type { Choice } from "../../pipeline/payments/doubt-choices.ts";
import { type ChangeDoubt, type Doubt, listDoubts } from "../../pipeline/status/doubts.ts";
import { decide } from "../decide.ts";
import { exact, type Html, html, type Part } from "../html.ts";
import { DOUBTS } from "../icons.ts";
import { type Answer, field, hasRole, type Page, type Visit } from "../page.ts";
import { age, amount, counted, empty, head, hidden, panel, table, time, words } from "../parts.ts";
import { messagePage } from "../refusals.ts";
import { reasonIn } from "./jobs.ts";
import { SEE, standing, storyPath } from "./payments.ts";

export const doubtPages: readonly Page[] = [
  {
    method: "GET",
    path: "/doubts",
    roles: SEE,
    nav: { group: "Work", label: "Doubts", icon: DOUBTS },
    handle: doubtsPage,
  },
  { method: "GET", path: "/doubts/payment", roles: SEE, handle: doubtPage },
  { method: "POST", path: "/doubts/resolve", roles: ["operator"], handle: resolve },
];

const ROWS_MAX = 100;

async function doubtsPage({ workplace }: Visit): Promise<Answer> {
  const { payments, changes, underWay } = await listDoubts(workplace);
  const cells = payments
    .slice(0, ROWS_MAX)
    .map(({ instruction: { fields, standing: stands, reason }, ageMs }) => [
      html`<a href="${doubtPath(fields.reference)}">${fields.reference}</a><span class="sub">${fields.customerId}</span>`,
      standing(stands),
      reason,
      age(ageMs),
      amount(fields.amount.value, fields.amount.currency),
    ]);
  const columns = [
    { label: "Reference" },
    { label: "Stands at" },
    { label: "Why" },
    { label: "For", kind: "nowrap" },
    { label: "Sum", kind: "lead" },
  ] as const;
  const list =
    cells.length === 0
      ? empty("No payment is in doubt", "That is good.")
      : table("Payments in doubt or held", columns, cells);
  const lede =
    payments.length === 0
      ? "Every payment that was sent has a known outcome."
      : `${counted(payments.length, "payment")} may have been paid, or not. Nothing of it is sent again unless somebody says so.`;
  const sending = underWay
    .slice(0, ROWS_MAX)
    .map(({ fields: { reference } }) => html`<li><a href="${storyPath(reference)}">${reference}</a></li>`);
  return {
    title: "Doubts",
    content: html`${head("Doubts", lede)}${panel("doubts", "Payments", list, { note: counted(payments.length, "payment") })}
${changes.length > 0 && panel("changes", "Deposits, voids and authorizations", html`<ul class="list">${changes.slice(0, ROWS_MAX).map(changeLine)}</ul>`)}
${sending.length > 0 && panel("sending", "Being sent, or left by a run that died", html`<ul class="list">${sending}</ul><div class="foot">The next run looks for what was left.</div>`)}`,
  };
}

function doubtPath(reference: string): string {
  return `/doubts/payment?reference=${encodeURIComponent(reference)}`;
}

function changeLine({ change: { id, operation, subject, evidence }, ageMs, choices }: ChangeDoubt): Html {
  return html`<li><h3>${operation} of ${subject}</h3><p class="small">In doubt for ${age(ageMs)}. ${evidence}</p>${choices.map((choice) => html`<p class="small">${command(`resolve-change ${id}`, choice)}: ${worded(choice.consequence)}</p>`)}</li>`;
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
  const { fields, standing: stands, batchId, row, reason } = doubt.instruction;
  const { submission } = doubt;
  const lede = html`${amount(fields.amount.value, fields.amount.currency)} to ${fields.customerId ?? fields.destinationAddress ?? fields.destinationAccountId} ${submission === undefined ? "was not sent" : "may have been paid, or not"}. Nothing is sent again unless somebody says so.`;
  const content = html`<header class="head"><div><p class="crumbs"><a href="/doubts">Doubts</a> / <a href="/batches/${batchId}">${batchId}</a>, row ${row}</p><h1>${reference} ${standing(stands)}</h1><p class="lede">${lede}</p></div><div class="acts"><a class="btn" href="${storyPath(reference)}">Its story</a></div></header>
${panel("known", "What is known", html`<div class="body">${submission !== undefined && picture(visit, doubt)}<dl class="kv">${knownFacts(visit, doubt).map(([label, value, kind = ""]) => html`<dt>${label}</dt><dd class="${kind}">${value}</dd>`)}</dl></div>`, { note: reason === submission?.evidence ? undefined : reason })}
${panel("choices", "Your choices", choicesOf(visit, doubt), { note: "one decision, signed, kept in the record" })}`;
  return { title: `Doubt: ${reference}`, content };
}

function knownFacts(
  visit: Visit,
  { instruction: { fields }, submission, looks, ageMs, evidence }: Doubt,
): readonly (readonly [string, Part, string?])[] {
  const { config, context } = visit.workplace;
  const when = (at: Instant) => time(config.ledger.timeZone, at, context.clock.now());
  const looked = looks.map(
    ({ times, firstAt, lastAt, saw, notSent }) =>
      html`<span class="sub">${when(firstAt)}${times > 1 && html`, ${times} times until ${when(lastAt)}`}: ${saw}${notSent !== undefined && `; not sent again: ${notSent}`}</span>`,
  );
  const to = ["To", fields.destinationAddress ?? fields.destinationAccountId, "addr"] as const;
  if (submission === undefined) return [["Sent", "Never, as far as this database knows"], to];
  const { evidence: said, baseUrl, operation, nonce, sends, intendedAt } = submission;
  return [
    ["What happened", said ?? "No outcome is known yet."],
    ["Looked for", looked.length === 0 ? "Not yet" : looked],
    [
      "Can a look be trusted?",
      evidence.isWitnessed
        ? "Yes: payments of this key were found by their reference before."
        : "No: no payment of this key was ever found by such a reference, so a look that does not show it says nothing.",
    ],
    [
      "Settle time",
      evidence.settleLeftMs > 0
        ? `${Math.ceil(evidence.settleLeftMs / 60_000)} min of ${config.doubt.settleMinutes} are left: the request may still be on its way`
        : `over: ${config.doubt.settleMinutes} min have passed`,
    ],
    ["In doubt for", age(ageMs)],
    to,
    [
      "Request",
      html`<span class="mono">${operation}</span> to ${baseUrl}, sent ${counted(sends, "time")}, first at ${when(intendedAt)}; number <span class="mono">${nonce.toString()}</span>`,
    ],
  ];
}

/** The request, the settle time and the looks on one line in time. */
function picture({ workplace: { config, context } }: Visit, { submission, looks, evidence }: Doubt): Html {
  if (submission === undefined) return html``;
  const zone = config.ledger.timeZone;
  const now = context.clock.now();
  const ms = (at: Instant) => Date.parse(at);
  const start = ms(submission.intendedAt);
  const settledAt = ms(submission.endedAt ?? submission.intendedAt) + config.doubt.settleMinutes * 60_000;
  const end = Math.max(ms(now), settledAt, start + 1);
  const x = (at: number) => Math.round(LEFT + ((Math.min(at, end) - start) / (end - start)) * (RIGHT - LEFT));
  const seen = looks.flatMap(({ firstAt, lastAt }) => (firstAt === lastAt ? [firstAt] : [firstAt, lastAt]));
  const count = looks.reduce((sum, { times }) => sum + times, 0);
  const clock = (at: Instant) => time(zone, at, now).source.replaceAll(/<[^>]*>/g, "");
  const said = `Sent at ${clock(submission.intendedAt)}. Looked for ${counted(count, "time")}${count > 0 ? `, last at ${clock(seen.at(-1) ?? now)}` : ""}. The settle time of ${config.doubt.settleMinutes} minutes is ${evidence.settleLeftMs > 0 ? "not over" : "over"}.`;
  const dots = seen.map((at) => html`<circle class="dbd" cx="${x(ms(at))}" cy="52" r="5"/>`);
  return html`<figure><svg class="chart" viewBox="0 0 716 96" role="img" aria-label="${said}"><rect class="soft" x="${LEFT}" y="8" width="${Math.max(2, x(settledAt) - LEFT)}" height="62"/><text x="${LEFT + 6}" y="28">settle time, ${config.doubt.settleMinutes} min</text><line class="dbl" x1="${LEFT}" y1="52" x2="${x(ms(now))}" y2="52"/><circle class="dot" cx="${LEFT}" cy="52" r="6"/>${dots}<text x="${LEFT}" y="90">sent ${clock(submission.intendedAt)}</text><text class="val" x="${RIGHT}" y="90" text-anchor="end">${count === 0 ? "not looked for yet" : counted(count, "look")}</text></svg></figure>`;
}

const LEFT = 10;
const RIGHT = 706;

function choicesOf(
  visit: Visit,
  {
    instruction: {
      fields: { reference },
    },
    choices,
    evidence,
  }: Doubt,
): Html {
  const isHere = connects(visit);
  const isTheirs = isHere && hasRole(visit, "operator");
  const offered = choices.map((choice, index) => {
    if (!isPossible(choice))
      return html`<div class="choice no"><span class="label">It is a payout of the service</span><span class="small">Not possible now: no payout with its reference, amount and address was found. Who has found one names it in a terminal: ${command(`resolve ${quoted(reference)}`, choice)}</span></div>`;
    const id = `do-${index}`;
    const label = isTheirs
      ? html`<input type="radio" name="do" id="${id}" value="${exact(choice.option)}" required><label for="${id}">${nameOf(choice)}</label>`
      : html`<span class="label">${nameOf(choice)}</span>`;
    const despite =
      isTheirs &&
      choice.option === "--abandon" &&
      html`<span class="opt small"><input type="checkbox" id="despite" name="despite" value="yes"><label for="despite">Also if the look right before cannot be completed</label></span>`;
    return html`<div class="choice">${label}${[choice.consequence, ...(choice.notes ?? [])].map((each) => html`<span class="small">${worded(each)}</span>`)}${despite}${!isHere && html`<span class="small">${command(`resolve ${quoted(reference)}`, choice)}</span>`}</div>`;
  });
  if (!isHere)
    return html`<div class="body"><p>This desk never connects to the service, and a decision needs a look there first. An operator decides at the machine that sends, by one of these commands, or at a desk of <code>paydrop serve</code>.</p>${offered}</div>`;
  if (!isTheirs) return html`<div class="body"><p>An operator decides.</p>${offered}</div>`;
  return html`<form method="post" action="/doubts/resolve">${hidden("reference", reference)}<fieldset class="body"><legend class="vh">What shall happen</legend>${offered}${words("why", "Reason, for the record")}<div class="acts"><button class="btn main big">Decide…</button></div><p class="hint">To keep looking you sign nothing: just leave this page. ${evidence.settleLeftMs > 0 && "Waiting costs nothing but time."}</p></fieldset></form>`;
}

/** Whether this process may ask the service, which every decision needs. */
function connects({ workplace }: Visit): boolean {
  return workplace.context.transport !== noTransport;
}

/** A payout that nobody has found yet cannot be chosen. */
function isPossible({ option }: Choice): boolean {
  return option !== "--accept PAYOUT_ID";
}

function nameOf({ option }: Choice): Part {
  if (option === "--resend") return "Send the same request again";
  return option === "--abandon"
    ? "Give it up"
    : html`It is payout <span class="mono">${option.slice(ACCEPT.length)}</span>`;
}

const ACCEPT = "--accept ";

function command(what: string, { option }: Choice): Html {
  return html`<code>paydrop doubt ${what} ${option} --reason WHY</code>`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Commands in backticks become code. */
function worded(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

async function resolve(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const [reference, option] = [field(form, "reference"), field(form, "do")];
  const doubt = await openDoubt(visit, reference);
  const choice = doubt?.choices.find((each) => each.option === option && isPossible(each));
  if (!connects(visit))
    return messagePage(
      409,
      "Not possible at this desk",
      "Nothing was done. This desk never connects to the service: decide at the machine that sends.",
    );
  if (choice === undefined)
    return messagePage(
      409,
      "Not possible now",
      "Nothing was done. The evidence does not allow this choice, or somebody was faster: look again.",
    );
  const decision = { reference, person, reason: reasonIn(form) };
  return decide(
    visit,
    (workplace) =>
      resolveDoubtStep(workplace, decision, resolvingBy(option, field(form, "despite") === "yes")),
    () => ({ goTo: storyPath(reference) }),
  );
}

function resolvingBy(option: string, despiteIncompleteLook: boolean): Resolving {
  if (option === "--resend") return { by: "resend" };
  return option === "--abandon"
    ? { by: "abandon", despiteIncompleteLook }
    : { by: "accept", payoutId: payoutId(option.slice(ACCEPT.length)) };
}
