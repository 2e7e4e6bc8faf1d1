/**
 * Streams the lines of one sheet from its XML, and collects the sheet's other facts: hidden columns, widths, merged
 * ranges. Does not know column names or the meaning of values.
 */
import { fault } from "../../faults/index.ts";
import { columnIndex, columnLetters, isOnLine, lineOf } from "../../model/cell-reference.ts";
import type { Cell, Line } from "../../model/grid.ts";
import { present } from "../../model/present.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { type FileLimits, LINES_ABOVE_MAX, tooMany } from "../file-limits.ts";
import { activeElement, activeFormula } from "./active-content.ts";
import { type Archive, malformed, refused } from "./archive.ts";
import { cellValue } from "./cell-value.ts";
import { TextRuns } from "./shared-texts.ts";
import type { Workbook, Worksheet } from "./workbook.ts";
import { type Attributes, isSet, isTrue, walkXmlPart, type XmlHandler } from "./xml-part.ts";

/** The facts of a sheet other than its lines; complete once all lines were read. */
export class SheetFrame {
  /** From 0. */
  readonly hiddenColumns = new Set<number>();
  /** In characters, by column from 0. */
  readonly columnWidths = new Map<number, number>();
  /** As written: "B3:C3". */
  readonly mergedRanges: string[] = [];
  /** The texts of page headers and footers. */
  readonly pageTexts: string[] = [];
  /** The ranges in which a conditional format may strike out cells, as written. */
  readonly struckRanges: string[] = [];
  /** The indexes of shared texts that its cells show. */
  readonly shownTexts = new Set<number>();
}

/**
 * Batches of lines that are not blank. Faults: XLSX_MALFORMED, XLSX_REFUSED, FILE_TOO_LARGE, WORKBOOK_IS_ACTIVE,
 * and VALUE_IS_SECRET for a private key outside the cells.
 */
export async function* sheetLines(
  archive: Archive,
  workbook: Workbook,
  sheet: Worksheet,
  frame: SheetFrame,
): AsyncGenerator<readonly Line[]> {
  const reader = new SheetReader(workbook, sheet, archive.limits, frame);
  let bytes = 0;
  for await (const chunkBytes of walkXmlPart(archive, sheet.partName, reader)) {
    bytes += chunkBytes;
    if (bytes > EMPTY_BYTES_MAX + BYTES_PER_VALUE_MAX * reader.valueCount)
      throw refused(
        `sheet ${sheet.name} is ${bytes >> 20} MiB long and holds hardly any value`,
        workbook.path,
      );
    if (reader.lines.length > 0) yield reader.lines.splice(0);
  }
}

/**
 * Limit on markup without values, which takes as long to read as values do. Formatted empty columns stay far below
 * it.
 */
const EMPTY_BYTES_MAX = 32 * 1024 * 1024;
const BYTES_PER_VALUE_MAX = 1024;
const CHARACTERS_PER_VALUE = 1024;

/** ECMA-376 sets no limits; every spreadsheet program keeps to these two. */
const SHEET_COLUMNS_MAX = 16_384;
const SHEET_ROWS_MAX = 1_048_576;

/** Real sheets have some thousands at most. */
const MERGED_RANGES_MAX = 10_000;

/** More than a person reads. */
const STRUCK_RANGES_MAX = 100;

/** Elements around the cells whose texts are formulas: in rules, validations and extensions. */
const FORMULA_AROUND = /^(?:f|formula[12]?)$/;
const PAGE_TEXT = /^(?:odd|even|first)(?:Header|Footer)$/;

const CELL_SOURCE_CHARACTERS_MAX = 1024 * 1024;

/**
 * Required parents of a cell's elements (ECMA-376 part 1, 18.3.1), because in extensions the names may mean
 * anything.
 */
