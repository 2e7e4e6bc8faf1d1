/** The record: who did what to money, found by person, kind and day; and whether the record is complete. */
import { Readable } from "node:stream";
import { isProblem, orProblem } from "../../faults/index.ts";
import { present } from "../../model/present.ts";
import { RECORD_KINDS } from "../../model/record-kind.ts";
import type { RecordedEntry } from "../../store/audit.ts";
import { auditStep } from "../../views/audit-step.ts";
import {
  RECORD_FORMATS,
  type RecordFilter,
  type RecordPage,
  recordStep,
  recordTexts,
} from "../../views/record-step.ts";
import { dayOf } from "../days.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, type Fields, field, type Page, type PageAnswer, SEE, type Visit } from "../page.ts";
import { badge, banner, capital, counted, empty, head, panel, selectField, table, time } from "../parts.ts";
import { actionText, fixOf, said } from "../plain-words.ts";
import { messagePage } from "../refusals.ts";
import { detailParts } from "./payment.ts";
import { ROWS_MAX } from "./payments.ts";

const nav = { group: "Run", label: "Record" } as const;

export const recordPages: readonly Page[] = [
  { method: "GET", path: "/record", roles: SEE, nav, handle: recordPage },
  { method: "GET", path: "/record/file/:format", roles: SEE, handle: download },
];

const LEDE = "Everything that was done about money, by whom, in an order that cannot be changed unnoticed.";

async function recordPage(visit: Visit): Promise<PageAnswer> {
  const { workplace, query } = visit;
  const filter = filterOf(query);
  const before = field(query, "before");
  const found = await recordStep(
    workplace,
    filter,
    /^\d{1,15}$/.test(before) ? Number(before) : undefined,
    ROWS_MAX,
  );
  const acts = html`<a class="btn" href="/record/file/csv?${asked(filter)}">CSV of
    these</a> <a class="btn" href="/record/file/jsonl?${asked(filter)}">JSON lines</a>`;
  const proof = field(query, "verify") === "" ? headBanner(found) : await proofBanner(visit);
  const shown =
    found.entries.length === 0 ? empty("No such entry", "Look for something else.") : rows(visit, found);
  const older =
    found.before !== undefined &&
    html`<div class="foot"><a class="btn" href="/record?${asked(filter, { before: String(found.before) })}">Older</a>
      </div>`;
  const content = html`${head("Record", LEDE, acts)}${proof}
${panel("entries", "Newest first", html`${filterForm(filter)}${shown}${older}`)}`;
  return { title: "Record", content };
}

/** Unreadable filters are ignored; the form shows the ones used. */
function filterOf(query: Fields): RecordFilter {
  const text = (name: string) => field(query, name).trim() || undefined;
  return present({
    from: dayOf(field(query, "from")),
    to: dayOf(field(query, "to")),
    person: text("who"),
    about: text("about"),
    kind: RECORD_KINDS.find((each) => each === field(query, "kind")),
  });
}

function asked({ person = "", kind, ...filter }: RecordFilter, more = {}): string {
  return new URLSearchParams({ ...filter, who: person, kind: kind ?? "", ...more }).toString();
}

function filterForm({ from = "", to = "", person = "", about = "", kind }: RecordFilter): Html {
  const kinds = RECORD_KINDS.map((each) => [each, each] as const);
  return html`<form class="bar" method="get" action="/record">
  <div class="field grow"><label for="about">About</label>
  <input id="about" name="about" type="search" value="${about}" maxlength="200"></div>
<div class="field"><label for="who">Who</label>
  <input id="who" name="who" value="${person}" maxlength="100" autocomplete="off"></div>
${selectField("kind", "kind", "What", [["", "everything"], ...kinds], kind)}
<div class="field"><label for="from">From</label><input id="from" name="from" type="date" value="${from}"></div>
<div class="field"><label for="to">To</label><input id="to" name="to" type="date" value="${to}"></div>
<button class="btn">Show</button></form>`;
}

