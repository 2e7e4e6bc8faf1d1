/**
 * Two decisions about a payment: paying it again, and accepting a payout that was found for it. Each is a question
 * with its consequence, then signed.
 */
import { noTransport } from "../../context/transport.ts";
import { isProblem, orProblem } from "../../faults/index.ts";
import { type Instruction, type ObservedPayout, payoutId } from "../../model/index.ts";
import type { CreatedPayout } from "../../payments/create-payout-step.ts";
import { resolveDoubtStep } from "../../payments/doubt-step.ts";
import { type PaymentChoices, paymentChoices } from "../../payments/named/payment-choices.ts";
import { beginPayAgain, goOnPayAgain, type PayAgainRequest } from "../../payments/pay-again-step.ts";
import { paymentRecordStep } from "../../views/explain-step.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import { decide } from "../decide.ts";
import { exact, type Html, html, type Part } from "../html.ts";
import { type Answer, field, hasRole, type Page, reasonIn, type Visit } from "../page.ts";
import { head, hidden, money, panel, words } from "../parts.ts";
import { fixOf, said } from "../plain-words.ts";
import { lacksRolePage, messagePage } from "../refusals.ts";
import { addressIn, standing, storyPath } from "./payments.ts";

/** The person who decides to pay again also submits the new payment. */
const PAYS_AGAIN = ["operator", "submitter"] as const;

export const paymentDecisionPages: readonly Page[] = [
  { method: "GET", path: "/payments/pay-again", roles: ["operator"], handle: payAgainPage },
  { method: "POST", path: "/payments/pay-again", roles: ["operator"], handle: payAgain },
  { method: "POST", path: "/payments/pay-again/submit", roles: ["operator"], handle: submitAgain },
  { method: "GET", path: "/payments/accept", roles: ["operator"], handle: acceptPage },
  { method: "POST", path: "/payments/accept", roles: ["operator"], handle: accept },
];

/** Whether this process may ask the service, as each of these decisions must. */
export function connects({ workplace }: Visit): boolean {
  return workplace.context.transport !== noTransport;
}

export const ELSEWHERE =
  "This desk never connects to the service: decide at the desk of the machine that sends.";

export const NOT_HERE = messagePage(409, "Not at this desk", `Nothing was done. ${ELSEWHERE}`);

function linkTo(page: "pay-again" | "accept", reference: string, payout = ""): string {
  return `/payments/${page}?${new URLSearchParams({ reference, ...(payout !== "" && { payout }) }).toString()}`;
}

/** The possible decisions about a payment, for its page: the buttons, or who has them. */
export async function choicesPanel(visit: Visit, instruction: Instruction): Promise<Html | false> {
  const choices = await paymentChoices(visit.workplace, instruction);
  const { mayPayAgain, found } = choices;
  if (!mayPayAgain && found.length === 0) return false;
  const { reference } = instruction.fields;
  const again = html`<p>The payee was not paid by it, as far as is known here.</p>
    ${
      hasRole(visit, "operator") && !hasRole(visit, "submitter")
        ? html`<p class="small mute">An operator who is also a submitter decides.</p>`
        : button(visit, linkTo("pay-again", reference), "Pay again…")
    }`;
  const seen = found.map((payout) => {
    const label =
      found.length === 1
        ? "It is this payment…"
        : html`It is payout <span class="mono">${payout.payoutId}</span>…`;
    return html`<p>The service shows a payout that may be this payment: ${money(payout.requestedAmount)},
      ${standing("accepted", payout.state)}</p>${button(visit, linkTo("accept", reference, payout.payoutId), label)}`;
  });
  const content = html`<div class="body">${seen}${mayPayAgain && found.length === 0 && again}</div>`;
  return panel("decide", "What may be decided", content);
}

function button(visit: Visit, href: string, label: Part): Html {
  if (!hasRole(visit, "operator")) return html`<p class="small mute">An operator decides.</p>`;
  if (!connects(visit)) return html`<p class="small mute">${ELSEWHERE}</p>`;
  return html`<p class="acts"><a class="btn main" href="${href}">${label}</a></p>`;
}

/** The payment of a question or decision, or the page that says why there is none. */
async function asked(visit: Visit, reference: string) {
  if (!connects(visit)) return { answer: NOT_HERE };
  const record = await orProblem(() => paymentRecordStep(visit.workplace, reference));
  if (isProblem(record))
    return {
      answer: messagePage(404, "No such payment", "Nothing was done. No payment has this reference."),
    };
  const { instruction, sightings } = record;
  return {
    instruction,
    payoutState: sightings.at(-1)?.state,
    choices: await paymentChoices(visit.workplace, instruction),
  };
}

const LATE =
  "Nothing was done. The facts about the payment do not allow it, or another person was faster: look again.";

/** The sum, the payee and the full address, as in every question. */
function paymentFacts({ workplace }: Visit, { fields, batchId, row }: Instruction): Html {
  const from = custodyNames(workplace.config)(fields.custodyAccountId);
  return html`<dt>Sum</dt><dd>${money(fields.amount)}</dd><dt>Payee</dt>
  <dd>${fields.customerId ?? "nobody named"}</dd><dt>Address</dt><dd class="addr">${addressIn(fields)}</dd>
  <dt>Paid from</dt><dd>${from}</dd><dt>Payment</dt><dd>${fields.reference}, row ${row} of ${batchId}</dd>`;
}

function questionPage(title: string, lede: Part, reference: string, content: Html): Answer {
  const crumbs = html`<a href="/payments">Payments</a> / <a href="${storyPath(reference)}">${reference}</a>`;
  return { title, content: html`${head(title, lede, undefined, crumbs)}${content}` };
}

