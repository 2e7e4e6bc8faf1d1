/** The rows of a sandbox: a refused request changes none, and a file holds each as it is now, for one process. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { demoSeed, openSandbox } from "../../src/sandbox/index.ts";
import {
  creationText,
  MAIN,
  OTP_SECRET,
  PAYEE,
  QUERY_DATE,
  seed,
  type Trial,
  trial,
  WALLET,
} from "./trial.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The file's documents, as a killed process would leave them. */
function documentsIn(path: string): unknown[] {
  const copy = join(folder, "copy.sqlite");
  for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, copy + suffix);
  const file = new Database(copy);
  const documents = file.prepare("SELECT * FROM document ORDER BY seq").all();
  file.close();
  return documents;
}

const DEPOSIT = "00000000-0000-4000-8000-0000000000d1";
const UNKNOWN = "00000000-0000-4000-8000-0000000000ff";
const COSIGNED = "00000000-0000-4000-8000-0000000000f2";

const richSeed = {
  ...seed,
  clients: seed.clients.map((client) => ({
    ...client,
    users: [...client.users, { username: "ada", otpSecret: OTP_SECRET }],
  })),
  accounts: [
    ...seed.accounts,
    { accountId: COSIGNED, openingBalance: "1", cosigners: [{ userGroupName: "board", username: "ada" }] },
  ],
  deposits: [
    {
      depositId: DEPOSIT,
      accountId: MAIN,
      reference: "D-1",
      expiryAfterMs: 90_000,
      parts: [{ amount: "0.25", afterMs: 40_000, confirmAfterMs: 30_000 }],
    },
  ],
  foreignPayouts: [
    {
      accountId: MAIN,
      reference: "ELSEWHERE",
      amount: "0.125",
      destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
      afterMs: 50_000,
    },
  ],
  depositOutcomes: [{ reference: "FAILS", state: "CREATE_FAILED" as const }],
};

const CREATE = "/payouts/v2/create";

test("a refused request changes nothing, whichever rule refuses it", () => {
  const database = join(folder, "one.sqlite");
  const one = trial({ database, otpSingleUse: true, seed: richSeed });
  const waiting = one.call(CREATE, creationText({ accountId: `"${COSIGNED}"`, nonce: "1" })).body;
  const { payoutId } = waiting as { payoutId: string };
  one.pass(60_000);
  one.call("/payouts/void", `{"payoutId":"${payoutId}","nonce":2}`);
  const { otpCode } = JSON.parse(creationText({}, one.now())) as { otpCode: string };
  const fresh = (changes: object) => creationText({ otpCode: `"${otpCode}"`, ...changes });
  const deposit = (reference: string, nonce: number) =>
    `{"accountId":"${MAIN}","nonce":${nonce},"reference":"${reference}","callbackUrl":"https://x.example"}`;
  const before = documentsIn(database);
  const statuses = [
    one.call(CREATE, fresh({ nonce: "1" })),
    one.call(CREATE, fresh({ accountId: `"${UNKNOWN}"` })),
    one.call(CREATE, fresh({ requestedAmount: '{"currency":"BTC","amount":0.000001}', subtractFee: "true" })),
    one.call(CREATE, fresh({ requestedAmount: '{"currency":"BTC","amount":5}', verifyBalance: "true" })),
    one.call(
      "/payouts/authorization",
      `{"payoutId":"${payoutId}","username":"ada","otpCode":"${otpCode}","nonce":9}`,
    ),
    one.call(
      "/payouts/authorization",
      `{"payoutId":"${payoutId}","username":"ben","otpCode":"${otpCode}","nonce":9}`,
    ),
    one.call("/deposits/create/sync", deposit("FAILS", 9)),
    one.call("/deposits/create", deposit("D-2", 9).replace(MAIN, PAYEE)),
    one.call("/deposits/void", `{"depositId":"${UNKNOWN}","nonce":9}`),
    one.call("/payouts/void", `{"payoutId":"${payoutId}","nonce":9}`),
  ].map(({ statusCode }) => statusCode);
  expect(statuses).toEqual([409, 404, 400, 400, 409, 403, 502, 404, 404, 409]);
  expect(documentsIn(database)).toEqual(before);
  // The code and the nonce that they carried are still good.
  expect(one.call(CREATE, fresh({ nonce: "9" })).statusCode).toBe(202);
  expect(documentsIn(database)).not.toEqual(before);
  one.sandbox.close();
});

/** Everything that a caller can see. */
function shown(one: Trial): unknown[] {
  const found = ["/payouts/v2/find", "/deposits/v2/find"].map(
    (path) => one.call(path, `{${QUERY_DATE}}`).text,
  );
  const balances = one.call(
    "/accounts/balance",
    `{"accountIds":["${MAIN}","${WALLET}","${COSIGNED}"],${QUERY_DATE}}`,
  );
  return [...found, balances.text, one.sandbox.creations(), one.sandbox.movements()];
}

function countedUuids(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
  };
}

test("one that is closed and opened every few seconds of its life shows what one does that stays open", () => {
  const options = { stepMs: 7_000, seed: richSeed };
  const kept = { ...options, database: join(folder, "one.sqlite"), uuid: countedUuids() };
  const staying = trial({ ...options, uuid: countedUuids() });
  let reopened = trial(kept);
  const bodies = ["A", "B", "C"].map((reference) => creationText({ reference: `"${reference}"` }));
  bodies.push(creationText({ reference: '"COSIGNED"', accountId: `"${COSIGNED}"` }));
  for (const body of bodies) for (const one of [staying, reopened]) one.call(CREATE, body);
  for (let second = 0; second < 120; second += 5) {
    staying.pass(5_000);
    reopened.sandbox.close();
    const at = staying.now();
    reopened = trial({ ...kept, clock: () => at });
    reopened.sandbox.tick();
    expect(shown(reopened)).toEqual(shown(staying));
  }
  reopened.sandbox.close();
});

test("a file has one document a row, however often the row has changed", () => {
  const database = join(folder, "one.sqlite");
  const one = trial({ database, seed: richSeed });
  one.call(CREATE, creationText());
  const before = documentsIn(database).length;
  for (let time = 0; time < 50; time += 1) one.sandbox.operator.setCosigners(MAIN, []);
  one.sandbox.operator.passTime(3_600_000);
  // The payout's own movements: sent and fee; the deposit's; the foreign payout with its two instead of its plan.
  expect(documentsIn(database).length).toBe(before + 2 + 1 + 2);
  one.sandbox.close();
});

test("is not written without a file, because nobody would read it", () => {
  const prepare = vi.spyOn(Database.prototype, "prepare");
  onTestFinished(() => prepare.mockRestore());
  const sandbox = openSandbox({ seed: demoSeed });
  sandbox.operator.passTime(3_600_000);
  expect(sandbox.movements().length).toBeGreaterThan(5);
  sandbox.close();
  expect(prepare).not.toHaveBeenCalled();
});

test("a file can be used by one process at a time", () => {
  const database = join(folder, "one.sqlite");
  const one = trial({ database });
  expect(() => trial({ database })).toThrow(/cannot be used: database is locked/);
  one.sandbox.close();
  trial({ database }).sandbox.close();
});
