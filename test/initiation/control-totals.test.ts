/** Control totals that a file declares about itself: they prove it or refuse it, and never hide a payout. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type InitiationPolicy, initiate, markControlTotals } from "../../src/initiation/index.ts";
import type { Cell, Table } from "../../src/model/index.ts";
import { currencyScales, Decimal } from "../../src/money/index.ts";
import { rowsOf } from "../rows-of.ts";
import { ADDRESS, payoutTable, policyWith, tableOf, type Value } from "./payout-table.ts";

function policyFor(changes: Partial<InitiationPolicy> = {}): InitiationPolicy {
  return policyWith({ defaults: { ...policyWith().defaults, custodyAccount: "treasury-btc" }, ...changes });
}

const HEADER = ["reference", "amount", "currency", "destinationAddress"];
const PAYOUTS = [
  ["INV-1", "0.05", "BTC", ADDRESS],
  ["INV-2", "0.1", "BTC", ADDRESS],
];

function withTrailer(...trailer: readonly (readonly Value[])[]): Table {
  return tableOf([HEADER, ...PAYOUTS, ...trailer], "xlsx");
}

function withTitles(...titles: readonly (readonly string[])[]): Table {
  const titleLines = titles.map((texts, index) => ({
    line: index + 1,
    cells: texts.map((text): Cell => ({ kind: "text", text })),
  }));
  return { ...tableOf([HEADER, ...PAYOUTS]), titleLines };
}

async function outcome(table: Table, changes: Partial<InitiationPolicy> = {}): Promise<string> {
  const { verdict, problems, totalsConfirmedBy } = await initiate(table, policyFor(changes));
  if (verdict === "accepted") return `confirmed by ${totalsConfirmedBy.join(" and ") || "nothing"}`;
  return problems.map(({ code }) => code).join(" ");
}

/** A formula with the result that was saved with it. */
function sumOf(text: string): Cell {
  return { kind: "formula", text: "SUM(B2:B3)", value: { kind: "number", text } };
}

const OWN_COLUMNS = ["Payee", "reference", "currency", "destinationAddress", "amount", "Value in EUR"];

/** As pandas and R write it: a first column without a name holds the numbers of the rows. */
function withRowNumbers(...trailer: readonly (readonly Value[])[]): Table {
  const rows = [...PAYOUTS, ...trailer].map((row, index) => [String(index), ...row]);
  return tableOf([["", ...HEADER], ...rows]);
}

/** The label left of the amount, the amounts on the right, and a column of the sender's own with its own sum. */
function withOwnColumns(...trailer: readonly (readonly Value[])[]): Table {
  return tableOf([
    OWN_COLUMNS,
    ["Ann", "INV-1", "BTC", ADDRESS, "0.05", "4500.00"],
    ["Ben", "INV-2", "BTC", ADDRESS, "0.1", "9000.00"],
    ...trailer,
  ]);
}

/** The amounts left of the references, whose column holds the label. */
function withAmountsFirst(...trailer: readonly (readonly Value[])[]): Table {
  const first = ([reference = "", amount = "", currency = "", address = ""]: readonly Value[]) => [
    amount,
    address,
    currency,
    reference,
  ];
  return tableOf([HEADER, ...PAYOUTS, ...trailer].map(first));
}

