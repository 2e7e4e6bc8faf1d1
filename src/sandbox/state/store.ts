/**
 * The rows of the sandbox: all of them in memory, where they are read and changed, and in a journal, to which
 * `commit` appends the changes, so that many requests share one write. The files beside this one define the kinds
 * of rows.
 */
import { openJournal, type RowChange, type WrittenRow } from "./journal.ts";
import { type RowIndex, type RowKind, type Rows, rowsIn, type StoredRows } from "./rows.ts";

export type Store = ReturnType<typeof openStore>;

/** `path`: the database; without it rows exist only in memory. Throws USAGE if it is unusable or in use. */
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
    /** The rows of one kind, filled from the journal; `indexes` are updated with every row inserted or removed. */
    rows: <Row, Written extends WrittenRow>(
      kind: RowKind<Row, Written>,
      indexes: readonly RowIndex<Row>[] = [],
    ): Rows<Row> => {
      const written = journal?.takeRows<Written>(kind.table) ?? new Map();
      const { rows, stored } = rowsIn(written, kind, indexes, () => undoing);
      kinds.push(stored);
      return rows;
    },
    /**
     * Runs a function that changes rows; if it throws, all rows are as before. Nested changes belong to the outer
     * one.
     */
    change,
    /** Writes the changes since the last commit, all or none; after a failure the next commit includes them. */
    commit,
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
