/**
 * Expected receipts: due, overdue and received ones by customer; unexpected receipts; and the files, which are
 * submitted here.
 */
import {
  type CustomerSums,
  type ExpectedFileReport,
  type ExpectedNow,
  expectedAnswer,
  expectedNow,
  expectUploadStep,
  isToDecide,
  isWaiting,
  notesOf,
  type OpenReceipt,
  type ShownExpectation,
  STATE_WORDS,
  sumsByCustomer,
} from "../../expected/index.ts";
import { compareText, controlTotals, type ExpectedFile, NEVER } from "../../model/index.ts";
import { decide, maySignAgain } from "../decide.ts";
import { exact, type Html, html, type Part } from "../html.ts";
import { type Answer, field, hasRole, isVisitor, type Page, SEE, type Visit } from "../page.ts";
import {
  amount,
  type Badge,
  badge,
  banner,
  counted,
  dayText,
  empty,
  fromFile,
  head,
  hidden,
  money,
  panel,
  sums,
  table,
  time,
} from "../parts.ts";
import { fixOf, plain, said } from "../plain-words.ts";
import { messagePage } from "../refusals.ts";
import { largestFileText } from "../uploads.ts";
import { dropForm, keptFiles, NO_FILE } from "./files.ts";
import { referenceText, resourcePath } from "./payments.ts";

export const expectedPages: readonly Page[] = [
  {
    method: "GET",
    path: "/expected",
    roles: SEE,
    nav: { group: "Work", label: "Expected" },
    handle: expectedPage,
  },
  { method: "POST", path: "/expected", roles: ["submitter"], takesFiles: true, handle: upload },
  { method: "POST", path: "/expected/send-in", roles: ["submitter"], handle: sendIn },
  { method: "GET", path: "/expected/answers/:number", roles: SEE, handle: answer },
];

const ROWS_MAX = 200;

async function expectedPage(visit: Visit): Promise<Answer> {
  const now = await expectedNow(visit.workplace);
  const customer = field(visit.query, "customer");
  const isOf = ({ expectation }: ShownExpectation) =>
    customer === "" || (expectation.customerId ?? "") === customer;
  const standings = now.standings.filter(isOf);
  const unmatched = now.open.filter((each) => customer === "" || mayBeOf(customer, each));
  const open = standings.filter(({ open: rest }) => !rest.isZero());
  const done = standings.filter(({ open: rest }) => rest.isZero());
  const waiting = now.files.filter((file) => isWaiting(visit.workplace, file));
  const content = html`${head(
    "Expected",
    lede(standings),
    undefined,
    customer !== "" && html`<a href="/expected">Expected</a> / ${customer}`,
  )}
${tiles(standings)}
${waiting.length > 0 && panel("waits", "Waits for approval", waitingList(visit, waiting))}
${
  unmatched.length > 0 &&
  panel("nobodys", "Received, and not matched yet", receipts(visit, unmatched), {
    note: unmatchedNote(unmatched),
  })
}
${panel("open", "Due", open.length === 0 ? NOTHING_DUE : expectations(visit, open, "Due"))}
${panel("customers", "By customer", customers(sumsByCustomer(standings)))}
${done.length > 0 && panel("done", ENDED, expectations(visit, done, ENDED))}
${hasRole(visit, "submitter") && panel("send-in", "Send in", uploadForm(visit))}
${panel("files", "Files", files(visit, now.files))}`;
  return { title: "Expected", content };
}

const NOTHING_DUE = empty("Nothing is due", "Receipts that are still to come appear here.");
const ENDED = "Received, and ended";

/** Today counts the same receipts. */
function unmatchedNote(unmatched: readonly OpenReceipt[]): string {
  const count = unmatched.filter(isToDecide).length;
  const decides = "a controller decides what it was for";
  return count === unmatched.length ? decides : `${count} to decide; nobody expects the others`;
}

function mayBeOf(customer: string, { receipt, candidates }: OpenReceipt): boolean {
  const owed = candidates.flatMap(({ parts }) => parts.map(({ expectation }) => expectation.customerId));
  return [receipt.customerId, ...owed].includes(customer);
}

function lede(standings: readonly ShownExpectation[]): string {
  const overdue = standings.filter(({ isOverdue }) => isOverdue).length;
  const open = standings.filter(({ open: rest }) => !rest.isZero()).length;
  if (standings.length === 0) return "Nothing is expected yet. Send in a spreadsheet of what customers owe.";
  const late = overdue === 0 ? "None is overdue." : `${counted(overdue, "is", "are")} overdue.`;
  return `${counted(open, "receipt is", "receipts are")} still to come. ${late}`;
}

function tiles(standings: readonly ShownExpectation[]): Html {
  const tile = (label: string, some: readonly ShownExpectation[], of: "open" | "received") => {
    const totals = controlTotals(some.map((each) => ({ ...each.expectation.amount, value: each[of] })));
    return html`<div><dt>${label}</dt><dd>${sums(totals)}</dd><dd>${counted(some.length, "receipt")}</dd></div>`;
  };
  const overdue = standings.filter(({ isOverdue }) => isOverdue);
  const due = standings.filter(({ open, isOverdue }) => !open.isZero() && !isOverdue);
  const come = standings.filter(({ received: sum }) => !sum.isZero());
  return html`<dl class="tiles">${tile("Due", due, "open")}${tile("Overdue", overdue, "open")}
    ${tile("Received", come, "received")}</dl>`;
}

