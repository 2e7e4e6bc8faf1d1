/** The states of a payout, and how the service shows it in each. */
import { describe, expect, test } from "vitest";
import { codeAt, creationText, found, MAIN, SAVINGS, seed, type Trial, trial, WALLET } from "./trial.ts";

const CREATE = "/payouts/v2/create";
const STEP_MS = 100;

function statesSeen(one: Trial, steps: number): unknown[] {
  const states: unknown[] = [];
  for (let step = 0; step < steps; step += 1) {
    states.push(found(one)[0]?.["payoutState"]);
    one.pass(STEP_MS);
  }
  return states;
}

test("moves from REQUESTED to COMPLETED, a state each step", () => {
  const one = trial({ stepMs: STEP_MS });
  one.call(CREATE, creationText());
  expect(statesSeen(one, 8)).toEqual([
    "REQUESTED",
    "CREATED",
    "AUTHORIZED",
    "SIGNING",
    "SENDING",
    "SENT",
    "COMPLETED",
    "COMPLETED",
  ]);
});

test("takes every step at its own instant even if nobody looked in between", () => {
  const one = trial({ stepMs: STEP_MS });
  one.call(CREATE, creationText());
  one.pass(60_000);
  expect(found(one)).toMatchObject([
    {
      payoutState: "COMPLETED",
      sentFunds: { createdDate: "2026-03-02T09:00:00.500Z", confirmedDate: "2026-03-02T09:00:00.600Z" },
    },
  ]);
});

test("shows sentFunds unconfirmed at SENT and confirmed with a rate at COMPLETED", () => {
  const one = trial({ stepMs: STEP_MS });
  one.call(CREATE, creationText({ feePolicy: '"CUSTOM"', customFeeRate: "10" }));
  expect(found(one)).toEqual([expect.not.objectContaining({ sentFunds: expect.anything() })]);
  one.pass(5 * STEP_MS);
  const sent = {
    txHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    amount: { currency: "BTC", amount: 0.01 },
    fee: { currency: "BTC", amount: 0.0000141 }, // 10 sat/vb, 141 vbytes: one P2WPKH input, two P2WPKH outputs
    createdDate: "2026-03-02T09:00:00.500Z",
  };
  expect(found(one)).toMatchObject([
    { payoutState: "SENT", sentFunds: { ...sent, state: "UNCONFIRMED", confirmations: 0 } },
  ]);
  one.pass(STEP_MS);
  expect(found(one)).toMatchObject([
    {
      payoutState: "COMPLETED",
      sentFunds: {
        ...sent,
        state: "CONFIRMED",
        confirmations: 1,
        confirmedDate: "2026-03-02T09:00:00.600Z",
        rate: {
          rate: 81234.56,
          fromCurrency: { currencyCode: "BTC", defaultFractionDigits: 8 },
          toCurrency: { currencyCode: "EUR", numericCode: 978, numericCodeAsString: "978" },
        },
      },
    },
  ]);
});

test("gives the payee the amount less the fee under subtractFee", () => {
  const one = trial({ stepMs: STEP_MS });
  one.call(CREATE, creationText({ subtractFee: "true", feePolicy: '"CUSTOM"', customFeeRate: "10" }));
  one.pass(6 * STEP_MS);
  expect(found(one)).toMatchObject([
    {
      requestedAmount: { amount: 0.01 },
      sentFunds: { amount: { amount: 0.0099859 }, fee: { amount: 0.0000141 } },
    },
  ]);
  expect(one.sandbox.balanceOf(MAIN)?.confirmed.toString()).toBe("1.99000000");
});

