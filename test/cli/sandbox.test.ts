/** `paydrop sandbox` as a person starts it: its seed file, and the command-line switches that override it. */
import { createHmac } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateSync } from "otplib";
import { describe, expect, test } from "vitest";
import { emptyFolder, paydrop, SAMPLES, SANDBOX_SECRETS, startSandboxProcess } from "./program.ts";

const KEY = SANDBOX_SECRETS.PAYDROP_KEY;
const TREASURY = "6f1cbb7e-0000-4000-8000-000000000001";
const ETHER = "6f1cbb7e-0000-4000-8000-000000000003";

interface Answered {
  readonly statusCode: number;
  readonly body: unknown;
}

async function call(url: string, path: string, body: string): Promise<Answered> {
  const signature = createHmac("sha256", SANDBOX_SECRETS.PAYDROP_SIGNING_SECRET)
    .update(`POST\n${path}\n${body}`)
    .digest("hex");
  const answer = await fetch(`${url}${path}`, { method: "POST", headers: { key: KEY, signature }, body });
  const text = await answer.text();
  return { statusCode: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

function balances(url: string, accountId: string): Promise<Answered> {
  return call(url, "/accounts/balance", JSON.stringify({ accountIds: [accountId], queryDate: new Date() }));
}

function currentCode(): string {
  return generateSync({ secret: SANDBOX_SECRETS.PAYDROP_OTP_SECRET });
}

function create(url: string, nonce: number, otpCode = currentCode()): Promise<Answered> {
  const body = {
    username: "treasury-bot",
    accountId: TREASURY,
    nonce,
    reference: `R-${nonce}`,
    callbackUrl: "https://pay.example.com/hook",
    requestedAmount: { currency: "BTC", amount: 1 },
    destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    otpCode,
  };
  return call(url, "/payouts/v2/create", JSON.stringify(body));
}

describe("--seed", () => {
  test("begins with what the file says, and moves the routes", async () => {
    const sandbox = await startSandboxProcess(await emptyFolder(), "--seed", join(SAMPLES, "sandbox.yaml"));
    expect((await balances(sandbox.url, ETHER)).statusCode).toBe(200);
    expect((await call(sandbox.url, "/pathless/payouts/search", "{}")).statusCode).toBe(404);
    await sandbox.stop();
  });

  test("a file of switches only keeps the demo's seed, and the command line goes before the file", async () => {
    const folder = await emptyFolder();
    await writeFile(
      join(folder, "switches.yaml"),
      "nonce: { rule: increasing, window: 5 }\nvisibilityLagMs: 0\n",
    );
    const options = ["--seed", "switches.yaml", "--nonce-rule", "unique", "--visibility-lag-ms", "3600000"];
    const sandbox = await startSandboxProcess(folder, ...options);
    expect((await balances(sandbox.url, TREASURY)).statusCode).toBe(200);
    expect((await create(sandbox.url, 8)).statusCode).toBe(202);
    expect((await create(sandbox.url, 7)).statusCode).toBe(202);
    const found = await call(
      sandbox.url,
      "/payouts/v2/find",
      JSON.stringify({ references: ["R-7", "R-8"], queryDate: new Date() }),
    );
    expect(found.body).toMatchObject({ results: { totalElements: 0 } });
    expect(await sandbox.creations()).toHaveLength(2);
    await sandbox.stop();
  });

  test("what is wrong in it is said all at once, and nothing is served", async () => {
    const folder = await emptyFolder();
    await writeFile(
      join(folder, "wrong.yaml"),
      "seed: {accounts: [{accountId: x, openingBalance: 1.5}]}\nnonse: {}\n",
    );
    const { exitCode, stdout, stderr } = await paydrop(folder, ["sandbox", "--seed", "wrong.yaml"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain("CONFIG_KEY_INVALID in wrong.yaml, key seed.accounts.0.accountId\n");
    expect(stderr).toContain("expected a text in quotes, since a number may lose digits");
    expect(stderr).toContain("CONFIG_KEY_UNKNOWN in wrong.yaml, key nonse\n");
  });
});

test("switches: one-time codes, rising nonces, and the same identifiers in every run", async () => {
  const switches = ["--otp-single-use", "--nonce-rule", "increasing", "--random-seed", "5"];
  const made: (string | undefined)[] = [];
  for (const run of [1, 2]) {
    const sandbox = await startSandboxProcess(await emptyFolder(), ...switches);
    const code = currentCode();
    expect((await create(sandbox.url, 8, code)).statusCode).toBe(202);
    made.push((await sandbox.creations())[0]?.payoutId);
    if (run === 1) {
      expect((await create(sandbox.url, 7, code)).statusCode).toBe(409);
      expect(await create(sandbox.url, 9, code)).toMatchObject({
        statusCode: 400,
        body: [{ code: "INVALID_ONE_TIME_CODE" }],
      });
    }
    await sandbox.stop();
  }
  expect(made[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(made[1]).toBe(made[0]);
});
