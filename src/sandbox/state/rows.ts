/** The rows of one kind in memory: by key, by index, and which of their changes the journal does not have yet. */
import { invariant } from "../../faults/index.ts";
import type { RowChange, WrittenRow } from "./journal.ts";

export interface RowKind<Row, Written extends WrittenRow = WrittenRow> {
  readonly table: string;
  /** What no two rows share: of the row, or its number where it has nothing of the sort. */
  keyOf(row: Row, seq: number): string;
  /** The row as JSON has it, and back. */
  write(row: Row): Written;
  read(written: Written): Row;
}

/** Rows that are written as they are. */
export function plainKind<Row extends WrittenRow>(
  table: string,
  keyOf: RowKind<Row, Row>["keyOf"],
): RowKind<Row, Row> {
  return { table, keyOf, write: (row) => row, read: (row) => row };
}

/** A row in its place, the same one for as long as the row is there, whatever it is replaced by. */
export interface Entry<Row> {
  /** Counts the rows of a kind in the order in which they came. */
  readonly seq: number;
  readonly row: Row;
}

/** Rows are inserted, replaced and removed within a change of the store only. */
export type Rows<Row> = ReturnType<typeof rowsIn<Row, WrittenRow>>["rows"];

/** Follows which rows there are. Of a row it may look only at what no replacement changes. */
export interface RowIndex<Row> {
  enter(entry: Entry<Row>): void;
  leave(entry: Entry<Row>): void;
}

/** The store's side of a kind of rows. */
export type StoredRows = ReturnType<typeof rowsIn>["stored"];

/** `undoing` collects what takes the changes of the moment back; undefined while nothing may change. */
export function rowsIn<Row, Written extends WrittenRow>(
  written: ReadonlyMap<number, Written>,
  kind: RowKind<Row, Written>,
  indexes: readonly RowIndex<Row>[],
  undoing: () => (() => void)[] | undefined,
) {
  const held = new Map<string, HeldEntry<Row>>();
  const changed = new Set<HeldEntry<Row>>();
  let lastSeq = 0;
  let version = 0;

  const enter = (entry: HeldEntry<Row>) => {
    held.set(kind.keyOf(entry.row, entry.seq), entry);
    for (const index of indexes) index.enter(entry);
  };
  const leave = (entry: HeldEntry<Row>) => {
    held.delete(kind.keyOf(entry.row, entry.seq));
    for (const index of indexes) index.leave(entry);
  };
  const isHeld = (entry: HeldEntry<Row>) => held.get(kind.keyOf(entry.row, entry.seq)) === entry;
  const change = (entry: HeldEntry<Row>, undo: () => void) => {
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
  const rows = {
    get: (key: string): Row | undefined => held.get(key)?.row,
    entry: (key: string): Entry<Row> | undefined => held.get(key),
    entries: (): Iterable<Entry<Row>> => held.values(),
    /** Another one after every change. */
    version: () => version,
    /** Throws INVARIANT_BROKEN for a key that is there already. */
    insert: (row: Row): void => {
      lastSeq += 1;
      const entry = { seq: lastSeq, row };
      invariant(!held.has(kind.keyOf(row, lastSeq)), `two rows of one key in ${kind.table}`);
      change(entry, () => leave(entry));
      enter(entry);
    },
    /** Puts a row of the same key in an entry's place. */
    replace: (entry: HeldEntry<Row>, row: Row): void => {
      const before = entry.row;
      change(entry, () => {
        entry.row = before;
      });
      entry.row = row;
    },
    remove: (entry: Entry<Row>): void => {
      change(entry, () => enter(entry));
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
