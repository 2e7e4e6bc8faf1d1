/**
 * The rows behind the sandbox: changes are kept whole or not at all, the journal restores them, and searches look only
 * where needed.
 */
import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { demoSeed, openSandbox } from "../../src/sandbox/index.ts";
import { dueIndex } from "../../src/sandbox/state/agenda.ts";
import { openJournal } from "../../src/sandbox/state/journal.ts";
import type { Entry, RowKind } from "../../src/sandbox/state/rows.ts";
import { pagesOf, type SearchRequest } from "../../src/sandbox/state/search.ts";
import { openStore } from "../../src/sandbox/state/store.ts";
import { indexBy } from "../../src/sandbox/state/value-index.ts";

interface Thing {
  readonly name: string;
  readonly colour: string;
  readonly weight: number;
}

const THING: RowKind<Thing, Thing> = {
  table: "thing",
  keyOf: ({ name }) => name,
  write: (thing) => thing,
  read: (thing) => thing,
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function opened(path = ":memory:") {
  const store = openStore(path);
  const byColour = indexBy<Thing>(({ colour }) => colour);
  const things = store.rows(THING, [byColour]);
  const names = () => Array.from(things.entries(), ({ row }) => `${row.name} ${row.weight}`);
  const ofColour = (colour: string) => byColour.entriesOf(colour).map(({ row }) => row.name);
  return { store, things, names, ofColour };
}

describe("a change", () => {
  test("that throws leaves rows and indexes as they were", () => {
    const { store, things, names, ofColour } = opened();
    store.change(() => things.insert({ name: "A", colour: "red", weight: 1 }));
    const failing = () =>
      store.change(() => {
        const entry = things.entry("A");
        if (entry === undefined) throw new Error("A is missing");
        things.replace(entry, { ...entry.row, weight: 2 });
        things.insert({ name: "B", colour: "red", weight: 3 });
        things.remove(entry);
        expect(names()).toEqual(["B 3"]);
        throw new Error("no more");
      });
    expect(failing).toThrow("no more");
    expect([names(), ofColour("red")]).toEqual([["A 1"], ["A"]]);
    store.close();
  });

  test("within a change is undone with it", () => {
    const { store, things, names } = opened();
    const failing = () =>
      store.change(() => {
        store.change(() => things.insert({ name: "A", colour: "red", weight: 1 }));
        throw new Error("no more");
      });
    expect(failing).toThrow("no more");
    expect(names()).toEqual([]);
    store.close();
  });

  test("is not possible outside a change, nor twice under one key", () => {
    const { store, things } = opened();
    const insert = () => things.insert({ name: "A", colour: "red", weight: 1 });
    expect(insert).toThrow(/outside of a change/);
    store.change(insert);
    expect(() => store.change(insert)).toThrow(/two rows of one key/);
    store.close();
  });
});

describe("the journal", () => {
  test("contains what was committed, and nothing that was undone or not committed", () => {
    const path = join(folder, "rows.sqlite");
    const { store, things } = opened(path);
    store.change(() => things.insert({ name: "A", colour: "red", weight: 1 }));
    store.change(() => things.insert({ name: "B", colour: "red", weight: 1 }));
    store.commit();
    const [first] = things.entries();
    if (first === undefined) throw new Error("A is missing");
    store.change(() => things.replace(first, { ...first.row, weight: 2 }));
    expect(() =>
      store.change(() => {
        things.insert({ name: "C", colour: "red", weight: 1 });
        throw new Error("no more");
      }),
    ).toThrow("no more");
    store.commit();
    store.change(() => things.remove(first));

    const copy = join(folder, "copy.sqlite");
    for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, copy + suffix);
    const again = opened(copy);
    expect([again.names(), again.ofColour("red")]).toEqual([
      ["A 2", "B 1"],
      ["A", "B"],
    ]);
    again.store.close();
    store.close();
    const afterClose = opened(path);
    expect(afterClose.names()).toEqual(["B 1"]);
    afterClose.store.close();
  });

  test("does not grow without end while the same rows keep changing", () => {
    const path = join(folder, "rows.sqlite");
    const { store, things, names } = opened(path);
    store.change(() => things.insert({ name: "A", colour: "red", weight: 0 }));
    const [entry] = things.entries();
    if (entry === undefined) throw new Error("A is missing");
    for (let weight = 1; weight <= 15_000; weight += 1) {
      store.change(() => things.replace(entry, { ...entry.row, weight }));
      store.commit();
    }
    store.close();
    const journal = openJournal(path);
    expect(journal.takeRows("thing").size).toBe(1);
    journal.close();
    expect(statSync(path).size).toBeLessThan(1_000_000);
    const again = opened(path);
    expect([names(), again.names()]).toEqual([["A 15000"], ["A 15000"]]);
    again.store.close();
  });

  test("is not kept without a file, because nobody would read it", () => {
    const prepare = vi.spyOn(Database.prototype, "prepare");
    onTestFinished(() => prepare.mockRestore());
    const sandbox = openSandbox({ seed: demoSeed });
    sandbox.operator.passTime(3_600_000);
    expect(sandbox.movements().length).toBeGreaterThan(5);
    sandbox.close();
    expect(prepare).not.toHaveBeenCalled();
  });

  test("can be used by one process at a time", () => {
    const path = join(folder, "rows.sqlite");
    const { store } = opened(path);
    expect(() => openStore(path)).toThrow(/cannot be used: database is locked/);
    store.close();
    openStore(path).close();
  });
});

