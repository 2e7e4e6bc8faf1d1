/** Finds rows by a value that several may share, without looking at the others. */
import type { Entry } from "./rows.ts";

export type ValueIndex<Row> = ReturnType<typeof indexBy<Row>>;

export function indexBy<Row>(sharedValueOf: (row: Row) => string) {
  const entries = new Map<string, Entry<Row>[]>();
  return {
    /** In the order of insertion. */
    entriesOf: (value: string): readonly Entry<Row>[] => entries.get(value) ?? NONE,
    enter: (entry: Entry<Row>): void => {
      const value = sharedValueOf(entry.row);
      const known = entries.get(value);
      if (known === undefined) entries.set(value, [entry]);
      else known.push(entry);
    },
    leave: (entry: Entry<Row>): void => {
      const value = sharedValueOf(entry.row);
      const others = entries.get(value)?.filter((candidate) => candidate !== entry) ?? [];
      if (others.length === 0) entries.delete(value);
      else entries.set(value, others);
    },
  };
}

const NONE: readonly never[] = [];
