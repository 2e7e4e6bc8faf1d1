/** A table as an answer copies it: with its lines of control totals, so that a corrected file still declares them. */
import { type Cell, EMPTY_CELL, type Row, resultOf, type Table, type TitleLine } from "../model/index.ts";
import { holdsPrivateKey, looksLikePrivateKey } from "../model/private-key.ts";
import { ControlTotalCheck } from "./control-totals.ts";
import { readHeader } from "./header.ts";
import type { InitiationPolicy } from "./policy.ts";

/**
 * The rows that declare control totals are marked, and in order also where they are shorter than the header; titles that
 * declare nothing are left out. No private key is among what is left, wherever it was pasted.
 */
export function markControlTotals(table: Table, policy: InitiationPolicy): Table {
  const check = new ControlTotalCheck(table, readHeader(table.header, policy.columns), policy);
  return {
    ...table,
    header: table.header.map((text) => (holdsPrivateKey(text) ? "" : text)),
    titleLines: check.titles.map((title) => without(looksLikePrivateKey, title)),
    async *rows() {
      for await (const row of table.rows())
        yield check.take(row) ? asControlTotal(row) : without(holdsPrivateKey, row);
    },
  };
}

function asControlTotal(row: Row): Row {
  return { ...without(looksLikePrivateKey, row), problems: [], isControlTotal: true };
}

function without<Line extends TitleLine>(isSecret: (text: string) => boolean, line: Line): Line {
  const holdsOne = (cell: Cell) => isSecret(resultOf(cell).text);
  if (!line.cells.some(holdsOne)) return line;
  return { ...line, cells: line.cells.map((cell) => (holdsOne(cell) ? EMPTY_CELL : cell)) };
}
