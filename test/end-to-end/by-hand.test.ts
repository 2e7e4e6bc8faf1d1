import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Decimal } from "../../src/index.ts";
import { judgeRuns, judges, verdict } from "../books/judges.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import {
  type Ended,
  type SandboxProcess,
  startPaydrop,
  startSandboxProcess,
  workFolder,
} from "../cli/program.ts";
import { livingLater } from "../quiet-seed.ts";
import { payoutsAt } from "./service-view.ts";

/** One folder and one sandbox; each test goes one step further, as a person at a terminal would. */
let folder: string;
let sandbox: SandboxProcess;
/** The digest of the first batch, as printed. */
let digest: string;

beforeAll(async () => {
  folder = await workFolder();
  const seedFile = join(folder, "late-life.json");
  await writeFile(seedFile, JSON.stringify({ seed: livingLater(8_000) }));
  sandbox = await startSandboxProcess(folder, "--seed", seedFile);
});

afterAll(() => sandbox.stop());

function run(...args: readonly string[]): Promise<Ended> {
  return paydropInTurn(folder, args, sandbox.variables);
}

/** Runs a command under --json; returns its document and exit code. */
async function runJson(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await run("--json", ...args);
  expect(stderr).toBe("");
  return { exitCode, document: JSON.parse(stdout) };
}

/** Tracks until no payout is on its way; the sandbox advances them within a second. */
async function trackToTheEnd(): Promise<readonly string[]> {
  for (;;) {
    const { document } = await runJson("track");
    if (document.open === 0) return document.results;
    await wait(100);
  }
}

describe("before anything is paid", () => {
  test("the opening balances are taken", async () => {
    const { exitCode, stdout } = await run("reconcile", "baseline");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("opening balance of treasury-btc: 12.5 BTC");
  });

  test("a submitted file awaits approval, and says how", async () => {
    const { exitCode, stdout } = await run("submit", "payouts.csv", "--by", "alice");
    expect(exitCode).toBe(4);
    expect(stdout).toContain("rows: 40 read = 40 accepted + 0 rejected");
    digest = /digest: ([0-9a-f]{64})/.exec(stdout)?.[1] ?? "";
    expect(stdout).toContain(
      `next: another person runs \`paydrop approve ${digest.slice(0, 16)} --by NAME\``,
    );
  });

  test("nothing goes out unapproved, and `pay` says why", async () => {
    const { exitCode, stdout } = await run("pay");
    expect(exitCode).toBe(4);
    expect(stdout).toContain("Nothing is due");
    expect(stdout).toContain("40 payments await approval");
    expect(await sandbox.creations()).toEqual([]);
  });
});

describe("approval", () => {
  test("the submitter's own is not taken, however it is written", async () => {
    const { exitCode, document } = await runJson("approve", digest, "--by", "Alice ");
    expect(exitCode).toBe(4);
    expect(document.problems).toMatchObject([{ code: "APPROVER_IS_SUBMITTER" }]);
  });

  test("one person twice is one person; the second one releases the batch", async () => {
    const beginning = digest.slice(0, 16);
    for (const _time of ["once", "again"]) {
      const { exitCode, stdout } = await run("approve", beginning, "--by", "bob");
      expect(exitCode).toBe(4);
      expect(stdout).toContain("approved by bob, 1 of 2; not released yet: 1 more person must approve");
    }
    const { exitCode, stdout } = await run("approve", beginning.toUpperCase(), "--by", "carol");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("approved by bob, carol, 2 of 2; 40 payments released");
  });

  test("what is released cannot be approved again", async () => {
    const { exitCode, document } = await runJson("approve", digest, "--by", "dave");
    expect(exitCode).toBe(4);
    expect(document.problems).toMatchObject([
      { code: "APPROVAL_NOT_OPEN", message: expect.stringContaining("already released by bob, carol") },
    ]);
  });
});

