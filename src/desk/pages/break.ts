/** One break: its evidence, notes and history; and the pages on which controllers decide about one or several. */
import { fault } from "../../faults/index.ts";
import { kindWords } from "../../model/break-words.ts";
import {
  assignBreakStep,
  type BreakStory,
  breaksStep,
  noteBreakStep,
  reopenBreakStep,
  settleStep,
  showBreakStep,
  takesTwo,
  waitsForAnother,
} from "../../nights/index.ts";
import type { Opening, StoredBreak } from "../../store/breaks.ts";
import { decide } from "../decide.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, field, fieldsOf, hasRole, type Page, reasonIn, SEE, type Visit } from "../page.ts";
import {
  badge,
  capital,
  counted,
  facts,
  head,
  hidden,
  money,
  panel,
  selectField,
  time,
  words,
} from "../parts.ts";
import { plain, said } from "../plain-words.ts";
import { breakLink, breakPath, openFor, ownersFor, SEVERITY } from "./breaks.ts";
import { resourcePath, storyPath } from "./payments.ts";

const CONTROLLER = ["controller"] as const;

export const breakStoryPages: readonly Page[] = [
  { method: "GET", path: "/nights/break", roles: SEE, handle: breakPage },
  { method: "GET", path: "/nights/decide", roles: CONTROLLER, handle: decidePage },
  { method: "POST", path: "/nights/give", roles: CONTROLLER, handle: give },
  { method: "POST", path: "/nights/note", roles: CONTROLLER, handle: note },
  { method: "POST", path: "/nights/settle", roles: CONTROLLER, handle: settle },
  { method: "POST", path: "/nights/reopen", roles: CONTROLLER, handle: reopen },
];

async function breakPage(visit: Visit): Promise<Answer> {
  const stories = await showBreakStep(visit.workplace, field(visit.query, "name"));
  const [first] = stories;
  const { reference, opening } = first?.latest ?? {};
  const title = stories.length === 1 ? (reference ?? opening) : field(visit.query, "name");
  return { title: title ?? "Break", content: html`${stories.map((each) => story(visit, each))}` };
}

function story(visit: Visit, found: BreakStory): Html {
  const { latest, earlier } = found;
  const { opening, reference, severity } = latest;
  const crumbs = html`<a href="/nights">Nights</a> / ${opening}`;
  const name = `${reference ?? opening}: ${kindWords(latest).toLowerCase()}`;
  const title = html`${name} ${SEVERITY[severity]} ${state(latest)}`;
  const done = happenings(found).map(([at, what]) => html`<li>${time(visit, at)}<p>${what}</p></li>`);
  const log = html`<div class="body"><ol class="list log">${done}</ol></div>`;
  const note = earlier.length > 0 ? `opened ${counted(earlier.length + 1, "time")}` : undefined;
  return html`${head(title, said(visit, latest.sentence), actions(visit, latest), crumbs)}
${whatNext(visit, found)}<div class="pair">
<div>${panel(`evidence-${opening}`, "Evidence", html`<div class="body">${evidence(visit, found)}</div>`)}</div>
<div>${panel(`history-${opening}`, "What was done", log, { note })}</div></div>`;
}

/** For a payout that no file asked for, which somebody has to explain. */
function whatNext(visit: Visit, { latest, instruction }: BreakStory): Html | false {
  const { opening, kind, closedAt, settledAt } = latest;
  if (kind !== "unexpected" || closedAt !== undefined || settledAt !== undefined) return false;
  const settle = html`<a class="btn main" href="${decidePath("settle", opening)}">It was right: settle it…</a>`;
  const button =
    instruction === undefined
      ? hasRole(visit, "controller")
        ? settle
        : html`<a class="btn main" href="/people">Who is a controller</a>`
      : html`<a class="btn main" href="${storyPath(instruction.fields.reference)}">Open the payment</a>`;
  const sentence =
    instruction === undefined
      ? "Find out who made it at the service: if it was right, a controller settles it with that as the reason; if " +
        "not, stop sending, because somebody else can pay from this account."
      : "The payment with this reference decides: its page offers “It is this payment” if that is possible.";
  const stop = instruction === undefined && html` <a class="btn" href="/jobs">Stop sending…</a>`;
  return panel(
    "next",
    "What to do",
    html`<div class="body"><p>${sentence}</p>
    <p class="acts">${button}${stop}</p></div>`,
  );
}

function decidePath(what: DecisionName, opening: string): string {
  return `/nights/decide?${new URLSearchParams({ do: what, from: "break", break: opening }).toString()}`;
}

function state({ closedAt, settledAt, proposed }: Opening): Html | undefined {
  if (settledAt !== undefined) return badge("off", "settled");
  if (closedAt !== undefined) return badge("ok", "healed");
  return proposed && badge("wait", "to be confirmed");
}

