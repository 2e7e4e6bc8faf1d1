/**
 * Parses one line that declares control totals: its labels, each with a sum, a row count and a currency.
 * control-figure.ts decides which number is which, control-comparison.ts whether it is right, control-row.ts which rows
 * may be such lines.
 */
import { problem } from "../../faults/index.ts";
import { resultOf } from "../../model/index.ts";
import { cellHoldsKey } from "../../model/private-key.ts";
import {
  type ControlCell,
  type ControlLine,
  type ControlLineReading,
  isFigure,
  readFigures,
  refusedLine,
  TEXT_LENGTH_MAX,
} from "./control-figure.ts";
import type { ControlLabel } from "./control-label.ts";

/**
 * The figures of a line; undefined for a line that declares none: a title, a payout. A label may be on either side of
 * its figure; each further "Total" or "Rows" in the line starts a new one. A label alone yields a line without figures.
 */
export function readControlLine(
  cells: readonly ControlCell[],
  reading: ControlLineReading,
): ControlLine | undefined {
  const filled = filledCells(cells);
  const labels = filled.flatMap((cell, index) => labelAt(cell, index, reading));
  const [first] = labels;
  if (first === undefined || filled.slice(0, first.index).some((cell) => isWords(cell, reading)))
    return undefined;
  if (first.label.names === "unclear" && first.index > 0) return undefined;
  if (filled.some(({ cell }) => cellHoldsKey(cell))) return SECRET_LINE;
  if (filled.some(isEndless))
    return refusedLine(first.text, `a cell beside it has more than ${TEXT_LENGTH_MAX} characters`);
  if (first.label.names === "statistic") return { figures: [], problems: [], isStatistic: true };
  const starts = [first, ...labels.slice(1).filter(({ label }) => isClear(label))];
  const lines = starts.map((start, order) => {
    const [from, to] = [order === 0 ? 0 : start.index, starts[order + 1]?.index];
    const beside = filled.slice(from, to).filter((cell) => cell !== filled[start.index]);
    return readLabelled(start, beside, reading);
  });
  const read = lines.filter((line) => line !== undefined);
  if (read.length === 0) return undefined;
  return {
    figures: read.flatMap(({ figures }) => figures),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/**
 * Parses a line without a label: a formula below the amounts is a sum; below another line of control totals, so is a
 * number with its currency. Undefined for any other line.
 */
export function readUnlabelledLine(
  cells: readonly ControlCell[],
  reading: ControlLineReading,
  isContinued: boolean,
): ControlLine | undefined {
  const filled = cells.filter(({ cell }) => cell.kind !== "empty" && resultOf(cell).text.trim() !== "");
  const isCurrency = ({ cell }: ControlCell) =>
    cell.kind === "text" && reading.isCurrency(cell.text.trim().toUpperCase());
  const figures = filled.filter((cell) => !isCurrency(cell));
  const hasSum = figures.some(({ holds }) => holds === "sum" || holds === undefined);
  const isCalculated = figures.every(({ cell, holds }) => holds === "neither" || isCalculation(cell));
  const isNext =
    isContinued && figures.length === 1 && figures.length < filled.length && figures.every(isNumeric);
  if (!hasSum || !(isNext || isCalculated)) return undefined;
  if (filled.some(({ cell }) => cellHoldsKey(cell))) return SECRET_LINE;
  return readFigures({ names: "sum" }, UNLABELLED, filledCells(filled), reading);

  function isNumeric(cell: ControlCell): boolean {
    return cell.cell.kind !== "error" && isFigure({ ...withResult(cell), holds: "count" }, reading);
  }
}

const UNLABELLED = "(without a label)";

/** Formulas filled down below the last payout evaluate to nothing and are not sums. */
function isCalculation(cell: ControlCell["cell"]): boolean {
  return cell.kind === "formula" && cell.value.kind === "number" && !/^[-+0.]*$/.test(cell.value.text);
}

const SECRET_LINE: ControlLine = {
  figures: [],
  problems: [{ what: problem("VALUE_IS_SECRET", { field: "the control total" }) }],
};

interface PlacedLabel {
  readonly index: number;
  readonly label: ControlLabel;
  /** The text after the label in its cell: "0.15" of "Total: 0.15". */
  readonly inline: string;
  readonly text: string;
}

function labelAt(
  { cell: { kind, text } }: ControlCell,
  index: number,
  reading: ControlLineReading,
): PlacedLabel[] {
  if (kind !== "text" || text.length > TEXT_LENGTH_MAX) return [];
  const [words, inline] = splitLabel(text, reading);
  const label = reading.labelOf(words);
  return label === undefined ? [] : [{ index, label, inline, text }];
}

/** A label before a colon, or a known label before a number: "Total BTC: 0.15", "Rows 3", "Total (3 rows)". */
function splitLabel(text: string, { labelOf }: ControlLineReading): readonly [label: string, inline: string] {
  const [, before = "", behind = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (before !== "") return [before, behind.trim()];
  const [, words = "", rest = ""] = /^(\D+?)\s+\(?(\d.*?)\)?$/.exec(text.trim()) ?? [];
  return isClear(labelOf(words)) ? [words, rest] : [text, ""];
}

function isClear(label: ControlLabel | undefined): boolean {
  return label?.names === "sum" || label?.names === "count";
}

/** Whether a text is neither a figure nor a currency. */
function isWords(value: ControlCell, reading: ControlLineReading): boolean {
  return value.cell.kind === "text" && !isFigure({ ...value, holds: "count" }, reading);
}

function isEndless({ cell: { text }, holds }: ControlCell): boolean {
  return holds !== "neither" && text.length > TEXT_LENGTH_MAX && /\p{N}/u.test(text);
}

/** Undefined for an unclear label without a figure: a title that mentions a total. */
function readLabelled(
  { label, inline, text }: PlacedLabel,
  beside: readonly ControlCell[],
  reading: ControlLineReading,
): ControlLine | undefined {
  const inlineCells: ControlCell[] = inline === "" ? [] : [{ cell: { kind: "text", text: inline } }];
  const values = [...inlineCells, ...beside];
  if (label.names !== "unclear") return readFigures(label, text, values, reading);
  // A number below the amounts is a sum, whatever its label. A reference contains digits but does not end like Excel's
  // subtotals: "4711 Total".
  const isReference = /\d/.test(text) && !/\stotal\s*$/i.test(text);
  if (!isReference && beside.some(({ holds }) => holds === "sum"))
    return readFigures({ names: "sum" }, text, values, reading);
  if (!values.some((value) => isFigure(value, reading))) return undefined;
  return refusedLine(text, "it does not say what is counted or summed");
}

function filledCells(cells: readonly ControlCell[]): ControlCell[] {
  return cells.map(withResult).filter(({ cell }) => cell.kind !== "empty");
}

function withResult({ cell, ...place }: ControlCell): ControlCell {
  return { ...place, cell: cell.kind === "formula" && cell.value.kind !== "empty" ? cell.value : cell };
}
