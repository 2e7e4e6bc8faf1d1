/** Books: periods, held movements, exports with the ERPs' answers, sums, reports, and downloads. */
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type AnswerReport,
  answerInWords,
  answerStep,
  type Books,
  booksReportBytes,
  booksReportStep,
  booksStep,
  issuedExports,
  openIssuedFile,
} from "../../books/index.ts";
import { inTemporaryFolder } from "../../context/files.ts";
import { requireUsable } from "../../files/files-step.ts";
import {
  BOOKS_REPORT_FORMATS,
  BOOKS_REPORTS,
  type BooksReportFormat,
  type BooksReportName,
} from "../../model/index.ts";
import { exportNumberText } from "../../model/ledger-table.ts";
import { Decimal } from "../../money/index.ts";
import { monthWords } from "../days.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, field, hasRole, jobsBeside, type Page, type Visit } from "../page.ts";
import {
  age,
  amount,
  badge,
  banner,
  capital,
  counted,
  empty,
  head,
  money,
  panel,
  SUM,
  table,
  time,
} from "../parts.ts";
import { fixOf, said } from "../plain-words.ts";
import { messagePage } from "../refusals.ts";
import { received, sentName } from "../uploads.ts";
import { periodsPanel } from "./books-close.ts";
import { unmappedPanel } from "./books-remap.ts";
import { ROWS_MAX, referenceText, resourcePath } from "./payments.ts";

const roles = ["viewer", "controller"] as const;
const CONTROLLER = ["controller"] as const;
const MAY_WRITE = ["controller", "operator"] as const;

export const booksPages: readonly Page[] = [
  { method: "GET", path: "/books", roles, nav: { group: "Proof", label: "Books" }, handle: booksPage },
  { method: "POST", path: "/books/write", roles: MAY_WRITE, handle: writeBooks },
  { method: "POST", path: "/books/answers", roles: CONTROLLER, takesFiles: true, handle: takeAnswers },
  { method: "GET", path: "/books/reports/:name/:format", roles, handle: report },
  { method: "GET", path: "/books/:target/:number/:index", roles, handle: download },
];

async function booksPage(visit: Visit): Promise<Answer> {
  const { workplace, query } = visit;
  const books = await booksStep(workplace, ROWS_MAX);
  const content = html`${head("Books", lede(books), [writeButton(visit)])}
${field(query, "asked") !== "" && banner("ok", "Books", BEGINS)}
${periodsPanel(visit, books)}
${await unmappedPanel(visit)}
${panel("held", "Waiting for a person", heldList(visit, books), { note: heldNote(books) })}
${panel("exports", "Exports", exportsList(visit, books), { note: "each entry is in one live export for each target" })}
${hasRole(visit, ...CONTROLLER) && answerForm(workplace.config.ledger.exports)}
${panel("balance", "Trial balance", balance(visit, books), { note: counted(books.entries, "entry", "entries") })}
${panel("reports", "Reports", reports())}`;
  return { title: "Books", content };
}

const BEGINS = html`<b>The books are about to be written.</b> Load this page again to see what is new.`;

function lede({ next, held: all, entries }: Books): string {
  const held = all.filter(isReported);
  const waits =
    held.length === 0
      ? "Nothing is held"
      : `${capital(counted(held.length, "movement"))} ${held.length === 1 ? "is" : "are"} held`;
  if (next === undefined)
    return held.length === 0
      ? "Nothing has been booked yet. That happens once a night."
      : `Nothing is booked yet. ${waits}.`;
  return `${counted(entries, "entry", "entries")} booked. ${waits}. ${monthWords(next)} is open.`;
}

/** Only if the scheduled jobs run in this process, because they carry it out. */
function writeButton(visit: Visit): Html | false {
  if (visit.desk.hints === undefined || !hasRole(visit, ...MAY_WRITE)) return false;
  return html`<form method="post" action="/books/write"><button class="btn">Write the books</button></form>`;
}

async function writeBooks({ desk }: Visit): Promise<Answer> {
  jobsBeside(desk, "Write the books at the desk of the machine that runs them.").emit("hint", "ledger");
  return { goTo: "/books?asked=yes" };
}

/** Whether it is still reported because nobody settled it. */
function isReported({ settledAt }: Books["held"][number]): boolean {
  return settledAt === undefined;
}

function heldNote({ held, notBooked }: Books): Html | string {
  const reported = held.filter(isReported).length;
  const more = reported > ROWS_MAX ? `the first ${ROWS_MAX} of ${reported}; ` : "";
  const settled = held.length - reported;
  const leftOut = `${counted(notBooked, "movement is", "movements are")} left out on purpose`;
  const others = html`<a href="/books/reports/held/html">${leftOut}</a>`;
  const ended = html`<a href="/books/reports/held/html">${settled} settled</a>${notBooked > 0 && "; "}`;
  return html`${more}${settled > 0 && ended}${notBooked > 0 && others}`;
}