const SHAPES: Readonly<Record<ShownExpectation["state"], Badge>> = {
  waits: "wait",
  due: "run",
  overdue: "warn",
  "partly received": "run",
  received: "ok",
  "received over": "warn",
  "settled short": "off",
  withdrawn: "off",
};

/** A partly received expectation may also be overdue. */
export function stateBadge({ state, isOverdue }: ShownExpectation): Html {
  return html`${badge(SHAPES[state], STATE_WORDS[state])}
    ${isOverdue && state !== "overdue" && badge("warn", "overdue")}`;
}

export function expectationPath({ expectation }: Pick<ShownExpectation, "expectation">): string {
  return `/expected/${expectation.id}`;
}

/** The overdue ones first. */
function expectations(visit: Visit, standings: readonly ShownExpectation[], caption: string): Html {
  const rows = standings
    .toSorted((a, b) => Number(b.isOverdue) - Number(a.isOverdue) || compareText(dueOf(a), dueOf(b)))
    .slice(0, ROWS_MAX)
    .map((each): Part[] => {
      const { expectation, received: sum } = each;
      const { reference, customerId, amount: whole, dueDay } = expectation;
      return [
        html`<a href="${expectationPath(each)}">${referenceText(reference)}</a>
          ${customerId !== undefined && html`<span class="sub">${fromFile(customerId)}</span>`}`,
        stateBadge(each),
        dueDay && dayText(visit, dueDay),
        money(whole),
        sum.isZero() ? "" : amount(sum, whole.currency),
        each.address !== undefined
          ? html`<a class="btn" href="${expectationPath(each)}">Address</a>`
          : html`<span class="sub">${plain(visit, notesOf(each)[0] ?? "")}</span>`,
      ];
    });
  const figures = { kind: "num" } as const;
  const columns = [
    ...["Reference", "Stands at", "Due"],
    { label: "Expected", kind: "lead" } as const,
    { label: "Received", ...figures },
    { label: "", spoken: "Address, or a note" },
  ];
  const more = standings.length - rows.length;
  return html`${table(caption, columns, rows)}
    ${more > 0 && html`<div class="foot">${more} more are not shown; choose a customer.</div>`}`;
}

function dueOf({ expectation }: ShownExpectation): string {
  return expectation.dueDay ?? NEVER;
}

function customers(all: readonly CustomerSums[]): Html {
  if (all.length === 0) return empty("No customer yet", "The sums of each appear here.");
  const rows = all.map(({ customer, currency, count, expected, received: come, open, overdue }): Part[] => {
    const query = new URLSearchParams({ customer }).toString();
    const sum = (value: CustomerSums["open"]) => (value.isZero() ? "" : amount(value, currency));
    const name =
      customer === "" ? "(not named)" : html`<a href="/expected?${query}">${fromFile(customer)}</a>`;
    return [
      html`${name}<span class="sub">${counted(count, "receipt")}, ${currency}</span>`,
      sum(expected),
      sum(come),
      sum(open),
      sum(overdue),
    ];
  });
  const figures = { kind: "num" } as const;
  const columns = [
    "Customer",
    { label: "Expected", ...figures },
    { label: "Received", ...figures },
    { label: "Open", ...figures },
    { label: "Overdue", ...figures },
  ];
  return table("By customer", columns, rows);
}

/** The expectations that a receipt may belong to, with the evidence in words. */
export function candidateText({ parts, evidence }: OpenReceipt["candidates"][number]): Html {
  const references = parts.map(
    ({ expectation }, at) => html`${at > 0 && ", "}${referenceText(expectation.reference)}`,
  );
  return html`<b>${references}</b><span class="sub">${evidence.join(", ")}</span>`;
}

function receipts(visit: Visit, open: readonly OpenReceipt[]): Html {
  const rows = open.slice(0, ROWS_MAX).map(({ receipt, free, candidates, owedAlikeBy, repeats }): Part[] => {
    const { depositId, amount: whole, at, customerId, key } = receipt;
    const query = new URLSearchParams({ deposit: depositId, receipt: key }).toString();
    const [first] = candidates;
    const may =
      first === undefined
        ? owedAlikeBy.length > 0
          ? `${owedAlikeBy.join(", ")} owe the same, so the amount decides nothing`
          : repeats === undefined
            ? "expected by nobody"
            : html`${referenceText(repeats.reference)} was received already: it may have been paid twice`
        : html`${candidateText(first)}${
            candidates.length > 1 && html`<span class="sub">and ${candidates.length - 1} more</span>`
          }`;
    return [
      html`<a href="${resourcePath("deposit", depositId)}">
        ${amount(free, whole.currency)}</a>
        <span class="sub">${time(visit, at)}${customerId !== undefined && html`, shown as of ${customerId}`}</span>`,
      receipt.isSettled ? badge("ok", "confirmed") : badge("run", "arriving"),
      may,
      hasRole(visit, "controller") &&
        receipt.isSettled &&
        html`<a class="btn" href="/expected/decide?${query}">Decide</a>`,
    ];
  });
  return table(
    "Received, and not matched yet",
    ["Receipt", "Stands at", "May belong to", { label: "", spoken: "Next" }],
    rows,
  );
}

