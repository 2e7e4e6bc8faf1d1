/** Journals as ERPs import them: each file is read back using only its own columns, and hledger checks the result. */
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { erpPresetNames } from "../../src/config/erp-presets.ts";
import type { JournalEntry, LedgerTable } from "../../src/model/index.ts";
import { LEDGER_FIELDS } from "../../src/model/ledger-table.ts";
import { currencyScales, Decimal } from "../../src/money/index.ts";
import { configured, refused } from "../config/ledger-exports.ts";
import { deposits, payouts } from "./golden-books.ts";
import { balanceByImport, judgeRuns } from "./judges.ts";
import { book, btc, funds, payout, rateIntoEur } from "./movements.ts";
import { ledgerFiles, ledgerTables } from "./whole-files.ts";

const format = { functionalCurrency: "EUR", scales: currencyScales() };
const { entries } = book({ payouts, deposits });

/** A payout whose fee rounds to 0.00 EUR, and one that does so as a whole. */
const dust = book({
  payouts: ["0.05", "0.00000003"].map((amount, index) =>
    payout(`000${index}`, {
      requestedAmount: btc(amount),
      sentFunds: [
        funds({
          txHash: `d${index}`,
          amount: btc(amount),
          fee: btc("0.00000002"),
          rate: rateIntoEur("80000"),
        }),
      ],
    }),
  ),
}).entries;

/** Presets with one row for each posting in a text table; test/books/targets.test.ts reads the others. */
const TABLES = erpPresetNames.filter((name) => !["xlsx", "beancount", "datev"].includes(name)) as Preset[];
type Preset = Exclude<(typeof erpPresetNames)[number], "xlsx" | "beancount" | "datev">;

/** Odoo takes only database ids of analytic accounts. */
function keyedFor(preset: Preset, of: readonly JournalEntry[]): readonly JournalEntry[] {
  if (preset !== "odoo") return of;
  const key = (text: string | undefined, id: string) => (text === undefined ? undefined : id);
  return of.map((entry) => ({
    ...entry,
    lines: entry.lines.map((line) => ({
      ...line,
      project: key(line.project, "7"),
      distribution: key(line.distribution, "8"),
    })),
  }));
}

/** The settings that a company must configure for the preset. */
const SETTINGS: Partial<Record<Preset, string>> = {
  xero: "settings: { taxRate: Tax Exempt }",
  odoo: "settings: { journal: Bitcoin }",
  erpnext: "settings: { company: Acme }",
  "dynamics-365-finance": 'settings: { journal: GenJrn, dimensions: "|{project}|{distribution}" }',
};

const tableOf = (preset: Preset, more = "") =>
  configured(`preset: ${preset}, ${SETTINGS[preset] ?? ""}${more}`);

/** One line of an imported file: its document, its account, and its amount with debit positive. */
interface Imported {
  readonly document: string;
  readonly account: string;
  readonly amount: Decimal;
}

interface Reading {
  /** Absent on an entry's later lines if `continues`. */
  readonly document: string;
  readonly account: string;
  readonly sides: readonly [debit: string, credit: string] | readonly [amount: string];
  readonly continues?: true;
  /** The part of the account's cell after the account. */
  readonly dimensions?: RegExp;
}

/** By the ERPs' own column names, as on their import screens. */
const READINGS: Readonly<Record<Preset, Reading>> = {
  csv: { document: "Document", account: "Account", sides: ["Debit", "Credit"] },
  xero: { document: "*Narration", account: "*AccountCode", sides: ["*Amount"] },
  "quickbooks-online": { document: "JournalNo", account: "AccountName", sides: ["Debits", "Credits"] },
  "quickbooks-desktop": { document: "DOCNUM", account: "ACCNT", sides: ["AMOUNT"] },
  netsuite: {
    document: "External ID",
    account: "Journal Entry - Line: Account",
    sides: ["Journal Entry - Line: Debit", "Journal Entry - Line: Credit"],
  },
  odoo: {
    document: "id",
    account: "line_ids/account_id",
    sides: ["line_ids/debit", "line_ids/credit"],
    continues: true,
  },
  erpnext: {
    document: "Reference Number",
    account: "Account (Accounting Entries)",
    sides: ["Debit (Accounting Entries)", "Credit (Accounting Entries)"],
    continues: true,
  },
  "sage-intacct": {
    document: "REFERENCE_NO",
    account: "ACCT_NO",
    sides: ["DEBIT", "CREDIT"],
    continues: true,
  },
  "sage-50-us": { document: "Reference", account: "G/L Account", sides: ["Amount"] },
  "dynamics-365-finance": {
    document: "VOUCHER",
    account: "ACCOUNTDISPLAYVALUE",
    dimensions: /\|.*/,
    sides: ["DEBITAMOUNT", "CREDITAMOUNT"],
  },
  "business-central": {
    document: "Document No.",
    account: "Account No.",
    sides: ["Debit Amount", "Credit Amount"],
  },
};

