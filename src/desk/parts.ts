/** Parts of pages: amounts, times, badges, tables, panels, forms. Class names are those of assets/desk.css. */
import type { ControlTotal } from "../model/index.ts";
import { dayIn, type Instant } from "../model/index.ts";
import { currencyScales, type Decimal } from "../money/index.ts";
import { exact, type Html, html, type Part } from "./html.ts";
import { type Fields, fieldsOf } from "./page.ts";

export type Badge = "ok" | "wait" | "run" | "warn" | "bad" | "doubt" | "off";

/** A shape and a word. */
export function badge(kind: Badge, word: string): Html {
  return html`<span class="badge ${kind}">${word}</span>`;
}

const { scaleOf } = currencyScales({});

/** With all decimals of its currency, of which the zeros that end it are pale; never cut. */
export function amount(value: Decimal, currency?: string, scale = scaleOf(currency ?? "BTC")): Html {
  const text = (
    scale === undefined ? value : value.rounded(Math.max(scale, value.normalized().scale))
  ).toString();
  const zeros = text.includes(".") ? (/0+$/.exec(text)?.[0] ?? "") : "";
  const unit = currency !== undefined && html` <span class="u">${currency}</span>`;
  return html`<span class="amt">${text.slice(0, text.length - zeros.length)}${zeros !== "" && html`<span class="z">${zeros}</span>`}${unit}</span>`;
}

/** "0.94306139 BTC", a sum for each currency. */
export function sums(totals: readonly ControlTotal[]): Html {
  if (totals.length === 0) return html`<span class="mute">nothing</span>`;
  return html`${totals.map((total, index) => html`${index > 0 && " · "}${amount(total.amount, total.currency)}`)}`;
}

export function countOf(totals: readonly ControlTotal[]): number {
  return totals.reduce((count, total) => count + total.count, 0);
}

/** "1 payment", "2 payments" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** "09:12", "2 Dec, 09:12" if it is not today, in the company's zone. */
export function time(timeZone: string, at: Instant, now: Instant): Html {
  const isToday = dayIn(timeZone, at) === dayIn(timeZone, now);
  const clock = formatted(timeZone, at, { hour: "2-digit", minute: "2-digit" });
  const words = isToday ? clock : `${day(timeZone, at, now)}, ${clock}`;
  return html`<time datetime="${at}">${words}</time>`;
}

/** "2 Dec", with the year if it is another one. */
export function day(timeZone: string, at: Instant, now: Instant): string {
  const year =
    dayIn(timeZone, at).slice(0, 4) === dayIn(timeZone, now).slice(0, 4)
      ? {}
      : ({ year: "numeric" } as const);
  return formatted(timeZone, at, { day: "numeric", month: "short", ...year });
}

export function formatted(timeZone: string, at: Instant, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, ...parts }).format(new Date(at));
}

/** "26 min", "5 h", "8 days" */
export function age(ageMs: number): string {
  const minutes = Math.floor(ageMs / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}

export interface Column {
  /** Empty: only for what reads the page aloud. */
  readonly label: string;
  /** "num": figures; "lead": also the figure at the top right of its card; "nowrap"; "broad": has no label in its card. */
  readonly kind?: "num" | "lead" | "nowrap" | "broad";
  readonly spoken?: string;
}

/** A table whose rows become cards where it is narrow. The first cell of a row names it. A column may be just its label. */
export function table(
  caption: string,
  titles: readonly (Column | string)[],
  rows: readonly (readonly Part[])[],
): Html {
  const columns = titles.map((title) => (typeof title === "string" ? { label: title } : title));
  const classOf = ({ kind }: Column) => (kind === "lead" ? "num lead" : kind === "broad" ? "" : (kind ?? ""));
  const cell = (value: Part, index: number) => {
    const column = columns[index] ?? { label: "" };
    if (index === 0) return html`<th scope="row" role="rowheader">${value}</th>`;
    return html`<td role="cell" class="${classOf(column)}"${column.label !== "" && column.kind !== "broad" && html` data-l="${column.label}"`}>${value === undefined || value === "" || value === false ? "" : html`<div>${value}</div>`}</td>`;
  };
  const heads = columns.map(
    (column) =>
      html`<th scope="col" role="columnheader" class="${classOf(column)}">${column.label === "" ? html`<span class="vh">${column.spoken ?? ""}</span>` : column.label}</th>`,
  );
  return html`<table class="cards" role="table"><caption class="vh">${caption}</caption><thead role="rowgroup"><tr role="row">${heads}</tr></thead><tbody role="rowgroup">${rows.map(
    (row) => html`<tr role="row">${row.map(cell)}</tr>`,
  )}</tbody></table>`;
}

export interface PanelExtras {
  readonly note?: Part;
  readonly acts?: Part;
}

/** `id`: one that no other part of the page has. */
export function panel(id: string, title: string, content: Part, { note, acts }: PanelExtras = {}): Html {
  return html`<section class="panel" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2>${note !== undefined && html`<p>${note}</p>`}${acts !== undefined && html`<div class="acts">${acts}</div>`}</header>${content}</section>`;
}

export function empty(title: string, content: Part): Html {
  return html`<div class="empty"><h3>${title}</h3><p>${content}</p></div>`;
}

/** The head of a page. */
export function head(title: string, lede: Part, acts?: Part): Html {
  return html`<header class="head"><div><h1>${title}</h1><p class="lede">${lede}</p></div>${acts !== undefined && html`<div class="acts">${acts}</div>`}</header>`;
}

export function banner(
  kind: "ok" | "warn" | "bad" | "doubt",
  label: string,
  content: Part,
  acts?: Part,
): Html {
  return html`<section class="banner ${kind}" aria-label="${label}"><p>${content}</p>${acts !== undefined && html`<div class="acts">${acts}</div>`}</section>`;
}

/** A question that a button with `popovertarget="id"` opens. */
export function ask(id: string, title: string, action: string, content: Part, button: Part): Html {
  return html`<div class="ask" id="${id}" popover aria-labelledby="${id}-h"><form method="post" action="${action}"><h2 id="${id}-h">${title}</h2>${content}<p class="acts">${button}<button class="btn" type="button" popovertarget="${id}" popovertargetaction="hide">Cancel</button></p></form></div>`;
}

/** A field for words, such as the reason of a decision. */
export function words(id: string, label: string, name = "reason"): Html {
  return html`<div class="field"><label for="${id}">${label}</label><textarea id="${id}" name="${name}" required maxlength="1000"></textarea></div>`;
}

/** The fields of a form again, unseen, but for these. */
export function hiddenFields(fields: Fields, except: readonly string[] = []): Html {
  const names = Object.keys(fields).filter((name) => !except.includes(name));
  return html`${names.flatMap((name) => fieldsOf(fields, name).map((value) => hidden(name, value)))}`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${exact(name)}" value="${exact(value)}">`;
}
