/** A file that came back: its problems, as fields to correct, and how it was read. */
import { isProblem, orProblem, type Problem } from "../../faults/index.ts";
import { isKept } from "../../files/intake/archive.ts";
import type { FileToRepair, WrongCell, WrongLine } from "../../files/repair-step.ts";
import { fileSeenBy, fileToRepair, repairStep } from "../../files/repair-step.ts";
import type { SubmitReport } from "../../files/submit-step.ts";
import { applying } from "../../model/applying.ts";
import { columnNames } from "../../model/columns.ts";
import { columnIndex, columnLetters, isAnswerColumn, ROLES } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { columnsBeside, columnTitle, type SheetReading } from "../../model/sheet-reading.ts";
import { shownSentence } from "../../model/shown-text.ts";
import { acceptLayoutStep } from "../../payments/layout-step.ts";
import type { TakenFile } from "../../store/batches.ts";
import { decide, type Question } from "../decide.ts";
import { exact, type Html, html, type Part } from "../html.ts";
import {
  type Answer,
  field,
  fieldsOf,
  hasRole,
  isVisitor,
  type Page,
  type PageAnswer,
  type Visit,
} from "../page.ts";
import { banner, capital, counted, facts, fromFile, head, panel, steps, table, time } from "../parts.ts";
import { fixOf, said } from "../plain-words.ts";
import { notDoneBanner } from "../refusals.ts";
import { afterTaken } from "./files.ts";
import { knownPanel, sentBeforeSentence } from "./sent-before.ts";

export const fileRepairPages: readonly Page[] = [
  { method: "GET", path: "/files/:id", roles: ROLES, handle: (visit) => repairPage(visit) },
  { method: "POST", path: "/files/:id", roles: ["submitter"], handle: repair },
  { method: "POST", path: "/files/:id/columns", roles: ["approver"], handle: acceptColumns },
];

/** "C7" */
const CELL_FIELD = /^([A-Z]{1,3})(\d{1,7})$/;
/** "is-amount", whose value is a heading's cell: "D3". */
const MEANING_FIELD = /^is-([A-Za-z]+)$/;

async function repair(visit: Visit): Promise<Answer> {
  const { form, params, person, desk, token } = visit;
  await desk.uploads.makeRoom(token, 0);
  const leaveOut = fieldsOf(form, "out").map(Number);
  const changes = Object.keys(form).flatMap((name) => {
    const meaning = MEANING_FIELD.exec(name)?.[1];
    const text = field(form, name);
    const [, letters = "", line = ""] = CELL_FIELD.exec(meaning === undefined ? name : text) ?? [];
    const column = columnIndex(letters);
    if (column === undefined) return [];
    return { line: Number(line), column, to: meaning === undefined ? text : headingFor(meaning, form, text) };
  });
  const leaveKnownOut = field(form, "known-out") !== "";
  const request = { sha256: params["id"] ?? "", changes, leaveOut, leaveKnownOut, person };
  const done = async (report: SubmitReport) => {
    await desk.uploads.taken(token, report);
    return afterTaken(visit, report);
  };
  const answer = await orProblem(
    () => decide(visit, (workplace) => repairStep(workplace, request), done),
    // Another person was faster, or the page was of an earlier state: the page then shows what the file became, or
    // why nothing was done.
    ({ code }) => code === "FILE_NOT_REPAIRABLE",
  );
  return isProblem(answer) ? repairPage(visit, answer) : answer;
}

/** A heading with this meaning; it keeps the currency that the old heading named. */
function headingFor(meaning: string, form: Visit["form"], cell: string): string {
  const currency = /\b[A-Z]{3}\b/.exec(field(form, `heading-${cell}`))?.[0];
  return meaning === "amount" && currency !== undefined ? `Amount (${currency})` : meaning;
}

function acceptColumns(visit: Visit): Promise<Answer> {
  const { form, params, person } = visit;
  const sha256 = params["id"] ?? "";
  const named = Object.keys(form).flatMap((name) => {
    const column = columnNames.find((each) => each === MEANING_FIELD.exec(name)?.[1]);
    return column === undefined ? [] : [[field(form, `heading-${field(form, name)}`), column]];
  });
  const decision = { person, columns: Object.fromEntries(named), leaveOut: [] };
  const step = (workplace: Visit["workplace"]) => acceptLayoutStep(workplace, sha256, decision);
  const question = () => columnsQuestion(visit, decision.columns);
  return decide(visit, step, `/files/${sha256}`, { question });
}