describe("a line of totals as people write it", () => {
  test.each<[string, Table]>([
    ["a sum alone", withTrailer(["Total", "0.15"])],
    ["capitals and a colon", withTrailer(["TOTAL:", "0.15"])],
    ["a formula", withTrailer(["Total", sumOf("0.15000000000000002")])],
    ["its label right of the sum, below the references", withAmountsFirst(["Total", "0.15"])],
    ["a formula without a label", withTrailer(["", sumOf("0.15")])],
    ["a sum behind the number of its row", withRowNumbers(["Total", "0.15", "", ""])],
    ["a row count behind the number of its row", withRowNumbers(["Rows", "2", "", ""])],
    ["a table's own totals without a label", withTrailer([{ ...sumOf("2") }, sumOf("0.15")])],
    ["a number with its currency", withTrailer(["Total", { kind: "number", text: "0.15", unit: "₿" }])],
    ["the currency before the word", withTrailer(["BTC Total", "0.15"])],
    ["the currency by its sign", withTrailer(["Total (₿)", "0.15"])],
    ["the currency as a sign", withTrailer(["Total (₿)", "", "₿0.15"])],
    ["the currency inside the words", withTrailer(["Total BTC amount", "0.15"])],
    ["words of its own", withTrailer(["Total payouts", "0.15"])],
    ["the count in brackets", withTrailer(["Total (2 payments)", "0.15"])],
    ["the label right of the amount", withTrailer(["", "0.15", "Total"])],
    ["two labels in one line", withTrailer(["Total", "0.15", "Count", "2"])],
    ["a row count alone", withTrailer(["Rows", "2"])],
    ["the count of records that a report ends with", withTrailer(["Records: 2"])],
    ["marks that can be read in one way only", withTrailer(["Total", "0,15"])],
    ["the label left of the amount", withOwnColumns(["", "", "", "Total", "0.15", "13500.00"])],
    ["the label in the first column", withOwnColumns(["Total", "", "", "", "0.15", "13500.00"])],
    ["constants filled down", withOwnColumns(["Total", "", "BTC", "", "0.15", "at 90000 on 2026-11-20"])],
  ])("is understood: %s", async (_, table) => {
    expect(await outcome(table)).toBe("confirmed by line 4");
  });

  test("may have thousands marks that the amounts below one thousand did not need", async () => {
    const limits = { perRow: { BTC: Decimal.of("999") }, perFile: { BTC: Decimal.of("9999") } };
    const rows = ["INV-1", "INV-2"].map((reference) => [reference, "617.28", "BTC", ADDRESS]);
    expect(await outcome(tableOf([HEADER, ...rows, ["Total", "1,234.56"]]), { limits })).toBe(
      "confirmed by line 4",
    );
  });

  test("may close each section of the file, with or without a grand total", async () => {
    const sections = (...grand: readonly string[][]) =>
      tableOf([
        HEADER,
        ["INV-1", "0.05", "BTC", ADDRESS],
        ["INV-2", "0.1", "BTC", ADDRESS],
        ["Subtotal", "0.15"],
        ["INV-3", "0.2", "BTC", ADDRESS],
        ["Marketing total", "0.2"],
        ...grand,
      ]);
    expect(await outcome(sections())).toBe("confirmed by line 4 and line 6");
    expect(await outcome(sections(["Grand total", "0.35"]))).toContain("line 7");
    expect(await outcome(sections(["Grand total", "0.36"]))).toBe("CONTROL_TOTAL_DIFFERS");
    expect(await outcome(sections(["INV-4", "0.01", "BTC", ADDRESS]))).toBe("CONTROL_TOTAL_INCOMPLETE");
    for (const ofSectionOrFile of ["1", "3"])
      expect(await outcome(sections(["Rows", ofSectionOrFile]))).toContain("line 7");
    expect(await outcome(sections(["Rows", "2"]))).toBe("CONTROL_TOTAL_DIFFERS");
  });

  test("stands above the header behind a title, or several in one line", async () => {
    expect(await outcome(withTitles(["Payroll 2026", "Total BTC", "0.15"]))).toBe("confirmed by line 1");
    expect(await outcome(withTitles(["Rows", "2", "Total BTC", "0.15"]))).toBe("confirmed by line 1");
    expect(await outcome(withTitles(["Rows", "3", "Total BTC", "0.15"]))).toBe("CONTROL_TOTAL_DIFFERS");
  });

  test("is compared at the digits that a spreadsheet's sum has", async () => {
    const limits = { perRow: { BTC: Decimal.of("99999999") }, perFile: { BTC: Decimal.of("999999999") } };
    const rows = ["12345678.12345678", "0.00000001"].map((amount, index) => [
      `INV-${index}`,
      amount,
      "BTC",
      ADDRESS,
    ]);
    const total = (text: string) => outcome(tableOf([HEADER, ...rows, ["Total", sumOf(text)]]), { limits });
    expect(await total("12345678.123456789")).toBe("confirmed by line 4");
    expect(await total("12345678.12346")).toBe("CONTROL_TOTAL_DIFFERS");
  });

  test.each(["mBTC", "฿", "%", "thousands", "showing nothing"])(
    "is refused where its cell shows %s beside the sum",
    async (unit) => {
      const table = withTrailer(["Total", { kind: "number", text: "0.15", unit }]);
      expect(await outcome(table)).toBe("CONTROL_TOTAL_UNREADABLE");
    },
  );

  test("is passed over with a warning where it is an average, which proves nothing", async () => {
    const { verdict, rowsRead, warnings } = await initiate(
      withTrailer(["Total", "0.15"], ["Average", "0.075"]),
      policyFor(),
    );
    expect({ verdict, rowsRead }).toEqual({ verdict: "accepted", rowsRead: 2 });
    expect(warnings.map(({ code }) => code)).toContain("LINE_NOT_COMPARED");
    expect(await outcome(withTitles(["Average BTC", "0.075"], ["Total BTC", "0.15"]))).toBe(
      "confirmed by line 2",
    );
  });

  test.each([
    "Monday, Nov 23, 2026 10:15:32 AM GMT+1 - Accrual Basis",
    "Saturday, September 5, 2026 1:15 PM GMT-05:00 - Cash Basis",
    "23 November 2026 10:15",
    "2026-11-23T10:15:32Z",
    "23/11/2026 10:15:32",
  ])("is not looked for in the print timestamp that programs write below it: %s", async (moment) => {
    const { verdict, rowsRead, warnings } = await initiate(
      withTrailer(["Total", "0.15"], [moment]),
      policyFor(),
    );
    expect({ verdict, rowsRead }).toEqual({ verdict: "accepted", rowsRead: 2 });
    expect(warnings.map(({ code }) => code)).toContain("LINE_NOT_COMPARED");
  });

  test.each([
    ["Pay 2026-11-23 10:15"],
    ["2026-11-23"],
    ["2026-11-23 10:15 not these"],
    ["2026-11-23 10:15", "0.05"],
    ["2026-11-23 10:15", "", "", ADDRESS],
  ])("is no print timestamp: %s %s %s %s", async (...cells) => {
    const { verdict } = await initiate(withTrailer(["Total", "0.15"], cells), policyFor());
    expect(verdict).toBe("rejected");
  });

  test("is asked for with both figures where the configuration asks for one", async () => {
    const controlTotals = { required: true, sumWords: [], countWords: [] };
    expect(await outcome(withTrailer(["Total", "0.15"]), { controlTotals })).toBe("CONTROL_TOTAL_MISSING");
    expect(await outcome(withTrailer(["Rows", "2"]), { controlTotals })).toBe("CONTROL_TOTAL_MISSING");
    expect(await outcome(withTrailer(["Total", "0.15", "", "2"]), { controlTotals })).toContain("line 4");
  });
});

