/**
 * A deposit to which strangers pay dust thousands of times: deriving its facts takes linear time, and each hash stands
 * for all receipts before.
 */
import { expect, test } from "vitest";
import type { ObservedFunds, ReceiptFact } from "../../src/model/index.ts";
import { deriveFacts } from "./facts-at-once.ts";
import { btc, deposit, eur, funds, policyWith, rateIntoEur } from "./movements.ts";

const terms = {
  requestedInFiat: eur("1000"),
  requestedInCrypto: btc("0.0125"),
  fixedRate: rateIntoEur("80000"),
  expiresAt: "2026-11-20T13:00:00.000Z",
};

function receiptsOf(count: number, first: Partial<ObservedFunds> = {}): ReceiptFact[] {
  const receivedFunds = Array.from({ length: count }, (_, index) => ({
    ...funds({ transactionId: `t${index}`, amount: btc("0.00000546"), rate: rateIntoEur("81000") }),
    ...(index === 0 ? first : {}),
  }));
  const { facts } = deriveFacts(
    { payouts: [], deposits: [deposit("1001", { ...terms, receivedFunds })] },
    policyWith(),
  );
  return facts.filter((fact) => fact.kind === "deposit-receipt");
}

test.each<[string, Partial<ObservedFunds>, boolean]>([
  ["another amount", { amount: btc("0.00000547") }, true],
  ["another time", { createdAt: "2026-11-20T11:00:00.000Z" }, true],
  ["another rate, which decides nothing about later ones", { rate: rateIntoEur("82000") }, false],
])("a first receipt with %s, and the hashes of those after it", (_, first, isChange) => {
  const [before, after] = [receiptsOf(12), receiptsOf(12, first)].map((receipts) =>
    receipts.map(({ contentHash }) => contentHash),
  );
  expect(new Set(before).size).toBe(12);
  expect(after?.[0]).not.toBe(before?.[0]);
  for (let index = 1; index < 12; index += 1) {
    if (isChange) expect(after?.[index]).not.toBe(before?.[index]);
    else expect(after?.[index]).toBe(before?.[index]);
  }
});

test("twenty thousand receipts are twenty thousand facts", () => {
  expect(receiptsOf(20_000)).toHaveLength(20_000);
});