async function columnsQuestion(visit: Visit, columns: Readonly<Record<string, string>>): Promise<Question> {
  const { workplace, params, person } = visit;
  const { report } = await fileToRepair(workplace, params["id"] ?? "", person);
  const whose = whoseColumns(report);
  const read = Object.entries(columns).map(
    ([heading, name]) => html`<p>“${heading}” as the ${meaningOf(name)}</p>`,
  );
  const content = facts([
    ["File", html`${report.file}, ${counted(report.rowsRead, "row")}`],
    ["Read", read.length === 0 ? "nothing otherwise" : read],
    [
      "What follows",
      html`The columns are read like this ${whose}. The columns for amount and destination decide who gets
        how much; each file still needs its approval.`,
    ],
  ]);
  return {
    title: `Read it this way ${whose}?`,
    content,
    button: "Read it this way",
    back: `/files/${report.sha256}`,
  };
}

function whoseColumns({ sender }: FileToRepair["report"]): string {
  return sender === undefined ? "for this file" : `for the files of ${sender}`;
}

const LINES_SHOWN = 100;

/** `notDone`: why a repair was refused. */
async function repairPage(visit: Visit, notDone?: Problem): Promise<Answer> {
  const { workplace, params, person } = visit;
  const { file } = await fileSeenBy(workplace, params["id"] ?? "", person);
  if (file.batchId !== undefined) return { goTo: `/batches/${file.batchId}` };
  if (!isKept(workplace, file)) return unkeptPage(visit, file);
  const found = await fileToRepair(workplace, file.sha256, person);
  const page = found.isKnown ? knownPage(visit, found, notDone) : pageOf(visit, found, notDone);
  return notDone === undefined ? page : { ...page, status: 409 };
}

/** Of a file without a copy nothing can be repaired; its answer has the reason. */
function unkeptPage(visit: Visit, { name, sha256, takenAt, submittedBy }: TakenFile): PageAnswer {
  const lede = "Nothing in it is paid. Correct it in your spreadsheet, and send it in again.";
  const act = html`<a class="btn main" href="/files/${sha256}/answer">Download the answer</a>`;
  const text = html`<div class="body"><p>The answer says what was wrong.</p><p>A file is not shown here if it could not
    be read, seems to hold a private key, or was removed because of its age.</p></div>`;
  const crumbs = crumbsOf(visit, { takenAt, ...present({ submittedBy }) });
  const content = html`${head(name, lede, act, crumbs)}${panel("why", "Why it cannot be repaired here", text)}`;
  return { title: name, content };
}

function pageOf(visit: Visit, found: FileToRepair, notDone?: Problem): PageAnswer {
  const { report, obstacle, lines } = found;
  const { reading, sha256, file, rowsRead, rowsRejected } = report;
  const cells = lines.reduce((sum, each) => sum + each.cells.length, 0);
  const asked = report.problems.filter(isQuestion).length;
  const good = rowsRead - rowsRejected;
  const are = good === 1 || rowsRead === 1 ? "is" : "are";
  const ready = rowsRead > 0 && `${good} of ${counted(rowsRead, "row")} ${are} ready. `;
  const questions = asked > 0 && `answer ${counted(asked, "question")}`;
  const toDo = applying(questions, cells > 0 && `repair ${counted(cells, "cell")}`);
  const known = sentBeforeSentence(report);
  const isKnown = report.sentBefore.length > 0;
  const others = isKnown ? "leave out what was sent in before" : "correct what is listed";
  const what = capital(toDo.join(" and ") || others);
  const repair =
    isOnlyWhole(found) && obstacle === undefined
      ? "Nothing in it is paid. Correct what is listed in your spreadsheet, and send it in again."
      : obstacle === undefined && reading !== undefined
        ? html`${!isKnown && ready}${what}, then ${isKnown ? "what is left goes" : "the whole file goes"} to
        approval. Nothing in it is paid until then.`
        : "Nothing in it is paid.";
  const lede = html`${isKnown && html`<p>${known}</p>`}<p>${repair}</p>`;
  const crumbs = crumbsOf(visit, found);
  const act = html`<a class="btn" href="/files/${sha256}/answer">Download the answer</a>`;
  const top = head(file, lede, act, crumbs, steps(["Read", "Repair", "Approval", "Sent"], 1));
  const why = whyNot(visit, found, notDone);
  const parts =
    reading === undefined
      ? wholeFile(visit, report.problems)
      : html`${repairForm(visit, found, reading)}${approversColumns(visit, found, reading)}${howRead(reading)}
        ${notRead(reading)}`;
  return { title: `Repair ${file}`, content: html`${top}${why}${parts}${changesSoFar(visit, found)}` };
}

