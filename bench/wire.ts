/**
 * How much longer a find answer of 500 filled-in payouts takes with exact numbers than with plain JSON.parse of the
 * same text: parseJson alone, the whole way to typed payouts with their raw text as the gateway reads a page, and
 * writeJson of a creation body against JSON.stringify of the same with plain numbers. Taken in turn, round by
 * round; medians count.
 */
import { Decimal } from "../src/money/index.ts";
import { parseJson, payout, searchEnvelope, writeJson } from "../src/wire/index.ts";
import { conclude, median, print, rounded } from "./measuring.ts";

/** The other ratios are printed without a limit. */
const LIMITS = { parse: 2 };

const WARM_UP_ROUNDS = 30;
const ROUNDS = 151;
const PAYOUTS = 500;
const CREATIONS_PER_ROUND = 2000;

const PAGE = pageText();

const CREATION = {
  username: "treasury-bot",
  accountId: "6f1cbb7e-0000-4000-8000-000000000001",
  nonce: 2n ** 63n - 1n,
  reference: "PAYROLL-2026-11-0001",
  customerId: "C-1",
  callbackUrl: "https://pay.example.com/hook/0d5d6e8a-0000-4000-8000-0000000000f1",
  requestedAmount: { currency: "BTC", amount: Decimal.of("0.01234567") },
  destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  feePolicy: "CUSTOM",
  customFeeRate: 12,
  otpCode: "123456",
  verifyBalance: true,
  subtractFee: false,
  generalLedgerName: "5100",
  generalLedgerProject: "Löhne",
};
const PLAIN_CREATION = {
  ...CREATION,
  nonce: Number.MAX_SAFE_INTEGER,
  requestedAmount: { currency: "BTC", amount: 0.01234567 },
};

const ratios = {
  parse: ratio(
    () => JSON.parse(PAGE),
    () => parseJson(PAGE),
  ),
  typedPayouts: ratio(
    () => JSON.parse(PAGE),
    () => typedPayouts(PAGE),
  ),
  writeCreation: ratio(
    () => repeat(() => JSON.stringify(PLAIN_CREATION)),
    () => repeat(() => writeJson(CREATION)),
  ),
};
print(`a page of ${PAYOUTS} payouts has ${PAGE.length} characters`);
for (const [name, value] of Object.entries(ratios)) print(`${name}: ratio ${value}`);
const holds = ratios.parse <= LIMITS.parse;
process.exitCode = conclude("wire", ratios, LIMITS, holds);

/** The median duration of `measured` over that of `yardstick`. */
function ratio(yardstick: () => unknown, measured: () => unknown): number {
  const durationsMs = { yardstick: [] as number[], measured: [] as number[] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const yardstickMs = durationMs(yardstick);
    const measuredMs = durationMs(measured);
    if (round < 0) continue;
    durationsMs.yardstick.push(yardstickMs);
    durationsMs.measured.push(measuredMs);
  }
  return rounded(median(durationsMs.measured) / median(durationsMs.yardstick));
}

function durationMs(work: () => unknown): number {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}

function repeat(work: () => unknown): void {
  for (let count = 0; count < CREATIONS_PER_ROUND; count += 1) work();
}

/** Envelope first, then each element by itself with its digits as sent, as a reading of pages does. */
function typedPayouts(text: string) {
  const { results } = searchEnvelope.parse(parseJson(text));
  return results.content.map((element) => ({ element: payout.parse(element), raw: writeJson(element) }));
}

function pageText(): string {
  const content = Array.from({ length: PAYOUTS }, (_, at) => payoutText(at));
  const sort =
    '[{"direction":"ASC","nullHandling":"NATIVE","ascending":true,"property":"createdDate","ignoreCase":false}]';
  const text =
    `{"filters":{"queryDate":"2026-11-20T09:30:00.000Z","page":0,"size":${PAYOUTS},"sort":{"createdDate":"ASC"}},` +
    `"results":{"content":[${content.join(",")}],"totalPages":7,"totalElements":3214,"size":${PAYOUTS},"number":0,` +
    `"numberOfElements":${PAYOUTS},"first":true,"last":false,"empty":false,"sort":${sort},"pageable":{"offset":0,` +
    `"sort":${sort},"unpaged":false,"paged":true,"pageNumber":0,"pageSize":${PAYOUTS}}}}`;
  // As it comes off the network: one flat string.
  return Buffer.from(text).toString();
}

/**
 * Every field of the interface document, and an int64; eight decimals in one half of the payouts, eighteen in the
 * other.
 */
function payoutText(at: number): string {
  const hex = at.toString(16).padStart(12, "0");
  const [currency, decimals, displayName, numericCode] =
    at % 2 === 0 ? ["BTC", 8, "Bitcoin", 1000] : ["ETH", 18, "Ether", 1001];
  const amount = `${at % 10}.${String(at * 7919 + 1).padStart(decimals, "0")}`;
  const fee = `0.${String(at + 141).padStart(decimals, "0")}`;
  return (
    `{"payoutId":"0d5d6e8a-0000-4000-8000-${hex}","clientId":"3c1f0000-0000-4000-8000-00000000000c",` +
    `"accountId":"6f1cbb7e-0000-4000-8000-000000000001","callbackUrl":"https:\\/\\/pay.example.com\\/hook\\/${hex}",` +
    `"reference":"PAYROLL-2026-11-${at} \\"Müller\\"","requestedAmount":{"currency":"${currency}","amount":${amount}},` +
    `"createdDate":"2026-11-20T08:30:00.000Z","debitOrderAlphanumericId":"DO-${hex}",` +
    `"destinationAddress":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",` +
    `"destinationAccountId":"6f1cbb7e-0000-4000-8000-${hex}","payoutState":"COMPLETED",` +
    `"sentFunds":{"txHash":"${hex.repeat(5)}beef","transactionId":"TX-${hex}",` +
    `"amount":{"currency":"${currency}","amount":${amount}},"fee":{"currency":"${currency}","amount":${fee}},` +
    `"createdDate":"2026-11-20T08:31:00.000Z","confirmedDate":"2026-11-20T08:55:12.345Z","state":"CONFIRMED",` +
    `"rate":{"rate":${60_000 + at}.${at % 97}E0,"fromCurrency":{"currencyCode":"${currency}","numericCode":${numericCode},` +
    `"numericCodeAsString":"${numericCode}","displayName":"${displayName}","symbol":"₿","defaultFractionDigits":${decimals}},` +
    `"toCurrency":{"currencyCode":"EUR","numericCode":978,"numericCodeAsString":"978","displayName":"Euro","symbol":"€",` +
    `"defaultFractionDigits":2},"measuredDate":"2026-11-20T08:55:00.000Z"},"confirmations":${at % 90}},` +
    `"authorization":{"id":"a0700000-0000-4000-8000-${hex}","state":"AUTHORIZED","cosignerAuthorizations":[` +
    `{"state":"AUTHORIZED","userGroupName":"Treasury Zürich","username":"anna","expire":"2026-11-21T08:30:00.000Z"},` +
    `{"state":"AUTHORIZED","userGroupName":"Board","username":"\\u0141ukasz","expire":"2026-11-21T08:30:00.000Z"}]},` +
    `"feePolicy":"CUSTOM","customFeeRate":${1 + (at % 40)},"subtractFee":false,"useCoinConsolidation":true,` +
    `"orderCodeName":"SALARY","generalLedgerName":"5100 Löhne & Gehälter","generalLedgerProject":"Alpha",` +
    `"generalLedgerDistribution":"50\\/50","batchingAllowed":true,"nonce":${9_223_372_036_854_000_000n + BigInt(at)}}`
  );
}
