/**
 * Deposits created, payouts and deposits voided, payouts authorized: each is stored before it leaves, takes its
 * nonce from the lane, and is sent once, for every answer.
 */
import { describe, expect, test } from "vitest";
import {
  authorizeStep,
  createDepositStep,
  createPayoutStep,
  type DepositRequest,
  giveStopOrder,
  liftStopOrder,
  listDoubts,
  payStep,
  resolveChangeStep,
  voidDepositStep,
  voidPayoutStep,
  type Workplace,
} from "../../src/index.ts";
import { custodyAccountId, payoutId } from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import { inLane } from "../../src/payments/run/lane.ts";
import { fillAuthorizationBody } from "../../src/payments/sending/changes/authorization-body.ts";
import type { FaultEffect } from "../../src/sandbox/index.ts";
import { verifyAudit } from "../../src/store/audit.ts";
import { listOpenChanges } from "../../src/store/changes.ts";
import { all, sql, type Transaction } from "../../src/store/sql.ts";
import { figuresOf } from "../../src/views/figures.ts";
import { onePayout } from "../../src/views/search-step.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { ADDRESS, DEPOSIT, openSite, TREASURY } from "../site/service.ts";

const ROUTES = {
  PAYDROP_ROUTES: `{
    createDepositPathless: { method: POST, path: /pathless/deposits/create },
    voidDepositPathless: { method: POST, path: /pathless/deposits/void },
    voidPayoutPathless: { method: POST, path: /pathless/payouts/void },
    createPayoutWithFirstAuthorization: { method: POST, path: /pathless/payouts/create } }`,
};

const AUTHORIZATION = {
  PAYDROP_AUTHORIZATION_BODY: `{ payoutId: "{payoutId}", username: "{username}", otpCode: "{otpCode}", nonce: "{nonce}" }`,
};

const faultAt = (operation: string, nth: number, effect: FaultEffect) => [{ operation, nth, effect }];

async function pay(workplace: Workplace, reference: string) {
  const cells = { reference, amount: `0.001${reference.at(-1)}`, destinationAddress: ADDRESS };
  const { instruction } = await createPayoutStep(workplace, {
    cells,
    submittedBy: "alice",
    approvedBy: ["bob"],
  });
  return { standing: instruction?.standing, payoutId: instruction?.payoutId ?? "" };
}

interface AuditLine {
  readonly person: string;
  readonly action: string;
  readonly subject: string;
}

function auditOf({ store }: Workplace): Promise<readonly AuditLine[]> {
  return store.read(function* (): Transaction<readonly AuditLine[]> {
    return yield* all<AuditLine>(sql`select person, action, subject from audit order by seq`);
  });
}

