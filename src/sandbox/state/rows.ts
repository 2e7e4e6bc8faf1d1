/** The rows of one kind in memory: by key, by index, and the changes that are not in the journal yet. */
import { invariant } from "../../faults/index.ts";
import type { RowChange, WrittenRow } from "./journal.ts";

export interface RowKind<Row, Written extends WrittenRow = WrittenRow> {
  readonly table: string;
  /** A unique key of the row; its number if it has nothing unique. */
  keyOf(row: Row, seq: number): string;
  /** Converts the row to its JSON form, and back. */
  write(row: Row): Written;
  read(written: Written): Row;
}

/** Rows whose JSON form is the row itself. */
export function plainKind<Row extends WrittenRow>(
  table: string,
  keyOf: RowKind<Row, Row>["keyOf"],
): RowKind<Row, Row> {
  return { table, keyOf, write: (row) => row, read: (row) => row };
}

/** The place of a row, which stays the same object while the row exists, even if its content is replaced. */
export interface Entry<Row> {
  /** Position in the order in which the rows were inserted. */
  readonly seq: number;
  readonly row: Row;
}

/** Rows may be inserted, replaced and removed only within a change of the store. */
export type Rows<Row> = ReturnType<typeof rowsIn<Row, WrittenRow>>["rows"];

/** Follows which rows exist. May depend only on properties that replacing a row never changes. */
export interface RowIndex<Row> {
  enter(entry: Entry<Row>): void;
  leave(entry: Entry<Row>): void;
}

/** The part of a kind of rows that the store uses. */
export type StoredRows = ReturnType<typeof rowsIn>["stored"];

/** `undoing` collects the functions that undo the current change; undefined while nothing may change. */
export function rowsIn<Row, Written extends WrittenRow>(
  written: ReadonlyMap<number, Written>,
  kind: RowKind<Row, Written>,
  indexes: readonly RowIndex<Row>[],
  undoing: () => (() => void)[] | undefined,
) {
  const { held, enter, leave, isHeld } = entriesByKey(kind, indexes);
  const changed = new Set<HeldEntry<Row>>();
  let lastSeq = 0;
  let version = 0;

  const changing = (entry: HeldEntry<Row>, undo: () => void) => {
    const steps = undoing();
    invariant(steps !== undefined, `${kind.table} changes outside of a change`);
    steps.push(undo);
    changed.add(entry);
    version += 1;
  };

  for (const [seq, row] of written) {
    enter({ seq, row: kind.read(row) });
    lastSeq = Math.max(lastSeq, seq);
  }
  const replace = (entry: HeldEntry<Row>, row: Row): void => {
    const before = entry.row;
    changing(entry, () => {
      entry.row = before;
    });
    entry.row = row;
  };
  const rows = {
    get: (key: string): Row | undefined => held.get(key)?.row,
    entry: (key: string): Entry<Row> | undefined => held.get(key),
    entries: (): Iterable<Entry<Row>> => held.values(),
    /** Differs after every change. */
    version: () => version,
    /** Throws INVARIANT_BROKEN if the key exists. */
    insert: (row: Row): void => {
      lastSeq += 1;
      const entry = { seq: lastSeq, row };
      invariant(!held.has(kind.keyOf(row, lastSeq)), `two rows of one key in ${kind.table}`);
      changing(entry, () => leave(entry));
      enter(entry);
    },
    /** Replaces an entry's row by one with the same key. */
    replace,
    /** Replaces the row of this key; false if there is none. */
    change: (key: string, next: (row: Row) => Row): boolean => {
      const entry = held.get(key);
      if (entry !== undefined) replace(entry, next(entry.row));
      return entry !== undefined;
    },
    remove: (entry: Entry<Row>): void => {
      changing(entry, () => enter(entry));
      leave(entry);
    },
  };
  const asItIs = (entry: Entry<Row>): RowChange => [kind.table, entry.seq, kind.write(entry.row)];
  const stored = {
    changes: (): RowChange[] =>
      Array.from(changed, (entry) => (isHeld(entry) ? asItIs(entry) : [kind.table, entry.seq, null])),
    forgetChanges: () => changed.clear(),
    count: () => held.size,
    all: function* (): Generator<RowChange> {
      for (const entry of held.values()) yield asItIs(entry);
    },
  };
  return { rows, stored };
}

interface HeldEntry<Row> extends Entry<Row> {
  row: Row;
}

/** The entries of a kind, by key and in its indexes. */
function entriesByKey<Row>({ keyOf }: Pick<RowKind<Row>, "keyOf">, indexes: readonly RowIndex<Row>[]) {
  const held = new Map<string, HeldEntry<Row>>();
  const keyed = ({ row, seq }: HeldEntry<Row>) => keyOf(row, seq);
  return {
    held,
    enter: (entry: HeldEntry<Row>) => {
      held.set(keyed(entry), entry);
      for (const index of indexes) index.enter(entry);
    },
    leave: (entry: HeldEntry<Row>) => {
      held.delete(keyed(entry));
      for (const index of indexes) index.leave(entry);
    },
    isHeld: (entry: HeldEntry<Row>) => held.get(keyed(entry)) === entry,
  };
}