describe("a payout is never passed over as a total", () => {
  test.each<[string, Table]>([
    ["a payee called Total, without a reference", withOwnColumns(["Total", "", "BTC", ADDRESS, "0.15", ""])],
    [
      "a payee called Total, without a destination",
      withOwnColumns(["Total", "INV-3", "BTC", "", "0.15", ""]),
    ],
    ["an amount alone", withTrailer(["", "0.15"])],
    ["a reference that speaks of a total", withTrailer(["Total invoice 17", "0.15"])],
    ["an amount and its currency that follow no total", withTrailer(["", "0.15", "BTC"])],
    ["a formula with a payee beside it", withTrailer(["Ann", sumOf("0.15")])],
    ["a formula that was filled down", withTrailer(["", sumOf("0")])],
  ])("%s", async (_, table) => {
    for (const onBadRow of ["reject-file", "reject-row"] as const) {
      const { verdict, rowsRead, rowsRejected, problems } = await initiate(table, policyFor({ onBadRow }));
      expect(rowsRead === 3 ? rowsRejected : problems.length).toBe(1);
      if (onBadRow === "reject-file") expect(verdict).toBe("rejected");
    }
  });
});

test.each(["Total", "Grand total", "Count"])(
  "a row named %s that could be paid refuses the file: as a total it would not be due, as a payout no total",
  async (reference) => {
    const table = withTrailer([reference, "0.15", "BTC", ADDRESS]);
    for (const onBadRow of ["reject-file", "reject-row"] as const) {
      const { verdict, fileProblems } = await initiate(table, policyFor({ onBadRow }));
      expect(verdict).toBe("rejected");
      expect(fileProblems).toMatchObject([{ code: "PAYOUT_NAMED_TOTAL", row: 3 }]);
    }
  },
);