function headBanner({ head: newest }: RecordPage): Part {
  if (newest === undefined) return "";
  const text = html`<b>${counted(newest.seq, "entry", "entries")}.</b> The hash of the last one covers
    all: <span class="hash">${newest.hash}</span>. Keep it elsewhere, and compare.`;
  return banner("ok", "Head", text, html`<a class="btn" href="/record?verify=1">Verify all</a>`);
}

async function proofBanner(visit: Visit): Promise<Html> {
  const found = await orProblem(() => auditStep(visit.workplace));
  if (isProblem(found)) {
    const text = html`<b>The record is not whole.</b> ${said(visit, found.message)} ${fixOf(visit, found)}`;
    return banner("bad", "Proof", text);
  }
  const { head: newest, hasAnchor, unproven } = found;
  const open = unproven.filter(({ isTakenOver }) => !isTakenOver).length;
  const signed =
    open === 0
      ? "Every decision in it is signed."
      : `${counted(open, "decision")} in it ${open === 1 ? "is" : "are"} not proven.`;
  const end = hasAnchor ? "" : " A missing end would go unnoticed.";
  const now = time(visit, visit.workplace.context.clock.now());
  const text = html`<b>Intact as of ${now}.</b> ${signed}${end} Its head is <span class="hash">${newest}</span>.`;
  return banner(open === 0 ? "ok" : "bad", "Proof", text);
}

function rows(visit: Visit, { entries }: RecordPage): Html {
  const cells = entries.map((entry) => [
    html`${time(visit, entry.at)}<span class="sub">no. ${entry.seq}</span>`,
    entry.person,
    html`<a${entry.subject.length > ONE_LINE && html` class="hash"`} href="${aboutPath(entry)}">
      ${entry.subject}</a>`,
    detailsOf(visit, entry),
    provenBy(entry),
  ]);
  const when = { label: "When", kind: "nowrap" } as const;
  return table("Record, newest first", [when, "Who", "About", "What", "Proven by"], cells);
}

/** Longer texts may break anywhere. */
const ONE_LINE = 40;

/** Hashes, and values that the files have in full. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  ...["statement", "digest", "approved", "accepted", "sha256", "root", "head", "before", "after", "changes"],
  ...["header", "opening", "order", "record", "nonce", "manifest"],
]);

function detailsOf(visit: Visit, { action, detail, hash }: RecordedEntry): Part {
  if (action === "evidence")
    return html`Evidence given<span class="sub">head <span class="hash">${hash}</span></span>`;
  return html`${capital(actionText(action))}${detailParts(visit, JSON.parse(detail), NOT_SHOWN)}`;
}

/** The search finds payments, payouts, deposits and breaks. Anything else leads to its entries of the record. */
function aboutPath({ subject, action }: RecordedEntry): string {
  if (/^B-\d{6,}$/.test(subject)) return `/batches/${subject}`;
  const ofFile = /^file ([\da-f]{64})$/.exec(subject)?.[1];
  if (ofFile !== undefined) return `/files/${ofFile}`;
  if (action === "roster") return "/people";
  const query = encodeURIComponent(subject);
  return ENTRIES_ONLY.test(subject) ? `/record?about=${query}` : `/payments?q=${query}`;
}

/** Subjects without a page: a signed file's digest, a file of expected receipts, and parts of Paydrop. */
const ENTRIES_ONLY = /^(?:[\da-f]{64}|file \d+|desk|reconciliation|ledger|sending)$/;

function provenBy({ person, detail }: RecordedEntry): Part {
  if (detail.includes('"statement":"')) return badge("ok", "signed");
  return html`<span class="mute">${person === "paydrop" ? "program" : "name"}</span>`;
}

async function download({ workplace, params, query }: Visit): Promise<Answer> {
  const format = RECORD_FORMATS.find((each) => each === params["format"]);
  if (format === undefined) return messagePage(404, "No such file", "The record is a CSV or JSON lines.");
  const bytes = Readable.from(recordTexts(workplace, filterOf(query), format));
  const type = format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson";
  return { fileName: `record.${format}`, type, bytes };
}
