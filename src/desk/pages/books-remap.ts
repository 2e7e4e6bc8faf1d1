/**
 * Lists the entries on suspense by the value that the chart of accounts does not know, and books them again once
 * the chart knows it.
 */
import { type Remap, remapStep, unmappedValues } from "../../books/index.ts";
import type { Decimal } from "../../money/index.ts";
import { decide } from "../decide.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, hasRole, type Page, type Visit } from "../page.ts";
import { amount, counted, dayText, empty, head, panel, table } from "../parts.ts";
import { fixOf, said } from "../plain-words.ts";
import { ROWS_MAX } from "./payments.ts";

const roles = ["viewer", "controller"] as const;
const CONTROLLER = ["controller"] as const;

export const remapPages: readonly Page[] = [
  { method: "GET", path: "/books/remap", roles, handle: remapPage },
  { method: "POST", path: "/books/remap", roles: CONTROLLER, handle: remap },
];

const DAYS = ["Booked on", "Reversed on", "Booked again on"].map((label) => ({
  label,
  kind: "nowrap" as const,
}));

const FIGURE = { kind: "num" } as const;

/** False if nothing is on suspense. */
export async function unmappedPanel(visit: Visit): Promise<Html | false> {
  const values = await unmappedValues(visit.workplace);
  if (values.length === 0) return false;
  const rows = values
    .slice(0, ROWS_MAX)
    .map(({ what, entries, value }): Part[] => [
      what,
      counted(entries, "entry", "entries"),
      sum(visit, value),
      html`<a class="btn" href="/books/remap">Book again…</a>`,
    ]);
  const columns = [
    "Value",
    "On suspense",
    { label: "Amount", ...FIGURE },
    { label: "", spoken: "What to do" },
  ];
  const more = values.length > ROWS_MAX ? `the first ${ROWS_MAX} of ${values.length}; ` : "";
  return panel("unmapped", "What the chart of accounts does not know", table("Unmapped", columns, rows), {
    note: `${more}accounting adds a line to the chart, and then it is booked again`,
  });
}

function sum({ workplace }: Visit, value: Decimal): Html {
  return amount(value, workplace.config.ledger.functionalCurrency);
}

async function remapPage(visit: Visit): Promise<Answer> {
  const found = await remapStep(visit.workplace, { person: visit.person, checkOnly: true });
  const { entries, unmapped, held } = found;
  const title = "Book the entries on suspense again?";
  const lede =
    entries.length === 0
      ? "The chart of accounts has no line for any of it yet. Accounting adds one for each value below; then this " +
        "page offers to book them again."
      : `Nothing has been done yet. ${counted(entries.length, "entry", "entries")} would be reversed and booked again.`;
  const crumbs = html`<a href="/books">Books</a> / Suspense`;
  const left = unmapped.map(({ what, entries: count, value }): Part[] => [
    what,
    counted(count, "entry", "entries"),
    sum(visit, value),
  ]);
  const kept = held.map(
    (each) =>
      html`<li><p>${said(visit, each.message)}<span class="sub">${fixOf(visit, each)}</span></p></li>`,
  );
  const content = html`${head(title, lede, undefined, crumbs)}
${entries.length > 0 && changes(visit, found)}
${
  left.length > 0 &&
  panel(
    "left",
    "Still without a line",
    table("Left", ["Value", "On suspense", { label: "Amount", ...FIGURE }], left),
  )
}
${kept.length > 0 && panel("held", "What an export could not hold", html`<ol class="list log">${kept}</ol>`)}`;
  return { title, content };
}

function changes(visit: Visit, { values, entries }: Remap): Html {
  const rows = values.map(({ what, to, entries: count, value }): Part[] => [
    what,
    to,
    counted(count, "entry", "entries"),
    sum(visit, value),
  ]);
  const columns = ["Value", "To", "Entries", { label: "Amount", ...FIGURE }];
  const each = entries
    .slice(0, ROWS_MAX)
    .map(({ reference, entryId, bookedOn, reversedOn, bookedAgainOn }): Part[] => [
      html`${reference ?? entryId}<span class="sub addr">${entryId}</span>`,
      ...[bookedOn, reversedOn, bookedAgainOn].map((on) => on && dayText(visit, on)),
    ]);
  const form = html`<form class="body stack" method="post" action="/books/remap">
<p>Each entry is reversed, and booked again to the accounts that the chart has for it now. Both go to the
  day of the entry, or to the first open day. Whoever
has rebooked one of them in the accounting program has to undo that.</p>
<p class="acts"><button class="btn main big">Book ${counted(entries.length, "entry", "entries")} again</button>
  <a class="btn" href="/books">Cancel</a></p></form>`;
  return html`${panel("values", "What the chart knows now", table("Values", columns, rows))}
${panel("entries", "Entries", table("Entries", ["Entry", ...DAYS], each))}
${
  hasRole(visit, ...CONTROLLER)
    ? panel("again", "Book them again", form)
    : empty("A controller decides it", "Nothing is changed before.")
}`;
}

function remap(visit: Visit): Promise<Answer> {
  return decide(visit, (workplace) => remapStep(workplace, { person: visit.person }), "/books", {
    isAsked: true,
  });
}