function crumbsOf(
  visit: Visit,
  { takenAt, submittedBy }: Pick<FileToRepair, "takenAt" | "submittedBy">,
): Html {
  return html`<a href="/files">Files</a> / sent in ${time(visit, takenAt)}
    ${submittedBy !== undefined && html` by ${submittedBy}`}`;
}

/** Why what was sent was refused; otherwise why nothing can be repaired here. */
function whyNot(visit: Visit, { became, obstacle }: Partial<FileToRepair>, notDone?: Problem): Html {
  const refused = notDone && notDoneBanner(visit, notDone);
  if (became !== undefined) return html`${refused}${becameBanner(became)}`;
  const text = obstacle && `${said(visit, obstacle.message)} ${fixOf(visit, obstacle)}`;
  return html`${refused ?? (text && banner("warn", "Not to be repaired here", text))}`;
}

/** The page of a file without new rows: one sentence, and no fields. */
function knownPage(visit: Visit, found: FileToRepair, notDone?: Problem): PageAnswer {
  const { file, sha256 } = found.report;
  const act = html`<a class="btn" href="/files/${sha256}/answer">Download the answer</a>`;
  const top = head(file, sentBeforeSentence(found.report), act, crumbsOf(visit, found));
  const why = whyNot(visit, {}, notDone);
  const content = html`${top}${why}${knownPanel(visit, found, false)}${changesSoFar(visit, found)}`;
  return { title: `${file} was sent in before`, content };
}

/** Browsers' back button leads to an earlier state of a file that has been repaired since. */
function becameBanner({ batchId, sha256 }: TakenFile): Html {
  const now = batchId === undefined ? html`It came back again` : html`It became <b>${batchId}</b>`;
  const href = batchId === undefined ? `/files/${sha256}` : `/batches/${batchId}`;
  const act = html`<a class="btn main" href="${href}">
    ${batchId === undefined ? "Go on repairing" : `Look at ${batchId}`}</a>`;
  return banner(
    "ok",
    "Repaired",
    html`<b>This file was repaired.</b> ${now}; this page shows it as it was before.`,
    act,
  );
}

/** Whether nothing can be filled in or left out: the problems are of the file as a whole. */
function isOnlyWhole({ report, lines, knownLines }: FileToRepair): boolean {
  return lines.length + knownLines.length === 0 && !report.problems.some(isQuestion);
}

/** Questions about columns, problems of the whole file, and the cells to repair. */
function repairForm(visit: Visit, found: FileToRepair, reading: SheetReading): Html {
  const { report, lines, obstacle } = found;
  const shown = lines.slice(0, LINES_SHOWN);
  const isOpen = obstacle === undefined && hasRole(visit, "submitter");
  const ofFile = report.problems.filter((each) => each.line === undefined && !(isOpen && isQuestion(each)));
  const cells = lines.reduce((sum, each) => sum + each.cells.length, 0);
  const all = counted(lines.length, "line");
  const note = lines.length > shown.length ? `the first ${LINES_SHOWN} of ${all}` : `in ${all}`;
  const table = shown.length > 0 && wrongTable(visit, shown, reading, isOpen);
  const isWhole = isOnlyWhole(found);
  const hint = isWhole
    ? html`What is wrong concerns the whole file. <a href="/files">Send in the corrected one</a>. If treasury has
      changed how files are read, check this one again.`
    : "A repair makes a corrected copy. The file you sent stays as it is, and the record keeps who changed what.";
  const acts = html`<div class="body pad"><p class="line"><span class="hint">${hint}</span><span class="acts">
    <button class="btn${!isWhole && " main"}">Check again</button></span></p></div>`;
  const content = html`${knownPanel(visit, found, isOpen)}${isOpen && questions(visit, found, reading, "file")}
${wholeFile(visit, ofFile)}${aboutBooks(visit, report.warnings)}
${panel(
  "cells",
  cells === 0
    ? isWhole
      ? "No cell to repair"
      : "Then check it again"
    : `${counted(cells, "cell")} to repair`,
  html`${table}${isOpen && acts}`,
  lines.length > 0 ? { note } : {},
)}`;
  if (!isOpen) return content;
  return html`<form class="stack" method="post" action="/files/${report.sha256}">${content}</form>`;
}