function imported(preset: Preset, text: string): Imported[] {
  const { document, account, sides, continues, dimensions = "" } = READINGS[preset];
  let current = "";
  return recordsOf(preset, text).map((row) => {
    const own = row[document] ?? "";
    if (!continues || own !== "") current = own;
    const [debit = "", credit = ""] = sides.map((side) => row[side] ?? "");
    const amount = Decimal.of(debit || "0").minus(Decimal.of(credit || "0"));
    return { document: current, account: row[account]?.replace(dimensions, "") ?? "", amount };
  });
}

function recordsOf(preset: Preset, text: string): Record<string, string>[] {
  if (preset !== "quickbooks-desktop") return parse(text, { columns: true });
  const [header = "", , , ...lines] = text.split("\r\n");
  const transactions = lines.filter((line) => /^(TRNS|SPL)\t/.test(line));
  return parse([header, ...transactions].join("\n"), { columns: true, delimiter: "\t" });
}

function sumsBy(lines: readonly Imported[], key: "document" | "account"): Map<string, string> {
  const sums = new Map<string, Decimal>();
  for (const line of lines) sums.set(line[key], (sums.get(line[key]) ?? Decimal.zero).plus(line.amount));
  return new Map([...sums].map(([name, sum]) => [name, sum.normalized().toString()]));
}

