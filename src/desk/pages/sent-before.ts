/** Rows that were sent before, with their outcomes. Without fields, so that nothing leads to paying twice. */

import type { FileReport } from "../../files/intake/file-report.ts";
import type { FileToRepair, WrongLine } from "../../files/repair-step.ts";
import type { SubmitReport } from "../../files/submit-step.ts";
import { coursesInWords, type SentBefore, sentBeforeWords, type WithBatches } from "../../model/index.ts";
import { type Html, html } from "../html.ts";
import type { PageAnswer, Visit } from "../page.ts";
import { counted, head, panel, table } from "../parts.ts";
import { fixOf, said } from "../plain-words.ts";
import { storyPath } from "./payments.ts";

/** Names of batches become links. */
function withLinks(words: WithBatches): Html {
  return html`${words.map((part) =>
    typeof part === "string" ? part : html`<a href="/batches/${part.batchId}">${part.batchId}</a>`,
  )}`;
}

/** "All 12 rows were sent in before: paid on 24 November 2026 as B-000002. They are not paid again." */
export function sentBeforeSentence({
  sentBefore,
  rowsRead,
  rowsAcceptedBefore,
}: Pick<FileReport, "sentBefore" | "rowsRead" | "rowsAcceptedBefore">): Html {
  return withLinks(sentBeforeWords(sentBefore, rowsRead || rowsAcceptedBefore));
}

/** The page for a file whose bytes equal those of a file that was taken in before. */
export function knownFilePage({ file, sentBefore }: Pick<SubmitReport, "file" | "sentBefore">): PageAnswer {
  const courses = withLinks(coursesInWords(sentBefore));
  const lede = html`Exactly this file was sent in before: ${courses}. Nothing is paid again.`;
  const content = head(file, lede, NEW_ONLY, html`<a href="/files">Files</a>`);
  return { title: `${file} was sent in before`, content };
}

const NEW_ONLY = html`<a class="btn" href="/files">Send in another file</a>`;

const LINES_SHOWN = 100;

/** The rows, each with its outcome. `isOffered`: whether the new rows can be submitted from here. */
export function knownPanel(
  visit: Visit,
  { report, knownLines, isKnown }: FileToRepair,
  isOffered: boolean,
): Html | false {
  if (knownLines.length === 0) return false;
  const { reading } = report;
  const at = reading?.columns.find(({ name }) => name === "reference")?.position;
  const rows = knownLines.slice(0, LINES_SHOWN).map((line) => knownRow(visit, line, at));
  const columns = ["Line", "Reference", { label: "What became of it", kind: "broad" } as const];
  const more = knownLines.length - LINES_SHOWN;
  const list = html`${table("Rows that were sent in before", columns, rows)}
    ${more > 0 && html`<div class="foot">and ${more} more</div>`}`;
  const note = isKnown ? "nothing to repair" : "nothing to repair in these";
  return panel(
    "known",
    `${counted(knownLines.length, "row")} sent in before`,
    html`${list}${isOffered && offer(report)}`,
    { note },
  );
}

function knownRow(visit: Visit, { line, texts, cells, problems }: WrongLine, at = -1) {
  const reference = texts[at] ?? "";
  const found = [...cells.flatMap((cell) => cell.problems), ...problems];
  return [
    `Line ${line}`,
    html`<a class="nowrap" href="${storyPath(reference)}">${reference}</a>`,
    html`${found.map(
      (each) => html`<p>${said(visit, each.message)}</p>
      ${each.code !== "ROW_SENT_BEFORE" && html`<p class="small mute">${fixOf(visit, each)}</p>`}`,
    )}`,
  ];
}

/** Submits the new rows: a corrected copy without the others. */
function offer({ sentBefore, rowsRead }: FileReport): Html {
  const known = sentBefore.reduce((sum: number, { rows }: SentBefore) => sum + rows, 0);
  const label =
    `Leave ${known === 1 ? "this row" : `these ${known} rows`} out, and send ` +
    `in ${counted(rowsRead - known, "new row")}`;
  return html`<div class="body pad"><p class="opt">
    <input type="checkbox" id="known-out" name="known-out" value="yes" required>
    <label for="known-out">${label}</label></p></div>`;
}
