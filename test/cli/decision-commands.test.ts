/** The commands that treasury types for a doubt, and the evidence that they show before the decision. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { type SandboxProcess, startSandboxProcess, workFolder } from "./program.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const LOST = [{ operation: "createPayoutV2", nth: 1, effect: { kind: "cut-before-read" } as const }];

let folder: string;
let sandbox: SandboxProcess;
beforeAll(async () => {
  folder = await workFolder();
  sandbox = await startSandboxProcess(folder);
});
afterAll(() => sandbox.stop());

const run = (...args: string[]) => paydropInTurn(folder, args, sandbox.variables);

/** The command that takes in one payment, which then waits for its approval. */
const payment = (reference: string, amount: string) => [
  ...`payouts create --reference ${reference} --amount ${amount}`.split(" "),
  ...`--destination-address ${ADDRESS} --by alice`.split(" "),
];

const pay = (reference: string, amount: string) =>
  run(...payment(reference, amount), "--approved-by", "bob", "--yes");

describe("a doubt at the terminal", () => {
  test("is shown with its evidence and what each choice leads to, resolved once, and told as a story", async () => {
    expect((await run("doubt")).stdout).toBe("Nothing is in doubt.\n");
    await sandbox.setFaults(LOST);
    expect((await pay("DOUBT-1", "0.001")).exitCode).toBe(4);
    const shown = await run("doubt");
    expect(shown.exitCode).toBe(4);
    for (const words of [
      /DOUBT-1 in doubt for 0 min: 0.001 BTC, batch B-\d+ row 1/,
      /nonce: +\d{16}/,
      /evidence: +no answer/,
      /looked: +at [-\d]+ [:\d]+ UTC: not found.* \(not sent again: /,
      /--resend --reason WHY\n +the same request is sent again/,
    ])
      expect(shown.stdout).toMatch(words);

    const resend = ["doubt", "resolve", "DOUBT-1", "--resend", "--reason", "operator says it never came"];
    const unasked = await run(...resend);
    expect(unasked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("USAGE") });
    expect(unasked.stderr).toMatch(/Send 0\.001 BTC to bc1q[a-z0-9]{38} as DOUBT-1 again\? the same request/);
    const unclear = await run("doubt", "resolve", "DOUBT-1", "--reason", "x");
    expect(unclear).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--accept PAYOUT_ID") });
    const unexplained = await run("doubt", "resolve", "DOUBT-1", "--abandon");
    expect(unexplained).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--reason") });
    const blank = await run("doubt", "resolve", "DOUBT-1", "--abandon", "--reason", " ");
    expect(blank).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("expected a reason in words"),
    });
    const noId = await run("doubt", "resolve", "DOUBT-1", "--accept", "DOUBT-1", "--reason", "x");
    expect(noId).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("expected the UUID") });

    const resolved = await run(...resend, "--yes", "--by", "tess");
    expect(resolved).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^DOUBT-1 is sent: payout [0-9a-f-]{36}\n$/),
    });
    expect((await sandbox.creations()).map(({ reference }) => reference)).toEqual(["DOUBT-1"]);

    const story = (await run("explain", "DOUBT-1")).stdout;
    expect(story).toMatch(/tess +send payout again: reason operator says it never came/);
    expect((await run("audit", "verify")).stdout).toMatch(
      /^The record is intact\. Its head is [0-9a-f]{64}\nPeople of the roster have signed every decision in it\.\n$/,
    );
  });

  test("asks for a person, not for a repair of the program, when the request would leave by another operation", async () => {
    await sandbox.setFaults(LOST);
    expect((await pay("DOUBT-2", "0.0061")).exitCode).toBe(4);
    const configPath = join(folder, "paydrop.yaml");
    const configuration = await readFile(configPath, "utf8");
    const changed = configuration.replace(
      "currency: BTC }",
      "currency: BTC, createOperation: createPayout }",
    );
    await writeFile(configPath, changed);
    const resolve = ["doubt", "resolve", "DOUBT-2", "--reason", "it never came"];
    const refused = await run(...resolve, "--resend", "--yes");
    await writeFile(configPath, configuration);
    expect(refused).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("SUBMISSION_CHANGED") });
    expect(await run(...resolve, "--resend", "--yes")).toMatchObject({ exitCode: 0 });
  });

  test("a deposit in doubt keeps every command from ending with 0, until somebody decides", async () => {
    await sandbox.setFaults([{ operation: "createDeposit", nth: 1, effect: { kind: "cut-before-read" } }]);
    const asked = await run("deposits", "create", "--account", "treasury-btc", "--reference", "DEP-DOUBT");
    expect(asked).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("paydrop doubt") });
    const shown = await run("doubt");
    expect(shown.exitCode).toBe(4);
    expect(shown.stdout).toMatch(/createDeposit of DEP-DOUBT in doubt for 0 min, asked for by/);
    const [, number = ""] = /doubt resolve-change (\d+) --accept DEPOSIT_ID/.exec(shown.stdout) ?? [];
    expect(await run("status")).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("in doubt") });
    expect(await run("pay")).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("1 in doubt") });
    expect(await run("reconcile")).toMatchObject({
      exitCode: 4,
      stdout: expect.stringContaining("1 in doubt or held: `paydrop doubt`"),
    });
    const resolve = ["doubt", "resolve-change", number, "--reason", "asked the operator"];
    expect(await run(...resolve)).toMatchObject({ exitCode: 2 });
    expect(await run(...resolve, "--abandon")).toMatchObject({
      exitCode: 0,
      stdout: "createDeposit of DEP-DOUBT is abandoned\n",
    });
    expect(await run(...resolve, "--abandon")).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("it is abandoned, not in doubt"),
    });
    expect((await run("doubt")).exitCode).toBe(0);
  });

  test("a stop order is told by every run, and lifted by `go`", async () => {
    expect((await run("stop", "--reason", "audit", "--by", "tess")).exitCode).toBe(0);
    const idle = await run("pay");
    expect(idle).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("Nothing is due") });
    expect(idle.stdout).toMatch(
      /A stop order is in force, so nothing is sent: stopped by tess .*`paydrop go/,
    );
    const stopped = await pay("STOPPED-1", "0.002");
    expect(stopped).toMatchObject({
      exitCode: 4,
      stdout: expect.stringMatching(/stopped by tess at .*: audit/),
    });
    expect((await run("go", "--reason", "done")).stdout).toContain("stopped by tess");
    expect(await run("pay")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("1 accepted") });
  });

  test("a refused payment is re-opened, and recalled before it leaves, or paid again under a name of its own", async () => {
    const body = `[{"error":"no","code":"NO","timestamp":"2026-11-20T09:30:00.000Z"}]`;
    const effect = { kind: "answer", statusCode: 400, body, committed: false } as const;
    await sandbox.setFaults([1, 2, 3].map((nth) => ({ operation: "createPayoutV2", nth, effect })));
    await pay("REFUSED-1", "0.003");
    await pay("REFUSED-2", "0.004");
    expect((await run("reopen", "REFUSED-1", "--reason", "code source mended")).stdout).toContain(
      "approved again",
    );
    await pay("REFUSED-3", "0.005");
    await run("reopen", "REFUSED-3", "--reason", "code source mended");
    expect((await run("recall", "REFUSED-3", "--reason", "paid by card")).stdout).toBe(
      "given up; sent before, refused, and not sent again: REFUSED-3\n",
    );
    const again = await run("pay", "again", "REFUSED-2", "--reason", "order code was wrong");
    expect(again).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("REFUSED-2-AGAIN.csv") });
    const [, approving = ""] =
      /next: `paydrop (preview B-\d+)` shows how to approve it/.exec(again.stdout) ?? [];
    expect((await run(...approving.split(" "))).stdout).toMatch(/`paydrop approve [0-9a-f]{16}/);
    expect(await run("pay")).toMatchObject({ stdout: expect.stringContaining("1 due: 1 accepted") });
    const refused = await run("pay", "again", "REFUSED-1", "--reason", "impatience");
    expect(refused).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("PAY_AGAIN_REFUSED") });
    const references = (await sandbox.creations()).map(({ reference }) => reference);
    expect(references.filter((reference) => reference.startsWith("REFUSED"))).toEqual(["REFUSED-1"]);
  });
});