/** Warnings, each once, about payments that will be booked differently from what the sender may have meant. */
function aboutBooks(visit: Visit, warnings: readonly Problem[]): Html | false {
  const ofBooks = warnings.filter(({ code }) => code.startsWith("LEDGER_"));
  const once = [...new Map(ofBooks.map((each) => [each.message, each])).values()];
  const list = html`<ul class="list">${once.map(
    (each) =>
      html`<li><p>${said(visit, each.message)}</p><p class="small mute">${fixOf(visit, each)}</p></li>`,
  )}</ul>`;
  return (
    once.length > 0 &&
    panel("books", "About the books", list, { note: "no mistake: nothing to repair for it" })
  );
}

function isQuestion({ code }: Problem): boolean {
  return code === "COLUMN_UNCLEAR" || code === "COLUMN_MISSING";
}

function wholeFile(visit: Visit, problems: readonly Problem[]): Html {
  if (problems.length === 0) return html``;
  const list = html`<ul class="list">${problems.map(
    (each) => html`<li>
  <p><span class="err">${said(visit, each.message)}</span><span class="fix">${fixOf(visit, each)}</span></p>
  </li>`,
  )}</ul>`;
  return panel("whole", "The file as a whole", list);
}

/** One question for each column that is missing or unclear. `whose`: begins the names of its fields. */
function questions(
  visit: Visit,
  { report, examples }: FileToRepair,
  reading: SheetReading,
  whose: string,
): Html {
  const asked = report.problems.filter(isQuestion);
  if (asked.length === 0) return html``;
  const { header, headerLine } = reading;
  const read = new Set(reading.columns.map(({ position }) => position));
  const isFree = (text: string, at: number) => text !== "" && !read.has(at) && !isAnswerColumn(text);
  const free = header.flatMap((text, at) => (isFree(text, at) ? [at] : []));
  const choice = (meaning: string, at: number) => {
    const [id, cell] = [`${whose}-${meaning}-${at}`, `${columnLetters(at)}${headerLine}`];
    const some = [...new Set(examples[at])].filter((text) => text !== "");
    return html`<div class="choice"><input type="radio" name="is-${meaning}" id="${id}" value="${cell}">
      <label for="${id}">${columnLetters(at)}, “${header[at] ?? ""}”</label><span class="small">
      <span class="addr">${some.join(", ")}</span> …</span>
      <input type="hidden" name="heading-${cell}" value="${exact(header[at] ?? "")}"></div>`;
  };
  const content = html`${asked.map(
    ({ column = "", message }) => html`<fieldset class="body">
  <legend class="label">Which column is the ${meaningOf(column)}?</legend><p>${said(visit, message)}</p>
  <div class="pair">${free.map((at) => choice(column, at))}</div></fieldset>`,
  )}`;
  const note = `about the columns${whose === "file" ? "; your answer names the column in this file" : ""}`;
  return panel(`${whose}-columns`, counted(asked.length, "question"), content, { note });
}

/** An approver decides for all files of the sender; the person who submitted the file decides only for this one. */
function approversColumns(visit: Visit, found: FileToRepair, reading: SheetReading): Html {
  const { report, submittedBy } = found;
  if (!report.problems.some(isQuestion) || !hasRole(visit, "approver") || isVisitor(visit, submittedBy))
    return html``;
  const whose = whoseColumns(report);
  return html`<form class="stack" method="post" action="/files/${report.sha256}/columns">
    ${questions(visit, found, reading, "all")}<p class="acts">
    <button class="btn">Read it this way ${whose}…</button></p></form>`;
}