describe("paying", () => {
  test("of two runs at once one is told to wait, and everything is paid once", async () => {
    await sandbox.setFaults([
      {
        operation: "createPayoutV2",
        nth: 1,
        effect: { kind: "delay", delayMs: 1500, when: "before-commit" },
      },
    ]);
    const arrivedBefore = (await sandbox.arrivals()).length;
    const first = startPaydrop(folder, ["--json", "pay"], sandbox.variables);
    // It looks before it sends, and holds the lane meanwhile. Suspended, it keeps the lane.
    while ((await sandbox.arrivals()).length === arrivedBefore) await wait(5);
    first.kill("SIGSTOP");
    const second = await runJson("pay");
    first.kill("SIGCONT");
    expect(second).toMatchObject({ exitCode: 5, document: { problems: [{ code: "LANE_TAKEN" }] } });

    const [report = "", exitCode] = await Promise.all([
      first.stdout.toArray().then((chunks) => Buffer.concat(chunks).toString()),
      new Promise((resolve) => first.once("exit", resolve)),
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(report)).toMatchObject({ due: 40, accepted: 40, refused: 0, inDoubt: 0, problems: [] });
    const created = (await sandbox.creations()).map(({ reference }) => reference);
    expect(created).toHaveLength(40);
    expect(new Set(created).size).toBe(40);
  });

  test("a second run pays nothing", async () => {
    const { exitCode, stdout } = await run("pay");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      "Nothing is due: no approved payment is to go out today.\nTrial: its keys sign for any person named; nobody's identity is proven.\n",
    );
    expect(await sandbox.creations()).toHaveLength(40);
  });

  test("the results file holds what the service says, row by row", async () => {
    const results = await trackToTheEnd();
    expect(results).toEqual([join(folder, "outbox", "payouts.results.csv")]);
    const rows: Record<string, string>[] = parse(await readFile(results[0] ?? ""), {
      columns: true,
      bom: true,
    });
    const said = await payoutsAt(sandbox);
    expect(rows).toHaveLength(40);
    for (const row of rows) {
      const payout = said.get(row["reference"] ?? "");
      const [funds] = payout?.sentFunds ?? [];
      expect({
        payoutId: row["paydrop: payoutId"],
        state: row["paydrop: state"],
        txHash: row["paydrop: txHash"],
        sent: Decimal.parse(row["paydrop: sentAmount"] ?? "")?.normalized(),
        fee: Decimal.parse(row["paydrop: fee"] ?? "")?.normalized(),
      }).toEqual({
        payoutId: payout?.payoutId,
        state: payout?.payoutState,
        txHash: funds?.txHash ?? "",
        sent: funds?.amount?.amount.normalized(),
        fee: funds?.fee?.amount.normalized(),
      });
    }
    const errors = rows.map((row) => row["paydrop: error"]).filter((error) => error !== "");
    expect(errors).toEqual(["the payout failed (SEND_FAILED): the payee was not paid by it"]);
    expect(rows.filter((row) => row["paydrop: state"] === "SEND_FAILED")).toHaveLength(1);
  });
});

describe("the same payments again", () => {
  test("the same bytes are recognised, and the earlier batch is named", async () => {
    await cp(join(folder, "payouts.csv"), join(folder, "payroll-final.csv"));
    const { exitCode, document } = await runJson("submit", "payroll-final.csv", "--by", "alice");
    expect(exitCode).toBe(3);
    expect(document).toMatchObject({
      verdict: "rejected",
      problems: [
        {
          code: "FILE_ALREADY_KNOWN",
          message: expect.stringMatching(/: 39 paid on .* as B-000001, 1 sent on .* \(failed\) as B-000001$/),
        },
      ],
    });
  });

  test("the same rows in another file are refused by reference, naming the earlier batch and row", async () => {
    await writeFile(join(folder, "november.csv"), `${await readFile(join(folder, "payouts.csv"), "utf8")}\n`);
    const { exitCode, document } = await runJson("submit", "november.csv", "--by", "alice");
    expect(exitCode).toBe(3);
    expect(document).toMatchObject({ rowsRead: 40, rowsAccepted: 0, rowsRejected: 40 });
    expect(document.problems).toHaveLength(40);
    expect(document.problems[6]).toMatchObject({
      code: "ROW_SENT_BEFORE",
      row: 7,
      column: "reference",
      message: expect.stringMatching(/sent in before: (paid|sent) on .* as B-000001, row 7$/),
    });
  });

  test("neither is ever sent", async () => {
    await run("pay");
    expect(await sandbox.creations()).toHaveLength(40);
  });
});

