/** A report as one self-contained HTML page, to read, to send and to print. */
import { type Html, html, type Part } from "../model/html.ts";
import { REPORT_STYLE } from "./report-style.ts";

export function reportPage(title: string, body: Html): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${html`${title} · Paydrop`.source}</title>
<style>${REPORT_STYLE}</style></head>
<body>${body.source}</body></html>
`;
}

/** `isWhole`: not divided between two sheets of paper. */
export function section(title: string, note: string, content: Part, isWhole = false): Html {
  return html`<section${isWhole && html` class="whole"`}><header>
  <h2>${title}</h2>${note !== "" && html`<p>${note}</p>`}</header>${content}</section>`;
}

/** A table of figures, which scrolls separately on narrow screens. An empty title heads a column of labels. */
export function figuresTable(caption: string, titles: readonly string[], rows: Part): Html {
  const heads = titles.map((title, index) =>
    title === "" ? html`<td></td>` : html`<th scope="col"${index > 0 && html` class="num"`}>${title}</th>`,
  );
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="stick dense">
  <caption class="vh">${caption}</caption><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
