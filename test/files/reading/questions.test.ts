/** Unused columns and values are shown and asked about; answers accepted for a layout are not asked for again. */
import { describe, expect, test } from "vitest";
import type { AcceptedLayout, InitiationPolicy } from "../../../src/files/reading/index.ts";
import { Decimal } from "../../../src/money/index.ts";
import { ADDRESSES, readFile } from "./grids.ts";

const [A, B, C] = ADDRESSES;
const HEADER = "reference,amount,destinationAddress";

function layoutWith(changes: Partial<AcceptedLayout> = {}): AcceptedLayout {
  return { columns: {}, accepted: new Set(), notPaid: new Set(), largest: {}, ...changes };
}

async function questionsOf(file: string, changes: Partial<InitiationPolicy> = {}) {
  return (await readFile(file, changes)).reading?.questions ?? [];
}

describe("a column that is not read", () => {
  const file = `${HEADER},Status,Memo,Blank\nP-1,0.05,${A},ok,one,\nP-2,0.02,${B},ok,two,\nP-3,0.01,${C},on hold,three,`;

  test("is listed with its kind, and its few values with their counts and lines", async () => {
    const { reading } = await readFile(file);
    expect(reading?.unread).toEqual([
      {
        position: 3,
        heading: "Status",
        kind: "few",
        values: [
          { value: "ok", count: 2, lines: [2, 3] },
          { value: "on hold", count: 1, lines: [4] },
        ],
      },
      {
        position: 4,
        heading: "Memo",
        kind: "text",
        values: ["one", "two", "three"].map((value, index) => ({ value, count: 1, lines: [index + 2] })),
      },
      { position: 5, heading: "Blank", kind: "empty", values: [] },
    ]);
  });

  test("is asked for value by value, and answered ones are not asked again in another file", async () => {
    const asked = await questionsOf(file);
    expect(asked.map(({ text }) => text)).toEqual([
      'column "Status" says "ok" in 2 rows',
      'column "Status" says "on hold" in 1 row',
      'column "Memo" was not read: "one", "two", "three"',
    ]);
    const layout = layoutWith({ accepted: new Set(asked.map(({ id }) => id)) });
    expect(await questionsOf(file.replaceAll("P-", "Q-"), { layout })).toEqual([]);
    const next = await questionsOf(file.replaceAll("ok", "void"), { layout });
    expect(next.map(({ text }) => text)).toEqual(['column "Status" says "void" in 2 rows']);
  });

  test("leaves out the rows with a value that is answered `do not pay`, which still count for totals", async () => {
    const [, hold] = await questionsOf(file);
    const layout = layoutWith({ notPaid: new Set([hold?.id ?? ""]) });
    const result = await readFile(`${file}\nTotal,0.08,,,,`, { layout });
    expect(result).toMatchObject({
      verdict: "accepted",
      rowsRead: 2,
      rowsAccepted: 2,
      rowsRejected: 0,
      rowsLeftOut: 1,
    });
    expect(result.rows[2]).toEqual({
      row: 3,
      line: 4,
      problems: [],
      warnings: [],
      leftOut: 'column "Status" says "on hold"',
    });
    expect(result.totalsConfirmedBy).toEqual(["line 5"]);
    expect(result.paid).toHaveLength(2);
  });

  test("that is rarely filled is asked for cell by cell, each time", async () => {
    const rows = Array.from(
      { length: 11 },
      (_, index) => `P-${index},0.${index + 11},${A},Ana,${index === 4 ? "check" : ""}`,
    );
    const rare = `${HEADER},payee,Remark\n${rows.join("\n")}`;
    const asked = await questionsOf(rare);
    expect(asked).toMatchObject([{ text: 'column "Remark" says "check"', lines: [6] }]);
    const layout = layoutWith({ accepted: new Set(asked.map(({ id }) => id)) });
    expect(await questionsOf(rare, { layout })).toEqual([]);
    expect(await questionsOf(rare.replaceAll("P-", "Q-"), { layout })).toHaveLength(1);
  });
});

