/** What was not used is shown and asked for; what a person has accepted for a layout is not asked again. */
import { describe, expect, test } from "vitest";
import type { AcceptedLayout, InitiationPolicy } from "../../src/initiation/index.ts";
import { Decimal } from "../../src/money/index.ts";
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
      'column "Memo" was not read: "one", "two", "three" and others',
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
      (_, index) => `P-${index},0.0${(index % 8) + 1},${A},${index === 4 ? "check" : ""}`,
    );
    const rare = `${HEADER},Remark\n${rows.join("\n")}`;
    const asked = await questionsOf(rare);
    expect(asked).toMatchObject([{ text: 'column "Remark" says "check"', lines: [6] }]);
    const layout = layoutWith({ accepted: new Set(asked.map(({ id }) => id)) });
    expect(await questionsOf(rare, { layout })).toEqual([]);
    expect(await questionsOf(rare.replaceAll("P-", "Q-"), { layout })).toHaveLength(1);
  });
});

test("a payment named without a digit that comes to the sum of those above it may be their total", async () => {
  const rows = `P-1,0.05,${A}\nP-2,0.02,${B}`;
  expect(await questionsOf(`${HEADER}\n${rows}\nTotal,0.07,${C}`)).toMatchObject([
    { text: '"Total" pays 0.07 BTC, the sum of the payments above it', lines: [4] },
  ]);
  expect(await questionsOf(`${HEADER}\n${rows}\nP-3,0.07,${C}`)).toEqual([]);
});

test("notes and section headings are asked for by their text, wherever they stand", async () => {
  const asked = await questionsOf(`${HEADER}\nSpain,,\nP-1,0.05,${A}\nDRAFT,,`);
  const layout = layoutWith({ accepted: new Set(asked.map(({ id }) => id)) });
  expect(await questionsOf(`${HEADER}\nSpain,,\nP-7,0.05,${A}\nP-8,0.02,${B}\nDraft,,`, { layout })).toEqual(
    [],
  );
});

test("an amount or sum of more than ten times the largest so far waits", async () => {
  const largest = { BTC: { row: Decimal.of("0.01"), sum: Decimal.of("0.02") } };
  const layout = layoutWith({ largest });
  const asked = await questionsOf(`${HEADER}\nP-1,0.1,${A}\nP-2,0.11,${B}`, { layout });
  expect(asked).toMatchObject([{ lines: [3] }, { lines: [] }]);
  expect(asked[1]?.text).toBe("the sum of 0.21 BTC is more than ten times the largest so far, 0.02");
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