test("echoes every field of the creation but the one-time code", () => {
  const one = trial();
  one.call(
    CREATE,
    creationText({
      reference: '"INV-1"',
      generalLedgerName: '"5100"',
      generalLedgerProject: '"Alpha"',
      generalLedgerDistribution: '"EU"',
      orderCodeName: '"OC"',
      batchingAllowed: "false",
      useCoinConsolidation: "true",
      feePolicy: '"SLOW"',
    }),
  );
  const [payout] = found(one);
  expect(payout).toMatchObject({
    reference: "INV-1",
    accountId: MAIN,
    callbackUrl: "https://pay.example.com/hook/1",
    destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    requestedAmount: { currency: "BTC", amount: 0.01 },
    generalLedgerName: "5100",
    generalLedgerProject: "Alpha",
    generalLedgerDistribution: "EU",
    orderCodeName: "OC",
    batchingAllowed: false,
    useCoinConsolidation: true,
    feePolicy: "SLOW",
    createdDate: "2026-03-02T09:00:00.000Z",
    authorization: { state: "PENDING", cosignerAuthorizations: [] },
  });
  expect(payout).not.toHaveProperty("otpCode");
});

describe("payouts that do not complete", () => {
  test.each([
    ["CREATE_FAILED", ["REQUESTED", "CREATE_FAILED"]],
    ["CREATE_TIMEOUT", ["REQUESTED", "CREATE_TIMEOUT"]],
    ["CANCELLED", ["REQUESTED", "CREATED", "CANCELLED"]],
    ["SEND_FAILED", ["REQUESTED", "CREATED", "AUTHORIZED", "SIGNING", "SENDING", "SEND_FAILED"]],
  ] as const)("%s by a seeded rule: no money moves and nothing stays locked", (state, way) => {
    const payoutOutcomes = [{ reference: "BAD-\\d+", state }];
    const one = trial({ stepMs: STEP_MS, seed: { ...seed, payoutOutcomes } });
    one.call(CREATE, creationText({ reference: '"BAD-1"' }));
    expect(statesSeen(one, way.length + 1)).toEqual([...way, state]);
    expect(found(one)[0]).not.toHaveProperty("sentFunds");
    const balance = one.sandbox.balanceOf(MAIN);
    expect([balance?.locked.isZero(), balance?.confirmed.toString()]).toEqual([true, "2"]);
  });

  test("the rule is about the whole reference", () => {
    const payoutOutcomes = [{ reference: "BAD-1", state: "SEND_FAILED" as const }];
    const one = trial({ stepMs: STEP_MS, seed: { ...seed, payoutOutcomes } });
    one.call(CREATE, creationText({ reference: '"BAD-12"' }));
    one.pass(60_000);
    expect(found(one)).toMatchObject([{ payoutState: "COMPLETED" }]);
  });

  test("SEND_FAILED when the account cannot cover it", () => {
    const one = trial({ stepMs: STEP_MS });
    one.call(CREATE, creationText({ requestedAmount: '{"currency":"BTC","amount":1.5}' }));
    one.call(CREATE, creationText({ requestedAmount: '{"currency":"BTC","amount":1.5}' }));
    one.pass(60_000);
    expect(found(one)).toMatchObject([{ payoutState: "COMPLETED" }, { payoutState: "SEND_FAILED" }]);
  });
});

