/** Rewrites one row of the sent sheet: adds the answer's cells, marks cells, empties dropped columns. */
import { columnLetters } from "../../../model/index.ts";
import type { AnswerLine } from "../answer-line.ts";
import { type AddedColumns, WIDTH_OF_A_SENTENCE } from "./added-columns.ts";
import type { CellStyles } from "./cell-styles.ts";
import { cellsOf, type SheetCell, type SheetRow } from "./sheet-rows.ts";
import { inlineCell } from "./summary-sheet.ts";
import { attributeOf, endOfTag, withAttribute } from "./xml-text.ts";

export interface RowPolicy {
  readonly prefix: string;
  readonly columns: AddedColumns;
  readonly headerLine: number;
  readonly dropped: ReadonlySet<number>;
  /** Whether the headers of dropped columns stay and only the cells below are emptied. */
  readonly keepsHeader: boolean;
  readonly styles: CellStyles;
}

export function rowEditor({ prefix, columns, headerLine, dropped, keepsHeader, styles }: RowPolicy) {
  /** Style of the sender's last header cell, used for ours too. */
  let headerStyle = 0;
  const textStyle = styles.text();
  const touchesAll = dropped.size > 0 || columns.isFormatted || styles.hasEarlierMarks();
  return { edited };

  function edited(row: SheetRow, answer: AnswerLine | undefined): string {
    if (row.line < headerLine || (answer === undefined && !touchesAll)) return row.xml;
    if (row.line === headerLine) headerStyle = styleOfLast(row);
    const isPlain = !touchesAll && answer?.remarks.size === 0 && !row.xml.includes("extLst");
    return withHeight(isPlain ? appended(row, answer) : rebuilt(row, answer), answer);
  }

  function addedCells({ line, added }: AnswerLine): string {
    const style = line === headerLine ? headerStyle : textStyle;
    const cell = (text: string, index: number) =>
      inlineCell(prefix, `${columnLetters(columns.first + index)}${line}`, style, text);
    return added.map(cell).join("");
  }

  function appended({ xml }: SheetRow, answer: AnswerLine): string {
    const close = xml.lastIndexOf(`</${prefix}row`);
    return xml.slice(0, close) + addedCells(answer) + xml.slice(close);
  }

  function rebuilt({ xml, line }: SheetRow, answer: AnswerLine | undefined): string {
    const { start, cells, end } = cellsOf(xml, prefix);
    const marks = new Map(answer?.remarks);
    const isOurs = (column: number) => column >= columns.first && column < columns.first + columns.count;
    const left = cells.filter(
      ({ column }) => !isDropped(line, column) && !(answer !== undefined && isOurs(column)),
    );
    const styled = left.map((cell): SheetCell => {
      const isMarked = marks.delete(cell.column);
      return { ...cell, xml: restyled(cell.xml, isMarked) };
    });
    const missing = [...marks.keys()].map((column): SheetCell => {
      const style = styles.marked(Number(attributeOf(start, "s") ?? 0));
      return { column, xml: `<${prefix}c r="${columnLetters(column)}${line}" s="${style}"/>` };
    });
    const ours = answer === undefined ? [] : [{ column: columns.first, xml: addedCells(answer) }];
    const all = [...styled, ...missing, ...ours].sort((cell, other) => cell.column - other.column);
    return start + all.map((cell) => cell.xml).join("") + end;
  }

  function isDropped(line: number, column: number): boolean {
    return dropped.has(column) && !(keepsHeader && line === headerLine);
  }

  function restyled(cell: string, isMarked: boolean): string {
    const style = Number(attributeOf(cell, "s") ?? 0);
    const unmarked = styles.unmarked(style);
    const wanted = isMarked ? styles.marked(unmarked) : unmarked;
    return wanted === style ? cell : withAttribute(cell, "s", String(wanted));
  }

  /** Not every program fits the height of a row to its text. A height set by the sender stays. */
  function withHeight(xml: string, answer: AnswerLine | undefined): string {
    const end = endOfTag(xml, 0);
    // `spans` hints at the row's first and last column, which have changed.
    const bare = withAttribute(xml.slice(0, end), "spans", undefined);
    const lines = Math.max(1, ...(answer?.added.map(linesOf) ?? []));
    const needed = lines * LINE_HEIGHT_POINTS;
    const isLowEnough = lines === 1 || needed <= Number(attributeOf(bare, "ht") ?? 0);
    const keepsHeight = isLowEnough || isTrue(attributeOf(bare, "customHeight"));
    return (keepsHeight ? bare : withAttribute(bare, "ht", String(needed))) + xml.slice(end);
  }

  function styleOfLast({ xml, line }: SheetRow): number {
    const { cells } = cellsOf(xml, prefix);
    const last = cells.findLast(({ column }) => column < columns.first && !isDropped(line, column));
    return styles.unmarked(Number(attributeOf(last?.xml ?? "<c>", "s") ?? 0));
  }
}

const LINE_HEIGHT_POINTS = 15;

/** Ids and hashes are left out: their columns are wide enough. */
function linesOf(text: string): number {
  if (!text.includes(" ")) return 1;
  return text
    .split("\n")
    .reduce((lines, { length }) => lines + Math.max(1, Math.ceil(length / WIDTH_OF_A_SENTENCE)), 0);
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === "1" || attribute === "true";
}
