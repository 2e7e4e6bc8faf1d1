/** Payout creation: every rule of the interface, and the sandbox's own choices where it is silent. */
import { describe, expect, test } from "vitest";
import { creationText, DISABLED, MAIN, PAYEE, trial } from "./trial.ts";

const CREATE = "/payouts/v2/create";
const UNKNOWN = "00000000-0000-4000-8000-0000000000ff";

describe("a creation is accepted", () => {
  test.each([
    ["P2PKH", { destinationAddress: '"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"' }],
    ["P2SH", { destinationAddress: '"3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"' }],
    ["P2WPKH", {}],
    ["P2WPKH in upper case", { destinationAddress: '"BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"' }],
    ["P2WSH", { destinationAddress: '"bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3"' }],
    ["a known payee account", { destinationAddress: undefined, destinationAccountId: `"${PAYEE}"` }],
    [
      "nulls for what is not used",
      { destinationAccountId: "null", customFeeRate: "null", feePolicy: "null" },
    ],
    ["a custom fee rate", { feePolicy: '"CUSTOM"', customFeeRate: "7" }],
    ["the smallest amount", { requestedAmount: '{"currency":"BTC","amount":0.00000001}' }],
    ["an amount with an exponent", { requestedAmount: '{"currency":"BTC","amount":1e-8}' }],
  ])("with %s", (_what, changes) => {
    const { call } = trial();
    const answer = call(CREATE, creationText(changes));
    expect(answer).toMatchObject({
      statusCode: 202,
      body: { payoutId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });

  test.each(["/payouts/create", "/payouts/create-and-authorize", "/payouts/v2/create-and-authorize"])(
    "at %s too",
    (path) => {
      const { call, sandbox } = trial();
      expect(call(path, creationText()).statusCode).toBe(202);
      expect(sandbox.creations()).toHaveLength(1);
    },
  );
});

describe("a creation is refused and leaves nothing behind", () => {
  test.each<[string, number, Record<string, unknown>]>([
    ["a negative amount", 400, { requestedAmount: '{"currency":"BTC","amount":-0.01}' }],
    ["a zero amount", 400, { requestedAmount: '{"currency":"BTC","amount":0.00}' }],
    ["more than eight decimals", 400, { requestedAmount: '{"currency":"BTC","amount":0.000000001}' }],
    ["an amount as text", 400, { requestedAmount: '{"currency":"BTC","amount":"0.01"}' }],
    ["a nonce as text", 400, { nonce: '"5"' }],
    ["a nonce beyond int64", 400, { nonce: "9223372036854775808" }],
    ["another currency than the account's", 400, { requestedAmount: '{"currency":"EUR","amount":10}' }],
    ["a malformed callback URL", 400, { callbackUrl: '"not a url"' }],
    ["a callback URL that is not http", 400, { callbackUrl: '"ftp://pay.example.com/"' }],
    ["no destination", 400, { destinationAddress: undefined }],
    ["two destinations", 400, { destinationAccountId: `"${PAYEE}"` }],
    [
      "an address whose checksum is wrong",
      400,
      { destinationAddress: '"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3"' },
    ],
    [
      "an address of the test network",
      400,
      { destinationAddress: '"tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"' },
    ],
    ["customFeeRate without CUSTOM", 400, { feePolicy: '"FAST"', customFeeRate: "7" }],
    ["CUSTOM without customFeeRate", 400, { feePolicy: '"CUSTOM"' }],
    ["an unlisted fee policy", 400, { feePolicy: '"TURBO"' }],
    ["a missing reference", 400, { reference: undefined }],
    ["a wrong one-time code", 400, { otpCode: '"000000"' }],
    ["an unknown user", 404, { username: '"nobody"' }],
    ["an unknown account", 404, { accountId: `"${UNKNOWN}"` }],
    ["an account that is only a payee", 404, { accountId: `"${PAYEE}"` }],
    [
      "an unknown destination account",
      404,
      { destinationAddress: undefined, destinationAccountId: `"${UNKNOWN}"` },
    ],
    ["a disabled account", 400, { accountId: `"${DISABLED}"` }],
    [
      "more than the available balance, when asked to verify",
      400,
      { requestedAmount: '{"currency":"BTC","amount":2}', verifyBalance: "true" },
    ],
    [
      "a fee that leaves nothing",
      400,
      { requestedAmount: '{"currency":"BTC","amount":0.000001}', subtractFee: "true" },
    ],
  ])("for %s (%i)", (_what, statusCode, changes) => {
    const { call, sandbox } = trial();
    const before = sandbox.balanceOf(MAIN);
    const answer = call(CREATE, creationText(changes));
    expect(answer.statusCode).toBe(statusCode);
    expect(answer.body).toEqual([
      { error: expect.any(String), code: expect.any(String), timestamp: "2026-03-02T09:00:00.000Z" },
    ]);
    expect(sandbox.creations()).toEqual([]);
    expect(sandbox.balanceOf(MAIN)).toEqual(before);
  });

  test("naming everything that is wrong together", () => {
    const { call } = trial();
    const { body } = call(CREATE, creationText({ callbackUrl: '"x"', destinationAddress: '"y"' }));
    expect(body).toMatchObject([
      { error: expect.stringContaining("callbackUrl") },
      { error: expect.stringContaining("destinationAddress") },
    ]);
  });
});

test("the same reference twice makes two payouts: nothing in the interface forbids it", () => {
  const { call, sandbox } = trial();
  call(CREATE, creationText({ reference: '"TWICE"' }));
  call(CREATE, creationText({ reference: '"TWICE"' }));
  expect(sandbox.creations().map((creation) => creation.reference)).toEqual(["TWICE", "TWICE"]);
});

test("keeps the body of a creation as it was sent", () => {
  const { call, sandbox } = trial();
  const body = creationText({
    nonce: "9007199254740993",
    requestedAmount: '{"amount":0.010,"currency":"BTC"}',
  });
  call(CREATE, body);
  expect(sandbox.creations()).toMatchObject([{ nonce: 9007199254740993n, body }]);
});
