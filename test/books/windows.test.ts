/** Deriving in windows gives what deriving everything at once gives. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { deriveDeposits } from "../../src/books/index.ts";
import { depositId } from "../../src/model/index.ts";
import { runsOf } from "../slice.ts";
import { claimsAmong, derivationOf, deriveFacts } from "./facts-at-once.ts";
import { btc, COLD, deposit, funds, HOT, payout, policyWith } from "./movements.ts";

// Few names, so that payouts and deposits share transactions, list each other's receipts and duplicate each other.
const names = fc.constantFrom("a", "b", "c");
const amounts = fc.constantFrom("0.01", "0.02");

const payouts = fc
  .array(fc.record({ txHash: names, amount: amounts, toOwn: fc.boolean(), subtractFee: fc.boolean() }), {
    maxLength: 6,
  })
  .map((rows) =>
    rows.map(({ txHash, amount, toOwn, subtractFee }, index) =>
      payout(`p${index}`, {
        requestedAmount: btc(amount),
        subtractFee,
        ...(toOwn && { destinationAccountId: COLD }),
        sentFunds: [funds({ txHash, amount: btc(amount), ...(!subtractFee && { fee: btc("0.001") }) })],
      }),
    ),
  );

const deposits = fc
  .array(
    fc.record({
      parts: fc.array(fc.record({ txHash: names, transactionId: fc.option(names), amount: amounts }), {
        minLength: 1,
        maxLength: 3,
      }),
      isCold: fc.boolean(),
      duplicateOf: fc.option(fc.nat({ max: 6 })),
    }),
    { maxLength: 6 },
  )
  .map((rows) =>
    rows.map(({ parts, isCold, duplicateOf }, index) =>
      deposit(`d${index}`, {
        custodyAccountId: isCold ? COLD : HOT,
        receivedFunds: parts.map(({ txHash, transactionId, amount }) =>
          funds({ txHash, amount: btc(amount), ...(transactionId !== null && { transactionId }) }),
        ),
        ...(duplicateOf !== null && { duplicatedFromDepositId: depositId(`d${duplicateOf}`) }),
      }),
    ),
  );

test("deriving one by one gives the same facts, holds and omissions as all at once", () => {
  const batchFees = fc.constantFrom("perPayout" as const, "wholeTransaction" as const);
  fc.assert(
    fc.property(payouts, deposits, batchFees, (paid, received, batchFee) => {
      const policy = policyWith({ batchFee });
      const derivation = derivationOf(received, policy);
      for (const one of paid) derivation.noteTransfers([one], []);
      const ofPayouts = paid.map((one) => derivation.derive([one]));
      const context = derivation.depositContext(claimsAmong(received));
      const ofDeposits = received.map((one) => deriveDeposits([one], context, [], policy));
      const parts = [...ofPayouts, ...ofDeposits];
      expect({
        facts: parts.flatMap(({ facts }) => facts),
        held: parts.flatMap(({ held }) => held),
        notBooked: parts.flatMap(({ notBooked }) => notBooked),
        bookedTwice: [],
        replaced: [],
        takenBack: [],
      }).toEqual(deriveFacts({ payouts: paid, deposits: received }, policy));
    }),
    runsOf(100, 300),
  );
});
