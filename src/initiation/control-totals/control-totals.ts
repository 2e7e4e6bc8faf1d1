/**
 * Collects the control totals that a file declares: in lines above its header, in rows among or below its payouts, or
 * in a totals file beside it. control-comparison.ts compares them with the rows.
 */
import { type Problem, problem, type Where } from "../../faults/index.ts";
import { type Cell, EMPTY_CELL, type Row, type Table, type TitleLine } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { cellHoldsKey, holdsPrivateKey } from "../../model/private-key.ts";
import { shownText } from "../../model/shown-text.ts";
import { cellPlace } from "../cell-place.ts";
import { type Header, readHeader } from "../header.ts";
import type { InitiationPolicy, TotalsFile } from "../policy.ts";
import type { CheckedRow } from "../row-checker.ts";
import { compareControlTotals, type PlacedFigure } from "./control-comparison.ts";
import type { ControlLine, ControlLineReading } from "./control-figure.ts";
import { labelReader } from "./control-label.ts";
import { readControlLine, readUnlabelledLine } from "./control-line.ts";
import { controlRows, isPrintTimestamp } from "./control-row.ts";
import { ControlSections } from "./control-sections.ts";

type TableParts = Pick<Table, "sheet" | "header" | "titleLines">;
type PayoutRow = Pick<CheckedRow, "line" | "asked" | "problems" | "place">;

/** Checks one table: first `take` every row, then `see` those that are payouts, then ask for the `problems`. */
export function controlTotalCheck(table: TableParts, header: Header, policy: InitiationPolicy) {
  /** Where control totals were found ("line 12"); empty if there are none. */
  const sources = new Set<string>();
  const reading = controlLineReading(policy);
  const rows = controlRows(header, reading.labelOf);
  const figures: PlacedFigure[] = [];
  const refusals: Problem[] = [];
  const passedOver: Problem[] = [];
  const sections = new ControlSections();
  /** The problem of a label without a figure, as long as the line below may still have the figure. */
  let heading: Problem | undefined;
  let isBelowControlLine = false;
  let lastRow: PayoutRow | undefined;
  /** The lines above the header that declare control totals. */
  const titles = (table.titleLines ?? []).filter((title) => takeTitle(title));
  if (policy.totalsFile !== undefined) takeFile(policy.totalsFile);
  return { titles, sources, take, see, problems, warnings };

  /** Whether the row declares control totals and so is not a payout. A row that could be paid never does. */
  function take(row: Row): boolean {
    const isControlTotal = takeRow(row);
    isBelowControlLine = isControlTotal;
    return isControlTotal;
  }

  /** Counts a payout row, good or bad: declared totals cover everything the sender meant to send. */
  function see(row: PayoutRow): void {
    sections.see(row);
    lastRow = row;
  }

  function problems(): Problem[] {
    const refused = [...refusals, ...(heading === undefined ? [] : [heading])];
    if (refused.length > 0) return refused;
    if (policy.controlTotals.required) {
      const missing = [sources.size === 0 ? "control totals" : "", ...missingKinds()].find(Boolean);
      if (missing !== undefined) return [problem("CONTROL_TOTAL_MISSING", { missing })];
    }
    if (sources.size === 0) return unknownTotal();
    const rows = {
      whole: sections.ofFile(),
      sections: sections.all(),
      firstUnread: sections.firstUnread,
    };
    return [...compareControlTotals(figures, rows, policy.scales), ...unknownTotal()];
  }

  /** Warnings for averages and the like, which are not compared with anything. */
  function warnings(): readonly Problem[] {
    return passedOver;
  }

  function takeRow(row: Row): boolean {
    const reference = rows.payableReference(row);
    if (reference !== undefined) {
      refuseTotalByName(reference, row);
      return false;
    }
    const cells = rows.cellsOf(row);
    if (cells === undefined) return false;
    if (isPrintTimestamp(row.cells)) return passOver(row);
    const line = readControlLine(cells, reading) ?? readUnlabelledLine(cells, reading, isBelowControlLine);
    if (line === undefined) return false;
    if (line.isStatistic) return passOver(row);
    heading = isHeading(line) ? withoutFigure(row.cells, firstCellOf(row)) : undefined;
    sections.endAt(row.line);
    keep(
      line,
      `line ${row.line}`,
      (position) => (position === undefined ? firstCellOf(row) : cellPlace(table, row, position)),
      row.line,
    );
    return true;
  }

  /** A line of neither payouts nor control totals. */
  function passOver(row: Row): true {
    const label = shownText(row.cells.find(({ kind }) => kind === "text")?.text ?? "");
    passedOver.push(problem("LINE_NOT_COMPARED", { label }, firstCellOf(row)));
    return true;
  }

  function missingKinds(): string[] {
    const has = (what: "sum" | "count") => figures.some((figure) => figure.what === what);
    return [...(has("sum") ? [] : ["sum of the amounts"]), ...(has("count") ? [] : ["row count"])];
  }

  /** The last row, if it cannot be paid and equals the sum of everything above: an unlabelled line of totals. */
  function unknownTotal(): Problem[] {
    const { totals, rowCount } = sections.ofFile();
    if (lastRow?.asked === undefined || rowCount < 2) return [];
    const { currency, value } = lastRow.asked;
    const all = totals.find((total) => total.currency === currency)?.amount ?? value;
    const isIncomplete = lastRow.problems.some(({ code }) => code === "DESTINATION_MISSING");
    if (!isIncomplete || !all.equals(value.plus(value))) return [];
    return [lastRow.place("amount", problem("CONTROL_TOTAL_UNNAMED", { sum: `${value} ${currency}` }))];
  }

  /** Refuses a payable row whose reference is a label such as "Total": it could be a payout or a line of totals. */
  function refuseTotalByName(reference: string, row: Row): void {
    const names = /\d/.test(reference) ? undefined : reading.labelOf(reference)?.names;
    if (names !== "sum" && names !== "count") return;
    const what = problem("PAYOUT_NAMED_TOTAL", { reference: shownText(reference) });
    refusals.push({ ...what, ...firstCellOf(row) });
  }

  function takeTitle({ line, cells }: TitleLine): boolean {
    const where = { ...present({ sheet: table.sheet }), line };
    if (cells.some(cellHoldsKey)) {
      refusals.push(problem("VALUE_IS_SECRET", { field: "a line above the header" }, where));
      return false;
    }
    return takeLine(cells, where, `line ${line}`, true) !== undefined;
  }

  /**
   * Reads the totals file, which exists to prove something: without any figure, or with a label that lacks one at its
   * end, it was not written completely.
   */
  function takeFile({ file, lines }: TotalsFile): void {
    if (lines.length === 0) refusals.push(problem("FILE_EMPTY", {}, { file }));
    let heading: Problem | undefined;
    for (const { line, cells } of lines) {
      const where = { file, line };
      const taken = takeLine(cells, where, file);
      heading = taken !== undefined && isHeading(taken) ? withoutFigure(cells, where) : undefined;
      if (taken !== undefined) continue;
      refusals.push(unreadableLine(cells, "a totals file holds nothing but totals and row counts", where));
    }
    if (heading !== undefined) refusals.push(heading);
  }

  /** Reads a line outside the table's rows; text before its first label is a title. */
  function takeLine(
    cells: TitleLine["cells"],
    where: Where,
    source: string,
    mayHaveTitle = false,
  ): ControlLine | undefined {
    const isLabel = ({ kind, text }: Cell) =>
      kind === "text" && readControlLine([{ cell: { kind, text } }], reading) !== undefined;
    const from = mayHaveTitle ? Math.max(0, cells.findIndex(isLabel)) : 0;
    const controlCells = cells.slice(from).map((cell) => ({ cell }));
    const line =
      readControlLine(controlCells, reading) ??
      (isBelowControlLine ? readUnlabelledLine(controlCells, reading, true) : undefined);
    isBelowControlLine = line !== undefined;
    if (line === undefined || line.isStatistic) return undefined;
    // A label alone is a heading here. Among the rows, in a payout's place, it must declare something.
    if (!isHeading(line)) keep(line, source, () => where);
    return line;
  }

  function keep(
    line: ControlLine,
    source: string,
    placeOf: (position?: number) => Where,
    row?: number,
  ): void {
    sources.add(source);
    refusals.push(...line.problems.map(({ what, position }) => ({ ...what, ...placeOf(position) })));
    figures.push(
      ...line.figures.map((figure) => ({ ...figure, where: placeOf(figure.position), line: row })),
    );
  }

  function firstCellOf(row: Row): Where {
    const position = row.cells.findIndex(({ kind }) => kind !== "empty");
    return cellPlace(table, row, position);
  }
}

