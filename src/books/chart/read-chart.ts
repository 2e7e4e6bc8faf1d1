/**
 * Reads the lines of the chart of accounts, or reports everything that is wrong with them. Columns by name, in any
 * order: role, key, code, name; optional customer, reference, project, distribution, share, bookProject,
 * bookDistribution, party, partyType, and any number of `dimension.NAME` and `account.TARGET`.
 */
import { type Problem, problem } from "../../faults/index.ts";
import type { Cell, FileFormat, Line } from "../../model/grid.ts";
import { columnLetters } from "../../model/index.ts";
import {
  CHART_ROLES,
  type ChartParty,
  type ChartRole,
  type ChartRow,
  comparableKey,
  DEPOSIT_ROLES,
} from "./chart.ts";
import { checkRows } from "./check-rows.ts";
import { type Chart, indexOf } from "./look-up.ts";
import { parseShare, WHOLE } from "./share.ts";

/** The chart, or undefined and all problems of the file, each with line and column. */
export function readChart(
  lines: readonly Line[],
  format: FileFormat,
): { chart: Chart | undefined; problems: readonly Problem[] } {
  const [header, ...body] = lines;
  if (header === undefined) return { chart: undefined, problems: [invalid("it is empty")] };
  const columns = header.cells.map((cell) => (typeof cell === "string" ? cell : cell.kind).trim());
  while (columns.at(-1) === "") columns.pop();
  const headerProblems = checkHeader(columns, header.line);
  if (headerProblems.length > 0) return { chart: undefined, problems: headerProblems };
  const read = body
    .filter(({ cells }) => cells.some((cell) => typeof cell !== "string" || cell.trim() !== ""))
    .map((line) => readRow(line, columns, format));
  const rows = read.flatMap((result) => ("row" in result ? [result.row] : []));
  const unread = read.flatMap((result) => ("problems" in result ? result.problems : []));
  const problems = [...unread, ...checkRows(rows, unread.length === 0)];
  const suspense = rows.find((row) => row.role === "suspense" && row.key === "");
  const isUsable = problems.length === 0 && suspense !== undefined;
  const chart = isUsable ? { rows, suspense: suspense.account, index: indexOf(rows) } : undefined;
  return { chart, problems };
}

export const REQUIRED_COLUMNS = ["role", "key", "code", "name"];
const GL_COLUMNS = ["project", "distribution", "share", "bookProject", "bookDistribution"];
const DEPOSIT_COLUMNS = ["customer", "reference"];
const COLUMNS = [...REQUIRED_COLUMNS, ...GL_COLUMNS, ...DEPOSIT_COLUMNS, "party", "partyType"];

const DIMENSION = /^dimension\.([A-Za-z][A-Za-z0-9_-]{0,39})$/;
const ACCOUNT = /^account\.([a-z0-9][a-z0-9-]{0,40})$/;
/** Names that journals already use for other attributes of a line. */
const TAKEN_DIMENSIONS = [
  "project",
  "distribution",
  "memo",
  "party",
  "date",
  "date2",
  "type",
  "filename",
  "lineno",
];

function checkHeader(columns: readonly string[], line: number): Problem[] {
  const problems: Problem[] = [];
  for (const name of REQUIRED_COLUMNS.filter((required) => !columns.includes(required))) {
    problems.push(invalid(`there is no column \`${name}\`; it has ${columns.join(", ")}`, { line }));
  }
  const seen = new Set<string>();
  for (const name of columns) {
    const dimension = DIMENSION.exec(name)?.[1];
    if (dimension !== undefined && TAKEN_DIMENSIONS.includes(dimension.toLowerCase()))
      problems.push(invalid(`${dimension} cannot name a dimension: lines have one already`, { line }));
    if (!COLUMNS.includes(name) && dimension === undefined && !ACCOUNT.test(name))
      problems.push(
        invalid(
          `the column \`${name}\` has no meaning; there are ${COLUMNS.join(", ")}, and dimension.NAME and ` +
            `account.TARGET`,
          { line },
        ),
      );
    // Journals for plain-text programs ignore the case of names.
    const folded = dimension === undefined ? name : name.toLowerCase();
    if (seen.has(folded)) problems.push(invalid(`there are two columns \`${name}\``, { line }));
    seen.add(folded);
  }
  return problems;
}

type Wrong = (column: string, reason: string) => void;
type TextIn = (column: string) => string;

function readRow(
  { cells, line }: Line,
  columns: readonly string[],
  format: FileFormat,
): { row: ChartRow } | { problems: Problem[] } {
  const filled = cells.findLastIndex((cell) => typeof cell !== "string" || cell.trim() !== "") + 1;
  if (filled > columns.length)
    return { problems: [invalid(`the row has ${filled} cells under ${columns.length} columns`, { line })] };
  const problems: Problem[] = [];
  const wrong: Wrong = (column, reason) => {
    const cell = `${columnLetters(columns.indexOf(column))}${line}`;
    problems.push(invalid(reason, { line, column, ...(format === "xlsx" && { cell }) }));
  };
  const texts = columns.map((column, index) => {
    const read = plainText(cells[index] ?? "");
    if (typeof read === "string") return read.trim();
    wrong(column, read.unreadable);
    return "";
  });
  const cell: TextIn = (name) => texts[columns.indexOf(name)] ?? "";
  if (problems.length > 0) return { problems };
  const row = rowOf(cell, columns, line, wrong);
  return row === undefined || problems.length > 0 ? { problems } : { row };
}

