/** Money arrived after the expiry of the deposit's fixed rate, which then no longer binds. Judged by the funds' createdDate. */
import type { Instant, ObservedDeposit, ObservedFunds } from "../../model/index.ts";
import { aboutDeposit, breakKind, type Finding } from "../break-kind.ts";
import { expectsNoMoney } from "../received-funds.ts";
import { amountText, describeDeposit } from "../wording.ts";

interface DepositLate extends Finding {
  readonly deposit: ObservedDeposit;
  readonly late: ObservedFunds;
  readonly expected: Instant;
  readonly found: Instant;
}

export const depositLateBreak = breakKind<DepositLate>({
  kind: "deposit-late",
  severity: "warning",
  *detect({ deposits }) {
    for (const deposit of deposits) {
      const { expiresAt } = deposit;
      if (expiresAt === undefined || expectsNoMoney(deposit)) continue;
      const late = deposit.receivedFunds.find(
        ({ createdAt }) => createdAt !== undefined && createdAt > expiresAt,
      );
      if (late?.createdAt !== undefined)
        yield {
          ...aboutDeposit(deposit),
          deposit,
          late,
          field: "receivedFunds.createdDate",
          expected: expiresAt,
          found: late.createdAt,
        };
    }
  },
  sentence: ({ deposit, late, expected, found }) =>
    `${describeDeposit(deposit)} received ${late.amount ? amountText(late.amount) : "funds"} at ${found}, after its rate expired at ${expected}.`,
});
