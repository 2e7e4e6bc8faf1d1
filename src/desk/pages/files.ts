/** Files: submitting them, the result of each, and the sent and answered contents. */
import { SECRET_CODES } from "../../faults/index.ts";
import type { FileContent } from "../../files/files-step.ts";
import { fileContent, submitUpload, templateContent } from "../../files/files-step.ts";
import { isKept } from "../../files/intake/archive.ts";
import { holdsSecret } from "../../files/intake/file-report.ts";
import { monthsAsked, questionsAsked } from "../../files/questions-asked.ts";
import type { SubmitReport } from "../../files/submit-step.ts";
import { ROLES, STANDING_WORDS } from "../../model/index.ts";
import type { AskedOfSender, FilesBack } from "../../store/batches.ts";
import { FILES_BACK_DAYS, filesBack } from "../../views/files-back.ts";
import { type ListedFile, listFilesStep } from "../../views/listed-files.ts";
import { monthWords } from "../days.ts";
import { decide, maySignAgain } from "../decide.ts";
import { exact, type Html, html, type Part } from "../html.ts";
import { type Answer, field, fieldsOf, hasRole, type Page, seesAll, type Visit } from "../page.ts";
import {
  badge,
  banner,
  counted,
  countOf,
  empty,
  fromFile,
  head,
  panel,
  SUM,
  sums,
  table,
  time,
} from "../parts.ts";
import { fixOf, said } from "../plain-words.ts";
import { messagePage } from "../refusals.ts";
import { largestFileText, received } from "../uploads.ts";
import { SHAPES } from "./payments.ts";
import { knownFilePage } from "./sent-before.ts";

export const filesPages: readonly Page[] = [
  { method: "GET", path: "/files", roles: ROLES, nav: { group: "Work", label: "Files" }, handle: filesPage },
  { method: "POST", path: "/files", roles: ["submitter"], takesFiles: true, handle: upload },
  { method: "POST", path: "/files/send-in", roles: ["submitter"], handle: sendIn },
  { method: "GET", path: "/files/template.xlsx", roles: ROLES, handle: template },
  { method: "GET", path: "/files/:id/sent", roles: ROLES, handle: (visit) => download(visit, "sent") },
  { method: "GET", path: "/files/:id/answer", roles: ROLES, handle: (visit) => download(visit, "answer") },
];

/** Takes the first of the uploaded files in. */
async function upload(visit: Visit): Promise<Answer> {
  const form = await keptFiles(visit);
  return form.name.length === 0 ? NO_FILE : sendIn({ ...visit, url: "/files/send-in", form });
}

export const NO_FILE = messagePage(400, "No file was chosen", "Nothing was sent in. Choose a file first.");

/** Keeps the files of a form, so that they can be signed one by one: as the fields of the form to sign. */
export async function keptFiles({ desk, token, request }: Visit) {
  const kept = { upload: [] as string[], name: [] as string[] };
  await desk.uploads.makeRoom(token, Number(request.headers["content-length"] ?? 0));
  try {
    for await (const { filename, file } of received(request.files())) {
      // A browser sends an empty part if no file was chosen.
      if (filename === "") file.resume();
      else {
        const { key, name } = await desk.uploads.keep(token, filename ?? "", received(file));
        kept.upload.push(key);
        kept.name.push(name);
      }
    }
  } catch (error) {
    await desk.uploads.drop(token, kept.upload);
    throw error;
  }
  return kept;
}

/** Takes in one uploaded file after the other, each with its own signature. Keeps only files that it takes in. */
async function sendIn(visit: Visit): Promise<Answer> {
  const { form, person, desk, token } = visit;
  const all = fieldsOf(form, "upload");
  const [key = "", ...keys] = all;
  const [name = "", ...names] = fieldsOf(form, "name");
  const isOneOfMany = keys.length > 0 || field(form, "many") !== "";
  const goOn = async (report: SubmitReport) => {
    await desk.uploads.taken(token, report, key);
    if (!isOneOfMany) return afterTaken(visit, report);
    if (keys.length === 0) return { goTo: "/files" };
    return sendIn({ ...visit, form: { upload: keys, name: names, many: "yes" } });
  };
  try {
    return await decide(visit, (workplace) => submitUpload(workplace, { key, name }, person), goOn);
  } catch (error) {
    if (!maySignAgain(error)) await desk.uploads.drop(token, all);
    throw error;
  }
}

