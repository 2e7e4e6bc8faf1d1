/**
 * The rows of the sandbox: all of them in memory, where they are read and changed, and in a journal, to which `commit` adds what has
 * changed, so that many requests can share one write. What the rows mean is said in the files beside this one, one kind each.
 */
import { openJournal, type RowChange, type WrittenRow } from "./journal.ts";
import { type RowIndex, type RowKind, type Rows, rowsIn, type StoredRows } from "./rows.ts";

export type Store = ReturnType<typeof openStore>;

/** Opens the rows of a database file; without one they are in memory alone. Throws USAGE for a file that is not one of ours, or is in use. */
export function openStore(path: string | undefined) {
  const journal = path === undefined ? undefined : openJournal(path);
  const kinds: StoredRows[] = [];
  let undoing: (() => void)[] | undefined;

  const change = <Result>(action: () => Result): Result => {
    if (undoing !== undefined) return action();
    const steps: (() => void)[] = [];
    undoing = steps;
    try {
      return action();
    } catch (error) {
      for (const undo of steps.reverse()) undo();
      throw error;
    } finally {
      undoing = undefined;
    }
  };
  const commit = () => {
    journal?.append(kinds.flatMap((kind) => kind.changes()));
    for (const kind of kinds) kind.forgetChanges();
    if (journal?.isLongFor(kinds.reduce((count, kind) => count + kind.count(), 0)))
      journal.rewrite(allRows(kinds));
  };
  return {
    /** The rows of one kind, those of the journal first; `indexes` learn of every row that comes or goes. */
    rows: <Row, Written extends WrittenRow>(
      kind: RowKind<Row, Written>,
      indexes: readonly RowIndex<Row>[] = [],
    ): Rows<Row> => {
      const written = journal?.takeRows<Written>(kind.table) ?? new Map();
      const { rows, stored } = rowsIn(written, kind, indexes, () => undoing);
      kinds.push(stored);
      return rows;
    },
    /** Runs what changes rows; when it throws, every row is as it was. A change within a change is part of it. */
    change,
    /** Writes what has changed since the last time, all of it or nothing; what cannot be written is written the next time. */
    commit,
    /** Commits, and closes the journal. */
    close: () => {
      try {
        commit();
      } finally {
        journal?.close();
      }
    },
  };
}

function* allRows(kinds: readonly StoredRows[]): Generator<RowChange> {
  for (const kind of kinds) yield* kind.all();
}
