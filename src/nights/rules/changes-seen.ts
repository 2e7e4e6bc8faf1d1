/** Adds up the changes seen since the last night: by custody account, and arrived payouts by ledger project. */
import { compareText, payoutStateMeaning, RunningTotals } from "../../model/index.ts";
import type { Amount } from "../../money/index.ts";
import { type AccountChanges, type ProjectArrivals, sumsOf } from "./night.ts";

/** A changed element, as last seen. */
export interface Changed {
  readonly kind: "payout" | "deposit";
  readonly account: string;
  readonly state: string;
  readonly stateBefore?: string;
  readonly project?: string;
  /** A payout's requested amount, or the amounts that a deposit has received so far. */
  readonly amounts: readonly Amount[];
}

export class ChangesSeen {
  private readonly byAccount = new Map<string, { payouts: RunningTotals; deposits: RunningTotals }>();
  private readonly byProject = new Map<string, RunningTotals>();

  add(changed: Changed): void {
    const { kind, account, project = "" } = changed;
    const sums = this.byAccount.get(account) ?? {
      payouts: new RunningTotals(),
      deposits: new RunningTotals(),
    };
    this.byAccount.set(account, sums);
    addAmounts(kind === "payout" ? sums.payouts : sums.deposits, changed.amounts);
    if (!hasArrived(changed)) return;
    const arrived = this.byProject.get(project) ?? new RunningTotals();
    this.byProject.set(project, arrived);
    addAmounts(arrived, changed.amounts);
  }

  /** Ordered by name. */
  accounts(nameOf: (custodyAccountId: string) => string): AccountChanges[] {
    return [...this.byAccount]
      .map(([custodyAccountId, { payouts, deposits }]) => ({
        custodyAccountId,
        account: nameOf(custodyAccountId),
        payouts: sumsOf(payouts.totals()),
        deposits: sumsOf(deposits.totals()),
      }))
      .sort((one, other) => compareText(one.account, other.account));
  }

  projects(): ProjectArrivals[] {
    return [...this.byProject]
      .map(([project, arrived]) => ({ project, arrived: sumsOf(arrived.totals()) }))
      .sort((one, other) => compareText(one.project, other.project));
  }
}

/** A receipt in several parts is one deposit, counted once in each currency. */
function addAmounts(sums: RunningTotals, amounts: readonly Amount[]): void {
  const [first] = amounts;
  if (first !== undefined && amounts.length === 1) {
    sums.add(first);
    return;
  }
  const own = new RunningTotals();
  for (const amount of amounts) own.add(amount);
  for (const total of own.totals()) sums.addTotal({ ...total, count: 1 });
}

function hasArrived({ kind, state, stateBefore }: Changed): boolean {
  const isDone = (each: string | undefined) => each !== undefined && payoutStateMeaning(each) === "done";
  return kind === "payout" && isDone(state) && !isDone(stateBefore);
}
