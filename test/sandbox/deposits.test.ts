/** Deposits: creation, funds that arrive in parts, under-paid, overpaid, expired, void; and the balances they make. */
import { describe, expect, test } from "vitest";
import { demoSeed } from "../../src/sandbox/index.ts";
import { DISABLED, found, MAIN, PAYEE, QUERY_DATE, seed, type Trial, trial, WALLET } from "./trial.ts";

const DEPOSIT = "00000000-0000-4000-8000-0000000000d1";
const fixed = {
  depositId: DEPOSIT,
  accountId: MAIN,
  reference: "DEP-1",
  customerId: "C-1",
  requestedAmount: { currency: "EUR", amount: "1000.00" },
  fixedRate: "80000",
  expiryAfterMs: 10_000,
};
const part = (amount: string, afterMs: number) => ({ amount, afterMs, confirmAfterMs: 100 });

function seeded(parts: ReturnType<typeof part>[]): Trial {
  return trial({ seed: { ...seed, deposits: [{ ...fixed, parts }] } });
}

const deposits = (one: Trial, filters?: string) => found(one, filters, "/deposits/v2/find");

test("shows the whole deposit: fiat, crypto at the fixed rate, expiry, receiving address", () => {
  expect(deposits(seeded([]), ',"references":["DEP-1"],"states":["CREATED"]')).toEqual([
    {
      depositId: DEPOSIT,
      accountId: MAIN,
      callbackUrl: expect.stringMatching(/^https:/),
      reference: "DEP-1",
      customerId: "C-1",
      requestedAmountInFiat: { currency: "EUR", amount: 1000 },
      requestedAmountInCryptoAtFixedRate: { currency: "BTC", amount: 0.0125 },
      receiverAddress: expect.stringMatching(/^bc1q[a-z0-9]{38}$/),
      verificationSignature: expect.any(String),
      depositState: "CREATED",
      createdDate: "2026-03-02T09:00:00.000Z",
      expiryDate: "2026-03-02T09:00:10.000Z",
      creditOrderId: expect.any(String),
      creditOrderAlphanumericId: expect.any(String),
      fixedExchangeRate: expect.objectContaining({ rate: 80000, measuredDate: "2026-03-02T09:00:00.000Z" }),
      receivedFunds: [],
    },
  ]);
});

test("receives its funds in parts: first unconfirmed, then confirmed, complete with the last", () => {
  const one = seeded([part("0.005", 100), part("0.0075", 1000)]);
  one.pass(100);
  expect(deposits(one)).toMatchObject([
    {
      depositState: "RECEIVING_FUNDS",
      receivedFunds: [{ amount: { currency: "BTC", amount: 0.005 }, state: "UNCONFIRMED", confirmations: 0 }],
    },
  ]);
  expect(one.sandbox.balanceOf(MAIN)?.unconfirmedReceived.toString()).toBe("0.005");
  one.pass(100);
  expect(deposits(one)).toMatchObject([
    {
      depositState: "RECEIVING_FUNDS",
      receivedFunds: [{ state: "CONFIRMED", confirmations: 1, rate: { rate: 81234.56 } }],
    },
  ]);
  one.pass(1000);
  expect(deposits(one)).toMatchObject([
    { depositState: "COMPLETED", receivedFunds: [{ state: "CONFIRMED" }, { state: "CONFIRMED" }] },
  ]);
  expect(one.sandbox.balanceOf(MAIN)?.confirmed.toString()).toBe("2.0125");
});

test.each([
  ["is never complete when under-paid", [part("0.012", 100)], "RECEIVING_FUNDS"],
  ["is complete when overpaid", [part("0.013", 100)], "COMPLETED"],
  ["expires when nothing came", [], "EXPIRED"],
  ["stays expired when funds come late", [part("0.0125", 20_000)], "EXPIRED"],
])("%s", (_what, parts, depositState) => {
  const one = seeded(parts);
  one.pass(60_000);
  expect(deposits(one)).toMatchObject([{ depositState, receivedFunds: parts.map(() => ({})) }]);
});

