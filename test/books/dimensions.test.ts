/** Dimensions, parties and exact shares of the chart, and their columns in each program's file. */
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { beancountJournal } from "../../src/books/formats/beancount.ts";
import { readChart } from "../../src/books/index.ts";
import { applying } from "../../src/model/applying.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { present } from "../../src/model/present.ts";
import { currencyScales, Decimal } from "../../src/money/index.ts";
import { configured } from "../config/ledger-exports.ts";
import { beancountVerdict, judgeRuns, judges, verdict } from "./judges.ts";
import {
  book,
  btc,
  CHART_TEXT,
  chartLines,
  deposit,
  eur,
  funds,
  linesOf,
  payout,
  policyWith,
  rateIntoEur,
} from "./movements.ts";
import { filesOf, hledgerJournal, ledgerTables, trialBalance } from "./whole-files.ts";

const format = { functionalCurrency: "EUR", scales: currencyScales() };

const HEADER =
  "role,key,customer,reference,project,distribution,share,code,name,bookProject,dimension.costCenter,dimension.class,dimension.region,party,partyType";

/** The usual lines with more columns, and these lines after them. */
function withLines(...lines: readonly string[]): string {
  const usual = CHART_TEXT.trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [role, key, ...others] = line.split(",");
      return [role, key, "", "", ...others].join();
    });
  return [HEADER, ...usual, ...lines].join("\n");
}

const problemsOf = (text: string) => readChart(chartLines(text), "csv").problems;

function paid(amount: string, rate: string, changes: object = {}) {
  const sentFunds = [funds({ txHash: "aa11", amount: btc(amount), rate: rateIntoEur(rate) })];
  return payout("0001", { requestedAmount: btc(amount), reference: "INV-1", ...changes, sentFunds });
}

const onlyEntry = (chartText: string, ...args: Parameters<typeof paid>): JournalEntry => {
  const policy = policyWith({ payeeOf: () => "Muller GmbH" });
  const { entries, problems } = book({ payouts: [paid(...args)], chartText, policy });
  expect(problems).toEqual([]);
  expect(entries).toHaveLength(1);
  return entries[0] as JournalEntry;
};

describe("shares", () => {
  test("thirds add up exactly, in cents and in satoshis; of equal remainders the first line has the unit", () => {
    const chart = withLines(
      ...["6401", "6402", "6403"].map((code) => `gl,Rent,,,,,1/3,${code},expenses:rent:${code},,,,,,`),
    );
    const entry = onlyEntry(chart, "0.00100001", "80000", { generalLedgerName: "rent" });
    expect(linesOf(entry)).toEqual([
      "expenses:rent:6401 0.00033334 BTC 26.67",
      "expenses:rent:6402 0.00033334 BTC 26.67",
      "expenses:rent:6403 0.00033333 BTC 26.66",
      "assets:crypto:btc -0.00100001 BTC -80.00",
    ]);
  });

  test("a fraction and decimals may stand together", () => {
    const chart = withLines(
      "gl,Rent,,,,,1/4,6401,expenses:a,,,,,,",
      "gl,Rent,,,,,0.35,6402,expenses:b,,,,,,",
      "gl,Rent,,,,,2/5,6403,expenses:c,,,,,,",
    );
    const entry = onlyEntry(chart, "1", "100", { generalLedgerName: "Rent" });
    expect(entry.lines.map(({ debit, credit }) => String(debit ?? credit))).toEqual([
      "25.00",
      "35.00",
      "40.00",
      "100.00",
    ]);
  });

  test.each([
    [["0.3", "0.3", "0.3"], 'the shares of gl "Rent" (lines 15, 16, 17) add up to 0.9, not to 1'],
    [["1/3", "1/3", "0.3333333333"], "add up to 29999999999/30000000000, not to 1"],
    [["1/3", "1/3"], "add up to 2/3, not to 1"],
    [["1", "0"], 'the share "0" is not a number above 0 and at most 1'],
    [["1.5", "-0.5"], 'the share "-0.5" is not a number above 0'],
    [["1/0", "1"], 'the share "1/0" is not a number above 0'],
    [["60%", "40%"], 'the share "60%" is not a number above 0'],
    [["0,6", "0,4"], 'the share "0,6" is not a number above 0'],
    [["1e400", "1"], 'the share "1e400" is not a number above 0'],
    [["1e-400", "1"], 'the share "1e-400" is not a number above 0'],
  ])("%s are refused", (shares, reason) => {
    const lines = shares.map((share, index) => `gl,Rent,,,,,"${share}",64${index},expenses:n${index},,,,,,`);
    expect(
      problemsOf(withLines(...lines))
        .map(({ message }) => message)
        .join("\n"),
    ).toContain(reason);
  });
});