async function payAgainPage(visit: Visit): Promise<Answer> {
  const reference = field(visit.query, "reference");
  const { answer, instruction, payoutState, choices } = await asked(visit, reference);
  if (answer !== undefined) return answer;
  if (!choices.mayPayAgain) return { goTo: storyPath(reference) };
  if (!hasRole(visit, "submitter")) return lacksRolePage(visit, ["submitter"]);
  const consequence = html`<p>A new payment of ${money(instruction.fields.amount)} is sent in under a reference
    of its own. <b>It is not paid before others have approved it.</b> Right before, the service is asked whether
    the earlier one was paid after all: then nothing is done.</p>`;
  const name = html`<div class="field"><label for="as">New reference</label>
    <input id="as" name="as" value="${exact(`${reference}-AGAIN`)}" required maxlength="200" autocomplete="off"></div>`;
  const form = html`<form method="post" action="/payments/pay-again">${hidden("reference", reference)}
  <div class="body"><dl class="kv">${paymentFacts(visit, instruction)}</dl>${consequence}${name}
  ${words("why", "Reason, for the record")}<p class="acts"><button class="btn main big">Pay again</button>
  <a class="btn" href="${storyPath(reference)}">Cancel</a></p></div></form>`;
  const lede = html`${standing(instruction.standing, payoutState)} The payee was not paid by it, as far as
    is known here.`;
  const asks = panel("question", "What would be paid", form);
  return questionPage(`Pay ${reference} again?`, lede, reference, asks);
}

function requestIn({ form, person }: Visit): PayAgainRequest {
  const newReference = field(form, "as").trim();
  return { reference: field(form, "reference"), newReference, reason: reasonIn(form), person };
}

/** The person signs twice: the decision, and the new payment, as the sender of a file would. */
async function payAgain(visit: Visit): Promise<Answer> {
  const { answer } = await asked(visit, field(visit.form, "reference"));
  if (answer !== undefined) return answer;
  if (!hasRole(visit, "submitter")) return lacksRolePage(visit, PAYS_AGAIN);
  const { reference, newReference: as, reason } = requestIn(visit);
  const next = { ...visit, url: "/payments/pay-again/submit", form: { reference, as, reason } };
  return decide(
    visit,
    (workplace) => beginPayAgain(workplace, requestIn(visit)),
    () => submitAgain(next),
  );
}

async function submitAgain(visit: Visit): Promise<Answer> {
  const { answer } = await asked(visit, field(visit.form, "reference"));
  if (answer !== undefined) return answer;
  if (!hasRole(visit, "submitter")) return lacksRolePage(visit, PAYS_AGAIN);
  return decide(
    visit,
    (workplace) => goOnPayAgain(workplace, requestIn(visit)),
    (made) => afterPayAgain(visit, made),
  );
}

function afterPayAgain(visit: Visit, { instruction, submitted }: CreatedPayout): Answer {
  if (instruction !== undefined) return { goTo: `/batches/${instruction.batchId}` };
  const why = submitted.problems.map((each) => `${said(visit, each.message)} ${fixOf(visit, each)}`);
  return messagePage(409, "Not paid again", `The new payment was not taken in. ${why.join(" ")}`);
}

async function acceptPage(visit: Visit): Promise<Answer> {
  const [reference, payout] = [field(visit.query, "reference"), field(visit.query, "payout")];
  const { answer, instruction, choices } = await asked(visit, reference);
  if (answer !== undefined) return answer;
  const found = foundAs(choices, payout);
  if (found === undefined) return { goTo: storyPath(reference) };
  const consequence = html`<p>That payout is this payment then: it is followed and booked, and <b>nothing
    is sent again</b>. If it ended without paying, the payment may be paid again afterwards.</p>`;
  const form = html`<form method="post" action="/payments/accept">${hidden("reference", reference)}
    ${hidden("payout", found.payoutId)}<div class="body"><dl class="kv">${paymentFacts(visit, instruction)}
    ${payoutFacts(found)}</dl>${consequence}${words("why", "Reason, for the record")}<p class="acts">
    <button class="btn main big">It is this payment</button>
    <a class="btn" href="${storyPath(reference)}">Cancel</a></p></div></form>`;
  const lede = "The service shows a payout of the same amount to the same address.";
  return questionPage(
    `Is it ${reference}?`,
    lede,
    reference,
    panel("question", "What would be accepted", form),
  );
}

function foundAs({ found }: PaymentChoices, payout: string): ObservedPayout | undefined {
  return found.find(({ payoutId: id }) => id === payout);
}

function payoutFacts({ payoutId: id, requestedAmount, state, ...payout }: ObservedPayout): Html {
  return html`<dt>Payout</dt><dd><span class="mono">${id}</span> ${standing("accepted", state)}</dd>
  <dt>It pays</dt><dd>${money(requestedAmount)}
  <span class="sub addr">${payout.destinationAddress ?? payout.destinationAccountId}</span></dd><dt>Its reference</dt>
  <dd>${payout.reference ?? "none"}</dd>`;
}

async function accept(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const [reference, payout] = [field(form, "reference"), field(form, "payout")];
  const { answer, choices } = await asked(visit, reference);
  if (answer !== undefined) return answer;
  if (foundAs(choices, payout) === undefined) return messagePage(409, "Not possible now", LATE);
  const decision = { reference, person, reason: reasonIn(form) };
  const resolving = { by: "accept", payoutId: payoutId(payout) } as const;
  return decide(visit, (workplace) => resolveDoubtStep(workplace, decision, resolving), storyPath(reference));
}
