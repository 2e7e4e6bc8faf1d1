/** The report of a checked file in its three forms: terminal, JSON, and a page to send to others. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { fileHtml } from "../../src/cli/render/file-html.ts";
import { fileText } from "../../src/cli/render/file-text.ts";
import { type FileReport, type SubmitReport, validateFile } from "../../src/index.ts";
import { writeDocument } from "../../src/wire/index.ts";
import { openPlace } from "../pipeline/workplace.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { workFolder } from "./program.ts";

const { folder, workplace } = openPlace();

async function checked(text: string, name = "sent.csv"): Promise<FileReport> {
  const path = join(folder, name);
  writeFileSync(path, text);
  return validateFile(workplace, path);
}

const terminal = (report: FileReport) => fileText(report, pc.createColors(false));
const json = (report: FileReport) => writeDocument(report);
const page = (report: FileReport) => fileHtml(report, "2026-11-21T09:40:00.000Z");
const RENDERERS = { terminal, json, page };

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
    expect(page(report).match(/Write plain digits/g)).toHaveLength(1);
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

  test("all of them in the page, most of them folded", () => {
    const html = page(report);
    expect(html.match(/<tr><td>line \d+<\/td>/g)).toHaveLength(10_000);
    const inSight = html.replace(/<details>.*?<\/details>/gs, "");
    expect(inSight.match(/<tr><td>line \d+<\/td>/g)).toHaveLength(80);
    expect(html.match(/<summary>2480 more<\/summary>/g)).toHaveLength(4);
  });
});

describe("a hostile file", () => {
  test("puts no tag into the page, wherever its text stands", async () => {
    const tag = `<img src=x onerror="alert(1)">`;
    const cell = `"${tag.replaceAll('"', '""')}"`;
    const header = `reference,amount,destinationAddress,feePolicy,${cell}`;
    const report = await checked(`${header}\n${cell},${cell},${ADDRESS},${cell},x\n`, "<b>&.csv");
    const html = page(report);
    expect(report.problems).toHaveLength(3);
    expect(html).not.toContain("<img");
    expect(html).not.toContain("<b>");
    expect(html).toContain("&#60;img src=x onerror=&#34;alert(1)&#34;&#62;");
  });

  test("cannot turn the text of the page around", async () => {
    const html = page(await checked("reference,amount,destinationAddress,\u202eeno\nPAY-1,\u202e1,x,y\n"));
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

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

describe("the page", () => {
  test("needs nothing from elsewhere and runs nothing", async () => {
    const html = page(await validateFile(workplace, join(folder, "broken.csv")));
    expect(html).not.toMatch(/<(?:script|link|iframe|img|object|embed|form)\b|\son\w+=|url\(|@import/i);
    expect(html).toContain("default-src 'none'");
  });

  test("says its language, its title, and what every column of its tables is", async () => {
    const html = page(await validateFile(workplace, join(folder, "broken.csv")));
    expect(html).toMatch(/<html lang="en">[\s\S]*<title>broken\.csv: rejected<\/title>/);
    expect(html).not.toMatch(/<th>/);
    const anchors = [...html.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(expect.arrayContaining(anchors));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("says in its first sentence what becomes of the file", async () => {
    const lax = openPlace({ PAYDROP_FILES_ON_BAD_ROW: "reject-row" });
    const good = page(await validateFile(workplace, join(folder, "payouts.csv")));
    const bad = page(await validateFile(workplace, join(folder, "broken.csv")));
    const path = join(lax.folder, "some.csv");
    writeFileSync(
      path,
      `reference,amount,destinationAddress\nA-1,0.1,${ADDRESS}\nA-2,x,${ADDRESS}\nA-3,0,${ADDRESS}\n`,
    );
    const some = page(await validateFile(lax.workplace, path));
    const withKey = page(await validateFile(lax.workplace, join(lax.folder, "broken.csv")));
    expect(good).toContain("<strong>Accepted.</strong> It can be submitted as it is");
    expect(bad).toContain("<strong>Rejected.</strong> Nothing of this file is paid.");
    expect(some).toContain("<strong>Accepted.</strong> All but 2 rows can be paid.");
    expect(withKey).toContain("<strong>Rejected.</strong> Nothing of this file is paid.");
  });

  test("shows what an approver has to see: first-time destinations, repeats, and totals that agree", async () => {
    const rows = [1, 2].map((number) => `PAY-${number},0.5,${ADDRESS},Zoë Okafor\n`).join("");
    const html = page(await checked(`reference,amount,destinationAddress,payee\n${rows}Total,1.0,2,\n`));
    expect(html).toContain("Repeated payments: 1.");
    expect(html).toContain("Paid for the first time: 1 destination, with 2 payments, 1 BTC.");
    expect(html).toContain(
      `<tr><td><code>${ADDRESS}</code></td><td></td><td>2 payments, 1 BTC</td><td>PAY-1</td><td>Zoë Okafor</td></tr>`,
    );
    expect(html).toContain("<dt>Agree with all rows</dt><dd>line 4</dd>");
  });

  test("gives the longest address a line of its own for the approver", async () => {
    const shown = page(await validateFile(workplace, join(folder, "payouts.xlsx")));
    expect(shown).toContain('<table class="destinations">');
    expect(shown).toContain(".destinations th:nth-child(1) { width: 50%; }");
  });

  test("is written beside the answer on the terminal, and only under a name of a page", async () => {
    const place = await workFolder();
    const before = readFileSync(join(place, "payouts.csv"));
    const [written, refused] = await Promise.all([
      paydropInTurn(place, ["validate", "broken.csv", "--html", "report.html"]),
      paydropInTurn(place, ["validate", "broken.csv", "--html", "payouts.csv"]),
    ]);
    expect(written).toMatchObject({ exitCode: 3, stderr: "" });
    expect(written.stdout).toContain("written: report.html");
    expect(readFileSync(join(place, "report.html"), "utf8")).toContain("</html>");
    expect(refused.exitCode).toBe(2);
    expect(readFileSync(join(place, "payouts.csv")).equals(before)).toBe(true);
    expect(existsSync(join(place, "paydrop.sqlite"))).toBe(false);
  });
});