describe.each(TABLES)("%s", (preset) => {
  const [text = "", ...more] = ledgerTables(keyedFor(preset, entries), tableOf(preset), "000042", format);
  const lines = imported(preset, text);

  test("has every line of every entry, each entry a document of its own that balances", () => {
    expect(more).toEqual([]);
    expect(lines).toHaveLength(entries.flatMap((entry) => entry.lines).length);
    const documents = sumsBy(lines, "document");
    expect(documents.size).toBe(entries.length);
    expect(documents.has("")).toBe(false);
    expect([...documents.values()].every((sum) => sum === "0")).toBe(true);
  });

  test("moves every account by what the accountants' example says", () => {
    const sums = [...sumsBy(lines, "account").values()].sort();
    expect(sums).toEqual(["-1797", "-20.25", "-3870.92", "0", "1.75", "5686.42"]);
  });

  test("no text from outside breaks a line, forges a column or begins a formula", () => {
    const evil = '=1+1\t"\r\nTRNS,;|\u2028';
    const sentFunds = [funds({ txHash: evil, amount: btc("0.05"), rate: rateIntoEur("80000") })];
    const odd = book({
      payouts: [payout("0001", { reference: evil, generalLedgerProject: "+P\t1", sentFunds })],
    }).entries;
    const [hostile = ""] = ledgerTables(keyedFor(preset, odd), tableOf(preset), "000042", format);
    const read = imported(preset, hostile);
    expect(read).toHaveLength(odd.flatMap((entry) => entry.lines).length);
    expect(sumsBy(read, "document").size).toBe(1);
    const cells = recordsOf(preset, hostile).flatMap((row) => Object.values(row));
    // Digits that Paydrop itself put into a formula stay text.
    const inText = (cell: string) => /^="[\w.:/ -]*"$/.test(cell);
    expect(cells.filter((cell) => /^[=+@\t\r]|^-(?!\d+\.\d+$)/.test(cell) && !inText(cell))).toEqual([]);
  });

  test("no cell ends later for a program that takes a backslash for an escape, as GnuCash does", () => {
    const reference = 'ACME\\Berlin: "a\\", 2\\';
    const sentFunds = [funds({ amount: btc("0.05"), rate: rateIntoEur("80000") })];
    const odd = book({ payouts: [payout("0001", { reference, sentFunds })] }).entries;
    const [hostile = ""] = ledgerTables(odd, tableOf(preset), "000042", format);
    const cells = recordsOf(preset, hostile).flatMap((row) => Object.values(row));
    expect(cells.join()).toContain('ACME\\Berlin: "a/", 2/');
    expect(hostile).not.toMatch(/\\"/);
  });

  test("a line that rounds to nothing is left out, because one without an amount would stop an import", () => {
    const [whole = ""] = ledgerTables(dust, tableOf(preset), "000042", format);
    const amounts = imported(preset, whole).map(({ amount }) => amount.toString());
    // A table with quantities has the other rows too.
    const shown = preset === "csv" ? amounts.filter((amount) => amount !== "0.00") : amounts;
    expect(shown).toEqual(["4000.00", "-4000.00"]);
    // An entry without lines has no end mark.
    if (preset === "quickbooks-desktop") expect(whole.match(/^ENDTRNS$/gm)).toHaveLength(1);
    if (preset === "sage-50-us") expect(recordsOf(preset, whole)[0]?.["Number of Distributions"]).toBe("2");
  });

  test.runIf(judgeRuns("hledger"))(
    "hledger imports it by a rule for each column, to a balance of zero, and notices a missing cent",
    () => {
      const { sides } = READINGS[preset];
      const rows = recordsOf(preset, text);
      const dayColumn = Object.keys(rows[0] ?? {}).find((name) => /date/i.test(name)) ?? "";
      let day = "";
      const csv = rows.map((row) => {
        day = row[dayColumn] || day;
        return [day, ...sides.map((side) => row[side] ?? "")];
      });
      const { days } = tableOf(preset);
      expect(balanceByImport(csv, days)).toBe("0");
      const [date = "", amount = "", ...rest] = csv[0] ?? [];
      const spoiled = [
        [date, Decimal.of(amount).plus(Decimal.of("0.01")).toString(), ...rest],
        ...csv.slice(1),
      ];
      expect(balanceByImport(spoiled, days)).toBe("0.01");
    },
  );
});

describe("project and distribution of a payment", () => {
  /** The cells of the payee's line that hold them; several if a program has no column for the second. */
  const CELLS: Readonly<Record<Preset, Readonly<Record<string, string>>>> = {
    csv: { Project: "PRJ-ALPHA", Distribution: "DIST-OPS" },
    xero: {
      TrackingName1: "Project",
      TrackingOption1: "PRJ-ALPHA",
      TrackingName2: "Distribution",
      TrackingOption2: "DIST-OPS",
    },
    "quickbooks-online": { Class: "PRJ-ALPHA", Location: "DIST-OPS" },
    "quickbooks-desktop": { CLASS: "PRJ-ALPHA", MEMO: "INV-77 DIST-OPS" },
    netsuite: { "Journal Entry - Line: Class": "PRJ-ALPHA", "Journal Entry - Line: Department": "DIST-OPS" },
    odoo: { "line_ids/analytic_distribution": '{"7":100,"8":100}' },
    erpnext: {
      "Project (Accounting Entries)": "PRJ-ALPHA",
      "Cost Center (Accounting Entries)": "DIST-OPS",
    },
    "sage-intacct": { GLENTRY_PROJECTID: "PRJ-ALPHA", GLENTRY_CLASSID: "DIST-OPS" },
    "sage-50-us": { "Job ID": "PRJ-ALPHA", Description: "INV-77 DIST-OPS" },
    "dynamics-365-finance": { ACCOUNTDISPLAYVALUE: "6200|PRJ-ALPHA|DIST-OPS" },
    "business-central": {
      "Shortcut Dimension 1 Code": "PRJ-ALPHA",
      "Shortcut Dimension 2 Code": "DIST-OPS",
    },
  };
  const settled = entries.slice(0, 1);
  const linesIn = (preset: Preset, table: LedgerTable, of: readonly JournalEntry[] = settled) =>
    recordsOf(preset, ledgerTables(of, table, "000042", format)[0] ?? "");

  test.each(TABLES)("reach %s, on the payee's line and on no other", (preset) => {
    const [payee, ...others] = linesIn(preset, tableOf(preset), keyedFor(preset, settled));
    expect(payee).toMatchObject(CELLS[preset]);
    expect(JSON.stringify(others)).not.toMatch(/PRJ-ALPHA|DIST-OPS|:100/);
  });

  test("a line without distribution has the configured cost centre of ERPNext", () => {
    const table = configured("preset: erpnext, settings: { company: Acme, costCenter: Main - A }");
    const centres = linesIn("erpnext", table).map((row) => row["Cost Center (Accounting Entries)"]);
    expect(centres).toEqual(["DIST-OPS", "Main - A", "Main - A"]);
  });

  test("stand where the company's accounts in Dynamics 365 Finance have them", () => {
    const accountsWith = (settings: string) =>
      linesIn(
        "dynamics-365-finance",
        configured(`preset: dynamics-365-finance, settings: { journal: GenJrn, ${settings} }`),
      ).map((row) => row["ACCOUNTDISPLAYVALUE"]);
    expect(accountsWith("")).toEqual(["6200-PRJ-ALPHA-DIST-OPS", "6810--", "1510--"]);
    expect(accountsWith('dimensions: "--{distribution}"')).toEqual(["6200--DIST-OPS", "6810--", "1510--"]);
  });

  test("fit the columns of Business Central, or the entry is not written", () => {
    const long = settled.map((one) => ({
      ...one,
      lines: one.lines.map((line) => ({ ...line, distribution: "D".repeat(21) })),
    }));
    expect(() => linesIn("business-central", tableOf("business-central"), long)).toThrow(
      /LEDGER_CELL_TOO_LONG.*Shortcut Dimension 2 Code/,
    );
  });
});

describe("as an accountant reads them", () => {
  const [settled] = entries;
  const linesOf = (table: LedgerTable, of: readonly JournalEntry[] = [settled as JournalEntry]) =>
    ledgerTables(of, table, "000042", format)[0]?.split("\r\n") ?? [];

  test("xero", () => {
    expect(linesOf(tableOf("xero"))).toEqual([
      "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2",
      "Payout INV-77 000042-0001,20/11/2026,INV-77,6200,Tax Exempt,4061.73,Project,PRJ-ALPHA,Distribution,DIST-OPS",
      "Payout INV-77 000042-0001,20/11/2026,network fee of INV-77,6810,Tax Exempt,1.75,,,,",
      "Payout INV-77 000042-0001,20/11/2026,Payout INV-77,1510,Tax Exempt,-4063.48,,,,",
      "",
    ]);
  });

  test("odoo", () => {
    expect(linesOf(tableOf("odoo"), keyedFor("odoo", [settled as JournalEntry])).slice(1, 3)).toEqual([
      'paydrop_payout__0001__settle__1,Bitcoin,2026-11-20,000042-0001 INV-77,6200,,INV-77,4061.73,,EUR,4061.73,"{""7"":100,""8"":100}"',
      ",,,,6810,,network fee of INV-77,1.75,,EUR,1.75,",
    ]);
  });

  test("quickbooks-desktop", () => {
    expect(linesOf(tableOf("quickbooks-desktop"))).toEqual([
      "!TRNS\tTRNSTYPE\tDATE\tACCNT\tNAME\tCLASS\tAMOUNT\tDOCNUM\tMEMO",
      "!SPL\tTRNSTYPE\tDATE\tACCNT\tNAME\tCLASS\tAMOUNT\tDOCNUM\tMEMO",
      "!ENDTRNS",
      "TRNS\tGENERAL JOURNAL\t11/20/2026\texpenses:contractors\t\tPRJ-ALPHA\t4061.73\t000042-0001\tINV-77 DIST-OPS",
      "SPL\tGENERAL JOURNAL\t11/20/2026\texpenses:networkfees\t\t\t1.75\t000042-0001\tnetwork fee of INV-77",
      "SPL\tGENERAL JOURNAL\t11/20/2026\tassets:crypto:btc\t\t\t-4063.48\t000042-0001\tPayout INV-77",
      "ENDTRNS",
      "",
    ]);
  });

  test("one of one's own", () => {
    const own =
      configured(`name: fibu, delimiter: ";", days: dd.mm.yy, decimalMark: ",", settings: { kreis: "70" },
      columns: [
        { header: Konto, value: "{kreis}{accountCode}" }, { header: Datum, value: "{bookDay}" },
        { header: Betrag, value: "{amount}" }, { header: Menge, value: "{quantity}" },
        { header: Text, value: "{memo} {documentNumber}", lengthMax: 20 } ]`);
    expect(linesOf(own)).toEqual([
      "Konto;Datum;Betrag;Menge;Text",
      "706200;20.11.26;4061,73;0,05000000;INV-77 000042-0001",
      "706810;20.11.26;1,75;0,00002150;network… 000042-0001",
      "701510;20.11.26;-4063,48;-0,05002150;Payout … 000042-0001",
      "",
    ]);
  });
});

test("a table with quantities has the lines whose value rounds to nothing", () => {
  const own = configured(
    `name: own, columns: [{ header: Value, value: "{amount}" }, { header: Quantity, value: "{quantity}" }]`,
  );
  const [text = ""] = ledgerTables(dust, own, "000042", format);
  const quantities = parse<Record<string, string>>(text, { columns: true }).map((row) => row["Quantity"]);
  expect(quantities).toHaveLength(6);
  expect(quantities).toContain("0.00000003");
});

test("a cell with nothing from outside in it is written as the template says", () => {
  const own = configured(
    `name: own, settings: { sign: "-" }, columns: [{ header: A, value: "{amount} {currency}" },
      { header: B, value: "{sign}" }, { header: C, value: "{sign}{memo}" }]`,
  );
  const lines = ledgerTables(entries.slice(0, 1), own, "000042", format)[0]?.split("\r\n") ?? [];
  expect(lines[3]).toBe("-4063.48 EUR,-,'-Payout INV-77");
});

test("custom columns are also those of an IIF file's head", () => {
  const own = configured(`preset: quickbooks-desktop,
    columns: [{ header: ACCNT, value: "{accountCode}" }, { header: AMOUNT, value: "{amount}" }]`);
  expect(ledgerTables(entries.slice(0, 1), own, "000042", format)[0]?.split("\r\n")).toEqual([
    "!TRNS\tACCNT\tAMOUNT",
    "!SPL\tACCNT\tAMOUNT",
    "!ENDTRNS",
    "TRNS\t6200\t4061.73",
    "SPL\t6810\t1.75",
    "SPL\t1510\t-4063.48",
    "ENDTRNS",
    "",
  ]);
});

test("no text from outside begins a formula in a cell of its own, whichever field it is", () => {
  const fields = LEDGER_FIELDS.filter((field) => !/^(debit|credit|amount|quantity)$|day$/i.test(field));
  const own = configured(
    `name: own, columns: [${fields.map((field) => `{ header: ${field}, value: "{${field}}" }`).join()}]`,
  );
  const evil = "=1+1";
  const odd = entries.slice(0, 1).map((one) => ({
    ...one,
    ...{ narration: evil, reference: evil, orderId: evil, sourceId: evil, txHash: evil },
    lines: one.lines.map((line) => ({
      ...line,
      ...{
        memo: evil,
        project: evil,
        distribution: evil,
        account: { ...line.account, code: evil, name: evil },
      },
    })),
  }));
  const [text = ""] = ledgerTables(odd, own, "000042", format);
  const [row = {}] = parse<Record<string, string>>(text, { columns: true });
  const evils = Object.values(row).filter((cell) => cell.includes(evil));
  expect(evils.filter((cell) => cell.startsWith("="))).toEqual([]);
  expect(evils.length).toBeGreaterThanOrEqual(10);
});

describe("the encoding that a program reads", () => {
  const named = (name: string, memo: string) =>
    entries.slice(0, 1).map((one) => ({
      ...one,
      lines: one.lines.map((line) => ({ ...line, memo, account: { ...line.account, name } })),
    }));
  const fileOf = (table: LedgerTable, of: readonly JournalEntry[]) =>
    ledgerFiles(of, table, "000042", format)[0] ?? Buffer.alloc(0);

  test.each(["quickbooks-desktop", "sage-50-us"] as const)(
    "%s, a program for Windows, gets a byte for each letter, in account names too",
    (preset) => {
      const file = fileOf(tableOf(preset), named("expenses:büro", "Müller 東京 🙂"));
      expect(new TextDecoder("windows-1252").decode(file)).toContain("Müller ?? ?");
      expect(file.includes(Buffer.from("büro", "latin1"))).toBe(preset === "quickbooks-desktop");
      expect(file.includes(Buffer.from("ü"))).toBe(false);
    },
  );

  test("Odoo, which guesses, and spreadsheet programs get a byte order mark, and the others none", () => {
    const startOf = (preset: Preset) =>
      fileOf(tableOf(preset), keyedFor(preset, entries)).subarray(0, 3).toString("hex");
    expect(TABLES.filter((preset) => startOf(preset) === "efbbbf")).toEqual(["csv", "odoo"]);
    const parts = ledgerFiles(keyedFor("odoo", entries), tableOf("odoo", ", linesMax: 4"), "000042", format);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.filter((part) => part.subarray(0, 3).toString("hex") !== "efbbbf")).toEqual([]);
  });

  test("a company may say another one", () => {
    const own = configured(
      `name: own, encoding: windows-1250, columns: [{ header: A, value: "{memo}{amount}" }]`,
    );
    expect(new TextDecoder("windows-1250").decode(fileOf(own, named("x", "Łódź")))).toContain("Łódź4061.73");
    expect(refused('name: own, encoding: utf-7, columns: [{ header: A, value: "{amount}" }]')).toContain(
      "encoding",
    );
  });

  test("an account with letters that it lacks stops the export: a question mark would be another account", () => {
    expect(() => fileOf(tableOf("quickbooks-desktop"), named("expenses:東京", "memo"))).toThrow(
      /LEDGER_CELL_UNWRITABLE.*"expenses:東京" in the column ACCNT .* has "東", which the encoding windows-1252 lacks/,
    );
    expect(fileOf(tableOf("quickbooks-online"), named("expenses:東京", "memo")).toString()).toContain("東京");
  });

  test("a project with such letters does not: it came with a payout, and no money is booked by it", () => {
    const odd = entries.slice(0, 1).map((one) => ({
      ...one,
      lines: one.lines.map((line) => ({ ...line, project: "Zoë 東京" })),
    }));
    const file = fileOf(tableOf("quickbooks-desktop"), odd);
    expect(new TextDecoder("windows-1252").decode(file)).toContain("\tZoë ??\t4061.73\t");
  });
});

