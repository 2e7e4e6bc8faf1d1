import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { describe, expect, test } from "vitest";
import { checkAndReport } from "../../../src/files/validate-step.ts";
import { templateStep, validateFile } from "../../../src/index.ts";
import { payoutColumns } from "../../../src/model/columns.ts";
import { openPlace } from "../../site/workplace.ts";
import { fillTemplate } from "./filled-template.ts";

const FORMATS = ["csv", "xlsx"] as const;

const ASKED = [
  "reference",
  "payee",
  "address",
  "amount",
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
];

/** The values of a payment, for the example's cells that are refused. */
const PAYMENT = {
  reference: "PAY-1",
  address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  amount: "0.00123457",
};

/** A configuration so lax that none of its own rules refuses the example. */
const LAX = { PAYDROP_REFERENCE_PATTERN: ".*" };

describe.each(FORMATS)("a template as %s", (format) => {
  const { folder, workplace } = openPlace();
  const write = async (name: string, config: typeof workplace.config | undefined = workplace.config) => {
    const path = join(folder, `${name}.${format}`);
    await templateStep(path, config);
    return path;
  };

  test("is refused as it is, and the first reason says what to do", async () => {
    const { verdict, problems, warnings } = await validateFile(workplace, await write("untouched"));
    expect(verdict).toBe("rejected");
    expect(problems[0]).toMatchObject({ code: "ROW_IS_EXAMPLE", line: 2, column: "reference" });
    expect(warnings).toEqual([]);
  });

  test("is accepted with a payment written over its example, digit for digit, and nothing is asked", async () => {
    const path = await write("filled");
    await fillTemplate(path, { ...PAYMENT, payee: "Zoë Okafor" });
    const { report, found } = await checkAndReport(workplace, path);
    const { verdict, problems, warnings, reading } = report;
    expect({ verdict, problems, warnings }).toEqual({ verdict: "accepted", problems: [], warnings: [] });
    expect(reading?.questions).toEqual([]);
    expect(reading?.columns.map(({ heading, foundBy }) => [heading, foundBy])).toEqual(
      ASKED.map((heading) => [heading, "name"]),
    );
    const { amount, ...fields } = found?.rows[0]?.draft?.fields ?? expect.fail("no payment was read");
    expect([amount.currency, amount.value.toString()]).toEqual(["BTC", PAYMENT.amount]);
    expect(fields).toMatchObject({
      reference: "PAY-1",
      customerId: "Zoë Okafor",
      generalLedgerName: "Contractors",
    });
  });

  test("names its example where it was left in above a payment", async () => {
    const path = await write("left-in");
    await fillTemplate(path, PAYMENT, 3);
    const { verdict, problems, rowsAccepted } = await validateFile(workplace, path);
    expect([verdict, rowsAccepted]).toEqual(["rejected", 1]);
    expect(problems[0]).toMatchObject({ code: "ROW_IS_EXAMPLE", line: 2 });
    expect(problems.every(({ line }) => line === 2)).toBe(true);
  });

  test("is accepted with a total below its payments, without a question", async () => {
    const path = await write("totalled");
    await fillTemplate(path, { ...PAYMENT, generalLedgerName: "" });
    await fillTemplate(path, { ...PAYMENT, reference: "PAY-2" }, 3);
    await fillTemplate(path, { reference: "Total", amount: "0.00246914" }, 4);
    const { verdict, problems, reading } = await validateFile(workplace, path);
    expect({ verdict, problems, questions: reading?.questions }).toEqual({
      verdict: "accepted",
      problems: [],
      questions: [],
    });
    expect(reading?.totals).toMatchObject([{ line: 4, covers: "file" }]);
  });

  test("made without a configuration is accepted in the same way under any", async () => {
    const path = join(folder, `without.${format}`);
    await templateStep(path, undefined);
    await fillTemplate(path, PAYMENT);
    expect(await validateFile(workplace, path)).toMatchObject({ verdict: "accepted", rowsAccepted: 1 });
  });

  test("is accepted with every other column added and filled in by its own example", async () => {
    const path = await write("full");
    const asked = ["reference", "amount", "destinationAddress", "destinationAccountId"];
    const others = payoutColumns.filter(({ name }) => !asked.includes(name));
    const examples = Object.fromEntries(others.map(({ name, example }) => [name, example]));
    const { customerId: payee, ...rest } = examples;
    await fillTemplate(path, {
      ...PAYMENT,
      payee: payee ?? "",
      ...rest,
      payOn: "2036-11-28",
      feePolicy: "CUSTOM",
    });
    const { verdict, problems, reading } = await validateFile(workplace, path);
    expect({ verdict, problems, questions: reading?.questions }).toEqual({
      verdict: "accepted",
      problems: [],
      questions: [],
    });
  });

  test("cannot be paid by accident: each needed cell that is left alone is refused by itself", async () => {
    const lax = openPlace(LAX).workplace;
    for (const forgotten of Object.keys(PAYMENT)) {
      const path = await write(`forgot-${forgotten}`);
      await fillTemplate(
        path,
        Object.fromEntries(Object.entries(PAYMENT).filter(([name]) => name !== forgotten)),
      );
      const { verdict, problems } = await validateFile(lax, path);
      expect({ forgotten, verdict }).toEqual({ forgotten, verdict: "rejected" });
      expect(problems).toMatchObject([{ column: forgotten }]);
    }
  });

  test("is never written over a file that is there", async () => {
    const path = join(folder, `taken.${format}`);
    writeFileSync(path, "last month's payouts");
    await expect(templateStep(path, workplace.config)).rejects.toThrow("OUTPUT_EXISTS");
    expect(readFileSync(path, "utf8")).toBe("last month's payouts");
  });
});

