/** A deposit, or a payout that no file asked for, as the service shows it: its facts, its story and its breaks. */
import type { ObservedFunds } from "../../model/index.ts";
import { type ResourceRecord, resourceStep } from "../../views/explain-step.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import { type Html, html } from "../html.ts";
import { type Answer, field, type Page, SEE, type Visit } from "../page.ts";
import { capital, dayText, facts, head, money, panel, time } from "../parts.ts";
import { actionText, plain, said } from "../plain-words.ts";
import { messagePage } from "../refusals.ts";
import { storyPath } from "./payments.ts";

export const resourcePages: readonly Page[] = [
  { method: "GET", path: "/payments/resource", roles: SEE, handle: resourcePage },
];

async function resourcePage(visit: Visit): Promise<Answer> {
  const kind = field(visit.query, "kind") === "deposit" ? "deposit" : "payout";
  const found = await resourceStep(visit.workplace, kind, field(visit.query, "id").toLowerCase());
  if (typeof found === "string") return { goTo: storyPath(found) };
  if (found === undefined)
    return messagePage(404, `No such ${kind}`, `The service has never shown a ${kind} of this number.`);
  const { story, entries } = found;
  const { id, reference, state = "" } = story;
  const what = kind === "deposit" ? "A deposit." : "A payout that no file asked for.";
  const lede = html`${what} The service’s state: <span class="mono">${state}</span>`;
  const lines = story.lines.map(
    (line) => html`<li>${time(visit, line.at)}<p>${lineText(visit, line)}</p></li>`,
  );
  const breaks = story.breaks.map((sentence) => html`<li><p>${said(visit, sentence)}</p></li>`);
  const booked = entries.map(({ bookDay, narration, kind: entry }) => {
    const verb = entry.endsWith("reverse") ? "reversed" : "booked";
    return html`<li><p>${dayText(visit, bookDay)}, ${verb}: ${narration}</p></li>`;
  });
  const crumbs = html`<a href="/payments">Payments</a> / ${kind}`;
  const log = html`<div class="body"><ol class="list log">${lines}</ol></div>`;
  const toBreak = html`<a class="btn" href="/nights/break?name=${id}">See the evidence</a>`;
  const openBreaks =
    breaks.length === 0
      ? html`<div class="body"><p>None.</p></div>`
      : html`<ul class="list">${breaks}</ul><div class="body"><p class="acts">${toBreak}</p></div>`;
  const content = html`${head(`${capital(kind)} ${reference ?? id}`, lede, undefined, crumbs)}
<div class="pair"><div>${panel("story", "Its story", log)}</div>
<div>${panel("facts", "Facts", html`<div class="body">${factsOf(visit, found)}</div>`)}
${panel("breaks", "Open breaks", openBreaks)}
${booked.length > 0 && panel("booked", "Booked", html`<ul class="list">${booked}</ul>`)}</div></div>`;
  return { title: reference ?? id, content };
}

/** "<b>Paydrop</b>: create a deposit: about to be sent, number used once 17" for an entry of the record. */
function lineText(visit: Visit, { who, what }: ResourceRecord["story"]["lines"][number]): Html {
  const [, action = "", details = ""] = /^([\w -]+)(?:: (.*))?$/.exec(what) ?? [];
  const words = actionText(action);
  if (words === action) return html`<b>${capital(who)}</b> ${plain(visit, what)}`;
  const rest = details === "" ? "" : `, ${plain(visit, details.replace(/^nonce\b/, "number used once"))}`;
  return html`<b>${capital(who)}</b>: ${words}${rest}`;
}

function factsOf({ workplace }: Visit, { story, payout, deposit }: ResourceRecord): Html {
  const nameOf = custodyNames(workplace.config);
  const account = payout?.custodyAccountId ?? deposit?.custodyAccountId;
  const to = payout?.destinationAddress ?? payout?.destinationAccountId;
  const asked = payout?.requestedAmount ?? deposit?.requestedInCrypto ?? deposit?.requestedInFiat;
  const funds = payout?.sentFunds ?? deposit?.receivedFunds ?? [];
  return facts([
    ["Number at the service", html`<span class="mono">${story.id}</span>`],
    ["Asked for", asked && money(asked)],
    ["Paid to", to && html`<span class="addr">${to}</span>`],
    ["Receives at", deposit?.receiverAddress && html`<span class="addr">${deposit.receiverAddress}</span>`],
    ["Customer", deposit?.customerId],
    ["Custody account", account && nameOf(account)],
    ...funds.map((each) => [deposit ? "Received" : "Sent", fundsOf(each)] as const),
  ]);
}

function fundsOf({ amount, fee, txHash, transactionId }: ObservedFunds): Html {
  const hash = txHash ?? transactionId;
  const named = hash && html`<br><span class="hash">${hash}</span>`;
  return html`${amount && money(amount)}${fee && html`, network fee ${money(fee)}`}${named}`;
}
