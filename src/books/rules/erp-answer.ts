/**
 * Reads an ERP's answer: a table with a row for each entry, document or line. A row without a name, with an unknown
 * status or above the heading is a mistake of the file, and then none of its rows counts.
 */
import { hash } from "node:crypto";
import { isProblem, type Problem, problem } from "../../faults/index.ts";
import { foldedAnswer } from "../../model/erp-answer.ts";
import { type Cell, type Grid, type Line, resultOf, textOf } from "../../model/grid.ts";
import { type AnswerForm, columnLetters, type ErpVerdict } from "../../model/index.ts";

export interface AnswerRow {
  /** The name in the file. */
  readonly saidOf: string;
  readonly entryId?: string | undefined;
  readonly document?: { readonly number: number; readonly position: number } | undefined;
  readonly verdict: ErpVerdict;
  readonly erpDocument?: string | undefined;
  readonly reason?: string | undefined;
  readonly line: number;
}

/** Either all rows, one per entry, or all mistakes. */
export function readErpAnswer(
  { lines, format }: Grid,
  form: AnswerForm,
  target: string,
): { readonly rows: readonly AnswerRow[]; readonly problems: readonly Problem[] } {
  const places = lines.map((line) => columnsIn(line, form));
  const headAt = places.findIndex(
    ({ status, entry, document }) => status >= 0 && Math.max(entry, document) >= 0,
  );
  const columns = places[headAt];
  if (columns === undefined) {
    const wanted = `\`${form.status}\` beside \`${form.entry}\` or \`${form.document}\``;
    return {
      rows: [],
      problems: [problem("ANSWER_COLUMN_MISSING", { target, wanted }, { line: lines[0]?.line ?? 1 })],
    };
  }
  const place = { form, columns, format };
  const twice = lines.slice(headAt, headAt + 1).flatMap((head) => calledTwice(head, place) ?? []);
  if (twice.length > 0) return { rows: [], problems: twice };
  const read = lines.slice(headAt + 1).map((line) => rowOf(line, place));
  const rows = read.filter((row): row is AnswerRow => row !== undefined && !isProblem(row));
  const problems = [
    ...aboveHeading(lines.slice(0, headAt), place),
    ...read.filter((row) => row !== undefined && isProblem(row)),
    ...(read.every((row) => row === undefined) ? [withoutRows(lines[headAt]?.line ?? 1, place)] : []),
    ...namedTwoWays(rows, place),
    ...contradictions(rows, place),
  ];
  return problems.length > 0
    ? { rows: [], problems: problems as Problem[] }
    : { rows: onePerEntry(rows), problems };
}

/** The columns by which an answer counts. */
const DECIDING = ["entry", "document", "status"] as const;

type Columns = ReturnType<typeof columnsIn>;

interface Place {
  readonly form: AnswerForm;
  readonly columns: Columns;
  readonly format: Grid["format"];
}

function columnsIn({ cells }: Line, form: AnswerForm) {
  const names = cells.map((cell) => foldedAnswer(textOf(cell)));
  const at = (name: string) => names.indexOf(foldedAnswer(name));
  return {
    entry: at(form.entry),
    document: at(form.document),
    status: at(form.status),
    reason: at(form.reason),
    erpDocument: at(form.erpDocument),
  };
}

/** Neither of two columns of one name can be preferred, and what was posted is final. */
function calledTwice(line: Line, place: Place): Problem | undefined {
  const names = line.cells.map((cell) => foldedAnswer(textOf(cell)));
  const column = DECIDING.find(
    (each) => names.filter((name) => name === foldedAnswer(place.form[each])).length > 1,
  );
  if (column === undefined) return undefined;
  const what = `two columns are called \`${place.form[column]}\``;
  return mistake({ line: line.line, column, what, how: "Rename or delete one of them." }, place);
}

function rowOf({ cells, line }: Line, place: Place): AnswerRow | Problem | undefined {
  const { form, columns } = place;
  const text = (column: keyof Columns) => {
    const cell = cells[columns[column]];
    return cell === undefined ? "" : textOf(cell).trim();
  };
  const [entry, written, status] = [text("entry"), text("document"), text("status")];
  if ([entry, written, status].every((one) => one === "")) return undefined;
  const wrong = (column: keyof Columns, what: string, how: string) =>
    mistake({ line, column, what, how }, place);
  const struck = DECIDING.find((column) => isStruckOut(cells[columns[column]]));
  if (struck !== undefined)
    return wrong(struck, "it is struck out", "Delete the row, or take the line through it away.");
  const document = documentOf(written);
  if (entry === "" && written === "") {
    const column = columns.entry >= 0 ? "entry" : "document";
    return wrong(
      column,
      "the row names no entry",
      "Fill in the id or the document number that the export file has.",
    );
  }
  if (written !== "" && document === undefined)
    return wrong(
      "document",
      `"${written}" is no document number`,
      "Write it as the export file has it, such as 000042-0007.",
    );
  const verdict = verdictOf(status, form);
  if (verdict === undefined)
    return wrong(
      "status",
      `the status "${status}" is not one of the known ones`,
      `There are ${[...form.posted, ...form.refused].join(", ")}; others are named under \`answers\` in ` +
        `\`ledger.exports\`.`,
    );
  return {
    saidOf: entry === "" ? written : entry,
    entryId: entry === "" ? undefined : entryIdOf(entry),
    document,
    verdict,
    erpDocument: text("erpDocument") || undefined,
    reason: text("reason") || undefined,
    line,
  };
}

