/**
 * Every target in one run. This test's own readers, which know only how each program reads a file, read the files
 * back and find the control totals of the manifest. samples/ledger shows one file of each target; RENEW_SAMPLES=1
 * renews them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "csv-parse/sync";
import exceljs from "exceljs";
import { beforeAll, describe, expect, test } from "vitest";
import { exportStep } from "../../src/books/index.ts";
import { erpPresetNames } from "../../src/config/erp-presets.ts";
import { openWorkplace, stderrLog } from "../../src/index.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { currencyScales, Decimal } from "../../src/money/index.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { configured } from "../config/ledger-exports.ts";
import { openPlace } from "../site/workplace.ts";
import { deposits, payouts } from "./golden-books.ts";
import { balanceByImport, judgeRuns, judges, verdict } from "./judges.ts";
import { book } from "./movements.ts";
import { hledgerJournal, ledgerTables } from "./whole-files.ts";

const SAMPLES = new URL("../../samples/ledger/", import.meta.url).pathname;
const AT = "2026-11-21T02:30:00.000Z";

/** The entries, with keys that Odoo has as well. */
const entries = book({ payouts, deposits }).entries.map(
  (entry): JournalEntry => ({
    ...entry,
    lines: entry.lines.map((line) => ({
      ...line,
      project: line.project === undefined ? undefined : "7",
      distribution: line.distribution === undefined ? undefined : "8",
    })),
  }),
);

type Preset = (typeof erpPresetNames)[number];

const MORE: Partial<Record<Preset, string>> = {
  xero: ", settings: { taxRate: Tax Exempt }",
  odoo: ', settings: { journal: Crypto }, parties: { "1200": { id: "Crypto customers" } }',
  erpnext: ', settings: { company: Acme }, parties: { "1200": { id: "Crypto customers" } }',
  "quickbooks-online":
    ', accounts: { "1200": "Accounts Receivable (A/R)" }, parties: { "1200": { id: "Crypto customers" } }',
  netsuite: ', settings: { subsidiary: "Acme Holding" }',
  "dynamics-365-finance": ', settings: { journal: GenJrn, dimensions: "|{project}|{distribution}" }',
  datev: ', settings: { consultant: "1001", client: "42" }',
};

/** The folder of one run with every target. */
let folder: string;

beforeAll(async () => {
  const place = openPlace();
  folder = join(place.folder, "ledger");
  const exports = erpPresetNames.map((preset) => `{ preset: ${preset}${MORE[preset] ?? ""} }`).join(", ");
  const workplace = openWorkplace(
    join(place.folder, "paydrop.yaml"),
    { ...place.environment, PAYDROP_LEDGER_EXPORTS: `[${exports}]` },
    stderrLog("silent"),
  );
  await workplace.store.write(() => insertEntries(entries, AT));
  const issued = await exportStep(workplace);
  await workplace.close();
  expect(issued.map(({ target }) => target)).toEqual(["journal", ...erpPresetNames]);
  expect(new Set(issued.map((report) => report.entries))).toEqual(new Set([entries.length]));
});

interface Read {
  readonly account: string;
  readonly amount: Decimal;
}

const NUMBER_OF_SIDE: Readonly<Record<string, Decimal>> = { S: Decimal.of("1"), H: Decimal.of("-1") };

/** The columns in which each program names accounts and sides. */
const COLUMNS: Readonly<Partial<Record<Preset, readonly [account: string, ...sides: string[]]>>> = {
  csv: ["Account", "Debit", "Credit"],
  xero: ["*AccountCode", "*Amount"],
  "quickbooks-online": ["AccountName", "Debits", "Credits"],
  netsuite: ["Journal Entry - Line: Account", "Journal Entry - Line: Debit", "Journal Entry - Line: Credit"],
  odoo: ["line_ids/account_id", "line_ids/debit", "line_ids/credit"],
  erpnext: ["Account (Accounting Entries)", "Debit (Accounting Entries)", "Credit (Accounting Entries)"],
  "sage-intacct": ["ACCT_NO", "DEBIT", "CREDIT"],
  "sage-50-us": ["G/L Account", "Amount"],
  "dynamics-365-finance": ["ACCOUNTDISPLAYVALUE", "DEBITAMOUNT", "CREDITAMOUNT"],
  "business-central": ["Account No.", "Debit Amount", "Credit Amount"],
};

const difference = (debit: string, credit: string) =>
  Decimal.of(debit || "0").minus(Decimal.of(credit || "0"));