describe("a control total that the rows agree with", () => {
  test.each<[string, Table]>([
    ["a row with the sum below the amounts and a count", withTrailer(["Total", "0.15", "BTC", "2 rows"])],
    ["a bare count", withTrailer(["Control total", "0.15", "", "2"])],
    ["a sum of another scale", withTrailer(["Total", "0.150000", "", "2"])],
    [
      "a formula with the noise of binary numbers",
      withTrailer([
        "Total",
        { kind: "formula", text: "SUM(B2:B3)", value: { kind: "number", text: "0.15000000000000002" } },
        "",
        { kind: "number", text: "2" },
      ]),
    ],
    ["everything in one cell", withTrailer(["Total BTC: 0.15 in 2 rows"])],
    [
      "a formula with the noise of 64 bits",
      withTrailer(["Total", sumOf("0.150000000000000000022"), "", "2"]),
    ],
    ["a subtotal as Excel calls it", withTrailer(["4711 Total", sumOf("0.15")])],
    ["the currency before or behind the sum", withTrailer(["Total", "", "0.15 BTC", "2 payments"])],
  ])("accepts the file: %s", async (_, table) => {
    expect(await outcome(table)).toBe("confirmed by line 4");
  });

  test.each<[string, Table]>([
    ["a block above the header", withTitles(["Payouts of November"], ["Rows", "2"], ["Total BTC", "0.15"])],
    ["a heading over it", withTitles(["Control totals"], ["Number of payouts: 2"], ["Sum (BTC):", "0.15"])],
  ])("accepts the file: %s", async (_, table) => {
    expect(await outcome(table)).toBe("confirmed by line 2 and line 3");
  });

  test("may stand in a file of its own", async () => {
    const cells: Cell[] = [{ kind: "text", text: "Total BTC: 0.15 in 2 rows" }];
    const totalsFile = { file: "payroll.totals.txt", lines: [{ line: 1, cells }] };
    expect(await outcome(tableOf([HEADER, ...PAYOUTS]), { totalsFile })).toBe(
      "confirmed by payroll.totals.txt",
    );
  });

  test("in a file of its own may have a heading over it", async () => {
    const lines = ["Totals", "Rows: 2", "Total BTC: 0.15"].map((text, index) => ({
      line: index + 1,
      cells: [{ kind: "text", text } as const],
    }));
    const totalsFile = { file: "payroll.totals.txt", lines };
    expect(await outcome(tableOf([HEADER, ...PAYOUTS]), { totalsFile })).toBe(
      "confirmed by payroll.totals.txt",
    );
  });

  test("is read in the file's number format and in the sender's own words", async () => {
    const controlTotals = { required: true, sumWords: ["Summe"], countWords: ["Anzahl"] };
    const table = tableOf([
      HEADER,
      ["INV-1", "1.000,5", "BTC", ADDRESS],
      ["Summe", "1.000,50"],
      ["Anzahl: 1"],
    ]);
    const limits = { perRow: { BTC: Decimal.of("9999") }, perFile: { BTC: Decimal.of("9999") } };
    expect(await outcome(table, { numberFormat: "1.234,56", controlTotals, limits })).toBe(
      "confirmed by line 3 and line 4",
    );
  });

  test("is asked for in every currency of the file", async () => {
    const perCurrency = { BTC: Decimal.of("5"), LTC: Decimal.of("5") };
    const policy = {
      custodyAccounts: [
        ...policyFor().custodyAccounts.slice(0, 1),
        { ...policyFor().custodyAccounts[0], name: "ltc", currency: "LTC" },
      ] as InitiationPolicy["custodyAccounts"],
      limits: { perRow: perCurrency, perFile: perCurrency },
      scales: currencyScales(),
    };
    const payee = "6f1cbb7e-0000-4000-8000-0000000000aa";
    const lines = [
      [...HEADER, "destinationAccountId"],
      ["INV-1", "0.05", "BTC", ADDRESS],
      ["INV-2", "2", "LTC", "", payee],
    ];
    expect(
      await outcome(tableOf([...lines, ["Total BTC", "0.05"], ["Total LTC", "2"], ["Rows", "2"]]), policy),
    ).toBe("confirmed by line 4 and line 5 and line 6");
    expect(await outcome(tableOf([...lines, ["Total BTC", "0.05"], ["Rows: 2"]]), policy)).toBe(
      "CONTROL_TOTAL_INCOMPLETE",
    );
    expect(await outcome(tableOf([...lines, ["Total", "2.05", "", "2"]]), policy)).toBe(
      "CONTROL_TOTAL_WITHOUT_CURRENCY",
    );
    expect(
      await outcome(tableOf([...lines, ["Total", "0.05", "BTC"], ["", "2", "LTC"]]), policy),
      "the label stands beside the first of several lines only",
    ).toBe("confirmed by line 4 and line 5");
    expect(
      await outcome(tableOf([...lines, ["Totals"], ["BTC", "0.05"], ["LTC", "3"]]), policy),
      "a list of currencies below a heading",
    ).toBe("CONTROL_TOTAL_DIFFERS");
  });
});

