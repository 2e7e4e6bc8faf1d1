/** A file that came back: what is wrong with it, as fields to correct, and how it was read. */
import type { Problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import { columnNames } from "../../model/columns.ts";
import { columnIndex, columnLetters, isAnswerColumn } from "../../model/index.ts";
import type { SheetReading } from "../../model/sheet-reading.ts";
import { acceptLayoutStep } from "../../pipeline/layout-step.ts";
import {
  type FileToRepair,
  fileSeenBy,
  fileToRepair,
  repairStep,
  type WrongCell,
  type WrongLine,
} from "../../pipeline/repair-step.ts";
import { decide } from "../decide.ts";
import { exact, type Html, html } from "../html.ts";
import { type Answer, field, fieldsOf, hasRole, type Page, type PageAnswer, type Visit } from "../page.ts";
import { banner, counted, panel, table, time } from "../parts.ts";
import { afterTaken, EVERYBODY } from "./files.ts";

export const fileRepairPages: readonly Page[] = [
  { method: "GET", path: "/files/:id", roles: EVERYBODY, handle: repairPage },
  { method: "POST", path: "/files/:id", roles: ["submitter"], handle: repair },
  { method: "POST", path: "/files/:id/columns", roles: ["approver"], handle: acceptColumns },
];

/** "C7" */
const CELL_FIELD = /^([A-Z]{1,3})(\d{1,7})$/;
/** "is-amount", whose value is a heading's cell: "D3". */
const MEANING_FIELD = /^is-([A-Za-z]+)$/;

function repair(visit: Visit): Promise<Answer> {
  const { form, params, person } = visit;
  const leaveOut = fieldsOf(form, "out").map(Number);
  const changes = Object.keys(form).flatMap((name) => {
    const meaning = MEANING_FIELD.exec(name)?.[1];
    const text = field(form, name);
    const [, letters = "", line = ""] = CELL_FIELD.exec(meaning === undefined ? name : text) ?? [];
    const column = columnIndex(letters);
    if (column === undefined) return [];
    return { line: Number(line), column, to: meaning === undefined ? text : headingFor(meaning, form, text) };
  });
  const request = { sha256: params["id"] ?? "", changes, leaveOut, person };
  return decide(visit, (workplace) => repairStep(workplace, request), afterTaken);
}

/** A heading that means it; the currency that the old one named stays in it. */
function headingFor(meaning: string, form: Visit["form"], cell: string): string {
  const currency = /\b[A-Z]{3}\b/.exec(field(form, `heading-${cell}`))?.[0];
  return meaning === "amount" && currency !== undefined ? `Amount (${currency})` : meaning;
}

function acceptColumns(visit: Visit): Promise<Answer> {
  const { form, params, person } = visit;
  const sha256 = params["id"] ?? "";
  const columns = Object.fromEntries(
    Object.keys(form).flatMap((name) => {
      const meaning = MEANING_FIELD.exec(name)?.[1];
      const heading = field(form, `heading-${field(form, name)}`);
      const column = columnNames.find((each) => each === meaning);
      return column === undefined ? [] : [[heading, column]];
    }),
  );
  return decide(
    visit,
    (workplace) => acceptLayoutStep(workplace, sha256, { person, columns, leaveOut: [] }),
    () => ({ goTo: `/files/${sha256}` }),
  );
}

const LINES_SHOWN = 100;

async function repairPage(visit: Visit): Promise<Answer> {
  const { workplace, params, person } = visit;
  const { file } = await fileSeenBy(workplace, params["id"] ?? "", person);
  if (file.batchId !== undefined) return { goTo: `/batches/${file.batchId}` };
  return pageOf(visit, await fileToRepair(workplace, file.sha256, person));
}

function pageOf(visit: Visit, found: FileToRepair): PageAnswer {
  const { report, takenAt, submittedBy, obstacle, lines } = found;
  const { config, context } = visit.workplace;
  const { reading, sha256, file, rowsRead, rowsRejected } = report;
  const at = time(config.ledger.timeZone, takenAt, context.clock.now());
  const cells = lines.reduce((sum, each) => sum + each.cells.length, 0);
  const asked = report.problems.filter(isQuestion).length;
  const ready = rowsRead > 0 && `${rowsRead - rowsRejected} of ${counted(rowsRead, "row")} are ready. `;
  const toDo = applying(
    asked > 0 && `answer ${counted(asked, "question")}`,
    cells > 0 && `repair ${counted(cells, "cell")}`,
  );
  const what = toDo.join(" and ") || "correct what is listed";
  const lede =
    obstacle === undefined && reading !== undefined
      ? html`${ready}${what.slice(0, 1).toUpperCase()}${what.slice(1)}, then the whole file goes to approval. Nothing of it is paid until then.`
      : "Nothing of it is paid.";
  const title = html`<header class="head"><div><p class="crumbs"><a href="/files">Files</a> / sent in ${at}${submittedBy !== undefined && html` by ${submittedBy}`}</p><h1>${file}</h1><p class="lede">${lede}</p>${STEPS}</div><div class="acts"><a class="btn" href="/files/${sha256}/answer">Download the answer</a></div></header>`;
  const why =
    obstacle && banner("warn", "Not to be repaired here", html`${obstacle.message}. ${obstacle.fix}`);
  const parts = [
    title,
    why,
    ...(reading === undefined ? [wholeFile(report.problems)] : [repairForm(visit, found, reading)]),
    reading !== undefined && approversColumns(visit, found, reading),
    reading !== undefined && howRead(reading),
    reading !== undefined && notRead(reading),
    changesSoFar(visit, found),
  ];
  return { title: `Repair ${file}`, content: html`${parts}` };
}

const STEPS = html`<ol class="steps"><li class="done"><b>✓</b>Read</li><li aria-current="step"><b>2</b>Repair</li><li><b>3</b>Approval</li><li><b>4</b>Paid</li></ol>`;

/** Questions about columns, what concerns the whole file, and the cells to repair. */
function repairForm(visit: Visit, found: FileToRepair, reading: SheetReading): Html {
  const { report, lines, obstacle } = found;
  const shown = lines.slice(0, LINES_SHOWN);
  const isOpen = obstacle === undefined && hasRole(visit, "submitter");
  const ofFile = report.problems.filter(({ line }) => line === undefined && !isOpen);
  const unplaced = report.problems.filter((each) => each.line === undefined && !isQuestion(each));
  const cells = lines.reduce((sum, each) => sum + each.cells.length, 0);
  const more = lines.length - shown.length;
  const note =
    more > 0 ? `the first ${LINES_SHOWN} of ${lines.length} lines` : `in ${counted(lines.length, "line")}`;
  const table = shown.length > 0 && wrongTable(shown, reading, isOpen);
  const acts =
    isOpen &&
    html`<div class="body pad"><p class="line"><span class="hint">A repair makes a corrected copy. The file you sent stays as it is, and the record keeps who changed what.</span><span class="acts"><button class="btn main">Check again</button></span></p></div>`;
  const content = html`${isOpen && questions(found, reading, "file")}
${wholeFile(isOpen ? unplaced : ofFile)}
${panel("cells", cells === 0 ? "Check again" : `${counted(cells, "cell")} to repair`, html`${table}${acts}`, lines.length > 0 ? { note } : {})}`;
  return isOpen
    ? html`<form class="stack" method="post" action="/files/${report.sha256}">${content}</form>`
    : content;
}

function isQuestion({ code }: Problem): boolean {
  return code === "COLUMN_UNCLEAR" || code === "COLUMN_MISSING";
}

function wholeFile(problems: readonly Problem[]): Html {
  if (problems.length === 0) return html``;
  const lines = problems.map(
    ({ message, fix }) =>
      html`<li><p><span class="err">${message}</span><span class="fix">${fix}</span></p></li>`,
  );
  return panel("whole", "The file as a whole", html`<ul class="list">${lines}</ul>`);
}

/** One question a column that is missing or unclear. `whose`: begins the names of its fields. */
function questions({ report, examples }: FileToRepair, reading: SheetReading, whose: string): Html {
  const asked = report.problems.filter(isQuestion);
  if (asked.length === 0) return html``;
  const { header, headerLine } = reading;
  const read = new Set(reading.columns.map(({ position }) => position));
  const free = header.flatMap((text, at) =>
    text === "" || read.has(at) || isAnswerColumn(text) ? [] : [at],
  );
  const choice = (meaning: string, at: number) => {
    const [id, cell] = [`${whose}-${meaning}-${at}`, `${columnLetters(at)}${headerLine}`];
    const some = [...new Set(examples[at])].filter((text) => text !== "");
    return html`<div class="choice"><input type="radio" name="is-${meaning}" id="${id}" value="${cell}"><label for="${id}">${columnLetters(at)}, “${header[at] ?? ""}”</label><span class="small"><span class="addr">${some.join(", ")}</span> …</span><input type="hidden" name="heading-${cell}" value="${exact(header[at] ?? "")}"></div>`;
  };
  const content = asked.map(
    ({ column = "", message }) =>
      html`<fieldset class="body"><legend class="label">Which column is the ${meaningOf(column)}?</legend><p>${message.slice(0, 1).toUpperCase()}${message.slice(1)}.</p><div class="pair">${free.map((at) => choice(column, at))}</div></fieldset>`,
  );
  const note =
    whose === "file" ? "about the columns; your answer names the column in this file" : "about the columns";
  return panel(`${whose}-columns`, counted(asked.length, "question"), html`${content}`, { note });
}

/** An approver decides for all files of the sender; who sent the file in only for this one. */
function approversColumns(visit: Visit, found: FileToRepair, reading: SheetReading): Html {
  const { report, submittedBy } = found;
  const isAsked = report.problems.some(isQuestion);
  if (!isAsked || !hasRole(visit, "approver") || submittedBy === visit.person) return html``;
  const whose = report.sender === undefined ? "for this file" : `for the files of ${report.sender}`;
  return html`<form class="stack" method="post" action="/files/${report.sha256}/columns">${questions(found, reading, "all")}<p class="acts"><button class="btn">Have it read so, ${whose}…</button></p></form>`;
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

function wrongTable(lines: readonly WrongLine[], reading: SheetReading, isOpen: boolean): Html {
  const { header, columns } = reading;
  const wrong = new Set(lines.flatMap(({ cells }) => cells.map(({ position }) => position)));
  const isShown = (at: number) =>
    wrong.has(at) || columns.some(({ position, name }) => position === at && BESIDE.has(name));
  const positions = header.flatMap((_, at) => (isShown(at) ? [at] : []));
  const nameOf = (at: number) =>
    meaningOf(columns.find(({ position }) => position === at)?.name ?? "not read");
  const heads = positions.map(
    (at) =>
      html`<th scope="col" role="columnheader">${columnLetters(at)} “${header[at] ?? ""}”<span class="sub">${nameOf(at)}</span></th>`,
  );
  const rows = lines.map((each) => wrongRow(each, positions, header, isOpen));
  return html`<div class="scroll" role="region" aria-label="Lines with something to repair" tabindex="0"><table class="cards" role="table"><caption class="vh">Lines with something to repair</caption><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Line${reading.sheet !== undefined && html`<span class="sub">of sheet ${reading.sheet}</span>`}</th>${heads}</tr></thead><tbody role="rowgroup">${rows}</tbody></table></div>`;
}

function wrongRow(
  { line, texts, cells, problems }: WrongLine,
  positions: readonly number[],
  header: readonly string[],
  isOpen: boolean,
): Html {
  const data = positions.map((at) => {
    const cell = cells.find(({ position }) => position === at);
    const label = header[at] ?? "";
    if (cell !== undefined && isOpen) return html`<td role="cell" data-l="${label}">${cellField(cell)}</td>`;
    return html`<td role="cell" data-l="${label}"><div>${wordsOf(texts[at] ?? "")}</div></td>`;
  });
  const said = [
    ...cells.flatMap(({ cell, problems: found }) =>
      found.map((each, index) => reason(each, index === 0 ? `${cell}-why` : undefined, `${cell}: `)),
    ),
    ...problems.map((each) => reason(each, undefined, "")),
  ];
  const out =
    isOpen &&
    html`<p class="opt small"><input type="checkbox" id="out-${line}" name="out" value="${line}"><label for="out-${line}">Leave line ${line} out</label></p>`;
  return html`<tr role="row" class="wrong"><th scope="row" role="rowheader">Line ${line}</th>${data}</tr>
<tr class="why" role="row"><td role="cell"></td><td role="cell" colspan="${positions.length}"><div>${said}${out}</div></td></tr>`;
}

function reason({ message, fix }: Problem, id: string | undefined, where: string): Html {
  return html`<span class="err"${id !== undefined && html` id="${id}"`}>${where}${message}.</span><span class="fix">${fix}</span>`;
}

const FIELD_CHARACTERS = 34;

function wordsOf(text: string): Html {
  return text.length > FIELD_CHARACTERS ? html`<span class="addr">${text}</span>` : html`${text}`;
}

function cellField({ cell, column, text }: WrongCell): Html {
  const attributes = html`id="${cell}" name="${cell}" aria-invalid="true" aria-describedby="${cell}-why" autocomplete="off" spellcheck="false"`;
  const label = html`<label class="vh" for="${cell}">${column}, cell ${cell}</label>`;
  if (text.length > FIELD_CHARACTERS)
    return html`${label}<textarea class="mono" rows="4" ${attributes}>${exact(text)}</textarea>`;
  return html`${label}<input type="text" size="${Math.max(8, text.length + 2)}" value="${exact(text)}" ${attributes}>`;
}

function howRead({ columns, sheet, headerLine, dialect }: SheetReading): Html {
  const rows = columns.map(({ position, heading, name, foundBy, evidence }) => [
    `${columnLetters(position)} “${heading}”`,
    meaningOf(name),
    evidence ?? `its ${foundBy}`,
  ]);
  const note = `${sheet === undefined ? dialect : `sheet “${sheet}”`}, names of the columns in line ${headerLine}`;
  return panel(
    "how-read",
    "How it was read",
    table("How the columns were read", [{ label: "Column" }, { label: "Read as" }, { label: "Why" }], rows),
    { note },
  );
}

const LINES_BESIDE = 10;

function notRead({ unread, notes, totals, otherSheets, pictureCount }: SheetReading): Html {
  const rows = unread
    .filter(({ kind }) => kind !== "empty")
    .map(({ position, heading, kind, values }) => [
      `${columnLetters(position)} “${heading}”`,
      html`${values.slice(0, 10).map(({ value, count }, index) => html`${index > 0 && " · "}${value} <span class="mute">${count}</span>`)}${(values.length > 10 || kind === "text") && " …"}`,
    ]);
  const lines = [
    ...notes.map(
      ({ line, place, text }) =>
        html`<li><b>${line === undefined ? place : `Line ${line}`}</b><p>${text}</p></li>`,
    ),
    ...totals.map(
      ({ line, text, amount, firstLine, lastLine }) =>
        html`<li><b>Line ${line}</b><p>${text} ${amount} <span class="small mute">the total of lines ${firstLine} to ${lastLine}</span></p></li>`,
    ),
    ...otherSheets.map((sheet) => html`<li><b>Sheet</b><p>${sheet}</p></li>`),
    ...(pictureCount === 0 ? [] : [html`<li><b>Pictures</b><p>${pictureCount}</p></li>`]),
  ];
  const columns =
    rows.length > 0 &&
    panel(
      "not-read",
      "Not read",
      table("Columns that were not read", [{ label: "Column" }, { label: "Values in it" }], rows),
      { note: "the approver sees this too" },
    );
  const more =
    lines.length > LINES_BESIDE && html`<div class="foot">and ${lines.length - LINES_BESIDE} more</div>`;
  const beside =
    lines.length > 0 &&
    panel("notes", "Notes, not paid", html`<ul class="list log">${lines.slice(0, LINES_BESIDE)}</ul>${more}`);
  return html`<div class="pair">${columns}${beside}</div>`;
}

function changesSoFar(
  { workplace: { config, context } }: Visit,
  { report, changes, takenAt, submittedBy = "somebody" }: FileToRepair,
): Html {
  const at = (when: FileToRepair["takenAt"]) => time(config.ledger.timeZone, when, context.clock.now());
  const lines = changes.flatMap(({ at: when, person, changes: cells }) =>
    cells.map(
      ({ cell, column, from, to }) =>
        html`<li>${at(when)}<p>${person} changed ${cell} (${column}) from <span class="mono">${from === "" ? "nothing" : from}</span> to <span class="mono">${to === "" ? "nothing" : to}</span></p></li>`,
    ),
  );
  const sent = changes.length === 0 && html`<li>${at(takenAt)}<p>${submittedBy} sent it in</p></li>`;
  return panel(
    "changes",
    "Changes so far",
    html`<ol class="list log">${sent}${lines}</ol><div class="foot">SHA-256 <span class="hash">${report.sha256}</span>. <a href="/files/${report.sha256}/sent">Download ${changes.length === 0 ? "what was sent" : "the corrected file"}</a></div>`,
  );
}