const IN_WORDS: Readonly<Record<string, string>> = {
  destinationAddress: "destination",
  destinationAccountId: "destination account",
  accountId: "paid from",
  customerId: "customer",
  payOn: "pay on",
  generalLedgerName: "booked to",
  generalLedgerProject: "project",
  generalLedgerDistribution: "distribution",
};

function meaningOf(name: string): string {
  return IN_WORDS[name] ?? name;
}

/** Shown beside the cells to repair, so that people know which payment it is. */
const BESIDE: ReadonlySet<string> = new Set(["reference", "destinationAddress", "amount", "customerId"]);

function wrongTable(visit: Visit, lines: readonly WrongLine[], reading: SheetReading, isOpen: boolean): Html {
  const { header, columns } = reading;
  const wrong = new Set(lines.flatMap(({ cells }) => cells.map(({ position }) => position)));
  const names = new Map(columns.map(({ position, name }) => [position, name]));
  const isShown = (at: number) => wrong.has(at) || BESIDE.has(names.get(at) ?? "");
  const positions = header.flatMap((_, at) => (isShown(at) ? [at] : []));
  const heads = html`${positions.map(
    (at) => html`<th scope="col"
    role="columnheader">${columnLetters(at)} “${header[at] ?? ""}”<span
    class="sub">${meaningOf(names.get(at) ?? "not read")}</span></th>`,
  )}`;
  const rows = lines.map((each) => wrongRow(visit, each, positions, reading, isOpen));
  return html`<div class="scroll" role="region" aria-label="Lines with something to repair" tabindex="0">
  <table class="cards" role="table"><caption class="vh">Lines with something to repair</caption>
  <thead role="rowgroup"><tr role="row">
  <th scope="col" role="columnheader">Line${
    reading.sheet !== undefined && html`<span class="sub">of sheet ${reading.sheet}</span>`
  }</th>${heads}</tr></thead><tbody role="rowgroup">${rows}</tbody></table></div>`;
}

function wrongRow(
  visit: Visit,
  wrong: WrongLine,
  positions: readonly number[],
  reading: SheetReading,
  isOpen: boolean,
) {
  const { header } = reading;
  const { line, texts, cells, problems } = wrong;
  const beside = columnsBeside(reading).map((column) => {
    const text = texts[column.position] ?? "";
    return (
      text !== "" && html`<p class="small mute beside">${columnTitle(column)}: ${shownSentence(text)}</p>`
    );
  });
  const isAddress = ({ name }: SheetReading["columns"][number]) => name === "destinationAddress";
  const addresses = new Set(reading.columns.filter(isAddress).map(({ position }) => position));
  const shown = (at: number) =>
    addresses.has(at) ? html`<span class="addr">${texts[at]}</span>` : fromFile(texts[at] ?? "");
  const data = positions.map((at) => {
    const cell = cells.find(({ position }) => position === at);
    const text = cell !== undefined && isOpen ? cellField(cell) : html`<div>${shown(at)}</div>`;
    return html`<td role="cell" data-l="${header[at] ?? ""}">${text}</td>`;
  });
  const ofCell = ({ cell, problems: found }: WrongCell) =>
    found.map((each, index) => reason(visit, each, index === 0 && html` id="${cell}-why"`, `${cell}: `));
  const said = [cells.map(ofCell), problems.map((each) => reason(visit, each))];
  const out = html`<p class="opt small"><input type="checkbox" id="out-${line}" name="out" value="${line}">
    <label for="out-${line}">Leave line ${line} out</label></p>`;
  return html`<tr role="row" class="wrong"><th scope="row" role="rowheader" class="nowrap">Line ${line}</th>${data}</tr>
<tr class="why" role="row"><td role="cell"></td><td role="cell" colspan="${positions.length}">
<div>${said}${beside}${isOpen && out}</div></td></tr>`;
}

function reason(visit: Visit, problem: Problem, id: Part = "", where = ""): Html {
  return html`<span class="err"${id}>${where}${said(visit, problem.message)}</span>
    <span class="fix">${fixOf(visit, problem)}</span>`;
}

