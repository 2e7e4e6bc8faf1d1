/** More arrived than was asked for. */
import type { ObservedDeposit } from "../../model/index.ts";
import { aboutDeposit, breakKind, type Finding } from "../break-kind.ts";
import { expectsNoMoney, type ReceivedFigures, receivedFigures } from "../received-funds.ts";
import { amountText, describeDeposit, tooMuchOrLittle } from "../wording.ts";

interface DepositOver extends Finding, ReceivedFigures {
  readonly deposit: ObservedDeposit;
}

export const depositOverBreak = breakKind<DepositOver>({
  kind: "deposit-over",
  severity: "warning",
  *detect({ deposits }) {
    for (const deposit of deposits) {
      const figures = receivedFigures(deposit);
      if (figures === undefined || expectsNoMoney(deposit)) continue;
      if (figures.difference.isZero() || figures.difference.isNegative()) continue;
      yield {
        ...aboutDeposit(deposit),
        ...figures,
        deposit,
        field: "receivedFunds",
        expected: figures.requested.value.normalized().toString(),
        found: figures.received.value.normalized().toString(),
      };
    }
  },
  sentence: ({ deposit, requested, received, difference }) =>
    `${describeDeposit(deposit)} received ${amountText(received)} where ${amountText(requested)} were asked for: ${tooMuchOrLittle(difference, requested.currency)}.`,
});
