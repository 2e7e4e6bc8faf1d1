/**
 * Export batches: a number is issued once, with the files written for it, even if several machines issue at the same
 * time.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { describe, expect, onTestFinished, test } from "vitest";
import { exportAgainStep, exportStep, ledgerExportStep, ledgerStep } from "../../src/books/index.ts";
import { createPayoutStep, openWorkplace, reconcileStep, stderrLog, trackStep } from "../../src/index.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { listSightingsAfter } from "../../src/store/observed.ts";
import { run, sql } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { newDatabase, query } from "../postgres.ts";
import { meanwhile } from "../site/meanwhile.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { deposits, payouts } from "./golden-books.ts";
import { book } from "./movements.ts";

const { entries } = book({ payouts, deposits });
const AT = "2026-11-21T02:30:00.000Z";

async function placeWithEntries() {
  const place = openPlace();
  await place.workplace.store.write(() => insertEntries(entries.slice(0, 2), AT));
  const other = openWorkplace(join(place.folder, "paydrop.yaml"), place.environment, stderrLog("silent"));
  onTestFinished(() => other.close());
  return { ...place, other };
}

test("while one is being issued nobody else begins, and no file of another one appears", async () => {
  const { workplace, other, folder } = await placeWithEntries();
  const lane = await other.store.takeLane("ledger-export", 0);
  await expect(exportStep(workplace)).rejects.toMatchObject({ problem: { code: "UNDER_WAY" } });
  expect(readdirSync(folder)).not.toContain("ledger");
  await lane.release();
  expect(await exportStep(workplace)).toMatchObject([{ target: "journal", number: 1, entries: 2 }]);
});

test("what is posted meanwhile goes into the next one, and no entry into two", async () => {
  const { workplace, other, folder } = await placeWithEntries();
  const both = await Promise.allSettled([exportStep(workplace), exportStep(other)]);
  const issued = both.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  expect(issued).toMatchObject([{ number: 1, entries: 2 }]);
  await other.store.write(() => insertEntries(entries.slice(0, 3), AT));
  expect(await exportStep(other)).toMatchObject([{ number: 2, entries: 1 }]);
  expect(await exportStep(workplace)).toEqual([]);
  expect(readdirSync(join(folder, "ledger")).filter((name) => name.endsWith("journal.csv"))).toEqual([
    "000001-journal.csv",
    "000002-journal.csv",
  ]);
});

test("of an issued batch what was lost is written again with the issued bytes, whatever is configured; what is there stays", async () => {
  const { workplace, folder, environment } = await placeWithEntries();
  const [{ files = [] } = {}] = await exportStep(workplace);
  const [journal = "", hledger = ""] = files;
  const issued = new Map(files.map((file) => [file, readFileSync(file)]));
  for (const file of files) rmSync(file);
  writeFileSync(hledger, "a person's own remark");
  await workplace.store.write(() => insertEntries(entries, AT));
  writeFileSync(join(folder, "chart-of-accounts.csv"), "role,key,code,name\nsuspense,,9,other\n");
  const later = openWorkplace(
    join(folder, "paydrop.yaml"),
    {
      ...environment,
      PAYDROP_LEDGER_EXPORTS: "[{ preset: netsuite }]",
      PAYDROP_LEDGER_TIME_ZONE: "Asia/Tokyo",
    },
    stderrLog("silent"),
  );
  onTestFinished(() => later.close());
  const again = await exportAgainStep(later, 1);
  expect(again.files).toEqual(files.filter((file) => file !== hledger));
  for (const file of again.files) expect(readFileSync(file)).toEqual(issued.get(file));
  expect(again.problems).toMatchObject([{ code: "EXPORT_FILE_ALTERED" }]);
  expect(readFileSync(hledger, "utf8")).toBe("a person's own remark");
  rmSync(hledger);
  expect(await exportAgainStep(later, 1)).toMatchObject({ files: [hledger], problems: [] });
  expect(readFileSync(hledger)).toEqual(issued.get(hledger));
  expect(await exportAgainStep(later, 1)).toMatchObject({ files: [], problems: [] });
  expect(existsSync(journal)).toBe(true);
  await expect(exportAgainStep(later, 2)).rejects.toMatchObject({ problem: { code: "NAME_UNKNOWN" } });
  // The new target has not had any of these entries.
  expect(await exportStep(later)).toMatchObject([
    { target: "journal", number: 2, entries: entries.length - 2 },
    { target: "netsuite", number: 1, entries: entries.length },
  ]);
});

test("of a batch that an earlier version issued nothing is written again, because its bytes were not kept", async () => {
  const { workplace, folder } = await placeWithEntries();
  await exportStep(workplace);
  await workplace.store.write(() => run(sql`update issued_file set sha256 = null, size = null`));
  rmSync(join(folder, "ledger", "000001-journal.csv"));
  await expect(exportAgainStep(workplace, 1)).rejects.toMatchObject({
    problem: { code: "EXPORT_BYTES_NOT_KEPT", next: "correct-usage" },
  });
  expect(readdirSync(join(folder, "ledger"))).not.toContain("000001-journal.csv");
});

test("a file whose kept bytes were changed in the database is not written again", async () => {
  const { workplace, folder } = await placeWithEntries();
  await exportStep(workplace);
  const other = deflateRawSync(Buffer.from("other")).toString("base64");
  await workplace.store.write(() => run(sql`update issued_part set content = ${other} where file = 0`));
  rmSync(join(folder, "ledger", "000001-journal.csv"));
  await expect(exportAgainStep(workplace, 1)).rejects.toThrow("as they were issued");
  expect(readdirSync(join(folder, "ledger")).filter((name) => name.includes("journal.csv"))).toEqual([]);
});

describe("batches of targets", () => {
  const configuredWith = (place: ReturnType<typeof openPlace>, exports: string) => {
    const later = openWorkplace(
      join(place.folder, "paydrop.yaml"),
      { ...place.environment, PAYDROP_LEDGER_EXPORTS: exports },
      stderrLog("silent"),
    );
    onTestFinished(() => later.close());
    return later;
  };

  test("one target alone is handed what is due to it, and each entry once", async () => {
    const place = openPlace();
    const workplace = configuredWith(place, "[{ preset: netsuite }]");
    await workplace.store.write(() => insertEntries(entries.slice(0, 3), AT));
    expect(await exportStep(workplace, { target: "netsuite" })).toMatchObject([
      { target: "netsuite", number: 1, entries: 3 },
    ]);
    await workplace.store.write(() => insertEntries(entries.slice(0, 4), AT));
    expect(await exportStep(workplace)).toMatchObject([
      { target: "journal", number: 1, entries: 4 },
      { target: "netsuite", number: 2, entries: 1 },
    ]);
    const rows = ["000001", "000002"].flatMap((number) =>
      parse<Record<string, string>>(readFileSync(join(place.folder, "ledger", `${number}-netsuite.csv`)), {
        columns: true,
      }),
    );
    const handedOut = [...new Set(rows.map((row) => row["External ID"]))];
    expect(handedOut).toHaveLength(4);
    await expect(exportStep(workplace, { target: "xero" })).rejects.toMatchObject({
      problem: { code: "NAME_UNKNOWN", fix: expect.stringContaining("journal, netsuite") },
    });
  });

  test("a month alone, and since a day", async () => {
    const place = openPlace();
    const months = ["2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01"];
    const dated = months.map((bookDay, index) => ({ ...(entries[index] as JournalEntry), bookDay }));
    const workplace = configuredWith(place, "[{ preset: netsuite, since: 2026-11-30 }]");
    await workplace.store.write(() => insertEntries(dated, AT));
    expect(await exportStep(workplace, { period: "2026-11" })).toMatchObject([
      { target: "journal", number: 1, entries: 2 },
      { target: "netsuite", number: 1, entries: 1 },
    ]);
    expect(await exportStep(workplace)).toMatchObject([
      { target: "journal", number: 2, entries: 2 },
      { target: "netsuite", number: 2, entries: 1 },
    ]);
    expect(await exportStep(workplace)).toEqual([]);
    const manifest = readFileSync(join(place.folder, "ledger", "000001-journal.manifest.json"), "utf8");
    expect(JSON.parse(manifest)).toMatchObject({ period: "2026-11" });
  });

  test("a manifest says what its files hold, by hash, count and sum, and who has imported such a file", async () => {
    const place = openPlace();
    const workplace = configuredWith(
      place,
      '[{ preset: netsuite }, { preset: xero, settings: { taxRate: None }, confirmedBy: "A. Jones on 2 November" }]',
    );
    await workplace.store.write(() => insertEntries(entries, AT));
    const reports = await exportStep(workplace);
    const manifests = reports.map(({ files }) => {
      const path = files.find((file) => file.endsWith(".manifest.json")) ?? "";
      return JSON.parse(readFileSync(path, "utf8"));
    });
    expect(manifests.map(({ target, format }) => [target, format])).toEqual([
      ["journal", "confirmed by hledger and ledger, which read it in Paydrop's own tests"],
      ["netsuite", "unconfirmed"],
      ["xero", "confirmed by A. Jones on 2 November"],
    ]);
    const quantities = entries.flatMap(({ lines }) => lines.flatMap((line) => line.quantity?.value ?? []));
    for (const [index, manifest] of manifests.entries()) {
      expect(manifest).toMatchObject({
        number: 1,
        counts: { entries: entries.length, lines: entries.flatMap(({ lines }) => lines).length },
        sums: { BTC: { quantity: Decimal.sum(quantities).toString() } },
      });
      expect(manifest.sums.EUR.debit).toBe(manifest.sums.EUR.credit);
      expect(manifest.accounts).toContainEqual(
        expect.objectContaining({ code: "6200", debit: "5686.42", credit: "0" }),
      );
      const beside = (reports[index]?.files ?? []).filter((file) => !file.endsWith(".manifest.json"));
      expect(manifest.files).toEqual(
        beside.map((file) => ({
          name: basename(file),
          sha256: createHash("sha256").update(readFileSync(file)).digest("hex"),
          bytes: readFileSync(file).length,
        })),
      );
    }
  });
});

test("books that began in one currency are not booked on, or written again, in another", async () => {
  const { workplace, folder, environment } = await placeWithEntries();
  await exportStep(workplace);
  rmSync(join(folder, "ledger", "000001-journal.csv"));
  const changed = { ...environment, PAYDROP_LEDGER_FUNCTIONAL_CURRENCY: "USD" };
  const later = openWorkplace(join(folder, "paydrop.yaml"), changed, stderrLog("silent"));
  onTestFinished(() => later.close());
  const problem = { code: "LEDGER_CURRENCY_CHANGED", message: expect.stringContaining("booked in EUR") };
  await expect(ledgerStep(later)).rejects.toMatchObject({ problem });
  await later.store.write(() => insertEntries(entries, AT));
  await expect(exportStep(later)).rejects.toMatchObject({ problem });
  expect(await exportStep(workplace)).toMatchObject([{ number: 2 }]);
});

test("a batch has a file for each ERP that the configuration names, kept with it, and several where one has too many lines", async () => {
  const { workplace, folder, environment } = openPlace();
  const path = join(folder, "paydrop.yaml");
  const exports = `\n  exports: [{ preset: netsuite }, { preset: odoo, settings: { journal: Bitcoin } }, { preset: xero, linesMax: 5, settings: { taxRate: Tax Exempt } }]`;
  writeFileSync(path, readFileSync(path, "utf8").replace(/^ledger:$/m, `ledger:${exports}`));
  const withErps = openWorkplace(path, environment, stderrLog("silent"));
  onTestFinished(() => withErps.close());
  await workplace.store.write(() => insertEntries(entries, AT));
  const files = (await exportStep(withErps)).flatMap((report) => report.files);
  expect(files.map((file) => basename(file))).toEqual([
    "000001-journal.csv",
    "000001-journal.hledger",
    "000001-trial-balance.csv",
    "000001-exceptions.csv",
    "000001-journal.manifest.json",
    "000001-netsuite.csv",
    "000001-netsuite.manifest.json",
    "000001-odoo.csv",
    "000001-odoo.manifest.json",
    "000001-xero.csv",
    "000001-xero.2.csv",
    "000001-xero.3.csv",
    "000001-xero.4.csv",
    "000001-xero.5.csv",
    "000001-xero.manifest.json",
  ]);
  expect(readdirSync(join(folder, "ledger")).sort()).toEqual(files.map((file) => basename(file)).sort());
  expect(readFileSync(join(folder, "ledger", "000001-xero.2.csv"), "utf8")).toContain(
    " 000001-0003,20/11/2026,",
  );
  expect(readFileSync(join(folder, "ledger", "000001-odoo.csv"), "utf8")).toMatch(/^\uFEFFid,journal_id,/);
});

test("a batch whose process died keeps its entries, its number and its bytes: what is posted meanwhile goes into the next", async () => {
  const { workplace, folder, environment } = openPlace();
  const ledger = join(folder, "ledger");
  const configured = (exports: string) => {
    const path = join(folder, "paydrop.yaml");
    const plain = readFileSync(path, "utf8").replace(/\n {2}exports: .*/, "");
    writeFileSync(path, plain.replace(/^ledger:$/m, `ledger:\n  exports: [${exports}]`));
    const place = openWorkplace(path, environment, stderrLog("silent"));
    onTestFinished(() => place.close());
    return place;
  };
  const [first, second, third, ...others] = entries as [JournalEntry, JournalEntry, JournalEntry];
  await workplace.store.write(() => insertEntries([second, third], AT));
  const before = configured(
    "{ preset: netsuite }, { preset: xero, linesMax: 3, settings: { taxRate: None } }",
  );
  // A folder with the name of one file makes the run fail there, when others of the batch are in place.
  mkdirSync(join(ledger, "000001-xero.2.csv"), { recursive: true });
  await expect(exportStep(before)).rejects.toMatchObject({ problem: { code: "OUTPUT_UNWRITABLE" } });
  rmdirSync(join(ledger, "000001-xero.2.csv"));
  const written = new Map(
    ["000001-journal.csv", "000001-netsuite.csv", "000001-xero.csv"].map((name) => [
      name,
      readFileSync(join(ledger, name), "utf8"),
    ]),
  );
  expect(readdirSync(ledger)).not.toContain("000001-xero.manifest.json");

  await workplace.store.write(() => insertEntries([first, ...others], AT));
  const after = configured("{ preset: xero, settings: { taxRate: Other } }");
  const reports = await exportStep(after);
  expect(reports).toMatchObject([
    { target: "xero", number: 1, entries: 2 },
    { target: "journal", number: 2, entries: entries.length - 2 },
    { target: "xero", number: 2, entries: entries.length - 2 },
  ]);
  for (const [name, text] of written) expect(readFileSync(join(ledger, name), "utf8")).toBe(text);
  expect(readFileSync(join(ledger, "000001-xero.2.csv"), "utf8")).toContain(",None,");
  expect(readdirSync(ledger)).toContain("000001-xero.manifest.json");
  expect(await exportStep(after)).toEqual([]);
});

