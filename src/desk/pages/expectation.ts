/** One expectation: its address with a QR code, the received money, its story, and the controllers' decisions. */
import {
  approveExpectedStep,
  type ExpectedNow,
  endExpectationStep,
  expectedNow,
  explainExpected,
  matchReceiptStep,
  notesOf,
  type ShownExpectation,
  unmatchReceiptStep,
} from "../../expected/index.ts";
import { fault } from "../../faults/index.ts";
import { decimalsShown } from "../../model/amount-html.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import { decide, type Question } from "../decide.ts";
import { exact, type Html, html } from "../html.ts";
import { type Answer, field, fieldsOf, hasRole, type Page, reasonIn, SEE, type Visit } from "../page.ts";
import { amount, badge, dayText, facts, head, hidden, money, panel, time, words } from "../parts.ts";
import { plain, said } from "../plain-words.ts";
import { qrCode } from "../qr-code.ts";
import { messagePage } from "../refusals.ts";
import { candidateText, expectationPath, stateBadge } from "./expected.ts";
import { referenceText, resourcePath } from "./payments.ts";

const CONTROLLER = ["controller"] as const;

export const expectationPages: readonly Page[] = [
  { method: "GET", path: "/expected/decide", roles: CONTROLLER, handle: decidePage },
  { method: "POST", path: "/expected/match", roles: CONTROLLER, handle: match },
  { method: "POST", path: "/expected/unmatch", roles: CONTROLLER, handle: unmatch },
  { method: "POST", path: "/expected/end", roles: CONTROLLER, handle: end },
  { method: "POST", path: "/expected/approve", roles: ["approver"], handle: approve },
  { method: "GET", path: "/expected/:id", roles: SEE, handle: expectationPage },
];

async function expectationPage(visit: Visit): Promise<Answer> {
  const { standings, files } = await expectedNow(visit.workplace);
  const shown = standings.find(({ expectation }) => String(expectation.id) === visit.params["id"]);
  if (shown === undefined)
    return messagePage(404, "No such expectation", "The page Expected lists what there is.");
  const { reference } = shown.expectation;
  const story = await explainExpected(visit.workplace, reference);
  const crumbs = html`<a href="/expected">Expected</a> / ${referenceText(reference)}`;
  const log = (story?.lines ?? []).map(
    ({ at, who, what }) =>
      html`<li>${time(visit, at)}<p>${plain(visit, what)}<span class="sub">${who}</span></p></li>`,
  );
  const content = html`${head(
    html`${referenceText(reference)} ${stateBadge(shown)}`,
    ledeOf(visit, shown),
    undefined,
    crumbs,
  )}
<div class="pair"><div>${panel("terms", "What is expected", termsOf(visit, shown, files))}
${addressPanel(shown)}</div>
<div>${shown.shares.length > 0 && panel("received", "What was received", shares(visit, shown))}
${panel("story", "What was done", html`<div class="body"><ol class="list log">${log}</ol></div>`)}
${hasRole(visit, "controller") && endPanel(shown)}</div></div>`;
  return { title: reference, content };
}

function ledeOf(visit: Visit, shown: ShownExpectation): string {
  const notes = notesOf(shown);
  return notes.length === 0 ? "Nothing has to be done." : said(visit, notes.join("; "));
}

function termsOf(
  visit: Visit,
  { expectation, received, open }: ShownExpectation,
  files: ExpectedNow["files"],
): Html {
  const { amount, customerId, custodyAccountId, dueDay, file, line } = expectation;
  const fileName = files.find(({ number }) => number === file)?.name ?? `file ${file}`;
  const terms = facts([
    ["Amount", money(amount)],
    ["Received", received.isZero() ? "" : money({ ...amount, value: received })],
    ["Still to come", open.isZero() ? "" : money({ ...amount, value: open })],
    ["Customer", customerId],
    ["Due", dueDay && dayText(visit, dueDay)],
    ["Custody account", custodyNames(visit.workplace.config)(custodyAccountId)],
    ["File", html`<a href="/expected/answers/${file}">${fileName}</a>, line ${line}`],
  ]);
  return html`<div class="body">${terms}</div>`;
}

