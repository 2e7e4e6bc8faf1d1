/** Books: the export batches that were issued, and their files to take away. */
import { basename } from "node:path";
import { issuedExports, openIssuedFile } from "../../pipeline/export/issued-files.ts";
import { html } from "../html.ts";
import { BOOKS } from "../icons.ts";
import type { Answer, Page, Visit } from "../page.ts";
import { counted, empty, head, panel, table, time } from "../parts.ts";
import { messagePage } from "../refusals.ts";

const ROLES = ["viewer", "controller"] as const;

export const booksPages: readonly Page[] = [
  {
    method: "GET",
    path: "/books",
    roles: ROLES,
    nav: { group: "Proof", label: "Books", icon: BOOKS },
    handle: booksPage,
  },
  { method: "GET", path: "/books/:number/:index", roles: ROLES, handle: download },
];

const BATCHES_MAX = 100;

async function booksPage({ workplace }: Visit): Promise<Answer> {
  const { config, context } = workplace;
  const batches = await issuedExports(workplace, BATCHES_MAX);
  const rows = batches.map(({ number, issuedAt, files }) => [
    String(number).padStart(6, "0"),
    time(config.ledger.timeZone, issuedAt, context.clock.now()),
    html`${files.map((path, index) => html`<span class="sub"><a href="/books/${number}/${index}">${basename(path)}</a></span>`)}`,
  ]);
  const columns = [{ label: "Export" }, { label: "Issued", kind: "nowrap" }, { label: "Files" }] as const;
  const list =
    rows.length === 0
      ? empty("No export yet", "The ledger’s job issues one when something new is booked.")
      : table("Exports", columns, rows);
  const lede =
    "What was booked leaves in numbered exports. A number is issued once, with the same entries for ever.";
  return {
    title: "Books",
    content: html`${head("Books", lede)}${panel("exports", "Exports", list, { note: batches.length === BATCHES_MAX ? `the newest ${BATCHES_MAX}` : counted(batches.length, "export") })}`,
  };
}

/** Only files that the list has, by their numbers: no name or path is taken from the request. */
async function download({ workplace, params }: Visit): Promise<Answer> {
  const [number, index] = [asNumber(params["number"]), asNumber(params["index"])];
  const batch = (await issuedExports(workplace, BATCHES_MAX)).find((each) => each.number === number);
  const found = batch && index !== undefined ? await openIssuedFile(workplace, batch, index) : undefined;
  if (found === undefined)
    return messagePage(
      404,
      "No such file",
      "It is of no export, or lies in the ledger’s folder no more: `paydrop ledger export --again` writes it again.",
    );
  const type = found.name.endsWith(".csv") ? "text/csv; charset=utf-8" : "application/octet-stream";
  return { fileName: found.name, type, bytes: found.handle.createReadStream() };
}

function asNumber(text = ""): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