test("a batch that was begun and not yet sealed is rendered again, and its number is not given twice", async () => {
  const { workplace, folder } = await placeWithEntries();
  let writes = 0;
  const dying: Store = {
    ...methodsOf(workplace.store),
    write: (transaction) => {
      writes += 1;
      // After a check that the work is still ours: the batch, its attempt, and the bytes of the first file.
      return writes === 5
        ? Promise.reject(new Error("the process died"))
        : workplace.store.write(transaction);
    },
  };
  await expect(exportStep({ ...workplace, store: dying })).rejects.toThrow("the process died");
  expect(readdirSync(join(folder, "ledger"))).toEqual([]);
  await workplace.store.write(() => insertEntries(entries.slice(0, 3), AT));
  expect(await exportStep(workplace)).toMatchObject([
    { number: 1, entries: 2 },
    { number: 2, entries: 1 },
  ]);
  rmSync(join(folder, "ledger", "000001-journal.csv"));
  expect((await exportAgainStep(workplace, 1)).files.map((file) => basename(file))).toEqual([
    "000001-journal.csv",
  ]);
});

test("a machine that stood still behind its look until another one has issued the number writes no file", async () => {
  const database = { PAYDROP_DATABASE: "postgresql", DATABASE_URL: await newDatabase() };
  const { workplace, folder, environment } = openPlace(database);
  await workplace.store.write(() => insertEntries(entries.slice(0, 1), AT));
  const other = openWorkplace(join(folder, "paydrop.yaml"), environment, stderrLog("silent"));
  onTestFinished(() => other.close());
  let hasStood = false;
  const isDue = (read: unknown) => Array.isArray(read) && read.some((each) => Object.hasOwn(each, "entry"));
  const stoodStill: Store = {
    ...methodsOf(workplace.store),
    read: async (transaction) => {
      const before = await workplace.store.read(transaction);
      // At this point it has read the next number and the entries that are due.
      if (!hasStood && isDue(before)) {
        hasStood = true;
        await query(database.DATABASE_URL, "update paydrop.lease set free_ms = 0");
        await other.store.write(() => insertEntries(entries.slice(0, 2), AT));
        expect(await exportStep(other)).toMatchObject([{ number: 1, entries: 2 }]);
      }
      return before;
    },
  };
  const exporting = exportStep({ ...workplace, store: stoodStill });
  await expect(exporting).rejects.toMatchObject({ problem: { code: "LANE_LOST" } });
  const written = readdirSync(join(folder, "ledger"));
  expect(written.filter((name) => !name.startsWith("000001"))).toEqual([]);
  expect(readFileSync(join(folder, "ledger", "000001-journal.csv"), "utf8")).toContain(entries[1]?.entryId);
});

