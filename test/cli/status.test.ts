import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import {
  approveStep,
  openWorkplace,
  payStep,
  resolveDoubtStep,
  stderrLog,
  submitFile,
} from "../../src/index.ts";
import type { Break } from "../../src/model/index.ts";
import { replaceOpenBreaks } from "../../src/store/breaks.ts";
import { endRun, startRun } from "../../src/store/runs.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { SANDBOX_SECRETS, workFolder } from "./program.ts";

const AT = "2026-11-22T02:00:00.000Z";

test.each([
  ["alarm", 4, "1 alarm, 0 warnings"],
  ["warning", 4, "0 alarms, 1 warning"],
  ["note", 0, "Nothing waits for anybody."],
] as const)(
  "status: %s of the last comparison, which a daemon made at night, ends it with %i",
  async (severity, exitCode, words) => {
    const folder = await workFolder();
    const found: Break = { id: "unexpected:payout:1", kind: "unexpected", severity, sentence: "It exists." };
    const workplace = openWorkplace(`${folder}/paydrop.yaml`, {}, stderrLog("silent"));
    await workplace.store.write(() => replaceOpenBreaks([found], AT));
    await workplace.close();
    expect(await paydropInTurn(folder, ["status"])).toMatchObject({
      exitCode,
      stdout: expect.stringContaining(words),
    });
  },
);

test("jobs: tells each one's last run and its next, and ends with 4 where one went wrong", async () => {
  const folder = await workFolder();
  const workplace = openWorkplace(`${folder}/paydrop.yaml`, {}, stderrLog("silent"));
  const outcome = { outcome: "failed", code: "CHART_UNUSABLE", message: "it cannot be read" };
  await workplace.store.write(function* () {
    yield* endRun(yield* startRun("track", AT, AT), JSON.stringify({ outcome: "done" }), AT);
    yield* endRun(yield* startRun("ledger", AT, AT), JSON.stringify(outcome), AT);
  });
  await workplace.close();
  const told = await paydropInTurn(folder, ["jobs"], {
    PAYDROP_FILES_SENDERS: "[{ name: acme, match: a*, due: learnt }]",
  });
  expect(told.exitCode).toBe(4);
  expect(told.stdout).toContain("files of acme: nothing is learnt yet");
  expect(told.stdout).toMatch(/^pay +never +\d{4}-/m);
  expect(told.stdout).toMatch(
    /^ledger +2026-11-22 02:00 UTC +failed: CHART_UNUSABLE: it cannot be read +\d{4}-/m,
  );
});

test("jobs: ends with 4 until a run has ended well, also while the next one is under way", async () => {
  const folder = await workFolder();
  const workplace = openWorkplace(`${folder}/paydrop.yaml`, {}, stderrLog("silent"));
  await workplace.store.write(function* () {
    yield* endRun(yield* startRun("ledger", AT, AT), JSON.stringify({ outcome: "failed" }), AT);
    yield* startRun("ledger", AT, AT);
  });
  await workplace.close();
  expect(await paydropInTurn(folder, ["jobs"])).toMatchObject({ exitCode: 4 });
  const { exitCode, stdout } = await paydropInTurn(folder, ["status"]);
  expect([exitCode, stdout]).toEqual([
    4,
    expect.stringMatching(/^job +ledger +it did not end well: UNEXPECTED/m),
  ]);
  expect(stdout).not.toContain("Nothing waits");
});

test("status: ends with 4 while a stop order is in force, and tells a file that was not accepted without it", async () => {
  const folder = await workFolder();
  await paydropInTurn(folder, ["submit", "broken.csv", "--by", "ann"]);
  expect(await paydropInTurn(folder, ["status"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^files +1 came back +the sender: the outbox says why/m),
  });
  await paydropInTurn(folder, ["stop", "--by", "ann", "--reason", "a trial"]);
  expect(await paydropInTurn(folder, ["status"])).toMatchObject({
    exitCode: 4,
    stdout: expect.stringContaining("A stop order is in force"),
  });
  await paydropInTurn(folder, ["go", "--by", "ann", "--reason", "it is over"]);
  expect(await paydropInTurn(folder, ["status"])).toMatchObject({ exitCode: 0 });
});