describe("the workbook", () => {
  test("asks for seven columns, whose cells stay texts, explains all, and offers what the chart knows", async () => {
    const { workbook, sheet, columnOf, header } = await openTemplate();
    expect(header.map(({ text }) => text)).toEqual(ASKED);
    for (const cell of header) {
      expect(sheet.getColumn(cell.fullAddress.col).numFmt).toBe("@");
      expect(cell.note).toBeUndefined();
    }
    // Its second sheet explains every column of the interface.
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(["Payouts", "Columns", "Choices"]);
    const explained = workbook.worksheets[1]?.getColumn(1).values.slice(4) ?? [];
    const names = payoutColumns.map(({ name }) => name);
    expect(explained.slice(0, ASKED.length)).toEqual(ASKED);
    expect(new Set(explained)).toEqual(
      new Set([...ASKED, ...names.filter((name) => name !== "customerId" && name !== "destinationAddress")]),
    );
    const meanings = workbook.worksheets[1]?.getColumn(3).values.slice(4) ?? [];
    for (const meaning of meanings) expect(meaning).toMatch(/\S{3}/);
    expect(meanings).toHaveLength(names.length);
    // Below the whole header it offers what the chart of accounts knows.
    const choices = (name: string) => {
      const validation = sheet.getRow(500).getCell(columnOf(name)).dataValidation;
      const [, first = "", last = ""] = /^Choices!\$B\$(\d+):\$B\$(\d+)$/.exec(validation?.formulae[0]) ?? [];
      const list = workbook.getWorksheet("Choices")?.getColumn(2).values ?? [];
      return list.slice(Number.parseInt(first, 10), Number.parseInt(last, 10) + 1);
    };
    expect(choices("generalLedgerName")).toEqual(["Contractors", "Salaries", "Hosting"]);
    expect(choices("generalLedgerProject")).toEqual(["PRJ-ALPHA"]);
    expect(choices("generalLedgerDistribution")).toEqual(["SHARED"]);
  });
});

test("asks for the currency and the custody account only where neither is clear", async () => {
  const { folder, workplace } = openPlace();
  const { custodyAccounts, files, ...others } = workplace.config;
  const litecoin = custodyAccounts.map((each) => ({ ...each, name: `${each.name}-ltc`, currency: "LTC" }));
  const askedWith = async (name: string, accounts: typeof custodyAccounts, defaults: object) => {
    const config = { ...others, custodyAccounts: accounts, files: { ...files, defaults } };
    const { columns } = await templateStep(join(folder, name), config);
    return columns
      .filter(({ isAsked }) => isAsked)
      .map(({ name }) => name)
      .slice(ASKED.length);
  };
  const payer = { custodyAccount: "treasury-btc" };
  expect(await askedWith("one.csv", custodyAccounts, payer)).toEqual([]);
  expect(await askedWith("open.csv", custodyAccounts, {})).toEqual(["accountId"]);
  expect(await askedWith("coins.csv", [...custodyAccounts, ...litecoin.slice(1)], payer)).toEqual([
    "currency",
  ]);
  expect(await askedWith("all.csv", [...custodyAccounts, ...litecoin], payer)).toEqual([
    "currency",
    "accountId",
  ]);
});

test("offers no Bitcoin fields where no custody account holds Bitcoin", async () => {
  const { folder, workplace } = openPlace();
  const { custodyAccounts, ...others } = workplace.config;
  const litecoin = custodyAccounts.map((each) => ({ ...each, currency: "LTC" }));
  const { columns } = await templateStep(join(folder, "ltc.csv"), { ...others, custodyAccounts: litecoin });
  const names = columns.map(({ name }) => name);
  expect(names).not.toContain("subtractFee");
  expect(names).toContain("feePolicy");
});

test("does not write half a template: without its chart of accounts there is none", async () => {
  const { folder, workplace } = openPlace();
  await rm(join(folder, "chart-of-accounts.csv"));
  const path = join(folder, "new.xlsx");
  await expect(templateStep(path, workplace.config)).rejects.toThrow("CHART_UNUSABLE");
  expect(existsSync(path)).toBe(false);
});

async function openTemplate() {
  const { folder, workplace } = openPlace();
  const path = join(folder, "template.xlsx");
  await templateStep(path, workplace.config);
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  const sheet = workbook.getWorksheet("Payouts") ?? expect.fail("no sheet Payouts");
  const header: ExcelJS.Cell[] = [];
  sheet.getRow(1).eachCell((cell) => header.push(cell));
  const columnOf = (name: string) => header.findIndex((cell) => cell.text === name) + 1;
  return { workbook, sheet, columnOf, header };
}
