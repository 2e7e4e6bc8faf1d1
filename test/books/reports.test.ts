/** The reports of the books over a month whose figures were worked out by hand, and over random entries. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  type BooksReport,
  type BooksReportAsked,
  booksReportStep,
  type Cell,
  isFigure,
  writeBooksReport,
} from "../../src/books/index.ts";
import type { BooksReportName, ObservedRate } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { run, sql } from "../../src/store/sql.ts";
import { openPlace } from "../site/workplace.ts";
import { atNoon, booked, FORMULA, post } from "./booked-month.ts";
import { payouts } from "./golden-books.ts";
import { book, btc, CHART_TEXT, funds, payout, policyWith, rateIntoEur } from "./movements.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-books-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shownText(cell: Cell): string {
  if (cell === undefined) return "";
  return isFigure(cell) ? cell.value.normalized().toString() : String(cell);
}

/** The rows of a table, of these columns. */
function rowsOf({ tables }: BooksReport, keys: readonly string[], table = 0): string[] {
  return (tables[table]?.rows ?? []).map(({ cells }) => keys.map((key) => shownText(cells[key])).join(" | "));
}

const reportOf = async (asked: BooksReportAsked) => booksReportStep(await booked(), asked);

describe("a month that was worked out by hand", () => {
  const SUMS = ["code", "opening", "debit", "credit", "closing", "closing BTC"];
  const NOVEMBER_ROWS = [
    "1200 | 0 | 0 | 1797 | -1797 | ",
    "1510 | 0 | 1817.25 | 5688.17 | -3870.92 | -0.0472715",
    "2210 | 0 | 1817.25 | 1817.25 | 0 | 0",
    "2290 | 0 | 0 | 20.25 | -20.25 | -0.00025",
    "6200 | 0 | 5686.42 | 0 | 5686.42 | 0.07",
    "6810 | 0 | 1.75 | 0 | 1.75 | 0.0000215",
    " | 0 | 9322.67 | 9322.67 | 0 | ",
  ];

  test("has its trial balance, and the next month opens with it", async () => {
    const workplace = await booked();
    const november = { name: "trial-balance", from: "2026-11-01", to: "2026-11-30" } as const;
    expect(rowsOf(await booksReportStep(workplace, november), SUMS)).toEqual(NOVEMBER_ROWS);
    const december = await booksReportStep(workplace, { name: "trial-balance", from: "2026-12-01" });
    expect(rowsOf(december, SUMS)).toEqual([
      "1200 | -1797 | 0 | 0 | -1797 | ",
      "1510 | -3870.92 | 0 | 800.8 | -4671.72 | -0.0572815",
      "2210 | 0 | 0 | 0 | 0 | 0",
      "2290 | -20.25 | 0 | 0 | -20.25 | -0.00025",
      "6200 | 5686.42 | 800 | 0 | 6486.42 | 0.08",
      "6810 | 1.75 | 0.8 | 0 | 2.55 | 0.0000315",
      " | 0 | 800.8 | 800.8 | 0 | ",
    ]);
  });

  test("of everything it comes from the running sums, and says the same as entry by entry", async () => {
    const workplace = await booked();
    const ofSums = await booksReportStep(workplace, { name: "trial-balance" });
    const ofEntries = await booksReportStep(workplace, { name: "trial-balance", from: "2026-01-01" });
    expect(ofSums.tables).toEqual(ofEntries.tables);
  });

  test("is shown as it was known on an earlier day", async () => {
    const asked = { name: "trial-balance", asOf: "2026-11-22" } as const;
    expect(rowsOf(await reportOf(asked), SUMS)).toEqual([
      "1510 | 0 | 0 | 5688.17 | -5688.17 | -0.0700215",
      "6200 | 0 | 5686.42 | 0 | 5686.42 | 0.07",
      "6810 | 0 | 1.75 | 0 | 1.75 | 0.0000215",
      " | 0 | 5688.17 | 5688.17 | 0 | ",
    ]);
    expect(rowsOf(await reportOf({ ...asked, asOf: "2026-11-20" }), SUMS)).toEqual([]);
  });

  test("has its journal, whose sums are the trial balance's", async () => {
    const report = await reportOf({ name: "journal", to: "2026-11-30" });
    const rows = rowsOf(report, ["day", "code", "debit", "credit", "quantity", "project"]);
    expect(rows.slice(0, 3)).toEqual([
      "2026-11-20 | 6200 | 4061.73 |  | 0.05 | PRJ-ALPHA",
      "2026-11-20 | 6810 | 1.75 |  | 0.0000215 | ",
      "2026-11-20 | 1510 |  | 4063.48 | -0.0500215 | ",
    ]);
    expect(rowsOf(report, ["account", "debit", "credit"]).at(-1)).toBe("Total | 9322.67 | 9322.67");
  });

  test("has its general ledger: each account opens, moves and runs on", async () => {
    const report = await reportOf({ name: "general-ledger", from: "2026-12-01" });
    const rows = rowsOf(report, ["code", "entry", "debit", "credit", "balance"]);
    expect(rows.filter((row) => row.startsWith("1510"))).toEqual([
      "1510 | Opening balance |  |  | -3870.92",
      "1510 | payout:0005:settle:1 |  | 800.8 | -4671.72",
    ]);
    expect(rows.filter((row) => row.startsWith("1200"))).toEqual(["1200 | Opening balance |  |  | -1797"]);
  });

  test("has its sums by project and distribution", async () => {
    const report = await reportOf({ name: "projects", from: "2026-11-01", to: "2026-11-30" });
    expect(rowsOf(report, ["project", "distribution", "debit", "credit", "balance"])).toEqual([
      "(without a project) | (without a distribution) | 5260.94 | 9322.67 | -4061.73",
      "PRJ-ALPHA | DIST-OPS | 4061.73 | 0 | 4061.73",
      "Total |  | 9322.67 | 9322.67 | 0",
    ]);
    expect(rowsOf(report, ["project", "code", "balance"], 1)).toContain("PRJ-ALPHA | 6200 | 4061.73");
  });

  test("has its payments by payee", async () => {
    const report = await reportOf({ name: "payees" });
    expect(rowsOf(report, ["payee", "payments", "paid", "crypto", "value", "fee"])).toEqual([
      "(not named) | 3 | 0.08 | BTC | 6486.42 | 2.55",
      "Total |  | 0.08 | BTC |  | ",
      "Total |  |  |  | 6486.42 | 2.55",
    ]);
    expect(rowsOf(report, ["day", "reference", "paid", "value"], 1)).toEqual([
      "2026-11-20 | INV-77 | 0.05 | 4061.73",
      "2026-11-20 |  | 0.02 | 1624.69",
      `2026-12-01 | ${FORMULA} | 0.01 | 800`,
      " | Total | 0.08 | ",
      " | Total |  | 6486.42",
    ]);
  });

  const RATES = ["crypto", "day", "entries", "lowest", "lowestOf", "highest", "highestOf"];

  test("a payment that was reversed counts back, and its first rate no more", async () => {
    const { workplace } = openPlace();
    const atRate = (rate: ObservedRate) =>
      payouts.map((each) =>
        each.reference === "INV-77"
          ? { ...each, sentFunds: each.sentFunds.map((moved) => ({ ...moved, rate })) }
          : each,
      );
    const before = book({ payouts: atRate(rateIntoEur("81.23456")) }).entries;
    await post(workplace, before, "2026-11-21T02:30:00.000Z");
    const reportOfNow = (name: BooksReportName) => booksReportStep(atNoon(workplace), { name });
    expect(rowsOf(await reportOfNow("rates"), RATES)[0]).toBe(
      "BTC | 2026-11-20 | 2 | 81.23456 | INV-77 | 81234.56 | 0002",
    );
    const after = book({ payouts: atRate(rateIntoEur("80000")), posted: before }).entries;
    expect(after.map(({ kind }) => kind)).toContain("payout-reverse");
    await post(workplace, after, "2026-11-22T02:30:00.000Z");
    expect(rowsOf(await reportOfNow("payees"), ["payments", "paid", "value"])[0]).toBe("2 | 0.07 | 5624.69");
    expect(rowsOf(await reportOfNow("rates"), RATES)[0]).toBe(
      "BTC | 2026-11-20 | 2 | 80000 | INV-77 | 81234.56 | 0002",
    );
  });

  test("has its rates by day, in either direction, and a wrong one stands out", async () => {
    const { workplace } = openPlace();
    const at = (id: string, rate: ObservedRate, confirmedAt: string) => {
      const sentFunds = [funds({ amount: btc("0.05"), rate, confirmedAt })];
      return payout(id, { reference: `INV-${id}`, sentFunds });
    };
    const intoBtc = (rate: string) => ({ rate: Decimal.of(rate), from: "EUR", to: "BTC" });
    const paid = [
      at("1", rateIntoEur("80000"), "2026-11-20T12:00:00.000Z"),
      at("2", intoBtc("0.0000125"), "2026-11-20T13:00:00.000Z"),
      at("3", rateIntoEur("81000"), "2026-11-20T14:00:00.000Z"),
      at("4", intoBtc("80000"), "2026-11-21T12:00:00.000Z"),
    ];
    await post(workplace, book({ payouts: paid }).entries, "2026-11-22T02:30:00.000Z");
    const report = await booksReportStep(atNoon(workplace), { name: "rates" });
    expect(rowsOf(report, RATES)).toEqual([
      "BTC | 2026-11-20 | 3 | 80000 | INV-1 | 81000 | INV-3",
      "BTC | 2026-11-21 | 1 | 0.0000125 | INV-4 | 0.0000125 | INV-4",
      "BTC | All days | 4 | 0.0000125 | INV-4 | 81000 | INV-3",
    ]);
    const first = { name: "rates", to: "2026-11-20" } as const;
    expect(rowsOf(await booksReportStep(atNoon(workplace), first), RATES)).toHaveLength(2);
  });

  test("leaves out a rate of zero, which an amount in euro may show", async () => {
    const { workplace } = openPlace();
    const rateUsed = { rate: Decimal.zero, from: "EUR", to: "BTC", origin: "funds" } as const;
    const entries = book({ payouts }).entries.map((entry) => ({ ...entry, rateUsed }));
    await post(workplace, entries, "2026-11-21T02:30:00.000Z");
    expect(rowsOf(await booksReportStep(atNoon(workplace), { name: "rates" }), RATES)).toEqual([]);
  });
});