describe("an approver, whose environment has no secret of the service", () => {
  const withoutSecrets = (...args: string[]) => {
    const { PAYDROP_SERVICE_BASE_URL } = sandbox.variables;
    return paydropInTurn(folder, args, { PAYDROP_SERVICE_BASE_URL });
  };

  test("sees what a batch pays to whom, is told that the balances are left out and why, and rejects it", async () => {
    const waiting = await run(...payment("SEEN-1", "0.0071"));
    const [, batch = ""] = /preview (B-\d+)/.exec(waiting.stdout) ?? [];
    const preview = await withoutSecrets("preview", batch);
    expect(preview).toMatchObject({ exitCode: 0, stderr: "" });
    expect(preview.stdout).toContain("not sent: 1 payment, 0.0071 BTC");
    expect(preview.stdout).toMatch(/balances are left out: the secret PAYDROP_KEY is not set/);
    expect(preview.stdout).toMatch(/next: `paydrop approve [0-9a-f]{16}/);
    const inJson = await withoutSecrets("--json", "preview", batch);
    expect(inJson.exitCode).toBe(0);
    expect(JSON.parse(inJson.stdout)).toMatchObject({
      batch: { id: batch },
      balances: { effects: [], problems: [] },
      balancesLeftOut: { code: "SECRET_MISSING", message: expect.stringContaining("PAYDROP_KEY") },
    });
    const rejected = await withoutSecrets("reject", batch, "--by", "bob", "--reason", "not ours");
    expect(rejected).toMatchObject({ exitCode: 0, stdout: "rejected, and never sent: SEEN-1\n" });
    expect((await run("pay")).stdout).toContain("Nothing is due");
    expect((await sandbox.creations()).map(({ reference }) => reference)).not.toContain("SEEN-1");
  });

  test("recalls nothing that was approved, since it may be on its way", async () => {
    const created = await run(...payment("SEEN-2", "0.0072"));
    const [, batch = ""] = /preview (B-\d+)/.exec(created.stdout) ?? [];
    const [, digest = ""] =
      /approve ([0-9a-f]{16})/.exec((await withoutSecrets("preview", batch)).stdout) ?? [];
    expect(await withoutSecrets("approve", digest, "--by", "bob")).toMatchObject({ exitCode: 0 });
    const recalled = await withoutSecrets("recall", batch, "--by", "bob", "--reason", "not ours");
    expect(recalled).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("PAYDROP_KEY") });
    expect(await run("recall", batch, "--by", "bob", "--reason", "not ours")).toMatchObject({ exitCode: 0 });
  });
});

describe("whoever has one name of something", () => {
  test("finds it by `approve` and `explain`: a batch, a payout, a transaction, a deposit", async () => {
    const created = await run(...payment("NAMED-1", "0.0081"));
    const [, batch = ""] = /preview (B-\d+)/.exec(created.stdout) ?? [];
    expect(await run("approve", batch, "--by", "bob")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("1 payment released"),
    });
    expect((await run("pay")).stdout).toContain("1 accepted");
    const ofBatch = await run("explain", batch);
    expect(ofBatch).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^batch B-\d+ NAMED-1\.csv/),
    });
    expect(ofBatch.stdout).toMatch(/alice +submit: /);
    expect(ofBatch.stdout).toMatch(/bob +approve: digest /);

    const payoutId =
      (await sandbox.creations()).find(({ reference }) => reference === "NAMED-1")?.payoutId ?? "";
    const ofPayout = await run("explain", payoutId.toUpperCase());
    expect(ofPayout).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^NAMED-1 0\.0081 BTC/) });
    await expect
      .poll(async () => (await run("track")).stdout + (await run("payouts", "show", payoutId)).stdout, {
        timeout: 20_000,
        interval: 250,
      })
      .toMatch(/\b[0-9a-f]{64}\b/);
    await run("track");
    const [hash = ""] = /\b[0-9a-f]{64}\b/.exec((await run("payouts", "show", payoutId)).stdout) ?? [];
    const ofHash = await run("explain", hash);
    expect(ofHash).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^NAMED-1 0\.0081 BTC/m) });

    await run("deposits", "create", "--account", "treasury-btc", "--reference", "DEP-NAMED", "--by", "tess");
    const ofDeposit = await run("explain", "DEP-NAMED");
    expect(ofDeposit).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^deposit [0-9a-f-]{36} DEP-NAMED: /),
    });
    expect(ofDeposit.stdout).toMatch(/tess +createDeposit intended/);
    const [id = ""] = /[0-9a-f-]{36}/.exec(ofDeposit.stdout) ?? [];
    const document = JSON.parse((await run("--json", "explain", id)).stdout);
    expect(document).toMatchObject({ kind: "deposit", id, reference: "DEP-NAMED" });
    expect(await run("explain", "DEP-NOBODY")).toMatchObject({ exitCode: 2 });
  });
});

test("`pay` ends with 4 each time while a payment is refused, a batch waits for approval or a stop order is in force, and where no nonce is left", async () => {
  const place = await workFolder();
  const service = await startSandboxProcess(place);
  const runHere = (...args: string[]) => paydropInTurn(place, args, service.variables);
  const body = `[{"error":"no","code":"NO","timestamp":"2026-11-20T09:30:00.000Z"}]`;
  const effect = { kind: "answer", statusCode: 400, body, committed: false } as const;
  await service.setFaults([{ operation: "createPayoutV2", nth: 1, effect }]);
  const refused = await runHere(...payment("OPEN-1", "0.001"), "--approved-by", "bob", "--yes");
  expect(refused.exitCode).toBe(4);
  for (const _ of [1, 2])
    expect(await runHere("pay")).toMatchObject({
      exitCode: 4,
      stdout: expect.stringContaining("1 payment stands refused: see `paydrop status`."),
    });
  await runHere("doubt", "resolve", "OPEN-1", "--abandon", "--reason", "not owed");
  expect(await runHere("pay")).toMatchObject({ exitCode: 0 });
  const waiting = await runHere(...payment("OPEN-2", "0.002"));
  const [, batch = ""] = /preview (B-\d+)/.exec(waiting.stdout) ?? [];
  for (const _ of [1, 2]) expect(await runHere("pay")).toMatchObject({ exitCode: 4 });
  await runHere("reject", batch, "--by", "bob", "--reason", "not owed");
  expect(await runHere("pay")).toMatchObject({ exitCode: 0 });
  await runHere("stop", "--reason", "audit");
  expect(await runHere("pay")).toMatchObject({ exitCode: 4 });
  await runHere("go", "--reason", "done");
  const last = { ...service.variables, PAYDROP_NONCE_FLOOR: "9223372036854775807" };
  const create = (reference: string) =>
    paydropInTurn(
      place,
      [...payment(reference, "0.003"), "--approved-by", "bob", "--accept-repeats", "1", "--yes"],
      last,
    );
  expect((await create("OPEN-3")).exitCode).toBe(0);
  expect(await create("OPEN-4")).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("NONCES_EXHAUSTED"),
  });
  await service.stop();
});
