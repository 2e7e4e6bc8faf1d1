/**
 * Nights: whether both sides agree, and if not, the breaks with their age, the amount at stake and their owners.
 */
import { fault } from "../../faults/index.ts";
import { kindWords } from "../../model/break-words.ts";
import { BREAK_GROUPS, compareText } from "../../model/index.ts";
import { type Amount, Decimal } from "../../money/index.ts";
import { type BreakFilter, type BreaksReport, breaksStep, type Listed } from "../../nights/index.ts";
import { listPeopleStep } from "../../proof/people-step.ts";
import type { Opening, StoredBreak } from "../../store/breaks.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, field, hasRole, jobsBeside, type Page, SEE, type Visit } from "../page.ts";
import {
  age,
  badge,
  banner,
  capital,
  counted,
  empty,
  head,
  money,
  optionsOf,
  panel,
  selectField,
  table,
  time,
} from "../parts.ts";
import { said } from "../plain-words.ts";
import { lastNight, nightDownloads, nightPanels } from "./night-proof.ts";
import { ROWS_MAX, referenceText } from "./payments.ts";

const nav = { group: "Proof", label: "Nights" } as const;

/** A comparison changes nothing, so it needs no signature. */
const MAY_COMPARE = ["controller", "operator"] as const;

export const breakPages: readonly Page[] = [
  { method: "GET", path: "/nights", roles: SEE, nav, handle: nightsPage },
  { method: "POST", path: "/nights/compare", roles: MAY_COMPARE, handle: compareNow },
];

export const SEVERITY = {
  alarm: badge("bad", "alarm"),
  warning: badge("warn", "warning"),
  note: badge("off", "note"),
};

const SHOWN = ["open", "settled", "healed"] as const;

type Shown = (typeof SHOWN)[number];

const FILTERS = ["kind", "account", "owner", "min"];

async function nightsPage(visit: Visit): Promise<Answer> {
  const { workplace, query } = visit;
  const show = SHOWN.find((each) => each === field(query, "show")) ?? "open";
  const all = await breaksStep(workplace);
  const narrowed = await breaksStep(workplace, filterOf(visit, show));
  const found = { open: narrowed.open, settled: narrowed.settled, healed: narrowed.closed ?? [] }[show];
  const isNarrowed = FILTERS.some((name) => field(query, name) !== "");
  const night = await lastNight(visit);
  const title = show === "open" ? "Breaks" : `Breaks that ${show === "settled" ? "were settled" : "healed"}`;
  const listed = worstFirst(found);
  const note =
    found.length > ROWS_MAX
      ? `the worst ${ROWS_MAX} of ${found.length}`
      : `${counted(found.length, "break")}${found.length > 1 ? ", the worst and oldest first" : ""}`;
  const content = html`${head("Nights", ledeOf(visit, all), [compareButton(visit), night && nightDownloads(night)])}
${field(query, "asked") !== "" && banner("ok", "Comparison", BEGINS)}
${all.comparedAt !== undefined && tiles(all)}
${panel(
  "breaks",
  title,
  [
    await filters(visit, show),
    found.length === 0
      ? noBreaks(show, isNarrowed, all.comparedAt !== undefined)
      : await breaksForm(visit, listed.slice(0, ROWS_MAX), show),
  ],
  { note },
)}
${show === "open" && all.settled.length > 0 && panel("settled", "Settled", settledLog(visit, all.settled))}
${all.open.length > 0 && panel("ageing", "By age", ageing(all), { note: "for how long they have been open" })}
${night && nightPanels(night)}`;
  return { title: "Nights", content };
}

const BEGINS = html`<b>The comparison is about to begin.</b> Load this page again to see what it found.`;

