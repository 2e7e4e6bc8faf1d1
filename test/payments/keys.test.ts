/** Several client keys in one configuration: each pays from its own custody accounts, in its own lane, side by side. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import {
  approveStep,
  createDepositStep,
  doctorStep,
  payStep,
  resolveDoubtStep,
  searchPayouts,
  showBalances,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { custodyAccountId } from "../../src/model/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import type { ServerOptions } from "../../src/sandbox/index.ts";
import { all, sql, type Transaction } from "../../src/store/sql.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { ADDRESS, DEPOSIT, openSite, type Site, TREASURY } from "../site/service.ts";

const SAVINGS = "6f1cbb7e-0000-4000-8000-000000000002";

/** Each user belongs to one key: a creation under the other key is refused. */
const SEED = {
  ...NOBODY_ELSE,
  clients: [
    ...(NOBODY_ELSE.clients ?? []),
    {
      key: "savings-key",
      secret: "savings-signing-secret-0002",
      users: [{ username: "savings-bot", otpSecret: "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU" }],
    },
  ],
};

const TWO_KEYS = {
  PAYDROP_KEYS: "[ { name: savings-eu } ]",
  PAYDROP_CUSTODY_ACCOUNTS: `[
    { name: treasury-btc, id: "${TREASURY}", currency: BTC },
    { name: savings-btc, id: "${SAVINGS}", currency: BTC, key: savings-eu } ]`,
  PAYDROP_KEY_SAVINGS_EU: "savings-key",
  PAYDROP_SIGNING_SECRET_SAVINGS_EU: "savings-signing-secret-0002",
  PAYDROP_OTP_SECRET_SAVINGS_EU: "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU",
};

function openTwoKeys(options: ServerOptions = {}, changes: Readonly<Record<string, string>> = {}) {
  return openSite({ seed: SEED, ...options }, { ...TWO_KEYS, ...changes });
}

/** `count` rows of each key, approved: TREASURY-1, SAVINGS-1, TREASURY-2, ... */
async function approveRows({ folder, workplace }: Site, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => [
    `TREASURY-${index + 1},0.001,${ADDRESS},treasury-btc,treasury-bot`,
    `SAVINGS-${index + 1},0.002,${ADDRESS},savings-btc,savings-bot`,
  ]).flat();
  const path = join(folder, "both.csv");
  const header = "reference,amount,destinationAddress,custodyAccount,username";
  writeFileSync(path, `${header}\n${rows.join("\n")}\n`);
  const { digest = "", problems, repeatedRows } = await submitFile(workplace, path, "ann");
  expect(problems).toEqual([]);
  await approveStep(workplace, digest, "ben", { acceptRepeats: repeatedRows?.length });
}

/** The checks of `doctor` that fail, and why. */
async function wrongChecks({ folder, environment }: Site, changes: Readonly<Record<string, string>>) {
  const { signal } = new AbortController();
  const checks = await doctorStep(join(folder, "paydrop.yaml"), { ...environment, ...changes }, signal);
  return checks.flatMap(({ what, problems: [first] }) =>
    first === undefined ? [] : [[what, first.message]],
  );
}

function submissionsOf({ store }: Workplace) {
  return store.read(function* (): Transaction<readonly Sent[]> {
    return yield* all<Sent>(sql`select reference, key_id as "keyId", nonce, outcome from submission
      join instruction on instruction.id = instruction_id order by submission.id`);
  });
}

interface Sent {
  readonly reference: string;
  readonly keyId: string;
  readonly nonce: string;
  readonly outcome: string;
}