describe("a search", () => {
  const request: SearchRequest = {
    ids: undefined,
    references: undefined,
    states: undefined,
    sort: [{ property: "weight", direction: "ASC" }],
    page: 0,
    size: 20,
    nowMs: 5,
    rowsShifted: 0,
  };
  const properties = {
    referenceOf: ({ colour }: Thing) => colour,
    stateOf: () => "ANY",
    visibleFrom: ({ weight }: Thing) => weight,
    sortable: { weight: ({ weight }: Thing) => weight },
  };

  test.each([
    ["reference", { references: ["red"] }],
    ["id", { ids: ["A", "B"] }],
  ])("by %s does not look at the other rows", (_by, filter) => {
    const { store, things } = opened();
    const byReference = indexBy<Thing>(({ colour }) => colour);
    const rows = store.rows({ ...THING, table: "other" }, [byReference]);
    store.change(() => {
      rows.insert({ name: "A", colour: "red", weight: 1 });
      rows.insert({ name: "C", colour: "blue", weight: 1 });
    });
    const entries = () => {
      throw new Error("looked at all rows");
    };
    const search = pagesOf({ rows: { ...rows, entries }, byReference, properties });
    expect(search({ ...request, ...filter }).rows).toMatchObject([{ name: "A" }]);
    expect(() => search(request)).toThrow("looked at all rows");
    expect(things.get("A")).toBeUndefined();
    store.close();
  });

  test("over all rows sees every change, and every row that has become visible", () => {
    const { store, things } = opened();
    const search = pagesOf({ rows: things, byReference: indexBy<Thing>(({ colour }) => colour), properties });
    const seen = (nowMs: number) => search({ ...request, nowMs }).rows.map(({ name }) => name);
    store.change(() => {
      things.insert({ name: "late", colour: "red", weight: 8 });
      things.insert({ name: "early", colour: "red", weight: 2 });
    });
    expect([seen(5), seen(7), seen(8), seen(5), seen(1)]).toEqual([
      ["early"],
      ["early"],
      ["early", "late"],
      ["early"],
      [],
    ]);
    store.change(() => things.insert({ name: "new", colour: "red", weight: 3 }));
    expect(seen(8)).toEqual(["early", "new", "late"]);
    store.close();
  });
});

test("due items come in order of time, then of insertion", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (times) => {
      const due = dueIndex<{ readonly dueAt: number }>();
      const entries = times.map((dueAt, seq): Entry<{ readonly dueAt: number }> => ({ seq, row: { dueAt } }));
      for (const entry of entries) due.enter(entry);
      const taken = entries.map(() => {
        const first = due.first();
        due.dropFirst();
        return first;
      });
      expect(taken).toEqual(entries.sort((a, b) => a.row.dueAt - b.row.dueAt || a.seq - b.seq));
      expect(due.first()).toBeUndefined();
    }),
  );
});
