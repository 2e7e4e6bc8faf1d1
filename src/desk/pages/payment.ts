/** The story of a payment as one line in time, from the row of its file to the books, with its facts and comparisons. */
import { isProblem, orProblem } from "../../faults/index.ts";
import {
  type Instant,
  type JournalEntry,
  paymentDifferences,
  payoutStateMeaning,
} from "../../model/index.ts";
import { type Attempt, type PaymentRecord, recordStep } from "../../pipeline/explain-step.ts";
import { custodyNames } from "../../pipeline/workplace/custody-accounts.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, field, type Page, seesAll, type Visit } from "../page.ts";
import { amount, badge, formatted, panel } from "../parts.ts";
import { messagePage } from "../refusals.ts";
import { mayKnow, SEE_OWN, standing, storyPath } from "./payments.ts";

export const paymentPages: readonly Page[] = [
  { method: "GET", path: "/payments/story", roles: SEE_OWN, handle: storyPage },
];

async function storyPage(visit: Visit): Promise<Answer> {
  const zone = visit.workplace.config.ledger.timeZone;
  const record = await orProblem(() => recordStep(visit.workplace, field(visit.query, "reference")));
  if (isProblem(record) || !mayKnow(visit, record.batch))
    return messagePage(404, "No such payment", "No payment has this reference, or it is not for you to see.");
  const { instruction, batch, sightings, again } = record;
  const { fields, row, reason } = instruction;
  const isOpen = instruction.standing === "in doubt" || instruction.standing === "held";
  const content = html`<header class="head"><div><p class="crumbs"><a href="/batches/${batch.id}">${batch.id}</a> / ${batch.fileName}, row ${row}</p><h1>${fields.reference} ${standing(instruction.standing, sightings.at(-1)?.state)}</h1>
<p class="lede">${amount(fields.amount.value, fields.amount.currency)} to ${fields.customerId ?? fields.destinationAddress ?? fields.destinationAccountId}${reason !== undefined && `: ${reason}`}.${again !== undefined && html` It is paid again as <a href="${storyPath(again)}">${again}</a>.`}</p></div>${isOpen && seesAll(visit) && html`<div class="acts"><a class="btn main" href="/doubts/payment?reference=${encodeURIComponent(fields.reference)}">See the evidence</a></div>`}</header>
<div class="cols"><div>${panel("story", "Its story", html`<div class="body"><ol class="story">${happenings(record).map((each) => line(zone, each))}${seesAll(visit) && record.entries.map(booked)}</ol></div>`, { note: `times of ${zone}` })}</div>
<div>${panel("facts", "Facts", facts(visit, record))}${panel("checked", "Checked", checks(visit, record))}</div></div>`;
  return { title: fields.reference, content };
}

interface Happening {
  readonly at: Instant;
  readonly kind?: "look" | "bad" | "doubt";
  readonly title: Part;
  readonly text: Part;
  readonly more?: Html;
}

const SECONDS = {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
} as const;

function line(zone: string, { at, kind, title, text, more }: Happening): Html {
  return html`<li${kind !== undefined && html` class="${kind}"`}><time datetime="${at}">${formatted(zone, at, SECONDS).replace(", ", " ")}</time><div><h3>${title}</h3><p>${text}</p>${more}</div></li>`;
}