test("status: ends with 4 for a refused payment, alone and among all, until a person has decided", async () => {
  const refusal = { kind: "answer", statusCode: 400, body: errorBody("NO"), committed: false } as const;
  const { folder, workplace, environment } = await openSite({
    faults: [{ operation: "createPayoutV2", effect: refusal }],
  });
  writeFileSync(join(folder, "one.csv"), `reference,amount,destinationAddress\nPAY-1,0.001,${ADDRESS}\n`);
  const { digest = "" } = await submitFile(workplace, join(folder, "one.csv"), "ann");
  await approveStep(workplace, digest, "bob");
  expect(await payStep(workplace)).toMatchObject({ refused: 1 });
  const exitCodes = async () => [
    (await paydropInTurn(folder, ["status"], environment)).exitCode,
    (await paydropInTurn(folder, ["status", "PAY-1"], environment)).exitCode,
  ];
  expect(await exitCodes()).toEqual([4, 4]);
  const decision = { reference: "PAY-1", person: "ann", reason: "not ours" };
  await resolveDoubtStep(workplace, decision, { by: "abandon", despiteIncompleteLook: false });
  expect(await exitCodes()).toEqual([0, 0]);
});

test("status: of a batch shows what is paid to whom, which is what an approver releases", async () => {
  const folder = await workFolder();
  const variables = { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: "http://127.0.0.1:9" };
  await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "ann"], variables);
  const text = await paydropInTurn(folder, ["status", "B-000001"], variables);
  const json = await paydropInTurn(folder, ["--json", "status", "B-000001"], variables);
  const lines = text.stdout.split("\n");
  const { payments } = JSON.parse(json.stdout);
  expect(payments.length).toBeGreaterThan(30);
  for (const { row, fields } of payments) {
    const { reference, amount, destinationAddress, destinationAccountId } = fields;
    const shown = `${row} ${reference} ${amount.value} ${amount.currency} ${destinationAddress ?? destinationAccountId} `;
    expect(lines.map((line) => `${line.trim().replace(/ +/g, " ")} `)).toContainEqual(
      expect.stringContaining(shown),
    );
  }
});

test("audit verify: an emptied record beside batches is not called intact, nor is one that was begun anew", async () => {
  const folder = await workFolder();
  await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "ann"]);
  const database = new Database(join(folder, "paydrop.sqlite"));
  database.exec("delete from audit");
  database.close();
  await rm(join(folder, "paydrop.sqlite.anchor"));
  const lacks = { exitCode: 4, stderr: expect.stringContaining("it lacks who submitted B-000001") };
  expect(await paydropInTurn(folder, ["audit", "verify"])).toMatchObject(lacks);
  await paydropInTurn(folder, ["stop", "--by", "ann", "--reason", "a trial"]);
  expect(await paydropInTurn(folder, ["audit", "verify"])).toMatchObject(lacks);
  expect(await paydropInTurn(folder, ["backup", "copy.sqlite"])).toMatchObject(lacks);
});

test("audit verify: a record whose end was cut is not called intact, and without an anchor that cannot be told", async () => {
  const folder = await workFolder();
  await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "ann"]);
  await paydropInTurn(folder, ["stop", "--by", "ann", "--reason", "a trial"]);
  const whole = await paydropInTurn(folder, ["audit", "verify"]);
  expect(whole).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/intact\. .*[0-9a-f]{64}\nPeople of the roster have signed/),
  });
  const database = new Database(join(folder, "paydrop.sqlite"));
  database.exec("delete from audit where action = 'stop'");
  database.close();
  const cut = await paydropInTurn(folder, ["audit", "verify"]);
  expect(cut).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("DATABASE_BEHIND_ANCHOR") });
  await rm(join(folder, "paydrop.sqlite.anchor"));
  const unanchored = await paydropInTurn(folder, ["audit", "verify"]);
  expect(unanchored.stdout).toContain("without an anchor, a missing end would go unnoticed");
});
