/** Which rows of a table may be lines of control totals. What they declare is read in control-line.ts. */
import { type ColumnName, columnNames } from "../model/columns.ts";
import { isAnswerColumn, type Row } from "../model/index.ts";
import { type ControlCell, isRowCount } from "./control-line.ts";
import type { Header } from "./header.ts";

/** Asked for every row of a file, so it looks at no more cells than it must. */
export interface ControlRows {
  /** The reference of a row that could be paid, because it has an amount and a destination, too. */
  payableReference(row: Row): string | undefined;
  /** The cells of any other row; undefined for one with a reference behind its first cell, and for one whose format is broken. */
  cellsOf(row: Row): ControlCell[] | undefined;
}

/** For the rows of one table, whose header has been read. */
export function controlRows({ positions, texts }: Header): ControlRows {
  const at = (name: ColumnName) => positions.get(name) ?? -1;
  const [reference, amount] = [at("reference"), at("amount")];
  const [address, account] = [at("destinationAddress"), at("destinationAccountId")];
  const columns = new Map(columnNames.map((name) => [positions.get(name), name]));
  const ours = new Set([...texts.keys()].filter((position) => isAnswerColumn(texts[position] ?? "")));
  return {
    payableReference: ({ cells }) => {
      const named = cells[reference]?.text ?? "";
      if (named === "" || (cells[amount]?.text ?? "") === "") return undefined;
      const isPayable = isDestination(cells[address]?.text) || isDestination(cells[account]?.text);
      return isPayable ? named : undefined;
    },
    cellsOf: ({ cells, problems, isShort }) => {
      const first = cells.findIndex(({ kind }) => kind !== "empty");
      const isNamed = (cells[reference]?.text ?? "") !== "" && first !== reference;
      if (isNamed || problems.length > (isShort === true ? 1 : 0)) return undefined;
      return cells.flatMap((cell, position) =>
        ours.has(position) ? [] : [{ cell, position, column: columns.get(position) }],
      );
    },
  };
}

/** A row count may stand below the addresses. */
function isDestination(text = ""): boolean {
  return text !== "" && !isRowCount(text);
}