test.each([
  [{ name: "journal", from: "2026-12-01", to: "2026-11-01" }, /begins on 2026-12-01 and ends on 2026-11-01/],
  [{ name: "held", from: "2026-12-01" }, /held is for one moment/],
  [{ name: "trial-balance", asOf: "2026-12-04" }, /2026-12-04 lies in the future/],
  [{ name: "tie-out" }, /there is no night/],
] as const)("%j is refused in one sentence", async (asked, sentence) => {
  await expect(reportOf(asked)).rejects.toThrow(sentence);
});

test("as CSV it has plain figures, and no text that a program takes for a formula", async () => {
  const workplace = await booked();
  const report = await booksReportStep(workplace, { name: "journal", from: "2026-12-01" });
  const path = join(folder, "journal.csv");
  await writeBooksReport(workplace, report, "csv", path);
  const rows: Record<string, string>[] = parse(readFileSync(path), { columns: true, bom: true });
  expect(rows.map((row) => [row["Debit EUR"], row["Credit EUR"], row["Quantity"]])).toEqual([
    ["800.00", "", "0.01000000"],
    ["0.80", "", "0.00001000"],
    ["", "800.80", "-0.01001000"],
    ["800.80", "800.80", ""],
  ]);
  expect(rows[0]?.["Reference"]).toBe(`'${FORMULA}`);
});

