/**
 * A rejected file is corrected cell by cell at the desk: the sent file stays, and the record says who changed what.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { describe, expect, test } from "vitest";
import {
  addPersonStep,
  approveStep,
  explainStep,
  fileToRepair,
  payStep,
  type RepairRequest,
  repairStep,
  submitFile,
  type Workplace,
} from "../../src/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { KEYS, openProvenDesk } from "../site/proven-desk.ts";
import { ADDRESS } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

const TYPO = `${ADDRESS.slice(0, -1)}5`;

/** Sheet "Bills", with a title, headings in line 3, mistakes in C4, A5 and F6, and a total that is a formula. */
async function writeBills(path: string): Promise<void> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet("Bills");
  sheet.mergeCells("A1:D1");
  sheet.getCell("A1").value = "Supplier bills December";
  sheet.getRow(3).values = [
    "Reference",
    "Payee",
    "Destination address",
    "Amount",
    "Invoice date",
    "Currency",
  ];
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
    const second = await repaired(workplace, report.sha256, [
      SHOWN,
      { line: 5, column: 0, to: " BILL-2 \r\n" },
    ]);
    expect(second).toMatchObject({ verdict: "rejected", rowsRejected: 2, corrects: { file: "bills.xlsx" } });
    expect(second.answers).toEqual(report.answers);

    const again = await fileToRepair(workplace, "bills.xlsx", "ann");
    expect(cellsOf(again)).toEqual([
      ["F6", "XYZ"],
      ["D8", "0.31250012"],
    ]);
    const third = await repaired(workplace, second.sha256, [{ line: 6, column: 5, to: "BTC" }]);
    expect(third).toMatchObject({ verdict: "accepted", rowsAccepted: 3, file: "bills.xlsx" });
    expect(third.controlTotals.map(({ amount }) => amount.toString())).toEqual(["0.31250012"]);
    expect(third.totalsConfirmedBy).not.toEqual([]);
    expect(existsSync(report.answers[0] ?? "")).toBe(false);

    const entries = await workplace.store.read(() => listAudit(["file bills.xlsx"]));
    expect(
      entries.map(({ person, action, detail }) => [person, action, detail["before"], detail["after"]]),
    ).toEqual([
      ["ann", "repair", report.sha256, second.sha256],
      ["ann", "repair", second.sha256, third.sha256],
    ]);
    expect(JSON.parse(String(entries[0]?.detail["changes"]))).toEqual([
      { cell: "C4", column: "Destination address", from: TYPO, to: ADDRESS },
      { cell: "A5", column: "Reference", from: "", to: "BILL-2" },
    ]);
    const kept = join(folder, "archive", `${report.sha256.slice(0, 16)}-bills.xlsx`);
    expect(readFileSync(kept)).toEqual(readFileSync(path));

    await approveStep(workplace, third.digest ?? "", "ben", {
      acceptReading: third.reading?.questions.length,
      acceptLookAlikes: third.lookAlikeRows?.length,
    });
    await payStep(workplace);
    expect(sent().sort()).toEqual(["BILL-1", "BILL-2", "BILL-3"]);
    const told = (await explainStep(workplace, "BILL-2")).lines.map(({ who, what }) => `${who} ${what}`);
    expect(told[0]).toBe('ann changed A5 (Reference) of bills.xlsx from "" to "BILL-2"');
    expect(told.join()).not.toContain("C4");
    await expect(fileToRepair(workplace, third.sha256, "ann")).rejects.toThrow("it became batch B-000001");
  });

  test("keeps every digit, day and text of the cells that nobody touched", async () => {
    const { workplace, folder, report } = await place();
    const second = await repaired(workplace, report.sha256, [SHOWN]);
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(join(folder, "archive", `${second.sha256.slice(0, 16)}-bills.xlsx`));
    const sheet = book.getWorksheet("Bills");
    expect(sheet?.getCell("D4").value).toBe(0.00000012);
    expect(sheet?.getCell("D5").value).toBe(0.1 + 0.2);
    expect(sheet?.getCell("D6").value).toBe("0.0125");
    expect(sheet?.getCell("D8").value).toBe(0.31250012);
    expect(sheet?.getCell("B4").value).toBe("Nina  Quist");
    expect(sheet?.getCell("E4").value).toEqual(new Date("2099-12-01"));
    expect(sheet?.getCell("E4").numFmt).toBe("dd.mm.yyyy");
  });

  test("becomes the same bytes by the same repair, so that what was signed is what is taken in", async () => {
    const { workplace, report, openAgain } = await place();
    const asked: string[] = [];
    const shown: Workplace = {
      ...workplace,
      sign: ({ text }) => {
        asked.push((JSON.parse(text) as { subject: string }).subject);
        return Promise.reject(new Error("it was shown"));
      },
    };
    const all = [SHOWN, { line: 5, column: 0, to: "BILL-2" }, { line: 6, column: 5, to: "BTC" }];
    await expect(repaired(shown, report.sha256, all)).rejects.toThrow("it was shown");
    // The times in a ZIP archive are exact only to two seconds.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await expect(repaired(shown, report.sha256, all)).rejects.toThrow("it was shown");
    const taken = await repaired(openAgain(), report.sha256, all);
    expect(asked).toEqual([taken.sha256, taken.sha256]);
  });

  test("with a calculated amount, a hidden line or a merged amount is left to spreadsheet programs", async () => {
    const { workplace, folder, path } = await place();
    const withChange = async (name: string, change: (sheet: ExcelJS.Worksheet) => void) => {
      const book = new ExcelJS.Workbook();
      await book.xlsx.readFile(path);
      book.eachSheet(change);
      await book.xlsx.writeFile(join(folder, name));
      const { sha256 } = await submitFile(workplace, join(folder, name), "ann");
      const { obstacle } = await fileToRepair(workplace, sha256, "ann");
      return (await repaired(workplace, sha256, [SHOWN]).catch(String)) + (obstacle?.message ?? "");
    };
    const calculated = await withChange("a.xlsx", (sheet) => {
      sheet.getCell("D4").value = { formula: "D5/2", result: 0.15 };
    });
    expect(calculated).toMatch(/D4 is a formula.*D4 is a formula/);
    const hidden = await withChange("b.xlsx", (sheet) => {
      sheet.getRow(5).hidden = true;
    });
    expect(hidden).toMatch(/line 5 is hidden/);
    const merged = await withChange("c.xlsx", (sheet) => sheet.mergeCells("D4:D5"));
    expect(merged).toMatch(/D4 would be changed by it/);
  });
});