function heldList(visit: Visit, books: Books): Html {
  const held = books.held.filter(isReported);
  const maySettle = hasRole(visit, ...CONTROLLER);
  const isAll = books.notBooked === 0 && books.held.length === 0;
  if (held.length === 0)
    return empty(
      "Nothing is held",
      `${isAll ? "Every" : "Every other"} confirmed movement that was seen is booked.`,
    );
  const now = visit.workplace.context.clock.now();
  const rows = held
    .slice(0, ROWS_MAX)
    .map(({ kind, id, reference, message, since, ...problem }): Part[] => [
      html`<a href="${resourcePath(kind, id)}">${referenceText(reference ?? id)}</a>`,
      html`${said(visit, message)}<span class="sub">${fixOf(visit, { ...problem, message })}</span>`,
      html`${age(Date.parse(now) - Date.parse(since))}`,
      maySettle && html`<a href="/books/settle?id=${id}">Settle…</a>`,
    ]);
  const columns = [
    "Movement",
    { label: "Why, and what to do", kind: "broad" },
    { label: "For", kind: "nowrap" },
  ] as const;
  return table("Held", [...columns, { label: "", spoken: "Settle" }], rows);
}

function exportsList(visit: Visit, { batches }: Books): Html {
  if (batches.length === 0) return empty("No export yet", "One is issued when something new is booked.");
  const rows = batches.map(({ target, number, issuedAt, files, ...batch }): Part[] => [
    html`${exportNumberText(number)}<span class="sub">${time(visit, issuedAt)}</span>`,
    target,
    html`${answered(batch)}${
      batch.unanswered > 0 &&
      hasRole(visit, ...CONTROLLER) &&
      html`<span class="sub"><a href="/books/excuse?target=${target}&amp;number=${number}">Excuse…</a></span>`
    }`,
    html`<ul class="list">${files.map(
      ({ path }, index) =>
        html`<li><a class="addr" href="/books/${target}/${number}/${index}">${basename(path)}</a></li>`,
    )}</ul>`,
  ]);
  return table("Exports", ["Export", "For", "Answer of the ERP", "Files"], rows);
}

type SaidOf = Omit<Books["batches"][number], "target" | "number" | "issuedAt" | "files">;

function answered({ isAnswered, posted, refused, unanswered, ...batch }: SaidOf): Part {
  if (!isAnswered) return "none expected";
  const { excusedBy, excusedReason } = batch;
  const words = [
    posted > 0 && `${posted} posted`,
    refused > 0 && `${refused} refused`,
    unanswered > 0 && (posted + refused === 0 ? "no answer yet" : `${unanswered} without an answer`),
    excusedBy !== undefined && "excused",
  ].filter(Boolean);
  const badgeOf = badge(refused + unanswered > 0 ? "warn" : "ok", words.join(", "));
  if (excusedBy === undefined) return badgeOf;
  return html`${badgeOf}<span class="sub">by ${excusedBy}: “${excusedReason}”</span>`;
}

function answerForm(targets: readonly { readonly name: string }[]): Html | false {
  if (targets.length === 0) return false;
  const options = targets.map(({ name }) => html`<option value="${name}">${name}</option>`);
  const fields = html`<div class="field"><label for="target">Whose answer</label>
    <select id="target" name="target">${options}</select></div>
<div class="field"><label for="answer">File</label>
  <input id="answer" name="answer" type="file" accept=".csv,.xlsx" required></div>`;
  return panel(
    "answers",
    "Read an answer",
    html`<form class="body stack" method="post" action="/books/answers" enctype="multipart/form-data">${fields}
<p class="acts"><button class="btn">Read it</button></p></form>`,
    { note: "which entries the ERP posted, and which it refused" },
  );
}

/** Takes one file at a time, stored in its own folder until it is read. */
async function takeAnswers(visit: Visit): Promise<Answer> {
  const { workplace, request } = visit;
  return inTemporaryFolder("answer", async (folder) => {
    let target: string | undefined;
    for await (const part of received(request.parts())) {
      if (part.type === "field") {
        if (part.fieldname === "target") target = String(part.value);
        continue;
      }
      const name = basename(sentName(part.filename ?? ""));
      if (name === "" || target === undefined) part.file.resume();
      else {
        requireUsable(name);
        const path = join(folder, name);
        await writeFile(path, received(part.file), { mode: 0o600 });
        return answerPage(visit, await answerStep(workplace, path, target));
      }
    }
    return messagePage(400, "No file was chosen", "Nothing was read. Choose a file first.");
  });
}