/** Contractors and the first share are of a region; nothing else is. */
const WITH_REGIONS = CHART_TEXT.split("\n")
  .map((line, index) => {
    if (line === "") return line;
    if (index === 0) return `${line},dimension.region`;
    return `${line},${/Contractors|shared:one/.test(line) ? "EU" : ""}`;
  })
  .join("\n");

test("for random entries and days, the sums of projects and dimensions are the journal's and the trial balance's", async () => {
  const { workplace } = openPlace();
  const days = fc.integer({ min: 1, max: 60 }).map((day) => new Date(Date.UTC(2026, 9, day)).toISOString());
  const random = fc.array(
    fc.record({
      units: fc.integer({ min: 1, max: 9_999_999 }),
      at: days,
      fee: fc.integer({ min: 0, max: 999 }),
    }),
    { maxLength: 12 },
  );
  const noon = atNoon(workplace);
  await fc.assert(
    fc.asyncProperty(random, days, days, async (rows, one, other) => {
      const { entries } = book({
        policy: policyWith({ timeZone: "UTC" }),
        chartText: WITH_REGIONS,
        payouts: rows.map(({ units, at, fee }, index) =>
          payout(`p${index}`, {
            requestedAmount: btc(`${units}e-8`),
            generalLedgerName: index % 2 === 0 ? "Shared" : "Contractors",
            generalLedgerProject: `P${index % 3}`,
            sentFunds: [
              funds({
                ...{ amount: btc(`${units}e-8`), fee: btc(`${fee}e-8`), rate: rateIntoEur("81234.56") },
                confirmedAt: at,
              }),
            ],
          }),
        ),
      });
      await workplace.store.write(function* () {
        yield* run(sql`delete from entry`);
        yield* run(sql`delete from ledger_sum`);
      });
      await post(workplace, entries, "2026-12-01T00:00:00.000Z");
      const [from = "", to = ""] = [one, other].map((at) => at.slice(0, 10)).sort();
      const sums = async (name: BooksReportAsked["name"], tableName?: string) => {
        const { tables } = await booksReportStep(noon, { name, from, to });
        const table = tables.find((each) => tableName === undefined || each.name === tableName);
        const total = table?.rows.filter(({ isTotal }) => isTotal).at(-1)?.cells;
        return ["debit", "credit"].map((key) =>
          shownText(total?.[key] ?? { value: Decimal.zero, currency: "" }),
        );
      };
      const expected = Decimal.sum(
        entries
          .filter(({ bookDay }) => bookDay >= from && bookDay <= to)
          .flatMap(({ lines }) => lines.flatMap(({ debit }) => debit ?? [])),
      );
      const journal = await sums("journal");
      expect(journal[0]).toBe(expected.normalized().toString());
      expect(journal[1]).toBe(journal[0]);
      expect(await sums("trial-balance")).toEqual(journal);
      expect(await sums("projects")).toEqual(journal);
      const regional = entries.some(({ lines }) => lines.some(({ dimensions }) => dimensions !== undefined));
      if (regional) expect(await sums("projects", "By region")).toEqual(journal);
    }),
    { numRuns: 30 },
  );
});