describe("a control total that cannot be right", () => {
  test.each<[string, Table, string]>([
    [
      "a label below the references beside a wrong sum",
      withAmountsFirst(["Total", "0.16"]),
      "CONTROL_TOTAL_DIFFERS",
    ],
    ["another sum", withTrailer(["Total", "0.16", "", "2"]), "CONTROL_TOTAL_DIFFERS"],
    ["another count", withTrailer(["Total", "0.15", "", "3"]), "CONTROL_TOTAL_DIFFERS"],
    ["a currency that no row has", withTrailer(["Total LTC", "0.15", "", "2"]), "CONTROL_TOTAL_DIFFERS"],
    ["the sign of a currency that no row has", withTrailer(["Total €", "0.15"]), "CONTROL_TOTAL_DIFFERS"],
    [
      "the sign of one beside its digits",
      withTrailer(["Total", { kind: "number", text: "0.15", unit: "€" }]),
      "CONTROL_TOTAL_DIFFERS",
    ],
    ["a currency sign that no row has", withTrailer(["Total €", "0.15", "", "2"]), "CONTROL_TOTAL_DIFFERS"],
    ["a sum with such a sign", withTrailer(["Total", "", "€0.15"]), "CONTROL_TOTAL_DIFFERS"],
    ["nothing in a currency that no row has", withTrailer(["Total LTC", "0"]), "CONTROL_TOTAL_INCOMPLETE"],
    ["another sum without a count", withTrailer(["Total", "0.16"]), "CONTROL_TOTAL_DIFFERS"],
    ["another count without a sum", withTrailer(["Rows", "3"]), "CONTROL_TOTAL_DIFFERS"],
    ["a word for a number", withTrailer(["Total", "fifteen", "", "2"]), "AMOUNT_UNREADABLE"],
    ["nothing beside its label", withTrailer(["Total"]), "CONTROL_TOTAL_UNREADABLE"],
    [
      "a payout below it",
      withTrailer(["Total", "0.15"], ["INV-3", "0.2", "BTC", ADDRESS]),
      "CONTROL_TOTAL_INCOMPLETE",
    ],
    ["a sum of amounts that are text", withTrailer(["Total", sumOf("0")]), "CONTROL_TOTAL_DIFFERS"],
    ["an unlabelled sum of other rows", withTrailer(["", sumOf("0.1")]), "CONTROL_TOTAL_DIFFERS"],
    ["a typed sum without a label", withTrailer(["", "0.15", "BTC"]), "CONTROL_TOTAL_UNNAMED"],
    [
      "a typed sum without a label below a single payout",
      tableOf([HEADER, PAYOUTS[0] ?? [], ["", "0.05", "BTC"]]),
      "CONTROL_TOTAL_UNNAMED",
    ],
    [
      "a typed sum without a label, besides a count that is right",
      withTrailer(["", "0.15", "BTC"], ["Rows", "3"]),
      "CONTROL_TOTAL_UNNAMED",
    ],
    ["a label in a language nobody declared", withTrailer(["Summe", "0.15", "BTC"]), "CONTROL_TOTAL_UNNAMED"],
    ["an unclear label", withTitles(["Total payouts", "2"]), "CONTROL_TOTAL_UNREADABLE"],
    [
      "two numbers of which either may be the sum",
      withTitles(["Total", "2", "3"]),
      "CONTROL_TOTAL_UNREADABLE",
    ],
    ["two currencies", withTrailer(["Total BTC", "0.15", "LTC", "2"]), "CONTROL_TOTAL_UNREADABLE"],
    ["half a row", withTrailer(["Total", "0.15", "1.5 rows"]), "CONTROL_TOTAL_UNREADABLE"],
    ["an ambiguous sum", withTrailer(["Total", "1,234", "", "2"]), "AMOUNT_AMBIGUOUS"],
    ["an error cell", withTrailer(["Total", { kind: "error", text: "#REF!" }, "", "2"]), "CELL_IS_ERROR"],
    [
      "a formula without a result",
      withTrailer([
        "Total",
        { kind: "formula", text: "SUM(B:B)", value: { kind: "empty", text: "" } },
        "",
        "2",
      ]),
      "FORMULA_WITHOUT_VALUE",
    ],
  ])("rejects the file, also where good rows may go alone: %s", async (_, table, code) => {
    for (const onBadRow of ["reject-file", "reject-row"] as const)
      expect(await outcome(table, { onBadRow })).toContain(code);
  });

  test("is named with both figures and its place", async () => {
    const { problems } = await initiate(withTrailer(["Total", "0.16", "BTC", "3 rows"]), policyFor());
    expect(problems).toMatchObject([
      { cell: "B4", message: "the file declares a sum of 0.16 BTC, but its rows come to 0.15 BTC" },
      { cell: "D4", message: "the file declares 3 rows in BTC, but its rows come to 2 rows in BTC" },
    ]);
  });

  test("holds for the whole file: bad rows count, and a row that cannot be read proves nothing", async () => {
    const policy = { onBadRow: "reject-row" } as const;
    const bad = (amount: string) => ["INV-3", amount, "BTC", "nonsense"];
    const total = ["Total", "0.25", "", "3"];
    expect(await outcome(tableOf([HEADER, ...PAYOUTS, bad("0.1"), total]), policy)).toBe(
      "confirmed by line 5",
    );
    expect(await outcome(tableOf([HEADER, ...PAYOUTS, bad("ten"), total]), policy)).toContain(
      "CONTROL_TOTAL_UNPROVEN",
    );
  });

  test("is missing where the configuration asks for one", async () => {
    const controlTotals = { required: true, sumWords: [], countWords: [] };
    expect(await outcome(tableOf([HEADER, ...PAYOUTS]), { controlTotals })).toBe("CONTROL_TOTAL_MISSING");
  });

  test("takes no time to speak of, whatever stands in its line", async () => {
    const endless = [
      "1 ".repeat(50_000),
      " ".repeat(100_000),
      `Total ${" 1".repeat(50_000)}`,
      "a:".repeat(50_000),
    ];
    for (const text of endless) {
      expect(await outcome(withTrailer(["Total", "0.15", text, "2"]))).not.toBe("");
      expect(await outcome(withTrailer([text, "0.15", "", "2"]))).not.toContain("confirmed");
      expect(await outcome(withTitles([text, "2"], ["Total", text]))).not.toBe("");
    }
  });

  test("takes no longer with as much white space before its label, or beside a formula without one", async () => {
    const endless = `1${" ".repeat(400_000)}x`;
    expect(await outcome(withTrailer([endless, "", "", "Total"]))).toContain("VALUE_MISSING");
    expect(await outcome(withOwnColumns(["", "", "", "", sumOf("0.15"), endless]))).toBe(
      "confirmed by line 4",
    );
  });

  test("may be said of each of as many payouts as a file has", async () => {
    const rows = Array.from({ length: 150_000 }, (_, index) => [
      [`INV-${index}`, "0.0001", "BTC", ADDRESS],
      ["Total", "0.0002"],
    ]).flat();
    const { problemCounts } = await initiate(tableOf([HEADER, ...rows]), policyFor());
    expect(problemCounts).toEqual({ CONTROL_TOTAL_DIFFERS: 150_000 });
  });

  const key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
  test.each<[string, Table]>([
    ["beside a label", withTrailer(["Total", "0.15", key])],
    ["beside a formula without one", withOwnColumns(["", "", "", "", sumOf("0.15"), key])],
    ["beside an average", withOwnColumns(["Average", "", "", "", "0.075", key])],
    ["above the header", withTitles(["Total", "0.15", key])],
  ])("does not repeat a private key %s", async (_, table) => {
    const { problems } = await initiate(table, policyFor());
    expect(problems.map(({ code }) => code)).toEqual(["VALUE_IS_SECRET"]);
    const answered = await rowsOf(markControlTotals(table, policyFor()));
    expect(JSON.stringify([problems, answered])).not.toContain(key);
  });
});