/** The page on which a person continues after a file was taken in or not. */
export function afterTaken(visit: Visit, report: SubmitReport): Answer {
  const { batchId, knownAs, problems, sha256, file } = report;
  if (batchId !== undefined) return { goTo: `/batches/${batchId}` };
  if (knownAs !== undefined) return knownFilePage(report);
  // For a file that is not kept, only the reason is shown.
  const [why] = holdsSecret(report) ? problems.filter(({ code }) => SECRET_CODES.has(code)) : problems;
  const isGone = holdsSecret(report) || report.reading === undefined;
  if (!isGone || why === undefined) return { goTo: `/files/${sha256}` };
  return messagePage(200, "Not taken in", `${file}: ${said(visit, why.message)} ${fixOf(visit, why)}`);
}

async function template({ workplace }: Visit): Promise<Answer> {
  return attachment(await templateContent(workplace, "payouts.xlsx"));
}

function attachment({ name, bytes }: FileContent): Answer {
  return { fileName: name, type: "application/octet-stream", bytes };
}

async function download({ workplace, params, person }: Visit, which: "sent" | "answer"): Promise<Answer> {
  return attachment(await fileContent(workplace, params["id"] ?? "", which, person));
}

const FILES_SHOWN = 50;

async function filesPage(visit: Visit): Promise<Answer> {
  const { query, person, workplace } = visit;
  const [name, before] = [field(query, "name").trim(), field(query, "before")];
  const filter = { name, before, submittedBy: seesAll(visit) ? "" : person };
  const found = await listFilesStep(workplace, filter, FILES_SHOWN + 1);
  const shown = found.slice(0, FILES_SHOWN);
  const now = workplace.context.clock.now();
  const back = await workplace.store.read(() => filesBack(now, filter.submittedBy));
  const { timeZone } = workplace.config.ledger;
  const asked = seesAll(visit) ? await workplace.store.read(() => questionsAsked(timeZone, now)) : [];
  const lede = hasRole(visit, "submitter")
    ? "Send in a spreadsheet of payments. You get an answer in seconds; nothing is paid before another person has " +
      "approved it."
    : "Files that were sent in, and their results.";
  const content = html`${head("Files", lede, html`<a class="btn" href="/files/template.xlsx">Get the template</a>`)}
${hasRole(visit, "submitter") ? uploadForm(visit) : ""}
${
  back.rejected > 0 &&
  banner("warn", "Came back", html`<b>${counted(back.rejected, "file")} came back.</b> ${cameBackText(back)}`)
}
${panel(
  "sent-in",
  "Sent in",
  html`${filterForm(name)}${list(visit, shown)}${foot(visit, shown, found.length > FILES_SHOWN)}`,
)}
${asked.length > 0 && askedPanel(asked, monthsAsked(timeZone, now))}`;
  return { title: "Files", content };
}

/** By sender, the newest month first; senders without a question too, so that the others stand out. */
function askedPanel(asked: readonly AskedOfSender[], months: readonly string[]): Html {
  const rows = [...Map.groupBy(asked, ({ sender }) => sender)].map(([sender, ofSender]) => [
    sender,
    ...months.map((month) => {
      const found = ofSender.find((each) => each.month === month);
      return (
        found &&
        html`${counted(found.questions, "question")}<span class="sub">in ${counted(found.files, "file")}</span>`
      );
    }),
  ]);
  const content = table(
    "Questions about files, by sender and month",
    ["Sender", ...months.map((month) => monthWords(month))],
    rows,
  );
  return panel("asked", "Questions by sender and month", content, {
    note: "what approvers are asked to accept",
  });
}

/** The same text on the page Today and here. */
export function cameBackText({ rejected, refused }: FilesBack): string {
  const [them, are] = rejected === 1 ? ["it", "it is"] : ["them", "they are"];
  const unread = refused > 0 && ` ${refused} more could not be read.`;
  const counts = `Files of the last ${FILES_BACK_DAYS} days are counted.`;
  return `Nothing of ${them} is paid until ${are} repaired.${unread || ""} ${counts}`;
}

function uploadForm({ workplace: { config } }: Visit): Html {
  const hint = `Excel workbooks (.xlsx) and CSV, up to 100,000 rows and ${largestFileText(config)} each`;
  return dropForm("/files", "Choose files, or drop them here", html` multiple`, hint);
}

