import { type Dirent, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rowsStep } from "../../src/files/rows-step.ts";
import { submitFile, type Workplace } from "../../src/index.ts";
import { DEFAULT_FILE_LIMITS } from "../../src/readers/index.ts";
import { openPlace } from "../site/workplace.ts";
import { sheetOf, workbook } from "./workbook-fixture.ts";

// The private key of BIP 178's example, in wallet import format: worthless, and recognised as one.
const PRIVATE_KEY = "L5EZftvrYaSudiozVRzTqLcHLNDoVn7H5HSfM9BAN6tMJX8oTWz6";

describe("a private key pasted by mistake", () => {
  test.each(["reject-file", "reject-row"])(
    "is nowhere in what is kept or handed out, under %s",
    async (onBadRow) => {
      const { folder, workplace } = openPlace({ PAYDROP_FILES_ON_BAD_ROW: onBadRow });
      const path = join(folder, "keys.csv");
      const good = "KEY-2,0.05,1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
      writeFileSync(path, `reference,amount,destinationAddress\nKEY-1,0.05,${PRIVATE_KEY}\n${good}\n`);
      const report = await submitFile(workplace, path, "alice");
      expect(report).toMatchObject({
        verdict: "rejected",
        problems: [{ code: "ADDRESS_IS_SECRET", line: 2 }],
      });
      expect(JSON.stringify(report.problems)).not.toContain(PRIVATE_KEY);

      const answer = readFileSync(join(folder, "outbox", "keys.rejected.csv"), "utf8");
      expect(answer).toContain("KEY-1,0.05,(removed by Paydrop),");
      expect(answer).toContain(good);
      const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== "keys.csv" && !isKeptAside(entry))
        .map((entry) => join(entry.parentPath, entry.name));
      expect(kept.length).toBeGreaterThan(2);
      for (const file of kept) expect(readFileSync(file).includes(PRIVATE_KEY), file).toBe(false);
    },
  );

  test.each([
    ["in the amount column", `reference,amount,destinationAddress\nKEY-1,${PRIVATE_KEY},${ADDRESS}\n`],
    [
      "in the path of a callbackUrl",
      `reference,amount,address,callbackUrl\nKEY-1,1,${ADDRESS},https://a.example/${PRIVATE_KEY}\n`,
    ],
    [
      "in a row with a broken quote",
      `reference,amount,destinationAddress\nKEY-1,"0.05"x,${PRIVATE_KEY}\nKEY-2,1,${ADDRESS}\n`,
    ],
    [
      "in a row with too many cells",
      `reference,amount,destinationAddress\nKEY-1,0.05,${ADDRESS},${PRIVATE_KEY}\n`,
    ],
    [
      "in the column of an earlier answer",
      `reference,amount,address,paydrop: problems (a.csv)\nKEY-1,1,${ADDRESS},${PRIVATE_KEY}\n`,
    ],
    [
      "as the name of a column with problems",
      `reference,amount,address,${PRIVATE_KEY}\nKEY-1,1,${ADDRESS},${PRIVATE_KEY}\n`,
    ],
  ])("is nowhere in what is kept or handed out, %s", async (_, text) => {
    const { folder, workplace } = openPlace();
    writeFileSync(join(folder, "keys.csv"), text);
    await expectNowhere(workplace, folder, "keys.csv");
  });

  test("a seed phrase is found although its commas part it into cells", async () => {
    const { folder, workplace } = openPlace();
    const phrase = "legal, winner, thank, year, wave, sausage, worth, useful, legal, winner, thank, yellow";
    writeFileSync(join(folder, "seed.csv"), `reference,amount,address\nKEY-1,0.05,${ADDRESS},${phrase}\n`);
    const report = await submitFile(workplace, join(folder, "seed.csv"), "alice");
    expect(report.problems.map(({ code }) => code)).toContain("VALUE_IS_SECRET");
    expect(readFileSync(join(folder, "outbox", "seed.rejected.csv"), "utf8")).not.toContain("winner");
    expect(readdirSync(join(folder, "archive"))).toEqual([]);
    const { sheets } = await rowsStep(join(folder, "seed.csv"), DEFAULT_FILE_LIMITS);
    expect(JSON.stringify(sheets)).not.toContain("sausage");
  });

  const shared = (sheet: string) =>
    sheetOf('<row r="2"><c r="A2" t="inlineStr"><is><t>KEY-1</t></is></c></row>', { after: sheet });
  const another = {
    name: "Keys",
    rows: `<row r="1"><c r="A1" t="inlineStr"><is><t>${PRIVATE_KEY}</t></is></c></row>`,
  };
  const link = `<hyperlinks><hyperlink ref="A2" tooltip="${PRIVATE_KEY}"/></hyperlinks>`;
  const commentText = `<comments><commentList><comment ref="A2"><text><r><t>${PRIVATE_KEY.slice(0, 20)}</t></r><r><rPr><b/></rPr><t>${PRIVATE_KEY.slice(20)}</t></r></text></comment></commentList></comments>`;
  const properties = `<Properties><Manager>${PRIVATE_KEY}</Manager></Properties>`;
  const headerFooter = `<headerFooter><oddHeader>&amp;C${PRIVATE_KEY}</oddHeader></headerFooter>`;

  test.each([
    ["in another sheet", workbook({ sheets: [shared(""), another] })],
    ["in a hidden sheet of a file without payouts", workbook({ sheets: [{ ...another, state: "hidden" }] })],
    ["in a link", workbook({ sheets: [shared(link)] })],
    ["in a page header", workbook({ sheets: [shared(headerFooter)] })],
    [
      "in a comment, in two fonts",
      workbook({ sheets: [shared("")], parts: [{ name: "xl/comments1.xml", data: commentText }] }),
    ],
    [
      "in the document's properties",
      workbook({ sheets: [shared("")], parts: [{ name: "docProps/app.xml", data: properties }] }),
    ],
    [
      "in a shared text that no cell shows",
      workbook({ sheets: [shared("")], sharedStrings: `<si><t>${PRIVATE_KEY}</t></si>` }),
    ],
    ["in the name of a sheet", workbook({ sheets: [{ ...shared(""), name: PRIVATE_KEY }] })],
  ])("is nowhere in what is kept or handed out of a workbook, %s", async (_, bytes) => {
    const { folder, workplace } = openPlace();
    writeFileSync(join(folder, "keys.xlsx"), bytes);
    await expectNowhere(workplace, folder, "keys.xlsx");
  });
});

const ADDRESS = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";

/** The search can be wrong, so the file itself is kept where only its owner may read it. */
function isKeptAside({ parentPath }: Dirent): boolean {
  return parentPath.endsWith("suspected");
}

async function expectNowhere(workplace: Workplace, folder: string, name: string): Promise<void> {
  const report = await submitFile(workplace, join(folder, name), "alice");
  expect(report.problems.map(({ code }) => code)).toContain("VALUE_IS_SECRET");
  expect(JSON.stringify(report.problems) + JSON.stringify(report.warnings)).not.toContain(PRIVATE_KEY);
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== name && !isKeptAside(entry),
  );
  expect(kept.length).toBeGreaterThan(2);
  for (const { parentPath, name: file } of kept)
    expect(readFileSync(join(parentPath, file)).includes(PRIVATE_KEY), file).toBe(false);
  expect(readdirSync(join(folder, "archive"))).toEqual([]);
}