function answerPage(visit: Visit, report: AnswerReport): Answer {
  const { file, target, refused, mistakes, problems } = report;
  const lines = [...mistakes, ...problems].map(
    (
      each,
    ) => html`<li><span>${each.line !== undefined && `Line ${each.line}`}</span><p>${said(visit, each.message)}
<span class="sub">${fixOf(visit, each)}</span></p></li>`,
  );
  const sentence =
    mistakes.length > 0
      ? `${file} has ${counted(mistakes.length, "mistake")}, so none of its rows counts.`
      : `${file}: ${answerInWords(report)}.`;
  const crumbs = html`<a href="/books">Books</a> / Answer`;
  const hint =
    mistakes.length > 0
      ? " Nothing was changed: correct the file, or have treasury correct how answers are read, and send it in again."
      : refused > 0
        ? " The next export has the refused entries again: correct in the ERP, or in the chart of accounts, what it " +
          "names."
        : "";
  const back = html`<a class="btn" href="/books#exports">Back to Books</a>`;
  const list = lines.length > 0 && panel("found", "What was found", html`<ol class="list log">${lines}</ol>`);
  return {
    title: "Answer",
    content: html`${head(`Answer of ${target}`, `${sentence}${hint}`, back, crumbs)}${list}`,
  };
}

function balance({ workplace }: Visit, { trialBalance }: Books): Html {
  const { functionalCurrency } = workplace.config.ledger;
  if (trialBalance.rows.length === 0) return empty("No entry yet", "The sums of all entries appear here.");
  const sum = (value: Decimal) => (value.isZero() ? "" : amount(value, functionalCurrency));
  const rows = trialBalance.rows.map(({ code, name, debit, credit, balance: rest, quantities }): Part[] => [
    html`${code}<span class="sub">${name}</span>`,
    sum(debit),
    sum(credit),
    amount(rest, functionalCurrency),
    moved(quantities),
  ]);
  const total = [
    "All",
    amount(trialBalance.debit, functionalCurrency),
    amount(trialBalance.credit, functionalCurrency),
  ];
  const figures = { kind: "num" } as const;
  const columns = [
    "Account",
    { label: "Debit", ...figures },
    { label: "Credit", ...figures },
    { ...SUM, label: "Balance" },
    { label: "Quantity", ...figures },
  ];
  return table("Trial balance", columns, [...rows, [...total, amount(Decimal.zero, functionalCurrency), ""]]);
}

/** Empty if no cryptocurrency is left. */
function moved(quantities: Books["trialBalance"]["rows"][number]["quantities"]): Part {
  const left = quantities.filter(({ value }) => !value.isZero());
  if (left.length === 0) return "";
  return html`${left.map((each, index) => html`${index > 0 && " · "}${money(each)}`)}`;
}

const REPORT_WORDS: Readonly<Record<BooksReportName, string>> = {
  journal: "Journal",
  "general-ledger": "General ledger",
  "trial-balance": "Trial balance",
  projects: "Projects and distributions",
  payees: "Payments by payee",
  receivables: "Receivables by customer",
  rates: "Rates by day",
  held: "Held, and not booked",
  "tie-out": "Tie-out of the treasury to the proof",
};

function reports(): Html {
  const rows = BOOKS_REPORTS.map((name): Part[] => [
    REPORT_WORDS[name],
    html`${BOOKS_REPORT_FORMATS.map(
      (format, index) => html`${index > 0 && " · "}<a href="/books/reports/${name}/${format}">${format}</a>`,
    )}`,
  ]);
  return table("Reports", ["Report", "As"], rows);
}

const TYPES: Readonly<Record<BooksReportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  html: "text/html; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

async function report({ workplace, params }: Visit): Promise<Answer> {
  const name = BOOKS_REPORTS.find((each) => each === params["name"]);
  const format = BOOKS_REPORT_FORMATS.find((each) => each === params["format"]);
  if (name === undefined || format === undefined)
    return messagePage(404, "No such report", "The books have those that their page lists.");
  const made = await booksReportStep(workplace, { name });
  const bytes = await booksReportBytes(workplace, made, format);
  return { fileName: `${made.fileName}.${format}`, type: TYPES[format], bytes };
}

/** Finds the file in the list by its numbers; takes no name or path from the request. */
async function download({ workplace, params }: Visit): Promise<Answer> {
  const { target, number, index } = params;
  const batch = (await issuedExports(workplace, ROWS_MAX)).find(
    (each) => each.target === target && String(each.number) === number,
  );
  const at = batch?.files.findIndex((_, each) => String(each) === index) ?? -1;
  const found = batch && (await openIssuedFile(workplace, batch, at));
  if (found === undefined)
    return messagePage(
      404,
      "No such file",
      "It belongs to no export, or is no longer in the ledger’s folder.",
    );
  const type = found.name.endsWith(".csv") ? TYPES.csv : "application/octet-stream";
  return { fileName: found.name, type, bytes: found.handle.createReadStream() };
}
