/** Ends the repeated reports of a held movement, or of an export without an answer, with a reason. */
import { booksStep, excuseExportStep, settleHeldStep } from "../../books/index.ts";
import { fault } from "../../faults/index.ts";
import { exportNumberText } from "../../model/ledger-table.ts";
import { decide } from "../decide.ts";
import { html } from "../html.ts";
import { type Answer, field, type Page, reasonIn, type Visit } from "../page.ts";
import { hidden } from "../parts.ts";
import { said } from "../plain-words.ts";
import { booksQuestion } from "./books-question.ts";
import { ROWS_MAX } from "./payments.ts";

const CONTROLLER = ["controller"] as const;

export const settlePages: readonly Page[] = [
  { method: "GET", path: "/books/settle", roles: CONTROLLER, handle: settlePage },
  { method: "POST", path: "/books/settle", roles: CONTROLLER, handle: settle },
  { method: "GET", path: "/books/excuse", roles: CONTROLLER, handle: excusePage },
  { method: "POST", path: "/books/excuse", roles: CONTROLLER, handle: excuse },
];

async function settlePage(visit: Visit): Promise<Answer> {
  const id = named(visit, "id");
  const { held } = await booksStep(visit.workplace, 1);
  const found = held.find((each) => each.id === id && each.settledAt === undefined);
  if (found === undefined)
    throw fault("NAME_UNKNOWN", { what: "such held movement any more", how: "Look at the list again." });
  const follows =
    "It stays out of the books and is not reported again, unless it is held for another reason.";
  return booksQuestion({
    title: `Settle ${found.reference ?? id}?`,
    what: html`${said(visit, found.message)} ${follows}`,
    path: "/books/settle",
    fields: hidden("id", id),
    button: "Settle it",
  });
}

function settle(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const settling = { names: [field(form, "id")], person, reason: reasonIn(form) };
  return decide(visit, (workplace) => settleHeldStep(workplace, settling), "/books", { isAsked: true });
}

async function excusePage(visit: Visit): Promise<Answer> {
  const { target, number } = exportIn(visit.query);
  const { batches } = await booksStep(visit.workplace, ROWS_MAX);
  const found = batches.find((each) => each.target === target && each.number === number);
  if (found === undefined || found.unanswered === 0)
    throw fault("NAME_UNKNOWN", {
      what: "export without an answer any more",
      how: "Look at the list again.",
    });
  const fields = html`${hidden("target", target)}${hidden("number", String(number))}`;
  return booksQuestion({
    title: `Excuse export ${exportNumberText(number)} of ${target}?`,
    what:
      "Paydrop no longer waits for the answer, and the month can be closed. " +
      "An answer that comes later still counts.",
    path: "/books/excuse",
    fields,
    button: "Excuse it",
  });
}

function excuse(visit: Visit): Promise<Answer> {
  const { form, person } = visit;
  const excused = { ...exportIn(form), person, reason: reasonIn(form) };
  return decide(visit, (workplace) => excuseExportStep(workplace, excused), "/books", { isAsked: true });
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
