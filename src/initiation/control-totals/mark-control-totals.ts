/** Prepares a table for its answer: lines of control totals are kept, so that a corrected file still declares them. */
import { EMPTY_CELL, type Row, type Table, type TitleLine } from "../../model/index.ts";
import { cellHoldsKey, holdsPrivateKey } from "../../model/private-key.ts";
import { readHeader } from "../header.ts";
import type { InitiationPolicy } from "../policy.ts";
import { ControlTotalCheck } from "./control-totals.ts";

/**
 * Marks the rows that declare control totals, and accepts them even if shorter than the header; drops titles that
 * declare nothing. No private key remains, wherever it was pasted.
 */
export function markControlTotals(table: Table, policy: InitiationPolicy): Table {
  const check = new ControlTotalCheck(table, readHeader(table.header, policy.columns), policy);
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
