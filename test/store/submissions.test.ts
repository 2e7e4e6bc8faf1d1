/** Submissions and standings: the database itself refuses wrong changes, even if the code above it makes them. */
import { describe, expect, test } from "vitest";
import {
  type Intent,
  mayMove,
  type Outcome,
  payoutId,
  STANDINGS,
  type Standing,
} from "../../src/model/index.ts";
import { insertChange, recordChangeOutcome } from "../../src/store/changes.ts";
import { getInstruction, moveInstruction } from "../../src/store/instructions.ts";
import { run, sql, type Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import {
  findLastSubmission,
  isOvertaken,
  lastOutcomes,
  lastSentAt,
  listInDoubt,
  listUnderWay,
  recordAcceptanceRevoked,
  recordOutcome,
  recordResend,
  recordSendWithheld,
} from "../../src/store/submissions.ts";
import {
  findSeenElsewhere,
  findWitness,
  longestLagMs,
  recordAbsent,
  recordSeen,
} from "../../src/store/visibility.ts";
import { drafts, insertIntent, NOW, openStore, storeApproved, storeOneApproved } from "./stored-batch.ts";

const MOMENT = { at: NOW, monotonicMs: 1000 };

function intentOf(instructionId: Intent["instructionId"], attempt: number): Intent {
  return {
    instructionId,
    attempt,
    keyId: "key-1",
    nonce: 1_763_630_000_000_000n,
    operation: "createPayoutV2",
    baseUrl: "http://127.0.0.1:1",
    bodyHash: "0".repeat(64),
    intendedAt: NOW,
  };
}

describe("a second live submission of an instruction", () => {
  const P1 = payoutId("0d5d6e8a-0000-4000-8000-000000000001");
  test.each([
    ["is under way", undefined, true],
    ["is in doubt", { kind: "in doubt", evidence: "reset" } as const, true],
    ["was accepted", { kind: "accepted", payoutId: P1, evidence: "202" } as const, true],
    ["was refused", { kind: "refused", httpStatus: 400, evidence: "400" } as const, false],
    ["was never sent", { kind: "not sent", evidence: "ECONNREFUSED" } as const, false],
  ])("is refused by the database while the first one %s", async (_how, outcome, refused) => {
    const store = openStore();
    const { id } = await storeOneApproved(store);
    const first = await store.write(() => insertIntent(intentOf(id, 1)));
    if (outcome !== undefined) await store.write(() => recordOutcome(first, outcome, MOMENT));
    const second = store.write(() => insertIntent(intentOf(id, 2)));
    if (refused) await expect(second).rejects.toThrow(/unique/i);
    else await expect(second).resolves.toBeGreaterThan(first);
  });

  test("is refused under the same attempt too", async () => {
    const store = openStore();
    const { id } = await storeOneApproved(store);
    const first = await store.write(() => insertIntent(intentOf(id, 1)));
    await store.write(() => recordOutcome(first, { kind: "not sent", evidence: "" }, MOMENT));
    await expect(store.write(() => insertIntent(intentOf(id, 1)))).rejects.toThrow(/unique/i);
  });
});

describe("a second send", () => {
  const BODY = "0".repeat(64);

  /** Returns the submission of a payment that is in doubt. */
  function sentWithoutAnswer(store: Store, id: Intent["instructionId"]): Promise<number> {
    return store.write(function* (): Transaction<number> {
      yield* moveInstruction(id, { to: "sending", at: NOW });
      yield* moveInstruction(id, { to: "in doubt", at: NOW });
      return yield* insertIntent(intentOf(id, 1));
    });
  }

  test("is counted, and taken back where it did not leave, for its own submission only", async () => {
    const store = openStore();
    const instructions = await storeApproved(store, drafts(2));
    for (const { id } of instructions) {
      const one = await sentWithoutAnswer(store, id);
      await store.write(() => recordOutcome(one, { kind: "in doubt", evidence: "reset" }, MOMENT));
    }
    const sends = async () => (await store.read(() => listInDoubt())).map((submission) => submission.sends);
    const [one] = await store.read(() => listInDoubt());
    if (one === undefined) throw new Error("nothing is in doubt");
    await store.write(() => recordResend(one.id, BODY, MOMENT));
    expect(await sends()).toEqual([2, 1]);
    await store.write(() => recordSendWithheld(one));
    expect(await sends()).toEqual([1, 1]);
  });

  test.each<[string, Outcome, string]>([
    ["with another body", { kind: "in doubt", evidence: "reset" }, "1".repeat(64)],
    ["once it is refused", { kind: "refused", httpStatus: 400, evidence: "no" }, BODY],
    [
      "once it is accepted",
      { kind: "accepted", evidence: "202", payoutId: payoutId("0d5d6e8a-0000-4000-8000-000000000001") },
      BODY,
    ],
  ])("is refused by the database %s", async (_when, outcome, bodyHash) => {
    const store = openStore();
    const { id } = await storeOneApproved(store);
    const one = await sentWithoutAnswer(store, id);
    await store.write(() => recordOutcome(one, outcome, MOMENT));
    const again = store.write(() => recordResend(one, bodyHash, MOMENT));
    await expect(again).rejects.toMatchObject({ problem: { code: "INVARIANT_BROKEN" } });
    expect(await store.read(() => findLastSubmission(id))).toMatchObject({ sends: 1 });
  });
});

describe("an outcome", () => {
  test("that is final never changes; a doubt may be resolved once", async () => {
    const store = openStore();
    const { id } = await storeOneApproved(store);
    const one = await store.write(() => insertIntent(intentOf(id, 1)));
    expect(await store.read(() => listUnderWay())).toMatchObject([
      { id: one, nonce: 1_763_630_000_000_000n },
    ]);
    await store.write(() => recordOutcome(one, { kind: "in doubt", evidence: "reset" }, MOMENT));
    expect(await store.read(() => listInDoubt())).toHaveLength(1);
    await store.write(() => recordOutcome(one, { kind: "refused", httpStatus: 400, evidence: "no" }, MOMENT));
    const again = store.write(() => recordOutcome(one, { kind: "not sent", evidence: "" }, MOMENT));
    await expect(again).rejects.toMatchObject({ problem: { code: "INVARIANT_BROKEN" } });
  });

  test("cannot give one payout to two instructions", async () => {
    const store = openStore();
    const [left, right] = [
      await storeOneApproved(store),
      await storeOneApproved(store, { reference: "PAY-2" }),
    ];
    const shared = payoutId("0d5d6e8a-0000-4000-8000-000000000002");
    const outcome = { kind: "accepted", payoutId: shared, evidence: "202" } as const;
    const accept = (id: Intent["instructionId"]) =>
      store.write(function* (): Transaction<void> {
        const submission = yield* insertIntent(intentOf(id, 1));
        yield* moveInstruction(id, { to: "sending", at: NOW });
        yield* recordOutcome(submission, outcome, MOMENT);
        yield* moveInstruction(id, { to: "accepted", payoutId: shared, at: NOW });
      });
    await accept(left.id);
    await expect(accept(right.id)).rejects.toThrow(/unique/i);
    expect((await store.read(() => getInstruction(right.id))).standing).toBe("approved");
  });
});

describe("an acceptance that was another payment's", () => {
  const accepted = (digit: number) =>
    ({
      kind: "accepted",
      payoutId: payoutId(`0d5d6e8a-0000-4000-8000-00000000000${digit}`),
      evidence: "202",
    }) as const;

  test("removes what was measured at the other payout, even once its own is accepted", async () => {
    const store = openStore();
    const { id } = await storeOneApproved(store);
    const one = await store.write(() => insertIntent(intentOf(id, 1)));
    await store.write(() => recordOutcome(one, accepted(1), MOMENT));
    await store.write(() => recordAbsent(one, 60_000));
    await store.write(() => recordSeen(one, 90_000, "equal"));
    expect(await store.read(() => longestLagMs("key-1"))).toBe(60_000);
    expect(await store.read(() => findWitness("key-1", true))).toBeDefined();
    await store.write(() => recordAcceptanceRevoked(one, "it is that of PAY-2"));
    await store.write(() => recordOutcome(one, accepted(2), MOMENT));
    expect(await store.read(() => longestLagMs("key-1"))).toBe(0);
    expect(await store.read(() => findWitness("key-1", true))).toBeUndefined();
  });

  test("can only be taken back from an accepted submission", async () => {
    const store = openStore();
    const { id } = await storeOneApproved(store);
    const one = await store.write(() => insertIntent(intentOf(id, 1)));
    await store.write(() => recordOutcome(one, { kind: "refused", httpStatus: 400, evidence: "no" }, MOMENT));
    const taken = store.write(() => recordAcceptanceRevoked(one, "it is that of PAY-2"));
    await expect(taken).rejects.toMatchObject({ problem: { code: "INVARIANT_BROKEN" } });
  });
});

describe("what a key has sent", () => {
  const OTHER = { keyId: "key-2" };
  const accepted = (digit: number): Outcome => ({
    kind: "accepted",
    payoutId: payoutId(`0d5d6e8a-0000-4000-8000-00000000000${digit}`),
    evidence: "202",
  });

  /** The nth payment, sent n minutes after NOW; returns its submission. */
  async function sent(
    store: Store,
    nth: number,
    outcome: Outcome | undefined,
    changes: Partial<Intent> = {},
  ) {
    const { id } = await storeOneApproved(store, { reference: `PAY-${nth}` });
    const intent = { ...intentOf(id, 1), intendedAt: minutesLater(nth), ...changes };
    const one = await store.write(() => insertIntent(intent));
    const moment = { at: minutesLater(nth), monotonicMs: 1000 };
    if (outcome !== undefined) await store.write(() => recordOutcome(one, outcome, moment));
    return one;
  }

  const minutesLater = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

  test("ended so: the latest first, without what never left, and nothing of another key", async () => {
    const store = openStore();
    await sent(store, 1, accepted(1));
    await sent(store, 2, { kind: "in doubt", httpStatus: 409, evidence: "409" });
    await sent(store, 3, { kind: "not sent", evidence: "ECONNREFUSED" });
    await sent(store, 4, undefined);
    await sent(store, 5, { kind: "refused", httpStatus: 400, evidence: "400" }, OTHER);
    const kinds = async (count: number) =>
      (await store.read(() => lastOutcomes("key-1", count))).map((outcome) => outcome?.kind);
    expect(await kinds(9)).toEqual([undefined, "in doubt", "accepted"]);
    expect(await kinds(2)).toEqual([undefined, "in doubt"]);
    expect(await store.read(() => lastSentAt("key-1"))).toBe(minutesLater(4));
    expect(await store.read(() => lastSentAt("key-3"))).toBeUndefined();
  });

  test("was missing from looks for as long as the one that was missing longest, of that key only", async () => {
    const store = openStore();
    const [quick, slow] = [await sent(store, 1, accepted(1)), await sent(store, 2, accepted(2))];
    const others = await sent(store, 3, accepted(3), OTHER);
    for (const [one, afterMs] of [
      [slow, 5000],
      [slow, 2000],
      [quick, 1000],
    ] as const)
      await store.write(() => recordAbsent(one, afterMs));
    expect(await store.read(() => longestLagMs("key-2"))).toBe(0);
    await store.write(() => recordAbsent(others, 9000));
    expect(await store.read(() => longestLagMs("key-1"))).toBe(5000);
  });

  test("was seen last at an address that a new key, too, has to be asked about", async () => {
    const store = openStore();
    const at = (baseUrl: string) => ({ baseUrl });
    const elsewhere = (keyId: string, baseUrl: string) => store.read(() => findSeenElsewhere(keyId, baseUrl));
    const first = await sent(store, 1, accepted(1), at("https://first"));
    const seen = await sent(store, 2, accepted(2), at("https://old"));
    await sent(store, 3, accepted(3), at("https://new"));
    expect(await elsewhere("key-1", "https://new")).toBeUndefined();
    await store.write(() => recordSeen(first, 10, "equal"));
    await store.write(() => recordSeen(seen, 10, "equal"));
    const others = await sent(store, 4, accepted(4), { ...OTHER, ...at("https://new") });
    await store.write(() => recordSeen(others, 10, "equal"));
    await sent(store, 5, accepted(5), { ...OTHER, ...at("https://old") });
    expect(await elsewhere("key-1", "https://new")).toMatchObject({ baseUrl: "https://old" });
    expect(await elsewhere("key-1", "https://old")).toBeUndefined();
    expect(await elsewhere("key-2", "https://new")).toBeUndefined();
    expect(await elsewhere("key-3", "https://old")).toMatchObject({ baseUrl: "https://new" });
  });
});

describe("a nonce", () => {
  test.each([
    ["is under way", undefined, true],
    ["is in doubt", { kind: "in doubt", evidence: "reset" } as const, true],
    ["was refused", { kind: "refused", httpStatus: 400, evidence: "400" } as const, true],
    ["was never sent", { kind: "not sent", evidence: "ECONNREFUSED" } as const, false],
  ])(
    "is overtaken by a higher one of its key that %s: of a payout, or of a change",
    async (_how, outcome, is) => {
      const nonce = 999n;
      const isOver = (store: Store, keyId = "key-1") => store.read(() => isOvertaken(keyId, nonce));
      const byPayout = openStore();
      const { id } = await storeOneApproved(byPayout);
      const one = await byPayout.write(() => insertIntent({ ...intentOf(id, 1), nonce: 1000n }));
      if (outcome !== undefined) await byPayout.write(() => recordOutcome(one, outcome, MOMENT));
      expect([await isOver(byPayout), await isOver(byPayout, "key-2")]).toEqual([is, false]);

      const byChange = openStore();
      const { instructionId: _id, attempt: _attempt, bodyHash: _hash, ...sent } = intentOf(id, 1);
      const change = { ...sent, nonce: 1000n, subject: "DEP-1", correlation: "", person: "alice" };
      const other = await byChange.write(() => insertChange(change));
      if (outcome !== undefined) await byChange.write(() => recordChangeOutcome(other, outcome, NOW));
      expect([await isOver(byChange), await isOver(byChange, "key-2")]).toEqual([is, false]);
    },
  );
});

describe("a standing", () => {
  async function standAt(store: Store, standing: Standing) {
    const { id } = await storeOneApproved(store);
    await store.write(() => run(sql`update instruction set standing = ${standing} where id = ${id}`));
    return id;
  }

  test.each(STANDINGS.flatMap((from) => STANDINGS.map((to) => ({ from, to, allowed: mayMove(from, to) }))))(
    "moves from $from to $to: $allowed",
    async ({ from, to, allowed }) => {
      const store = openStore();
      const id = await standAt(store, from);
      const move = store.write(() => moveInstruction(id, { to, at: NOW }));
      if (allowed) await move;
      else await expect(move).rejects.toMatchObject({ problem: { code: "INVARIANT_BROKEN" } });
      expect((await store.read(() => getInstruction(id))).standing).toBe(allowed ? to : from);
    },
  );

  test("moves with those of all rows of its batch, also of one that is moved in several parts", async () => {
    const rows = [1, 49_999, 50_000, 50_001, 100_000, 100_001];
    const inFile = drafts(rows.length).map((draft, index) => ({ ...draft, row: rows[index] ?? 0 }));
    const approved = await storeApproved(openStore(), inFile);
    expect(approved.map(({ row, standing }) => [row, standing])).toEqual(
      rows.map((row) => [row, "approved"]),
    );
  });

  test("accepted can only become a doubt, and refused changes only by a person or as an alarm", () => {
    expect(STANDINGS.filter((to) => mayMove("accepted", to))).toEqual(["in doubt", "held"]);
    const onward = ["approved", "accepted", "held", "abandoned"];
    expect(STANDINGS.filter((to) => mayMove("refused", to))).toEqual(onward);
  });
});