test("a payment that comes to the sum of those above it may be their total, unless it is called as they are", async () => {
  const rows = `P-1,0.05,${A}\nP-2,0.02,${B}`;
  for (const name of ["Total", "TOTAL 11/2026", "SUM-2"])
    expect(await questionsOf(`${HEADER}\n${rows}\n${name},0.07,${C}`)).toMatchObject([
      { text: `"${name}" pays 0.07 BTC, the sum of the payments above it`, lines: [4] },
    ]);
  expect(await questionsOf(`${HEADER}\n${rows}\nP-3,0.07,${C}`)).toEqual([]);
  const [asked] = await questionsOf(`${HEADER}\n${rows}\nP-3,0.01,${C}\nP-4,0.08,${ADDRESSES[3]}`);
  expect(asked?.text).toBe('"P-4" pays 0.08 BTC, the sum of the payments above it');
});

test("a total with a reference or a payee of its own may be a payment whose destination was forgotten", async () => {
  const rows = `reference,payee,amount,destinationAddress\nP-1,Ana,0.05,${A}\nP-2,Bob,0.02,${B}`;
  for (const own of ["P-3,Cid", "TOTAL-3,", "P-3,", "Total,Ana"])
    expect((await questionsOf(`${rows}\n${own},0.07,`)).map(({ text }) => text).join()).toMatch(
      /line 4 was read as the total 0.07 of lines 2 to 3 .* name of its own/,
    );
  for (const label of ["Total,", ",Total", "Total 2 payments,", ","])
    expect(await questionsOf(`${rows}\n${label},0.07,`)).toEqual([]);
});

test("one address in several rows is asked about where no column names payees", async () => {
  const file = (column: string, names: readonly string[]) =>
    `${HEADER},${column}\n${names.map((name, at) => `P-${at},0.0${at + 3}1,${at < 3 ? A : B},${name}`).join("\n")}`;
  const filled = (await questionsOf(file("Note", ["Ana", "Bob", "Cid", "Dan"]))).map(({ text }) => text);
  expect(filled.at(-1)).toBe(`one address, ${A}, is paid in 3 of 4 rows, and no column names payees`);
  expect(await questionsOf(file("Supplier", ["Ana", "Ana", "Ana", "Dan"]))).toEqual([]);
});

test("what the chart of accounts does not know is asked value by value, under other names than the interface's own", async () => {
  const unknownToChart = (fields: Readonly<Record<string, unknown>>) =>
    fields["generalLedgerDistribution"] === "Sales" ? [] : (["generalLedgerDistribution"] as const);
  const file = (heading: string) =>
    `${HEADER},${heading}\nP-1,0.05,${A},Sales\nP-2,0.02,${B},ON HOLD\nP-3,0.01,${C},ON HOLD`;
  const asked = await questionsOf(file("Department"), { unknownToChart });
  const about = 'column "Department" says "ON HOLD" in 2 rows, which the chart of accounts does not know';
  expect(asked).toMatchObject([{ text: about, value: "Department=ON HOLD", lines: [3, 4] }]);
  const layout = layoutWith({ notPaid: new Set(asked.map(({ id }) => id)) });
  expect(await readFile(file("Department"), { unknownToChart, layout })).toMatchObject({ rowsLeftOut: 2 });
  expect(await questionsOf(file("generalLedgerDistribution"), { unknownToChart })).toEqual([]);
});

test("days long past are asked about once a file, but not those that are due", async () => {
  const dated = (heading: string, day: string) =>
    `${HEADER},${heading}\nP-1,0.05,${A},${day}\nP-2,0.02,${B},${day}\nP-3,0.01,${C},`;
  expect(await questionsOf(dated("Payment date", "2026-11-14"))).toMatchObject([
    {
      text: "`Payment date` is more than 5 days past in 2 rows (2026-11-14): they may have been paid already",
    },
  ]);
  expect(await questionsOf(dated("Payment date", "2026-11-15"))).toEqual([]);
  expect(await questionsOf(dated("Due", "2026-10-01"), { columns: { Due: "payOn" } })).toEqual([]);
});

