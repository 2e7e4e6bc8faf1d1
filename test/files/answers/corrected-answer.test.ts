/** A rejected workbook whose red cells are corrected gives the same result as the sender's own workbook would. */
import { join } from "node:path";
import ExcelJS from "exceljs";
import { expect, test } from "vitest";
import { checkAndReport } from "../../../src/files/validate-step.ts";
import { submitFile } from "../../../src/index.ts";
import { openPlace } from "../../site/workplace.ts";
import { readXlsx } from "./sent-files.ts";

const ADDRESSES = ["bc1q3pudjj6e27qfvl2yvhetaem25d33ux44j5qz4r", "1CofQ44auSab4GYWrm6dCyWsRfCguahjoJ"];

async function sent(path: string, amount: number | string): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet("Sheet1", { headerFooter: { oddFooter: "&LDRAFT" } });
  sheet.addRows([
    ["Supplier payments"],
    ["Invoice no", "Supplier", "Wallet address", "Amount (BTC)", "Due", "Status"],
    ["INV-1", "Zoë", ADDRESSES[0], 0.30000000000000004, new Date("2026-11-30"), "approved"],
    ["INV-2", "0123", ADDRESSES[1], amount, new Date("2026-12-04"), "on hold"],
    ["Total", null, null, { formula: "SUM(D3:D4)", result: 0.35 }],
    ["Approved by: CFO"],
  ]);
  sheet.getColumn(4).numFmt = "0.00000000";
  sheet.getCell("F3").note = "hold until Friday";
  await workbook.xlsx.writeFile(path);
  return path;
}

test("a corrected workbook reads back equal, with its comments and page footers among the notes", async () => {
  const { folder, workplace } = openPlace();
  const whole = await checkAndReport(workplace, await sent(join(folder, "whole.xlsx"), 0.05));
  const first = await submitFile(workplace, await sent(join(folder, "pay.xlsx"), "0.05 USD"), "ann");
  expect(first).toMatchObject({ verdict: "rejected" });
  const answer = await readXlsx(first.answers[0] ?? "");
  const cell = answer.getWorksheet("Sheet1")?.getCell("D4") ?? expect.fail("no cell");
  expect(cell.note).toBeDefined();
  cell.value = 0.05;
  const path = join(folder, "corrected.xlsx");
  await answer.xlsx.writeFile(path);
  const again = await checkAndReport(workplace, path);
  expect(again.report).toMatchObject({ verdict: "accepted", problems: [], corrects: { file: "pay.xlsx" } });
  expect(again.found?.digest).toBe(whole.found?.digest);
  const [before, after] = [whole, again].map(({ found }) => found?.reading ?? expect.fail("not read"));
  expect(after?.totals).toEqual(before?.totals);
  expect(after?.unread).toEqual(before?.unread);
  const said = before?.notes.map(({ line, place, text }) =>
    line === undefined ? `${place}: ${text}` : text,
  );
  expect(said).toContain("the comment on F3: hold until Friday");
  expect(said?.some((text) => text.endsWith("DRAFT"))).toBe(true);
  expect(after?.notes.map(({ text }) => text).toSorted()).toEqual(said?.toSorted());
});
