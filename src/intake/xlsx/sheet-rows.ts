/**
 * Streams the rows of one sheet from its XML: every row with a value, with its number and whether it is hidden. Also
 * reports the sheet's features. Knows nothing of headers or the meaning of values.
 */
import { type Archive, refused } from "./archive.ts";
import type { CellSource } from "./cell-value.ts";
import type { ContentScan } from "./content-scan.ts";
import { readCoveredCells } from "./covered-cells.ts";
import type { RowPacker } from "./packed-rows.ts";
import { PlainCells } from "./plain-cells.ts";
import { RowWriter } from "./row-writer.ts";
import { RunStyles } from "./run-styles.ts";
import { type SheetListener, sheetSurroundings } from "./sheet-surroundings.ts";
import type { Workbook, Worksheet } from "./workbook.ts";
import { walkXmlPart } from "./xml-part.ts";
import type { Attributes, XmlChunk, XmlHandler } from "./xml-walker.ts";

/** Each iteration packs one chunk's rows. Faults: XLSX_MALFORMED, XLSX_REFUSED, FILE_TOO_LARGE. */
export async function* sheetRows(
  archive: Archive,
  workbook: Workbook,
  sheet: Worksheet,
  listener: SheetListener,
  packer: RowPacker,
): AsyncGenerator<void> {
  const rows = new RowWriter(workbook, sheet, archive.limits, packer);
  const surroundings = sheetSurroundings(workbook, sheet, rows, listener);
  const handler = sheetHandler(workbook, sheet, rows, surroundings, listener.scan);
  let bytes = 0;
  for await (const chunkBytes of walkXmlPart(archive, sheet.partName, handler)) {
    bytes += chunkBytes;
    if (bytes > EMPTY_BYTES_MAX + BYTES_PER_VALUE_MAX * rows.valueCount) {
      throw refused(
        `sheet ${sheet.name} is ${bytes >> 20} MiB long and holds hardly any value`,
        workbook.path,
      );
    }
    yield;
  }
  for (const ranges of await readCoveredCells(archive, sheet.partName))
    surroundings.found({ kind: "covered cells", ranges });
}

/** Whether an element `f` is a formula whose result fills several cells. */
function isFilling({ t, ref }: Attributes): boolean {
  return (t === "array" || t === "dataTable") && ref !== undefined;
}

const CELL_SOURCE_CHARACTERS_MAX = 1024 * 1024;

/**
 * Limit on markup without values, which takes as long to read as values do. Formatted empty columns stay far below it.
 */
const EMPTY_BYTES_MAX = 32 * 1024 * 1024;
const BYTES_PER_VALUE_MAX = 1024;

/** Required parents of a cell's elements (ECMA-376 part 1, 18.3.1); in extensions names mean anything. */
const PARENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["row", ["sheetData"]],
  ["c", ["row"]],
  ["v", ["c"]],
  ["f", ["c"]],
  ["is", ["c"]],
  ["r", ["is"]],
  ["rPh", ["is"]],
  ["t", ["is", "r", "rPh"]],
]);