function waitingList(visit: Visit, waiting: readonly ExpectedFile[]): Html {
  const rows = waiting.map(
    ({
      number,
      name,
      takenBy,
      takenAt,
    }) => html`<li><div><h3>${name} ${badge("wait", "1 approval missing")}</h3>
    <p>sent in by ${takenBy}, ${time(visit, takenAt)}</p></div>
<div class="right">${
      hasRole(visit, "approver") && !isVisitor(visit, takenBy)
        ? html`<form method="post"
  action="/expected/approve">${hidden("number", String(number))}
  <button class="btn main">Approve…</button>
  </form>`
        : html`<a class="btn" href="/expected/answers/${number}">Look</a>`
    }</div></li>`,
  );
  return html`<ul class="todo">${rows}</ul>`;
}

function files(visit: Visit, all: ExpectedNow["files"]): Html {
  if (all.length === 0) return empty("No file yet", "Files that are sent in appear here.");
  const rows = all.slice(0, ROWS_MAX).map((file): Part[] => {
    const { number, name, takenBy, takenAt, verdict } = file;
    const stands =
      verdict === "rejected"
        ? badge("warn", "came back")
        : isWaiting(visit.workplace, file)
          ? badge("wait", "waits for approval")
          : badge("ok", "counts");
    return [
      html`${name}<span class="sub">${time(visit, takenAt)}, by ${takenBy}</span>`,
      stands,
      html`<a href="/expected/answers/${number}" aria-label="Answer to ${exact(name)}">Answer</a>`,
    ];
  });
  return table("Files", ["File", "Stands at", { label: "", spoken: "Answer" }], rows);
}

function uploadForm({ workplace: { config } }: Visit): Html {
  const hint = html`Excel workbook (.xlsx) or CSV with the columns reference and amount; customer, account,
    currency, due day, rate until and create as needed; up to ${largestFileText(config)}`;
  return dropForm("/expected", "Choose a file, or drop it here", "", hint);
}

async function upload(visit: Visit): Promise<Answer> {
  const form = await keptFiles(visit);
  return form.name.length === 0 ? NO_FILE : sendIn({ ...visit, url: "/expected/send-in", form });
}

async function sendIn(visit: Visit): Promise<Answer> {
  const { form, person, desk, token } = visit;
  const [key, name] = [field(form, "upload"), field(form, "name")];
  try {
    const step = (workplace: Visit["workplace"]) => expectUploadStep(workplace, { key, name }, person);
    return await decide(visit, step, async (report) => {
      await desk.uploads.drop(token, [key]);
      return afterTaken(visit, report);
    });
  } catch (error) {
    if (!maySignAgain(error)) await desk.uploads.drop(token, [key]);
    throw error;
  }
}

function afterTaken(visit: Visit, { verdict, file, rowsRead, problems, waits }: ExpectedFileReport): Answer {
  if (verdict === "accepted" && !waits) return { goTo: "/expected" };
  const crumbs = html`<a href="/expected">Expected</a> / ${file}`;
  if (verdict === "accepted") {
    const words = "It does not count before another person has approved it.";
    return {
      title: "Taken in",
      content: html`${head("Taken in", words, undefined, crumbs)}
        ${banner("ok", "Taken in", `${counted(rowsRead, "row")} of ${file}.`)}`,
    };
  }
  const lines = problems.map(
    (each) => html`<li><span>${placeOf(each)}</span><p>${said(visit, each.message)}
<span class="sub">${fixOf(visit, each)}</span></p></li>`,
  );
  const title = verdict === "known" ? "Sent in before" : "Not taken in";
  const words =
    verdict === "known"
      ? "Nothing is expected twice."
      : html`Nothing of ${file} is expected. Correct it, or its answer on the page <a href="/expected">Expected</a>, and
          send it in again.`;
  const found = panel("found", "What was found", html`<ol class="list log">${lines}</ol>`, {
    note: counted(problems.length, "mistake"),
  });
  return { title, content: html`${head(title, words, undefined, crumbs)}${found}` };
}

function placeOf({ line, cell, column }: ExpectedFileReport["problems"][number]): string {
  return cell ?? [line === undefined ? "" : `Line ${line}`, column ?? ""].filter(Boolean).join(", ");
}

async function answer({ workplace, params }: Visit): Promise<Answer> {
  const found = await expectedAnswer(workplace, Number.parseInt(params["number"] ?? "", 10) || 0);
  if (found === undefined)
    return messagePage(404, "No such answer", "It belongs to no file, or was removed.");
  return { fileName: found.name, type: "application/octet-stream", bytes: found.bytes };
}
