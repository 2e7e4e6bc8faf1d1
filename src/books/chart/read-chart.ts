/**
 * Reads chart-of-accounts.csv, or reports everything that is wrong with it. Columns by name, in any order: role, key,
 * code, name; optional project, distribution, share, bookProject, bookDistribution.
 */
import { CsvError, parse } from "csv-parse/sync";
import { type Problem, problem } from "../../faults/index.ts";
import { Decimal } from "../../money/index.ts";
import { CHART_ROLES, type Chart, type ChartRole, type ChartRow, comparableKey, splitKey } from "./chart.ts";
import { plainAccountName } from "./plain-name.ts";

/** The chart, or undefined and all problems of the file, each with line and column. */
export function readChart(text: string): { chart: Chart | undefined; problems: readonly Problem[] } {
  const lines = readLines(text);
  if ("problem" in lines) return { chart: undefined, problems: [lines.problem] };
  const [header, ...body] = lines;
  if (header === undefined) return { chart: undefined, problems: [invalid("it is empty")] };
  const columns = header.cells.map((cell) => cell.trim());
  const headerProblems = checkHeader(columns);
  if (headerProblems.length > 0) return { chart: undefined, problems: headerProblems };
  const read = body.map((line) => readRow(line, columns));
  const numbered = read.flatMap((result) => ("row" in result ? [result] : []));
  const problems = [
    ...read.flatMap((result) => ("problems" in result ? result.problems : [])),
    ...checkShares(numbered),
    ...checkNames(numbered),
    ...checkRoles(numbered),
  ];
  const rows = numbered.map(({ row }) => row);
  const suspense = rows.find((row) => row.role === "suspense" && row.key === "");
  const chart = suspense === undefined ? undefined : { rows, suspense: suspense.account };
  return { chart: problems.length === 0 ? chart : undefined, problems };
}

const REQUIRED_COLUMNS = ["role", "key", "code", "name"];
const COLUMNS = [...REQUIRED_COLUMNS, "project", "distribution", "share", "bookProject", "bookDistribution"];

/** Every settlement needs these roles; without a row for any key, money could go to suspense unnoticed. */
const ROLES_FOR_ANY_KEY: readonly ChartRole[] = [
  "network-fees",
  "deposits-clearing",
  "receivable",
  "overpayments",
  "suspense",
];

