/** Tables for people: no borders, columns by content; figures to the right. */
import Table from "cli-table3";
import { shown } from "./problem-text.ts";

export interface TextColumn {
  readonly title: string;
  readonly align?: "left" | "right";
}

export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: columns.map(({ title }) => title),
    colAligns: columns.map(({ align = "left" }) => align),
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

const NO_BORDERS = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "",
};