describe("creating a deposit", () => {
  const text = (changes: Record<string, string | undefined> = {}) => {
    const fields = {
      accountId: `"${MAIN}"`,
      nonce: "1",
      reference: '"DEP-9"',
      callbackUrl: '"https://pay.example.com/d"',
      ...changes,
    };
    const members = Object.entries(fields).filter(([, value]) => value !== undefined);
    return `{${members.map(([name, value]) => `"${name}":${value}`).join(",")}}`;
  };
  const EUR = '{"currency":"EUR","amount":812.35}';
  const LATER = '"2026-03-02T10:00:00.000Z"';

  test("answers 202 with the id, and the deposit is created a step later", () => {
    const one = trial();
    expect(one.call("/deposits/create", text())).toMatchObject({
      statusCode: 202,
      body: { depositId: expect.any(String) },
    });
    expect(deposits(one)).toMatchObject([{ depositState: "REQUESTED", reference: "DEP-9" }]);
    one.pass(300);
    expect(deposits(one)).toMatchObject([{ depositState: "CREATED" }]);
  });

  test("synchronously answers 201 with the full deposit at the fixed rate", () => {
    const one = trial();
    const body = text({ requestedAmount: EUR, expiryDate: LATER });
    expect(one.call("/deposits/create/sync", body)).toMatchObject({
      statusCode: 201,
      body: {
        depositState: "CREATED",
        requestedAmountInFiat: { currency: "EUR", amount: 812.35 },
        requestedAmountInCryptoAtFixedRate: { currency: "BTC", amount: 0.01000005 },
        expiryDate: "2026-03-02T10:00:00.000Z",
        fixedExchangeRate: { rate: 81234.56 },
      },
    });
  });

  test.each<[string, number, string, Record<string, string | undefined>]>([
    ["an unknown account", 404, "ACCOUNT_NOT_FOUND", { accountId: `"${DEPOSIT}"` }],
    ["a payee's account", 404, "ACCOUNT_NOT_FOUND", { accountId: `"${PAYEE}"` }],
    ["a disabled account", 400, "ACCOUNT_DISABLED", { accountId: `"${DISABLED}"` }],
    ["an expiry without an amount", 400, "INVALID_PARAMETER", { expiryDate: LATER }],
    ["a negative amount", 400, "INVALID_PARAMETER", { requestedAmount: '{"currency":"EUR","amount":-1}' }],
    [
      "another cryptocurrency",
      400,
      "INVALID_PARAMETER",
      { requestedAmount: '{"currency":"LTC","amount":1}' },
    ],
    ["a malformed URL", 400, "INVALID_PARAMETER", { callbackUrl: '"//"' }],
  ])("is refused for %s (%i)", (_what, statusCode, code, changes) => {
    const one = trial();
    expect(one.call("/deposits/create", text(changes))).toMatchObject({ statusCode, body: [{ code }] });
    expect(deposits(one)).toEqual([]);
  });

  test("can be voided before funds come, on a vault account only", () => {
    const one = trial();
    const { depositId } = one.call("/deposits/create", text()).body as { depositId: string };
    const voidText = (id: string, nonce: number) => `{"depositId":"${id}","nonce":${nonce}}`;
    expect(one.call("/deposits/void", voidText(depositId, 2))).toMatchObject({ statusCode: 202, text: "" });
    expect(deposits(one)).toMatchObject([{ depositState: "VOID" }]);
    expect(one.call("/deposits/void", voidText(depositId, 3)).statusCode).toBe(409);
    expect(one.call("/deposits/void", voidText(MAIN, 4)).statusCode).toBe(404);
    const other = one.call("/deposits/create", text({ accountId: `"${WALLET}"`, nonce: "5" }));
    const { depositId: onWallet } = other.body as { depositId: string };
    expect(one.call("/deposits/void", voidText(onWallet, 6)).statusCode).toBe(409);
  });
});

test("balances show crypto, fiat at the rate, and the echo of the request", () => {
  const one = trial();
  const body = `{"accountIds":["${MAIN}"],${QUERY_DATE}}`;
  const zero = { currency: "BTC", amount: 0 };
  const two = { currency: "BTC", amount: 2 };
  expect(one.call("/accounts/balance", body)).toMatchObject({
    statusCode: 200,
    body: {
      accountBalanceFiltersDto: { accountIds: [MAIN], queryDate: "2026-03-02T09:00:00.000Z" },
      balances: [
        {
          accountId: MAIN,
          fundsCanBeSpent: true,
          btcBalance: {
            total: two,
            available: two,
            confirmed: two,
            unconfirmedReceived: zero,
            locked: zero,
            sentUnconfirmed: zero,
            selfUnconfirmedReceived: zero,
          },
          fiatBalance: { total: { currency: "EUR", amount: 162469.12 } },
          exchangeRate: { rate: 81234.56, measuredDate: "2026-03-02T09:00:00.000Z" },
        },
      ],
    },
  });
});

test("balances leave the fiat side out when no rate is known", () => {
  const one = trial({ seed: { ...seed, rates: [] } });
  const { body } = one.call("/accounts/balance", `{"accountIds":["${MAIN}"],${QUERY_DATE}}`);
  const [balance] = (body as { balances: object[] }).balances;
  expect(balance).not.toHaveProperty("fiatBalance");
  expect(balance).not.toHaveProperty("exchangeRate");
});

test("balances refuse an unknown account and a repeated one", () => {
  const one = trial();
  const ask = (ids: string[]) =>
    one.call("/accounts/balance", `{"accountIds":${JSON.stringify(ids)},${QUERY_DATE}}`).statusCode;
  expect(ask([DEPOSIT])).toBe(404);
  expect(ask([MAIN, MAIN])).toBe(400);
});

test("the demonstration's seed has one deposit paid exactly, one overpaid, one under-paid, and a foreign payout", () => {
  const client = { key: "trial-key", secret: "trial-secret" };
  const one = trial({ seed: { ...demoSeed, clients: [...(demoSeed.clients ?? []), client] } });
  one.pass(60_000);
  expect(deposits(one)).toMatchObject([
    {
      depositState: "COMPLETED",
      requestedAmountInCryptoAtFixedRate: { amount: 0.0125 },
      receivedFunds: [{ amount: { amount: 0.005 } }, { amount: { amount: 0.0075 } }],
    },
    { depositState: "COMPLETED", requestedAmountInCryptoAtFixedRate: { amount: 0.00625 } },
    { depositState: "RECEIVING_FUNDS", requestedAmountInCryptoAtFixedRate: { amount: 0.01 } },
  ]);
  expect(found(one)).toMatchObject([{ payoutState: "COMPLETED", requestedAmount: { amount: 0.015 } }]);
  expect(one.sandbox.creations()).toEqual([]);
});