/** Shows only an address that was looked up and verified. */
function addressPanel({ address, paymentUri, expectation }: ShownExpectation): Html | false {
  if (address === undefined) return false;
  const hasAmount = paymentUri?.includes("?") === true;
  const note = hasAmount ? "the code names the amount" : "the code names no amount";
  const code = paymentUri && qrCode(paymentUri, `QR code of the address for ${expectation.reference}`);
  return panel(
    "address",
    "Where it is to be paid",
    html`<div class="body stack"><p class="addr">${address}</p>${code}
      ${paymentUri !== undefined && html`<p><a href="${paymentUri}">Open in a wallet</a></p>`}</div>`,
    paymentUri === undefined ? {} : { note },
  );
}

function shares(visit: Visit, shown: ShownExpectation): Html {
  const { expectation, shares: all } = shown;
  const rows = all.map(({ receipt, quantity, decision }) => {
    const how =
      decision === undefined
        ? "on its own deposit"
        : `matched by ${decision.matchedBy}: ` +
          `${decision.evidence}${decision.reason === undefined ? "" : `; ${decision.reason}`}`;
    const back =
      decision !== undefined &&
      expectation.ended === undefined &&
      hasRole(visit, "controller") &&
      html`<form class="stack" method="post" action="/expected/unmatch">${hidden("deposit", receipt.depositId)}
        ${hidden("receipt", decision.receipt)}${hidden("back", expectationPath(shown))}
        ${words(`why-${decision.id}`, "Why it is taken back")}<p class="acts">
        <button class="btn">Take it back</button></p></form>`;
    return html`<li><div><h3><a href="${resourcePath("deposit", receipt.depositId)}">
      ${amount(quantity, receipt.amount.currency)}</a>
      ${receipt.isSettled ? badge("ok", "confirmed") : badge("run", "arriving")}</h3>
      <p>${time(visit, receipt.at)}, ${how}</p>${back}</div></li>`;
  });
  return html`<ul class="todo">${rows}</ul>`;
}

function endPanel(shown: ShownExpectation): Html | false {
  const { expectation, open, received } = shown;
  if (expectation.ended !== undefined || open.isZero()) return false;
  const isPart = !received.isZero();
  const [ending, title, button] = isPart
    ? (["settled short", "Accept that less was received", "Settle it short"] as const)
    : (["withdrawn", "Do not expect it any longer", "Withdraw it"] as const);
  const keep =
    !isPart &&
    expectation.depositId !== undefined &&
    html`<p><label><input type="checkbox" name="keep" value="yes"> Leave its deposit at the service as it
      is</label></p>`;
  const form = html`<form class="body stack" method="post" action="/expected/end">
    ${hidden("reference", expectation.reference)}${hidden("end", ending)}${hidden("back", expectationPath(shown))}
${words("reason", "Why")}${keep}<p class="acts"><button class="btn">${button}</button></p></form>`;
  return panel("end", title, form);
}