describe("a deposit", () => {
  test.each([
    ["path", "createDeposit"],
    ["synchronously", "createDepositSynchronously"],
    ["route", "createDepositPathless"],
  ] as const)("is created once, by %s, and who asked for it is on record", async (by, operation) => {
    const { workplace, arrived } = await openSite({}, ROUTES);
    const report = await createDepositStep(workplace, { ...DEPOSIT, by });
    expect(report).toMatchObject({
      operation,
      isInDoubt: false,
      depositId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(arrived(operation)).toBe(1);
    expect(await auditOf(workplace)).toEqual([
      { person: "alice", action: `${operation} intended`, subject: "DEP-1" },
      { person: "paydrop", action: `${operation} accepted`, subject: "DEP-1" },
    ]);
    await verifyAudit(workplace.store);
  });

  test("carries its fields, digits exact, and a callbackUrl of its own", async () => {
    const { workplace } = await openSite();
    const { depositId } = await createDepositStep(workplace, {
      ...DEPOSIT,
      customerId: "C-7",
      requestedAmount: amountOf("0.10000001", "BTC"),
    });
    const { found } = await workplace
      .service()
      .tools.gateway.call("findDepositFilteredV2", { depositIds: [depositId ?? ""] })
      .then((answer) => ({ found: JSON.stringify(answer) }));
    expect(found).toMatch(/"customerId":"C-7"/);
    expect(found).toMatch(/https:\/\/pay\.example\.com\/hook\/[0-9a-f-]{36}/);
    expect(found).toContain("0.10000001");
  });

  test("with a used reference is refused before anything is sent, by other processes too", async () => {
    const { workplace, openAgain, arrived } = await openSite();
    const { depositId } = await createDepositStep(workplace, DEPOSIT);
    for (const place of [workplace, openAgain()]) {
      await expect(createDepositStep(place, DEPOSIT)).rejects.toMatchObject({
        problem: { code: "DEPOSIT_ALREADY_ASKED_FOR", message: expect.stringContaining(depositId ?? "") },
      });
    }
    expect(arrived("createDeposit")).toBe(1);
  });

  test("whose answer is lost is found and not requested again", async () => {
    const { workplace, arrived } = await openSite({
      faults: faultAt("createDeposit", 1, { kind: "cut-after-commit" }),
    });
    const report = await createDepositStep(workplace, DEPOSIT);
    expect(report).toMatchObject({
      isInDoubt: false,
      evidence: expect.stringMatching(/^found at the service/),
    });
    expect(report.depositId).toBeDefined();
    await expect(createDepositStep(workplace, DEPOSIT)).rejects.toMatchObject({
      problem: { code: "DEPOSIT_ALREADY_ASKED_FOR" },
    });
    expect(arrived("createDeposit")).toBe(1);
  });

  test("whose request was lost stays in doubt and keeps its reference", async () => {
    const { workplace, arrived } = await openSite({
      faults: faultAt("createDeposit", 1, { kind: "cut-before-read" }),
    });
    expect(await createDepositStep(workplace, DEPOSIT)).toMatchObject({ isInDoubt: true });
    await expect(createDepositStep(workplace, DEPOSIT)).rejects.toMatchObject({
      problem: { code: "DEPOSIT_ALREADY_ASKED_FOR" },
    });
    expect(arrived("createDeposit")).toBe(1);
  });

  test("that is shown later is found by the lane's next change", async () => {
    const nothing = `{"results":{"content":[],"totalPages":0,"totalElements":0}}`;
    const { workplace } = await openSite({
      faults: [
        ...faultAt("createDeposit", 1, { kind: "cut-after-commit" }),
        ...faultAt("findDepositFilteredV2", 1, {
          kind: "answer",
          statusCode: 200,
          body: nothing,
          committed: false,
        }),
      ],
    });
    expect(await createDepositStep(workplace, DEPOSIT)).toMatchObject({ isInDoubt: true });
    await createDepositStep(workplace, { ...DEPOSIT, reference: "DEP-2" });
    expect(await workplace.store.read(() => listOpenChanges())).toEqual([]);
  });

  test("that a dead process left without an outcome is in doubt from the next start", async () => {
    const { workplace, openAgain } = await openSite();
    const aborted = new Error("killed");
    const { gateway } = workplace.service().tools;
    const call = gateway.call;
    await createDepositStep(workplace, { ...DEPOSIT, reference: "DEP-0" });
    gateway.call = () => Promise.reject(aborted);
    await expect(createDepositStep(workplace, DEPOSIT)).rejects.toBe(aborted);
    gateway.call = call;
    // A list changes nothing, and shows the doubt before the next start.
    expect((await listDoubts(workplace)).changes).toMatchObject([{ change: { subject: "DEP-1" } }]);
    expect((await figuresOf(workplace)).changesInDoubt).toBe(1);
    const again = openAgain();
    await createDepositStep(again, { ...DEPOSIT, reference: "DEP-2" });
    expect(await again.store.read(() => listOpenChanges())).toMatchObject([
      { subject: "DEP-1", evidence: "the process ended before the answer was stored" },
    ]);
  });

  test("that a dead process left under a replaced key is in doubt at the next payment run", async () => {
    const { workplace, openAgain } = await openSite();
    const { gateway } = workplace.service().tools;
    await createDepositStep(workplace, { ...DEPOSIT, reference: "DEP-0" });
    gateway.call = () => Promise.reject(new Error("killed"));
    await expect(createDepositStep(workplace, DEPOSIT)).rejects.toThrow("killed");
    const exchanged = openAgain({ PAYDROP_KEY: "another-key" });
    await payStep(exchanged);
    const [left] = (await listDoubts(exchanged)).changes;
    expect(left).toMatchObject({ change: { subject: "DEP-1", outcome: "in doubt" } });
    const decision = { number: left?.change.id ?? 0, person: "tess", reason: "the key was revoked" };
    const given = { by: "abandon", despiteIncompleteLook: true } as const;
    expect(await resolveChangeStep(exchanged, decision, given)).toMatchObject({ outcome: "abandoned" });
  });

  test.each<[number, FaultEffect | undefined, Partial<DepositRequest>, string]>([
    [
      404,
      undefined,
      { custodyAccountId: custodyAccountId("00000000-0000-4000-8000-0000000000ff") },
      "SERVICE_REFUSED",
    ],
    [400, undefined, { requestedAmount: amountOf("1", "LTC") }, "SERVICE_REFUSED"],
    [
      409,
      undefined,
      { requestedAmount: amountOf("10", "EUR"), expiresAt: "2020-01-01T00:00:00.000Z" },
      "SERVICE_RATE_EXPIRED",
    ],
  ])("that the service refuses with %i may be asked for again", async (status, _effect, changes, code) => {
    const { workplace } = await openSite();
    await expect(createDepositStep(workplace, { ...DEPOSIT, ...changes })).rejects.toMatchObject({
      problem: { code },
      failure: { status, operation: "createDeposit" },
    });
    expect(await createDepositStep(workplace, DEPOSIT)).toMatchObject({ isInDoubt: false });
  });

  test("answered with a conflict although it was made is found", async () => {
    const body = `[{"error":"invalid nonce","code":"CONFLICT_NONCE","timestamp":"2026-11-20T09:30:00.000Z"}]`;
    const { workplace } = await openSite({
      faults: faultAt("createDeposit", 1, { kind: "answer", statusCode: 409, body, committed: true }),
    });
    expect(await createDepositStep(workplace, DEPOSIT)).toMatchObject({ isInDoubt: false });
  });
});

describe("a void", () => {
  test.each([
    ["path", "voidDeposit"],
    ["route", "voidDepositPathless"],
  ] as const)(
    "of a deposit, by %s, is carried out once and refused with 409 the second time",
    async (by, operation) => {
      const { workplace, arrived } = await openSite({}, ROUTES);
      const { depositId = "" } = await createDepositStep(workplace, { ...DEPOSIT, by: "synchronously" });
      expect(await voidDepositStep(workplace, { depositId, accountId: TREASURY }, "alice", by)).toMatchObject(
        {
          operation,
          isInDoubt: false,
        },
      );
      await expect(
        voidDepositStep(workplace, { depositId, accountId: TREASURY }, "alice", by),
      ).rejects.toMatchObject({
        failure: { status: 409, consequence: "refused" },
      });
      expect(arrived(operation)).toBe(2);
    },
  );

  test.each([
    ["path", "voidPayout"],
    ["route", "voidPayoutPathless"],
  ] as const)("of a payout, by %s, cancels it", async (by, operation) => {
    const { workplace } = await openSite({ stepMs: 3_600_000 }, ROUTES);
    const { payoutId } = await pay(workplace, "PAY-1");
    expect(await voidPayoutStep(workplace, { payoutId, accountId: TREASURY }, "alice", by)).toMatchObject({
      operation,
      isInDoubt: false,
    });
    expect((await onePayout(workplace, payoutId)).payoutState).toBe("CANCELLED");
  });

  test.each<FaultEffect>([{ kind: "cut-before-read" }, { kind: "cut-after-commit" }, { kind: "half-body" }])(
    "whose answer is lost (%o) is in doubt and not repeated",
    async (effect) => {
      const { workplace, arrived } = await openSite({ faults: faultAt("voidDeposit", 1, effect) });
      const { depositId = "" } = await createDepositStep(workplace, DEPOSIT);
      const report = await voidDepositStep(workplace, { depositId, accountId: TREASURY }, "alice", "path");
      // A 202 has no body, so half of the answer is the whole answer.
      expect(report.isInDoubt).toBe(effect.kind !== "half-body");
      expect(arrived("voidDeposit")).toBe(1);
    },
  );
});

describe("an authorization", () => {
  test("fills the placeholders of the configured body at any depth, and leaves the rest as it is", () => {
    const template = {
      nonce: "{nonce}",
      note: null,
      count: 2,
      signers: [{ name: "{username}", code: "{otpCode}" }, "{payoutId} by {nonce}", true],
    };
    const values = { payoutId: payoutId(TREASURY), username: "ada", otpCode: "123456", nonce: 7n };
    expect(fillAuthorizationBody(template, values)).toEqual({
      nonce: 7n,
      note: null,
      count: 2,
      signers: [{ name: "ada", code: "123456" }, `${TREASURY} by 7`, true],
    });
  });

  const [client] = NOBODY_ELSE.clients ?? [];
  const cosigned = {
    seed: {
      ...NOBODY_ELSE,
      clients: [
        {
          ...client,
          key: "demo-key",
          secret: "demo-signing-secret-0001",
          users: ["treasury-bot", "ada"].map((username) => ({
            username,
            otpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
          })),
        },
      ],
      accounts: [
        {
          accountId: TREASURY,
          openingBalance: "10",
          cosigners: [{ userGroupName: "board", username: "ada" }],
        },
      ],
    },
  };

  test("is given in the cosigner's name with a fresh code, once; a second one is refused", async () => {
    const { workplace } = await openSite(cosigned, AUTHORIZATION);
    const { payoutId } = await pay(workplace, "PAY-1");
    await expect
      .poll(async () => (await onePayout(workplace, payoutId)).payoutState)
      .toBe("COSIGNER_AUTHORIZATIONS_PENDING");
    await expect(
      authorizeStep(workplace, { payoutId, accountId: TREASURY }, "treasury-bot", "alice"),
    ).rejects.toMatchObject({
      problem: { code: "SERVICE_REFUSED" },
      failure: { status: 403, condition: "access denied", consequence: "refused" },
    });
    expect(await authorizeStep(workplace, { payoutId, accountId: TREASURY }, "ada", "alice")).toMatchObject({
      isInDoubt: false,
    });
    await expect(
      authorizeStep(workplace, { payoutId, accountId: TREASURY }, "ada", "alice"),
    ).rejects.toMatchObject({
      failure: { status: 409, consequence: "refused" },
    });
    await expect.poll(async () => (await onePayout(workplace, payoutId)).payoutState).toBe("COMPLETED");
    const actions = (await auditOf(workplace)).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith("authorize"))).toEqual([
      "authorize intended",
      "authorize refused",
      "authorize intended",
      "authorize accepted",
      "authorize intended",
      "authorize refused",
    ]);
  });

  test("is not sent under a stop order, nor is a deposit; a void is", async () => {
    const { workplace, arrived } = await openSite(cosigned, AUTHORIZATION);
    const { payoutId } = await pay(workplace, "PAY-1");
    const stopped = { problem: { code: "SENDING_STOPPED" } };
    const account = { payoutId, accountId: TREASURY };
    await giveStopOrder(workplace, "ann", "fire");
    await expect(authorizeStep(workplace, account, "ada", "alice")).rejects.toMatchObject(stopped);
    await expect(createDepositStep(workplace, DEPOSIT)).rejects.toMatchObject(stopped);
    expect([arrived("authorize"), arrived("createDeposit")]).toEqual([0, 0]);
    expect(await voidPayoutStep(workplace, account, "alice", "path")).toMatchObject({ isInDoubt: false });
    await liftStopOrder(workplace, "ann", "out");
    expect(await createDepositStep(workplace, DEPOSIT)).toMatchObject({ isInDoubt: false });
  });

  test("without a template sends nothing and says what to configure", async () => {
    const { workplace, arrived } = await openSite();
    const payout = { payoutId: "0d5d6e8a-0000-4000-8000-000000000001", accountId: TREASURY };
    await expect(authorizeStep(workplace, payout, "ada", "alice")).rejects.toThrow("INTERFACE_GAP");
    expect(arrived("authorize")).toBe(0);
  });
});

