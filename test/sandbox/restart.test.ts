/** State in a file: which parts survive a restart, and how it is found. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { creationText, MAIN, QUERY_DATE, seed, trial } from "./trial.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sandbox-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("forgets nothing at a restart: payouts, nonces, balances, and planned events", () => {
  const database = join(folder, "sandbox.sqlite");
  const before = trial({ database });
  const body = creationText({ reference: '"KEPT"', nonce: "9223372036854775807" });
  before.call("/payouts/v2/create", body);
  before.pass(301);
  before.sandbox.close();

  const after = trial({ database });
  expect(after.sandbox.creations()).toMatchObject([{ reference: "KEPT", nonce: 9223372036854775807n, body }]);
  expect(after.sandbox.balanceOf(MAIN)?.locked.isZero()).toBe(false);
  expect(after.call("/payouts/v2/create", body).statusCode).toBe(409);
  after.pass(60_000);
  expect(after.call("/payouts/v2/find", `{${QUERY_DATE}}`).body).toMatchObject({
    results: { content: [{ reference: "KEPT", payoutState: "COMPLETED" }] },
  });
  expect(after.sandbox.balanceOf(MAIN)?.confirmed.toString()).toBe("1.98999295");
  after.sandbox.close();
});

test("keeps its advanced clock", () => {
  const database = join(folder, "sandbox.sqlite");
  const before = trial({ database });
  before.sandbox.operator.passTime(86_400_000);
  before.sandbox.close();
  const after = trial({ database });
  after.call("/pathless/payouts/create", creationText({ otpCode: undefined }));
  expect(after.call("/payouts/v2/find", `{${QUERY_DATE}}`).body).toMatchObject({
    results: { content: [{ createdDate: "2026-03-03T09:00:00.000Z" }] },
  });
  after.sandbox.close();
});

test("applies the seed once, not at every start", () => {
  const database = join(folder, "sandbox.sqlite");
  trial({ database }).sandbox.close();
  const again = trial({ database });
  expect(again.sandbox.movements().filter((movement) => movement.accountId === MAIN)).toHaveLength(1);
  again.sandbox.close();
});

test("begins anew in a file whose first opening was cut short", () => {
  const database = join(folder, "sandbox.sqlite");
  trial({ database }).sandbox.close();
  const file = new Database(database);
  file.exec("PRAGMA user_version = 0; DELETE FROM document");
  file.close();
  const again = trial({ database });
  expect(again.sandbox.balanceOf(MAIN)?.confirmed.isZero()).toBe(false);
  again.sandbox.close();
});

test("says so when the file is no database", () => {
  const database = join(folder, "notes.txt");
  writeFileSync(database, "not a database, but long enough to be looked at by SQLite as one".repeat(20));
  expect(() => trial({ database })).toThrow(/notes\.txt cannot be used/);
});

test("keeps foreign payouts and rewritten references across a restart", () => {
  const database = join(folder, "sandbox.sqlite");
  const foreign = {
    accountId: MAIN,
    reference: "FOREIGN",
    amount: "0.00000010",
    destinationAddress: ADDRESS,
  };
  const options = { database, seed: { ...seed, foreignPayouts: [foreign] }, reference: { lowerCased: true } };
  const before = trial(options);
  before.call("/payouts/v2/create", creationText({ reference: '"MINE"', generalLedgerName: '"5100"' }));
  const { text } = before.call("/payouts/v2/find", `{${QUERY_DATE}}`);
  before.sandbox.close();
  const after = trial({ ...options, reference: {} });
  expect(after.call("/payouts/v2/find", `{${QUERY_DATE}}`).text).toBe(text);
  expect(text).toContain('"reference":"mine"');
  expect(text).toContain('"reference":"FOREIGN","requestedAmount":{"currency":"BTC","amount":0.00000010}');
  after.sandbox.close();
});

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

test("draws no identifier a second time when it starts again with the same random seed", () => {
  const database = join(folder, "sandbox.sqlite");
  for (const nonce of ["1", "2", "3"]) {
    const one = trial({ database, randomSeed: 7 });
    const created = one.call("/payouts/v2/create", creationText({ reference: `"R-${nonce}"`, nonce }));
    expect(created.statusCode).toBe(202);
    one.sandbox.close();
  }
  const last = trial({ database, randomSeed: 7 });
  expect(new Set(last.sandbox.creations().map(({ payoutId }) => payoutId)).size).toBe(3);
  last.sandbox.close();
});
