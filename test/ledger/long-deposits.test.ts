/**
 * A deposit to which strangers pay dust thousands of times: deriving its facts takes linear time, and hashes stay as
 * they were.
 */
import { expect, test } from "vitest";
import { contentHash } from "../../src/ledger/content-hash.ts";
import type { ReceiptFact } from "../../src/model/index.ts";
import { deriveFacts } from "./facts-at-once.ts";
import { btc, deposit, eur, funds, policyWith, rateIntoEur } from "./movements.ts";

const terms = {
  requestedInFiat: eur("1000"),
  requestedInCrypto: btc("0.0125"),
  fixedRate: rateIntoEur("80000"),
  expiresAt: "2026-11-20T13:00:00.000Z",
};

function receiptsOf(count: number): ReceiptFact[] {
  const receivedFunds = Array.from({ length: count }, (_, index) =>
    funds({ transactionId: `t${index}`, amount: btc("0.00000546"), rate: rateIntoEur("81000") }),
  );
  const customerId = 'of "earlier":[1]';
  const { facts } = deriveFacts(
    { payouts: [], deposits: [deposit("1001", { ...terms, customerId, receivedFunds })] },
    policyWith(),
  );
  return facts.filter((fact) => fact.kind === "deposit-receipt");
}

test("each receipt's content is hashed with all that settled before it", () => {
  const receipts = receiptsOf(12);
  expect(receipts).toHaveLength(12);
  for (const { contentHash: hashed, order, index, ...fact } of receipts) {
    const { custodyAccountId, reference, orderId, customerId, terms: asked, settledAt, part } = fact;
    const content = { custodyAccountId, reference, orderId, customerId, terms: asked, settledAt, part };
    expect(hashed).toBe(contentHash({ ...content, earlier: order.slice(0, index) }));
  }
});

test("twenty thousand receipts are twenty thousand facts", () => {
  expect(receiptsOf(20_000)).toHaveLength(20_000);
});