describe("one lane", () => {
  test("gives payouts and changes nonces from one rising sequence", async () => {
    const { workplace, sandbox } = await openSite(
      { nonce: { rule: "increasing" } },
      { PAYDROP_NONCE_RULE: "increasing" },
    );
    const first = await pay(workplace, "PAY-1");
    const deposit = await createDepositStep(workplace, DEPOSIT);
    const second = await pay(workplace, "PAY-2");
    await voidDepositStep(
      workplace,
      { depositId: deposit.depositId ?? "", accountId: TREASURY },
      "alice",
      "path",
    );
    expect([first.standing, second.standing]).toEqual(["accepted", "accepted"]);
    const [one, two] = sandbox.creations().map(({ nonce }) => nonce);
    expect(one !== undefined && one < deposit.nonce && two !== undefined && deposit.nonce < two).toBe(true);
  });

  test("refuses a change while another process holds it, before anything is sent", async () => {
    const { workplace, openAgain, arrived } = await openSite();
    await inLane(workplace, async () => {
      await expect(createDepositStep(openAgain(), DEPOSIT)).rejects.toMatchObject({
        problem: { code: "LANE_TAKEN" },
      });
    });
    expect(arrived("createDeposit")).toBe(0);
    expect(await createDepositStep(workplace, DEPOSIT)).toMatchObject({ isInDoubt: false });
  });

  test("lets no change overtake a payout in doubt if nonces must rise", async () => {
    const faults = faultAt("createPayoutV2", 1, { kind: "cut-before-read" });
    const { workplace, arrived } = await openSite({ faults }, { PAYDROP_NONCE_RULE: "increasing" });
    expect(await pay(workplace, "PAY-1")).toMatchObject({ standing: "in doubt" });
    await expect(createDepositStep(workplace, DEPOSIT)).rejects.toMatchObject({
      problem: { code: "LANE_PAUSED" },
    });
    expect(arrived("createDeposit")).toBe(0);
  });

  test("reports a missing route before it takes a nonce", async () => {
    const { workplace } = await openSite();
    await expect(createDepositStep(workplace, { ...DEPOSIT, by: "route" })).rejects.toMatchObject({
      problem: { code: "INTERFACE_GAP", message: expect.stringContaining("routes.createDepositPathless") },
    });
    expect(await auditOf(workplace)).toEqual([]);
  });
});