function rowOf(cell: TextIn, columns: readonly string[], line: number, wrong: Wrong): ChartRow | undefined {
  const role = CHART_ROLES.find((known) => known === cell("role"));
  if (role === undefined)
    wrong("role", `"${cell("role")}" is not one of the roles ${CHART_ROLES.join(", ")}`);
  const share = cell("share") === "" ? WHOLE : parseShare(cell("share"));
  if (share === undefined)
    wrong("share", `the share "${cell("share")}" is not a number above 0 and at most 1, such as 0.35 or 1/3`);
  const [code, name] = [cell("code"), cell("name")];
  if (code === "" || /\p{C}/u.test(code))
    wrong("code", "the account code is empty or holds an invisible character");
  if (name === "" || /\p{C}/u.test(name))
    wrong("name", `"${name}" cannot name a ledger account; write it like expenses:contractors`);
  checkColumnsOf(role, cell, wrong);
  const named = (form: RegExp) =>
    Object.fromEntries(
      columns.flatMap((column) => {
        const [, part] = form.exec(column) ?? [];
        const text = cell(column);
        if (part === undefined || text === "") return [];
        if (/\p{Cc}/u.test(text)) wrong(column, "it holds a line break or another control character");
        return [[part, text]];
      }),
    );
  const [dimensions, accountNames] = [named(DIMENSION), named(ACCOUNT)];
  const party = role && partyOf(role, cell, wrong);
  if (role === undefined || share === undefined) return undefined;
  return {
    role,
    key: comparableKey(cell("key")),
    customer: comparableKey(cell("customer")),
    reference: comparableKey(cell("reference")),
    project: comparableKey(cell("project")),
    distribution: comparableKey(cell("distribution")),
    share,
    account: { code, name },
    accountNames,
    bookProject: cell("bookProject"),
    bookDistribution: cell("bookDistribution"),
    dimensions,
    party,
    line,
  };
}

function checkColumnsOf(role: ChartRole | undefined, cell: TextIn, wrong: Wrong): void {
  if (role !== "gl")
    for (const column of GL_COLUMNS)
      if (cell(column) !== "") wrong(column, `only rows of the role gl may fill \`${column}\``);
  if (role === undefined || !DEPOSIT_ROLES.includes(role))
    for (const column of DEPOSIT_COLUMNS)
      if (cell(column) !== "")
        wrong(column, `only rows of the roles ${DEPOSIT_ROLES.join(", ")} may fill \`${column}\``);
}

/** The party of a line with this role. A placeholder is allowed only if the role's movements have such a party. */
function partyOf(role: ChartRole, cell: TextIn, wrong: Wrong): ChartParty | undefined {
  const [id, type] = [cell("party"), cell("partyType")];
  if (id === "") {
    if (type !== "") wrong("partyType", "it is filled without `party`");
    return undefined;
  }
  const placeholder = role === "gl" ? "{payee}" : DEPOSIT_ROLES.includes(role) ? "{customer}" : undefined;
  if (/[{}]/.test(id) && id !== placeholder)
    wrong(
      "party",
      `"${id}" is nobody; there ${placeholder === undefined ? "are ids" : `is ${placeholder}, or an id`}`,
    );
  return { id, type: type || (role === "gl" ? "Supplier" : "Customer") };
}

/** A cell's text as the file shows it. A workbook may show a text that differs from the cell's content. */
function plainText(cell: Cell): string | { readonly unreadable: string } {
  if (typeof cell === "string") return cell;
  const found = "flaw" in cell && cell.flaw !== undefined ? FLAWS[cell.flaw] : undefined;
  if (found !== undefined) return { unreadable: found };
  switch (cell.kind) {
    case "text":
      return cell.text;
    case "number":
      return /[eE]/.test(cell.text)
        ? { unreadable: `the number ${cell.text} has lost its digits; write it as text` }
        : cell.text;
    case "formula":
      return { unreadable: "it is a formula; put its value in its place" };
    case "date":
      return { unreadable: `it is the day ${cell.text}; format the cell as text, and write it again` };
    case "boolean":
    case "error":
      return { unreadable: `it is ${cell.text}, which is no text` };
  }
}

const FLAWS = {
  "struck out": "it is struck out; delete the row, or take the line through it away",
  "in parts": "a part of its text is struck out or raised; write it plainly",
  merged: "it is merged with other cells; unmerge them, and fill each",
  "shown otherwise": "its number format shows something else than it holds; format it as text",
} as const;

function invalid(reason: string, where: { line?: number; column?: string; cell?: string } = {}): Problem {
  return problem("CHART_UNUSABLE", { reason }, where);
}
