/**
 * Text tables without borders: columns as wide as their content on a terminal, and left out where every cell is
 * empty. Decimal points are aligned, so that an amount ten times another one stands out.
 */
import stringWidth from "string-width";
import { shown } from "./problem-text.ts";

/** A column's title; for a column of figures, in an object. */
type TextColumn = string | { readonly figures: string };

export function figures(title: string): TextColumn {
  return { figures: title };
}

export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const printed = columns.flatMap((column, index) => {
    const cells = rows.map((row) => shown(row[index] ?? ""));
    return rows.length > 0 && cells.every((cell) => cell === "") ? [] : [columnTexts(column, cells)];
  });
  return [-1, ...rows.keys()]
    .map((row) =>
      printed
        .map((texts) => texts[row + 1] ?? "")
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

const GAP = "  ";

/** The title and the cells, all of one width. */
function columnTexts(column: TextColumn, cells: readonly string[]): string[] {
  const isText = typeof column === "string";
  const texts = isText ? [column, ...cells] : [column.figures, ...pointsAligned(cells)];
  const widths = texts.map((text) => stringWidth(text));
  const width = widths.reduce((widest, each) => Math.max(widest, each), 0);
  return texts.map((text, index) => {
    const padding = " ".repeat(width - (widths[index] ?? 0));
    return isText ? text + padding : padding + text;
  });
}

/** "0.2        BTC" below "0.00000546 BTC" */
function pointsAligned(cells: readonly string[]): string[] {
  const parts = cells.map((cell) => FIGURE.exec(cell));
  const longest = parts.reduce((most, part) => Math.max(most, (part?.[2] ?? "").length), 0);
  return cells.map((cell, index) => {
    const [, whole = "", fraction = "", unit = ""] = parts[index] ?? [];
    return parts[index] === null ? cell : `${whole}${fraction.padEnd(longest)}${unit}`;
  });
}

/** Its whole part, its decimals with their point, and what follows. */
const FIGURE = /^(-?\d+)(\.\d+)?((?: .*)?)$/;
