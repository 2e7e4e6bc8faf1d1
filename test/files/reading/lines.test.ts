/** Lines of a sheet: structure identifies totals, notes and sections, and no payment is taken for one of them. */
import { describe, expect, test } from "vitest";
import { ADDRESSES, gridOf, numberCell, readFile, sheetOf } from "./grids.ts";

const [A, B, C, D] = ADDRESSES;
const HEADER = "reference,amount,destinationAddress";
const TWO = `${HEADER}\nP-1,0.05,${A}\nP-2,0.02,${B}`;

describe("a total", () => {
  test.each([`Total,0.07,`, `,0.07,`, `Summe,0.070,`, `0.07,0.07,`, `Gesamt,0.07,Total BTC`])(
    "is the line whose amount is the sum of the payments above, whatever stands beside it: %s",
    async (line) => {
      const result = await readFile(`${TWO}\n${line}`);
      expect(result).toMatchObject({ verdict: "accepted", rowsAccepted: 2, totalsConfirmedBy: ["line 4"] });
      expect(result.reading?.totals).toMatchObject([
        { line: 4, covers: "file", firstLine: 2, lastLine: 3, amount: "0.07" },
      ]);
      expect(result.questions).toEqual([]);
    },
  );

  test("may be one of each section, and of the file", async () => {
    const file = `${TWO}\nSubtotal,0.07,\nP-3,0.01,${C}\nP-4,0.03,${D}\nSubtotal,0.04,\nTotal,0.11,`;
    const { verdict, reading, rowsAccepted } = await readFile(file);
    expect([verdict, rowsAccepted]).toEqual(["accepted", 4]);
    expect(
      reading?.totals.map(({ line, covers, firstLine, lastLine }) => [line, covers, firstLine, lastLine]),
    ).toEqual([
      [4, "section", 2, 3],
      [7, "section", 5, 6],
      [8, "file", 2, 6],
    ]);
  });

  test("may be a formula's result with the noise of binary numbers", async () => {
    const sum = { kind: "formula", value: { kind: "number", text: "0.30000000000000004" } } as const;
    const sheet = sheetOf([
      ["reference", "amount", "destinationAddress"],
      ["P-1", numberCell("0.1"), A],
      ["P-2", numberCell("0.2"), B],
      ["", sum, ""],
    ]);
    expect(await readFile(sheet)).toMatchObject({ verdict: "accepted", totalsConfirmedBy: ["line 4"] });
  });

  test("of one currency is compared with the payments in it", async () => {
    const file = `reference,amount,currency,destinationAddress\nP-1,0.05,BTC,${A}\nP-2,0.02,BTC,${B}\nTotal,0.07,BTC,`;
    expect(await readFile(file)).toMatchObject({ verdict: "accepted", totalsConfirmedBy: ["line 4"] });
  });

  test("that is not the sum is a payment without a destination, with what the payments come to", async () => {
    const { codes, problems } = await readFile(`${TWO}\nTotal,0.08,`);
    expect(codes).toEqual(["4 CONTROL_TOTAL_DIFFERS"]);
    expect(problems[0]?.message).toContain(
      "0.08 has no destination and is not the sum of the payments, which is 0.07",
    );
  });

  test("is recognised beside a payment whose destination is wrong or missing", async () => {
    for (const [address, code] of [
      [`${B}x`, "ADDRESS_MALFORMED"],
      ["", "DESTINATION_MISSING"],
    ]) {
      const file = `${HEADER}\nP-1,0.05,${A}\nP-2,0.02,${address}\nP-3,0.01,${C}\nTotal,0.08,`;
      expect((await readFile(file)).codes).toEqual([`3 ${code}`]);
    }
  });

  test("is not blamed for a payment whose amount cannot be read", async () => {
    const file = `${HEADER}\nP-1,0.05,${A}\nP-2,O.02,${B}\nTotal,0.07,`;
    expect((await readFile(file)).codes).toEqual(["3 AMOUNT_UNREADABLE"]);
    const { verdict, codes } = await readFile(file, { onBadRow: "reject-row" });
    expect([verdict, codes]).toEqual(["rejected", ["3 AMOUNT_UNREADABLE", "4 CONTROL_TOTAL_UNPROVEN"]]);
  });

  test("that repeats one of the same lines is asked for", async () => {
    const { questions } = await readFile(`${TWO}\nTotal,0.07,\nCarried over,0.07,`);
    expect(questions).toEqual(['"Carried over" repeats the sum 0.07 of the same lines']);
  });

  test("of a group with one payment needs a total of the file beside it", async () => {
    const groups = `${HEADER}\nP-1,0.05,${A}\nTotal Ana,0.05,\nP-2,0.02,${B}\nP-3,0.01,${C}\nTotal Bob,0.03,`;
    const { verdict, paid, reading, questions } = await readFile(`${groups}\nTotal,0.08,`);
    expect([verdict, paid.length, questions]).toEqual(["accepted", 3, []]);
    expect(reading?.totals.map(({ line, covers, firstLine }) => [line, covers, firstLine])).toEqual([
      [3, "section", 2],
      [6, "section", 4],
      [7, "file", 2],
    ]);
    expect((await readFile(groups)).codes).toEqual(["3 DESTINATION_MISSING"]);
    expect((await readFile(`${groups}\nTotal,0.13,`)).codes).toContain("3 DESTINATION_MISSING");
    expect((await readFile(`${groups.replace("Total Ana", "P-9")}\nTotal,0.08,`)).questions.join()).toMatch(
      /line 3 was read as the total 0.05 .* name of its own: "P-9"/,
    );
    expect((await readFile(`${groups.replace("Total Ana", "HOLD")}\nTotal,0.08,`)).questions.join()).toMatch(
      /line 3 was read as the total 0.05 .* name of its own: "HOLD"/,
    );
  });

  test("with a remark beside it is asked for", async () => {
    const asked = async (total: string) =>
      (await readFile(`${HEADER},Memo,\nP-1,0.05,${A},one,\nP-2,0.02,${B},two,\n${total}`)).questions.slice(
        1,
      );
    for (const total of ["Total,0.07,,not yet approved,", "Total,0.07,,,not yet approved"])
      expect(await asked(total)).toEqual(['the total in line 4 also says "not yet approved"']);
    for (const total of ["Total,0.07,,,", ",0.07,,Total,", "Total,0.07,,BTC,", "Total,0.07,,2 rows,"])
      expect(await asked(total)).toEqual([]);
  });

  test("of each of thousands of sections is compared with names that are gathered once", async () => {
    const sections = Array.from(
      { length: 3_000 },
      (_, at) => `P-${at}a,0.0001,${A}\nP-${at}b,0.0002,${B}\nTotal,0.0003,`,
    );
    const { reading, questions } = await readFile([HEADER, ...sections].join("\n"));
    expect(reading?.totals.length).toBe(3_000);
    expect(questions.join()).not.toContain("name of its own");
  });

  test("of a single payment may be a payment that lacks its destination", async () => {
    expect((await readFile(`${HEADER}\nP-1,0.05,${A}\nTotal,0.05,`)).verdict).toBe("rejected");
  });
});

