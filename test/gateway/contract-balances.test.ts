/** getAccountsBalance, field by field as the interface document lists it. */
import { describe, expect, test } from "vitest";
import { lookUp } from "../../src/gateway/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { writeJson } from "../../src/wire/index.ts";
import {
  CUSTODY_ACCOUNT_ID,
  OTHER_ACCOUNT_ID,
  placeOf,
  RATE,
  RATE_READ,
  without,
} from "./written-samples.ts";
import { requiredHeaders, startWrittenService } from "./written-service.ts";

const BTC_BALANCE =
  '{"total":{"currency":"BTC","amount":21.00000001},"available":{"currency":"BTC","amount":20},' +
  '"confirmed":{"currency":"BTC","amount":20.50},"unconfirmedReceived":{"currency":"BTC","amount":0.50000001},' +
  '"locked":{"currency":"BTC","amount":5E-1},"sentUnconfirmed":{"currency":"BTC","amount":0},' +
  '"selfUnconfirmedReceived":{"currency":"BTC","amount":0.0}}';

const FIAT_BALANCE =
  '{"total":{"currency":"EUR","amount":1220592.45},"available":{"currency":"EUR","amount":1162469.00},' +
  '"confirmed":{"currency":"EUR","amount":1191530.73},"unconfirmedReceived":{"currency":"EUR","amount":29061.73},' +
  '"locked":{"currency":"EUR","amount":29061.73},"sentUnconfirmed":{"currency":"EUR","amount":0},' +
  '"selfUnconfirmedReceived":{"currency":"EUR","amount":0}}';

const BALANCE =
  `{"accountId":"${CUSTODY_ACCOUNT_ID}","fundsCanBeSpent":true,"btcBalance":${BTC_BALANCE},` +
  `"fiatBalance":${FIAT_BALANCE},"exchangeRate":${RATE}}`;

const REQUEST = `{"accountIds":["${CUSTODY_ACCOUNT_ID}","${OTHER_ACCOUNT_ID}"],"queryDate":"2026-11-20T09:30:00.000Z"}`;

const ENVELOPE = `{"accountBalanceFiltersDto":${REQUEST},"balances":[${BALANCE}]}`;

const money = (currency: string) => (amount: string) => ({ currency, amount: Decimal.of(amount) });
const btc = money("BTC");
const eur = money("EUR");

const BTC_READ = {
  total: btc("21.00000001"),
  available: btc("20"),
  confirmed: btc("20.50"),
  unconfirmedReceived: btc("0.50000001"),
  locked: btc("0.5"),
  sentUnconfirmed: btc("0"),
  selfUnconfirmedReceived: btc("0.0"),
};

const FIAT_READ = {
  total: eur("1220592.45"),
  available: eur("1162469.00"),
  confirmed: eur("1191530.73"),
  unconfirmedReceived: eur("29061.73"),
  locked: eur("29061.73"),
  sentUnconfirmed: eur("0"),
  selfUnconfirmedReceived: eur("0"),
};

async function ask(body: string) {
  const { gateway, clock, arrivals } = await startWrittenService({ status: 200, body });
  const accountIds = [CUSTODY_ACCOUNT_ID, OTHER_ACCOUNT_ID];
  const asking = lookUp(gateway, clock, "getAccountsBalance", { accountIds });
  return { arrivals, answer: await asking };
}

describe("getAccountsBalance", () => {
  test("arrives with accountIds and queryDate, byte for byte, signed over these bytes", async () => {
    const { arrivals } = await ask(ENVELOPE);
    expect(arrivals).toMatchObject([{ method: "POST", path: "/accounts/balance", body: REQUEST }]);
    for (const arrival of arrivals) expect(arrival.headers).toMatchObject(requiredHeaders(arrival));
  });

  test("gives every field, digits as sent", async () => {
    expect((await ask(ENVELOPE)).answer).toEqual({
      accountBalanceFiltersDto: {
        accountIds: [CUSTODY_ACCOUNT_ID, OTHER_ACCOUNT_ID],
        queryDate: "2026-11-20T09:30:00.000Z",
      },
      balances: [
        {
          accountId: CUSTODY_ACCOUNT_ID,
          fundsCanBeSpent: true,
          btcBalance: BTC_READ,
          fiatBalance: FIAT_READ,
          exchangeRate: RATE_READ,
        },
      ],
    });
  });

  test.each([
    ["absent", `{"balances":[{"accountId":"${CUSTODY_ACCOUNT_ID}","btcBalance":${BTC_BALANCE}}]}`],
    [
      "null",
      `{"accountBalanceFiltersDto":null,"balances":[{"accountId":"${CUSTODY_ACCOUNT_ID}","fundsCanBeSpent":null,` +
        `"btcBalance":${BTC_BALANCE},"fiatBalance":null,"exchangeRate":null}]}`,
    ],
  ])("does without the fiat balance where no exchange rate is available: %s", async (_what, body) => {
    expect((await ask(body)).answer).toEqual({
      balances: [{ accountId: CUSTODY_ACCOUNT_ID, btcBalance: BTC_READ }],
    });
  });

  test("of no account that exists is an empty list", async () => {
    expect((await ask('{"balances":[]}')).answer).toEqual({ balances: [] });
  });

  test("keeps unlisted fields as they were sent", async () => {
    const { answer } = await ask(ENVELOPE.replace('"fundsCanBeSpent"', '"staked":0.70,"fundsCanBeSpent"'));
    expect(writeJson(answer)).toContain('"staked":0.70');
  });

  test.each(["balances", "accountId", "btcBalance", "total", "currency", "amount", "rate"])(
    "without %s is a fault that names it",
    async (member) => {
      const body = without(ENVELOPE, member);
      await expect(ask(body)).rejects.toMatchObject({
        problem: {
          code: "SERVICE_ANSWER_UNREADABLE",
          operation: "getAccountsBalance",
          message: expect.stringMatching(placeOf(member)),
        },
      });
    },
  );
});
