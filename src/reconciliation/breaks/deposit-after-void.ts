/** Money lies on a deposit that is void or was never created. */
import type { ObservedDeposit } from "../../model/index.ts";
import { aboutDeposit, breakKind, type Finding } from "../break-kind.ts";
import { expectsNoMoney } from "../received-funds.ts";
import { amountText, describeDeposit } from "../wording.ts";

interface DepositAfterVoid extends Finding {
  readonly deposit: ObservedDeposit;
}

export const depositAfterVoidBreak = breakKind<DepositAfterVoid>({
  kind: "deposit-after-void",
  severity: "warning",
  *detect({ deposits }) {
    for (const deposit of deposits)
      if (expectsNoMoney(deposit) && deposit.receivedFunds.length > 0)
        yield { ...aboutDeposit(deposit), deposit, field: "depositState", found: deposit.state };
  },
  sentence: ({ deposit }) => {
    const parts = deposit.receivedFunds.map(({ amount }) => (amount ? amountText(amount) : "funds"));
    return `${describeDeposit(deposit)} is ${deposit.state}, yet it received ${parts.join(" and ")}.`;
  },
});