/** What plain-text journals accept as an account name: no comment or virtual-posting marks, no double spaces. */
const ACCOUNT_NAME = /^[\p{L}\p{N}][^\p{C};|"'@={}<>]*$/u;

interface Line {
  readonly cells: readonly string[];
  readonly line: number;
}

interface NumberedRow {
  readonly row: ChartRow;
  readonly line: number;
}

function readLines(text: string): Line[] | { problem: Problem } {
  try {
    const rows = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows
      .map(({ record: cells, info }) => ({ cells, line: info.lines }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { problem: invalid(`it is not CSV: ${error.message}`) };
  }
}

/** Spreadsheet programs that use a decimal comma save CSV with semicolons. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  return header.includes(";") && !header.includes(",") ? ";" : ",";
}

function checkHeader(columns: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  for (const name of REQUIRED_COLUMNS.filter((required) => !columns.includes(required))) {
    problems.push(invalid(`there is no column \`${name}\`; it has ${columns.join(", ")}`, { line: 1 }));
  }
  for (const [index, name] of columns.entries()) {
    if (!COLUMNS.includes(name))
      problems.push(
        invalid(`the column \`${name}\` has no meaning; there are ${COLUMNS.join(", ")}`, { line: 1 }),
      );
    if (columns.indexOf(name) < index)
      problems.push(invalid(`there are two columns \`${name}\``, { line: 1 }));
  }
  return problems;
}

function readRow({ cells, line }: Line, columns: readonly string[]): NumberedRow | { problems: Problem[] } {
  if (cells.length > columns.length) {
    return {
      problems: [invalid(`the row has ${cells.length} cells under ${columns.length} columns`, { line })],
    };
  }
  const cell = (name: string) => cells[columns.indexOf(name)]?.trim() ?? "";
  const problems: Problem[] = [];
  const wrong = (column: string, reason: string) => problems.push(invalid(reason, { line, column }));

  const role = CHART_ROLES.find((known) => known === cell("role"));
  if (role === undefined)
    wrong("role", `"${cell("role")}" is not one of the roles ${CHART_ROLES.join(", ")}`);
  const share = Decimal.parse(cell("share") || "1");
  if (share === undefined || share.compare(Decimal.zero) <= 0 || share.compare(Decimal.of("1")) > 0) {
    wrong("share", `the share "${cell("share")}" is not a number above 0 and at most 1`);
  }
  const [code, name] = [cell("code"), cell("name")];
  if (code === "" || /\p{C}/u.test(code))
    wrong("code", "the account code is empty or holds an invisible character");
  if (!canNameAccount(name))
    wrong("name", `"${name}" cannot name a ledger account; write it like expenses:contractors`);
  const glOnly = role === "gl" ? [] : ["project", "distribution", "share", "bookProject", "bookDistribution"];
  for (const column of glOnly) {
    if (cell(column) !== "") wrong(column, `only rows of the role gl may fill \`${column}\``);
  }
  if (role === undefined || share === undefined || problems.length > 0) return { problems };
  const row: ChartRow = {
    role,
    key: comparableKey(cell("key")),
    project: comparableKey(cell("project")),
    distribution: comparableKey(cell("distribution")),
    share,
    account: { code, name },
    bookProject: cell("bookProject"),
    bookDistribution: cell("bookDistribution"),
  };
  return { row, line };
}

function canNameAccount(name: string): boolean {
  const isSound = (part: string) => part !== "" && part.trim() === part;
  const parts = [...name.split(":"), ...plainAccountName(name).split(":")];
  return ACCOUNT_NAME.test(name) && !/\s{2}/.test(name) && parts.every(isSound);
}

function checkShares(rows: readonly NumberedRow[]): Problem[] {
  return [...Map.groupBy(rows, ({ row }) => splitKey(row)).values()].flatMap((group) => {
    const [first] = group;
    const total = Decimal.sum(group.map(({ row }) => row.share));
    if (first === undefined || total.equals(Decimal.of("1"))) return [];
    const { role, key } = first.row;
    const what = `${role} "${key}"`;
    const reason =
      role === "gl"
        ? `the shares of ${what} add up to ${total.normalized()}, not to 1`
        : `${what} is mapped ${group.length} times`;
    return [invalid(reason, { line: first.line })];
  });
}

/** Journals identify an account by name, ERPs by code, so the two must correspond one to one. */
function checkNames(rows: readonly NumberedRow[]): Problem[] {
  const nameOf = new Map<string, string>();
  const codeOf = new Map<string, string>();
  return rows.flatMap(({ row: { account }, line }) => {
    const plain = plainAccountName(account.name);
    const name = nameOf.get(account.code) ?? account.name;
    const code = codeOf.get(plain) ?? account.code;
    nameOf.set(account.code, name);
    codeOf.set(plain, code);
    if (name !== account.name) {
      return [invalid(`code ${account.code} is named ${name} and ${account.name}`, { line, column: "name" })];
    }
    return code === account.code
      ? []
      : [invalid(`${account.name} has the codes ${code} and ${account.code}`, { line, column: "code" })];
  });
}

function checkRoles(rows: readonly NumberedRow[]): Problem[] {
  const anyKey = ROLES_FOR_ANY_KEY.filter(
    (role) => !rows.some(({ row }) => row.role === role && row.key === ""),
  ).map((role) => invalid(`no row with an empty key maps ${role}`));
  const treasury = rows.some(({ row }) => row.role === "treasury") ? [] : [invalid("no row maps treasury")];
  return [...treasury, ...anyKey];
}

function invalid(reason: string, where: { line?: number; column?: string } = {}): Problem {
  return problem("CHART_UNUSABLE", { reason }, where);
}
