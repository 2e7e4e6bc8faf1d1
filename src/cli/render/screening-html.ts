/** What an approver must see besides the totals, as HTML: first-time destinations, repeats and look-alikes. */
import type { NewDestinations } from "../../initiation/index.ts";
import type { FileReport } from "../../pipeline/files/file-report.ts";
import { counted, totalsText } from "./counted.ts";
import { type Html, html, NOTHING } from "./html.ts";

const SHOWN_MAX = 20;

/** A section; empty if there is nothing to see. */
export function screeningHtml({ newDestinations, repeatedRows = [], lookAlikeRows = [] }: FileReport): Html {
  const { destinations, totals, isCut } = newDestinations ?? { destinations: [], totals: [], isCut: false };
  if (destinations.length + repeatedRows.length + lookAlikeRows.length === 0) return NOTHING;
  const count = `${isCut ? "more than " : ""}${counted(destinations.length, "destination")}`;
  const others = destinations.slice(SHOWN_MAX);
  const isNew = destinations.length > 0;
  return html`<section>
<h2>For the approver</h2>
${repeatedRows.length > 0 ? html`<p>Repeated payments: ${repeatedRows.length}.</p>` : NOTHING}
${lookAlikeRows.length > 0 ? html`<p>Payments to addresses that look like another one: ${lookAlikeRows.length}.</p>` : NOTHING}
${isNew ? html`<p>Paid for the first time: ${count}, with ${totalsText(totals)}.</p>` : NOTHING}
${isNew ? tableOf(destinations.slice(0, SHOWN_MAX)) : NOTHING}
${others.length > 0 ? html`<details>\n<summary>${others.length} more</summary>\n${tableOf(others)}\n</details>` : NOTHING}
</section>`;
}

function tableOf(destinations: NewDestinations["destinations"]): Html {
  return html`<table class="destinations">
<thead><tr><th scope="col">Destination</th><th scope="col">On the list as</th><th scope="col">Payments</th><th scope="col">Reference</th><th scope="col">Payee</th></tr></thead>
<tbody>\n${destinations.map(lineOf)}</tbody>
</table>`;
}

function lineOf(listed: NewDestinations["destinations"][number]): Html {
  const { destination, name = "", totals, reference, payee = "" } = listed;
  return html`<tr><td><code>${destination}</code></td><td>${name}</td><td>${totalsText(totals)}</td><td>${reference}</td><td>${payee}</td></tr>\n`;
}