async function readBack(preset: Preset): Promise<Read[]> {
  const path = (name: string) => join(folder, `000001-${name}`);
  if (preset === "xlsx") return workbookRows(path("xlsx.xlsx"));
  if (preset === "datev") return datevRows(readFileSync(path("datev.csv")));
  if (preset === "beancount") return beancountRows(readFileSync(path("beancount.beancount"), "utf8"));
  if (preset === "quickbooks-desktop") return iifRows(readFileSync(path(`${preset}.iif`), "latin1"));
  const [account = "", debit = "", credit = ""] = COLUMNS[preset] ?? [];
  const rows: Record<string, string>[] = parse(readFileSync(path(`${preset}.csv`)), {
    columns: true,
    bom: true,
  });
  return rows.map((row) => ({
    account: (row[account] ?? "").replace(/\|.*/, ""),
    amount: difference(row[debit] ?? "", row[credit] ?? ""),
  }));
}

async function workbookRows(path: string): Promise<Read[]> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(path);
  const sheet = workbook.getWorksheet("Journal");
  const rows: Read[] = [];
  sheet?.eachRow((row, line) => {
    const [account, debit, credit] = [4, 6, 7].map((at) => row.getCell(at).text);
    if (line > 1 && account) rows.push({ account, amount: difference(debit ?? "", credit ?? "") });
  });
  return rows;
}

function datevRows(bytes: Buffer): Read[] {
  const [, ...table] = new TextDecoder("windows-1252").decode(bytes).split("\r\n");
  const rows: Record<string, string>[] = parse(table.join("\r\n"), { columns: true, delimiter: ";" });
  return rows.flatMap((row) => {
    const sign = NUMBER_OF_SIDE[row["Soll/Haben-Kennzeichen"] ?? ""] ?? Decimal.zero;
    const amount = Decimal.of((row["Umsatz (ohne Soll/Haben-Kz)"] ?? "").replace(",", ".")).times(sign);
    return [
      { account: row["Konto"] ?? "", amount },
      { account: row["Gegenkonto (ohne BU-Schlüssel)"] ?? "", amount: amount.negated() },
    ];
  });
}

function beancountRows(text: string): Read[] {
  return [...text.matchAll(/^ {2}([A-Z]\S+) {2}(-?)(\S+) \S+(?: @@ (\S+) EUR)?$/gm)].map(
    ([, account = "", sign, amount = "", cost]) => ({
      account,
      amount: Decimal.of(`${sign}${cost ?? amount}`),
    }),
  );
}

function iifRows(text: string): Read[] {
  return text
    .split("\r\n")
    .filter((line) => /^(?:TRNS|SPL)\t/.test(line))
    .map((line) => line.split("\t"))
    .map((cells) => ({ account: cells[3] ?? "", amount: Decimal.of(cells[6] ?? "") }));
}

function sums(rows: readonly Read[]): string[] {
  const byAccount = new Map<string, Decimal>();
  for (const { account, amount } of rows)
    byAccount.set(account, (byAccount.get(account) ?? Decimal.zero).plus(amount));
  return [...byAccount.values()].map((sum) => sum.normalized().toString()).sort();
}

describe.each(erpPresetNames)("%s", (preset) => {
  test("has the control totals of its manifest, account by account", async () => {
    const manifest = JSON.parse(readFileSync(join(folder, `000001-${preset}.manifest.json`), "utf8"));
    const stated = (manifest.accounts as { debit: string; credit: string }[]).map(({ debit, credit }) =>
      difference(debit, credit).normalized().toString(),
    );
    const rows = await readBack(preset);
    expect(sums(rows)).toEqual(stated.sort());
    expect(Decimal.sum(rows.map(({ amount }) => amount)).isZero()).toBe(true);
    expect(manifest.format).toBe("unconfirmed");
    expect(manifest.counts.entries).toBe(entries.length);
  });

  test("is as its sample shows", async () => {
    const name = readdirSync(folder).find(
      (one) => one.startsWith(`000001-${preset}.`) && !one.endsWith(".json"),
    );
    const sample = join(SAMPLES, (name ?? "").replace("000001-", ""));
    if (process.env["RENEW_SAMPLES"] !== undefined) {
      mkdirSync(SAMPLES, { recursive: true });
      writeFileSync(sample, readFileSync(join(folder, name ?? "")));
    }
    // A workbook contains the time of its packing, and DATEV's first line the time of the batch.
    if (preset === "xlsx") expect(await workbookRows(sample)).toEqual(await readBack(preset));
    else expect(withoutInstant(sample)).toBe(withoutInstant(join(folder, name ?? "")));
  });
});

const withoutInstant = (path: string) => readFileSync(path, "latin1").replace(/;\d{17};/, ";;");