/** `attributes`: more of the field for the files. */
export function dropForm(action: string, label: string, attributes: Part, hint: Part): Html {
  return html`<form class="drop" method="post" enctype="multipart/form-data" action="${action}">
<div class="body pad"><div class="field"><label for="up">${label}</label>
  <input id="up" type="file" name="file"${attributes} required accept=".xlsx,.csv"></div>
<p class="line"><span class="hint">${hint}</span>
  <button class="btn main">Send in</button></p></div></form>`;
}

function filterForm(name: string): Html {
  return html`<form class="bar" method="get" action="/files">
  <div class="field grow"><label for="n">Name</label>
  <input id="n" name="name" type="search" value="${exact(name)}"></div><button class="btn">Show</button></form>`;
}

function list(visit: Visit, files: readonly ListedFile[]): Html {
  if (files.length === 0)
    return field(visit.query, "name").trim() === ""
      ? empty("No files", "Files that are sent in appear here.")
      : empty("No file of this name", html`<a href="/files">Show all files</a>.`);
  const next = { label: "", kind: "nowrap", spoken: "Next" } as const;
  const columns = ["File", "Stands at", { label: "Rows", kind: "num" } as const, SUM, next];
  const rows = files.map((each) => fileRow(visit, each));
  return table("Files sent in, newest first", columns, rows);
}

function fileRow(visit: Visit, { file, status }: ListedFile) {
  const href = file.batchId === undefined ? `/files/${file.sha256}` : `/batches/${file.batchId}`;
  const named = html`<a href="${href}">${fromFile(file.name)}</a><span class="sub">${time(visit, file.takenAt)}
    ${file.submittedBy !== undefined && html`, by ${file.submittedBy}`}</span>`;
  if (file.sentBefore !== undefined) {
    const said = html`nothing in it is new: <a href="/batches/${file.sentBefore}">${file.sentBefore}</a>`;
    const stands = html`${badge("off", "sent in before")}<span class="sub">${said}</span>`;
    return [named, stands, "", "", html`<a class="btn" href="${href}">Look</a>`];
  }
  if (status === undefined) {
    const isBack = file.verdict === "rejected";
    const isToRepair = isBack && isKept(visit.workplace, file);
    const mark = isBack ? badge("warn", "came back") : badge("off", "not taken");
    const stands = html`${mark}<span class="sub">${isBack ? "nothing in it is paid" : "it could not be read"}</span>`;
    return [named, stands, "", "", html`<a class="btn" href="${href}">${isToRepair ? "Repair" : "Why"}</a>`];
  }
  const { batch } = status;
  const answer = html`<a href="/files/${file.sha256}/answer" aria-label="Answer to ${file.name}">Answer</a>`;
  return [named, standingOf(status), batch.rowCount, sums(batch.controlTotals), answer];
}

/** The most urgent standing of a batch is shown first. */
const URGENT = ["in doubt", "held", "refused", "failed", "received", "sending"] as const;
const BY_URGENCY = [...URGENT, "approved", "accepted", "arrived", "abandoned", "withdrawn"] as const;

function standingOf({ batch, shown, rejections }: NonNullable<ListedFile["status"]>): Html {
  const counts = new Map(shown.map(({ standing, totals }) => [standing, countOf(totals)]));
  const [first, ...others] = BY_URGENCY.filter((standing) => counts.has(standing));
  if (first === undefined) return html`${batch.id}`;
  const label = others.length === 0 ? STANDING_WORDS[first] : `${counts.get(first)} ${STANDING_WORDS[first]}`;
  const rest = others.map((each) => ` · ${counts.get(each) ?? 0} ${STANDING_WORDS[each]}`);
  const why = html`${rejections.map((each) => html`<span class="sub">${each}</span>`)}`;
  return html`${badge(SHAPES[first], label)}<span class="sub">${batch.id}${rest}</span>${why}`;
}

function foot(visit: Visit, shown: readonly ListedFile[], isMore: boolean): Html {
  const last = shown.at(-1)?.file.takenAt ?? "";
  const older = new URLSearchParams({ name: field(visit.query, "name"), before: last }).toString();
  return html`<div class="foot">${counted(shown.length, "file")}.${
    !seesAll(visit) && " Files from others are not shown to you."
  }${isMore && html` <a href="/files?${older}">Older</a>`}</div>`;
}
