/** Finds the rows of a kind by a value that several of them may share, without looking at the others. */
import type { Entry, RowIndex } from "./rows.ts";

export interface ValueIndex<Row> extends RowIndex<Row> {
  /** In the order in which the rows came. */
  entriesOf(value: string): readonly Entry<Row>[];
}

export function indexBy<Row>(sharedValueOf: (row: Row) => string): ValueIndex<Row> {
  const entries = new Map<string, Entry<Row>[]>();
  return {
    entriesOf: (value) => entries.get(value) ?? NONE,
    enter: (entry) => {
      const value = sharedValueOf(entry.row);
      const known = entries.get(value);
      if (known === undefined) entries.set(value, [entry]);
      else known.push(entry);
    },
    leave: (entry) => {
      const value = sharedValueOf(entry.row);
      const others = entries.get(value)?.filter((one) => one !== entry) ?? [];
      if (others.length === 0) entries.delete(value);
      else entries.set(value, others);
    },
  };
}

const NONE: readonly never[] = [];
