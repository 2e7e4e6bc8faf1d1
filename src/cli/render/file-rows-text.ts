/** Renders a file's cells: how it was read, then each cell with its place, kind and text. */
import type { RawRow } from "../../intake/index.ts";
import { type Cell, columnLetters } from "../../model/index.ts";
import type { FileRows, SheetRows } from "../../pipeline/rows-step.ts";
import type { Colors } from "../output.ts";
import { problemText, shown } from "./problem-text.ts";
import { counted } from "./text-parts.ts";

/** Yields lines. Unless `isWhole`, only the first rows of each sheet and the beginnings of long texts. */
export async function* fileRowsText(
  rows: FileRows,
  isWhole: boolean,
  colors: Colors,
): AsyncGenerator<string> {
  yield `${colors.bold(shown(rows.file))}: ${rows.verdict === "read" ? colors.green("read") : colors.red("refused")}\n`;
  for (const [name, value] of traits(rows)) yield `  ${`${name}:`.padEnd(10)} ${value}\n`;
  for (const sheet of rows.sheets) yield* sheetText(sheet, isWhole, colors);
  const { problemCount } = rows;
  for (const problem of Iterator.from(rows.problems()).take(PROBLEMS_SHOWN)) {
    yield `${problemText(problem, colors)}\n`;
  }
  if (problemCount > PROBLEMS_SHOWN) {
    yield `  ... and ${problemCount - PROBLEMS_SHOWN} more; \`--json\` lists them all\n`;
  }
}

const ROWS_SHOWN = 20;
const PROBLEMS_SHOWN = 5;
const CHARACTERS_SHOWN = 200;
const KIND_WIDTH = "boolean".length;

function traits({ recognised, sheets }: FileRows): readonly (readonly [name: string, value: string])[] {
  if (recognised === undefined) return [];
  if (recognised.encoding === undefined) {
    const named = sheets.map(({ name, visibility, rowCount }): [string, string] => [
      "sheet",
      `${shown(name)} (${visibility}, ${counted(rowCount, "row")})`,
    ]);
    return [["format", `${recognised.format} (${recognised.dialect})`], ...named];
  }
  return [
    ["format", `${recognised.format} (${recognised.dialect})`],
    ["encoding", recognised.encoding],
    ["delimiter", quoted(recognised.delimiter ?? "")],
    ["rows", String(sheets[0]?.rowCount ?? 0)],
  ];
}

async function* sheetText(sheet: SheetRows, isWhole: boolean, colors: Colors): AsyncGenerator<string> {
  const { name, visibility, rowCount } = sheet;
  if (name !== "") {
    yield `sheet ${colors.bold(shown(name))}${visibility === "visible" ? "" : ` (${visibility})`}\n`;
  }
  let count = 0;
  for await (const row of sheet.rows()) {
    count += 1;
    if (!isWhole && count > ROWS_SHOWN) {
      yield `  ... and ${counted(rowCount - ROWS_SHOWN, "more row", "more rows")}; \`--all\` shows them\n`;
      return;
    }
    yield rowText(row, isWhole, colors);
  }
}

function rowText(row: RawRow, isWhole: boolean, colors: Colors): string {
  const notes = [
    row.isHidden ? " (hidden)" : "",
    row.isStruck ? " (struck out)" : "",
    row.broken === undefined ? "" : colors.red(" (broken)"),
  ];
  const cells = row.cells.map((cell, index) => {
    const place = `${columnLetters(index)}${row.line}`.padEnd(
      columnLetters(row.cells.length).length + String(row.line).length,
    );
    return `    ${colors.dim(place)}  ${cell.kind.padEnd(KIND_WIDTH)}  ${cellText(cell, isWhole)}`.trimEnd();
  });
  return [`  line ${row.line}${notes.join("")}`, ...cells, ""].join("\n");
}

/** Texts in quotes, so that white space at their ends shows; a formula by its saved result. */
function cellText(cell: Cell, isWhole: boolean): string {
  const { kind, text } = cell;
  const isCut = !isWhole && text.length > CHARACTERS_SHOWN;
  const visible = isCut ? text.slice(0, CHARACTERS_SHOWN) : text;
  const end = isCut ? ` ... ${text.length} characters` : "";
  switch (kind) {
    case "text":
      return quoted(visible) + end;
    case "formula":
      if (cell.value.kind === "empty") return `${shown(visible)}${end} (no saved result)`;
      return `${cell.value.kind === "text" ? quoted(visible) : shown(visible)}${end} (saved ${cell.value.kind})`;
    default:
      return shown(visible) + end;
  }
}

function quoted(text: string): string {
  return `"${shown(text)}"`;
}
