/** A report of the books as one self-contained HTML page, to read, to send and to print. */

import { amountHtml } from "../../model/amount-html.ts";
import { counted } from "../../model/counted.ts";
import { type Html, html } from "../../model/html.ts";
import { reportPage, section } from "../../writing/report-page.ts";
import {
  type BooksReport,
  type Cell,
  isFigure,
  type ReportColumn,
  type ReportTable,
} from "../rules/reports/report-table.ts";

export function reportHtml({ title, sentence, tables }: BooksReport): string {
  const body = html`<main>
<header><h1>${title}</h1><p class="lede">${sentence}</p></header>
${tables.map((table) => section(table.name, noteOf(table), tableHtml(table)))}
</main>`;
  return reportPage(title, body);
}

function noteOf({ note, rows }: ReportTable): string {
  const own = rows.filter(({ isTotal }) => isTotal !== true).length;
  return `${counted(own, "row")}; ${note}`;
}

function tableHtml({ name, columns, rows }: ReportTable): Html {
  const shown = columns.filter(
    ({ key }) => rows.length === 0 || rows.some(({ cells }) => isThere(cells[key])),
  );
  const heads = shown.map(
    ({ title, is }) => html`<th scope="col"${is !== "text" && html` class="num"`}>${title}</th>`,
  );
  const body = rows.map(
    ({ cells, isTotal }) =>
      html`<tr${isTotal === true && html` class="total"`}>
${shown.map((column, index) => cellHtml(cells[column.key], column, index === 0))}</tr>`,
  );
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
<table class="stick dense report"><caption class="vh">${name}</caption>
<thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function isThere(cell: Cell): boolean {
  return cell !== undefined && cell !== "";
}

function cellHtml(cell: Cell, { is }: ReportColumn, isFirst: boolean): Html {
  const content = isFigure(cell) ? amountHtml(cell.value, cell.currency, false) : cell;
  if (isFirst) return html`<th scope="row">${content}</th>`;
  return is === "text" ? html`<td>${content}</td>` : html`<td class="num">${content}</td>`;
}
