/** The balances that a file leaves on the custody accounts, and what is reported where a balance is unknown. */
import { describe, expect, test } from "vitest";
import { amountOf, currencyScales, Decimal } from "../../src/money/index.ts";
import { balanceEffects } from "../../src/payments/named/balance-effects.ts";
import { accountBalance } from "../../src/wire/balance.ts";
import { parseJson } from "../../src/wire/index.ts";
import { drafts, TREASURY } from "../store/stored-batch.ts";

const ACCOUNT = { id: TREASURY, name: "treasury-btc", currency: "BTC" };
const RATE = `"exchangeRate":{"rate":81234.56,"fromCurrency":{"currencyCode":"BTC"},"toCurrency":{"currencyCode":"EUR"}}`;

/** The effects of one payment of 0.1 BTC against a balance as the service may show it. */
function effectsOf(members: string, approvedBefore = "0", feeEstimate?: string, subtractFee = false) {
  const balance = `{"accountId":"${TREASURY}","btcBalance":{"total":{"currency":"BTC","amount":2},${members}}`;
  return balanceEffects(
    drafts(1, () => ({ amount: amountOf("0.1", "BTC"), subtractFee })),
    [{ ...ACCOUNT, feeEstimate: feeEstimate === undefined ? undefined : Decimal.of(feeEstimate) }],
    [accountBalance.parse(parseJson(balance))],
    new Map([[TREASURY, { amount: Decimal.of(approvedBefore), feesOnTop: 2 }]]),
    currencyScales(),
  );
}

const available = (amount: string, currency = "BTC") =>
  `"available":{"currency":"${currency}","amount":${amount}}`;

describe("what is left", () => {
  test.each([
    ["0.1", "0", []],
    ["0.1", "0.00000001", ["BALANCE_SHORT"]],
    ["0.09999999", "0", ["BALANCE_SHORT"]],
  ])("of %s available with %s approved before: %j", (amount, approvedBefore, expected) => {
    const { problems } = effectsOf(`${available(amount)}}`, approvedBefore);
    expect(problems.map(({ code }) => code)).toEqual(expected);
  });

  test("is not to be spent where the service says so, however much it is", () => {
    const { effects, problems } = effectsOf(`${available("1")}},"fundsCanBeSpent":false`);
    expect(effects).toMatchObject([{ fundsCanBeSpent: false }]);
    expect(problems).toMatchObject([{ code: "FUNDS_LOCKED" }]);
  });

  test.each([
    [
      "nothing is said of what is available",
      `"confirmed":{"currency":"BTC","amount":1}}`,
      /what is available/,
    ],
    ["it is in another currency", `${available("1", "LTC")}}`, /in LTC/],
  ])("is not guessed where %s", (_what, members, reason) => {
    const { effects, problems } = effectsOf(members);
    expect(effects[0]).not.toHaveProperty("left");
    expect(problems).toMatchObject([{ code: "BALANCE_UNKNOWN", message: expect.stringMatching(reason) }]);
  });

  test("is not guessed for an account that the service or the configuration does not show", () => {
    const unknown = [{ code: "BALANCE_UNKNOWN" }];
    const payments = drafts(1);
    expect(balanceEffects(payments, [ACCOUNT], [], new Map(), currencyScales()).problems).toMatchObject(
      unknown,
    );
    const another = { ...ACCOUNT, id: "00000000-0000-4000-8000-000000000009" };
    expect(balanceEffects(payments, [another], [], new Map(), currencyScales()).problems).toMatchObject(
      unknown,
    );
  });
});

describe("fees", () => {
  test("are not counted where nobody estimates them, and the shortage says so", () => {
    const { effects, problems } = effectsOf(`${available("0.15")}}`, "0.05000001");
    expect(effects[0]).not.toHaveProperty("fees");
    expect(problems[0]?.message).toContain("0.15000001 BTC are needed without fees");
  });

  test("of each payment are what is left less by, to the last digit, also of those approved before", () => {
    const { effects, problems } = effectsOf(`${available("0.15000003")}}`, "0.05", "0.00000001");
    expect(effects).toMatchObject([
      { fees: { approvedBefore: Decimal.of("0.00000002"), paid: Decimal.of("0.00000001") } },
    ]);
    expect(effects[0]?.left?.isZero()).toBe(true);
    expect(problems).toEqual([]);
    const short = effectsOf(`${available("0.15000002")}}`, "0.05", "0.00000001").problems;
    expect(short[0]?.message).toMatch(
      /lacks 0\.00000001 BTC: .* 0\.15000003 BTC are needed with the estimated fees/,
    );
  });

  test("that come out of the amount take nothing besides it", () => {
    const [effect] = effectsOf(`${available("1")}}`, "0", "0.0001", true).effects;
    expect(effect?.fees?.paid.isZero()).toBe(true);
    expect(effect?.left).toEqual(Decimal.of("0.8998"));
  });
});

describe("in fiat", () => {
  test("by the service's rate, to the cent", () => {
    const [effect] = effectsOf(`${available("1")}},${RATE}`).effects;
    expect(effect?.fiat?.paid).toEqual(amountOf("8123.46", "EUR"));
    expect(effect?.fiat?.left).toEqual(amountOf("73111.10", "EUR"));
  });

  test.each([
    ["none is shown", ""],
    [
      "only the other way round",
      `,${RATE.replace("BTC", "XXX").replace("EUR", "BTC").replace("XXX", "EUR")}`,
    ],
    ["only a fiat balance is shown", `,"fiatBalance":{"total":{"currency":"EUR","amount":100000}}`],
  ])("not by a rate of our own making: %s", (_what, members) => {
    const [effect] = effectsOf(`${available("1")}}${members}`).effects;
    expect(effect).toMatchObject({ left: Decimal.of("0.9") });
    expect(effect).not.toHaveProperty("fiat");
  });
});