function sheetHandler(
  workbook: Workbook,
  sheet: Worksheet,
  rows: RowWriter,
  surroundings: ReturnType<typeof sheetSurroundings>,
  scan: ContentScan,
): XmlHandler {
  let plainCells: PlainCells | undefined;
  let dataState: "before" | "inside" | "behind" = "before";
  let cellType = "n";
  let cellStyle = 0;
  let value: string | undefined;
  let inlineText: string | undefined;
  let formula: string | undefined;
  /** The element whose text is being collected. */
  let collecting: "v" | "f" | "t" | undefined;
  let collected = "";
  let isInPhoneticRun = false;
  const runStyles = new RunStyles(workbook.styles.theme);
  return { readPlain, open, text, close };

  /** Reads plain rows and cells ahead, within a row of `sheetData` and outside its cells. */
  function readPlain(chunk: XmlChunk, start: number, written: readonly string[]): number {
    const [, data, row = ""] = written;
    const prefix = row.slice(0, -"row".length);
    const isPrefix = prefix.indexOf(":") === prefix.length - 1;
    const isInRow =
      isPrefix && data === `${prefix}sheetData` && row === `${prefix}row` && written.length === 3;
    if (!isInRow || dataState !== "inside" || rows.hasArrays) return start;
    plainCells ??= new PlainCells(rows, prefix);
    return plainCells.read(chunk, start);
  }

  function open(name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]): void {
    if (dataState === "inside") {
      openInside(name, attributes, isForeign, path.at(-2));
      return;
    }
    surroundings.open(name, attributes, isForeign, path);
    if (name !== "sheetData" || isForeign) return;
    if (dataState === "behind" || path.length !== 2)
      throw rows.malformed("programs show different tables of rows for it");
    dataState = "inside";
  }

  function openInside(name: string, attributes: Attributes, isForeign: boolean, parent = ""): void {
    const isElsewhere = PARENTS.get(name)?.includes(parent) === false;
    if (isForeign || isElsewhere || collecting !== undefined)
      throw rows.malformed(`programs show different cells for its element ${name}`);
    switch (name) {
      case "c":
        openCell(attributes);
        return;
      case "v":
        if (value !== undefined) throw rows.malformed(`the cell ${rows.reference()} has two values`);
        collect(name);
        return;
      case "f":
        collect(name);
        if (isFilling(attributes)) rows.openArray(attributes["ref"] ?? "");
        return;
      case "t":
        if (!isInPhoneticRun) collect(name);
        return;
      case "is":
        if (inlineText !== undefined) throw rows.malformed(`the cell ${rows.reference()} has two texts`);
        inlineText = "";
        runStyles.start();
        return;
      case "rPh":
        isInPhoneticRun = true;
        return;
      case "row":
        rows.openRow(attributes);
        return;
      default:
        if (inlineText !== undefined) runStyles.open(name, attributes);
    }
  }

  function text(part: string, path: readonly string[]): void {
    if (collecting === undefined) {
      if (dataState === "inside") return;
      surroundings.text(part, path);
      return;
    }
    collected += part;
    if (collected.length + (inlineText?.length ?? 0) > CELL_SOURCE_CHARACTERS_MAX) {
      throw refused(`a cell of sheet ${sheet.name} has no end`, workbook.path);
    }
  }

  function close(name: string): void {
    if (dataState !== "inside") {
      surroundings.close(name);
      return;
    }
    switch (name) {
      case "sheetData":
        dataState = "behind";
        return;
      case "v":
        value = taken();
        return;
      case "f":
        formula = taken();
        scan.formula(formula, rows.reference());
        return;
      case "t":
        if (collecting === "t") addInlineText();
        return;
      case "rPh":
        isInPhoneticRun = false;
        return;
      case "c":
        closeCell();
        return;
      case "row":
        rows.closeRow();
        return;
    }
  }

  function addInlineText(): void {
    const part = taken();
    inlineText = (inlineText ?? "") + part;
    runStyles.text(part);
  }

  function openCell(attributes: Attributes): void {
    rows.openCell(attributes["r"]);
    cellType = attributes["t"] ?? "n";
    cellStyle = attributes["s"] === undefined ? 0 : Number(attributes["s"]);
    clearCell();
  }

  function closeCell(): void {
    const cell: CellSource = {
      type: cellType,
      styleIndex: cellStyle,
      value,
      inlineText,
      runStyles: inlineText === undefined ? 0 : runStyles.marks,
      formula: formula ?? (rows.isInArray ? "" : undefined),
    };
    // Content between two cells is not a second value of the first.
    clearCell();
    if (cell.value === undefined && cell.inlineText === undefined && cell.formula === undefined) return;
    if (cell.formula !== undefined && workbook.isCalculatedAnew) scan.value(cell.value ?? "");
    rows.add(cell);
  }

  function clearCell(): void {
    value = undefined;
    inlineText = undefined;
    formula = undefined;
  }

  function collect(element: "v" | "f" | "t"): void {
    collecting = element;
    collected = "";
  }

  function taken(): string {
    collecting = undefined;
    return collected;
  }
}
