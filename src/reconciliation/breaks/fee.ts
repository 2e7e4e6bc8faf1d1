/** The network fee of a payout is above the limit for its currency. Without a limit for the currency there is no break. */
import { type Amount, Decimal } from "../../money/index.ts";
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { amountText, describePayout } from "../wording.ts";

interface FeeFinding extends Finding, Match {
  readonly fee: Amount;
  readonly limit: Decimal;
}

export const feeBreak = breakKind<FeeFinding>({
  kind: "fee",
  severity: "warning",
  *detect({ matches, policy }) {
    for (const match of matches) {
      const { instruction, payout } = match;
      const fees = payout.sentFunds.flatMap(({ fee }) => fee ?? []);
      for (const currency of new Set(fees.map((fee) => fee.currency))) {
        const limit = policy.feeLimit?.[currency];
        const value = Decimal.sum(fees.filter((fee) => fee.currency === currency).map((fee) => fee.value));
        if (limit === undefined || value.compare(limit) <= 0) continue;
        const about = aboutPayout(payout, instruction);
        yield {
          ...about,
          ...match,
          key: `${about.key}:${currency}`,
          fee: { currency, value },
          limit,
          field: "sentFunds.fee",
          expected: limit.normalized().toString(),
          found: value.normalized().toString(),
        };
      }
    }
  },
  sentence: ({ payout, fee, limit }) =>
    `${describePayout(payout)} cost a fee of ${amountText(fee)}, above the limit of ${amountText({ currency: fee.currency, value: limit })}.`,
});
