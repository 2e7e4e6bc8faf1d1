/** Questions about columns: those found by their cells, those that are not read, and the values of the latter. */

import type { ColumnName } from "../../../model/columns.ts";
import { textOf } from "../../../model/grid.ts";
import { cellAt } from "../../../model/lines.ts";
import { answeredIds, columnTitle, type Question } from "../../../model/sheet-reading.ts";
import { shownText, shownWhole } from "../../../model/shown-text.ts";
import { wordOf } from "../../../model/words.ts";
import type { CheckedRow } from "../check-row.ts";
import { otherNamed } from "./lines.ts";
import {
  type Asked,
  EXAMPLES,
  examplesOf,
  idOf,
  question,
  referencesOf,
  type UnreadCells,
} from "./question.ts";
import { comparedValue, valueId } from "./unread.ts";

/** One question about all columns, so that one yes accepts the layout. */
export function joined(parts: readonly Question[]): Question[] {
  const [only, another] = parts;
  if (only === undefined || another === undefined) return [...parts];
  const ids = parts.flatMap(answeredIds);
  return [
    { id: idOf(["columns", ...ids]), text: parts.map(({ text }) => text).join("; "), lines: [], parts: ids },
  ];
}

/** The meaning that was given to a column found by its cells. */
const TAKEN_FOR: Partial<Record<ColumnName, string>> = {
  amount: "the amount that is paid",
  destinationAddress: "the address that is paid",
  currency: "the currency",
  accountId: "the account paid from",
  reference: "the reference",
};

/** Columns that were found by their cells. One without a heading is asked about in every file. */
export function byContent({ columns, rows }: Asked): Question[] {
  const found = columns.read.filter(({ name, foundBy }) => foundBy === "content" && name in TAKEN_FOR);
  return found
    .toSorted((a, b) => Number(a.name === "reference") - Number(b.name === "reference"))
    .map((column) => {
      const { name, heading, position, evidence = "" } = column;
      const texts = rows.map(({ sent }) => textOf(cellAt(sent, position)).trim());
      const values = examplesOf(texts.filter((text) => text !== "")).map(shownText);
      const taken =
        `\`${columnTitle(column)}\` was read as ${TAKEN_FOR[name] ?? name}: ` +
        `${values.join(", ")} (${evidence})`;
      const unnamed = heading === "" ? referencesOf(rows) : [];
      const text = name === "reference" ? taken : `${taken}; its name does not say so`;
      return question([name === "reference" ? name : `as ${name}`, wordOf(heading), ...unnamed], text, []);
    });
}

/** Asked once a layout, if no column holds references. */
export function ofOwnReferences({ columns, rows }: Asked): Question[] {
  if (!columns.givesReferences || columns.positions.has("reference")) return [];
  const examples = rows.slice(0, EXAMPLES).flatMap(({ reference }) => reference ?? []);
  const text = `no column holds references: each payment gets one of Paydrop's own (${examples.join(", ")})`;
  return [question(["own references"], text, [])];
}

/**
 * Asks about a column of texts or numbers as a whole. Once it differs from the amount or the address that it has
 * repeated, it is asked about again.
 */
export function ofTexts(column: UnreadCells, rows: readonly CheckedRow[]): Question[] {
  const { kind, heading, values, same, hasMore = false } = column;
  if (kind !== "text") return [];
  const examples = values.map(({ value }) => `"${value}"`).join(", ");
  const text = `column "${columnTitle(column)}" was not read: ${examples}${hasMore ? " and others" : ""}`;
  const named = otherNamed(heading, rows);
  const asked = ["column", wordOf(heading)];
  const repeating = idOf([...asked, "repeats"]);
  const told = [text, named, same && saidOf(same)].filter((part) => part !== undefined).join("; ");
  if (same?.others.length === 0) return [{ ...question(asked, told, []), id: repeating }];
  const about = question(asked, told, same?.others ?? []);
  return [{ ...about, parts: [about.id, repeating] }];
}

function saidOf({ name, others: [line, another] }: NonNullable<UnreadCells["same"]>): string {
  const what = name === "amount" ? "the amount that is paid" : "the address that is paid";
  if (line === undefined) return `it repeats ${what}`;
  return `it is ${what}, but not in line ${line}${another === undefined ? "" : " and others"}`;
}

/**
 * Asks once a layout about a column that only some rows leave empty, such as "Approved by", or all, where it is
 * called the amount or the address: "Amount to pay".
 */
export function ofEmpty({ kind, heading, position, empty = [] }: UnreadCells): Question[] {
  const [line, another] = empty;
  if (line === undefined || kind === "rare" || kind === "counter") return [];
  const where = another === undefined ? `line ${line}` : `${empty.length} rows`;
  const text = `column "${columnTitle({ heading, position })}" is empty in ${where}`;
  return [question(["empty", wordOf(heading)], text, empty)];
}

/** Asks about each value of a column that has few values, or rare ones. */
export function ofValues(column: UnreadCells, rows: readonly CheckedRow[]): Question[] {
  const { kind, values, texts, position } = column;
  if (kind !== "few" && kind !== "rare") return [];
  const title = columnTitle(column);
  const asked = (id: string, value: string, where: string, lines: readonly number[]) => ({
    id,
    text: `column "${title}" says "${value}"${where}${column.why ?? ""}`,
    value: `${title}=${value}`,
    lines,
  });
  if (kind === "few")
    return values.map(({ value, count, lines }, index) => {
      const where = count === 1 ? " in 1 row" : ` in ${count} rows`;
      return asked(valueId(column, texts[index] ?? "", undefined), value, where, lines);
    });
  return rows.flatMap(({ sent, line, reference }) => {
    const text = comparedValue(cellAt(sent, position));
    return text === "" ? [] : [asked(valueId(column, text, reference), shownWhole(text), "", [line])];
  });
}