test("what is shown otherwise while somebody posts is not posted by another one beside it", async () => {
  const { workplace, sandbox, openAgain } = await openSite({ stepMs: 1 });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  const other = openAgain();
  const posting = async () => {
    const effect = { kind: "wrong-echo", field: "debitOrderAlphanumericId", value: "F00D" } as const;
    sandbox.setFaults([{ operation: "findPayoutFilteredV2", effect }]);
    await reconcileStep(other);
    await expect(ledgerStep(other)).rejects.toMatchObject({ problem: { code: "UNDER_WAY" } });
  };
  // Three transactions find the work to do.
  expect(await ledgerStep(meanwhile(workplace, posting, 4))).toMatchObject({ posted: 1 });
  // Reversed, and posted again.
  expect(await ledgerStep(other)).toMatchObject({ posted: 2 });
});

test("what a batch books with a question stays beside it, also where the run that posted it died before it could say so", async () => {
  const { workplace, folder } = await openSite({ stepMs: 1 });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  await expect
    .poll(async () => {
      await reconcileStep(workplace);
      return (await ledgerStep(workplace)).posted;
    })
    .toBe(1);
  expect((await ledgerStep(workplace)).problems).toEqual([]);
  await exportStep(workplace);
  const path = join(folder, "ledger", "000001-exceptions.csv");
  const told = readFileSync(path, "utf8");
  expect(told).toMatch(
    /^\uFEFFkind,sourceId,reference,.*\r\nneeds attention,[0-9a-f-]{36},PAY-1,COMPLETED,.*LEDGER_UNMAPPED\r\n$/,
  );
  rmSync(path);
  await exportAgainStep(workplace, 1);
  expect(readFileSync(path, "utf8")).toBe(told);
});