/** Whether the visitor has proposed to settle it, so that another controller must confirm. */
function isLeftToAnother({ workplace, person }: Visit, each: StoredBreak): boolean {
  return waitsForAnother(each, person, workplace.config.reconciliation.settleAlone);
}

function actions(visit: Visit, found: Opening): Html | undefined {
  const { opening, closedAt, settledAt, proposed } = found;
  if (!hasRole(visit, "controller") || closedAt !== undefined) return undefined;
  const link = (what: DecisionName, label: string) =>
    html`<a class="btn" href="${decidePath(what, opening)}">${label}</a>`;
  if (settledAt !== undefined) return html`${link("note", "Add a note…")}${link("reopen", "Open again…")}`;
  const settleWords = proposed === undefined ? "Settle…" : "Confirm…";
  return html`${link("give", "Assign…")}${link("note", "Add a note…")}
    ${!isLeftToAnother(visit, found) && link("settle", settleWords)}`;
}

function evidence(visit: Visit, { latest, account, payout, deposit, instruction }: BreakStory): Html {
  const { field: differs, expected, found, amount, owner, payoutId, depositId } = latest;
  const theirs = payout ?? deposit;
  const to = payout?.destinationAddress ?? payout?.destinationAccountId ?? deposit?.receiverAddress;
  return facts([
    ["Here", instruction ? payment(instruction) : depositId === undefined ? "no row of any file" : undefined],
    ["At the service", payoutId && resourceLink("payout", payoutId, payout?.state)],
    ["At the service", depositId && resourceLink("deposit", depositId, deposit?.state)],
    ["What differs", differs && capital(plain(visit, differs))],
    ["Ours", expected && plain(visit, expected)],
    ["Theirs", found && plain(visit, found)],
    ["At stake", amount && money(amount)],
    ["To", to && html`<span class="addr">${to}</span>`],
    ["Custody account", account],
    ["State since", theirs && time(visit, theirs.stateSeenAt)],
    ["Open for", openFor(latest)],
    ["Owner", owner ?? "nobody"],
  ]);
}

function payment({ fields, row, batchId }: NonNullable<BreakStory["instruction"]>): Html {
  const batch = html`<a href="/batches/${batchId}">${batchId}</a>`;
  return html`<a href="${storyPath(fields.reference)}">${fields.reference}</a>, row ${row} of ${batch}`;
}

function resourceLink(kind: "payout" | "deposit", id: string, shown: string | undefined): Html {
  const at = shown === undefined ? ", never shown" : html`, <span class="mono">${shown}</span>`;
  return html`${kind} <a class="mono" href="${resourcePath(kind, id)}">${id}</a>${at}`;
}

type Happening = readonly [at: string, what: Part];

/** Oldest first. */
function happenings({ latest, earlier, notes, given }: BreakStory): readonly Happening[] {
  const noted = notes.map(({ at, person, words: text }): Happening => [at, html`<b>${person}</b>: ${text}`]);
  const ofOpenings = [...earlier, latest].flatMap((each) => ofOpening(each, earlier.length > 0));
  return [...ofOpenings, ...given.map(givenLine), ...noted].toSorted(
    ([one], [other]) => Date.parse(one) - Date.parse(other),
  );
}

function givenLine({ at, person, owner }: BreakStory["given"][number]): Happening {
  return [
    at,
    person === owner ? html`<b>${person}</b> took it` : html`<b>${person}</b> gave it to <b>${owner}</b>`,
  ];
}

/** `isOneOfMany`: the number is needed to tell it from the others. */
function ofOpening(each: Opening, isOneOfMany: boolean): Happening[] {
  const { opening, openedAt, closedAt, settledAt, person, second, reason = "", proposed } = each;
  const by = html`<b>${person}</b>${second !== undefined && html` and <b>${second}</b>`}`;
  const lines: Happening[] = [[openedAt, html`Opened${isOneOfMany && ` as ${opening}`}`]];
  if (proposed !== undefined)
    lines.push([proposed.at, html`<b>${proposed.person}</b> proposed to settle it: ${proposed.reason}`]);
  if (settledAt !== undefined) lines.push([settledAt, html`${by} settled it: ${reason}`]);
  const end = settledAt === undefined ? "Healed by itself" : "Ended: gone, or changed";
  if (closedAt !== undefined) lines.push([closedAt, end]);
  return lines;
}

const DECISIONS = {
  give: { verb: "Assign", button: "Assign", path: "/nights/give" },
  note: { verb: "Note on", button: "Add", path: "/nights/note" },
  settle: { verb: "Settle", button: "Settle", path: "/nights/settle" },
  reopen: { verb: "Open", button: "Open again", path: "/nights/reopen" },
} as const;

type DecisionName = keyof typeof DECISIONS;

