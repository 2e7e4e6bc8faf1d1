/** Books: the export batches that were issued, and their files to take away. */
import { basename } from "node:path";
import { issuedExports, openIssuedFile } from "../../books/index.ts";
import { html } from "../html.ts";
import type { Answer, Page, Visit } from "../page.ts";
import { counted, empty, head, panel, table, time } from "../parts.ts";
import { messagePage } from "../refusals.ts";
import { ROWS_MAX } from "./payments.ts";

const roles = ["viewer", "controller"] as const;

export const exportPages: readonly Page[] = [
  { method: "GET", path: "/books", roles, nav: { group: "Proof", label: "Books" }, handle: booksPage },
  { method: "GET", path: "/books/:target/:number/:index", roles, handle: download },
];

async function booksPage(visit: Visit): Promise<Answer> {
  const batches = await issuedExports(visit.workplace, ROWS_MAX);
  const rows = batches.map(({ target, number, issuedAt, files }) => {
    const items = files.map(
      ({ path }, index) =>
        html`<li><a class="addr" href="/books/${target}/${number}/${index}">${basename(path)}</a></li>`,
    );
    return [
      String(number).padStart(6, "0"),
      target,
      time(visit, issuedAt),
      html`<ul class="list">${items}</ul>`,
    ];
  });
  const lede =
    "Each target gets numbered exports of what was booked. A number is issued once, with the same bytes for ever.";
  const none = empty("No export yet", "One is issued when something new is booked.");
  const list = rows.length === 0 ? none : table("Exports", ["Export", "For", "Issued", "Files"], rows);
  const note = batches.length < ROWS_MAX ? counted(batches.length, "export") : `the newest ${ROWS_MAX}`;
  const content = html`${head("Books", lede)}${panel("exports", "Exports", list, { note })}`;
  return { title: "Books", content };
}

/** Only what the list has, by its numbers: no name or path is taken from the request. */
async function download({ workplace, params }: Visit): Promise<Answer> {
  const { target, number, index } = params;
  const batch = (await issuedExports(workplace, ROWS_MAX)).find(
    (each) => each.target === target && String(each.number) === number,
  );
  const at = batch?.files.findIndex((_, each) => String(each) === index) ?? -1;
  const found = batch && (await openIssuedFile(workplace, batch, at));
  if (found === undefined)
    return messagePage(404, "No such file", "It is of no export, or lies in the ledger’s folder no more.");
  const type = found.name.endsWith(".csv") ? "text/csv; charset=utf-8" : "application/octet-stream";
  return { fileName: found.name, type, bytes: found.handle.createReadStream() };
}