function unreadableLine(cells: readonly Cell[], reason: string, where: Where): Problem {
  const text = shownText(cells.find(({ kind }) => kind !== "empty")?.text ?? "");
  return problem("CONTROL_TOTAL_UNREADABLE", { text, reason }, where);
}

function withoutFigure(cells: readonly Cell[], where: Where): Problem {
  return unreadableLine(cells, "there is no number beside it", where);
}

function isHeading({ figures, problems }: ControlLine): boolean {
  return figures.length === 0 && problems.length === 0;
}

function controlLineReading({
  controlTotals: words,
  scales,
  numberFormat,
}: InitiationPolicy): ControlLineReading {
  const isCurrency = (code: string) => scales.scaleOf(code) !== undefined;
  return { labelOf: labelReader(words, isCurrency), isCurrency, numberFormat };
}

/**
 * The table for its answer: marks the rows that declare control totals, so that a corrected file still does, and accepts
 * them even if shorter than the header; drops titles that declare nothing. No private key remains, wherever it was pasted.
 */
export function markControlTotals(table: Table, policy: InitiationPolicy): Table {
  const check = controlTotalCheck(table, readHeader(table.header, policy.columns), policy);
  return {
    ...table,
    header: table.header.map((text) => (holdsPrivateKey(text) ? "" : text)),
    titleLines: check.titles.map(withoutSecrets),
    async *windows() {
      for await (const window of table.windows())
        yield window.map((row) => (check.take(row) ? asControlTotal(row) : withoutSecrets(row)));
    },
  };
}

function asControlTotal(row: Row): Row {
  return { ...withoutSecrets(row), problems: [], isControlTotal: true };
}

function withoutSecrets<Line extends TitleLine>(line: Line): Line {
  if (!line.cells.some(cellHoldsKey)) return line;
  return { ...line, cells: line.cells.map((cell) => (cellHoldsKey(cell) ? EMPTY_CELL : cell)) };
}