/** Shows the decision, its breaks and the consequences. Changes nothing yet. */
async function decidePage(visit: Visit): Promise<Answer> {
  const { workplace, query } = visit;
  const name = field(query, "do");
  const picked = fieldsOf(query, "break");
  if (!Object.hasOwn(DECISIONS, name) || picked.length === 0)
    throw fault("USAGE", { what: "no break is picked", how: "Pick at least one break of the list first." });
  const decision = name as DecisionName;
  const { verb, button, path } = DECISIONS[decision];
  const { open, settled } = await breaksStep(workplace);
  const chosen = [...open, ...settled].filter(({ opening }) => picked.includes(opening));
  const [only, another] = chosen;
  if (only === undefined)
    throw fault("NAME_UNKNOWN", { what: "such break any more", how: "Look at the list again." });
  const subject = another === undefined ? (only.reference ?? only.opening) : counted(chosen.length, "break");
  const title = `${verb} ${subject}${decision === "reopen" ? " again" : ""}${decision === "note" ? "" : "?"}`;
  const rows = chosen.map(
    (each) =>
      html`<li><p class="line"><span>${breakLink(each)} ${kindWords(each).toLowerCase()}</span>
<span>${each.amount && money(each.amount)}</span></p><p class="small">${said(visit, each.sentence)}</p></li>`,
  );
  const crumbs = html`<a href="/nights">Nights</a> / ${title}`;
  const own = decision === "settle" ? chosen.filter((each) => isLeftToAnother(visit, each)) : [];
  const acts = html`${own.length === 0 && html`<button class="btn main big">${button}</button>`}<a class="btn" href="${
    field(query, "from") === "break" ? breakPath(only.opening) : "/nights"
  }">Cancel</a>`;
  const question = html`<ul class="list">${rows}</ul>
<div class="body">${own.length > 0 ? leftToAnother(own) : await fieldsFor(visit, decision, chosen)}
<p class="acts">${acts}</p></div>`;
  const content = html`${head(title, "Nothing has been done yet.", undefined, crumbs)}
<form class="stack" method="post" action="${path}">${chosen.map(({ opening }) => hidden("break", opening))}
${field(query, "from") === "break" && hidden("from", only.opening)}
${panel("question", "What this does", question)}</form>`;
  return { title, content };
}

function leftToAnother(own: readonly StoredBreak[]): Html {
  const names = own.map(({ reference, opening }) => reference ?? opening).join(", ");
  return html`<p>You have proposed to settle ${names}: another controller confirms it.</p>`;
}

async function fieldsFor(
  visit: Visit,
  decision: DecisionName,
  chosen: readonly StoredBreak[],
): Promise<Html> {
  if (decision === "note") return words("note", "Note", "note");
  if (decision === "reopen")
    return html`<p>It needs a person again, as a new opening.</p>${words("why", "Reason")}`;
  if (decision === "settle") return html`<p>${consequence(visit, chosen)}</p>${words("why", "Reason")}`;
  return selectField(
    "owner",
    "owner",
    "Who looks after it",
    await ownersFor(visit),
    field(visit.query, "owner"),
  );
}

/** "0.015 BTC is above 0.01 BTC, so a second controller must confirm. ..." */
function consequence({ workplace }: Visit, chosen: readonly StoredBreak[]): Part {
  const { settleAlone } = workplace.config.reconciliation;
  const large = chosen.filter((each) => takesTwo(each, settleAlone));
  const lines = large.map(({ amount, proposed }) => {
    const limit = amount && settleAlone[amount.currency];
    if (amount === undefined || limit === undefined) return undefined;
    const above = html`${money(amount)} is above ${money({ currency: amount.currency, value: limit })}, `;
    return proposed === undefined
      ? html`${above}so a second controller must confirm. `
      : html`${above}and ${proposed.person} proposed to settle it: “${proposed.reason}”. You confirm that. `;
  });
  return [lines, "It opens again if anything about it changes."];
}

function give(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const decision = { names: fieldsOf(form, "break"), owner: field(form, "owner"), person };
  return decide(visit, (workplace) => assignBreakStep(workplace, decision), backFrom(visit));
}

function note(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const text = field(form, "note").trim();
  if (text === "") throw fault("USAGE", { what: "the note is empty", how: "Write the note." });
  const decision = { names: fieldsOf(form, "break"), note: text, person };
  return decide(visit, (workplace) => noteBreakStep(workplace, decision), backFrom(visit));
}

function settle(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const decision = { names: fieldsOf(form, "break"), person, reason: reasonIn(form) };
  return decide(visit, (workplace) => settleStep(workplace, decision), backFrom(visit));
}

function reopen(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const decision = { names: fieldsOf(form, "break"), person, reason: reasonIn(form) };
  return decide(visit, (workplace) => reopenBreakStep(workplace, decision), backFrom(visit));
}

/** The break's page if the decision began there; otherwise the list. */
function backFrom({ form }: Visit): string {
  const from = field(form, "from");
  return from === "" ? "/nights" : breakPath(from);
}