function isStruckOut(cell: Cell | undefined): boolean {
  const plain = cell === undefined ? "" : resultOf(cell);
  return typeof plain === "object" && "flaw" in plain && plain.flaw === "struck out";
}

function mistake(
  { line, column, what, how }: { line: number; column: keyof Columns; what: string; how: string },
  { columns, form, format }: Place,
): Problem {
  const at = columns[column];
  const cell = format === "xlsx" && at >= 0 ? { cell: `${columnLetters(at)}${line}` } : {};
  return problem("ANSWER_CELL_UNREADABLE", { what, how }, { line, column: form[column], ...cell });
}

function verdictOf(status: string, { posted, refused }: AnswerForm): ErpVerdict | undefined {
  const is = (words: readonly string[]) => words.some((word) => foldedAnswer(word) === foldedAnswer(status));
  if (status === "") return undefined;
  return is(posted) ? "posted" : is(refused) ? "refused" : undefined;
}

/** "000042-0007" */
function documentOf(text: string): AnswerRow["document"] {
  const [, number = "", position = ""] = /^(\d{6,9})-(\d{4,9})$/.exec(text) ?? [];
  return number === ""
    ? undefined
    : { number: Number.parseInt(number, 10), position: Number.parseInt(position, 10) };
}

/** The entry's id. Also reads the external id that Odoo was given: "paydrop_payout__0001__settle__1". */
function entryIdOf(text: string): string {
  if (!text.startsWith(EXTERNAL)) return text;
  return text
    .slice(EXTERNAL.length)
    .replace(/__|_([0-9a-f]{1,6})_/g, (_mark, code?: string) =>
      code === undefined ? ":" : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)),
    );
}

const EXTERNAL = "paydrop_";

function keyOf({ entryId, document }: AnswerRow): string {
  return document === undefined ? `${entryId}` : `${document.number}-${document.position}`;
}

/** A sorted sheet has its heading among the rows, and those above it would be lost. */
function aboveHeading(lines: readonly Line[], place: Place): Problem[] {
  const what = "the row stands above the heading";
  const how = "Move the heading into the first line.";
  return lines.flatMap((line) => {
    const row = rowOf(line, place);
    return row === undefined || isProblem(row)
      ? []
      : [mistake({ line: line.line, column: "status", what, how }, place)];
  });
}

function withoutRows(line: number, place: Place): Problem {
  const what = "no row below the heading names an entry";
  return mistake({ line, column: "status", what, how: "Export it again, with a row for each entry." }, place);
}

/** An id and a document number may mean the same entry, so rows that contradict each other would not be seen. */
function namedTwoWays(rows: readonly AnswerRow[], place: Place): Problem[] {
  const numbered = rows.find(({ document }) => document !== undefined);
  const other = rows.find(({ document }) => document === undefined);
  if (numbered === undefined || other === undefined) return [];
  const what = `the row has no document number, but line ${numbered.line} has one`;
  const how = "Fill it in everywhere, or take that column out.";
  return [mistake({ line: other.line, column: "document", what, how }, place)];
}

/** Rows of one document, such as its lines, must agree. */
function contradictions(rows: readonly AnswerRow[], place: Place): Problem[] {
  return [...Map.groupBy(rows, keyOf).values()].flatMap((group) => {
    const [first] = group;
    const other = group.find(({ verdict }) => verdict !== first?.verdict);
    if (first === undefined || other === undefined) return [];
    const what =
      `line ${first.line} says of ${first.saidOf} that it was ${first.verdict}, and this one that it ` +
      `was ${other.verdict}`;
    const how = "Find out in the ERP which is true, and leave one of them.";
    return [mistake({ line: other.line, column: "status", what, how }, place)];
  });
}

/**
 * The same for rows that say the same, in any order. Undefined if they name batches: then a second reading does no
 * harm.
 */
export function answerHash(rows: readonly AnswerRow[]): string | undefined {
  if (rows.some(({ document }) => document !== undefined)) return undefined;
  const said = rows.map(({ entryId, verdict, erpDocument = "", reason = "" }) =>
    JSON.stringify([entryId, verdict, erpDocument, reason]),
  );
  return hash("sha256", said.sort().join("\n"));
}

/** Takes the first reason and number that the entry's rows give. */
function onePerEntry(rows: readonly AnswerRow[]): AnswerRow[] {
  return [...Map.groupBy(rows, keyOf).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const reason = group.find((row) => row.reason !== undefined)?.reason;
    const erpDocument = group.find((row) => row.erpDocument !== undefined)?.erpDocument;
    return [{ ...first, reason, erpDocument }];
  });
}