/** Shows only the last ones; the list can show all. */
function settledLog(visit: Visit, settled: BreaksReport["settled"]): Html {
  const last = settled.toSorted((one, other) => compareText(other.settledAt, one.settledAt));
  const lines = last.slice(0, SETTLED_SHOWN).map((each) => {
    const { settledAt, person, second, reason } = each;
    const by = html`<b>${person}</b>${second !== undefined && html` and <b>${second}</b>`}`;
    return html`<li>${time(visit, settledAt)}<p>${by} settled ${breakLink(each)} “${reason}”</p></li>`;
  });
  const rest = settled.length - lines.length;
  const more = html`<div class="foot"><a class="btn" href="/nights?show=settled">All ${settled.length}</a></div>`;
  return html`<ol class="list log">${lines}</ol>${rest > 0 && more}`;
}

const SETTLED_SHOWN = 10;

/** "Both sides agree but for 4 breaks with 0.03975 BTC at stake. None is new, one is over its time." */
function ledeOf(visit: Visit, { open, comparedAt, incomplete, atStake }: BreaksReport): Html {
  if (comparedAt === undefined)
    return html`The two sides have not been compared yet. That happens once a night.`;
  const stake = atStake.length > 0 && html` with ${amounts(atStake)} at stake`;
  const fresh = open.filter(({ openedAt }) => openedAt === comparedAt).length;
  const over = open.filter((each) => each.age.isOver).length;
  const news = `${capital(countWords(fresh))} ${isOrAre(fresh)} new`;
  const ages = ` ${news}, ${countWords(over)} ${isOrAre(over)} over ${over < 2 ? "its" : "their"} time.`;
  const unseen =
    incomplete &&
    html` <span class="old">No comparison has been complete since ${time(visit, incomplete.since)}.</span>
${said(visit, incomplete.message)}`;
  const found =
    open.length === 0
      ? html`Both sides agree`
      : html`Both sides agree but for ${counted(open.length, "break")}${stake}`;
  return html`${found}, as of ${time(visit, comparedAt)}.${open.length > 0 && ages}${unseen}`;
}

function countWords(count: number): string {
  return count === 0 ? "none" : count === 1 ? "one" : String(count);
}

function isOrAre(count: number): string {
  return count < 2 ? "is" : "are";
}

function amounts(sums: readonly Amount[]): Html {
  return html`${sums.map((sum, index) => html`${index > 0 && " and "}${money(sum)}`)}`;
}

function tiles({ open, settled, incomplete, atStake }: BreaksReport): Html {
  const count = (severity: StoredBreak["severity"]) =>
    open.filter((each) => each.severity === severity).length;
  const [alarms, warnings, notes] = [count("alarm"), count("warning"), count("note")];
  const off = [...open, ...settled].filter(({ kind }) => kind === "balance").length;
  const parts = [counted(alarms, "alarm"), counted(warnings, "warning"), notes > 0 && counted(notes, "note")];
  return html`<dl class="tiles">
<div><dt>Comparison</dt><dd>${incomplete === undefined ? badge("ok", "complete") : badge("bad", "incomplete")}</dd>
<dd>${incomplete === undefined ? "all that was asked for was seen" : "something was not seen"}</dd></div>
<div><dt>Balances</dt><dd>${off === 0 ? badge("ok", "all tie") : badge("bad", `${off} not proved`)}</dd>
<dd>${off === 0 ? "to the last digit" : "the breaks say why"}</dd></div>
<div><dt>At stake</dt>
${atStake.length === 0 ? html`<dd>nothing</dd>` : atStake.map((sum) => html`<dd>${money(sum)}</dd>`)}</div>
<div><dt>Open breaks</dt><dd>${open.length}</dd>
<dd>${parts.filter((part) => part !== false).join(", ")}</dd></div></dl>`;
}

function ageing({ ageing: classes }: BreaksReport): Html {
  const columns = [
    "Open for",
    { label: "Breaks", kind: "num" },
    { label: "At stake", kind: "lead" },
  ] as const;
  const rows = classes
    .filter(({ count }) => count > 0)
    .map(({ bucket, count, atStake }) => [bucket, String(count), amounts(atStake)]);
  return table("Open breaks by age", columns, rows);
}