const PARENTS: ReadonlyMap<string, string> = new Map([
  ["row", "sheetData"],
  ["c", "row"],
  ["v", "c"],
  ["f", "c"],
  ["is", "c"],
  ["r", "is"],
]);
const TEXT_PARENTS: ReadonlySet<string> = new Set(["is", "r", "rPh"]);

class SheetReader implements XmlHandler {
  readonly lines: Line[] = [];
  /** Number of values; a long text counts as several. */
  valueCount = 0;
  private readonly workbook: Workbook;
  private readonly sheet: Worksheet;
  private readonly limits: FileLimits;
  private readonly frame: SheetFrame;
  private lineCount = 0;
  private columnElements = 0;
  private place: "before" | "inside" | "behind" = "before";
  private line = 0;
  /** The line as written in references; undefined until a row without a number has shown a cell. */
  private lineText: string | undefined;
  private isHidden = false;
  private isHiddenByDefault = false;
  private cells: Cell[] = [];
  private column = -1;
  private type = "n";
  private style = 0;
  private value: string | undefined;
  private formula: string | undefined;
  private hasInline = false;
  /** The range of the conditional format that is being read. */
  private ruleRange = "";
  private readonly inline = new TextRuns();
  /** The element whose text is being collected. */
  private collecting: "v" | "f" | "t" | "around" | undefined;
  private collected = "";
  /** Characters in the texts of one cell. */
  private cellCharacters = 0;

  constructor(workbook: Workbook, sheet: Worksheet, limits: FileLimits, frame: SheetFrame) {
    this.workbook = workbook;
    this.sheet = sheet;
    this.limits = limits;
    this.frame = frame;
  }