test.each(["journal.csv", "journal.hledger"])("samples/ledger/%s is what the journal's batch has", (name) => {
  const sample = join(SAMPLES, name);
  if (process.env["RENEW_SAMPLES"] !== undefined)
    writeFileSync(sample, readFileSync(join(folder, `000001-${name}`)));
  expect(readFileSync(sample, "utf8")).toBe(readFileSync(join(folder, `000001-${name}`), "utf8"));
});

test("the page on ledger files has a section for each target, and calls none confirmed", () => {
  const page = readFileSync(new URL("../../docs/ledger-files.md", import.meta.url), "utf8");
  for (const preset of erpPresetNames) expect(page).toMatch(new RegExp(`\`${preset}\``));
  const files = readdirSync(SAMPLES).map((name) => basename(name));
  expect(files.length).toBe(erpPresetNames.length + 2);
  expect(existsSync(join(SAMPLES, "datev.csv"))).toBe(true);
});

describe.runIf(judges.every(({ name }) => judgeRuns(name)))("an account with brackets in its name", () => {
  test("has its own name in each program", () => {
    const name = "Accounts Receivable (A/R)";
    const named = entries.map((entry) => ({
      ...entry,
      lines: entry.lines.map((line) =>
        line.account.code === "1200" ? { ...line, account: { ...line.account, name } } : line,
      ),
    }));
    const format = { functionalCurrency: "EUR", scales: currencyScales() };
    const [text = ""] = ledgerTables(named, configured("preset: quickbooks-online"), "000042", format);
    expect(text).toContain(`,${name},`);
    const journal = hledgerJournal(named, format);
    expect(journal).toContain("account Accounts Receivable A/R\n");
    for (const judge of judges) expect(verdict(judge, journal)).toBeUndefined();
  });
});

describe("datev", () => {
  const format = { functionalCurrency: "EUR", scales: currencyScales() };
  const table = configured('preset: datev, settings: { consultant: "1001", client: "42" }');
  const [text = ""] = ledgerTables(entries, table, "000042", format);
  const [first = "", ...rest] = text.split("\r\n");
  const rows: Record<string, string>[] = parse(rest.join("\r\n"), { columns: true, delimiter: ";" });

  test("begins with a line of 31 fields that says whose month it is, and has 125 columns", () => {
    const fields: string[][] = parse(first, { delimiter: ";" });
    expect(fields[0]).toHaveLength(31);
    expect(first).toBe(
      '"EXTF";700;21;"Buchungsstapel";13;20261121023000000;;"RE";"Paydrop";"";1001;42;20260101;4;20261101;20261130;"Paydrop 000042";"";1;0;0;"EUR";;"";;;"";;;"";""',
    );
    expect(rest[0]?.split(";")).toHaveLength(125);
    expect(rest[0]?.split(";").slice(36, 38)).toEqual(["KOST1 - Kostenstelle", "KOST2 - Kostenstelle"]);
    expect(rest[0]?.split(";")[113]).toBe("Festschreibung");
  });

  test("books each detail against the other side, without sign, with the number first in a text of 60", () => {
    const [contractor, fee] = rows;
    expect(contractor).toMatchObject({
      "Umsatz (ohne Soll/Haben-Kz)": "4061,73",
      "Soll/Haben-Kennzeichen": "S",
      Konto: "6200",
      "Gegenkonto (ohne BU-Schlüssel)": "1510",
      Belegdatum: "2011",
      "Belegfeld 1": "000042-0001",
      "KOST1 - Kostenstelle": "8",
      "KOST2 - Kostenstelle": "7",
    });
    expect(fee).toMatchObject({ Konto: "6810", "Umsatz (ohne Soll/Haben-Kz)": "1,75" });
    for (const row of rows) {
      expect(row["Buchungstext"]).toMatch(/^000042-\d{4} /);
      expect(row["Buchungstext"]?.length).toBeLessThanOrEqual(60);
      expect(row["Belegfeld 1"]).toMatch(/^[A-Za-z0-9$&%*+/-]{1,36}$/);
    }
    expect(rest[1]).toMatch(/^4061,73;"S";"EUR";;;;6200;1510;;2011;"000042-0001";;;"000042-0001 INV-77";/);
  });

  test("takes no letter into Belegfeld 1 that DATEV refuses", () => {
    const columns = `columns: [{ header: "Belegfeld 1", value: "{reference}", lengthMax: 36, characters: "A-Za-z0-9$&%*+/-" }, { header: U, value: "{unsigned}" }, { header: S, value: "{side}" }]`;
    const own = configured(`preset: datev, before: [], ${columns}`);
    const odd = entries.slice(0, 1).map((entry) => ({ ...entry, reference: "Rechnung_7 (Ü)" }));
    expect(ledgerTables(odd, own, "000042", format)[0]).toContain("Rechnung-7--");
  });

  test("begins a file with each month, and a fiscal year where the company's begins", () => {
    const dated = entries.map((entry, index) => ({
      ...entry,
      bookDay: index % 2 === 0 ? "2026-06-30" : "2026-07-01",
    }));
    const own = configured(
      'preset: datev, fiscalYearStart: "07-01", settings: { consultant: "1", client: "2" }',
    );
    const files = ledgerTables(dated, own, "000042", format);
    expect(files.map((file) => /;(\d{8});4;(\d{8});(\d{8});/.exec(file)?.slice(1))).toEqual([
      ["20250701", "20260601", "20260630"],
      ["20260701", "20260701", "20260731"],
    ]);
  });

  test("splits debits and credits of several lines into pairs that move each account as before", () => {
    const [entry] = entries as [JournalEntry];
    const line = (code: string, side: "debit" | "credit", amount: string) => ({
      accountKey: code,
      account: { code, name: `expenses:${code}` },
      memo: "x",
      [side]: Decimal.of(amount),
    });
    const many = {
      ...entry,
      lines: [
        line("6001", "debit", "10.00"),
        line("6002", "debit", "0.03"),
        line("6003", "debit", "7.00"),
        line("1001", "credit", "12.01"),
        line("1002", "credit", "5.02"),
      ],
    };
    const [file = ""] = ledgerTables([many], table, "000042", format);
    const read = datevRows(Buffer.from(file, "latin1"));
    expect(sums(read)).toEqual(["-12.01", "-5.02", "0.03", "10", "7"]);
    expect(read).toHaveLength(8);
  });

  test.runIf(judgeRuns("hledger"))("hledger imports it to a balance of zero", () => {
    const lines = datevRows(Buffer.from(text, "latin1")).map(({ amount }) => [
      "2026-11-20",
      amount.toString(),
    ]);
    expect(balanceByImport(lines, "yyyy-mm-dd")).toBe("0");
    expect(balanceByImport([...lines, ["2026-11-20", "0.01"]], "yyyy-mm-dd")).toBe("0.01");
  });
});

