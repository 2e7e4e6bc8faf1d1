/** A checker approves a digest of canonical texts: no member may be missing from them or change places. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BatchDigest,
  canonicalFields,
  custodyAccountId,
  type DraftInstruction,
  type InstructionFields,
  readCanonicalFields,
} from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import { batchDigest } from "../read-all.ts";

const WHOLE: Required<InstructionFields> = {
  username: "treasury-bot",
  custodyAccountId: custodyAccountId("6f1cbb7e-0000-4000-8000-000000000001"),
  reference: "INV-1",
  customerId: 'Müller "Söhne"\n& Co',
  callbackUrl: "https://pay.example.com/hook",
  amount: amountOf("0.05", "BTC"),
  destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  destinationAccountId: custodyAccountId("6f1cbb7e-0000-4000-8000-000000000002"),
  feePolicy: "CUSTOM",
  customFeeRateSatPerVbyte: 12,
  verifyBalance: true,
  subtractFee: false,
  useCoinConsolidation: false,
  batchingAllowed: true,
  orderCodeName: "ORDER-1",
  generalLedgerName: "5000",
  generalLedgerProject: "PRJ-1",
  generalLedgerDistribution: "DIST-1",
  payOn: "2099-12-31",
};

describe("canonical fields", () => {
  test("contain every member, sorted, and read back equal", () => {
    const names = Object.keys(JSON.parse(canonicalFields(WHOLE)));
    expect(names).toEqual([...Object.keys(WHOLE), "currency"].sort());
    expect(readCanonicalFields(canonicalFields(WHOLE))).toEqual(WHOLE);
  });

  test("are the same text whatever order the members were set in, without absent ones", () => {
    const optional = Object.keys(WHOLE).filter((name) => name !== "amount" && name !== "custodyAccountId");
    fc.assert(
      fc.property(fc.subarray(optional), fc.infiniteStream(fc.nat()), (absent, order) => {
        const present = Object.entries(WHOLE).filter(([name]) => !absent.includes(name));
        const shuffled = present.map((entry) => [order.next().value, entry] as const);
        shuffled.sort(([left], [right]) => left - right);
        const fields = (entries: typeof present) =>
          Object.fromEntries(entries) as unknown as InstructionFields;
        const text = canonicalFields(fields(shuffled.map(([, entry]) => entry)));
        expect(text).toBe(canonicalFields(fields(present)));
        expect(absent.filter((name) => text.includes(`"${name}":`))).toEqual([]);
      }),
    );
  });
});

test("a batch's digest is the same whether its rows come at once or in windows", () => {
  const drafts = Array.from(
    { length: 300 },
    (_, index): DraftInstruction => ({ row: index + 1, fields: { ...WHOLE, reference: `INV-${index}` } }),
  );
  const digest = new BatchDigest();
  for (let from = 0; from < drafts.length; from += 70) digest.add(drafts.slice(from, from + 70));
  expect(digest.hex()).toBe(batchDigest(drafts));
  expect(batchDigest([...drafts].reverse())).not.toBe(batchDigest(drafts));
});
