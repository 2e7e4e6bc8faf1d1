/** An address cell holds the address alone: invisible characters at either end are reported, in every format. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { expect, test } from "vitest";
import { validateFile } from "../../src/index.ts";
import { escapedCharacter } from "../../src/model/printable-text.ts";
import { ADDRESS } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

/**
 * One of each class: a space, separator, control, format or ignorable character as Unicode names them, and a blank
 * letter.
 */
const UNSEEN: readonly string[] = [
  "\n",
  "\u000b",
  "\u000c",
  "\u0085",
  "\u00a0",
  "\u00ad",
  "\u034f",
  "\u061c",
  "\u115f",
  "\u1680",
  "\u180e",
  "\u2003",
  "\u200b",
  "\u200e",
  "\u2028",
  "\u2029",
  "\u202f",
  "\u2060",
  "\u2800",
  "\u3000",
  "\u3164",
  "\ufe0f",
  "\ufeff",
  "\u{e0020}",
];

const CELLS = UNSEEN.flatMap((character) =>
  [`${character}${ADDRESS}`, `${ADDRESS}${character}`, ` ${character}${ADDRESS}${character} `].map(
    (text) => [text, escapedCharacter(character)] as const,
  ),
);

const KEY = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";

const HEADER = ["reference", "amount", "destinationAddress"];

const FORMATS: Readonly<Record<string, (path: string, rows: readonly (readonly string[])[]) => unknown>> = {
  csv: (path, rows) =>
    writeFileSync(path, rows.map((row) => `${row.map((cell) => `"${cell}"`).join(",")}\r\n`).join("")),
  xlsx: (path, rows) => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet("Payouts").addRows(rows.map((row) => row.map(inXml)));
    return workbook.xlsx.writeFile(path);
  },
};

/** Characters that XML cannot hold are written as spreadsheet programs do. */
function inXml(text: string): string {
  return text.replaceAll("\u000b", "_x000B_").replaceAll("\u000c", "_x000C_");
}

async function check(format: string, cells: readonly string[]) {
  const { folder, workplace } = openPlace();
  const path = join(folder, `unseen.${format}`);
  await FORMATS[format]?.(path, [HEADER, ...cells.map((cell, at) => [`PAY-${at}`, `0.0${at + 100}`, cell])]);
  return validateFile(workplace, path);
}

test.each(Object.keys(FORMATS))(
  "in %s every unseen character around an address is refused by its name",
  async (format) => {
    const { verdict, problems } = await check(
      format,
      CELLS.map(([text]) => text),
    );
    expect(verdict).toBe("rejected");
    const told = problems.map(({ code, row, message }) => [row, code, message.replace(/^.*it holds /, "")]);
    expect(told).toEqual(
      CELLS.map(([, named], at) => [at + 1, "ADDRESS_MALFORMED", expect.stringContaining(named)]),
    );
  },
);

test.each(Object.keys(FORMATS))(
  "in %s plain spaces and tabs around an address do not matter",
  async (format) => {
    const cells = [`  ${ADDRESS}`, `${ADDRESS} `, `\t${ADDRESS}`, `${ADDRESS}\t\t`, ` \t${ADDRESS}\t `];
    const { verdict, rowsAccepted } = await check(format, cells);
    expect([verdict, rowsAccepted]).toEqual(["accepted", 5]);
    const inside = await check(format, [`${ADDRESS.slice(0, 9)}\t${ADDRESS.slice(9)}`]);
    expect(inside.problems).toMatchObject([{ code: "ADDRESS_MALFORMED" }]);
  },
);

test("tabs at the ends of any cell are no part of its text", async () => {
  const { folder, workplace } = openPlace();
  const file = (tab: string) => {
    const path = join(folder, `tabs-${tab.length}.csv`);
    const header =
      "reference,accountId,currency,amount,destinationAddress,customerId,feePolicy,payOn,generalLedgerName";
    const cells = ["P-1", "treasury-btc", "BTC", "0.05", ADDRESS, "Ana", "FAST", "2099-12-31", "Hosting"];
    const row = cells.map((cell) => `"${tab}${cell}${tab}"`).join(",");
    writeFileSync(path, `${header}\n${row}\n`);
    return validateFile(workplace, path);
  };
  const [plain, tabbed] = [await file(""), await file("\t")];
  expect([tabbed.verdict, tabbed.problems, tabbed.digest]).toEqual(["accepted", [], plain.digest]);
  expect(plain.digest).toBeDefined();
});

test.each(UNSEEN)("a private key beside %j is no less a secret", async (character) => {
  const report = await check("csv", [`${character}${KEY}${character}`]);
  expect(report.verdict).not.toBe("accepted");
  expect(JSON.stringify(report)).not.toContain(KEY);
});