/** Oldest first. */
function happenings({
  batch,
  instruction,
  approvals,
  attempts,
  audit,
  sightings,
}: PaymentRecord): Happening[] {
  const all: Happening[] = [
    {
      at: batch.submittedAt,
      title: "In the file",
      text: html`${batch.fileName}, row ${instruction.row}. Sent in by ${batch.submittedBy} as ${batch.id}.`,
    },
    ...approvals.map(approved),
    ...attempts.flatMap(attempted),
    // The answer says so already.
    ...audit.filter(({ action }) => action !== "payout accepted").map(recorded),
    ...sightings.filter(({ state }, index) => state !== sightings[index - 1]?.state).map(shown),
  ];
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function approved({
  decidedAt: at,
  person,
  statement,
  digest,
}: PaymentRecord["approvals"][number]): Happening {
  const text =
    statement === undefined ? "By name, for exactly these rows." : "Signed, for exactly these rows.";
  return {
    at,
    title: html`Approved by ${person}`,
    text,
    more: html`<details><summary>Digest of the rows</summary><span class="hash">${digest}</span></details>`,
  };
}

const ENDS = {
  accepted: { title: "Taken by the service" },
  refused: { title: "Refused by the service", kind: "bad" },
  "not sent": { title: "It did not leave", kind: "bad" },
  "in doubt": { title: "No answer that can be relied on", kind: "doubt" },
} as const;

function attempted({ submission, looks }: Attempt): Happening[] {
  const { attempt, sends, baseUrl, operation, nonce, bodyHash, intendedAt, endedAt, outcome, evidence } =
    submission;
  const title =
    outcome === "not sent"
      ? "About to be sent"
      : sends === 1
        ? "Sent"
        : `Sent ${sends} times, as the same request`;
  const more = html`<details><summary>Request</summary><dl class="kv"><dt>Operation</dt><dd class="mono">${operation}</dd><dt>Number used once</dt><dd class="mono">${nonce.toString()}</dd><dt>Body</dt><dd class="hash">${bodyHash}</dd></dl></details>`;
  const end = outcome && endedAt && { at: endedAt, ...ENDS[outcome], text: evidence };
  const looked = looks.map(
    ({ firstAt: at, times, saw, notSent }): Happening => ({
      at,
      kind: "look",
      title: times === 1 ? "Looked for it" : `Looked for it ${times} times`,
      text: html`${saw}${notSent !== undefined && `. Not sent again: ${notSent}`}`,
    }),
  );
  return [
    { at: intendedAt, title, text: html`Attempt ${attempt}, to ${baseUrl}.`, more },
    ...(end ? [end] : []),
    ...looked,
  ];
}

function recorded({ at, person, action, detail }: PaymentRecord["audit"][number]): Happening {
  const text = Object.entries(detail).map(([name, value]) => html`<span class="sub">${name} ${value}</span>`);
  return { at, title: html`${action.slice(0, 1).toUpperCase()}${action.slice(1)}, by ${person}`, text };
}

function shown({ stateSeenAt: at, state, sentFunds }: PaymentRecord["sightings"][number]): Happening {
  const text = html`The service’s word: <span class="mono">${state}</span>${sentFunds.map(({ fee }) => fee && html`. Network fee ${amount(fee.value, fee.currency)}`)}`;
  const meaning = payoutStateMeaning(state);
  if (meaning === "done") return { at, title: "Arrived", text };
  return meaning === "failed"
    ? { at, kind: "bad", title: "Failed: not paid", text }
    : { at, kind: "look", title: "The service shows it", text };
}

function booked({ bookDay, kind, lines, currency, narration }: JournalEntry): Html {
  return html`<li><time datetime="${bookDay}">${bookDay}</time><div><h3>${kind.endsWith("reverse") ? "Reversed in the books" : "Booked"}</h3><p>${narration}</p><div class="scroll" role="region" aria-label="Journal entry: ${narration}" tabindex="0"><table class="dense"><thead><tr><th scope="col">Account</th><th scope="col" class="num">Debit ${currency}</th><th scope="col" class="num">Credit ${currency}</th></tr></thead><tbody>${lines.map(
    ({ account, debit, credit, quantity }) =>
      html`<tr><th scope="row">${account.code} ${account.name}${quantity && html`<span class="sub">${amount(quantity.value, quantity.currency)}</span>`}</th><td class="num">${debit?.toString()}</td><td class="num">${credit?.toString()}</td></tr>`,
  )}</tbody></table></div></div></li>`;
}

function facts(
  { workplace: { config } }: Visit,
  { instruction: { fields, payoutId }, sightings }: PaymentRecord,
): Html {
  const fact = (label: string, value: Part, kind = "") =>
    value !== undefined && value !== "" && html`<dt>${label}</dt><dd class="${kind}">${value}</dd>`;
  const funds = sightings.at(-1)?.sentFunds ?? [];
  const booking = [fields.generalLedgerName, fields.generalLedgerProject, fields.generalLedgerDistribution];
  return html`<div class="body"><dl class="kv wide">${fact("Paid to", fields.destinationAddress ?? fields.destinationAccountId, "addr")}${fact("Payee", fields.customerId)}${fact("Paid from", custodyNames(config)(fields.custodyAccountId))}${fact("Asked for", amount(fields.amount.value, fields.amount.currency))}${funds.map(({ amount: sent, fee, txHash }) => [fact("Sent", sent && amount(sent.value, sent.currency)), fact("Network fee", fee && amount(fee.value, fee.currency)), fact("Transaction", txHash, "hash")])}${fact("Network fee borne by", fields.subtractFee === true ? "the payee" : undefined)}${fact("Not before", fields.payOn)}${fact("Booked to", booking.filter((each) => each !== undefined).join(", "))}${fact("Payout at the service", payoutId, "mono")}</dl></div>`;
}

function checks(
  visit: Visit,
  { instruction, batch, approvals, sightings, entries, breaks }: PaymentRecord,
): Html {
  const payout = sightings.at(-1);
  const unlike = payout && paymentDifferences(instruction, payout);
  const isAsApproved = approvals.every(({ digest }) => digest === batch.digest);
  const equal = (isEqual: boolean) => (isEqual ? badge("ok", "equal") : badge("bad", "differs"));
  const check = (what: string, mark: Html, said: readonly string[] = []) =>
    html`<li><p class="line"><span>${what}</span>${mark}</p>${said.map((each) => html`<p class="small">${each}</p>`)}</li>`;
  return html`<ul class="list">${check("File to approval", approvals.length === 0 ? badge("off", "not approved") : equal(isAsApproved))}
${check("Request to payout", unlike ? equal(unlike.length === 0) : badge("off", "not seen yet"), unlike)}
${seesAll(visit) && [check("Payout to books", entries.length > 0 ? badge("ok", "booked") : badge("off", "not booked yet")), check("Last comparison", breaks.length === 0 ? badge("ok", "no open break") : badge("warn", "open break"), breaks)]}</ul>`;
}