describe("a rejected CSV", () => {
  const SENT = `Reference;Payee;Amount;Destination address\r\nC-1;"Quist; Nina";0,00123450;${ADDRESS}\r\nC-2;-Łuk;0,1O;${ADDRESS}\r\n`;

  async function sendCsv(content: string, name = "pay.csv") {
    const desk = await openProvenDesk();
    writeFileSync(join(desk.folder, name), content);
    const report = await submitFile(desk.workplace, join(desk.folder, name), "ann");
    return { ...desk, report };
  }

  test("with decimal commas is repaired, and its other lines stay as they were written", async () => {
    const { workplace, folder, report } = await sendCsv(SENT);
    const shown = await fileToRepair(workplace, "pay.csv", "ann");
    expect(cellsOf(shown)).toEqual([["C3", "0,1O"]]);
    expect(shown.lines[0]?.texts).toEqual(["C-2", "-Łuk", "0,1O", ADDRESS]);
    const done = await repaired(workplace, report.sha256, [{ line: 3, column: 2, to: "0,10" }]);
    expect(done).toMatchObject({ verdict: "accepted", rowsAccepted: 2 });
    const kept = readFileSync(join(folder, "archive", `${done.sha256.slice(0, 16)}-pay.csv`), "utf8");
    expect(kept).toBe(
      `Reference;Payee;Amount;Destination address;paydrop: problems (pay.csv)\r\nC-1;"Quist; Nina";0,00123450;${ADDRESS};\r\nC-2;'-Łuk;0,10;${ADDRESS};\r\n`,
    );
    expect(done.controlTotals.map(({ amount }) => amount.toString())).toEqual(["0.10123450"]);
  });

  test("keeps its totals file, and asks about an end that may have been cut off", async () => {
    const desk = await openProvenDesk();
    const path = join(desk.folder, "pay.csv");
    writeFileSync(path, `reference,destinationAddress,amount\nC-1,${ADDRESS},0.x\nC-2,${ADDRESS},0.25`);
    writeFileSync(join(desk.folder, "pay.totals.csv"), "Rows: 2\nTotal BTC: 0.35\n");
    const { sha256 } = await submitFile(desk.workplace, path, "ann");
    const done = await repaired(desk.workplace, sha256, [{ line: 2, column: 2, to: "0.1" }]);
    expect(done).toMatchObject({ verdict: "accepted", totalsConfirmedBy: ["pay.totals.csv"] });
    expect(done.reading?.questions.map(({ text }) => text).join()).toContain("it may have been cut off");
  });

  test("is read once more without any change, with its totals file, and may be left a line short", async () => {
    const desk = await openProvenDesk();
    const path = join(desk.folder, "pay.csv");
    writeFileSync(path, `reference,destinationAddress,amount\nC-1,${ADDRESS},0.x\nC-2,${ADDRESS},0.25\n`);
    writeFileSync(join(desk.folder, "pay.totals.csv"), "Total BTC: 0.25\n");
    const { sha256 } = await submitFile(desk.workplace, path, "ann");
    const again = await repaired(desk.workplace, sha256, []);
    expect(again).toMatchObject({ verdict: "rejected", sha256 });
    const request = { sha256, changes: [], leaveOut: [2], person: "ann" };
    expect(await repairStep(desk.workplace, request)).toMatchObject({
      ...{ verdict: "accepted", rowsAccepted: 1, totalsConfirmedBy: ["pay.totals.csv"] },
    });
  });

  test("that is an answer come back with another mistake loses the old reasons, and keeps our references", async () => {
    const sent = `Payee,Destination address,Amount,Currency\nAna,${ADDRESS},0.1x,BTC\nBen,${ADDRESS},0.25,BTC\n`;
    const { workplace, folder, report } = await sendCsv(sent);
    const answer = readFileSync(report.answers[0] ?? "", "utf8");
    const [reference = "", ...others] = answer.match(/PD-\w{12}/g) ?? [];
    expect(others).toEqual([]);
    const back = join(folder, "pay.rejected.csv");
    writeFileSync(back, answer.replace("0.1x", "0.1y"));
    const { sha256, verdict } = await submitFile(workplace, back, "ann");
    expect(verdict).toBe("rejected");
    const done = await repaired(workplace, sha256, [{ line: 2, column: 2, to: "0.1" }]);
    expect(done).toMatchObject({ verdict: "accepted", rowsAccepted: 2 });
    const kept = join(folder, "archive", `${done.sha256.slice(0, 16)}-pay.rejected.csv`);
    const [header, ana, ben] = readFileSync(kept, "utf8").trim().split("\r\n");
    expect(header).toBe(`${sent.split("\n")[0]},paydrop: problems (pay.rejected.csv),paydrop: reference`);
    expect([ana, ben]).toEqual([`Ana,${ADDRESS},0.1,BTC,,`, `Ben,${ADDRESS},0.25,BTC,,${reference}`]);
  });

  test("whose column has an unknown name gets its name from whoever sent it in", async () => {
    const { workplace, report } = await sendCsv(
      `reference,Net,Gross,destinationAddress\nC-1,0.1,0.2,${ADDRESS}\nC-2,0.3,0.4,${ADDRESS}\n`,
    );
    const done = await repaired(workplace, report.sha256, [{ line: 1, column: 1, to: "amount" }]);
    expect(done).toMatchObject({ verdict: "accepted", controlTotals: [{ count: 2 }] });
    expect(done.controlTotals[0]?.amount.toString()).toBe("0.40000000");
  });

  test("is repaired only by whoever sent it in, or by somebody whose work it is", async () => {
    const { workplace, folder, report } = await sendCsv(SENT);
    const change = { sha256: report.sha256, changes: [{ line: 3, column: 2, to: "0,10" }] };
    await addPersonStep(workplace, {
      ...{ name: "mallory", roles: ["submitter"], person: "dave" },
      credential: KEYS.mallory.credential,
    });
    await expect(fileToRepair(workplace, "pay.csv", "mallory")).rejects.toThrow(
      /NAME_UNKNOWN.*no file pay\.csv/,
    );
    await expect(repairStep(workplace, { ...change, person: "mallory" })).rejects.toThrow(/NAME_UNKNOWN/);
    await expect(fileToRepair(workplace, "nothing.csv", "mallory")).rejects.toThrow(/no file nothing\.csv/);
    expect((await fileToRepair(workplace, "pay.csv", "ben")).submittedBy).toBe("ann");
    await expect(repairStep(workplace, { ...change, person: "ben" })).rejects.toThrow(/ROLE_LACKING/);
    expect(existsSync(join(folder, "outbox", "pay.accepted.csv"))).toBe(false);
  });

  test("is not repaired from a copy that somebody altered, nor twice from the same copy", async () => {
    const { workplace, folder, report } = await sendCsv(SENT);
    const copy = join(folder, "archive", `${report.sha256.slice(0, 16)}-pay.csv`);
    const bytes = readFileSync(copy);
    writeFileSync(copy, SENT.replace("0,0012", "9,0012"));
    const change = [{ line: 3, column: 2, to: "0,1x" }];
    await expect(repaired(workplace, report.sha256, change)).rejects.toThrow(
      "not in the archive as it was sent",
    );
    writeFileSync(copy, bytes);
    const done = await repaired(workplace, report.sha256, change);
    expect(done).toMatchObject({ verdict: "rejected", rowsRejected: 1 });
    await expect(repaired(workplace, report.sha256, change)).rejects.toThrow(
      "it was repaired, and became another file",
    );
  });

  test("never shows, nor keeps, a private key that is typed into it", async () => {
    const { workplace, folder, report } = await sendCsv(SENT);
    const key = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn";
    const typed = repaired(workplace, report.sha256, [{ line: 3, column: 2, to: key }]);
    await expect(typed).rejects.toThrow("VALUE_IS_SECRET");
    expect(readdirSync(join(folder, "archive"))).toEqual([`${report.sha256.slice(0, 16)}-pay.csv`]);
    expect(await workplace.store.read(() => listAudit(["file pay.csv"]))).toEqual([]);
  });

  test("in a trial is repaired by anybody who gives their name", async () => {
    const { workplace, folder } = openPlace();
    writeFileSync(join(folder, "pay.csv"), SENT);
    const { sha256 } = await submitFile(workplace, join(folder, "pay.csv"), "ann");
    const changes = [{ line: 3, column: 2, to: "0,10" }];
    expect(await repairStep(workplace, { sha256, changes, person: "bob" })).toMatchObject({
      verdict: "accepted",
      batchId: "B-000001",
    });
  });
});
