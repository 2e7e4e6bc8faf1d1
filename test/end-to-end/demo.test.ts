import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeRuns, judges, verdict } from "../books/judges.ts";
import { emptyFolder, paydrop, startSandboxProcess } from "../cli/program.ts";
import { MOMENT, signalAt } from "../processes/signalled.ts";

/** The sandbox's own counts, read from a sandbox on the demo's database after the demo has ended. */
async function creationsAt(folder: string): Promise<number> {
  const sandbox = await startSandboxProcess(folder, "--database", join(folder, "sandbox.sqlite"));
  const creations = await sandbox.creations();
  await sandbox.stop();
  return creations.length;
}

/** By the script of the documents alone, from the root that the trial shows and the head that the command prints. */
async function verifyEvidence(folder: string): Promise<void> {
  const made = await paydrop(folder, ["--json", "evidence", "B-000001", "B-000001.zip"]);
  expect(made.stderr).toBe("");
  const { head } = JSON.parse(made.stdout);
  const { stdout: people } = await paydrop(folder, ["people", "list"]);
  const root = /^root.*: (SHA256:\S+)$/m.exec(people)?.[1] ?? "";
  const given = ["--installation", "trial", "--trial", "--root", root, "--head", head, "--approvals", "2"];
  const args = [join("docs", "verify-evidence.py"), join(folder, "B-000001.zip"), ...given];
  const { stdout, stderr } = spawnSync("python3", args, { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toContain("service: 40 submissions, each as approved");
  expect(stdout).toContain("All of it holds. It is of a trial");
}

test("the demo goes the whole way, proves what it prints, and pays nothing the second time", async () => {
  const folder = await emptyFolder();
  const first = await paydrop(folder, ["demo", "--folder", "."]);
  expect(first.stderr).toBe("");
  expect(first.exitCode).toBe(0);
  for (const promised of [
    "payouts.csv (csv, UTF-8, commas): accepted\n  rows: 40 read = 40 accepted + 0 rejected",
    "payouts.xlsx (xlsx, Excel workbook): accepted\n  rows: 20 read = 20 accepted + 0 rejected",
    "broken.csv (csv, UTF-8, commas): rejected",
    "AMOUNT_FORMAT_DIFFERS in line 9, column amount",
    "approved by ben, carol, dave, 3 of 3; 40 payments released",
    "58 due: 58 accepted",
    "ended SEND_FAILED and did not pay the payee",
    "exists at the service, but no file asked for it",
    "debit EUR",
    "ok debit equals credit, to the cent",
  ])
    expect(first.stdout).toContain(promised);
  expect(first.stdout).toMatch(/States as they change\n {2}\d+ (?:payout|deposit)s? [A-Z_]+/);
  expect(first.stdout).not.toContain("NOT MET");
  expect(first.stdout).not.toContain(join(folder, "work"));
  expect(first.stdout).toMatch(/All \d+ expectations held\.\n$/);

  const written = [...first.stdout.matchAll(/^ {2}(\/\S+)$/gm)].map(([, path = ""]) => path);
  expect(written.length).toBeGreaterThanOrEqual(8);
  // The results replace the answers of acceptance.
  for (const path of written) expect(existsSync(path), path).toBe(!path.includes(".accepted."));
  const journal = join(folder, "ledger", "000001-journal.hledger");
  expect(written).toContain(journal);
  const text = await readFile(journal, "utf8");
  for (const judge of judges) if (judgeRuns(judge.name)) expect(verdict(judge, text)).toBeUndefined();

  await verifyEvidence(folder);

  const second = await paydrop(folder, ["--json", "demo", "--folder", "."]);
  expect(second.stderr).toBe("");
  expect(second.exitCode).toBe(0);
  const { allHeld, expectations } = JSON.parse(second.stdout);
  expect(allHeld).toBe(true);
  expect(expectations).toContainEqual({ promise: "nothing is paid a second time", holds: true });
  expect(await creationsAt(folder)).toBe(58);
});

test("a demo that is stopped says so, and not that Paydrop broke its promises", async () => {
  const folder = await emptyFolder();
  const stopped = await paydrop(folder, ["demo", "--folder", "."], signalAt(MOMENT.afterWrite, 7, "SIGINT"));
  expect(stopped).toMatchObject({ exitCode: 130, stderr: expect.stringContaining("INTERRUPTED") });
  expect(stopped.stderr).not.toContain("NOT MET");
});