const RENT = withLines(
  "gl,Rent,,,,,0.6,6401,expenses:rent:office,P-7,CC 1,Admin,EU,{payee},Vendor",
  'gl,Rent,,,,,0.4,6402,expenses:rent:store,,"CC=2; ""x""",,,ACME,',
  "receivable,,,,,,,1200,assets:ar,,,Sales,,{customer},",
).replace("receivable,,,,,,,1200,assets:ar\n", "");

describe("dimensions and parties", () => {
  const entry = onlyEntry(RENT, "0.05", "80000", { generalLedgerName: "Rent" });

  test("are kept with the line", () => {
    expect(entry.lines.map(({ dimensions, party, project }) => ({ dimensions, party, project }))).toEqual([
      {
        dimensions: { costCenter: "CC 1", class: "Admin", region: "EU" },
        party: { type: "Vendor", id: "Muller GmbH" },
        project: "P-7",
      },
      {
        dimensions: { costCenter: 'CC=2; "x"' },
        party: { type: "Supplier", id: "ACME" },
        project: undefined,
      },
      { dimensions: undefined, party: undefined, project: undefined },
    ]);
  });

  test("a chart without them books entries that have no such members", () => {
    const bare = onlyEntry(CHART_TEXT, "0.05", "80000");
    expect(bare.lines.flatMap((line) => Object.keys(line))).not.toContain("dimensions");
    expect(bare.lines.flatMap((line) => Object.keys(line))).not.toContain("party");
  });

  test("of a payee that no file names there is no party", () => {
    const { entries } = book({
      payouts: [paid("0.05", "80000", { generalLedgerName: "Rent" })],
      chartText: RENT,
    });
    expect(entries[0]?.lines[0]?.party).toBeUndefined();
  });

  test("the customer of a deposit is the party of its receivable, and of no line without one", () => {
    const received = (customerId?: string) =>
      book({
        deposits: [
          deposit("1001", {
            ...present({ customerId }),
            requestedInFiat: eur("800"),
            receivedFunds: [funds({ txHash: "bb", amount: btc("0.01"), rate: rateIntoEur("80000") })],
          }),
        ],
        chartText: RENT,
      }).entries.flatMap(({ lines }) =>
        lines.flatMap(({ party, dimensions }): object[] => applying(party ?? dimensions)),
      );
    expect(received("C-9")).toContainEqual({ type: "Customer", id: "C-9" });
    expect(received()).toEqual([{ class: "Sales" }]);
  });

  const cells = (preset: string, columns: readonly string[], more = "") => {
    const [content = ""] = ledgerTables([entry], configured(`preset: ${preset}${more}`), "000042", format);
    const rows: Record<string, string>[] = parse(content, { columns: true, bom: true });
    return rows.slice(0, 2).map((row) => columns.map((column) => row[column]));
  };

  test.each<[string, string[], string[][], string?]>([
    [
      "csv",
      ["Party", "Dimensions"],
      [
        ["Muller GmbH", "class=Admin; costCenter=CC 1; region=EU"],
        ["ACME", 'costCenter=CC=2; "x"'],
      ],
    ],
    [
      "netsuite",
      ["Journal Entry - Line: Name", "Journal Entry - Line: Class"],
      [
        ["Muller GmbH", "Admin"],
        ["ACME", ""],
      ],
    ],
    [
      "quickbooks-online",
      ["Name", "Class"],
      [
        ["Muller GmbH", "Admin"],
        ["ACME", ""],
      ],
    ],
    [
      "xero",
      ["TrackingOption1", "TrackingName1"],
      [
        ["P-7", "Project"],
        ["", ""],
      ],
      ", settings: { taxRate: T }",
    ],
    [
      "erpnext",
      ["Party Type (Accounting Entries)", "Party (Accounting Entries)", "Cost Center (Accounting Entries)"],
      [
        ["Vendor", "Muller GmbH", "CC 1"],
        ["Supplier", "ACME", 'CC=2; "x"'],
      ],
      ", settings: { company: Acme, costCenter: Main }",
    ],
    [
      "sage-intacct",
      ["GLENTRY_CLASSID", "DEPT_ID"],
      [
        ["Admin", "D1"],
        ["", "D1"],
      ],
      ", settings: { department: D1 }",
    ],
    [
      "business-central",
      ["Shortcut Dimension 1 Code", "Shortcut Dimension 2 Code"],
      [
        ["CC 1", "EU"],
        ['CC=2; "x"', ""],
      ],
      ', settings: { dimension1: "{dimension.costCenter}", dimension2: "{dimension.region}" }',
    ],
    [
      "dynamics-365-finance",
      ["ACCOUNTDISPLAYVALUE"],
      [["6401-P-7-EU"], ["6402--"]],
      ', settings: { journal: J, dimensions: "-{project}-{dimension.region}" }',
    ],
    ["sage-50-us", ["Job ID"], [["P-7"], [""]]],
  ])("%s has those that it has a place for", (preset, columns, expected, more) => {
    expect(cells(preset, columns, more)).toEqual(expected);
  });

  test("a column of one's own takes any of them, with what counts where it is missing", () => {
    const columns =
      '[{ header: R, value: "{dimension.region|project|distribution}", lengthMax: 2 }, { header: B, value: "{amount}" }, { header: W, value: y, when: dimension.region }]';
    const table = configured(`name: own, columns: ${columns}`);
    const [content = ""] = ledgerTables([entry], table, "000042", format);
    const rows: string[][] = parse(content);
    expect(rows.slice(1).map(([cell, , when]) => [cell, when])).toEqual([
      ["EU", "y"],
      ["", ""],
      ["", ""],
    ]);
  });

  test("odoo takes a further plan by its database id", () => {
    const chart = RENT.replaceAll("dimension.region", "dimension.analytic")
      .replace("P-7", "7")
      .replace("EU", "12");
    const own = onlyEntry(chart, "0.05", "80000", { generalLedgerName: "Rent" });
    const table = configured("preset: odoo, settings: { journal: Crypto }");
    const [content = ""] = ledgerTables([own], table, "000042", format);
    const rows: Record<string, string>[] = parse(content, { columns: true, bom: true });
    expect(rows.map((row) => row["line_ids/analytic_distribution"])).toEqual(['{"7":100,"12":100}', "", ""]);
  });

  test("journals have them as tags and metadata, whatever characters they hold", () => {
    expect(hledgerJournal([entry], format)).toContain(
      "memo:INV-1, project:P-7, costCenter:CC 1, class:Admin, region:EU, party:Muller GmbH",
    );
    const rendering = beancountJournal(
      configured("preset: beancount"),
      "000042",
      trialBalance([entry]),
      format,
    );
    const [beancount = ""] = filesOf(rendering, [entry]);
    expect(beancountVerdict(beancount)).toBeUndefined();
    expect(beancount).toContain('costCenter: "CC=2; \\"x\\""');
    expect(beancount).toContain('party: "ACME"');
    for (const judge of judges.filter(({ name }) => judgeRuns(name)))
      expect(verdict(judge, hledgerJournal([entry], format))).toBeUndefined();
  });
});