  open(name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]): void {
    if (this.place === "inside") this.openInside(name, attributes, isForeign, path.at(-2) ?? "");
    else {
      this.checkAround(name, attributes);
      if (!isForeign) this.openAround(name, attributes, path.length);
    }
  }

  text(part: string): void {
    if (this.collecting === undefined) return;
    if (this.collecting === "t") this.inline.text(part);
    this.collected += part;
    this.cellCharacters += part.length;
    if (this.cellCharacters > CELL_SOURCE_CHARACTERS_MAX) throw this.refused("has a cell without an end");
  }

  close(name: string): void {
    if (this.place !== "inside") {
      if (this.collecting === "around") this.closeAround(name);
      return;
    }
    if (name === "sheetData") this.place = "behind";
    else if (name === "row") this.closeRow();
    else if (name === "c") this.closeCell();
    else if (name === "v") this.value = this.taken();
    else if (name === "f") this.formula = this.taken();
    else this.inline.close(name);
    if (name === "t") this.taken();
  }

  private openAround(name: string, attributes: Attributes, depth: number): void {
    if (name === "sheetData") {
      if (this.place === "behind" || depth !== 2)
        throw this.malformed("programs show different tables of rows for it");
      this.place = "inside";
      this.collecting = undefined;
    } else if (name === "conditionalFormatting") this.ruleRange = attributes["sqref"] ?? "";
    else if (name === "cfRule") this.addRule(attributes);
    else if (name === "sheetFormatPr") this.hideByDefault(attributes);
    else if (name === "col") this.addColumns(attributes);
    else if (name === "mergeCell") {
      if (this.frame.mergedRanges.length >= MERGED_RANGES_MAX)
        throw this.refused(`has more than ${MERGED_RANGES_MAX} merged ranges`);
      this.frame.mergedRanges.push(attributes["ref"] ?? "");
    }
  }

  /** Links, rules and page texts may hold keys and formulas too, in any namespace. */
  private checkAround(name: string, attributes: Attributes): void {
    this.cellCharacters = 0;
    this.collect("around");
    this.refuseActive(activeElement(name, attributes), "");
    // Rules that refer to other sheets stand in an extension, each with its style.
    if (name === "strike" && isSet(attributes)) this.addStruck("some cells");
    for (const value of Object.values(attributes)) this.refuseSecret(value);
  }

  private closeAround(name: string): void {
    const text = this.taken();
    if (FORMULA_AROUND.test(name)) this.refuseActive(activeFormula(text), " in a rule");
    if (PAGE_TEXT.test(name)) this.frame.pageTexts.push(text);
    this.refuseSecret(text);
  }

  private refuseSecret(text: string): void {
    if (holdsPrivateKey(text))
      throw fault("VALUE_IS_SECRET", { field: "the sheet, outside its cells" }, { file: this.workbook.path });
  }

  private refuseActive(what: string | undefined, place: string, cell?: string): void {
    if (what === undefined) return;
    const where = { file: this.workbook.path, sheet: this.sheet.name, ...present({ cell }) };
    throw fault("WORKBOOK_IS_ACTIVE", { what: `${what}${place}` }, where);
  }

  /**
   * Hides rows and columns that give no size of their own; `zeroHeight` hides only rows that the sheet does not
   * list.
   */
  private hideByDefault({ customHeight, defaultRowHeight, defaultColWidth }: Attributes): void {
    this.isHiddenByDefault = isTrue(customHeight) && isBelow(defaultRowHeight, ROW_HEIGHT_MIN);
    if (!isBelow(defaultColWidth, COLUMN_WIDTH_MIN)) return;
    for (let column = 0; column < this.limits.columnsMax; column += 1) this.frame.hiddenColumns.add(column);
  }

  private addRule({ dxfId = "" }: Attributes): void {
    if (dxfId !== "" && this.workbook.styles.strikingRules.has(Number(dxfId))) this.addStruck(this.ruleRange);
  }

  private addStruck(range: string): void {
    const { struckRanges } = this.frame;
    if (struckRanges.length < STRUCK_RANGES_MAX) struckRanges.push(range);
  }

  private openInside(name: string, attributes: Attributes, isForeign: boolean, parent: string): void {
    const needed = PARENTS.get(name);
    const isElsewhere = name === "t" ? !TEXT_PARENTS.has(parent) : needed !== undefined && needed !== parent;
    if (isForeign || isElsewhere || this.collecting !== undefined)
      throw this.malformed(`programs show different cells for its element ${name}`);
    if (name === "row") this.openRow(attributes);
    else if (name === "c") this.openCell(attributes);
    else if (name === "v" || name === "f") {
      if (name === "v" && this.value !== undefined)
        throw this.malformed(`the cell ${this.reference()} has two values`);
      this.collect(name);
    } else if (name === "is") {
      if (this.hasInline) throw this.malformed(`the cell ${this.reference()} has two texts`);
      this.hasInline = true;
      this.inline.start();
    } else if (this.hasInline) {
      this.inline.open(name, attributes);
      if (name === "t") this.collect(name);
    }
  }

  private addColumns({ min, max, width, hidden }: Attributes): void {
    this.columnElements += 1;
    if (this.columnElements > SHEET_COLUMNS_MAX)
      throw this.malformed(`it describes more than ${SHEET_COLUMNS_MAX} columns`);
    const first = Number(min ?? 1) - 1;
    const last = Math.min(Number(max ?? min ?? 1) - 1, this.limits.columnsMax);
    const isHidden = isTrue(hidden) || isBelow(width, COLUMN_WIDTH_MIN);
    for (let column = first; column <= last; column += 1) {
      if (isHidden) this.frame.hiddenColumns.add(column);
      else if (width !== undefined) {
        this.frame.hiddenColumns.delete(column);
        this.frame.columnWidths.set(column, Number(width));
      }
    }
  }

  private openRow(attributes: Attributes): void {
    const { r, ht, hidden } = attributes;
    const line = r === undefined ? this.line + 1 : Number(r);
    if (!Number.isInteger(line) || line <= this.line || line > SHEET_ROWS_MAX)
      throw this.malformed(`row ${r ?? line} comes after row ${this.line}`);
    this.line = line;
    this.lineText = r === undefined ? undefined : String(line);
    const isLow = ht === undefined ? this.isHiddenByDefault : isBelow(ht, ROW_HEIGHT_MIN);
    this.isHidden = isTrue(hidden) || isLow;
    this.cells = [];
    this.column = -1;
  }

  private closeRow(): void {
    if (this.cells.length === 0) return;
    this.lineCount += 1;
    const { line, cells, isHidden } = this;
    if (this.lineCount > this.limits.rowsMax + LINES_ABOVE_MAX)
      throw this.tooMany("rows", this.limits.rowsMax);
    this.lines.push(isHidden ? { line, cells, isHidden } : { line, cells });
  }

  private openCell({ r, t = "n", s }: Attributes): void {
    const column = r === undefined ? this.column + 1 : columnIndex(r);
    if (column === undefined || column <= this.column || column >= SHEET_COLUMNS_MAX)
      throw this.malformed(`the cell ${r ?? column} in row ${this.line} is out of order`);
    if (r !== undefined) this.checkLine(r);
    this.column = column;
    this.type = t;
    this.style = s === undefined ? 0 : Number(s);
    this.forgetCell();
  }

  private closeCell(): void {
    const { type, style: styleIndex, value, formula, hasInline } = this;
    const inline = hasInline ? this.inline.whole() : undefined;
    // Content between two cells is not a second value of the first.
    this.forgetCell();
    if (value === undefined && inline === undefined && formula === undefined) return;
    const isFormula = formula !== undefined;
    const cell = cellValue({ type, styleIndex, value, inline, isFormula }, this.workbook, () =>
      this.reference(),
    );
    if (formula !== undefined && formula !== "") {
      const reference = this.reference();
      this.refuseActive(activeFormula(formula), ` in the cell ${reference}`, reference);
    }
    if (type === "s" && value !== undefined) this.frame.shownTexts.add(Number(value));
    if (cell === "") return;
    if (this.column >= this.limits.columnsMax) throw this.tooMany("columns", this.limits.columnsMax);
    while (this.cells.length < this.column) this.cells.push("");
    this.cells.push(cell);
    this.valueCount += 1 + (typeof cell === "string" ? cell.length / CHARACTERS_PER_VALUE : 0);
  }

  private forgetCell(): void {
    this.value = undefined;
    this.formula = undefined;
    this.hasInline = false;
    this.cellCharacters = 0;
  }

  /** A row without a number is on the line of its first cell. */
  private checkLine(reference: string): void {
    if (this.lineText === undefined && this.column < 0) {
      const line = lineOf(reference);
      if (line > this.line && line <= SHEET_ROWS_MAX) this.line = line;
    }
    this.lineText ??= String(this.line);
    if (!isOnLine(reference, this.lineText))
      throw this.malformed(`the cell ${reference} is in row ${this.line}`);
  }

  private collect(element: NonNullable<typeof this.collecting>): void {
    this.collecting = element;
    this.collected = "";
  }

  private taken(): string {
    this.collecting = undefined;
    return this.collected;
  }

  private reference(): string {
    return `${columnLetters(this.column)}${this.line}`;
  }

  private refused(reason: string): Error {
    return refused(`sheet ${this.sheet.name} ${reason}`, this.workbook.path);
  }

  private tooMany(unit: string, limit: number): Error {
    const { sheet, line } = this;
    return tooMany(unit, limit, { file: this.workbook.path, sheet: sheet.name, line });
  }

  private malformed(reason: string): Error {
    return malformed(`sheet ${this.sheet.name}: ${reason}`, this.workbook.path);
  }
}

function isBelow(size: string | undefined, least: number): boolean {
  return size !== undefined && Number(size) < least;
}

/** In points (ECMA-376 part 1, 18.3.1.73): a lower row shows letters only as a line. */
const ROW_HEIGHT_MIN = 3;
/** In characters: a narrower column shows no letter. */
const COLUMN_WIDTH_MIN = 0.5;
