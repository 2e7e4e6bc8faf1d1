import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import ExcelJS from "exceljs";
import { describe, expect, test } from "vitest";
import { intakeStep, statusOfBatches, type Workplace } from "../../src/index.ts";
import { openPlace } from "../site/workplace.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const SENT = `reference;amount;destinationAddress;shelf\r\nC-1;0.01;${ADDRESS};7\r\nC-2;;${ADDRESS};8\r\n`;

async function drop(workplace: Workplace, name: string, content: string | ((path: string) => void)) {
  const { inbox } = workplace.config.folders;
  mkdirSync(inbox, { recursive: true });
  if (typeof content === "string") writeFileSync(join(inbox, name), content);
  else content(join(inbox, name));
  const { files } = await intakeStep(workplace);
  const [report] = files;
  if (report === undefined) throw new Error("nothing was taken in");
  return report;
}

/** A CSV's answer, and its summary. */
function answersIn(folder: string, name: string): string[] {
  return [name, `${name}.txt`].map((each) => join(folder, "outbox", each));
}

describe("a corrected answer that is dropped again", () => {
  test.each(["pay.rejected.csv", "pay once more.csv"])(
    "is recognised as the correction, also as %s",
    async (name) => {
      const { folder, workplace } = openPlace();
      const first = await drop(workplace, "pay.csv", SENT);
      expect(first).toMatchObject({ verdict: "rejected", answers: answersIn(folder, "pay.rejected.csv") });
      const answer = readFileSync(first.answers[0] ?? "", "utf8");
      expect(answer).toContain("paydrop: problems (pay.csv)");

      const corrected = await drop(workplace, name, answer.replace("C-2;;", "C-2;0.02;"));
      expect(corrected).toMatchObject({
        verdict: "accepted",
        rowsAccepted: 2,
        corrects: { file: "pay.csv", verdict: "rejected" },
        reading: { unread: [{ heading: "shelf" }] },
        controlTotals: [{ count: 2 }],
      });
      const accepted = name === "pay.rejected.csv" ? "pay.accepted.csv" : "pay once more.accepted.csv";
      expect(corrected.answers.map((path) => basename(path))).toContain(accepted);
      expect(readFileSync(join(folder, "outbox", accepted), "utf8")).toBe(
        `reference;amount;destinationAddress;shelf;paydrop: standing\r\nC-1;0.01;${ADDRESS};7;waits for approval\r\n` +
          `C-2;0.02;${ADDRESS};8;waits for approval\r\n`,
      );
    },
  );

  test("a second round keeps the sender's name, and the reasons of the first are gone", async () => {
    const { folder, workplace } = openPlace();
    const first = await drop(workplace, "pay.csv", SENT);
    const answer = readFileSync(first.answers[0] ?? "", "utf8");
    const second = await drop(workplace, "pay.rejected.csv", answer.replace("C-2;;", "C-2;many;"));
    expect(second).toMatchObject({ verdict: "rejected", answers: answersIn(folder, "pay.rejected.csv") });
    const again = readFileSync(second.answers[0] ?? "", "utf8");
    expect(again).toContain("paydrop: problems (pay.rejected.csv)");
    expect(again).not.toContain("is empty");
    expect(again.match(/paydrop: /g)).toHaveLength(1);
    const third = await drop(workplace, "pay.rejected.csv", again.replace("C-2;many;", "C-2;0.02;"));
    expect(third).toMatchObject({ verdict: "accepted", answers: answersIn(folder, "pay.accepted.csv") });
    expect(readdirSync(join(folder, "outbox"))).toEqual(["pay.accepted.csv", "pay.accepted.csv.txt"]);
  });

  test("a workbook that is corrected in a spreadsheet program goes the same way, without the marks", async () => {
    const { folder, workplace } = openPlace();
    const book = new ExcelJS.Workbook();
    const header = ["reference", "amount", "destinationAddress", "shelf"];
    book.addWorksheet("Payouts").addRows([header, ["C-1", "0.01", ADDRESS], ["C-2", "", ADDRESS]]);
    const sent = join(folder, "sent.xlsx");
    await book.xlsx.writeFile(sent);
    const first = await drop(workplace, "pay.xlsx", (path) => copyFileSync(sent, path));
    expect(first).toMatchObject({ verdict: "rejected" });

    const answer = new ExcelJS.Workbook();
    await answer.xlsx.readFile(first.answers[0] ?? "");
    const sheet = answer.getWorksheet("Payouts");
    expect(sheet?.getCell("B3").note).toBeDefined();
    if (sheet !== undefined) sheet.getCell("B3").value = "0.02";
    const corrected = join(folder, "corrected.xlsx");
    await answer.xlsx.writeFile(corrected);
    const second = await drop(workplace, "pay.rejected.xlsx", (path) => copyFileSync(corrected, path));
    expect(second).toMatchObject({ verdict: "accepted", rowsAccepted: 2, corrects: { file: "pay.xlsx" } });

    await answer.xlsx.readFile(join(folder, "outbox", "pay.accepted.xlsx"));
    const accepted = answer.getWorksheet("Payouts");
    expect(accepted?.getCell("B3").fill).not.toMatchObject({ pattern: "solid" });
    expect(accepted?.getCell("E1").text).toBe("paydrop: standing");
    expect(accepted?.getCell("E3").text).toBe("waits for approval");
    expect(answer.worksheets.map(({ name }) => name)).toEqual(["Paydrop summary", "Payouts"]);
  });

  test("does not pay a row twice that was accepted with the first file, and says where it is", async () => {
    const { folder, workplace } = openPlace({ PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
    const first = await drop(workplace, "pay.csv", SENT);
    expect(first).toMatchObject({ verdict: "accepted", rowsAccepted: 1, batchId: "B-000001" });
    const answer = readFileSync(join(folder, "outbox", "pay.rejected.csv"), "utf8");
    const second = await drop(workplace, "pay.rejected.csv", answer.replace("C-2;;", "C-2;0.02;"));
    expect(second).toMatchObject({
      verdict: "accepted",
      rowsAccepted: 1,
      batchId: "B-000002",
      corrects: { file: "pay.csv", batchId: "B-000001" },
      rowsRead: 1,
      rowsRejected: 0,
      rowsAcceptedBefore: 1,
      problems: [],
    });
    expect(second.warnings).toContainEqual(
      expect.objectContaining({
        code: "ROW_ACCEPTED_BEFORE",
        row: 1,
        message: "this row was accepted before: waiting for approval as B-000001, row 1",
      }),
    );
    expect(readFileSync(join(folder, "outbox", "pay (2).accepted.csv"), "utf8")).toContain(
      `C-1;0.01;${ADDRESS};7;this row was accepted before: waiting for approval as B-000001, row 1`,
    );
    expect((await statusOfBatches(workplace)).map(({ batch }) => batch.rowCount)).toEqual([1, 1]);
    expect(readdirSync(join(folder, "outbox")).filter((name) => name.endsWith("accepted.csv"))).toEqual([
      "pay (2).accepted.csv",
      "pay.accepted.csv",
    ]);
    expect(readdirSync(join(folder, "outbox")).filter((name) => name.includes("rejected"))).toEqual([]);
  });

  describe("where good rows were taken with the first file", () => {
    async function correctedOnce(change: (answer: string) => string) {
      const { folder, workplace } = openPlace({ PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
      await drop(workplace, "pay.csv", SENT);
      const answer = readFileSync(join(folder, "outbox", "pay.rejected.csv"), "utf8");
      return { workplace, second: await drop(workplace, "pay.rejected.csv", change(answer)) };
    }

    test("a row that was changed since is refused, and so is nothing else of it", async () => {
      const { second } = await correctedOnce((text) =>
        text.replace("C-1;0.01;", "C-1;0.011;").replace("C-2;;", "C-2;0.02;"),
      );
      expect(second).toMatchObject({
        verdict: "accepted",
        rowsAccepted: 1,
        rowsRejected: 1,
        problems: [{ code: "ROW_CHANGED_AFTER_ACCEPTANCE", row: 1, column: "reference" }],
      });
    });

    test("the correction of the correction knows the rows of both", async () => {
      const withThird = (text: string) => `${text.replace("C-2;;", "C-2;0.02;")}C-3;;${ADDRESS};9;\r\n`;
      const { workplace, second } = await correctedOnce(withThird);
      const answer = second.answers.find((path) => path.endsWith(".rejected.csv")) ?? "";
      const text = readFileSync(answer, "utf8").replace("C-3;;", "C-3;0.03;");
      const third = await drop(workplace, "pay.rejected.csv", text);
      expect(third).toMatchObject({
        verdict: "accepted",
        rowsAccepted: 1,
        rowsAcceptedBefore: 2,
        problems: [],
      });
    });

    test("its control totals are those of all rows", async () => {
      const { folder, workplace } = openPlace({ PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
      const text = SENT.replace("8\r\n", "8\r\nTotal;0.03;;2 rows\r\n").replace("C-2;;", "C-2;0.02;x");
      await drop(workplace, "pay.csv", text);
      const answer = readFileSync(join(folder, "outbox", "pay.rejected.csv"), "utf8");
      const second = await drop(workplace, "pay.rejected.csv", answer.replace("C-2;0.02;x", "C-2;0.02;"));
      expect(second).toMatchObject({
        verdict: "accepted",
        rowsAccepted: 1,
        rowsAcceptedBefore: 1,
        totalsConfirmedBy: ["line 4"],
      });
    });

    test("a correction in which nothing was corrected is said to be one", async () => {
      const { second } = await correctedOnce((text) => text.replace(/C-2;.*\r\n/, ""));
      expect(second).toMatchObject({ verdict: "rejected", problems: [{ code: "FILE_HAS_NO_NEW_ROWS" }] });
    });

    test("the reasons come back also where their file could not be written at first", async () => {
      const { folder, workplace } = openPlace({ PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
      const open = join(folder, "outbox", "pay.rejected.csv");
      mkdirSync(open, { recursive: true });
      await expect(drop(workplace, "pay.csv", SENT)).rejects.toThrow("nothing was taken in");
      rmdirSync(open);
      const { files } = await intakeStep(workplace);
      expect(files).toMatchObject([{ verdict: "accepted", rowsAccepted: 1, rowsRejected: 1 }]);
      expect(readFileSync(open, "utf8")).toContain("amount is empty");
    });

    test("an acceptance that is written later does not call them rejected", async () => {
      const { workplace, second } = await correctedOnce((text) => text.replace("C-2;;", "C-2;0.02;"));
      const [accepted = ""] = second.answers;
      const { archive } = workplace.config.folders;
      const sent = readdirSync(archive).find((name) => name.endsWith("-pay.rejected.csv")) ?? "";
      rmSync(accepted);
      await drop(workplace, "pay.rejected.csv", (path) => copyFileSync(join(archive, sent), path));
      expect(readFileSync(accepted, "utf8")).toContain(
        ";7;this row was accepted before: waiting for approval as B-000001, row 1\r\n",
      );
      expect(readFileSync(accepted, "utf8")).toContain(";8;waits for approval");
    });

    test("a file that is no correction is refused the references as before", async () => {
      const { workplace } = openPlace({ PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
      await drop(workplace, "pay.csv", SENT);
      const other = await drop(workplace, "other.csv", SENT.replace("C-2;;", "C-2;0.02;"));
      expect(other).toMatchObject({ rowsAcceptedBefore: 0, problems: [{ code: "ROW_SENT_BEFORE", row: 1 }] });
    });
  });
});