describe("a required total", () => {
  const controlTotals = { required: true };

  test("is the line that covers the file, or a totals file", async () => {
    expect((await readFile(TWO, { controlTotals })).codes).toEqual(["CONTROL_TOTAL_MISSING"]);
    expect((await readFile(`${TWO}\n,0.07,`, { controlTotals })).verdict).toBe("accepted");
    const { lines } = gridOf("Rows: 2\nTotal BTC: 0.07");
    const result = await readFile(TWO, { controlTotals, totalsFile: { file: "p.totals.txt", lines } });
    expect(result).toMatchObject({ verdict: "accepted", totalsConfirmedBy: ["p.totals.txt"] });
  });

  test.each([
    ["Rows: 3\nTotal BTC: 0.07", "1 TOTALS_FILE_DIFFERS"],
    ["Rows: 2\nTotal BTC: 0.08", "2 TOTALS_FILE_DIFFERS"],
    ["Total LTC: 0.07", "1 TOTALS_FILE_DIFFERS"],
    ["Totals of November", "FILE_EMPTY"],
    ["Total: 1,234", "1 CONTROL_TOTAL_UNREADABLE"],
  ])("in a totals file must hold: %s", async (text, code) => {
    const { lines } = gridOf(text, {}, "\t");
    const totalsFile = { file: "p.totals.txt", lines };
    expect((await readFile(TWO, { totalsFile })).codes).toContain(code);
  });
});

