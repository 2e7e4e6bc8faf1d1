/** A first export of years is made in parts, so that it fits into memory and blocks nobody for long. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, onTestFinished, test } from "vitest";
import { exportStep, openWorkplace, stderrLog } from "../../src/index.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import type { SqlRow, Statement, Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { openPlace } from "../site/workplace.ts";
import { deposits, payouts } from "./golden-books.ts";
import { book } from "./movements.ts";
import { hledgerJournal, ledgerCsv, ledgerTables } from "./whole-files.ts";

const AT = "2026-11-21T02:30:00.000Z";

const { entries: BOOKED } = book({ payouts, deposits });

/** Posted in an order other than that of their days; the first days have been closed since. */
const POSTED = Array.from({ length: 130 }, (_, copy) => {
  const day = String(1 + ((copy * 7) % 30)).padStart(2, "0");
  return BOOKED.map((entry) => ({
    ...entry,
    entryId: `${copy}:${entry.entryId}`,
    factId: `${copy}:${entry.factId}`,
    bookDay: `2026-11-${day}`,
    valueInstant: `2026-11-${day}T12:00:00.000Z`,
  }));
}).flat();

const CLOSED_THROUGH = "2026-11-03";

function inOpenPeriod(entry: JournalEntry): JournalEntry {
  return entry.bookDay > CLOSED_THROUGH ? entry : { ...entry, bookDay: "2026-11-04" };
}

test("it has the bytes of a journal that is written at once, and no transaction is about all of them", async () => {
  const { workplace, folder, environment } = openPlace();
  await workplace.store.write(() => insertEntries(POSTED, AT));
  const path = join(folder, "paydrop.yaml");
  const added = `ledger:\n  closedThrough: ${CLOSED_THROUGH}\n  exports: [{ preset: xero, linesMax: 500, settings: { taxRate: None } }]`;
  writeFileSync(path, readFileSync(path, "utf8").replace(/^ledger:$/m, added));
  const configured = openWorkplace(path, environment, stderrLog("silent"));
  onTestFinished(() => configured.close());
  const { store, mostTogether } = watched(configured.store);

  const reports = await exportStep({ ...configured, store });

  expect(POSTED.length).toBeGreaterThan(1_100);
  expect(mostTogether()).toBeLessThan(1_100);
  expect(reports.map((report) => report.entries)).toEqual([POSTED.length, POSTED.length]);
  const entries = POSTED.map(inOpenPeriod);
  const { config, scales } = configured;
  const format = { functionalCurrency: "EUR", scales };
  const [xero] = config.ledger.exports;
  const files = new Map(
    reports.flatMap((report) =>
      report.files.map((file) => [basename(file), readFileSync(file, "utf8")] as const),
    ),
  );
  expect(files.get("000001-journal.csv")).toBe(ledgerCsv(entries, format));
  expect(files.get("000001-journal.hledger")).toBe(hledgerJournal(entries, format));
  const tables = [...files]
    .filter(([name]) => name.includes("xero") && name.endsWith(".csv"))
    .map(([, text]) => text);
  expect(tables.length).toBeGreaterThan(3);
  expect(tables).toEqual(xero && ledgerTables(entries, xero, "000001", format));
});

test("one whose process died before all entries had its number has no file yet; every entry is handed out once", async () => {
  const { workplace, folder } = openPlace();
  await workplace.store.write(() => insertEntries(POSTED, AT));
  let writes = 0;
  const store: Store = {
    ...watched(workplace.store).store,
    write: (transaction) => {
      writes += 1;
      // The lane's holder checks that it still is; then the batch begins, and the next thousand entries follow.
      return writes === 3
        ? Promise.reject(new Error("the process died"))
        : workplace.store.write(transaction);
    },
  };
  await expect(exportStep({ ...workplace, store })).rejects.toThrow("the process died");
  const ledger = join(folder, "ledger");
  expect(readdirSync(ledger)).toEqual([]);

  expect(await exportStep(workplace)).toMatchObject([
    { number: 1, entries: 1_000 },
    { number: 2, entries: POSTED.length - 1_000 },
  ]);
  const handedOut = ["000001", "000002"].map((number) => {
    const rows: Record<string, string>[] = parse(readFileSync(join(ledger, `${number}-journal.csv`)), {
      columns: true,
    });
    return [...new Set(rows.map(({ entryId = "" }) => entryId))];
  });
  expect(handedOut[0]).toHaveLength(1_000);
  expect(handedOut.flat().sort()).toEqual(POSTED.map(({ entryId }) => entryId).sort());
});

test("an export without new entries looks only after those that its target has", async () => {
  const { workplace } = openPlace();
  await workplace.store.write(() => insertEntries(POSTED, AT));
  expect(await exportStep(workplace)).toHaveLength(1);
  const { store, asked } = watched(workplace.store);
  expect(await exportStep({ ...workplace, store })).toEqual([]);
  const ofEntries = asked.filter(({ text }) => /from (exported_)?entry\b/.test(text));
  const searches = ofEntries.filter(({ text }) => !text.includes("max(seq)"));
  expect(searches.map(({ values }) => values[0])).toEqual([POSTED.length]);
});

/** `mostTogether`: the most rows that a transaction has read or named so far. `asked`: its statements. */
function watched(store: Store) {
  const asked: Statement[] = [];
  let most = 0;
  function* counted<Result>(transaction: Transaction<Result>): Transaction<Result> {
    let together = 0;
    for (let step = transaction.next([]); ; ) {
      if (step.done) return step.value;
      asked.push(step.value);
      const rows: readonly SqlRow[] = yield step.value;
      const lists = step.value.values.filter((value) => String(value).startsWith("["));
      together += Math.max(rows.length, ...lists.map((list) => JSON.parse(String(list)).length));
      most = Math.max(most, together);
      step = transaction.next(rows);
    }
  }
  const watchedStore: Store = {
    isShared: store.isShared,
    read: (transaction) => store.read(() => counted(transaction())),
    write: (transaction) => store.write(() => counted(transaction())),
    takeLane: (name, sendingMs) => store.takeLane(name, sendingMs),
    close: () => store.close(),
  };
  return { store: watchedStore, asked, mostTogether: () => most };
}