describe("payments for a later day", () => {
  test("they wait, and everything says until when", async () => {
    const submitted = await runJson("submit", "payouts.xlsx", "--by", "alice");
    const { digest, lookAlikeRows } = submitted.document;
    expect(lookAlikeRows).toEqual([]);
    // The sum with the file before needs two people.
    for (const person of ["bob", "carol"])
      await run("approve", digest, "--by", person, "--accept-reading", "5");
    const { exitCode, stdout } = await run("pay");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("18 due: 18 accepted");
    expect(stdout).toContain("2 payments wait for a later day, from 2099-12-31 on.");
    expect(await sandbox.creations()).toHaveLength(58);
    const { document } = await runJson("status", "PAY-2026-0105");
    expect(document.payments).toMatchObject([{ standing: "approved", fields: { payOn: "2099-12-31" } }]);
  });
});

describe("the books", () => {
  test("reconcile tells the failed and the foreign payout in words, and every balance ties", async () => {
    const isForeignSent = async () => (await payoutsAt(sandbox)).get("EXT-7731")?.payoutState;
    await expect.poll(isForeignSent).toBe("COMPLETED");
    await trackToTheEnd();
    const { exitCode, document } = await runJson("reconcile");
    expect(exitCode).toBe(4);
    const kinds = document.openBreaks.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toContain("failed");
    expect(kinds).toContain("unexpected");
    for (const { sentence } of document.openBreaks) expect(sentence).toMatch(/^(Payout|Deposit) .*\.$/);
    expect(document.balanceProof.map(({ ties }: { ties: boolean }) => ties)).toEqual([true, true]);
  });

  test("the ledger is exported once, and the judges accept it", async () => {
    const { exitCode, document } = await runJson("ledger", "export");
    expect(exitCode).toBe(4);
    expect(document.trialBalance.debit).toBe(document.trialBalance.credit);
    const journal = join(folder, "ledger", "000001-journal.hledger");
    expect(document.exports).toMatchObject([
      { target: "journal", number: 1, files: expect.arrayContaining([journal]) },
    ]);
    const text = await readFile(journal, "utf8");
    for (const judge of judges) if (judgeRuns(judge.name)) expect(verdict(judge, text)).toBeUndefined();

    const again = await runJson("ledger", "export");
    expect(again.document).toMatchObject({ posted: 0, exports: [] });
  });

  test("status shows one batch with the payouts' states, and nothing waits for anybody", async () => {
    const { exitCode, stdout } = await run("status", "B-000001");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^ 17 {2}PAY-2026-0017 {2,}0\.02 +BTC {2}bc1qp2zv8dz6amppwyz6k98lmcspcds3aelwlezh8u {2,}failed {2,}[0-9a-f-]{36} {2}SEND_FAILED {2}Dora Greene$/m,
    );
    const { document } = await runJson("status");
    expect(document.batches.map(({ standings }: { standings: unknown }) => standings)).toMatchObject([
      [{ standing: "accepted", totals: [{ currency: "BTC", count: 40, amount: "1.81168548" }] }],
      [
        { standing: "approved", totals: [{ count: 2 }] },
        { standing: "accepted", totals: [{ count: 18 }] },
      ],
    ]);
  });

  test("a wrong key is told apart from everything else, and changes nothing", async () => {
    const wrongKey = { ...sandbox.variables, PAYDROP_KEY: "somebody-elses-key" };
    const { exitCode, stdout, stderr } = await paydropInTurn(folder, ["reconcile"], wrongKey);
    expect(exitCode).toBe(5);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^SERVICE_REFUSED_KEY in findPayoutFilteredV2\n.*\(401\).*\n {2}fix: Check PAYDROP_KEY/,
    );
  });
});
