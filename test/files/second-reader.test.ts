/** Workbooks that two programs read differently, although each row by itself is valid. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { validateFile } from "../../src/index.ts";
import { openPlace } from "../site/workplace.ts";
import { drafts, storeApproved } from "../store/stored-batch.ts";
import { addressOf } from "./bitcoin-addresses.ts";
import { workbook } from "./workbook-fixture.ts";

/** The second reader of such a file begins before its rows are checked. */
const LONG_FILE_ROWS = 5_000;
/** More differences than a second reading reports. */
const PAID_BEFORE = 25;

const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
/** Most programs show 0.15; a program that takes only the first part of a text reads 0.1. */
const inParts = (cell: string) =>
  `<c r="${cell}" t="inlineStr"><is><r><t>0.1</t></r><r><rPr><b/></rPr><t>5</t></r></is></c>`;

const HEADER = `<row r="1">${text("A1", "reference")}${text("B1", "amount")}${text("C1", "destinationAddress")}</row>`;

function payoutRow(line: number, reference: string, amount: string): string {
  return `<row r="${line}">${text(`A${line}`, reference)}${amount}${text(`C${line}`, addressOf(line))}</row>`;
}

async function validate(last: string) {
  const { folder, workplace } = openPlace({ PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
  await storeApproved(
    workplace.store,
    drafts(PAID_BEFORE, () => ({})),
  );
  const before = Array.from({ length: PAID_BEFORE }, (_, index) =>
    payoutRow(index + 2, `PAY-${index + 1}`, inParts(`B${index + 2}`)),
  );
  const line = PAID_BEFORE + 2;
  const rows = [HEADER, ...before, payoutRow(line, "NEW-1", last)].join("");
  const path = join(folder, "payroll.xlsx");
  writeFileSync(path, workbook({ sheets: [{ name: "Payouts", rows }] }));
  return validateFile(workplace, path);
}

test("a row that two readers read differently is refused, also below many that were paid before", async () => {
  const { verdict, fileProblems } = await validate(inParts(`B${PAID_BEFORE + 2}`));
  expect(verdict).toBe("rejected");
  expect(fileProblems).toMatchObject([{ code: "READERS_DISAGREE", line: PAID_BEFORE + 2, cell: "B27" }]);
});

test("what two readers read differently in rows that were paid before keeps no other row from being paid", async () => {
  const { verdict, rowsAccepted } = await validate(text(`B${PAID_BEFORE + 2}`, "0.15"));
  expect({ verdict, rowsAccepted }).toEqual({ verdict: "accepted", rowsAccepted: 1 });
});

test("a long workbook, which is read twice at once, is refused for both: a wrong row, and what its readers read", async () => {
  const { folder, workplace } = openPlace();
  const validateLong = (name: string, last: string) => {
    const lines = Array.from({ length: LONG_FILE_ROWS }, (_, index) => index + 2);
    const rows = lines.map((line, index) =>
      payoutRow(line, `PAY-${line}`, index < LONG_FILE_ROWS - 1 ? text(`B${line}`, "0.0005") : last),
    );
    const path = join(folder, name);
    writeFileSync(path, workbook({ sheets: [{ name: "Payouts", rows: [HEADER, ...rows].join("") }] }));
    return validateFile(workplace, path);
  };
  const wrong = await validateLong("wrong.xlsx", text(`B${LONG_FILE_ROWS + 1}`, "0.15x"));
  expect(wrong.problems).toMatchObject([{ code: "AMOUNT_UNREADABLE", line: LONG_FILE_ROWS + 1 }]);
  const differing = await validateLong("differing.xlsx", inParts(`B${LONG_FILE_ROWS + 1}`));
  expect(differing.fileProblems).toMatchObject([{ code: "READERS_DISAGREE", line: LONG_FILE_ROWS + 1 }]);
});