describe("a chart is refused for", () => {
  test.each([
    [
      "a dimension that lines have already",
      HEADER.replace("region", "Project"),
      "Project cannot name a dimension",
    ],
    [
      "two dimensions of one name",
      HEADER.replace("region", "COSTCENTER"),
      "two columns `dimension.COSTCENTER`",
    ],
    ["a dimension without a name", HEADER.replace("region", ""), "the column `dimension.` has no meaning"],
  ])("%s", (_what, header, reason) => {
    expect(
      problemsOf(withLines().replace(HEADER, header))
        .map(({ message }) => message)
        .join(),
    ).toContain(reason);
  });

  test.each([
    [
      "gl,X,,,,,,64,expenses:x,,,,,{customer},",
      "party",
      '"{customer}" is nobody; there is {payee}, or an id',
    ],
    ["treasury,x,,,,,,1510,assets:crypto:btc,,,,,{payee},", "party", '"{payee}" is nobody; there are ids'],
    ["gl,X,,,,,,64,expenses:x,,,,,,Vendor", "partyType", "it is filled without `party`"],
    [
      'gl,X,,,,,,64,expenses:x,,"a\nb",,,,',
      "dimension.costCenter",
      "a line break or another control character",
    ],
    ["gl,X,C1,,,,,64,expenses:x,,,,,,", "customer", "only rows of the roles deposits-clearing, receivable"],
    [
      "treasury,x,,INV-*,,,,1510,assets:crypto:btc,,,,,,",
      "reference",
      "only rows of the roles deposits-clearing",
    ],
  ])("%s", (line, column, reason) => {
    expect(problemsOf(withLines(line))).toMatchObject([
      { line: 15, column, message: expect.stringContaining(reason) },
    ]);
  });
});