/** Throws USAGE for an amount that cannot be read. */
function filterOf({ query, person }: Visit, show: Shown): BreakFilter {
  const kind = BREAK_GROUPS.find((each) => each === field(query, "kind"));
  const [account, owner, min] = [field(query, "account"), field(query, "owner"), field(query, "min").trim()];
  return {
    ...(kind !== undefined && { kind }),
    ...(account !== "" && { account }),
    ...(owner !== "" && { owner: owner === "me" ? person : owner }),
    ...(min !== "" && { min: minimumIn(min) }),
    closed: show === "healed",
  };
}

function minimumIn(text: string): NonNullable<BreakFilter["min"]> {
  const [, digits = "", currency] = /^(\d+(?:\.\d+)?)(?: ?([A-Z]{2,10}))?$/i.exec(text) ?? [];
  const value = Decimal.parse(digits);
  if (value === undefined)
    throw fault("USAGE", {
      what: `“${text}” is no amount`,
      how: "Write an amount, such as 0.01 or 0.01 BTC.",
    });
  return { value, ...(currency !== undefined && { currency: currency.toUpperCase() }) };
}

async function filters({ workplace, query }: Visit, show: Shown): Promise<Html> {
  const nameOf = custodyNames(workplace.config);
  const accounts = workplace.config.custodyAccounts.map(({ id }) => nameOf(id));
  const { people } = await listPeopleStep(workplace);
  const same = (values: readonly string[]) => values.map((each) => [each, each] as const);
  const owners = same(["nobody", "me", ...people.map(({ name }) => name)]);
  const choose = (name: string, label: string, options: readonly (readonly [string, string])[]) =>
    selectField(`f-${name}`, name, label, options, field(query, name));
  return html`<form class="bar" method="get" action="/nights">
${choose("kind", "Kind", [["", "all kinds"], ...same(BREAK_GROUPS)])}
${choose("account", "Account", [["", "all"], ...same(accounts)])}
${choose("owner", "Owner", [["", "anybody"], ...owners])}
<div class="field"><label for="f-min">At least</label>
<input id="f-min" name="min" inputmode="decimal" size="12" value="${field(query, "min")}"
placeholder="0.01 BTC"></div>
${selectField("f-show", "show", "Show", same(SHOWN), show)}
<button class="btn">Show</button></form>`;
}

const RANK = { alarm: 0, warning: 1, note: 2 } as const;

function worstFirst(breaks: readonly Listed<Opening>[]): readonly Listed<Opening>[] {
  return breaks.toSorted(
    (one, other) => RANK[one.severity] - RANK[other.severity] || compareText(one.openedAt, other.openedAt),
  );
}

/** `isNarrowed`: others may exist, which the filters leave out. */
function noBreaks(show: Shown, isNarrowed: boolean, isCompared: boolean): Html {
  if (!isCompared) return empty("Not compared yet", "What differs appears here after the first comparison.");
  if (isNarrowed)
    return empty("No such break", html`<a href="/nights?show=${show}">Show all that are ${show}</a>.`);
  return empty(
    "No breaks",
    show === "open"
      ? "Nothing that was compared differs."
      : show === "settled"
        ? "None was settled."
        : "None has healed.",
  );
}

/** The list. For controllers it is a form in which they pick several breaks and a decision about them. */
async function breaksForm(visit: Visit, breaks: readonly Listed<Opening>[], show: Shown): Promise<Html> {
  const mayDecide = hasRole(visit, "controller") && show !== "healed";
  const shown = breaksTable(visit, breaks, mayDecide);
  if (!mayDecide) return shown;
  const owners = optionsOf(await ownersFor(visit));
  const give = html`<label for="to">With those picked:</label>
<select id="to" name="owner">${owners}</select>
<button class="btn" name="do" value="give">Assign…</button>`;
  const settle = html`<button class="btn" name="do" value="settle">Settle…</button>`;
  const reopen = html`<button class="btn" name="do" value="reopen">Open again…</button>`;
  const note = html`<button class="btn" name="do" value="note">Add a note…</button>`;
  return html`<form method="get" action="/nights/decide">${shown}
<div class="foot"><div class="acts">${show === "open" && give}${note}${show === "open" ? settle : reopen}</div>
</div></form>`;
}

