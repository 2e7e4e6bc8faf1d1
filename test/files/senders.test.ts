/** Senders with their own layout, by folder or by file name: treated alike by validate, submit and the inbox. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkAndReport } from "../../src/files/validate-step.ts";
import { intakeStep, openWorkplace, stderrLog, submitFile, validateFile } from "../../src/index.ts";
import { copySamples } from "../cli/program.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

const SENDERS = `
  senders:
    - name: acme
      folder: inbox/acme
      columns: { Verwendungszweck: reference, Betrag: amount, Empfänger: destinationAddress, Project: ignore }
      numberFormat: "1.234,56"
      defaults: { custodyAccount: { BTC: savings-btc }, generalLedgerName: suppliers, username: acme-bot }
      controlTotals: { required: true }
    - { name: zeta, match: "ZETA-*.csv", columns: { Gross: amount } }
    - { name: zeta-eu, match: "*-eu.csv", numberFormat: "1.234,56" }
    - { name: buero, match: "büro-*.csv", numberFormat: "1.234,56" }
    - { name: praha, match: "praha-*.csv", encoding: windows-1250 }
`;

const ACME = [
  "Verwendungszweck;Betrag;Währung;Empfänger;Project",
  `R-1;0,05;BTC;${ADDRESS};Bridge`,
  `R-2;0,1;BTC;${ADDRESS};`,
  "Summe;0,15;;2;",
].join("\n");

function openCompany() {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-senders-"));
  copySamples(folder);
  const path = join(folder, "paydrop.yaml");
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(/^ {2}defaults: .*$/m, (line) => line + SENDERS),
  );
  const workplace = openWorkplace(path, {}, stderrLog("silent"));
  onTestFinished(() => workplace.close());
  const drop = (name: string, text: string) => {
    const path = join(folder, "inbox", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  return { folder, workplace, drop };
}

describe("a sender's folder", () => {
  test("decides how its files are read, in the inbox, by submit and by validate alike", async () => {
    const { folder, workplace, drop } = openCompany();
    const path = drop("acme/payroll.csv", ACME);
    const { report: validated, found } = await checkAndReport(workplace, path);
    const drafts = found?.rows.map(({ draft }) => draft) ?? [];
    expect(validated).toMatchObject({ file: "acme/payroll.csv", sender: "acme", verdict: "accepted" });
    expect(drafts[0]?.fields).toMatchObject({
      username: "acme-bot",
      custodyAccountId: "6f1cbb7e-0000-4000-8000-000000000002",
      generalLedgerName: "suppliers",
      feePolicy: "NORMAL",
    });
    expect(drafts[0]?.fields.generalLedgerProject).toBeUndefined();
    expect(validated.controlTotals.map(({ amount }) => amount.normalized().toString())).toEqual(["0.15"]);

    const { files } = await intakeStep(workplace);
    expect(files).toMatchObject([
      { file: "acme/payroll.csv", verdict: "accepted", digest: validated.digest },
    ]);
    expect(readdirSync(join(folder, "outbox", "acme"))).toContain("payroll.accepted.csv");
    expect(await submitFile(workplace, drop("acme/again.csv", ACME), "ann")).toMatchObject({
      problems: [{ code: "FILE_ALREADY_KNOWN" }],
    });
  });

  test("keeps files of the same name apart in the outbox", async () => {
    const { folder, workplace, drop } = openCompany();
    drop("acme/payroll.csv", ACME.replace("0,15", "0,16"));
    drop("payroll.csv", "reference,amount,address\nP-1,nothing,here\n");
    drop("acme/November/payroll.csv", ACME);
    const { files, waiting } = await intakeStep(workplace);
    // The sender's own folder in the inbox is not a stray folder.
    expect(waiting).toMatchObject([{ file: "acme/November" }]);
    expect(files.map(({ file, verdict }) => [file, verdict])).toEqual([
      ["payroll.csv", "rejected"],
      ["acme/payroll.csv", "rejected"],
    ]);
    for (const name of ["payroll.rejected.csv", "acme/payroll.rejected.csv"])
      expect(existsSync(join(folder, "outbox", name))).toBe(true);
  });

  test("adopts what a killed process had claimed there", async () => {
    const { folder, workplace } = openCompany();
    mkdirSync(join(folder, "work", "acme"), { recursive: true });
    writeFileSync(join(folder, "work", "acme", "0b0f7e0c-2f0d-4a57-9a39-a63cf2a1d7a4-payroll.csv"), ACME);
    const { files } = await intakeStep(workplace);
    expect(files).toMatchObject([{ file: "acme/payroll.csv", verdict: "accepted" }]);
    expect(readdirSync(join(folder, "work", "acme"))).toEqual([]);
  });

  test("has no say over a file of the same layout that lies elsewhere", async () => {
    const { workplace, drop } = openCompany();
    const report = await validateFile(workplace, drop("payroll.csv", ACME.replace("Empfänger", "Wallet")));
    expect(report.sender).toBeUndefined();
    const project = report.reading?.columns.find(({ heading }) => heading === "Project");
    expect(project?.name).toBe("generalLedgerProject");
  });
});

test("a sender is known by a file's name in whichever way its system writes accents", async () => {
  const { workplace, drop } = openCompany();
  for (const [form, row] of [
    ["NFC", "R-1"],
    ["NFD", "R-2"],
  ] as const) {
    const text = `reference;amount;address\n${row};0,05;${ADDRESS}\n`;
    const path = drop(`büro-${form}.csv`.normalize(form), text);
    expect(await validateFile(workplace, path)).toMatchObject({ sender: "buero", verdict: "accepted" });
  }
});

test("a file with semicolons whose points may mark thousands is refused until its sender's number format is declared", async () => {
  const { workplace, drop } = openCompany();
  const text = `reference;amount;address\nR-1;1.234;${ADDRESS}\n`;
  const { verdict, problems } = await validateFile(workplace, drop("payroll.csv", text));
  expect(verdict).toBe("rejected");
  expect(problems).toMatchObject([
    { code: "AMOUNT_FORMATS_MIXED", line: 2, message: expect.stringContaining('"1.234"') },
    { code: "AMOUNT_OVER_LIMIT" },
  ]);
  const declared = await validateFile(workplace, drop("payroll-eu.csv", text));
  expect(declared.problems).toMatchObject([
    { code: "AMOUNT_OVER_LIMIT", message: expect.stringContaining("1234") },
  ]);
});

describe("a sender's file names", () => {
  test("decide how their files are read, also the corrected answer", async () => {
    const { workplace, drop } = openCompany();
    const text = `Ref No,Net,Gross,address\nR-1,0.04,0.05,${ADDRESS}\nR-2,0.05,0.06,${ADDRESS}\n`;
    for (const name of ["zeta-1.csv", "Zeta-1.rejected.csv"])
      expect(await validateFile(workplace, drop(name, text))).toMatchObject({
        sender: "zeta",
        verdict: "accepted",
      });
    expect(await validateFile(workplace, drop("beta-1.csv", text))).toMatchObject({
      verdict: "rejected",
      problems: [{ code: "COLUMN_UNCLEAR" }],
    });
  });

  test("that fit two senders are refused, never guessed", async () => {
    const { workplace, drop } = openCompany();
    expect(await validateFile(workplace, drop("zeta-eu.csv", "reference,amount,address\n"))).toMatchObject({
      verdict: "refused",
      problems: [{ code: "SENDER_AMBIGUOUS", message: expect.stringContaining("zeta and zeta-eu") }],
    });
  });
});

test("a file that is not UTF-8 is read, and answered, in the encoding that its sender is known for", async () => {
  /** Łukasz as Windows-1250 has it. */
  const LUKASZ = "\xa3ukasz";
  const file = (amount: string) =>
    Buffer.from(
      `reference,amount,address,payee\nP-1,0.1,${ADDRESS},Ann\nP-2,${amount},${ADDRESS},${LUKASZ}\n`,
      "latin1",
    );
  const { folder, workplace } = openCompany();
  const inbox = join(folder, "inbox");
  mkdirSync(inbox, { recursive: true });
  writeFileSync(join(inbox, "praha-1.csv"), file("nothing"));
  const good = join(folder, "praha-2.csv");
  writeFileSync(good, file("0.1"));
  const { report, found } = await checkAndReport(workplace, good);
  expect(found?.rows.map(({ draft }) => draft?.fields.customerId)).toEqual(["Ann", "Łukasz"]);
  expect(report.warnings.map(({ code }) => code)).not.toContain("ENCODING_GUESSED");
  await intakeStep(workplace);
  const answer = readFileSync(join(folder, "outbox", "praha-1.rejected.csv"));
  expect(answer.toString("latin1")).toContain(`,${LUKASZ},`);
});
