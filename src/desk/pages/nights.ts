/** Nights: the breaks of the last comparison, and those settled by a person's word. */
import { type BreaksReport, breaksStep, settleStep } from "../../pipeline/breaks-step.ts";
import { decide } from "../decide.ts";
import { type Html, html } from "../html.ts";
import { NIGHTS } from "../icons.ts";
import { type Answer, field, hasRole, type Page, type Visit } from "../page.ts";
import { age, ask, badge, counted, empty, head, hidden, panel, table, time, words } from "../parts.ts";
import { reasonIn } from "./jobs.ts";
import { SEE } from "./payments.ts";

export const nightsPages: readonly Page[] = [
  {
    method: "GET",
    path: "/nights",
    roles: SEE,
    nav: { group: "Proof", label: "Nights", icon: NIGHTS },
    handle: nightsPage,
  },
  { method: "POST", path: "/nights/settle", roles: ["controller"], handle: settle },
];

const ROWS_MAX = 100;

const SEVERITY = {
  alarm: badge("bad", "alarm"),
  warning: badge("warn", "warning"),
  note: badge("off", "note"),
};

async function nightsPage(visit: Visit): Promise<Answer> {
  const report = await breaksStep(visit.workplace);
  const { open, settled } = report;
  const shown = open.slice(0, ROWS_MAX);
  const isTheirs = hasRole(visit, "controller");
  const columns = [
    { label: "About" },
    { label: "How bad" },
    { label: "What differs" },
    { label: "Open for", kind: "nowrap" },
    { label: "", spoken: "Settle" },
  ] as const;
  const now = Date.parse(visit.workplace.context.clock.now());
  const rows = shown.map((each, index) => [
    about(each),
    SEVERITY[each.severity],
    each.sentence,
    age(Math.max(0, now - Date.parse(each.openedAt))),
    isTheirs &&
      html`<button class="btn" type="button" popovertarget="settle-${index}" aria-label="Settle ${each.reference ?? each.id}">Settle…</button>`,
  ]);
  const list =
    rows.length === 0
      ? empty("No breaks", "Both sides say the same about everything that was compared.")
      : table("Open breaks", columns, rows);
  const questions = shown.map(
    (each, index) =>
      isTheirs &&
      ask(
        `settle-${index}`,
        `Settle ${each.reference ?? each.id}?`,
        "/nights/settle",
        html`<p>${each.sentence}</p>${hidden("break", each.id)}<p>It opens again if anything about it changes.</p>${words(`settle-${index}-why`, "Reason")}`,
        html`<button class="btn main">Settle…</button>`,
      ),
  );
  const content = html`${head("Nights", lede(visit, report))}${panel("breaks", "Breaks", list, { note: open.length > ROWS_MAX ? `the newest ${ROWS_MAX} of ${open.length}` : counted(open.length, "break") })}
${settled.length > 0 && panel("settled", "Settled", settledList(visit, report))}${questions}`;
  return { title: "Nights", content };
}

/** The text of the search finds payments, and payouts by their id. */
function about({ reference, payoutId, id, kind }: BreaksReport["open"][number]): Html {
  const name = reference ?? payoutId ?? id;
  return html`<a href="/payments?q=${encodeURIComponent(name)}">${name}</a><span class="sub">${kind.replaceAll("-", " ")}</span>`;
}

function lede(
  { workplace: { config, context } }: Visit,
  { comparedAt, incomplete, open }: BreaksReport,
): Html {
  if (comparedAt === undefined)
    return html`Both sides have not been compared yet. That happens once a night.`;
  const when = time(config.ledger.timeZone, comparedAt, context.clock.now());
  const alarms = open.filter(({ severity }) => severity === "alarm").length;
  const found =
    open.length === 0 ? "Both sides agree" : `${counted(open.length, "break")}, ${counted(alarms, "alarm")}`;
  return html`${found}, as of ${when}.${incomplete !== undefined && html` <span class="old">No comparison has been complete since ${time(config.ledger.timeZone, incomplete.since, context.clock.now())}: ${incomplete.message}.</span>`}`;
}

function settledList({ workplace: { config, context } }: Visit, { settled }: BreaksReport): Html {
  const lines = settled
    .slice(0, ROWS_MAX)
    .map(
      (each) =>
        html`<li>${time(config.ledger.timeZone, each.settledAt, context.clock.now())}<p><b>${each.person}</b> settled ${about(each)}: “${each.reason}”</p></li>`,
    );
  return html`<ol class="list log">${lines}</ol>`;
}

function settle(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const decision = { names: [field(form, "break")], person, reason: reasonIn(form) };
  return decide(
    visit,
    (workplace) => settleStep(workplace, decision),
    () => ({ goTo: "/nights" }),
  );
}