describe("a note", () => {
  test("above the columns or below the rows is shown, asked for, and not paid", async () => {
    const file = `ACME Ltd\n${TWO}\nApproved by: CFO,,\n`;
    const { verdict, reading, questions, paid } = await readFile(file);
    expect([verdict, paid.length]).toEqual(["accepted", 2]);
    expect(reading?.notes).toEqual([
      { line: 1, place: "above the columns", text: "ACME Ltd" },
      { line: 5, place: "below the rows", text: "Approved by: CFO" },
    ]);
    expect(questions).toEqual(['above the columns: "ACME Ltd"', 'below the rows: "Approved by: CFO"']);
  });

  test("between payments begins a section, with its count and sum", async () => {
    const file = `${HEADER}\nSpain,,\nP-1,0.05,${A}\nFrance,,\nP-2,0.02,${B}\nP-3,0.01,${C}`;
    const { reading, questions } = await readFile(file);
    expect(
      reading?.sections.map(({ line, heading, totals: [sum] }) => [
        line,
        heading,
        sum?.count,
        `${sum?.amount}`,
      ]),
    ).toEqual([
      [2, "Spain", 1, "0.05"],
      [4, "France", 2, "0.03"],
    ]);
    expect(questions).toEqual(['a section is headed "Spain"', 'a section is headed "France"']);
  });

  test("is shown to its end", async () => {
    const long = `${"All as agreed. ".repeat(30)}Do not pay.`;
    expect((await readFile(`${TWO}\n"${long}",,`)).questions[0]).toContain("Do not pay.");
  });

  test("is not what a payment becomes whose amount was forgotten", async () => {
    expect((await readFile(`${TWO}\nP-3,,${C}`)).codes).toEqual(["4 VALUE_MISSING"]);
  });
});

test("a line of the same column names again is passed over", async () => {
  const { paid, questions } = await readFile(`${TWO}\n${HEADER}\nP-3,0.01,${C}`);
  expect([paid.length, questions]).toEqual([3, []]);
});

test("rows count payments from 1, and lines are those of the file", async () => {
  const { rows } = await readFile(`Title\n${HEADER}\nSpain,,\nP-1,0.05,${A}\n\nP-2,0.02,${B}`);
  expect(rows.map(({ row, line }) => [row, line])).toEqual([
    [1, 4],
    [2, 6],
  ]);
});

test("a sum in a currency that no payment has is no total", async () => {
  const rows = `P-1,0.05,BTC,${ADDRESSES[0]}\nP-2,0.1,BTC,${ADDRESSES[1]}`;
  const { codes } = await readFile(`reference,amount,currency,destinationAddress\n${rows}\nTotal,0.15,LTC,`);
  expect(codes).toContain("4 CONTROL_TOTAL_DIFFERS");
});

test("the sum of the amounts that are known proves nothing where one is not", async () => {
  const rows = `P-1,0.01,${ADDRESSES[0]}\nP-2,,${ADDRESSES[1]}`;
  const { codes, totalsConfirmedBy } = await readFile(
    `reference,amount,destinationAddress\n${rows}\nAverage,0.01,`,
    { onBadRow: "reject-row" },
  );
  expect(codes).toContain("4 CONTROL_TOTAL_UNPROVEN");
  expect(totalsConfirmedBy).toEqual([]);
});

test.each(["LgRaQGbKCymKAPjEJWivAZbLWCgKCfbXju", "00000000-0000-1000-8000-000000000000"])(
  "a destination of letters alone, or of digits alone, is no label: %s",
  async (destination) => {
    const column = destination.includes("-") ? "destinationAccountId" : "destinationAddress";
    const { rows } = await readFile(
      `reference,amount,${column}\nR1,0.1,${destination}\nR2,0.2,${destination}`,
    );
    expect(rows).toHaveLength(2);
    expect(rows.flatMap(({ problems }) => problems.map(({ code }) => code))).not.toContain(
      "CONTROL_TOTAL_DIFFERS",
    );
  },
);
