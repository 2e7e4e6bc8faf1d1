/** A table as an answer copies it: with its lines of control totals, so that a corrected file still declares them. */
import { type Cell, EMPTY_CELL, type Row, resultOf, type Table, type TitleLine } from "../../model/index.ts";
import { holdsPrivateKey } from "../../model/private-key.ts";
import { readHeader } from "../header.ts";
import type { InitiationPolicy } from "../policy.ts";
import { ControlTotalCheck } from "./control-totals.ts";

/**
 * The rows that declare control totals are marked, and in order also where they are shorter than the header; titles that
 * declare nothing are left out. No private key is among what is left, wherever it was pasted.
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
  const isSecret = (cell: Cell) => holdsPrivateKey(resultOf(cell).text);
  if (!line.cells.some(isSecret)) return line;
  return { ...line, cells: line.cells.map((cell) => (isSecret(cell) ? EMPTY_CELL : cell)) };
}