describe("what a rule of the seed shows of a completed payout", () => {
  test("a replaced transaction beside the one that replaced it, or two parts", () => {
    const payoutListings = [
      { reference: ".*-BUMPED", sentFunds: "replaced" as const },
      { reference: ".*-PARTS", sentFunds: "parts" as const },
    ];
    const one = trial({ stepMs: STEP_MS, seed: { ...seed, payoutListings } });
    for (const reference of ['"A-BUMPED"', '"A-PARTS"']) one.call(CREATE, creationText({ reference }));
    one.pass(60_000);
    expect(found(one)).toMatchObject([
      {
        sentFunds: [
          { state: "UNCONFIRMED", amount: { amount: 0.01 } },
          { state: "CONFIRMED", amount: { amount: 0.01 } },
        ],
      },
      {
        sentFunds: [
          { state: "CONFIRMED", amount: { amount: 0.005 }, fee: {} },
          { state: "CONFIRMED", amount: { amount: 0.005 } },
        ],
      },
    ]);
    const hashes = found<{ sentFunds: { txHash: string }[] }>(one).flatMap(({ sentFunds }) => sentFunds);
    expect(new Set(hashes.map(({ txHash }) => txHash)).size).toBe(4);
  });

  test("an earlier state for some time, while its money stays where it is", () => {
    const payoutReturns = [{ reference: ".*", to: "SENT" as const, afterMs: STEP_MS, forMs: STEP_MS }];
    const one = trial({ stepMs: STEP_MS, seed: { ...seed, payoutReturns } });
    one.call(CREATE, creationText());
    one.pass(6 * STEP_MS);
    const balance = one.sandbox.balanceOf(MAIN);
    expect(statesSeen(one, 4)).toEqual(["COMPLETED", "SENT", "COMPLETED", "COMPLETED"]);
    expect(found(one)).toMatchObject([{ sentFunds: { confirmedDate: "2026-03-02T09:00:00.800Z" } }]);
    expect(one.sandbox.balanceOf(MAIN)).toEqual(balance);
  });
});

test("a transfer to an own account is credited there as its own, first unconfirmed", () => {
  const one = trial({ stepMs: STEP_MS });
  one.call(CREATE, creationText({ destinationAddress: undefined, destinationAccountId: `"${SAVINGS}"` }));
  one.pass(5 * STEP_MS);
  expect(one.sandbox.balanceOf(SAVINGS)?.selfUnconfirmedReceived.toString()).toBe("0.01");
  one.pass(STEP_MS);
  expect(one.sandbox.balanceOf(SAVINGS)?.selfUnconfirmedReceived.isZero()).toBe(true);
  expect(one.sandbox.balanceOf(SAVINGS)?.confirmed.toString()).toBe("1.01");
});

test("payouts that allow batching and leave together share one transaction, others do not", () => {
  const one = trial({ stepMs: STEP_MS });
  for (const batchingAllowed of ["true", "true", "false"])
    one.call(CREATE, creationText({ batchingAllowed }));
  one.pass(60_000);
  const hashes = found<{ sentFunds: { txHash: string } }>(one).map(({ sentFunds }) => sentFunds.txHash);
  expect(hashes[0]).toBe(hashes[1]);
  expect(new Set(hashes).size).toBe(2);
});

describe("voiding a payout", () => {
  const voidText = (payoutId: unknown, nonce: number) => `{"payoutId":"${payoutId}","nonce":${nonce}}`;
  const create = (one: Trial, changes = {}) =>
    (one.call(CREATE, creationText(changes)).body as { payoutId: string }).payoutId;

  test("cancels it while its money has not left, and not later", () => {
    const one = trial({ stepMs: STEP_MS });
    const early = create(one);
    expect(one.call("/payouts/void", voidText(early, 1))).toMatchObject({ statusCode: 202, text: "" });
    one.pass(60_000);
    expect(found(one)).toMatchObject([{ payoutState: "CANCELLED" }]);
    const late = create(one, codeNow(one));
    one.pass(60_000);
    expect(one.call("/payouts/void", voidText(late, 2)).statusCode).toBe(409);
  });

  test("is a 404 for an unknown payout and a 409 for another custody kind", () => {
    const one = trial();
    expect(one.call("/payouts/void", voidText(MAIN, 1)).statusCode).toBe(404);
    const walletPayout = create(one, { accountId: `"${WALLET}"` });
    expect(one.call("/payouts/void", voidText(walletPayout, 2)).statusCode).toBe(409);
  });
});