test("what was posted before its period was closed, and handed out after, is booked on the first open day, for ever", async () => {
  const { workplace, folder, environment } = openPlace();
  const [first, ...others] = entries as [JournalEntry, ...JournalEntry[]];
  await workplace.store.write(() => insertEntries([first], AT));
  await exportStep(workplace);
  await workplace.store.write(() => insertEntries(others, AT));
  const path = join(folder, "paydrop.yaml");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(/^ledger:$/m, "ledger:\n  closedThrough: 2026-11-30"),
  );
  const closed = openWorkplace(path, environment, stderrLog("silent"));
  onTestFinished(() => closed.close());
  expect(await exportStep(closed)).toMatchObject([{ number: 2 }]);
  const journal = join(folder, "ledger", "000002-journal.csv");
  const issued = readFileSync(journal, "utf8");
  const days = (text: string) =>
    (parse(text, { columns: true }) as { bookDate: string; documentDate: string }[]).map(
      ({ bookDate, documentDate }) => `${bookDate} ${documentDate}`,
    );
  expect(new Set(days(issued))).toEqual(new Set(["2026-12-01 2026-11-20"]));
  for (const number of [1, 2]) {
    const file = join(folder, "ledger", `00000${number}-journal.csv`);
    const before = readFileSync(file, "utf8");
    rmSync(file);
    await exportAgainStep(closed, number);
    expect(readFileSync(file, "utf8")).toBe(before);
  }
});