describe("deposits are mapped by the line that says most about them", () => {
  const chart = withLines(
    "receivable,,,INV-*,,,,1201,assets:ar:invoices,,,,,,",
    "receivable,,,INV-2026-*,,,,1202,assets:ar:year,,,,,,",
    "receivable,,,inv-2026-007,,,,1203,assets:ar:one,,,,,,",
    "receivable,,C-9,,,,,1204,assets:ar:c9,,,,,,",
    "receivable,,C-9,INV-*,,,,1205,assets:ar:c9:invoices,,,,,,",
    "receivable,cold-btc,,,,,,1206,assets:ar:cold,,,,,,",
    "receivable,C-8,,,,,,1207,assets:ar:c8,,,,,,",
    "overpayments,,,SHOP-??,,,,2291,liabilities:shop,,,,,,",
  );

  const bookedTo = (reference: string | undefined, customerId?: string, changes: object = {}) => {
    const { entries } = book({
      deposits: [
        deposit("1001", {
          ...present({ reference, customerId }),
          requestedInFiat: eur("800"),
          receivedFunds: [funds({ txHash: "bb", amount: btc("0.02"), rate: rateIntoEur("80000") })],
          ...changes,
        }),
      ],
      chartText: chart,
    });
    const apply = entries.find(({ kind }) => kind === "deposit-apply");
    return apply?.lines.slice(1).map(({ account }) => account.code);
  };

  test.each([
    ["INV-1", undefined, ["1201", "2290"]],
    ["INV-2026-001", undefined, ["1202", "2290"]],
    ["INV-2026-007", undefined, ["1203", "2290"]],
    ["inv-2026-007 ", "C-9", ["1203", "2290"]],
    ["INV-1", "C-9", ["1205", "2290"]],
    ["INV-2026-001", "C-9", ["1202", "2290"]],
    ["other", "c-9", ["1204", "2290"]],
    ["other", "C-8", ["1207", "2290"]],
    [undefined, "C-7", ["1200", "2290"]],
    ["SHOP-42", undefined, ["1200", "2291"]],
    ["SHOP-421", undefined, ["1200", "2290"]],
  ])("%s of %s", (reference, customerId, codes) => {
    expect(bookedTo(reference, customerId)).toEqual(codes);
  });

  test.each([
    [["A*", "*B"], true],
    [["A*C", "?BC"], true],
    [["INV-1*", "INV-2*"], false],
    [["A?", "?B"], true],
    [["A?", "B?"], false],
    [["a*", "A*"], true],
    [["*a*", "*b*"], true],
    [["a.c*", "abc*"], false],
    [["INV-1", "inv-1 "], true],
    [["INV-1", "INV-*"], false],
  ])("patterns that say as much are refused if one reference can fit both: %s", (patterns, isRefused) => {
    const lines = patterns.map(
      (pattern, index) => `receivable,,,${pattern},,,,12${index},assets:n${index},,,,,,`,
    );
    const messages = problemsOf(withLines(...lines)).map(({ message }) => message);
    const isAmbiguous = messages.some((message) => message.includes("neither says more"));
    const isTwice = messages.some((message) => message.includes("is mapped 2 times"));
    expect(isAmbiguous || isTwice).toBe(isRefused);
    expect(messages).toHaveLength(isRefused ? 1 : 0);
  });
});

test.each([
  ["prj-alpha", "PRJ-ALPHA"],
  ["PRJ-ALPHA ", "PRJ-ALPHA "],
  ["other", "other"],
])("a project is booked as the chart writes it, where it differs in case alone: %s", (project, bookedAs) => {
  const chart = withLines("gl,Contractors,,,PRJ-ALPHA,,,6210,expenses:contractors:alpha,,,,,,");
  const { lines } = onlyEntry(chart, "0.05", "80000", { generalLedgerProject: project });
  expect([lines[0]?.account.code, lines[0]?.project]).toEqual([
    project === "other" ? "6200" : "6210",
    bookedAs,
  ]);
});

test("one customer is not mapped twice in two spellings", () => {
  const lines = ["C-9", "c-9"].map(
    (customer, index) => `receivable,,${customer},,,,,12${index},assets:n${index},,,,,,`,
  );
  expect(problemsOf(withLines(...lines))).toMatchObject([
    { line: 15, message: expect.stringContaining("is mapped 2 times (lines 15, 16)") },
  ]);
});

test("amounts are those of the shares, whatever they are", () => {
  const chart = withLines(
    "gl,Rent,,,,,1/7,6401,expenses:a,,,,,,",
    "gl,Rent,,,,,2/7,6402,expenses:b,,,,,,",
    "gl,Rent,,,,,4/7,6403,expenses:c,,,,,,",
  );
  for (const amount of ["0.00000001", "0.00000007", "0.12345678", "20999999.99999999"]) {
    const { lines } = onlyEntry(chart, amount, "81234.56", { generalLedgerName: "Rent" });
    const quantities = lines.slice(0, 3).map(({ quantity }) => quantity?.value ?? Decimal.zero);
    expect(Decimal.sum(quantities).equals(Decimal.of(amount))).toBe(true);
    for (const quantity of quantities) expect(quantity.scale).toBe(8);
  }
});
