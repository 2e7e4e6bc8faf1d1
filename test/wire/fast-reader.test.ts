/** The reader of usual payouts and deposits reads only values that the schemas accept, and with the same result. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  deposit,
  parseDeposit,
  parseJson,
  parsePayout,
  payout,
  readDeposit,
  readPayout,
} from "../../src/wire/index.ts";
import { Chance } from "../simulation/chance.ts";
import { mutatedJson } from "../simulation/json-mutations.ts";
import { runsOf } from "../slice.ts";

const RATE =
  '{"rate":61234.5,"fromCurrency":{"currencyCode":"BTC","defaultFractionDigits":8},"toCurrency":{"currencyCode":"EUR","numericCode":978},"measuredDate":"2026-11-20T12:00:00.000Z"}';
const FUNDS = `{"txHash":"ab","transactionId":"TX-1","amount":{"currency":"BTC","amount":0.0430},"fee":{"currency":"BTC","amount":1E-5},"createdDate":"2026-11-20T12:00:00.000Z","confirmedDate":"","state":"CONFIRMED","rate":${RATE},"confirmations":3}`;
const PAYOUT = `{"payoutId":"0d5d6e8a-0000-4000-8000-0000000000f1","clientId":null,"accountId":"6f1cbb7e-0000-4000-8000-000000000001","callbackUrl":"https://pay.example.com/hook","reference":"PAY-1","requestedAmount":{"currency":"BTC","amount":0.043},"createdDate":"2026-11-20T12:00:00.000Z","debitOrderAlphanumericId":"DO-1","destinationAddress":"bc1q","destinationAccountId":"","payoutState":"COMPLETED","sentFunds":${FUNDS.replace("1E-5", "0.00001")},"authorization":{"id":"6f1cbb7e-0000-4000-8000-000000000002","state":"AUTHORIZED","cosignerAuthorizations":[{"state":"AUTHORIZED","username":"ben","expire":"2026-11-21T12:00:00.000Z"}]},"feePolicy":"NORMAL","customFeeRate":12,"subtractFee":false,"useCoinConsolidation":true,"orderCodeName":null,"generalLedgerName":"5100","generalLedgerProject":"Löhne","generalLedgerDistribution":null,"batchingAllowed":false,"somethingNew":[1.50,{"a":null}]}`;
const DEPOSIT = `{"depositId":"0d5d6e8a-0000-4000-8000-0000000000d1","accountId":"6f1cbb7e-0000-4000-8000-000000000001","callbackUrl":null,"reference":"INV-1","customerId":"C-1","requestedAmountInFiat":{"currency":"EUR","amount":1000.00},"requestedAmountInCryptoAtFixedRate":{"currency":"BTC","amount":0.0125},"receiverAddress":"bc1q","verificationSignature":"abc=","depositState":"COMPLETED","createdDate":"2026-11-20T12:00:00.000Z","expiryDate":"2026-11-21T12:00:00.000Z","creditOrderId":"1","creditOrderAlphanumericId":"CO-1","fixedExchangeRate":${RATE},"receivedFunds":[${FUNDS.replace("1E-5", "0.1")}],"duplicatedFromDepositId":""}`;

const KINDS = [
  { kind: "payout", usual: PAYOUT, schema: payout, read: readPayout, parse: parsePayout },
  { kind: "deposit", usual: DEPOSIT, schema: deposit, read: readDeposit, parse: parseDeposit },
] as const;

const NEVER = /(?!)/;

/** Texts that a service may write for any member. */
const ODD = [
  ...["null", '""', '"x"', "0", "-0", "7", "7.0", "1e3", "1E-8", "0.10", "-1.5", "9".repeat(40), "true"],
  ...["{}", "[]", "[null]", '{"currency":"BTC","amount":1}', `[${FUNDS}]`, FUNDS, RATE],
  ...['"2026-02-30T12:00:00.000Z"', '"2026-11-20T13:00:00+01:00"', '"2026-11-20"', '"24:00"'],
  ...['"0D5D6E8A-0000-4000-8000-0000000000F1"', '"0d5d6e8a-0000-4000-8000-0000000000f1 "', '{"__proto__":1}'],
];

/** Compares them as texts too, which show the order of members. */
function expectSame(read: unknown, judged: unknown): void {
  expect(read).toStrictEqual(judged);
  expect(orderOf(read)).toBe(orderOf(judged));
}

function orderOf(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "bigint" ? `${member}` : member,
  );
}

describe.each(KINDS)("a $kind", ({ usual, schema, read, parse }) => {
  test("of the usual form is read, and reads as its schema reads it", () => {
    const value = parseJson(usual);
    expect(read(value)).toBeDefined();
    expectSame(read(value), schema.parse(value));
  });

  test("with anything in place of any of its members is read as by its schema, or left to it", () => {
    const names = Object.keys(parseJson(usual) as object);
    const changes = fc.array(fc.tuple(fc.constantFrom(...names, "other"), fc.constantFrom(...ODD)), {
      maxLength: 2,
    });
    const property = fc.property(changes, (some) => {
      const members = new Map(Object.entries(parseJson(usual) as object));
      for (const [name, odd] of some) members.set(name, parseJson(odd));
      expectJudgedAlike(Object.fromEntries(members));
    });
    fc.assert(property, runsOf(300, 1000));
  });

  test("that is changed, cut or filled at any depth is read as by its schema, or left to it", () => {
    const elsewhere = () => undefined;
    const property = fc.property(fc.integer(), (seed) => {
      const { text } = mutatedJson(usual, new Chance(seed), { seldom: NEVER, elsewhere });
      let value: unknown;
      try {
        value = parseJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return;
      }
      expectJudgedAlike(value);
    });
    fc.assert(property, runsOf(300, 1000));
  });

  function expectJudgedAlike(value: unknown): void {
    const judged = schema.safeParse(value);
    const usually = read(value);
    if (usually !== undefined) expectSame(usually, judged.data);
    if (judged.success) expectSame(parse(value), judged.data);
    else expect(() => parse(value)).toThrow();
  }
});
