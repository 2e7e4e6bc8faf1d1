import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { describe, expect, test } from "vitest";
import { templateStep, validateFile } from "../../../src/index.ts";
import { payoutColumns } from "../../../src/model/columns.ts";
import type { DraftInstruction } from "../../../src/model/index.ts";
import { openPlace } from "../../pipeline/workplace.ts";
import { fillTemplate } from "./filled-template.ts";

const FORMATS = ["csv", "xlsx"] as const;

/** What a payment needs, written over the example's cells that are refused. */
const PAYMENT = {
  reference: "PAY-1",
  amount: "0.00123457",
  destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
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
    expect(problems[0]).toMatchObject({ code: "ROW_IS_EXAMPLE", line: 5, column: "reference" });
    expect(warnings).toEqual([]);
  });

  test("is accepted with a payment written over its example, digit for digit", async () => {
    const path = await write("filled");
    await fillTemplate(path, PAYMENT);
    const drafts: DraftInstruction[] = [];
    const { verdict, problems, warnings } = await validateFile(workplace, path, "filled", (window) => {
      drafts.push(...window.drafts);
    });
    expect({ verdict, problems, warnings }).toEqual({ verdict: "accepted", problems: [], warnings: [] });
    const { amount, ...fields } = drafts[0]?.fields ?? expect.fail("no payment was read");
    expect({ currency: amount.currency, amount: amount.value.toString() }).toEqual({
      currency: "BTC",
      amount: PAYMENT.amount,
    });
    expect(fields).toMatchObject({ reference: "PAY-1", generalLedgerName: "Contractors" });
  });

  test("is accepted with its control totals filled in as its rows come to", async () => {
    const path = await write("totalled");
    await fillTemplate(path, PAYMENT, { Rows: "1", "Total BTC": PAYMENT.amount });
    expect(await validateFile(workplace, path)).toMatchObject({ verdict: "accepted", problems: [] });
  });

  test("made without a configuration is accepted in the same way under any", async () => {
    const path = join(folder, `without.${format}`);
    await templateStep(path, undefined);
    await fillTemplate(path, PAYMENT);
    expect(await validateFile(workplace, path)).toMatchObject({ verdict: "accepted", rowsAccepted: 1 });
  });

  test("is accepted with every column filled in by its own example", async () => {
    const path = await write("full");
    const others = payoutColumns.filter(
      (column) => !("configured" in column) && column.name !== "destinationAccountId",
    );
    const examples = Object.fromEntries(others.map(({ name, example }) => [name, example]));
    await fillTemplate(path, { ...examples, feePolicy: "CUSTOM" });
    expect(await validateFile(workplace, path)).toMatchObject({ verdict: "accepted", problems: [] });
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
  test("keeps what is typed into it: texts stay texts, days are days", async () => {
    const { sheet, columnOf } = await openTemplate();
    for (const name of ["reference", "amount", "destinationAddress", "accountId"])
      expect(sheet.getColumn(columnOf(name)).numFmt).toBe("@");
    expect(sheet.getColumn(columnOf("payOn")).numFmt).toBe("yyyy-mm-dd");
    expect(sheet.getColumn(columnOf("customFeeRate")).numFmt).toBe("0");
  });

  test("has a note on every column, and one on every control total", async () => {
    const { sheet, header } = await openTemplate();
    for (const cell of [...header, sheet.getCell("A1"), sheet.getCell("A2")])
      expect(noteOf(cell)).toMatch(/\S{3}/);
    expect([sheet.getCell("A1").text, sheet.getCell("A2").text]).toEqual(["Rows", "Total BTC"]);
  });

  test("shows every note whole, in a box of five lines over the two columns behind its own", async () => {
    const { sheet, header } = await openTemplate();
    // Letters in a note are narrower than those that columns are measured in; the rest is lost when lines break at
    // words.
    const widthOf = (column: number) =>
      sheet.getColumn(column).width ?? sheet.properties.defaultColWidth ?? 9;
    for (const cell of [...header, sheet.getCell("A1"), sheet.getCell("A2")]) {
      const column = cell.fullAddress.col;
      const width = widthOf(column + 1) + widthOf(column + 2);
      const lines = noteOf(cell)
        .split("\n")
        .map((line) => Math.max(1, Math.ceil(line.length / width)));
      expect(
        lines.reduce((sum, count) => sum + count, 0),
        cell.text,
      ).toBeLessThanOrEqual(5);
    }
  });

  test("offers what configuration and chart know, below the whole header", async () => {
    const { workbook, sheet, columnOf } = await openTemplate();
    const choices = (name: string) => {
      const validation = sheet.getRow(500).getCell(columnOf(name)).dataValidation;
      const [, first = "", last = ""] = /^Choices!\$B\$(\d+):\$B\$(\d+)$/.exec(validation?.formulae[0]) ?? [];
      const list = workbook.getWorksheet("Choices")?.getColumn(2).values ?? [];
      return list.slice(Number.parseInt(first, 10), Number.parseInt(last, 10) + 1);
    };
    expect(choices("feePolicy")).toEqual(["SLOW", "NORMAL", "FAST", "CUSTOM"]);
    expect(choices("accountId")).toEqual(["treasury-btc", "savings-btc"]);
    expect(choices("currency")).toEqual(["BTC"]);
    expect(choices("subtractFee")).toEqual(["true", "false"]);
    expect(choices("generalLedgerName")).toEqual(["Contractors", "Salaries", "Hosting"]);
    expect(choices("generalLedgerProject")).toEqual(["PRJ-ALPHA"]);
    expect(choices("generalLedgerDistribution")).toEqual(["SHARED"]);
  });
});

test("asks for no Bitcoin fields where no custody account holds Bitcoin, and for no configured ones at all", async () => {
  const { folder, workplace } = openPlace();
  const { custodyAccounts, ...others } = workplace.config;
  const litecoin = {
    ...others,
    custodyAccounts: custodyAccounts.map((each) => ({ ...each, currency: "LTC" })),
  };
  const names = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name);
  const { columns } = await templateStep(join(folder, "ltc.csv"), litecoin);
  expect(names(columns)).not.toContain("subtractFee");
  expect(names(columns)).toContain("feePolicy");
  expect(readFileSync(join(folder, "ltc.csv"), "utf8")).toContain("Total LTC");
  for (const configured of ["username", "callbackUrl"]) expect(names(columns)).not.toContain(configured);
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
  sheet.getRow(4).eachCell((cell) => header.push(cell));
  const columnOf = (name: string) => header.findIndex((cell) => cell.text === name) + 1;
  return { workbook, sheet, header, columnOf };
}

function noteOf({ note }: ExcelJS.Cell): string {
  return typeof note === "string" ? note : (note.texts ?? []).map(({ text }) => text).join("");
}