/** Everybody on the roster, the visitor first, to choose from. */
export async function ownersFor({ workplace, person }: Visit) {
  const { people } = await listPeopleStep(workplace);
  const others = people.map(({ name }) => name).filter((name) => name !== person);
  return [person, ...others].map((name) => [name, name] as const);
}

function breaksTable(visit: Visit, breaks: readonly Listed<Opening>[], isPicking: boolean): Html {
  const rows = breaks.map(
    (each) => html`<tr role="row">
${
  isPicking &&
  html`<td role="cell" class="pick"><input type="checkbox" name="break" value="${each.opening}"
aria-label="Pick ${each.opening}"></td>`
}
<th scope="row" role="rowheader">${breakLink(each)}<span class="sub">${kindWords(each)}</span></th>
<td role="cell">${SEVERITY[each.severity]}</td>
<td role="cell" class="told"><div>${said(visit, each.sentence)}${marks(visit, each)}</div></td>
<td role="cell" data-l="Open for"><div>${openFor(each)}</div></td>
<td role="cell" data-l="Owner"><div>${each.owner ?? html`<span class="mute">nobody</span>`}</div></td>
<td role="cell" class="num lead" data-l="At stake"><div>${each.amount && money(each.amount)}</div></td></tr>`,
  );
  return html`<table class="cards" role="table"><caption class="vh">Breaks</caption>
<thead role="rowgroup"><tr role="row">
${isPicking && html`<th scope="col" role="columnheader" class="pick"><span class="vh">Pick</span></th>`}
<th scope="col" role="columnheader">About</th><th scope="col" role="columnheader">How bad</th>
<th scope="col" role="columnheader">What differs</th>
<th scope="col" role="columnheader">Open for</th><th scope="col" role="columnheader">Owner</th>
<th scope="col" role="columnheader" class="num lead">At stake</th></tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`;
}

/**
 * Below the sentence: the number of notes, the person who proposed to settle it, the person who settled it and why.
 */
function marks(
  visit: Visit,
  { notes, proposed, person, second, reason = "", settledAt }: Listed<Opening>,
): Part {
  const by = second === undefined ? person : `${person} and ${second}`;
  return [
    notes > 0 && html`<span class="sub">${counted(notes, "note")}</span>`,
    proposed && html`<span class="sub">${proposed.person} proposed to settle it: “${proposed.reason}”</span>`,
    settledAt !== undefined &&
      html`<span class="sub">settled by ${by}, ${time(visit, settledAt)}: “${reason}”</span>`,
  ];
}

/** "8 days of 1 day allowed" */
export function openFor({ age: { ms, isOver, allowedDays } }: Pick<Listed, "age">): Html {
  const words = isOver ? html`<span class="old">${age(ms)}</span>` : age(ms);
  return html`${words}<span class="sub nowrap">of ${counted(allowedDays, "day")} allowed</span>`;
}

export function breakLink({ reference, payoutId, depositId, opening }: StoredBreak): Html {
  return html`<a href="${breakPath(opening)}">${referenceText(reference ?? payoutId ?? depositId ?? opening)}</a>`;
}

export function breakPath(opening: string): string {
  return `/nights/break?name=${encodeURIComponent(opening)}`;
}

/** Only if the scheduled jobs run in this process, because they carry it out. */
function compareButton(visit: Visit): Html | false {
  if (visit.desk.hints === undefined || !hasRole(visit, ...MAY_COMPARE)) return false;
  return html`<form method="post" action="/nights/compare"><button class="btn">Compare now</button></form>`;
}

async function compareNow({ desk }: Visit): Promise<Answer> {
  jobsBeside(desk, "Compare at the desk of the machine that runs them.").emit("hint", "reconcile");
  return { goTo: "/nights?asked=yes" };
}