describe("what a table cannot hold", () => {
  test("is shortened in every sentence of a cell where one alone is not enough", () => {
    const own = configured(
      `name: own, columns: [{ header: Text, value: "{documentNumber} {memo} {reference}", lengthMax: 30 }]`,
    );
    const long = entries.slice(0, 1).map((one) => ({
      ...one,
      reference: "R".repeat(100),
      lines: one.lines.map((line) => ({ ...line, memo: "M".repeat(200) })),
    }));
    const lines = ledgerTables(long, own, "000042", format)[0]?.split("\r\n") ?? [];
    expect(lines[1]).toBe(`000042-0001 … ${"R".repeat(15)}…`);
    const byOne = long.map((one) => ({
      ...one,
      reference: "R".repeat(17),
      lines: one.lines.map((line) => ({ ...line, memo: "M" })),
    }));
    expect(ledgerTables(byOne, own, "000042", format)[0]?.split("\r\n")[1]).toBe(
      `000042-0001 M ${"R".repeat(15)}…`,
    );
  });

  test("is shortened where it is a sentence, to the last character", () => {
    const memo = "東".repeat(158) + "🙂".repeat(100);
    const long = entries.map((one) => ({
      ...one,
      lines: one.lines.map((line) => ({ ...line, memo, distribution: undefined })),
    }));
    const [text = ""] = ledgerTables(long, tableOf("sage-50-us"), "000042", format);
    expect(recordsOf("sage-50-us", text)[0]?.["Description"]).toBe(`${"東".repeat(158)}…`);
  });

  test("stops the export where it is an account's code: another account must not be booked to", () => {
    const code = "6200-0000-0000-0001";
    const long = entries.map((one) => ({
      ...one,
      lines: one.lines.map((line) => ({ ...line, account: { ...line.account, code } })),
    }));
    expect(() => ledgerTables(long, tableOf("sage-50-us"), "000042", format)).toThrow(
      /LEDGER_CELL_TOO_LONG.*"6200-0000-0000-0001" is too long for the column G\/L Account .* takes 15 characters/,
    );
  });

  test("is left out where nobody mapped it: a project of a payout that goes to suspense", () => {
    const sentFunds = [funds({ txHash: "aa99", amount: btc("0.05"), rate: rateIntoEur("80000") })];
    const generalLedgerProject = "a stranger's own name for a project";
    const unmapped = payout("0009", { generalLedgerName: "nobody knows", generalLedgerProject, sentFunds });
    const booked = book({ payouts: [unmapped] }).entries;
    expect(booked[0]?.lines[0]).toMatchObject({ accountKey: "suspense", project: generalLedgerProject });
    const [text = ""] = ledgerTables(booked, tableOf("business-central"), "000042", format);
    const dimensions = recordsOf("business-central", text).map((row) => row["Shortcut Dimension 1 Code"]);
    expect(dimensions).toEqual(["", ""]);
  });

  test("goes into a further file, and no entry into two", () => {
    const many = Array.from({ length: 250 }, (_, index) => {
      const id = String(index).padStart(4, "0");
      const sentFunds = [
        funds({ txHash: id, amount: btc("0.05"), fee: btc("0.0001"), rate: rateIntoEur("80000") }),
      ];
      return payout(id, { sentFunds });
    });
    const { entries: all } = book({ payouts: many });
    const texts = ledgerTables(all, tableOf("xero"), "000042", format);
    const files = texts.map((text) => imported("xero", text));
    expect(files.map((lines) => lines.length)).toEqual([300, 300, 150]);
    const documents = files.flatMap((lines) => [...sumsBy(lines, "document").keys()]);
    expect(new Set(documents).size).toBe(250);
    expect(documents).toHaveLength(250);
    expect(ledgerTables(all, tableOf("xero", ", linesMax: 3"), "000042", format)).toHaveLength(250);
    expect(() => ledgerTables(entries, tableOf("xero", ", linesMax: 2"), "000042", format)).toThrow(
      "LEDGER_ENTRY_TOO_LONG",
    );
  });
});

