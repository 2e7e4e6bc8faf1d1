/** Control totals that a file declares about itself: they prove it, refuse it, and never hide a payout. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type InitiationPolicy, initiate, markControlTotals } from "../../src/initiation/index.ts";
import type { Cell, Table } from "../../src/model/index.ts";
import { currencyScales, Decimal } from "../../src/money/index.ts";
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
      "CONTROL_TOTAL_INCOMPLETE CONTROL_TOTAL_INCOMPLETE",
    );
  });
});

describe("a control total that cannot be right", () => {
  test.each<[string, Table, string]>([
    ["another sum", withTrailer(["Total", "0.16", "", "2"]), "CONTROL_TOTAL_DIFFERS"],
    ["another count", withTrailer(["Total", "0.15", "", "3"]), "CONTROL_TOTAL_DIFFERS"],
    ["a currency that no row has", withTrailer(["Total LTC", "0.15", "", "2"]), "CONTROL_TOTAL_INCOMPLETE"],
    ["a sum without a count", withTrailer(["Total", "0.15"]), "CONTROL_TOTAL_INCOMPLETE"],
    ["a count without a sum", withTrailer(["Rows", "2"]), "CONTROL_TOTAL_INCOMPLETE"],
    ["a word for a number", withTrailer(["Total", "fifteen", "", "2"]), "CONTROL_TOTAL_INCOMPLETE"],
    ["nothing beside its label", withTrailer(["Total"]), "CONTROL_TOTAL_INCOMPLETE"],
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
  }, 2000);

  test("does not repeat a private key", async () => {
    const key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
    const table = withTrailer(["Total", "0.15", key]);
    const { problems } = await initiate(table, policyFor());
    expect(problems.map(({ code }) => code)).toEqual(["VALUE_IS_SECRET"]);
    const answered: unknown[] = [];
    for await (const row of markControlTotals(table, policyFor()).rows()) answered.push(row);
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
