/**
 * Ends what the books tell again and again, with a reason: a movement that is held, and an export that nobody
 * answers.
 */
import { excuseExportStep, settleHeldStep } from "../../books/index.ts";
import { fault } from "../../faults/index.ts";
import { exportNumberText } from "../../model/ledger-table.ts";
import { decide } from "../decide.ts";
import { type Html, html } from "../html.ts";
import { type Answer, field, type Page, type Visit } from "../page.ts";
import { head, hidden, panel, words } from "../parts.ts";
import { reasonIn } from "./jobs.ts";

const CONTROLLER = ["controller"] as const;

export const settlePages: readonly Page[] = [
  { method: "GET", path: "/books/settle", roles: CONTROLLER, handle: settlePage },
  { method: "POST", path: "/books/settle", roles: CONTROLLER, handle: settle },
  { method: "GET", path: "/books/excuse", roles: CONTROLLER, handle: excusePage },
  { method: "POST", path: "/books/excuse", roles: CONTROLLER, handle: excuse },
];

async function settlePage(visit: Visit): Promise<Answer> {
  const id = named(visit, "id");
  const what = html`It stays out of the books, and is told no more. Once it is held for another reason, it is told again.`;
  return questionPage("Settle what is held?", what, "/books/settle", hidden("id", id), "Settle it");
}

function settle(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const settling = { names: [field(form, "id")], person, reason: reasonIn(form) };
  return decide(visit, (workplace) => settleHeldStep(workplace, settling), "/books", { isAsked: true });
}

async function excusePage(visit: Visit): Promise<Answer> {
  const { target, number } = exportIn(visit.query);
  const fields = html`${hidden("target", target)}${hidden("number", String(number))}`;
  const what = html`Nobody waits for the answer any longer, and the month can be closed. An answer that comes later still counts.`;
  const title = `Excuse export ${exportNumberText(number)} of ${target}?`;
  return questionPage(title, what, "/books/excuse", fields, "Excuse it");
}

function excuse(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const excused = { ...exportIn(form), person, reason: reasonIn(form) };
  return decide(visit, (workplace) => excuseExportStep(workplace, excused), "/books", { isAsked: true });
}

function questionPage(title: string, what: Html, path: string, fields: Html, button: string): Answer {
  const crumbs = html`<a href="/books">Books</a> / ${title}`;
  const form = html`<form class="body stack" method="post" action="${path}">${fields}<p>${what}</p>
${words("reason", "Why")}<p class="acts"><button class="btn main big">${button}</button><a class="btn" href="/books">Cancel</a></p></form>`;
  const content = html`${head(title, "Nothing has been done yet.", undefined, crumbs)}${panel("question", "What this does", form)}`;
  return { title, content };
}

function exportIn(fields: Visit["form"]): { readonly target: string; readonly number: number } {
  const number = Number.parseInt(field(fields, "number"), 10);
  if (Number.isSafeInteger(number) && number > 0) return { target: field(fields, "target"), number };
  throw notNamed("export");
}

function named({ query }: Visit, name: string): string {
  const value = field(query, name);
  if (value === "") throw notNamed("movement");
  return value;
}

function notNamed(what: string) {
  return fault("USAGE", { what: `no ${what} is named`, how: "Choose one on the page of the books." });
}