test("every line of a journal in Dynamics 365 Finance has the journal's description, and its own text", () => {
  const rows: Record<string, string>[] = parse(
    readFileSync(join(folder, "000001-dynamics-365-finance.csv")),
    {
      columns: true,
    },
  );
  expect(new Set(rows.map((row) => row["DESCRIPTION"]))).toEqual(new Set(["Paydrop 000001"]));
  expect(new Set(rows.map((row) => row["TEXT"])).size).toBeGreaterThan(3);
});

test("Business Central gets dimensions, and no job, which would need a task and a quantity", () => {
  const rows: Record<string, string>[] = parse(readFileSync(join(folder, "000001-business-central.csv")), {
    columns: true,
  });
  expect(Object.keys(rows[0] ?? {}).join()).not.toContain("Job");
  expect(rows[0]).toMatchObject({ "Shortcut Dimension 1 Code": "7", "Shortcut Dimension 2 Code": "8" });
  expect(new Set(rows.map((row) => row["Document No."])).size).toBe(entries.length);
});

test("a template has the party, the rate, the kind, the number of its batch and what an entry reverses", () => {
  const format = { functionalCurrency: "EUR", scales: currencyScales() };
  const own =
    configured(`name: own, sides: { debit: Dr, credit: Cr }, parties: { "6200": { type: Supplier, id: S-1 } },
    before: ["Batch {exportNumber} in {currency} of {firstDay}"], columns: [
      { header: A, value: "{side} {unsigned}" }, { header: B, value: "{partyType} {party}" },
      { header: C, value: "{rate} {rateFrom}/{rateTo}" }, { header: D, value: "{entryKind}" },
      { header: E, value: "{exportNumber}" }, { header: F, value: "{reversalOf}" } ]`);
  const reversal = entries.slice(0, 1).map((entry) => ({ ...entry, reversalOf: "payout:0001:settle:1" }));
  const [text = ""] = ledgerTables(reversal, own, "000042", format);
  expect(text.split("\r\n").slice(0, 4)).toEqual([
    "Batch 000042 in EUR of 20261101",
    "A,B,C,D,E,F",
    "Dr 4061.73,Supplier S-1,81234.56 BTC/EUR,payout-settle,000042,payout:0001:settle:1",
    "Dr 1.75,,81234.56 BTC/EUR,payout-settle,000042,payout:0001:settle:1",
  ]);
});
