/**
 * A checked file as a self-contained HTML page without script, with all problems. The first of each kind are visible,
 * the others folded, so that ten thousand stay readable.
 */
import type { Problem } from "../../faults/index.ts";
import type { NewDestinations } from "../../initiation/index.ts";
import { type Instant, minuteText } from "../../model/index.ts";
import type { FileReport } from "../../pipeline/files/file-report.ts";
import { besides, correctedText, countedKinds } from "./file-text.ts";
import { type Html, html, NOTHING, pageStyle } from "./html.ts";
import { byKind } from "./problem-text.ts";
import { counted, totalsText } from "./text-parts.ts";

const SHOWN_PER_KIND = 20;

/** The complete document. */
export function fileHtml(report: FileReport, checkedAt: Instant): string {
  const { file, verdict, problems, warnings } = report;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${file}: ${verdict}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${file}</h1>
<p class="verdict ${verdict}"><strong>${capitalized(verdict)}.</strong> ${meaningOf(report)}</p>
${factsOf(report)}
${screeningHtml(report)}
${problemsOf("Problems", problems)}
${problemsOf("Warnings", warnings)}
</main>
<footer>Checked by Paydrop, ${minuteText(checkedAt)}. Nothing was stored or sent by this check.</footer>
</body>
</html>
`.source;
}

function meaningOf({ verdict, rowsRejected }: FileReport): string {
  switch (verdict) {
    case "accepted":
      return rowsRejected === 0
        ? "It can be submitted as it is; then somebody approves it."
        : `All but ${counted(rowsRejected, "row")} can be paid. What is listed here comes back to be corrected.`;
    case "rejected":
      return "Nothing of this file is paid. Correct what is listed here, and submit the whole file again.";
    case "refused":
      return "The file could not be read, so nothing of it is paid.";
  }
}

function factsOf(report: FileReport): Html {
  const { format, dialect, sheet, rowsRead, rowsAccepted, rowsRejected, controlTotals } = report;
  const { sha256, reading, digest, corrects, sender, totalsConfirmedBy } = report;
  const hasRows = rowsRead > 0;
  const facts: readonly (readonly [term: string, what: string | undefined])[] = [
    ["Corrects", corrects === undefined ? undefined : correctedText(corrects)],
    ["Sender", sender],
    ["Format", [format, dialect].filter((part) => part !== undefined).join(", ")],
    ["Sheet", sheet],
    [
      "Rows",
      hasRows
        ? `${rowsRead} read = ${rowsAccepted} accepted + ${rowsRejected} rejected${besides(report.rowsAcceptedBefore)}`
        : undefined,
    ],
    [rowsRejected > 0 ? "Accepted rows" : "Control totals", hasRows ? totalsText(controlTotals) : undefined],
    ["Agree with all rows", totalsConfirmedBy.join(" and ")],
    ["Columns not read", reading?.unread.map(({ heading }) => heading).join(", ")],
    ["SHA-256 of the file", sha256],
    ["Digest to approve", digest],
  ];
  const filled = facts.filter((fact): fact is [string, string] => (fact[1] ?? "") !== "");
  return html`<dl>\n${filled.map(([term, what]) => html`<dt>${term}</dt><dd>${what}</dd>\n`)}</dl>`;
}

function problemsOf(title: string, problems: readonly Problem[]): Html {
  if (problems.length === 0) return NOTHING;
  const kinds = byKind(problems);
  const entries = kinds.map(
    (kind) => html`<li><a href="#${anchorOf(title, kind)}">${inWords(kind)}</a>: ${kind.length}</li>\n`,
  );
  return html`<section>
<h2>${title}: ${countedKinds(problems)}</h2>
${kinds.length > 1 ? html`<ul class="kinds">\n${entries}</ul>` : NOTHING}
${kinds.map((kind) => kindOf(kind, anchorOf(title, kind)))}</section>`;
}

function kindOf(kind: readonly Problem[], anchor: string): Html {
  const [first] = kind;
  const isOneFix = kind.every(({ fix }) => fix === first?.fix);
  const others = kind.slice(SHOWN_PER_KIND);
  return html`<h3 id="${anchor}">${inWords(kind)}: ${kind.length} <small>${first?.code ?? ""}</small></h3>
${isOneFix ? html`<p>What to do: ${first?.fix ?? ""}</p>` : NOTHING}
${tableOf(kind.slice(0, SHOWN_PER_KIND), isOneFix)}
${others.length > 0 ? html`<details>\n<summary>${others.length} more</summary>\n${tableOf(others, isOneFix)}\n</details>` : NOTHING}
`;
}

/** The fix is above the table if it is the same for all. */
function tableOf(problems: readonly Problem[], isOneFix: boolean): Html {
  const remedy = isOneFix ? NOTHING : html`<th scope="col">What to do</th>`;
  return html`<table>
<thead><tr><th scope="col">Place</th><th scope="col">Column</th><th scope="col">Holds</th><th scope="col">What is wrong</th>${remedy}</tr></thead>
<tbody>\n${problems.map((problem) => lineOf(problem, isOneFix))}</tbody>
</table>`;
}

function lineOf(found: Problem, isOneFix: boolean): Html {
  const { sheet = "the file", cell, line, column = "", excerpt = "", message, fix } = found;
  const place = cell ?? (line === undefined ? sheet : `line ${line}`);
  const remedy = isOneFix ? NOTHING : html`<td>${fix}</td>`;
  return html`<tr><td>${place}</td><td>${column}</td><td><code>${excerpt}</code></td><td>${message}</td>${remedy}</tr>\n`;
}

function anchorOf(title: string, [first]: readonly Problem[]): string {
  return `${title}-${first?.code ?? ""}`;
}

/** "Amount ambiguous" */
function inWords([first]: readonly Problem[]): string {
  const words = (first?.code ?? "")
    .toLowerCase()
    .replaceAll("_", " ")
    .replace(/\b(?:csv|url|uuid|xlsx)\b/, (word) => word.toUpperCase());
  return capitalized(words);
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const DESTINATIONS_SHOWN = 20;

/** What an approver must see besides the totals, as a section; empty if there is nothing to see. */
function screeningHtml({ newDestinations, repeatedRows = [], lookAlikeRows = [] }: FileReport): Html {
  const { destinations, totals, isCut } = newDestinations ?? { destinations: [], totals: [], isCut: false };
  if (destinations.length + repeatedRows.length + lookAlikeRows.length === 0) return NOTHING;
  const count = `${isCut ? "more than " : ""}${counted(destinations.length, "destination")}`;
  const others = destinations.slice(DESTINATIONS_SHOWN);
  const isNew = destinations.length > 0;
  return html`<section>
<h2>For the approver</h2>
${repeatedRows.length > 0 ? html`<p>Repeated payments: ${repeatedRows.length}.</p>` : NOTHING}
${lookAlikeRows.length > 0 ? html`<p>Payments whose addresses must be compared: ${lookAlikeRows.length}.</p>` : NOTHING}
${isNew ? html`<p>Paid for the first time: ${count}, with ${totalsText(totals)}.</p>` : NOTHING}
${isNew ? destinationsTable(destinations.slice(0, DESTINATIONS_SHOWN)) : NOTHING}
${others.length > 0 ? html`<details>\n<summary>${others.length} more</summary>\n${destinationsTable(others)}\n</details>` : NOTHING}
</section>`;
}

function destinationsTable(destinations: NewDestinations["destinations"]): Html {
  return html`<table class="destinations">
<thead><tr><th scope="col">Destination</th><th scope="col">On the list as</th><th scope="col">Payments</th><th scope="col">Reference</th><th scope="col">Payee</th></tr></thead>
<tbody>\n${destinations.map(destinationLine)}</tbody>
</table>`;
}

function destinationLine(listed: NewDestinations["destinations"][number]): Html {
  const { destination, name = "", totals, reference, payee = "" } = listed;
  return html`<tr><td><code>${destination}</code></td><td>${name}</td><td>${totalsText(totals)}</td><td>${reference}</td><td>${payee}</td></tr>\n`;
}