const amounts = fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 1, maxLength: 12 });

function lines(satoshis: readonly number[]): string[][] {
  return satoshis.map((value, index) => [`INV-${index}`, btc(BigInt(value)), "BTC", ADDRESS]);
}

function btc(satoshis: bigint): string {
  return Decimal.of(`${satoshis}E-8`).toString();
}

describe("for every table", () => {
  test("the true totals confirm it, and a total that is one unit or one row off rejects it", async () => {
    const off = fc.record({ units: fc.integer({ min: -1, max: 1 }), rows: fc.integer({ min: -1, max: 1 }) });
    await fc.assert(
      fc.asyncProperty(amounts, off, async (satoshis, { units, rows }) => {
        const sum = satoshis.reduce((so, value) => so + BigInt(value), BigInt(units));
        const trailer = ["Total", btc(sum), "BTC", `${satoshis.length + rows} rows`];
        const { verdict } = await initiate(tableOf([HEADER, ...lines(satoshis), trailer]), policyFor());
        expect(verdict).toBe(units === 0 && rows === 0 ? "accepted" : "rejected");
      }),
    );
  });

  test("no row with a reference, an amount and a destination is taken for a control total", async () => {
    const references = fc.constantFrom("Total", "total", "Control-total", "SUM", "Rows", "Count", "INV-9");
    await fc.assert(
      fc.asyncProperty(references, amounts, async (reference, satoshis) => {
        const result = await initiate(
          payoutTable([{ reference }, ...satoshis.map(() => ({ amount: "0.001" }))]),
          policyFor({ onBadRow: "reject-row" }),
        );
        expect(result.rowsRead).toBe(satoshis.length + 1);
        expect(result.verdict).toBe(reference === "INV-9" ? "accepted" : "rejected");
      }),
    );
  });
});