test("a title is compared without numbers and months, another note without its days", async () => {
  const file = (title: string, footer: string) =>
    `"${title}",,\n${HEADER}\nP-1,0.05,${A}\nP-2,0.02,${B}\n"${footer}",,`;
  const asked = await questionsOf(file("Payroll 11/2026, 24 people", "Approved on 28.11.2026 by CFO"));
  const layout = layoutWith({ accepted: new Set(asked.map(({ id }) => id)) });
  expect(
    await questionsOf(file("Payroll December, 25 people", "Approved on 3.12.2026 by CFO"), { layout }),
  ).toEqual([]);
  expect(await questionsOf(file("Refunds 12/2026", "Pay only 2 of 3"), { layout })).toHaveLength(2);
});

test("a note that gives the file's own count or sum is compared without it", async () => {
  const file = (footer: string, amount = "0.02") =>
    `${HEADER}\nP-1,0.05,${A}\nP-2,${amount},${B}\n"${footer}",,`;
  const layout = layoutWith({
    accepted: new Set((await questionsOf(file("Total: 2 payments, 0.070 BTC"))).map(({ id }) => id)),
  });
  expect(await questionsOf(file("Total: 2 payments, 0,08 BTC", "0.03"), { layout })).toEqual([]);
  expect(await questionsOf(file("Total: 2 payments, 0.9 BTC"), { layout })).toHaveLength(1);
  expect(await questionsOf(file("Total: 3 payments, 0.07 BTC"), { layout })).toHaveLength(1);
});

test("a column with a day or a month in every row is asked about once, and not day by day", async () => {
  const file = (...days: readonly string[]) =>
    `${HEADER},Due\n${days.map((day, at) => `P-${at},0.0${at + 3},${ADDRESSES[at]},${day}`).join("\n")}`;
  const asked = await questionsOf(file("2026-12-15", "2026-12-15", "2026-12-16"));
  expect(asked).toHaveLength(1);
  const layout = layoutWith({ accepted: new Set(asked.map(({ id }) => id)) });
  for (const days of [
    ["15.1.2027", "15.1.2027"],
    ["January 2027", "January 2027"],
  ])
    expect(await questionsOf(file(...days), { layout })).toEqual([]);
  for (const days of [
    ["15.1.2027", "paid", "paid"],
    ["2000", "2000"],
    ["1", "1"],
    ["15.1.2027", "15.1.2027", ""],
  ])
    expect(await questionsOf(file(...days), { layout })).not.toEqual([]);
});

test("in files of 20 rows and more a column has few values only where they repeat", async () => {
  const rows = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `P-${at},0.0${at + 1}7,${A},Ana,${at < 11 ? `v${at % 10}` : ""}`,
    );
  const kindOf = async (count: number) =>
    (await readFile(`${HEADER},payee,Tag\n${rows(count).join("\n")}`)).reading?.unread[0]?.kind;
  expect([await kindOf(19), await kindOf(20)]).toEqual(["few", "text"]);
});

test("notes and section headings are asked for by their text, wherever they stand", async () => {
  const asked = await questionsOf(`${HEADER}\nSpain,,\nP-1,0.05,${A}\nDRAFT,,`);
  const layout = layoutWith({ accepted: new Set(asked.map(({ id }) => id)) });
  expect(await questionsOf(`${HEADER}\nSpain,,\nP-7,0.05,${A}\nP-8,0.02,${B}\nDraft,,`, { layout })).toEqual(
    [],
  );
});

test("an amount of more than ten times the largest so far waits, and a sum of more than three times", async () => {
  const largest = { BTC: { row: Decimal.of("0.01"), sum: Decimal.of("0.02") } };
  const layout = layoutWith({ largest });
  const asked = await questionsOf(`${HEADER}\nP-1,0.1,${A}\nP-2,0.11,${B}`, { layout });
  expect(asked).toMatchObject([{ lines: [3] }, { lines: [] }]);
  expect(asked[1]?.text).toBe("the sum of 0.21 BTC is more than three times the largest so far, 0.02");
});

test("a file that is refused for its columns asks nothing else", async () => {
  expect(await questionsOf(`Remark,${"x"},amount\nP-1,a,0.05`)).toEqual([]);
});

test("rows of a CSV that lack cells which others have are asked for, each time", async () => {
  const asked = await questionsOf(`${HEADER},Days\nP-1,0.05,${A},1\nP-2,0.02,${B}`);
  expect(asked.map(({ text, lines }) => [text, lines])).toContainEqual([
    "1 row has fewer cells than the others, so cells may have slipped into other columns",
    [3],
  ]);
});
