/** Names of accounts for each target in the chart. A name that one target cannot hold does not stop the others. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { checkChartStep, ledgerExportStep } from "../../src/books/index.ts";
import { depositOf, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { judgeRuns, judges, verdict } from "./judges.ts";

const HEADER = "role,key,code,name,account.hledger,account.quickbooks-online,account.beancount";
const LINES = [
  "treasury,,1510,assets:crypto,,,",
  "receivable,,1200,Accounts Receivable (A/R),assets:receivable,,Assets:Receivable",
  'deposits-clearing,,2210,"Crypto ""in transit""; =2+2",liabilities:in transit,=2+2,Liabilities:Transit',
  "overpayments,,2290,liabilities:overpayments,,,",
  "suspense,,2999,liabilities:suspense,,,",
  "network-fees,,6810,expenses:network fees,,,",
];

const DEPOSIT = "6f1cbb7e-0000-4000-8000-0000000000a1";

/** The books of one deposit, by a chart whose lines are `changed`. */
async function booked(...changed: readonly (readonly [from: string, to: string])[]) {
  const { shown, night, workplace } = await scriptedNights({
    settings: {
      PAYDROP_LEDGER_CHART: "chart.csv",
      PAYDROP_LEDGER_EXPORTS: "[{ preset: quickbooks-online }, { preset: beancount }]",
    },
  });
  const write = (...changes: typeof changed) => {
    const text = changes.reduce((so, [from, to]) => so.replace(from, to), [HEADER, ...LINES].join("\n"));
    writeFileSync(workplace.config.ledger.chart, text);
  };
  write(...changed);
  await night();
  shown.deposits = [depositOf(DEPOSIT, [receiptOf("aa", 0.5)])];
  shown.balance += 0.5;
  await night();
  const folder = workplace.config.folders.ledger;
  const files = () =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  return { workplace, write, files, export: () => ledgerExportStep(workplace) };
}

const accountsIn = (text = "", column: string) =>
  [
    ...new Set(
      (parse(text, { columns: true, bom: true }) as Record<string, string>[]).map((row) => row[column]),
    ),
  ].sort();

test("each target has its own names, whatever characters the ERP's has", async () => {
  const { files, export: write } = await booked();
  await write();
  const found = files();
  expect(accountsIn(found["000001-journal.csv"], "accountName")).toEqual([
    "Accounts Receivable (A/R)",
    'Crypto "in transit"; =2+2',
    "assets:crypto",
  ]);
  expect(found["000001-journal.hledger"]).toMatch(/^account assets:receivable$/m);
  expect(found["000001-journal.hledger"]).toMatch(/^ {4}liabilities:in transit {2}/m);
  expect(found["000001-journal.hledger"]).not.toContain("Accounts Receivable");
  expect(accountsIn(found["000001-quickbooks-online.csv"], "AccountName")).toEqual([
    "'=2+2",
    "Accounts Receivable (A/R)",
    "assets:crypto",
  ]);
  expect(found["000001-beancount.beancount"]).toContain("open Liabilities:Transit");
  const judge = judges.filter(({ name }) => judgeRuns(name));
  for (const each of judge) expect(verdict(each, found["000001-journal.hledger"] ?? "")).toBeUndefined();
});

test("a name that one target cannot hold is told with line and column, and the others are written", async () => {
  const { workplace, write, files, export: exported } = await booked(["Assets:Receivable", "Debtors"]);
  const { ledger, issued } = await exported();
  expect(issued.map(({ target }) => target)).toEqual(["journal", "quickbooks-online"]);
  expect(ledger.problems).toMatchObject([
    {
      code: "LEDGER_NAME_REFUSED",
      file: workplace.config.ledger.chart,
      line: 3,
      column: "account.beancount",
      message: expect.stringContaining(
        'beancount cannot use the name "Debtors" of account 1200 (chart of accounts, line 3,',
      ),
    },
  ]);
  write();
  expect((await exported()).issued).toMatchObject([{ target: "beancount", number: 1 }]);
  expect(files()["000001-beancount.beancount"]).toContain("open Assets:Receivable");
});

test("the journal waits for a name that hledger can read, and the ERP does not", async () => {
  const { write, export: exported } = await booked(["liabilities:in transit", "liabilities:(in transit); x"]);
  const { ledger, issued } = await exported();
  expect(issued.map(({ target }) => target)).toEqual(["quickbooks-online", "beancount"]);
  expect(ledger.problems).toMatchObject([
    { code: "LEDGER_NAME_REFUSED", line: 4, column: "account.hledger" },
  ]);
  write();
  expect((await exported()).issued).toMatchObject([{ target: "journal", number: 1 }]);
});

test("two names of one account for one target are a mistake of the chart", async () => {
  const { workplace, write } = await booked();
  write([
    "suspense,,2999,liabilities:suspense,,,",
    "suspense,,2999,liabilities:suspense,,,\nwrite-off,,1200,Accounts Receivable (A/R),assets:receivable,Debtors,Assets:Debtors",
  ]);
  await expect(ledgerExportStep(workplace)).rejects.toMatchObject({
    problem: {
      ...{ code: "CHART_UNUSABLE", line: 7, column: "account.beancount" },
      message: expect.stringContaining("Assets:Receivable (line 3) and Assets:Debtors"),
    },
  });
});

test("a dimension that one program cannot hold keeps the entry from its file alone, and the check of the chart names its line", async () => {
  const business = "{ preset: business-central, settings: { dimension1: '{dimension.costCenter}' } }";
  const { shown, night, workplace } = await scriptedNights({
    settings: {
      PAYDROP_LEDGER_CHART: "chart.csv",
      PAYDROP_LEDGER_EXPORTS: `[${business}, { preset: netsuite }]`,
    },
  });
  const write = (costCenter: string) => {
    const [, ...lines] = LINES.map((line) => line.split(",").slice(0, 4).join(","));
    const treasury = `treasury,,1510,assets:crypto,${costCenter}`;
    const others = lines.filter((line) => !line.includes('"')).map((line) => `${line},`);
    const clearing = "deposits-clearing,,2210,liabilities:in transit,";
    const header = "role,key,code,name,dimension.costCenter";
    writeFileSync(workplace.config.ledger.chart, [header, treasury, ...others, clearing].join("\n"));
  };
  write("a cost center with a long name");
  await night();
  shown.deposits = [depositOf(DEPOSIT, [receiptOf("aa", 0.5)])];
  shown.balance += 0.5;
  await night();
  const { ledger, issued } = await ledgerExportStep(workplace);
  expect(issued.map(({ target }) => target)).toEqual(["journal", "netsuite"]);
  expect(ledger.problems).toMatchObject([{ code: "LEDGER_CELL_TOO_LONG", depositId: DEPOSIT }]);
  const { findings } = await checkChartStep(workplace);
  expect(findings).toContainEqual(expect.objectContaining({ code: "CHART_UNFIT", line: 2 }));
});
