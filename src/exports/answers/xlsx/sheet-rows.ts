/** Splits a sheet's XML into what precedes its rows, the single rows, and what follows them. */
import { columnIndex } from "../../../model/index.ts";
import { attributeOf, endOfElement, endOfSpecial, endOfTag, indexOfElement, prefixOf } from "./xml-text.ts";

export interface SheetHead {
  readonly kind: "head";
  /** Up to and including the opening tag of the rows. */
  readonly xml: string;
  /** Namespace prefix of the sheet's elements, with its colon. */
  readonly prefix: string;
}

export interface SheetRow {
  readonly kind: "row";
  /** From 1. */
  readonly line: number;
  readonly xml: string;
}

export interface SheetTail {
  readonly kind: "tail";
  /** From the closing tag of the rows on. */
  readonly xml: string;
}

export async function* sheetPieces(
  chunks: AsyncIterable<string>,
): AsyncGenerator<readonly (SheetHead | SheetRow | SheetTail)[]> {
  const cutter = new SheetCutter();
  for await (const chunk of chunks) yield cutter.cut(chunk);
  yield [{ kind: "tail", xml: cutter.takeRest() }];
}

class SheetCutter {
  private rest = "";
  /** Chunks of an unfinished row, or after the rows. Searching all again per chunk would take quadratic time. */
  private waiting: string[] = [];
  /** What the closing tag of the unfinished row in `rest` begins with; undefined if no row is open. */
  private closing: string | undefined;
  /** The end of the text read last, in case it contains the beginning of that tag. */
  private seam = "";
  private prefix: string | undefined;
  private isBehindRows = false;
  private line = 0;

  cut(chunk: string): readonly (SheetHead | SheetRow)[] {
    this.waiting.push(chunk);
    if (this.isBehindRows || !this.mayEndRow(chunk)) return [];
    this.rest = this.takeRest();
    const head = this.prefix === undefined ? this.head() : undefined;
    if (this.prefix === undefined) return [];
    return [...(head === undefined ? [] : [head]), ...this.rows(this.prefix)];
  }

  /** Takes the text that is not part of a row. */
  takeRest(): string {
    const rest = this.rest + this.waiting.join("");
    this.waiting = [];
    return rest;
  }

  private mayEndRow(chunk: string): boolean {
    if (this.closing === undefined) return true;
    const text = this.seam + chunk;
    this.seam = text.slice(-this.closing.length);
    return text.includes(this.closing);
  }

  private head(): SheetHead | undefined {
    const prefix = prefixOf(this.rest, "worksheet");
    const start = indexOfElement(this.rest, `${prefix}sheetData`);
    const end = start < 0 ? -1 : endOfTag(this.rest, start);
    if (end < 0) return undefined;
    const xml = this.rest.slice(0, end);
    this.rest = this.rest.slice(end);
    this.prefix = prefix;
    return { kind: "head", xml, prefix };
  }

  private rows(prefix: string): SheetRow[] {
    const rows: SheetRow[] = [];
    const name = `${prefix}row`;
    let from = 0;
    for (;;) {
      const start = this.rest.indexOf("<", from);
      if (start < 0 || start + name.length + 2 > this.rest.length) break;
      if (/[!?]/.test(this.rest.charAt(start + 1))) {
        const end = endOfSpecial(this.rest, start);
        if (end < 0) break;
        from = end;
        continue;
      }
      if (!this.rest.startsWith(`<${name}`, start)) {
        this.isBehindRows = true;
        from = start;
        break;
      }
      const end = endOfElement(this.rest, start, name);
      this.closing = end < 0 && endOfTag(this.rest, start) > 0 ? `</${name}` : undefined;
      if (end <= 0) break;
      const xml = this.rest.slice(start, end);
      this.line = Number(attributeOf(xml, "r") ?? this.line + 1);
      rows.push({ kind: "row", line: this.line, xml });
      from = end;
    }
    this.rest = this.rest.slice(from);
    if (this.closing !== undefined) this.seam = this.rest.slice(-this.closing.length);
    return rows;
  }
}

export interface SheetCell {
  /** From 0. */
  readonly column: number;
  readonly xml: string;
}

/** The cells of a row in order, and the text around them. */
export function cellsOf(
  row: string,
  prefix: string,
): { readonly start: string; readonly cells: readonly SheetCell[]; readonly end: string } {
  const name = `${prefix}c`;
  const opened = endOfTag(row, 0);
  if (row.charAt(opened - 2) === "/") {
    return { start: `${row.slice(0, opened - 2)}>`, cells: [], end: `</${prefix}row>` };
  }
  const cells: SheetCell[] = [];
  let end = opened;
  let column = -1;
  for (let start = indexOfElement(row, name, opened); start >= 0; start = indexOfElement(row, name, end)) {
    end = endOfElement(row, start, name);
    const xml = row.slice(start, end);
    column = columnIndex(attributeOf(xml, "r") ?? "") ?? column + 1;
    cells.push({ column, xml });
  }
  return { start: row.slice(0, opened), cells, end: row.slice(end) };
}

export function hasContent({ xml }: SheetCell): boolean {
  return /<(?:[\w.-]+:)?(?:v|is|f)[\s/>]/.test(xml);
}
