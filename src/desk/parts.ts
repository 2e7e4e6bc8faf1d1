/** Parts of pages: amounts, times, badges, tables, panels, forms. Class names are those of assets/desk.css. */
import { ageText } from "../cli/render/text-parts.ts";
import { amountHtml as amount } from "../model/amount-html.ts";
import { type ControlTotal, type Day, dayIn, type Instant } from "../model/index.ts";
import type { Decimal } from "../money/index.ts";
import { shortDay, timeInWords } from "./days.ts";
import { exact, type Html, html, type Part } from "./html.ts";
import { type Fields, fieldsOf, type Visit } from "./page.ts";

export { counted } from "../cli/render/text-parts.ts";
export { amountHtml as amount } from "../model/amount-html.ts";
export { countOf } from "../model/index.ts";

/** "3 min", "5 h", "2 days" */
export function age(ms: number): string {
  return ms < 60_000 ? "less than a minute" : ageText(ms);
}

export type Badge = "ok" | "wait" | "run" | "warn" | "bad" | "doubt" | "off";

/** A shape and a word, so that the meaning does not depend on colour. */
export function badge(kind: Badge, word: string): Html {
  return html`<span class="badge ${kind}">${word}</span>`;
}

export function money({ value, currency }: { readonly value: Decimal; readonly currency: string }): Html {
  return amount(value, currency);
}

/** "0.94306139 BTC", a sum for each currency. */
export function sums(totals: readonly ControlTotal[]): Html {
  if (totals.length === 0) return html`<span class="mute">nothing</span>`;
  return html`${totals.map((total, index) => html`${index > 0 && " · "}${amount(total.amount, total.currency)}`)}`;
}

/** "09:12", "2 Dec, 09:12" if it is not today, in the company's zone. */
export function time(visit: Visit, at: Instant): Html {
  return html`<time datetime="${at}">${timeText(visit, at)}</time>`;
}

export function timeText(visit: Visit, at: Instant): string {
  const { config, context } = visit.workplace;
  const [dayThen, today] = [at, context.clock.now()].map((each) => dayIn(config.ledger.timeZone, each));
  const clock = formatted(visit, at, { hour: "2-digit", minute: "2-digit" });
  return dayThen === today ? clock : `${day(visit, at)}, ${clock}`;
}

/** "2 Dec", with the year if it is another one. */
export function day(visit: Visit, at: Instant): string {
  return dayText(visit, dayIn(visit.workplace.config.ledger.timeZone, at));
}

/** `day`, for a day of the calendar. */
export function dayText({ workplace: { config, context } }: Visit, on: Day): string {
  const today = dayIn(config.ledger.timeZone, context.clock.now());
  return shortDay(on, on.slice(0, 4) !== today.slice(0, 4));
}

