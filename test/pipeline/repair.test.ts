/** A rejected file that is corrected cell by cell at the desk: what was sent stays, and the record says who changed what. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { approveStep, payStep, submitFile, type Workplace } from "../../src/index.ts";
import { fileToRepair, type RepairRequest, repairStep } from "../../src/pipeline/repair-step.ts";
import { listAudit } from "../../src/store/audit.ts";
import { openProvenDesk } from "./proven-desk.ts";
import { ADDRESS } from "./service.ts";
import { openPlace } from "./workplace.ts";

const TYPO = `${ADDRESS.slice(0, -1)}5`;

/** Sheet "Bills", with a title, headings in line 3, mistakes in C4, A5 and F6, and a total that is a formula. */
async function writeBills(path: string): Promise<void> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet("Bills");
  sheet.mergeCells("A1:D1");
  sheet.getCell("A1").value = "Supplier bills December";
  sheet.getRow(3).values = ["Reference", "Payee", "Destination address", "Amount", "Pay on", "Currency"];
  const day = new Date("2099-12-01");
  sheet.getRow(4).values = ["BILL-1", "Nina  Quist", TYPO, 0.00000012, day, "BTC"];
  sheet.getRow(5).values = ["", "Hosting Hill, Ltd.", ADDRESS, 0.1 + 0.2, day, "BTC"];
  sheet.getRow(6).values = ["BILL-3", "Łukasz Nowak", ADDRESS, "0.0125", day, "XYZ"];
  sheet.getRow(8).values = ["Total", "", "", { formula: "SUM(D4:D6)", result: 0.31250012 }];
  for (const line of [4, 5]) sheet.getCell(`D${line}`).numFmt = "0.00000000";
  for (const line of [4, 5, 6]) sheet.getCell(`E${line}`).numFmt = "dd.mm.yyyy";
  await book.xlsx.writeFile(path);
}

async function place() {
  const desk = await openProvenDesk();
  const path = join(desk.folder, "bills.xlsx");
  await writeBills(path);
  const report = await submitFile(desk.workplace, path, "ann");
  return { ...desk, path, report };
}

function cellsOf({ lines }: Awaited<ReturnType<typeof fileToRepair>>): (readonly [string, string])[] {
  return lines.flatMap(({ cells }) => cells.map(({ cell, text }) => [cell, text] as const));
}

async function repaired(workplace: Workplace, sha256: string, changes: RepairRequest["changes"]) {
  return repairStep(workplace, { sha256, changes, person: "ann" });
}

const SHOWN = { line: 4, column: 2, to: ADDRESS };

describe("a rejected workbook", () => {
  test("is repaired in two rounds, approved and paid, and the record says who changed what", async () => {
    const { workplace, folder, report, sent, path } = await place();
    expect(report).toMatchObject({ verdict: "rejected", rowsRejected: 4 });
    const shown = await fileToRepair(workplace, "bills.xlsx", "ann");
    expect(shown.obstacle).toBeUndefined();
    expect(cellsOf(shown)).toEqual([
      ["C4", TYPO],
      ["A5", ""],
      ["F6", "XYZ"],
      ["D8", "0.31250012"],
    ]);
    const second = await repaired(workplace, report.sha256, [SHOWN, { line: 5, column: 0, to: " BILL-2 \r\n" }]);
    expect(second).toMatchObject({ verdict: "rejected", rowsRejected: 1, corrects: { file: "bills.xlsx" } });
    expect(second.answers).toEqual(report.answers);

    const again = await fileToRepair(workplace, "bills.xlsx", "ann");
    expect(cellsOf(again)).toEqual([["F6", "XYZ"]]);
    const third = await repaired(workplace, second.sha256, [{ line: 6, column: 5, to: "BTC" }]);
    expect(third).toMatchObject({ verdict: "accepted", rowsAccepted: 3, file: "bills.xlsx" });
    expect(third.controlTotals.map(({ amount }) => amount.toString())).toEqual(["0.31250012"]);
    expect(third.totalsConfirmedBy).not.toEqual([]);
    expect(existsSync(report.answers[0] ?? "")).toBe(false);

    const entries = await workplace.store.read(() => listAudit(["bills.xlsx"]));
    expect(entries.map(({ person, action, detail }) => [person, action, detail["before"], detail["after"]])).toEqual([
      ["ann", "repair", report.sha256, second.sha256],
      ["ann", "repair", second.sha256, third.sha256],
    ]);
    expect(JSON.parse(String(entries[0]?.detail["changes"]))).toEqual([
      { cell: "C4", column: "Destination address", from: TYPO, to: ADDRESS },
      { cell: "A5", column: "Reference", from: "", to: "BILL-2" },
    ]);
    const kept = join(folder, "archive", `${report.sha256.slice(0, 16)}-bills.xlsx`);
    expect(readFileSync(kept)).toEqual(readFileSync(path));

    const { batchId = "" } = third;
    await approveStep(workplace, third.digest ?? "", "ben", { acceptAll: true } as never);
    await payStep(workplace);
    expect(batchId).toBe("B-000001");
    expect(sent().sort()).toEqual(["BILL-1", "BILL-2", "BILL-3"]);
  });
});
