/**
 * Streams the rows of one sheet from its XML: every row with a value, with its number and whether it is hidden. Also
 * reports the sheet's features. Knows nothing of headers or the meaning of values.
 */
import { type Archive, refused } from "./archive.ts";
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
  const handler = new SheetHandler(workbook, sheet, rows, surroundings, listener.scan);
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

class SheetHandler implements XmlHandler {
  private readonly workbook: Workbook;
  private readonly sheet: Worksheet;
  private readonly rows: RowWriter;
  private readonly surroundings: ReturnType<typeof sheetSurroundings>;
  private readonly scan: ContentScan;
  private plainCells: PlainCells | undefined;

  private dataState: "before" | "inside" | "behind" = "before";

  private cellType = "n";
  private cellStyle = 0;
  private value: string | undefined;
  private inlineText: string | undefined;
  private readonly runStyles: RunStyles;
  private formula: string | undefined;

  /** The element whose text is being collected. */
  private collecting: "v" | "f" | "t" | undefined;
  private collected = "";
  private isInPhoneticRun = false;

  constructor(
    workbook: Workbook,
    sheet: Worksheet,
    rows: RowWriter,
    surroundings: ReturnType<typeof sheetSurroundings>,
    scan: ContentScan,
  ) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.rows = rows;
    this.surroundings = surroundings;
    this.scan = scan;
    this.runStyles = new RunStyles(workbook.styles.theme);
  }

  /** Reads plain rows and cells ahead, within a row of `sheetData` and outside its cells. */
  readPlain(chunk: XmlChunk, start: number, written: readonly string[]): number {
    const [, data, row = ""] = written;
    const prefix = row.slice(0, -"row".length);
    const isPrefix = prefix.indexOf(":") === prefix.length - 1;
    const isInRow =
      isPrefix && data === `${prefix}sheetData` && row === `${prefix}row` && written.length === 3;
    if (!isInRow || this.dataState !== "inside" || this.rows.hasArrays) return start;
    this.plainCells ??= new PlainCells(this.rows, prefix);
    return this.plainCells.read(chunk, start);
  }

  open(name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]): void {
    if (this.dataState === "inside") {
      this.openInside(name, attributes, isForeign, path.at(-2));
      return;
    }
    this.surroundings.open(name, attributes, isForeign, path);
    if (name !== "sheetData" || isForeign) return;
    if (this.dataState === "behind" || path.length !== 2)
      throw this.rows.malformed("programs show different tables of rows for it");
    this.dataState = "inside";
  }

  private openInside(name: string, attributes: Attributes, isForeign: boolean, parent = ""): void {
    const isElsewhere = PARENTS.get(name)?.includes(parent) === false;
    if (isForeign || isElsewhere || this.collecting !== undefined)
      throw this.rows.malformed(`programs show different cells for its element ${name}`);
    switch (name) {
      case "c":
        this.openCell(attributes);
        return;
      case "v":
        if (this.value !== undefined)
          throw this.rows.malformed(`the cell ${this.rows.reference()} has two values`);
        this.collect(name);
        return;
      case "f":
        this.collect(name);
        if (isFilling(attributes)) this.rows.openArray(attributes["ref"] ?? "");
        return;
      case "t":
        if (!this.isInPhoneticRun) this.collect(name);
        return;
      case "is":
        if (this.inlineText !== undefined)
          throw this.rows.malformed(`the cell ${this.rows.reference()} has two texts`);
        this.inlineText = "";
        this.runStyles.start();
        return;
      case "rPh":
        this.isInPhoneticRun = true;
        return;
      case "row":
        this.rows.openRow(attributes);
        return;
      default:
        if (this.inlineText !== undefined) this.runStyles.open(name, attributes);
    }
  }

  text(text: string, path: readonly string[]): void {
    if (this.collecting === undefined) {
      if (this.dataState === "inside") return;
      this.surroundings.text(text, path);
      return;
    }
    this.collected += text;
    if (this.collected.length + (this.inlineText?.length ?? 0) > CELL_SOURCE_CHARACTERS_MAX) {
      throw refused(`a cell of sheet ${this.sheet.name} has no end`, this.workbook.path);
    }
  }

  close(name: string): void {
    if (this.dataState !== "inside") {
      this.surroundings.close(name);
      return;
    }
    switch (name) {
      case "sheetData":
        this.dataState = "behind";
        return;
      case "v":
        this.value = this.taken();
        return;
      case "f":
        this.formula = this.taken();
        this.scan.formula(this.formula, this.rows.reference());
        return;
      case "t":
        if (this.collecting === "t") this.addInlineText(this.taken());
        return;
      case "rPh":
        this.isInPhoneticRun = false;
        return;
      case "c":
        this.closeCell();
        return;
      case "row":
        this.rows.closeRow();
        return;
    }
  }

  private addInlineText(text: string): void {
    this.inlineText = (this.inlineText ?? "") + text;
    this.runStyles.text(text);
  }

  private openCell(attributes: Attributes): void {
    this.rows.openCell(attributes["r"]);
    this.cellType = attributes["t"] ?? "n";
    this.cellStyle = attributes["s"] === undefined ? 0 : Number(attributes["s"]);
    this.clearCell();
  }

  private closeCell(): void {
    const { value, inlineText } = this;
    const runStyles = inlineText === undefined ? 0 : this.runStyles.marks;
    const formula = this.formula ?? (this.rows.isInArray ? "" : undefined);
    // Content between two cells is not a second value of the first.
    this.clearCell();
    if (value === undefined && inlineText === undefined && formula === undefined) return;
    if (formula !== undefined && this.workbook.isCalculatedAnew) this.scan.value(value ?? "");
    this.rows.add({ type: this.cellType, styleIndex: this.cellStyle, value, inlineText, runStyles, formula });
  }

  private clearCell(): void {
    this.value = undefined;
    this.inlineText = undefined;
    this.formula = undefined;
  }

  private collect(element: "v" | "f" | "t"): void {
    this.collecting = element;
    this.collected = "";
  }

  private taken(): string {
    this.collecting = undefined;
    return this.collected;
  }
}