describe("two keys", () => {
  test("pay each from their own custody accounts, under nonces of their own", async () => {
    const site = await openTwoKeys(
      { nonce: { rule: "increasing" } },
      { PAYDROP_NONCE: "{ rule: increasing }" },
    );
    await approveRows(site, 5);
    expect(await payStep(site.workplace)).toMatchObject({ due: 10, accepted: 10, problems: [] });
    expect(site.sandbox.creations()).toHaveLength(10);
    const keysOf = Map.groupBy(await submissionsOf(site.workplace), ({ keyId }) => keyId);
    expect(keysOf.size).toBe(2);
    for (const sent of keysOf.values()) {
      expect(new Set(sent.map(({ reference }) => reference.split("-")[0])).size).toBe(1);
      expect(sent.map(({ nonce }) => BigInt(nonce))).toEqual(
        sent.map(({ nonce }) => BigInt(nonce)).toSorted((left, right) => (left < right ? -1 : 1)),
      );
    }
  });

  test("are followed each by itself: one that the service refuses keeps no payout of the other one waiting", async () => {
    // Slow, so that both payouts are still on their way.
    const site = await openTwoKeys({ stepMs: 3_600_000 });
    await approveRows(site, 1);
    await payStep(site.workplace);
    const effect = { kind: "answer", statusCode: 401, body: errorBody("REVOKED"), committed: false } as const;
    const trackRefused = async (...nths: number[]) => {
      site.sandbox.setFaults(nths.map((nth) => ({ operation: "findPayoutFilteredV2", nth, effect })));
      const before = site.arrived("findPayoutFilteredV2");
      const [tracked] = await Promise.allSettled([trackStep(site.workplace)]);
      return { tracked, asked: site.arrived("findPayoutFilteredV2") - before };
    };
    const results = join(site.folder, "outbox", "both.results.csv");
    const refused = { code: "SERVICE_REFUSED_KEY" };

    expect(await trackRefused(1, 2)).toMatchObject({ tracked: { reason: { problem: refused } }, asked: 2 });
    expect(readFileSync(results, "utf8").match(/,(sent|arrived),/g)).toHaveLength(2);
    for (const nth of [1, 2])
      expect(await trackRefused(nth)).toMatchObject({
        tracked: { value: { open: 2, results: [results], problems: [refused] } },
        asked: 2,
      });
  });

  test("pay side by side: both first creations have arrived before either is answered", async () => {
    const site = await openTwoKeys({
      faults: [1, 2].map((nth) => ({
        operation: "createPayoutV2",
        nth,
        effect: { kind: "delay", delayMs: 1000, when: "after-commit" },
      })),
    });
    await approveRows(site, 1);
    const paying = payStep(site.workplace);
    await expect.poll(() => site.arrived("createPayoutV2"), { timeout: 10_000, interval: 10 }).toBe(2);
    const answered = (await submissionsOf(site.workplace)).filter(({ outcome }) => outcome === "accepted");
    expect(answered).toEqual([]);
    expect(await paying).toMatchObject({ accepted: 2 });
  });

  test("do not stop each other: a doubt pauses its own lane only, until a person has decided it", async () => {
    const site = await openTwoKeys(
      { nonce: { rule: "increasing" } },
      { PAYDROP_NONCE: "{ rule: increasing }" },
    );
    await approveRows(site, 3);
    const lost = await loseFirst(site);
    expect(lost.report).toMatchObject({ inDoubt: 1, stopped: { code: "LANE_PAUSED" } });
    const [prefix] = lost.reference.split("-");
    const other = prefix === "SAVINGS" ? "TREASURY" : "SAVINGS";
    const created = site.sandbox.creations().map(({ reference }) => reference);
    expect(created.toSorted()).toEqual([`${other}-1`, `${other}-2`, `${other}-3`]);

    const decision = { reference: lost.reference, person: "ann", reason: "the service never saw it" };
    await resolveDoubtStep(site.workplace, decision, { by: "resend" });
    expect(await payStep(site.workplace)).toMatchObject({ accepted: 2, inDoubt: 0 });
    expect(site.sandbox.creations()).toHaveLength(6);
  });

  test("of one user use each one-time code once between them, and those of two users none of the other's", async () => {
    const codesUnder = async (changes: Readonly<Record<string, string>>) => {
      const { workplace } = await openTwoKeys({}, { PAYDROP_OTP: "{ singleUse: true }", ...changes });
      return new Set(workplace.underKeys.map((view) => view.service().codes)).size;
    };
    expect(await codesUnder({})).toBe(2);
    expect(await codesUnder({ PAYDROP_OTP_SECRET_SAVINGS_EU: SANDBOX_SECRETS.PAYDROP_OTP_SECRET })).toBe(1);
    expect(await codesUnder({ PAYDROP_OTP: '{ source: command, command: "echo 123456" }' })).toBe(1);
  });

  test("are both asked for what they see: states, balances, and the nightly comparison", async () => {
    const site = await openTwoKeys();
    await approveRows(site, 2);
    await payStep(site.workplace);
    await expect.poll(async () => (await trackStep(site.workplace)).open).toBe(0);
    const balances = await showBalances(site.workplace, [], "path");
    expect(balances.map(({ name }) => name)).toEqual(["treasury-btc", "savings-btc"]);
    const { found } = await searchPayouts(site.workplace, {
      references: ["SAVINGS-1"],
      limit: 5,
      by: "path",
    });
    expect(found.map(({ reference }) => reference)).toEqual(["SAVINGS-1"]);
    const report = await reconcileStep(site.workplace);
    expect(report.totals.agree).toEqual(report.totals.accepted);
    expect(report.balanceProof.map(({ custodyAccountId }) => custodyAccountId)).toEqual([TREASURY, SAVINGS]);
  });

  test("ask each for the deposits of its own custody accounts only", async () => {
    const site = await openTwoKeys();
    const own = new Map<string, string | undefined>();
    for (const [key, id] of [
      [SANDBOX_SECRETS.PAYDROP_KEY, TREASURY],
      ["savings-key", SAVINGS],
    ] as const) {
      const request = { ...DEPOSIT, custodyAccountId: custodyAccountId(id), reference: `DEP-${key}` };
      own.set(key, (await createDepositStep(site.workplace, request)).depositId);
    }
    await reconcileStep(site.workplace);
    const send = vi.spyOn(site.workplace.context.transport, "send");
    await trackStep(site.workplace);
    const asked = send.mock.calls.filter(([{ url }]) => url.endsWith("/deposits/v2/find"));
    expect(asked).toHaveLength(2);
    for (const [{ headers, body }] of asked)
      for (const [key, depositId] of own)
        expect(body.toString().includes(depositId ?? "")).toBe(headers["key"] === key);
  });

  test("are two lanes: a process that pays with one of them keeps another from it, and says so", async () => {
    const site = await openTwoKeys();
    await approveRows(site, 1);
    const [, savings] = site.workplace.underKeys;
    const lane = await site.openAgain().store.takeLane(savings?.service().keyId ?? "", 0);
    try {
      // The other lane was not held up, and its result is reported.
      expect(await payStep(site.workplace)).toMatchObject({
        due: 1,
        accepted: 1,
        stopped: { code: "LANE_TAKEN" },
      });
    } finally {
      await lane.release();
    }
    expect(site.sandbox.creations().map(({ reference }) => reference)).toEqual(["TREASURY-1"]);
    expect(await payStep(site.workplace)).toMatchObject({ accepted: 1 });
  });

  test("of one value are refused before anything is sent: each would wait for the other's lane for ever", async () => {
    const site = await openTwoKeys();
    await approveRows(site, 1);
    const shared = { PAYDROP_KEY_SAVINGS_EU: SANDBOX_SECRETS.PAYDROP_KEY };
    const refusal = "PAYDROP_KEY and PAYDROP_KEY_SAVINGS_EU hold the same client key";
    await expect(payStep(site.openAgain(shared))).rejects.toThrow(refusal);
    expect(site.sandbox.creations()).toEqual([]);
    expect(await wrongChecks(site, shared)).toContainEqual(["client keys", expect.stringContaining(refusal)]);
  });

  test("of which one cannot be read leave the service to be checked under the other", async () => {
    const wrong = await wrongChecks(await openTwoKeys(), { PAYDROP_KEY_SAVINGS_EU_FILE: "/not/there" });
    expect(wrong).toEqual([["secrets of the key savings-eu", expect.stringContaining("/not/there")]]);
  });

  test("have nothing to report where another process pays with both", async () => {
    const site = await openTwoKeys();
    const other = site.openAgain();
    const keyIds = other.underKeys.map((view) => view.service().keyId);
    const lanes = await Promise.all(keyIds.map((keyId) => other.store.takeLane(keyId, 0)));
    await expect(payStep(site.workplace)).rejects.toMatchObject({ problem: { code: "LANE_TAKEN" } });
    for (const lane of lanes) await lane.release();
  });
});

/** Cuts the very first creation before the service reads it; which key it belongs to is chance. */
async function loseFirst({ sandbox, workplace }: Site) {
  sandbox.setFaults([{ operation: "createPayoutV2", nth: 1, effect: { kind: "cut-before-read" } }]);
  const report = await payStep(workplace);
  sandbox.setFaults([]);
  const doubtful = (await submissionsOf(workplace)).find(({ outcome }) => outcome === "in doubt");
  return { report, reference: doubtful?.reference ?? "" };
}
