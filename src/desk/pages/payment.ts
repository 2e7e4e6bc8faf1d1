/**
 * The story of a payment on one time line, from the row of its file to the books, with its facts and comparisons.
 */
import { isProblem, orProblem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import type { Instant, JournalEntry } from "../../model/index.ts";
import { paymentDifferences, payoutStateMeaning, ROLES } from "../../model/index.ts";
import { type Attempt, type PaymentRecord, paymentRecordStep } from "../../views/explain-step.ts";
import { statusesOf } from "../../views/payment-status.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, field, type Page, seesAll, type Visit } from "../page.ts";
import { badge, capital, day, dayText, formatted, fromFile, head, money, panel } from "../parts.ts";
import { actionText, operationText, plain, said } from "../plain-words.ts";
import { messagePage } from "../refusals.ts";
import { choicesPanel } from "./payment-decisions.ts";
import { addressIn, mayKnow, standing, storyPath } from "./payments.ts";

export const paymentPages: readonly Page[] = [
  { method: "GET", path: "/payments/story", roles: ROLES, handle: storyPage },
];

async function storyPage(visit: Visit): Promise<Answer> {
  const record = await orProblem(() => paymentRecordStep(visit.workplace, field(visit.query, "reference")));
  if (isProblem(record) || !mayKnow(visit, record.batch))
    return messagePage(404, "No such payment", "No payment has this reference, or it is not for you to see.");
  const { instruction, batch, sightings, again } = record;
  const { fields, row } = instruction;
  const [{ reason = instruction.reason, mustBeApprovedAnew } = {}] = await statusesOf(visit.workplace, [
    instruction,
  ]);
  const isOpen = instruction.standing === "in doubt" || instruction.standing === "held";
  const crumbs = html`<a href="/batches/${batch.id}">${batch.id}</a> / ${batch.fileName}, row ${row}`;
  const title = html`${fields.reference} ${standing(instruction.standing, sightings.at(-1)?.state)}
    ${mustBeApprovedAnew && badge("warn", "must be approved again")}`;
  const lede = html`${money(fields.amount)} to ${fields.customerId ?? addressIn(fields)}
    ${reason === undefined ? "." : html`: ${said(visit, reason)}`}
    ${again !== undefined && html` It is paid again as <a href="${storyPath(again)}">${again}</a>.`}`;
  const evidence = html`<a class="btn main"
    href="/doubts/payment?reference=${encodeURIComponent(fields.reference)}">See the evidence</a>`;
  const content = html`${head(title, lede, isOpen && seesAll(visit) && evidence, crumbs)}
${seesAll(visit) && (await choicesPanel(visit, instruction))}
<div class="cols"><div>${panel(
    "story",
    "Its story",
    html`<div class="body">
<ol class="story">${happenings(visit, record).map((each) => line(visit, each))}
  ${seesAll(visit) && record.entries.map((each) => booked(visit, each))}</ol></div>`,
    { note: `times of ${visit.workplace.config.ledger.timeZone}` },
  )}</div>
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

const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;

function line(visit: Visit, { at, kind, title, text, more }: Happening): Html {
  return html`<li${kind !== undefined && html` class="${kind}"`}><time datetime="${at}">
    ${day(visit, at)}, ${formatted(visit, at, CLOCK)}</time><div><h3>${title}</h3><p>${text}</p>${more}</div></li>`;
}

/** Oldest first. */
function happenings(
  visit: Visit,
  { batch, instruction, approvals, attempts, audit, sightings }: PaymentRecord,
) {
  const { submittedAt: at, fileName, submittedBy, id } = batch;
  const text = html`${fileName}, row ${instruction.row}. Sent in by ${submittedBy} as
    <span class="nowrap">${id}</span>.`;
  const all: Happening[] = [
    { at, title: "In the file", text },
    ...approvals.map(approved),
    ...attempts.flatMap((each) => attempted(visit, each)),
    // The service's answer is shown already.
    ...audit.filter(({ action }) => action !== "payout accepted").map((each) => recorded(visit, each)),
    ...sightings.filter(({ state }, index) => state !== sightings[index - 1]?.state).map(shown),
  ];
  return all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function approved(approval: PaymentRecord["approvals"][number]): Happening {
  const { decidedAt: at, person, statement, digest } = approval;
  const text = `${statement === undefined ? "By name" : "Signed"}, for exactly these rows.`;
  const more = html`<details><summary>Digest of the rows</summary><span class="hash">${digest}</span></details>`;
  return { at, title: `Approved by ${person}`, text, more };
}

/** The number of the payout is among the facts. */
const TAKEN = "It answered with a payout.";

/** Words for the details of the record; empty for details that the page shows elsewhere. */
const DETAILS: Readonly<Record<string, string>> = {
  as: "as",
  break: "",
  change: "change:",
  decision: "decision:",
  evidence: "",
  look: "",
  opening: "break",
  payoutId: "payout",
  reason: "because:",
  released: "payments released:",
  rows: "rows:",
  statement: "",
};

const ENDS = {
  accepted: { title: "Taken by the service" },
  refused: { title: "Refused by the service", kind: "bad" },
  "not sent": { title: "It did not leave", kind: "bad" },
  "in doubt": { title: "No answer that can be relied on", kind: "doubt" },
} as const;

function attempted(visit: Visit, { submission, looks }: Attempt): Happening[] {
  const { attempt, sends, baseUrl, operation, nonce, bodyHash, intendedAt: at } = submission;
  const { endedAt, outcome, evidence } = submission;
  const sent = sends === 1 ? "Sent" : `Sent ${sends} times, as the same request`;
  const title = outcome === "not sent" ? "About to be sent" : sent;
  const more = html`<details><summary>Request</summary><dl class="kv"><dt>Operation</dt>
  <dd>${operationText(operation)}</dd><dt>Number used once</dt><dd class="mono">${nonce.toString()}</dd>
  <dt>Body</dt><dd class="hash">${bodyHash}</dd></dl></details>`;
  const end = outcome &&
    endedAt && {
      at: endedAt,
      ...ENDS[outcome],
      text: outcome === "accepted" ? TAKEN : said(visit, evidence ?? ""),
    };
  const first = { at, title, text: `Attempt ${attempt}, to ${baseUrl}.`, more };
  return [first, ...(end ? [end] : []), ...looks.map((each) => looked(visit, each))];
}

function looked(visit: Visit, { firstAt: at, times, saw, notSent }: Attempt["looks"][number]): Happening {
  const title = times === 1 ? "Looked for it" : `Looked for it ${times} times`;
  const text = html`${said(visit, saw)}${notSent !== undefined && ` Not sent again: ${plain(visit, notSent)}.`}`;
  return { at, kind: "look", title, text };
}

function recorded(visit: Visit, entry: PaymentRecord["audit"][number]): Happening {
  const { at, person, action, detail } = entry;
  const by = person === "paydrop" ? "Paydrop" : person;
  return { at, title: `${capital(actionText(action))}, by ${by}`, text: detailParts(visit, detail) };
}

/** The details of an entry of the record, a line each, without the members `hidden`. */
export function detailParts(
  visit: Visit,
  detail: PaymentRecord["audit"][number]["detail"],
  hidden: ReadonlySet<string> = new Set(),
): Html[] {
  const shown = Object.entries(detail).filter(([name]) => DETAILS[name] !== "" && !hidden.has(name));
  return shown.map(
    ([name, value]) =>
      html`<span class="sub">${DETAILS[name] ?? plain(visit, name)} ${fromFile(plain(visit, String(value)))}</span>`,
  );
}

function shown({ stateSeenAt: at, state, sentFunds }: PaymentRecord["sightings"][number]): Happening {
  const text = html`The service’s word: <span class="mono">${state}</span>
    ${sentFunds.map(({ fee }) => fee && html`. Network fee ${money(fee)}`)}`;
  const meaning = payoutStateMeaning(state);
  if (meaning === "done") return { at, title: "Arrived", text };
  if (meaning === "failed") return { at, kind: "bad", title: "Failed: not paid", text };
  return { at, kind: "look", title: "The service shows it", text };
}

function booked(visit: Visit, { bookDay, kind, lines, currency, narration }: JournalEntry): Html {
  const rows = html`${lines.map(
    ({ account, debit, credit, quantity }) => html`<tr>
  <th scope="row">${account.code} ${account.name}${quantity && html`<span class="sub">${money(quantity)}</span>`}</th>
  <td class="num">${debit?.toString()}</td><td class="num">${credit?.toString()}</td></tr>`,
  )}`;
  return html`<li><time datetime="${bookDay}">${dayText(visit, bookDay)}</time><div>
  <h3>${kind.endsWith("reverse") ? "Reversed in the books" : "Booked"}</h3><p>${narration}</p>
  <div class="scroll" role="region" aria-label="Journal entry: ${narration}" tabindex="0"><table class="dense">
  <thead><tr><th scope="col">Account</th><th scope="col" class="num">Debit ${currency}</th>
  <th scope="col" class="num">Credit ${currency}</th></tr></thead><tbody>${rows}</tbody></table></div></div></li>`;
}

function facts(visit: Visit, { instruction, sightings }: PaymentRecord): Html {
  const { fields, payoutId } = instruction;
  const { payOn } = fields;
  const custody = custodyNames(visit.workplace.config)(fields.custodyAccountId);
  const fact = (label: string, value: Part, kind = "") =>
    value !== undefined && value !== "" && html`<dt>${label}</dt><dd class="${kind}">${value}</dd>`;
  const funds = sightings.at(-1)?.sentFunds ?? [];
  const booking = [fields.generalLedgerName, fields.generalLedgerProject, fields.generalLedgerDistribution];
  return html`<div class="body"><dl class="kv wide">${fact("Paid to", addressIn(fields), "addr")}
    ${fact("Payee", fields.customerId)}${fact("Paid from", custody)}
    ${fact("Asked for", money(fields.amount))}
    ${funds.map(({ amount: sent, fee, txHash }) => [
      fact("Sent", sent && money(sent)),
      fact("Network fee", fee && money(fee)),
      fact("Transaction", txHash, "hash"),
    ])}${fact("Network fee borne by", fields.subtractFee === true ? "the payee" : undefined)}
      ${fact("Not before", payOn && dayText(visit, payOn))}${fact("For the books", applying(...booking).join(", "))}
      ${fact("Payout at the service", payoutId, "mono")}</dl></div>`;
}

function bookedMark(isBooked: boolean, state = ""): Html {
  const isFailed = payoutStateMeaning(state) === "failed";
  return isBooked ? badge("ok", "booked") : badge("off", isFailed ? "nothing to book" : "not booked yet");
}

function checks(visit: Visit, record: PaymentRecord): Html {
  const { instruction, batch, approvals, sightings, entries, breaks } = record;
  const payout = sightings.at(-1);
  const unlike = payout && paymentDifferences(instruction, payout);
  const isAsApproved = approvals.every(({ digest }) => digest === batch.digest);
  const equal = (isEqual: boolean) => (isEqual ? badge("ok", "equal") : badge("bad", "differs"));
  const check = (what: string, mark: Html, findings: readonly string[] = []) =>
    html`<li><p class="line"><span>${what}</span>${mark}</p>
      ${findings.map((each) => html`<p class="small">${said(visit, each)}</p>`)}</li>`;
  return html`<ul class="list">${check(
    "File to approval",
    approvals.length === 0 ? badge("off", "not approved") : equal(isAsApproved),
  )}
${check("Request to payout", unlike ? equal(unlike.length === 0) : badge("off", "not seen yet"), unlike)}
${
  seesAll(visit) && [
    check("Payout to books", bookedMark(entries.length > 0, payout?.state)),
    check(
      "Last comparison",
      breaks.length === 0 ? badge("ok", "no open break") : badge("warn", "open break"),
      breaks,
    ),
  ]
}</ul>`;
}
