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
  const { workplace, query } = visit;
  const record = await orProblem(() => recordStep(workplace, field(query, "reference")));
  if (isProblem(record) || !mayKnow(visit, record.batch))
    return messagePage(404, "No such payment", "No payment has this reference, or it is not for you to see.");
  const { instruction, batch, sightings } = record;
  const { fields, row } = instruction;
  const title = fields.reference;
  const content = html`<header class="head"><div><p class="crumbs"><a href="/batches/${batch.id}">${batch.id}</a> / ${batch.fileName}, row ${row}</p><h1>${title} ${standing(instruction.standing, sightings.at(-1)?.state)}</h1><p class="lede">${amount(fields.amount.value, fields.amount.currency)} to ${fields.customerId ?? fields.destinationAddress ?? fields.destinationAccountId}. ${sentence(record)}</p></div></header>
<div class="cols"><div>${panel("story", "Its story", html`<div class="body"><ol class="story">${story(visit, record)}</ol></div>`, { note: `times of ${workplace.config.ledger.timeZone}` })}</div>
<div>${panel("facts", "Facts", facts(visit, record))}${panel("checked", "Checked", checks(visit, record))}</div></div>`;
  return { title, content };
}

function sentence({
  instruction: { standing: stands, reason, fields },
  sightings,
  again,
}: PaymentRecord): Part {
  const meaning = payoutStateMeaning(sightings.at(-1)?.state ?? "");
  const next = again !== undefined && html` It is paid again as <a href="${storyPath(again)}">${again}</a>.`;
  switch (stands) {
    case "received":
      return "It waits for approval; nothing was sent.";
    case "approved":
      return html`It is approved and not sent yet${fields.payOn !== undefined && `: not before ${fields.payOn}`}.`;
    case "sending":
      return "It is being sent.";
    case "accepted":
      if (meaning === "done") return "It has arrived.";
      return meaning === "failed"
        ? html`The service took it and did not pay.${next}`
        : "The service took it; it is on its way.";
    case "in doubt":
    case "held":
      return html`${reason}. <a href="/doubts/payment?reference=${encodeURIComponent(fields.reference)}">See the evidence</a>`;
    case "refused":
    case "withdrawn":
    case "abandoned":
      return html`${reason ?? "Nothing more is sent"}.${next}`;
  }
}

interface Happening {
  readonly at: Instant;
  readonly kind?: "look" | "bad" | "doubt";
  readonly title: Part;
  readonly text: Part;
  readonly more?: Html;
}

function story(visit: Visit, record: PaymentRecord): Html[] {
  const zone = visit.workplace.config.ledger.timeZone;
  const { batch, instruction, approvals, attempts, audit } = record;
  const happenings: Happening[] = [
    {
      at: batch.submittedAt,
      title: "In the file",
      text: html`${batch.fileName}, row ${instruction.row}. Sent in by ${batch.submittedBy} as ${batch.id}.`,
    },
    ...approvals.map(({ decidedAt: at, person, statement, digest }) => ({
      at,
      title: html`Approved by ${person}`,
      text: html`${statement === undefined ? "By name" : "Signed"}, for exactly these ${batch.rowCount} rows.`,
      more: unfolded("Digest of the rows", html`<span class="hash">${digest}</span>`),
    })),
    ...attempts.flatMap(attempted),
    ...audit.map(({ at, person, action, detail }) => ({
      at,
      title: html`${action.slice(0, 1).toUpperCase()}${action.slice(1)}, by ${person}`,
      text: Object.entries(detail).map(
        ([name, value]) =>
          html`<span class="sub">${name} <span${String(value).length > WORD_MAX && html` class="hash"`}>${value}</span></span>`,
      ),
    })),
    ...shown(record),
  ];
  const lines = happenings
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ at, kind, title, text, more }) => {
      const when = formatted(zone, at, {
        day: "numeric",
        month: "short",
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
      });
      return html`<li${kind !== undefined && html` class="${kind}"`}><time datetime="${at}">${when.replace(", ", " ")}</time><div><h3>${title}</h3><p>${text}</p>${more}</div></li>`;
    });
  return seesAll(visit) ? [...lines, ...record.entries.map(booked)] : lines;
}

const WORD_MAX = 40;

function unfolded(summary: string, content: Html): Html {
  return html`<details><summary>${summary}</summary>${content}</details>`;
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
  const request = unfolded(
    "Request",
    html`<dl class="kv"><dt>Operation</dt><dd class="mono">${operation}</dd><dt>Number used once</dt><dd class="mono">${nonce.toString()}</dd><dt>Body</dt><dd class="hash">${bodyHash}</dd></dl>`,
  );
  const title =
    outcome === "not sent"
      ? "About to be sent"
      : sends === 1
        ? "Sent"
        : `Sent ${sends} times, as the same request`;
  return [
    { at: intendedAt, title, text: html`Attempt ${attempt}, to ${baseUrl}.`, more: request },
    ...(outcome === undefined || endedAt === undefined
      ? []
      : [{ at: endedAt, ...ENDS[outcome], text: evidence }]),
    ...looks.map(
      ({ firstAt: at, times, saw, notSent }) =>
        ({
          at,
          kind: "look",
          title: times === 1 ? "Looked for it" : `Looked for it ${times} times`,
          text: html`${saw}${notSent !== undefined && `. Not sent again: ${notSent}`}`,
        }) as const,
    ),
  ];
}

