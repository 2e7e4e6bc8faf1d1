/** The report of a checked file in its two forms: terminal and JSON. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { fileText } from "../../src/cli/render/file-text.ts";
import { type FileReport, type SubmitReport, validateFile } from "../../src/index.ts";
import { writeDocument } from "../../src/wire/index.ts";
import { openPlace } from "../site/workplace.ts";

const { folder, workplace } = openPlace();

async function checked(text: string, name = "sent.csv"): Promise<FileReport> {
  const path = join(folder, name);
  writeFileSync(path, text);
  return validateFile(workplace, path);
}

const terminal = (report: FileReport) => fileText(report, pc.createColors(false));
const json = (report: FileReport) => writeDocument(report);
const RENDERERS = { terminal, json };

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

describe("every problem has its place, what the cell holds, the reason and the fix", () => {
  test.each(Object.entries(RENDERERS))("%s", async (_, render) => {
    const said = render(await checked(`reference,amount,destinationAddress\nPAY-1,abc,${ADDRESS}\n`));
    for (const part of [
      "AMOUNT_UNREADABLE",
      "2",
      "amount",
      "abc",
      "is not in plain digits",
      "Write plain digits",
    ])
      expect(said).toContain(part);
  });

  test("a workbook's cell is named by its letters", async () => {
    const lines = terminal(await validateFile(workplace, join(folder, "payouts.xlsx"))).split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^PAY_ON_PAST in .*\(O12\)$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}O12 \| 2026-01-15$/));
  });

  test("the name of an answer does not steer the terminal either: it is the sender's", async () => {
    const report = await checked(`reference,amount,destinationAddress\nPAY-1,0.1,${ADDRESS}\n`);
    const said = terminal({ ...report, answers: ["outbox/a\n\u001b[2J.accepted.csv"] } as SubmitReport);
    expect(said).toContain("  written: outbox/a\\u{a}\\u{1b}[2J.accepted.csv");
  });

  test("a remedy that is the same for a whole kind is said once", async () => {
    const rows = [1, 2, 3].map((number) => `PAY-${number},abc,${ADDRESS}\n`).join("");
    const report = await checked(`reference,amount,destinationAddress\n${rows}`);
    expect(terminal(report).match(/fix:/g)).toHaveLength(1);
  });
});

describe("ten thousand errors stay readable", async () => {
  const amounts = ["abc", "0.123456789", "-1", "1.25E-02"];
  const rows = Array.from({ length: 10_000 }, (_, row) => `PAY-${row},${amounts[row % 4]},${ADDRESS}\n`);
  const report = await checked(`reference,amount,destinationAddress\n${rows.join("")}`, "many.csv");

  test("on the terminal: the first of each kind, the others counted", () => {
    const lines = terminal(report).split("\n");
    expect(lines.length).toBeLessThan(100);
    expect(lines).toContain("  problems: 10000, of 4 kinds");
    expect(lines.filter((line) => line.includes("... and 2495 more"))).toHaveLength(4);
  });

  test("all of them in the JSON", () => {
    expect(JSON.parse(json(report)).problems).toHaveLength(10_000);
  });
});

describe("a hostile file", () => {
  test.each([
    // Published in Bitcoin's wiki, secret exponent included, as an example of the wallet import format.
    ["a private key as an address", "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"],
    [
      "a private key with something invisible inside",
      "5HueCGU8rMjxEXxiPuD5BDku\u200b4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
    ],
  ])("%s is repeated nowhere", async (_, key) => {
    const header = "reference,amount,destinationAddress,customerId,accountId,feePolicy,callbackUrl";
    const row = [key, key, key, key, key, key, `https://user:${key}@example.com`].join(",");
    const report = await checked(`${header}\n${row}\n`);
    expect(report.verdict).toBe("rejected");
    for (const render of Object.values(RENDERERS)) expect(render(report)).not.toContain(key.slice(0, 12));
  });

  test("a password or a token in a callbackUrl is repeated nowhere", async () => {
    const header = "reference,amount,destinationAddress,callbackUrl";
    const urls = ["https://ann:opensesame@example.com", "https://example.com/?token=opensesame"];
    const rows = urls.map((url, row) => `PAY-${row},1,${ADDRESS},${url}\n`);
    const report = await checked(`${header}\n${rows.join("")}`);
    expect(report.problems.map(({ code }) => code)).toEqual(["URL_NOT_PLAIN", "URL_NOT_PLAIN"]);
    for (const render of Object.values(RENDERERS)) expect(render(report)).not.toContain("opensesame");
  });
});
