/** Payouts that do not proceed as they should: failed, in an inconclusive state, or with wrong figures. */
import { depositStateMeaning, type ObservedPayout, payoutStateMeaning } from "../../../model/index.ts";
import { present } from "../../../model/present.ts";
import { type Amount, Decimal } from "../../../money/index.ts";
import { countedFunds, hasTransaction, type SentFigures, sentFigures } from "../sent-funds.ts";
import {
  acceptCommand,
  amountText,
  describeDeposit,
  describePayout,
  printable,
  quoted,
  sentSince,
  uncountedText,
} from "../wording.ts";
import { type BreakRule, inDeposits, inMatches } from "./break-rule.ts";

export const COURSE_RULES: readonly BreakRule[] = [
  /** One of our payouts ended without paying. If it has a transaction, or was seen on its way, it may have paid. */
  {
    kind: "failed",
    severity: "warning",
    find: inMatches(({ instruction, payout }, { departures, paidAgain, submittedSince }) => {
      if (payoutStateMeaning(payout.state) !== "failed") return [];
      const ended = { field: "payoutState", found: payout.state };
      const subject = `${describePayout(payout)} ended ${payout.state}`;
      const sent = payout.sentFunds.find(hasTransaction);
      const named = sent && `names the transaction ${sent.txHash ?? sent.transactionId}`;
      const contradiction = named ?? departures.get(payout.payoutId);
      if (contradiction === undefined) {
        // The payment that pays it again shows whether the payee is paid.
        if (paidAgain.has(instruction.id)) return [];
        const { reference } = instruction.fields;
        const command = `\`paydrop pay again ${quoted(reference)} --reason WHY\``;
        const advice =
          instruction.standing === "accepted"
            ? `; ${command} pays again`
            : `. If it is this payment, ${acceptCommand(reference, payout.payoutId)} accepts it, and ` +
              `${command} then pays again`;
        const sentAgain = sentSince(
          submittedSince.get(instruction.id),
          "settle this instead of paying it again",
        );
        return [{ ...ended, sentence: `${subject} and did not pay the payee${advice}.${sentAgain}` }];
      }
      const sentence = `${subject}, yet ${printable(contradiction)}: it may have been paid.`;
      return [{ ...ended, sentence, severity: "alarm" }];
    }),
  },
  /** A deposit that we created failed later, so that the customer cannot pay. */
  {
    kind: "failed",
    severity: "warning",
    find: ({ missingOrFailedDeposits }) =>
      missingOrFailedDeposits.flatMap(({ depositId, reference, state, amount }) => {
        if (state === undefined) return [];
        const sentence =
          `Deposit ${quoted(reference)} ended ${state} and cannot be paid. Create another one under ` +
          `another reference.`;
        return [
          {
            key: `deposit:${depositId}`,
            depositId,
            reference,
            field: "depositState",
            found: state,
            ...present({ amount }),
            sentence,
          },
        ];
      }),
  },
  /**
   * A state that the interface does not list, or one that leaves open whether the payment exists (CREATE_TIMEOUT).
   */
  {
    kind: "unknown-state",
    severity: "warning",
    find: inMatches(({ instruction, payout }, { submittedSince }) => {
      const { state } = payout;
      const advice = " If it was not made, a new row under another reference pays it.";
      const meaning = payoutStateMeaning(state);
      const sentence = unknownStateSentence(() => describePayout(payout), state, meaning, advice);
      if (sentence === undefined) return [];
      const sentAgain = sentSince(
        submittedSince.get(instruction.id),
        "and this one is made after all, it is paid twice",
      );
      return [{ field: "payoutState", found: state, sentence: `${sentence}${sentAgain}` }];
    }),
  },
  {
    kind: "unknown-state",
    severity: "warning",
    find: inDeposits((deposit) => {
      const { state } = deposit;
      const sentence = unknownStateSentence(
        () => describeDeposit(deposit),
        state,
        depositStateMeaning(state),
      );
      return sentence === undefined ? [] : [{ field: "depositState", found: state, sentence }];
    }),
  },
  /** The sent amount does not match the requested one, or a completed payout shows nothing sent. */
  {
    kind: "sent-amount",
    severity: "alarm",
    find: inMatches(({ payout }) => {
      const figures = sentFigures(payout);
      if (figures?.fits ?? payoutStateMeaning(payout.state) !== "done") return [];
      const { currency, value } = payout.requestedAmount;
      const expected = value.normalized().toString();
      if (figures === undefined) {
        const sentence = `${describePayout(payout)} is ${payout.state}, but the service shows nothing sent.`;
        return [{ field: "sentFunds.amount", expected, found: "", sentence }];
      }
      const amount = amountText({ currency, value: figures.net });
      const fee = figures.fee.isZero()
        ? "no fee"
        : `a fee of ${amountText({ currency, value: figures.fee })}`;
      const rule = payout.subtractFee ? "the fee is taken off the amount" : "the fee comes on top";
      const sentence =
        `${describePayout(payout)} sent ${amount} with ${fee}, which does not fit the ` +
        `requested ${amountText(payout.requestedAmount)}: ${rule}${uncountedText(figures.uncounted)}.`;
      const found = figures.net.normalized().toString();
      return [{ field: "sentFunds.amount", expected, found, amount: misfit(payout, figures), sentence }];
    }),
  },
  /** A payout's network fee exceeds the limit for its currency. No limit, no break. */
  {
    kind: "fee",
    severity: "warning",
    find: inMatches(({ payout }, { policy }) => {
      if (policy.feeLimit === undefined) return [];
      const fees = Map.groupBy(
        countedFunds(payout).flatMap(({ fee }) => fee ?? []),
        ({ currency }) => currency,
      );
      return [...fees].flatMap(([currency, parts]) => {
        const limit = policy.feeLimit?.[currency];
        const value = Decimal.sum(parts.map((fee) => fee.value));
        if (limit === undefined || value.compare(limit) <= 0) return [];
        const sentence =
          `${describePayout(payout)} cost a fee of ${amountText({ currency, value })}, above the limit ` +
          `of ${amountText({ currency, value: limit })}.`;
        const field = { part: currency, field: "sentFunds.fee", expected: limit.normalized().toString() };
        const amount = { currency, value: value.minus(limit) };
        return [{ ...field, found: value.normalized().toString(), amount, sentence }];
      });
    }),
  },
];

/** By how much the figures miss the requested amount; if only the fee does not fit, the fee. */
function misfit({ requestedAmount, subtractFee }: ObservedPayout, { net, fee }: SentFigures): Amount {
  const { currency, value: requested } = requestedAmount;
  const sent = subtractFee ? net.plus(fee) : net;
  const value = requested.minus(sent).absolute();
  return { currency, value: value.isZero() ? fee : value };
}

/** `describe`: called only for such a state, because nearly all elements have another. */
function unknownStateSentence(
  describe: () => string,
  state: string,
  meaning: string | undefined,
  advice = "",
): string | undefined {
  if (meaning === "unknown")
    return `${describe()} is ${state}, which leaves open whether it was made: ask the service's operator.${advice}`;
  if (meaning !== undefined) return undefined;
  if (state === "") return `${describe()} has no state, so it counts as open.`;
  return `${describe()} is in the state ${printable(state)}, which the interface does not list, so it counts as open.`;
}
