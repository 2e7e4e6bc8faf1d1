/** The periods of the books: closing a month with its checklist, and reopening it. */
import {
  type Books,
  closePeriodStep,
  isKeptClosed,
  periodChecklist,
  periodsStep,
  reopenPeriodStep,
} from "../../books/index.ts";
import { fault } from "../../faults/index.ts";
import { dayIn, lastDayOf, type Month } from "../../model/index.ts";
import { monthWords } from "../days.ts";
import { decide } from "../decide.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, field, hasRole, type Page, reasonIn, type Visit } from "../page.ts";
import { badge, counted, empty, head, hidden, panel, table, time, words } from "../parts.ts";
import { said } from "../plain-words.ts";
import { booksQuestion } from "./books-question.ts";

const roles = ["viewer", "controller"] as const;
const CONTROLLER = ["controller"] as const;

export const closePages: readonly Page[] = [
  { method: "GET", path: "/books/close", roles, handle: closePage },
  { method: "POST", path: "/books/close", roles: CONTROLLER, handle: close },
  { method: "GET", path: "/books/reopen", roles: CONTROLLER, handle: reopenPage },
  { method: "POST", path: "/books/reopen", roles: CONTROLLER, handle: reopen },
];

/** The month that can be closed next, and each closing. */
export function periodsPanel(visit: Visit, { next, closings }: Books): Html {
  const { config, context } = visit.workplace;
  const today = dayIn(config.ledger.timeZone, context.clock.now());
  const isOver = next !== undefined && lastDayOf(next) < today;
  const open: Part[][] =
    next === undefined
      ? []
      : [
          [
            monthWords(next),
            isOver ? badge("wait", "over, to be closed") : badge("run", "open"),
            isOver
              ? html`<a href="/books/close?month=${next}">Checklist</a>`
              : html`<span class="small mute">can be closed once it is over</span>`,
          ],
        ];
  const closed = closings.map(
    ({ month, state, closedAt, closedBy, reopenedAt, reopenedBy, reopenReason }): Part[] => [
      monthWords(month),
      html`${state === "closed" ? badge("ok", "closed") : badge("off", "opened again")}
        <span class="sub">closed by ${closedBy},
${time(visit, closedAt)}${
  reopenedAt !== undefined &&
  html`; opened again by ${reopenedBy}, ${time(visit, reopenedAt)}: “${reopenReason}”`
}</span>`,
      state === "closed" &&
        (isKeptClosed(config, month)
          ? html`<span class="small mute">kept closed by the configuration</span>`
          : hasRole(visit, "controller") && html`<a href="/books/reopen?month=${month}">Open again…</a>`),
    ],
  );
  const rows = [...open, ...closed];
  const content =
    rows.length === 0
      ? empty("No period yet", "The first one begins with the first entry.")
      : table("Periods", ["Period", "Stands at", { label: "", spoken: "Next" }], rows);
  return panel("periods", "Periods", content);
}

const MARKS = {
  done: badge("ok", "done"),
  open: badge("warn", "open"),
  "not kept": badge("off", "not asked"),
} as const;

type Point = Awaited<ReturnType<typeof periodChecklist>>[number]["point"];

/** Where an open point is worked on. */
const HELP: Readonly<Record<Point, readonly [path: string, words: string]>> = {
  held: ["/books#held", "See what each waits for, or settle it"],
  balance: ["/jobs", "Have an operator verify the books"],
  exported: ["/books#exports", "The next run that writes the books issues them"],
  breaks: ["/nights", "Settle each break, or give it an owner and a note"],
  proof: ["/nights", "See the balance proof"],
  answered: ["/books#exports", "Read the ERP’s answer, or excuse the export"],
  suspense: ["/books/remap", "Book them again, once the chart of accounts has a line"],
};

async function closePage(visit: Visit): Promise<Answer> {
  const month = monthIn(visit.query);
  const points = await periodChecklist(visit.workplace, { month });
  const open = points.filter(({ state }) => state === "open");
  const rows = points.map(({ point, state, said: words }) => {
    const help = state === "open" && HELP[point];
    const fix = help && html`<p class="small"><a href="${help[0]}">${help[1]}</a></p>`;
    return html`<li><div><h3>${MARKS[state]}</h3><p>${said(visit, words)}</p>${fix}</div></li>`;
  });
  const onlySuspense = open.every(({ point }) => point === "suspense");
  const lede =
    open.length === 0
      ? "Every point is done. Later facts then go to the first open day and keep their own date."
      : `${counted(open.length, "point")} of ${points.length} ${open.length === 1 ? "is" : "are"} open. Once ` +
        `${open.length === 1 ? "it is" : "they are"} done${onlySuspense ? ", or accepted for a reason" : ""}, a ` +
        "controller closes the month here.";
  const crumbs = html`<a href="/books">Books</a> / Closing`;
  const content = html`${head(`Closing ${monthWords(month)}`, lede, undefined, crumbs)}
${panel("checklist", "Checklist", html`<ul class="todo">${rows}</ul>`)}
${hasRole(visit, "controller") && onlySuspense && closeForm(month, open.length > 0)}`;
  return { title: `Closing ${monthWords(month)}`, content };
}

/** `hasSuspense`: the controller must say why the entries on suspense are accepted. */
function closeForm(month: Month, hasSuspense: boolean): Html {
  const reason = hasSuspense && words("reason", "Why the amounts on suspense are accepted");
  const form = html`<form class="body stack" method="post" action="/books/close">${hidden("month", month)}${reason}
<p class="acts"><button class="btn main big">Close ${monthWords(month)}</button></p></form>`;
  return panel("close", "Close it", form);
}

function close(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const month = monthIn(form);
  const acceptSuspense = field(form, "reason").trim();
  const closing = { month, person, ...(acceptSuspense !== "" && { acceptSuspense }) };
  return decide(
    visit,
    (workplace) => closePeriodStep(workplace, closing),
    ({ isClosed }) => ({ goTo: isClosed ? "/books" : `/books/close?month=${month}` }),
    { isAsked: true },
  );
}

async function reopenPage(visit: Visit): Promise<Answer> {
  const month = monthIn(visit.query);
  const { closings } = await periodsStep(visit.workplace);
  if (!closings.some((each) => each.month === month && each.state === "closed"))
    throw fault("NAME_UNKNOWN", {
      what: `closed month ${monthWords(month)}`,
      how: "Look at the list again.",
    });
  return booksQuestion({
    title: `Open ${monthWords(month)} again?`,
    what:
      "The months after it open as well. What was booked keeps its day; " +
      "what settles from now on may go there again.",
    path: "/books/reopen",
    fields: hidden("month", month),
    button: "Open it again",
  });
}

function reopen(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const reopening = { month: monthIn(form), person, reason: reasonIn(form) };
  return decide(visit, (workplace) => reopenPeriodStep(workplace, reopening), "/books", { isAsked: true });
}

function monthIn(fields: Visit["form"]): Month {
  const month = field(fields, "month");
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) return month;
  throw fault("USAGE", { what: "no month is named", how: "Choose one on the page of the books." });
}
