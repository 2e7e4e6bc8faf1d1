/**
 * The rows of a sandbox: kinds of rows in memory, where they are read and changed. With a file, `commit` writes the
 * rows that changed since the last one, so that many requests share one write.
 */
import type { Decimal } from "../../money/index.ts";
import { openDocuments, type StoredDocument } from "./documents.ts";

/** The place of a row, which remains the same object when its row is replaced. */
export interface Entry<Row> {
  /** Position in the order in which rows were first stored. */
  readonly seq: number;
  readonly key: string;
  readonly row: Row;
}

interface Kind<Row, Shared extends string> {
  readonly name: string;
  /** Values that several rows may share, by which they are found. Replacing a row must not change them. */
  readonly shared?: Readonly<Record<Shared, (row: Row) => string>>;
  /** For rows with decimals: their JSON form, in which these are text, and back. */
  readonly asJson?: { write(row: Row): object; read(written: Written<Row>): Row };
}

type Written<Row> = { readonly [Name in keyof Row]: Row[Name] extends Decimal ? string : Row[Name] };

export interface Rows<Row, Shared extends string = never> {
  get(key: string): Row | undefined;
  entry(key: string): Entry<Row> | undefined;
  /** In the order in which they were first stored. */
  entries(): Iterable<Entry<Row>>;
  all(): Row[];
  /** The entries with this shared value, oldest first. */
  sharing(name: Shared, value: string): readonly Entry<Row>[];
  /** Differs after every change. */
  version(): number;
  /** Stores a row under a new key, or replaces the row of a key. */
  put(key: string, row: Row): void;
  remove(key: string): void;
}

export type Store = ReturnType<typeof openStore>;

/** `path`: the file; without it rows exist only in memory. Throws USAGE if it is unusable or in use. */
export function openStore(path: string | undefined) {
  const documents = path === undefined ? undefined : openDocuments(path);
  const stored = documents?.all() ?? [];
  const storedOf = Map.groupBy(stored, ({ kind }) => kind);
  const changed = new Map<object, () => StoredDocument>();
  let lastSeq = stored.at(-1)?.seq ?? 0;

  const book: Book = {
    nextSeq: () => {
      lastSeq += 1;
      return lastSeq;
    },
    note: (entry, document) => {
      if (documents !== undefined) changed.set(entry, document);
    },
  };
  const commit = () => {
    if (documents === undefined || changed.size === 0) return;
    documents.write(Array.from(changed.values(), (document) => document()));
    changed.clear();
  };
  return {
    /** The rows of a kind, those of the file included. */
    rows: <Row extends object, Shared extends string = never>(kind: Kind<Row, Shared>): Rows<Row, Shared> =>
      rowsOf(kind, storedOf.get(kind.name) ?? [], book),
    /** Writes the changes since the last commit, all or none; after a failure the next commit includes them. */
    commit,
    close: () => {
      try {
        commit();
      } finally {
        documents?.close();
      }
    },
  };
}

/** What the kinds of rows have in common: one order of entries, and the changes to be written. */
interface Book {
  nextSeq(): number;
  note(entry: object, document: () => StoredDocument): void;
}

interface Held<Row> extends Entry<Row> {
  row: Row;
}

function rowsOf<Row extends object, Shared extends string>(
  { name: kind, shared = {} as Record<Shared, never>, asJson }: Kind<Row, Shared>,
  stored: readonly StoredDocument[],
  { nextSeq, note }: Book,
): Rows<Row, Shared> {
  const held = new Map<string, Held<Row>>();
  const indexes = Object.entries<(row: Row) => string>(shared).map(([name, valueIn]) => ({
    name,
    valueIn,
    entries: new Map<string, Held<Row>[]>(),
  }));
  let version = 0;

  const enter = (entry: Held<Row>) => {
    held.set(entry.key, entry);
    for (const { valueIn, entries } of indexes) {
      const value = valueIn(entry.row);
      const known = entries.get(value);
      if (known === undefined) entries.set(value, [entry]);
      else known.push(entry);
    }
    return entry;
  };
  const leave = (entry: Held<Row>) => {
    held.delete(entry.key);
    for (const { valueIn, entries } of indexes) {
      const value = valueIn(entry.row);
      const others = entries.get(value)?.filter((other) => other !== entry) ?? [];
      if (others.length > 0) entries.set(value, others);
      else entries.delete(value);
    }
  };
  const changed = (entry: Held<Row>) => {
    version += 1;
    const { seq, key } = entry;
    note(entry, () => {
      const isHeld = held.get(key) === entry;
      return {
        seq,
        kind,
        key,
        body: isHeld ? JSON.stringify(asJson?.write(entry.row) ?? entry.row) : undefined,
      };
    });
  };

  for (const { seq, key, body = "" } of stored) {
    const written = JSON.parse(body);
    enter({ seq, key, row: asJson?.read(written) ?? written });
  }
  return {
    get: (key) => held.get(key)?.row,
    entry: (key) => held.get(key),
    entries: () => held.values(),
    all: () => Array.from(held.values(), ({ row }) => row),
    sharing: (name, value) => indexes.find((index) => index.name === name)?.entries.get(value) ?? [],
    version: () => version,
    put: (key, row) => {
      const known = held.get(key);
      if (known !== undefined) known.row = row;
      changed(known ?? enter({ seq: nextSeq(), key, row }));
    },
    remove: (key) => {
      const entry = held.get(key);
      if (entry === undefined) return;
      leave(entry);
      changed(entry);
    },
  };
}

/** "NAME/1", or with the next number that no row has. */
export function freeKey(rows: { get(key: string): object | undefined }, name: string): string {
  let number = 1;
  while (rows.get(`${name}/${number}`) !== undefined) number += 1;
  return `${name}/${number}`;
}