describe("the configuration refuses", () => {
  test.each([
    ["preset: xero", "settings.taxRate"],
    ["preset: datev", "settings.consultant"],
    ["preset: xero, settings: { taxRate: None, amount: '5' }", "settings.amount"],
    ["preset: sap", "preset"],
    ["name: fibu", "expected a preset, or a name and columns"],
    ["columns: [{ header: A, value: x }]", "expected a preset, or a name and columns"],
    ["name: journal, columns: [{ header: A, value: x }]", "every export batch has a file of this name"],
    ["name: ../x, columns: [{ header: A, value: x }]", "expected lower-case letters"],
    [
      "name: fibu, columns: [{ header: A, value: '{acount}' }]",
      "{acount} is neither a field nor one of the settings; there are {documentNumber}, {entryId}",
    ],
    ["name: fibu, columns: [{ header: A, value: '{amount' }]", "has a single brace"],
    ["name: fibu, columns: [{ header: A, value: '{debit}' }]", "expected {debit} and {credit}, or {amount}"],
    ["name: fibu, columns: [{ header: A, value: '{credit}' }]", "expected {debit} and {credit}, or {amount}"],
    ["preset: xero, settings: { taxRate: '' }", "settings.taxRate"],
    [
      "preset: xero, settings: { taxRate: T }, columns: [{ header: A, value: '{tax}{amount}' }]",
      "{quantityCurrency} and, as settings, {taxRate}, {trackingName}, {trackingName2}",
    ],
    [
      "preset: xero, settings: { taxRate: None, taxrate: None }",
      "no column has {taxrate}; they have {taxRate}, {trackingName}",
    ],
    ["name: fibu, columns: [{ header: A, value: '{amount}', when: acount }]", "documentNumber"],
    [
      "preset: dynamics-365-finance, settings: { journal: J, dimensions: '-{projekt}' }",
      "{projekt} is neither a field nor one of the settings",
    ],
    ["preset: xero, settings: { taxRate: '{taxRate}' }", "{taxRate} is neither a field"],
    ["preset: xero, settings: { taxRate: '{' }", "has a single brace"],
    ["name: fibu, days: dd mmm yyyy, columns: [{ header: A, value: x }]", "expected a form such as"],
    ["name: fibu, days: dd.mm, columns: [{ header: A, value: x }]", "expected a form such as"],
    [
      "preset: netsuite, answers: { posted: [Done, ok], refused: [Failed, DONE] }",
      '\\"DONE\\" is a word for posted entries as well',
    ],
  ])("%s", (written, said) => expect(refused(written)).toContain(said));

  test("no missing setting that only replaced columns need", () => {
    expect(configured(`preset: xero, columns: [{ header: A, value: "{amount}" }]`).columns).toHaveLength(1);
  });

  test("two exports of one name", () => {
    expect(refused("preset: netsuite }, { preset: netsuite")).toContain(
      "netsuite is the name of two exports",
    );
  });
});
