/** Nights: the breaks of the last comparison, and those settled by a person's word. */
import { type BreaksReport, breaksStep, settleStep } from "../../nights/index.ts";
import { decide } from "../decide.ts";
import { type Html, html } from "../html.ts";
import { type Answer, field, hasRole, type Page, SEE, type Visit } from "../page.ts";
import * as parts from "../parts.ts";
import { said } from "../plain-words.ts";
import { reasonIn } from "./jobs.ts";
import { ROWS_MAX, referenceLink, referenceText } from "./payments.ts";

const { age, ask, badge, counted, empty, head, hidden, opener, panel, table, time, words } = parts;

const nav = { group: "Proof", label: "Nights" } as const;
export const breakPages: readonly Page[] = [
  { method: "GET", path: "/nights", roles: SEE, nav, handle: nightsPage },
  { method: "POST", path: "/nights/settle", roles: ["controller"], handle: settle },
];

const OPEN_FOR = { label: "Open for", kind: "nowrap" } as const;
const SEVERITY = {
  alarm: badge("bad", "alarm"),
  warning: badge("warn", "warning"),
  note: badge("off", "note"),
};

async function nightsPage(visit: Visit): Promise<Answer> {
  const { open, settled, comparedAt, incomplete } = await breaksStep(visit.workplace);
  const now = Date.parse(visit.workplace.context.clock.now());
  const mayEnd = hasRole(visit, "controller");
  const shown = open.slice(0, ROWS_MAX);
  const rows = shown.map((each, index) => {
    const openFor = age(Math.max(0, now - Date.parse(each.openedAt)));
    const button = mayEnd && opener(`settle-${index}`, `Settle ${each.reference ?? each.id}`, "Settle…");
    return [about(each), SEVERITY[each.severity], said(visit, each.sentence), openFor, button];
  });
  const columns = ["About", "How bad", "What differs", OPEN_FOR, { label: "", spoken: "Settle" }];
  const found = open.length === 0 ? "Both sides agree" : counted(open.length, "break");
  const lede =
    comparedAt === undefined
      ? "Both sides have not been compared yet. That happens once a night."
      : html`${found}, as of ${time(visit, comparedAt)}.${incomplete && html` <span class="old">No comparison has been complete since ${time(visit, incomplete.since)}.</span> ${said(visit, incomplete.message)}`}`;
  const content = html`${head("Nights", lede)}${panel("breaks", "Breaks", rows.length === 0 ? empty("No breaks", "Nothing that was compared differs.") : table("Open breaks", columns, rows), { note: open.length > ROWS_MAX ? `the newest ${ROWS_MAX} of ${open.length}` : counted(open.length, "break") })}
${settled.length > 0 && panel("settled", "Settled", html`<ol class="list log">${settled.slice(0, ROWS_MAX).map((each) => html`<li>${time(visit, each.settledAt)}<p><b>${each.person}</b> settled ${about(each)} “${each.reason}”</p></li>`)}</ol>`)}
${mayEnd && shown.map((each, index) => ask(`settle-${index}`, `Settle ${each.reference ?? each.id}?`, "/nights/settle", html`<p>${said(visit, each.sentence)}</p>${hidden("break", each.id)}<p>It opens again if anything about it changes.</p>${words(`settle-${index}-why`, "Reason")}`, html`<button class="btn main">Settle</button>`))}`;
  return { title: "Nights", content };
}

function about({ reference, payoutId, depositId, id, kind }: BreaksReport["open"][number]): Html {
  const name = reference ?? payoutId ?? id;
  const link = referenceLink(name, `/payments?q=${encodeURIComponent(name)}`);
  return html`${depositId === undefined ? link : referenceText(name)}<span class="sub">${kind.replaceAll("-", " ")}</span>`;
}

function settle(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const decision = { names: [field(form, "break")], person, reason: reasonIn(form) };
  return decide(visit, (workplace) => settleStep(workplace, decision), "/nights");
}
