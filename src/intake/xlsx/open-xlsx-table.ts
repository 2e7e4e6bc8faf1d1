/** Opens a workbook as a table: chooses the sheet, finds its header, and reads rows lazily. */
import { Fault, fault, type Problem, problem, type Where } from "../../faults/index.ts";
import type { Cell, Row, Table, TitleLine } from "../../model/row.ts";
import { type FileLimits, tooMany } from "../file-limits.ts";
import { sheetNamed } from "../sheet-named.ts";
import { HEADER_LINE_MAX, headerNames, type TableLayout } from "../table-layout.ts";
import { cellProblems, fitted, isBlank, WINDOW_ROWS, withoutAnswers } from "../table-rows.ts";
import type { ForbiddenContent } from "./forbidden-content.ts";
import { type OpenWorkbook, openWorkbook } from "./open-workbook.ts";
import type { SheetRow } from "./packed-rows.ts";
import { featureGuard, type SheetFeature } from "./sheet-features.ts";
import { dialectOf, type Worksheet } from "./workbook.ts";

/**
 * Faults: those of the workbook, SHEET_NOT_FOUND, SHEET_AMBIGUOUS, SHEET_HIDDEN, HEADER_NOT_FOUND, COLUMN_HIDDEN, and
 * ROW_HIDDEN for the header. `windows()` throws CELLS_MERGED, CONDITIONAL_FORMAT_HIDES and CELLS_COVERED at its end,
 * because a sheet lists its merged cells and conditional formats last.
 */
export async function openXlsxTable(path: string, layout: TableLayout): Promise<Table> {
  const workbook = await openWorkbook(path, layout.limits);
  try {
    const { sheet, header, unreadSheets } = await chooseSheet(workbook, layout);
    refuseHiddenHeader(path, sheet, header, layout);
    const names = headerNames(header.row.cells.map((cell) => cell.text));
    if (names.length > layout.limits.columnsMax) {
      throw tooMany("columns", layout.limits.columnsMax, { file: path, sheet: sheet.name });
    }
    return {
      format: "xlsx",
      sheet: sheet.name,
      unreadSheets,
      dialect: dialectOf(workbook),
      headerLine: header.row.line,
      header: names,
      source: { format: "xlsx", path, sheetPart: sheet.partName },
      titleLines: header.titleLines,
      windows: () => windowsOf(path, sheet, names, header.row.line, layout),
    };
  } catch (error) {
    throw await withKey(error, workbook);
  } finally {
    await workbook.close();
  }
}

interface Header {
  readonly row: SheetRow;
  readonly titleLines: readonly TitleLine[];
  readonly hiddenColumns: ReadonlySet<number>;
  /** The first row below that is not blank, if there is one. */
  readonly firstRow: SheetRow | undefined;
}

interface HeaderedSheet {
  readonly sheet: Worksheet;
  readonly header: Header;
}

async function chooseSheet(
  workbook: OpenWorkbook,
  layout: TableLayout,
): Promise<HeaderedSheet & { readonly unreadSheets: readonly string[] }> {
  const file = workbook.path;
  const wanted =
    layout.sheet === undefined ? workbook.sheets : [sheetNamed(layout.sheet, workbook.sheets, file)];
  const found: HeaderedSheet[] = [];
  const unreadSheets: string[] = [];
  let closest = "";
  for (const sheet of wanted) {
    const header = await findHeader(workbook, sheet, layout);
    if (!("row" in header)) {
      const { titleLines } = header;
      const isVisible = sheet.visibility === "visible";
      if (isVisible && titleLines.some(({ cells }) => layout.mayBePayout?.(cells)))
        unreadSheets.push(sheet.name);
      if (isVisible) closest ||= layout.closestHeader?.(titleLines) ?? "";
      continue;
    }
    if (sheet.visibility === "visible") found.push({ sheet, header });
    else if (isPayable(header, layout))
      throw fault("SHEET_HIDDEN", { sheet: sheet.name }, { file, sheet: sheet.name });
  }
  // A sheet with only a header, prepared for next month, and a list of invoices leave no doubt about which one to pay.
  const payable = found.filter(({ header }) => isPayable(header, layout));
  const [first, second] = payable.length > 0 ? payable : found;
  if (first === undefined) {
    throw fault("HEADER_NOT_FOUND", { needed: layout.needed ?? "the payout columns", closest }, { file });
  }
  if (second !== undefined) {
    throw fault("SHEET_AMBIGUOUS", { sheets: found.map(({ sheet }) => sheet.name).join(", ") }, { file });
  }
  return { ...first, unreadSheets };
}

/** Whether there are rows, and destinations in them: in a column that is read, or in another. */
function isPayable({ row, firstRow }: Header, { hasDestination, mayBePayout }: TableLayout): boolean {
  if (firstRow === undefined) return false;
  const names = headerNames(row.cells.map((cell) => cell.text));
  return hasDestination?.(names) !== false || mayBePayout?.(firstRow.cells) === true;
}