const FIELD_CHARACTERS = 34;

function cellField({ cell, column, text }: WrongCell): Html {
  const attributes = html`id="${cell}" name="${cell}" aria-invalid="true" aria-describedby="${cell}-why"
    autocomplete="off" spellcheck="false"`;
  const label = html`<label class="vh" for="${cell}">${meaningOf(column)}, cell ${cell}</label>`;
  if (text.length > FIELD_CHARACTERS)
    return html`${label}<textarea class="mono" rows="4" ${attributes}>${exact(text)}</textarea>`;
  return html`${label}<input type="text" size="${Math.max(8, text.length + 2)}" value="${exact(text)}" ${attributes}>`;
}

function howRead({ columns, sheet, headerLine, dialect }: SheetReading): Html {
  const rows = columns.map(({ position, heading, name, foundBy, evidence }) => {
    return [`${columnLetters(position)} “${heading}”`, meaningOf(name), evidence ?? `its ${foundBy}`];
  });
  const note = `${sheet === undefined ? dialect : `sheet “${sheet}”`}, names of the columns in line ${headerLine}`;
  const shown = table("How the columns were read", ["Column", "Read as", "Why"], rows);
  return panel("how-read", "How it was read", shown, { note });
}

const LINES_BESIDE = 10;

function notRead({ unread, notes, totals, otherSheets, pictureCount }: SheetReading): Html {
  const rows = unread
    .filter(({ kind }) => kind !== "empty" && kind !== "counter")
    .map(({ position, heading, kind, values }) => [
      `${columnLetters(position)} “${heading}”`,
      html`${values
        .slice(0, 10)
        .map(
          ({ value, count }, index) => html`${index > 0 && " · "}${value} <span class="mute">${count}</span>`,
        )}${(values.length > 10 || kind === "text") && " …"}`,
    ]);
  const sumOf = ({ text, amount, firstLine, lastLine }: SheetReading["totals"][number]) => {
    return html`${text} ${amount} <span class="small mute">the total of lines ${firstLine} to ${lastLine}</span>`;
  };
  const lines: readonly (readonly Part[])[] = [
    ...notes.map(({ line, place, text }) => [line === undefined ? place : `Line ${line}`, text]),
    ...totals.map((each) => [`Line ${each.line}`, sumOf(each)]),
    ...otherSheets.map((sheet) => ["Sheet", sheet]),
    ...(pictureCount === 0 ? [] : [["Pictures", pictureCount]]),
  ];
  const columns = table("Columns that were not read", ["Column", "Values in it"], rows);
  const shown = html`${lines
    .slice(0, LINES_BESIDE)
    .map(([what, text]) => html`<li><b>${what}</b><p>${text}</p></li>`)}`;
  const more = lines.length - LINES_BESIDE;
  const list = html`<ul class="list log">${shown}</ul>${more > 0 && html`<div class="foot">and ${more} more</div>`}`;
  if (rows.length + lines.length === 0) return html``;
  return html`<div class="pair">${
    rows.length > 0 && panel("not-read", "Not read", columns, { note: "the approver sees this too" })
  }${lines.length > 0 && panel("notes", "Notes, not paid", list)}</div>`;
}

function changesSoFar(visit: Visit, found: FileToRepair): Html {
  const { report, changes, takenAt, submittedBy = "somebody" } = found;
  const mono = (text: string) => html`<span class="mono">${text === "" ? "nothing" : text}</span>`;
  const lines = html`${changes.map(({ at, person, changes: cells }) =>
    cells.map(
      ({ cell, column, from, to }) => html`
    <li>${time(visit, at)}<p>${person} changed ${cell} (${column}) from ${mono(from)} to ${mono(to)}</p></li>`,
    ),
  )}`;
  const sent = html`<li>${time(visit, takenAt)}<p>${submittedBy} sent it in</p></li>`;
  const { sha256 } = report;
  const content = html`<ol class="list log">${changes.length === 0 ? sent : lines}</ol>
  <div class="foot">SHA-256 <span class="hash">${sha256}</span>. <a href="/files/${sha256}/sent">Download
  ${changes.length === 0 ? "what was sent" : "the corrected file"}</a></div>`;
  return panel("changes", "Changes so far", content);
}
