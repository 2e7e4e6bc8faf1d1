/**
 * A deposit to which strangers pay dust thousands of times: deriving its facts takes linear time.
 */
import { expect, test } from "vitest";
import type { ReceiptFact } from "../../src/model/index.ts";
import { deriveFacts } from "./facts-at-once.ts";
import { btc, deposit, eur, funds, policyWith, rateIntoEur } from "./movements.ts";

const terms = {
  requestedInFiat: eur("1000"),
  requestedInCrypto: btc("0.0125"),
  fixedRate: rateIntoEur("80000"),
  expiresAt: "2026-11-20T13:00:00.000Z",
};

function receiptsOf(count: number, sixth = "0.00000546"): ReceiptFact[] {
  const receivedFunds = Array.from({ length: count }, (_, index) =>
    funds({
      transactionId: `t${index}`,
      amount: btc(index === 5 ? sixth : "0.00000546"),
      rate: rateIntoEur("81000"),
    }),
  );
  const customerId = 'of "earlier":[1]';
  const { facts } = deriveFacts(
    { payouts: [], deposits: [deposit("1001", { ...terms, customerId, receivedFunds })] },
    policyWith(),
  );
  return facts.filter((fact) => fact.kind === "deposit-receipt");
}

test("a receipt's hash depends on itself and on each that settled before it", () => {
  const [before, after] = [receiptsOf(12), receiptsOf(12, "0.00000547")];
  const changed = after.findIndex(({ part }) => part.quantity.value.toString() === "0.00000547");
  const same = before.map(({ contentHash }, index) => contentHash === after[index]?.contentHash);
  expect(same).toEqual(before.map((_, index) => index < changed));
});

test("five thousand receipts are five thousand facts", () => {
  expect(receiptsOf(5_000)).toHaveLength(5_000);
});