describe("cosigners", () => {
  const cosigners = [
    { userGroupName: "board", username: "ada" },
    { userGroupName: "board", username: "ben" },
  ];
  const otpSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const cosigned = () =>
    trial({
      stepMs: STEP_MS,
      seed: {
        ...seed,
        clients: seed.clients.map((client) => ({
          ...client,
          users: [...client.users, { username: "ada", otpSecret }, { username: "ben", otpSecret }],
        })),
        accounts: [{ accountId: MAIN, openingBalance: "2", cosigners }],
      },
    });
  let nonce = 0;
  const authorize = (one: Trial, payoutId: string, username: string) => {
    nonce += 1;
    const { otpCode } = codeNow(one);
    const body = `{"payoutId":"${payoutId}","username":"${username}","otpCode":${otpCode},"nonce":${nonce}}`;
    return one.call("/payouts/authorization", body).statusCode;
  };

  test("a payout waits until the last of them has authorized", () => {
    const one = cosigned();
    const { payoutId } = one.call(CREATE, creationText()).body as { payoutId: string };
    one.pass(60_000);
    expect(found(one)).toMatchObject([
      {
        payoutState: "COSIGNER_AUTHORIZATIONS_PENDING",
        authorization: {
          state: "PENDING",
          cosignerAuthorizations: [
            { userGroupName: "board", username: "ada", state: "PENDING", expire: "2026-03-09T09:00:00.000Z" },
            { username: "ben", state: "PENDING" },
          ],
        },
      },
    ]);
    expect(authorize(one, payoutId, "ada")).toBe(202);
    one.pass(60_000);
    expect(found(one)).toMatchObject([{ payoutState: "COSIGNER_AUTHORIZATIONS_PENDING" }]);
    expect(authorize(one, payoutId, "ada")).toBe(409);
    expect(authorize(one, payoutId, "treasury-bot")).toBe(403);
    expect(authorize(one, SAVINGS, "ben")).toBe(404);
    expect(authorize(one, payoutId, "ben")).toBe(202);
    expect(found(one)).toMatchObject([{ payoutState: "COSIGNER_AUTHORIZED" }]);
    one.pass(60_000);
    expect(found(one)).toMatchObject([{ payoutState: "COMPLETED", authorization: { state: "AUTHORIZED" } }]);
    expect(authorize(one, payoutId, "ben")).toBe(409);
  });

  test("a payout is cancelled when the first of them has no time left, and not after the last has authorized", () => {
    const day = 24 * 3_600_000;
    const one = cosigned();
    const { payoutId } = one.call(CREATE, creationText()).body as { payoutId: string };
    one.pass(60_000);
    for (const username of ["ada", "ben"]) authorize(one, payoutId, username);
    one.call(CREATE, creationText(codeNow(one)));
    one.pass(7 * day - 1);
    const states = () => found(one).map(({ payoutState }) => payoutState);
    expect(states()).toEqual(["COMPLETED", "COSIGNER_AUTHORIZATIONS_PENDING"]);
    one.pass(1);
    expect(states()).toEqual(["COMPLETED", "CANCELLED"]);
    expect(one.sandbox.balanceOf(MAIN)?.locked.isZero()).toBe(true);
  });

  test("a payout that was voided can no longer be authorized", () => {
    const one = cosigned();
    const { payoutId } = one.call(CREATE, creationText()).body as { payoutId: string };
    expect(one.call("/payouts/void", `{"payoutId":"${payoutId}","nonce":900}`).statusCode).toBe(202);
    expect(authorize(one, payoutId, "ada")).toBe(409);
    const pending = { cosignerAuthorizations: [{ state: "PENDING" }, { state: "PENDING" }] };
    expect(found(one)).toMatchObject([{ payoutState: "CANCELLED", authorization: pending }]);
  });

  test("create-and-authorize counts as the creating cosigner's authorization", () => {
    const one = cosigned();
    one.call("/payouts/v2/create-and-authorize", creationText({ username: '"ada"' }));
    expect(found(one)).toMatchObject([
      { authorization: { cosignerAuthorizations: [{ state: "AUTHORIZED" }, { state: "PENDING" }] } },
    ]);
  });
});

function codeNow(one: Trial): { otpCode: string } {
  return { otpCode: `"${codeAt(one.now())}"` };
}