/** What the service showed, where its word changed. */
function shown({ sightings }: PaymentRecord): Happening[] {
  const changes = sightings.filter(({ state }, index) => state !== sightings[index - 1]?.state);
  return changes.map(({ stateSeenAt: at, state, sentFunds }) => {
    const meaning = payoutStateMeaning(state);
    const text = html`The service’s word: <span class="mono">${state}</span>${sentFunds.map(({ fee }) => fee !== undefined && html`. Network fee ${amount(fee.value, fee.currency)}`)}`;
    if (meaning === "done") return { at, title: "Arrived", text };
    return {
      at,
      kind: meaning === "failed" ? "bad" : "look",
      title: meaning === "failed" ? "Failed: not paid" : "The service shows it",
      text,
    };
  });
}

function booked({ bookDay, kind, lines, currency, narration }: JournalEntry): Html {
  const rows = lines.map(
    ({ account, debit, credit, quantity }) =>
      html`<tr><th scope="row">${account.code} ${account.name}</th><td class="num">${debit && amount(debit, currency)}</td><td class="num">${credit && amount(credit, currency)}</td><td class="num">${quantity && amount(quantity.value, quantity.currency)}</td></tr>`,
  );
  return html`<li><time datetime="${bookDay}">${bookDay}</time><div><h3>${kind.endsWith("reverse") ? "Reversed in the books" : "Booked"}</h3><p>${narration}</p><div class="scroll" role="region" aria-label="Journal entry: ${narration}" tabindex="0"><table class="dense"><thead><tr><th scope="col">Account</th><th scope="col" class="num">Debit</th><th scope="col" class="num">Credit</th><th scope="col" class="num">Quantity</th></tr></thead><tbody>${rows}</tbody></table></div></div></li>`;
}

function facts({ workplace: { config } }: Visit, { instruction, sightings }: PaymentRecord): Html {
  const { fields, payoutId } = instruction;
  const fact = (label: string, value: Part, kind = "") =>
    value !== undefined && value !== "" && html`<dt>${label}</dt><dd class="${kind}">${value}</dd>`;
  const funds = (sightings.at(-1)?.sentFunds ?? []).map(({ amount: sent, fee, txHash }) => [
    fact("Sent", sent && amount(sent.value, sent.currency)),
    fact("Network fee", fee && amount(fee.value, fee.currency)),
    fact("Transaction", txHash, "hash"),
  ]);
  return html`<div class="body"><dl class="kv wide">${fact("Paid to", fields.destinationAddress ?? fields.destinationAccountId, "addr")}${fact("Payee", fields.customerId)}${fact("Paid from", custodyNames(config)(fields.custodyAccountId))}${fact("Asked for", amount(fields.amount.value, fields.amount.currency))}${funds}${fact("Network fee borne by", fields.subtractFee === true ? "the payee" : undefined)}${fact("Not before", fields.payOn)}${fact("Booked to", [fields.generalLedgerName, fields.generalLedgerProject, fields.generalLedgerDistribution].filter((each) => each !== undefined).join(", "))}${fact("Payout at the service", payoutId, "mono")}</dl></div>`;
}

function checks(
  visit: Visit,
  { instruction, batch, approvals, sightings, entries, breaks }: PaymentRecord,
): Html {
  const payout = sightings.at(-1);
  const unlike = payout === undefined ? [] : paymentDifferences(instruction, payout);
  const approved = approvals.every(({ digest }) => digest === batch.digest)
    ? badge("ok", "equal")
    : badge("bad", "differs");
  const line = (what: string, mark: Html, said: readonly string[] = []) =>
    html`<li><p class="line"><span>${what}</span>${mark}</p>${said.map((each) => html`<p class="small">${each}</p>`)}</li>`;
  return html`<ul class="list">${line("File to approval", approvals.length === 0 ? badge("off", "not approved") : approved)}
${line("Request to payout", payout === undefined ? badge("off", "not seen yet") : unlike.length === 0 ? badge("ok", "equal") : badge("bad", "differs"), unlike)}
${seesAll(visit) && html`${line("Payout to books", entries.length > 0 ? badge("ok", "booked") : badge("off", "not booked yet"))}${line("Last comparison", breaks.length === 0 ? badge("ok", "no open break") : badge("warn", "open break"), breaks)}`}</ul>`;
}
