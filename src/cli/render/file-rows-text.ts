/** The cells of a file as `paydrop rows` prints them, for people and for machines. */
import type { FileRows, SheetRows } from "../../files/rows-step.ts";
import { type Cell, type Line, textOf } from "../../model/grid.ts";
import { columnLetters } from "../../model/index.ts";
import type { Colors } from "../output.ts";
import { problemText, shown } from "./problem-text.ts";
import { counted, lines } from "./text-parts.ts";

/** Unless `isWhole`, only the first rows of each sheet and the beginnings of long texts. */
export function fileRowsText(rows: FileRows, isWhole: boolean, colors: Colors): string {
  return lines(
    `${colors.bold(shown(rows.file))}: ${rows.verdict === "read" ? colors.green("read") : colors.red("refused")}`,
    ...traits(rows).map(([name, value]) => `  ${`${name}:`.padEnd(10)} ${value}`),
    ...rows.sheets.flatMap((sheet) => sheetTexts(sheet, isWhole, colors)),
    ...rows.problems.map((problem) => problemText(problem, colors)),
  );
}

const ROWS_SHOWN = 20;
const CHARACTERS_SHOWN = 200;
const KIND_WIDTH = "boolean".length;

function traits({ format, dialect, csv, sheets }: FileRows): readonly (readonly [string, string])[] {
  if (format === undefined) return [];
  const read = ["format", dialect === undefined ? format : `${format} (${dialect})`] as const;
  if (csv === undefined)
    return [
      read,
      ...sheets.map(
        ({ name, visibility, lines: { length } }) =>
          ["sheet", `${shown(name)} (${visibility}, ${counted(length, "row")})`] as const,
      ),
    ];
  return [
    read,
    ["encoding", csv.encoding],
    ["delimiter", quoted(csv.delimiter)],
    ["rows", String(sheets[0]?.lines.length ?? 0)],
  ];
}

function sheetTexts(sheet: SheetRows, isWhole: boolean, colors: Colors): string[] {
  const { name, visibility } = sheet;
  const isVisible = visibility === "visible";
  const heading =
    name === "" ? [] : [`sheet ${colors.bold(shown(name))}${isVisible ? "" : ` (${visibility})`}`];
  const shownLines = isWhole ? sheet.lines : sheet.lines.slice(0, ROWS_SHOWN);
  const more = sheet.lines.length - shownLines.length;
  const rest = more > 0 ? [`  ... and ${counted(more, "more row", "more rows")}; \`--all\` shows them`] : [];
  return [...heading, ...shownLines.flatMap((line) => lineTexts(line, isWhole, colors)), ...rest];
}

function lineTexts({ line, cells, isHidden }: Line, isWhole: boolean, colors: Colors): string[] {
  const width = columnLetters(cells.length).length + String(line).length;
  return [
    `  line ${line}${isHidden === true ? " (hidden)" : ""}`,
    ...cells.map((cell, index) => {
      const place = `${columnLetters(index)}${line}`.padEnd(width);
      return `    ${colors.dim(place)}  ${kindOf(cell).padEnd(KIND_WIDTH)}  ${cellText(cell, isWhole)}`.trimEnd();
    }),
  ];
}

/** Texts are quoted, so that white space at their ends is visible; a formula is shown by its saved result. */
function cellText(cell: Cell, isWhole: boolean): string {
  const text = textOf(cell);
  const isCut = !isWhole && text.length > CHARACTERS_SHOWN;
  const visible = isCut ? text.slice(0, CHARACTERS_SHOWN) : text;
  const end = isCut ? ` ... ${text.length} characters` : "";
  if (cell === "") return "";
  if (typeof cell === "string" || cell.kind === "text") return quoted(visible) + end;
  if (cell.kind !== "formula") return shown(visible) + end;
  if (cell.value === "") return "(no saved result)";
  const isText = kindOf(cell.value) === "text";
  return `${isText ? quoted(visible) : shown(visible)}${end} (saved ${kindOf(cell.value)})`;
}

function quoted(text: string): string {
  return `"${shown(text)}"`;
}

/**
 * In the list of rows, the index is the line from 0; an empty list is a line on which no row begins. Encoding and
 * delimiter are those of a CSV.
 */
export function fileRowsJson({ verdict, format, csv, sheets, problems }: FileRows) {
  return {
    verdict,
    format: format ?? null,
    ...(csv === undefined ? {} : { encoding: csv.encoding, delimiter: csv.delimiter }),
    sheets: sheets.map(sheetJson),
    problems,
  };
}

function sheetJson({ name, visibility, lines }: SheetRows) {
  const rows: object[][] = [];
  for (const { line, cells } of lines) {
    while (rows.length < line - 1) rows.push([]);
    rows.push(cells.map((cell) => ({ kind: kindOf(cell), text: textOf(cell) })));
  }
  return { name, visible: visibility === "visible", rows };
}

function kindOf(cell: Cell): string {
  if (cell === "") return "empty";
  return typeof cell === "string" ? "text" : cell.kind;
}