async function decidePage(visit: Visit): Promise<Answer> {
  const [depositId, key] = [field(visit.query, "deposit"), field(visit.query, "receipt")];
  const now = await expectedNow(visit.workplace);
  const found = now.open.find(({ receipt }) => receipt.depositId === depositId && receipt.key === key);
  if (found === undefined)
    return messagePage(404, "No such receipt", "It is matched by now, or was never there.");
  const { receipt, free, candidates, owedAlikeBy } = found;
  const fields = html`${hidden("deposit", depositId)}${hidden("receipt", key)}`;
  const rows = candidates.map((candidate) => {
    const names = candidate.parts.map(({ expectation }) => expectation.reference);
    return html`<li><div>${candidateText(candidate)}</div><div class="right">
    <form method="post" action="/expected/match">${fields}${names.map((name) => hidden("reference", name))}
    <button class="btn main">It is for ${names.join(", ")}</button></form></div></li>`;
  });
  const others = now.standings.filter(
    ({ open, expectation, state }) =>
      !open.isZero() && state !== "waits" && expectation.custodyAccountId === receipt.custodyAccountId,
  );
  const options = others.map(({ expectation, open }) => {
    const { currency } = expectation.amount;
    const rest = `${open.rounded(decimalsShown(open, currency)).toString()} ${currency}`;
    return html`<option value="${exact(expectation.reference)}">
      ${expectation.reference}, ${expectation.customerId ?? "no customer"}: ${rest} open</option>`;
  });
  const other = html`<form class="body stack" method="post" action="/expected/match">${fields}
<div class="field"><label for="other">It is for</label><select id="other" name="reference">${options}</select></div>
  ${words("reason", "Why")}
<p class="acts"><button class="btn">Decide so</button></p></form>`;
  const alike =
    owedAlikeBy.length > 0 ? ` ${owedAlikeBy.join(", ")} owe the same, so the amount decides nothing.` : "";
  const crumbs = html`<a href="/expected">Expected</a> / Receipt`;
  const of = receipt.customerId !== undefined && `, shown as of ${receipt.customerId}`;
  const lede = html`Received ${amount(free, receipt.amount.currency)}${of}. Nothing has been done yet.${alike}`;
  const content = html`${head("What was it for?", lede, undefined, crumbs)}
${rows.length > 0 && panel("candidates", "What it may be", html`<ul class="todo">${rows}</ul>`)}
${
  options.length > 0 &&
  panel("other", rows.length > 0 ? "Something else" : "Choose what it was for", other, {
    note: "your reason is the evidence",
  })
}`;
  return { title: "Receipt", content };
}

function match(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const reason = field(form, "reason").trim();
  const matching = {
    depositId: field(form, "deposit"),
    receipt: field(form, "receipt"),
    references: fieldsOf(form, "reference"),
    person,
    ...(reason !== "" && { reason }),
  };
  return decide(visit, (workplace) => matchReceiptStep(workplace, matching), "/expected", { isAsked: true });
}

function unmatch(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const back = backIn(form);
  const unmatching = {
    depositId: field(form, "deposit"),
    receipt: field(form, "receipt"),
    person,
    reason: reasonIn(form),
  };
  return decide(visit, (workplace) => unmatchReceiptStep(workplace, unmatching), back, { isAsked: true });
}

function end(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const ending = field(form, "end");
  if (ending !== "withdrawn" && ending !== "settled short")
    throw fault("USAGE", {
      what: "how it ends is not said",
      how: "Choose it on the page Expected.",
    });
  const asked = {
    reference: field(form, "reference"),
    end: ending,
    person,
    reason: reasonIn(form),
    keepDeposit: field(form, "keep") !== "",
  } as const;
  return decide(visit, (workplace) => endExpectationStep(workplace, asked), backIn(form), { isAsked: true });
}

function approve(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const number = Number.parseInt(field(form, "number"), 10) || 0;
  const question = () => approvalQuestion(visit, number);
  const step = (workplace: Visit["workplace"]) => approveExpectedStep(workplace, number, person);
  return decide(visit, step, "/expected", { question });
}

/** Names the file, because several may wait. */
async function approvalQuestion({ workplace }: Visit, number: number): Promise<Question> {
  const { files } = await expectedNow(workplace);
  const { name = `file ${number}`, takenBy } = files.find((each) => each.number === number) ?? {};
  const content = html`<p>${takenBy !== undefined && `${takenBy} sent it in. `}Its rows count from then on, and
    deposits are made for the rows that ask for one.
    <a href="/expected/answers/${number}">Look at it first.</a></p>`;
  return { title: `Approve ${name}?`, content, button: "Approve it", back: "/expected" };
}

/** The expectation's page if the decision began there; otherwise the list. */
function backIn(form: Visit["form"]): string {
  const back = field(form, "back");
  return /^\/expected\/\d+$/.test(back) ? back : "/expected";
}
