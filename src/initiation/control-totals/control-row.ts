/** Decides which rows of a table may be lines of control totals. control-line.ts reads what they declare. */
import { type ColumnName, columnNames, payoutColumns } from "../../model/columns.ts";
import { isAnswerColumn, type Row } from "../../model/index.ts";
import type { Cell } from "../../model/row.ts";
import type { Header } from "../header.ts";
import { type ControlCell, isRowCount } from "./control-figure.ts";
import type { ControlLabel } from "./control-label.ts";

/** Called for every row of a file, so it examines as few cells as possible. */
export interface ControlRows {
  /** The reference of a row that could be paid, because it also has an amount and a destination. */
  payableReference(row: Row): string | undefined;
  /** The cells of a row that cannot be a payout: it has no destination, and no reference but a label or a formula. */
  cellsOf(row: Row): ControlCell[] | undefined;
}

/** Returns the check for the rows of one table, whose header has been read. */
export function controlRows(
  { positions, texts }: Header,
  labelOf: (text: string) => ControlLabel | undefined,
): ControlRows {
  const at = (name: ColumnName) => positions.get(name) ?? -1;
  const [reference, amount] = [at("reference"), at("amount")];
  const destinations = [at("destinationAddress"), at("destinationAccountId")];
  const held = new Map(columnNames.map((name) => [positions.get(name), HELD.get(name)]));
  // An earlier answer's columns, and those without a name, which hold the numbers of the rows at most.
  const isBeside = texts.map((text) => text === "" || isAnswerColumn(text));
  const announcesTotal = (text: string) => ["sum", "count"].includes(labelOf(text)?.names ?? "");
  const isDestination = (text = "") => text !== "" && !isRowCount(text) && labelOf(text) === undefined;
  return {
    payableReference: ({ cells }) => {
      const named = cells[reference]?.text ?? "";
      if (named === "" || (cells[amount]?.text ?? "") === "") return undefined;
      return destinations.some((position) => isDestination(cells[position]?.text)) ? named : undefined;
    },
    cellsOf: ({ cells, problems, isShort }) => {
      if (problems.length > (isShort === true ? 1 : 0)) return undefined;
      if (destinations.some((position) => isDestination(cells[position]?.text))) return undefined;
      const first = cells.findIndex(({ kind }, position) => kind !== "empty" && isBeside[position] !== true);
      const named = cells[reference];
      const isText = named?.kind === "text" && named.text !== "";
      if (isText && first !== reference && !announcesTotal(named.text)) return undefined;
      return cells.flatMap((cell, position) =>
        isBeside[position] === true ? [] : [{ cell, position, holds: held.get(position) ?? "neither" }],
      );
    },
  };
}

/** What a bare number in a line of totals can be, by column. In other columns it is not a total of payouts. */
const HELD: ReadonlyMap<ColumnName, "sum" | "count" | "neither"> = new Map(
  payoutColumns.map((column) => {
    if (column.name === "amount") return [column.name, "sum"];
    return [column.name, "keptAs" in column || "choices" in column ? "neither" : "count"];
  }),
);

/**
 * The line that accounting programs print below a report, a day and a time in one text and nothing else: `Monday, Nov
 * 23, 2026 10:15:32 AM GMT+1`.
 */
export function isPrintTimestamp(cells: readonly Cell[]): boolean {
  const [only, ...others] = cells.filter(({ kind }) => kind !== "empty");
  return only?.kind === "text" && others.length === 0 && MOMENT.test(only.text.trim());
}

const DAY_OF_WEEK = "(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,? )?";
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\\.?";
const DAY = `(?:${MONTH} \\d{1,2},? \\d{4}|\\d{1,2} ${MONTH} \\d{4}|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}([./-])\\d{1,2}\\1\\d{4})`;
const TIME = "\\d{1,2}:\\d\\d(?::\\d\\d)?(?: ?[ap]\\.?m\\.?)?";
const ZONE = "(?: ?(?:gmt|utc|z)? ?(?:[+-]\\d{1,2}(?::?\\d\\d)?)?)";

/** QuickBooks adds how the report counts. */
const MOMENT = new RegExp(
  `^${DAY_OF_WEEK}${DAY},?[ t](?:at )?${TIME}${ZONE}(?: - (?:accrual|cash) basis)?$`,
  "i",
);
