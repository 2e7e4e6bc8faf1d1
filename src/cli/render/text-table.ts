/** Text tables without borders; columns sized by content, figures right-aligned. */
import Table from "cli-table3";
import { shown } from "./problem-text.ts";

/** A column's title; for a right-aligned column of figures, in an object. */
export type TextColumn = string | { readonly figures: string };

export function figures(title: string): TextColumn {
  return { figures: title };
}

export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: columns.map((column) => (typeof column === "string" ? column : column.figures)),
    colAligns: columns.map((column) => (typeof column === "string" ? "left" : "right")),
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
    chars: NO_BORDERS,
  });
  table.push(...rows.map((row) => row.map(shown)));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const PLACES_OF_BORDERS =
  "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle";
const NO_BORDERS = Object.fromEntries(PLACES_OF_BORDERS.split(" ").map((place) => [place, ""]));