async function findHeader(
  workbook: OpenWorkbook,
  sheet: Worksheet,
  layout: TableLayout,
): Promise<Header | Pick<Header, "titleLines">> {
  const hiddenColumns = new Set<number>();
  const found = (feature: SheetFeature) => {
    if (feature.kind !== "hidden columns") return;
    const last = Math.min(feature.last, layout.limits.columnsMax);
    for (let column = feature.first; column <= last; column += 1) hiddenColumns.add(column);
  };
  const titleLines: TitleLine[] = [];
  let header: SheetRow | undefined;
  for await (const batch of workbook.rows(sheet, found)) {
    for (const row of batch) {
      if (header !== undefined && !isBlank(row.cells))
        return { row: header, titleLines, hiddenColumns, firstRow: row };
      if (header === undefined && row.line > HEADER_LINE_MAX) return { titleLines };
      if (header === undefined && layout.isHeader(headerNames(row.cells.map((cell) => cell.text)))) {
        header = row;
      } else if (header === undefined && !isBlank(row.cells)) {
        titleLines.push({ line: row.line, cells: row.cells });
      }
    }
  }
  return header === undefined
    ? { titleLines }
    : { row: header, titleLines, hiddenColumns, firstRow: undefined };
}

/** Hidden columns that are not read are everyday: keys of an ERP's records, sums on the way. Nothing of them is paid. */
function refuseHiddenHeader(
  file: string,
  sheet: Worksheet,
  { row, hiddenColumns }: Header,
  { isRead }: TableLayout,
): void {
  const where = { file, sheet: sheet.name, line: row.line };
  if (row.isHidden) throw fault("ROW_HIDDEN", {}, where);
  for (const [index, cell] of row.cells.entries()) {
    const holdsValues = cell.kind !== "empty" && isRead?.(cell.text.trim()) !== false;
    if (holdsValues && hiddenColumns.has(index)) {
      throw fault("COLUMN_HIDDEN", { column: cell.text }, { ...where, column: cell.text });
    }
  }
}

async function* windowsOf(
  file: string,
  sheet: Worksheet,
  header: readonly string[],
  headerLine: number,
  { limits, isRead }: TableLayout,
): AsyncGenerator<readonly Row[]> {
  const where = { file, sheet: sheet.name };
  const areRead = header.map((name) => isRead?.(name) ?? true);
  const guard = featureGuard(where, headerLine, areRead);
  const sent = withoutAnswers(header);
  const workbook = await openWorkbook(file, limits);
  const window: Row[] = [];
  let count = 0;
  try {
    for await (const batch of workbook.rows(sheet, (feature) => guard.saw(feature))) {
      for (const found of batch) {
        const { line } = found;
        const cells = sent(found.cells);
        if (line <= headerLine || isBlank(cells)) continue;
        count += 1;
        if (count > limits.rowsMax) throw tooMany("rows", limits.rowsMax, where);
        if (cells.length > limits.columnsMax) throw tooMany("columns", limits.columnsMax, { ...where, line });
        guard.sawRow(line);
        window.push(tableRow({ ...where, row: count, line }, cells, found, header, limits));
        if (window.length === WINDOW_ROWS) yield window.splice(0);
      }
      if (window.length > 0) yield window.splice(0);
    }
    guard.check();
    // Search the rest too: answers repeat the whole workbook, and the archive keeps it.
    const found = await workbook.forbiddenContent(sheet);
    if (found !== undefined) throw forbiddenContentFault(found, file);
  } catch (error) {
    throw await withKey(error, workbook);
  } finally {
    await workbook.close();
  }
}

function tableRow(
  place: Where & Pick<Row, "row" | "line">,
  cells: readonly Cell[],
  { isHidden, isStruck }: SheetRow,
  header: readonly string[],
  limits: FileLimits,
): Row {
  const invisible: readonly Problem[] = [
    ...(isHidden ? [problem("ROW_HIDDEN", {}, place)] : []),
    ...(isStruck ? [problem("ROW_STRUCK_OUT", {}, place)] : []),
  ];
  return {
    row: place.row,
    line: place.line,
    cells: fitted(cells, header.length),
    problems: [...invisible, ...cellProblems(cells, header, place, limits)],
  };
}

/** VALUE_IS_SECRET if a refused file, which would be archived, has a private key anywhere. */
async function withKey(error: unknown, workbook: OpenWorkbook): Promise<unknown> {
  if (!(error instanceof Fault) || error.problem.code === "VALUE_IS_SECRET") return error;
  try {
    const found = await workbook.forbiddenContent();
    return found?.kind === "key" ? forbiddenContentFault(found, workbook.path) : error;
  } catch (another) {
    // If the file has brought its thread down, the first refusal is thrown.
    if (another instanceof Fault) return error;
    throw another;
  }
}

function forbiddenContentFault(found: ForbiddenContent, file: string): Fault {
  if (found.kind === "key") return fault("VALUE_IS_SECRET", { field: found.place }, { file });
  const { kind: _, what, ...place } = found;
  return fault("WORKBOOK_IS_ACTIVE", { what }, { file, ...place });
}