describe("what an ERP's file cannot hold", () => {
  const SAGE = "\n  exports: [{ preset: sage-50-us }]";

  /** Two payments that have settled, one with a project that may be too long for the file. */
  async function settledPayments(project: string) {
    const site = await openSite({ stepMs: 1 });
    for (const [reference, generalLedgerProject, amount] of [
      ["PAY-1", project, "0.001"],
      ["PAY-2", "PRJ-ALPHA", "0.002"],
    ]) {
      const cells = {
        reference,
        amount,
        destinationAddress: ADDRESS,
        generalLedgerName: "Contractors",
      };
      await createPayoutStep(site.workplace, {
        cells: { ...cells, generalLedgerProject } as Record<string, string>,
        submittedBy: "alice",
        approvedBy: ["bob"],
      });
    }
    await expect
      .poll(async () => {
        await reconcileStep(site.workplace);
        const shown = await site.workplace.store.read(() => listSightingsAfter("payout", "", 100));
        return shown.filter(({ state }) => state === "COMPLETED").length;
      })
      .toBeGreaterThanOrEqual(2);
    return site;
  }

  function configure(folder: string, name: string, from: string | RegExp, to: string) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  }

  const told = (folder: string): Record<string, string>[] =>
    parse(readFileSync(join(folder, "ledger", "exceptions.csv")), { columns: true, bom: true });
  const references = (folder: string, number: number) => {
    const text = readFileSync(join(folder, "ledger", `00000${number}-journal.csv`), "utf8");
    const rows: Record<string, string>[] = parse(text, { columns: true });
    return [...new Set(rows.map((row) => row["reference"]))].filter((one) => one?.startsWith("PAY-"));
  };

  test("is held with its reason; the others are booked and exported, and it follows once it fits", async () => {
    const { folder, openAgain } = await settledPayments("a project with a name of its own");
    configure(folder, "paydrop.yaml", /^ledger:$/m, `ledger:${SAGE}`);
    const { issued, ledger } = await ledgerExportStep(openAgain());
    expect(issued).toMatchObject([
      { target: "journal", number: 1, entries: ledger.posted },
      { target: "sage-50-us", number: 1, entries: ledger.posted },
    ]);
    expect(references(folder, 1)).toEqual(["PAY-2"]);
    expect(told(folder).filter(({ reference }) => reference === "PAY-1")).toMatchObject([
      { code: "LEDGER_CELL_TOO_LONG", what: expect.stringContaining("too long for the column Job ID") },
    ]);
    configure(
      folder,
      "chart-of-accounts.csv",
      /^[\s\S]*$/,
      readFileSync(join(folder, "chart-of-accounts.csv"), "utf8")
        .split("\n")
        .map((line, index) => (line === "" ? line : `${line},${index === 0 ? "bookProject" : ""}`))
        .map((line) => line.replace(/^(gl,Contractors,,.*),$/, "$1,OWN-NAME"))
        .join("\n"),
    );
    expect((await ledgerExportStep(openAgain())).issued).toMatchObject([
      { target: "journal", number: 2, entries: 1 },
      { target: "sage-50-us", number: 2, entries: 1 },
    ]);
    expect(references(folder, 2)).toEqual(["PAY-1"]);
    expect(told(folder).map(({ code }) => code)).not.toContain("LEDGER_CELL_TOO_LONG");
  });

  test("though it was booked before that file was configured waits for a later batch of that target, and keeps nothing else from any", async () => {
    const { folder, workplace, openAgain } = await settledPayments("a project with a name of its own");
    const { posted } = await ledgerStep(workplace);
    configure(folder, "paydrop.yaml", /^ledger:$/m, `ledger:${SAGE}`);
    const { issued, ledger } = await ledgerExportStep(openAgain());
    expect(issued).toMatchObject([
      { target: "journal", number: 1, entries: posted },
      { target: "sage-50-us", number: 1, entries: posted - 1 },
    ]);
    expect(ledger.problems).toMatchObject([{ code: "LEDGER_CELL_TOO_LONG", reference: "PAY-1" }]);
    expect(told(folder).map(({ reference }) => reference)).toContain("PAY-1");
    expect((await ledgerExportStep(openAgain())).issued).toEqual([]);
    const columns =
      '\n  exports: [{ preset: sage-50-us, columns: [{ header: Amount, value: "{amount}" }, { header: Job, value: "{project}" }] }]';
    configure(folder, "paydrop.yaml", SAGE, columns);
    expect((await ledgerExportStep(openAgain())).issued).toMatchObject([
      { target: "sage-50-us", number: 2, entries: 1 },
    ]);
  });

  test("is not booked either, so that a shorter code in the chart still helps", async () => {
    const { folder, openAgain } = await settledPayments("PRJ-ALPHA");
    configure(folder, "paydrop.yaml", /^ledger:$/m, `ledger:${SAGE}`);
    configure(folder, "chart-of-accounts.csv", ",1511,", ",1511-000-000-0001,");
    const again = openAgain();
    expect((await ledgerStep(again)).problems.map(({ code }) => code)).toContain("LEDGER_CELL_TOO_LONG");
    expect(await exportStep(again)).toEqual([]);
    configure(folder, "chart-of-accounts.csv", ",1511-000-000-0001,", ",1511,");
    const { posted } = await ledgerStep(again);
    expect(posted).toBeGreaterThan(0);
    expect(await exportStep(again)).toMatchObject([
      { number: 1, entries: posted },
      { number: 1, entries: posted },
    ]);
  });
});

function methodsOf(store: Store): Store {
  return {
    isShared: store.isShared,
    read: (transaction) => store.read(transaction),
    write: (transaction) => store.write(transaction),
    takeLane: (keyId, sendingMs) => store.takeLane(keyId, sendingMs),
    close: () => store.close(),
  };
}