export function formatted({ workplace }: Visit, at: Instant, parts: Intl.DateTimeFormatOptions): string {
  return timeInWords(workplace.config.ledger.timeZone, at, parts);
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/**
 * "num": figures; "lead": on a narrow screen also at the top right of its card; "broad": without a label in its
 * card.
 */
interface Column {
  readonly label: string;
  readonly kind?: "num" | "lead" | "nowrap" | "broad";
  /** The label for screen readers of a column without a visible one. */
  readonly spoken?: string;
}

export const SUM = { label: "Sum", kind: "lead" } as const;

/**
 * A table whose rows become cards on narrow screens. The first cell of a row names it. A column may be just its
 * label.
 */
export function table(caption: string, titles: readonly (Column | string)[], rows: readonly Part[][]): Html {
  const columns = titles.map((title) => (typeof title === "string" ? { label: title } : title));
  const classOf = ({ kind }: Column) => (kind === "lead" ? "num lead" : kind === "broad" ? "" : (kind ?? ""));
  const cell = (value: Part, index: number) => {
    const column = columns[index] ?? { label: "" };
    if (index === 0) return html`<th scope="row" role="rowheader">${value}</th>`;
    return html`<td role="cell" class="${classOf(column)}"${
      column.label !== "" && column.kind !== "broad" && html` data-l="${column.label}"`
    }>${value === undefined || value === "" || value === false ? "" : html`<div>${value}</div>`}</td>`;
  };
  const heads = html`${columns.map(
    (column) => html`<th scope="col" role="columnheader" class="${classOf(column)}">
    ${column.label === "" ? html`<span class="vh">${column.spoken}</span>` : column.label}</th>`,
  )}`;
  return html`<table class="cards" role="table"><caption class="vh">${caption}</caption><thead role="rowgroup">
  <tr role="row">${heads}</tr></thead>
  <tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${row.map(cell)}</tr>`)}</tbody></table>`;
}

/** `id`: must be unique on the page. */
export function panel(id: string, title: string, content: Part, extras: { note?: Part; acts?: Part } = {}) {
  const { note, acts } = extras;
  return html`<section class="panel" aria-labelledby="${id}"><header>
  <h2 id="${id}">${title}</h2>${note !== undefined && html`<p>${note}</p>`}
  ${acts !== undefined && html`<div class="acts">${acts}</div>`}</header>${content}</section>`;
}

/** A name from a file: one without a place to break may break anywhere, or its table leaves the page. */
export function fromFile(text: string): Html {
  return ENDLESS.test(text) ? html`<span class="long">${text}</span>` : html`${text}`;
}

const ENDLESS = /\S{31}/;

export type Fact = readonly [label: string, value: Part];

/** Labels with their values, without those that have none. */
export function facts(rows: readonly Fact[]): Html {
  const known = rows.filter(([, value]) => value !== undefined && value !== false && value !== "");
  return html`<dl class="kv">${known.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

export function empty(title: string, content: Part): Html {
  return html`<div class="empty"><h3>${title}</h3><p>${content}</p></div>`;
}

/** The head of a page. `crumbs`: the links that lead to it; `more`: content below the lede. */
export function head(title: Part, lede: Part, acts?: Part, crumbs?: Part, more?: Part): Html {
  return html`<header class="head"><div>${crumbs && html`<p class="crumbs">${crumbs}</p>`}<h1>${title}</h1>
  <div class="lede">${lede}</div>${more}</div>${acts && html`<div class="acts">${acts}</div>`}</header>`;
}

/** The steps of a file's way. `at`: the index of the present one. */
export function steps(labels: readonly string[], at: number): Html {
  return html`<ol class="steps">${labels.map((label, index) =>
    index < at
      ? html`<li class="done"><b>✓</b>${label}</li>`
      : html`<li${index === at && html` aria-current="step"`}><b>${index + 1}</b>${label}</li>`,
  )}</ol>`;
}

export function banner(kind: "ok" | "warn" | "bad", label: string, content: Part, acts?: Part): Html {
  return html`<section class="banner ${kind}" aria-label="${label}">
  <p>${content}</p>${acts !== undefined && html`<div class="acts">${acts}</div>`}</section>`;
}

/** A question that a button with `popovertarget="id"` opens. */
export function ask(id: string, title: string, action: string, content: Part, button: Part): Html {
  return html`<div class="ask" id="${id}" popover aria-labelledby="${id}-h"><form method="post" action="${action}">
  <h2 id="${id}-h">${title}</h2>${content}<p class="acts">${button}
  <button class="btn" type="button" popovertarget="${id}" popovertargetaction="hide">Cancel</button></p></form></div>`;
}

/** `spoken`: the subject, for screen readers, if several buttons have the same words. */
export function opener(id: string, spoken: string, words: string): Html {
  return html`<button class="btn" type="button" popovertarget="${id}" aria-label="${spoken}">${words}</button>`;
}

/** A labelled list to choose one of `options` from: values and what they say. */
export function selectField(
  id: string,
  name: string,
  label: string,
  options: readonly (readonly [value: string, words: string])[],
  chosen = "",
): Html {
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">
${optionsOf(options, chosen)}</select></div>`;
}

export function optionsOf(options: readonly (readonly [value: string, words: string])[], chosen = ""): Html {
  return html`${options.map(
    ([value, words]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )}`;
}

/** A field for words, such as the reason of a decision. */
export function words(id: string, label: string, name = "reason"): Html {
  return html`<div class="field"><label for="${id}">${label}</label>
    <textarea id="${id}" name="${name}" required maxlength="1000"></textarea></div>`;
}

/** The fields of a form as hidden fields, without `except`. */
export function hiddenFields(fields: Fields, except: readonly string[] = []): Html {
  const names = Object.keys(fields).filter((name) => !except.includes(name));
  return html`${names.flatMap((name) => fieldsOf(fields, name).map((value) => hidden(name, value)))}`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${exact(name)}" value="${exact(value)}">`;
}
