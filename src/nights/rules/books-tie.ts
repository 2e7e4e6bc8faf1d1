/**
 * The treasury of the ledger against the movements that the balance proof counts, by custody account. Elements that
 * are not booked in full are left out on both sides: the rest must be equal to the last digit.
 */
import type { CustodyAccountId } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import type { AccountShare, ShareOf } from "./shares.ts";

/** The ledger's treasury, and the elements that are not in it yet. */
export interface LedgerSide {
  /** By account and currency, the treasury lines of all entries, except those about `unbooked`. */
  readonly treasury: readonly TreasurySum[];
  /** Payouts and deposits that wait to be posted, are held, or are not booked. */
  readonly unbooked: ReadonlySet<string>;
  /** Those of `unbooked` that have entries all the same. */
  readonly entered: ReadonlySet<string>;
  /** Their shares in the proof, for those that are not compared again. */
  readonly keptOfUnbooked: readonly AccountShare[];
}

export interface TreasurySum {
  readonly custodyAccountId: string;
  readonly currency: string;
  readonly quantity: Decimal;
}

export interface UntiedLedger {
  readonly custodyAccountId: CustodyAccountId;
  readonly currency: string;
  /** The entries' movements, and the movements that the service shows for the same payouts and deposits. */
  readonly ledger: Decimal;
  readonly shown: Decimal;
}

/** Collects the shares of unbooked elements in the proof while they are compared. */
export class BooksTie {
  private readonly side: LedgerSide | undefined;
  private readonly leftOut = new Map<string, Decimal>();

  constructor(side: LedgerSide | undefined) {
    this.side = side;
    for (const share of side?.keptOfUnbooked ?? []) this.leaveOut(share);
  }

  add(id: string, shares: readonly AccountShare[]): void {
    if (this.side?.unbooked.has(id)) for (const share of shares) this.leaveOut(share);
  }

  /** Whether a payout or deposit has no entry yet. */
  isWithoutEntry(id: string): boolean {
    return this.side === undefined || (this.side.unbooked.has(id) && !this.side.entered.has(id));
  }

  /**
   * The accounts whose ledger differs. `moved`: all movements that the proof counts since the opening; `again`: those
   * that did not happen, because they are another payout's.
   */
  untied(moved: readonly AccountShare[], again: readonly ShareOf[] = []): readonly UntiedLedger[] {
    if (this.side === undefined) return [];
    for (const share of again) if (!this.side.unbooked.has(share.id)) this.leaveOut(share);
    const booked = new Map(this.side.treasury.map((sum) => [keyOf(sum), sum.quantity]));
    return moved.flatMap((account) => {
      const { custodyAccountId, currency } = account;
      const key = keyOf(account);
      const ledger = booked.get(key) ?? Decimal.zero;
      const shown = movedIn(account).minus(this.leftOut.get(key) ?? Decimal.zero);
      return ledger.equals(shown) ? [] : [{ custodyAccountId, currency, ledger, shown }];
    });
  }

  private leaveOut(share: AccountShare): void {
    const key = keyOf(share);
    this.leftOut.set(key, (this.leftOut.get(key) ?? Decimal.zero).plus(movedIn(share)));
  }
}

function keyOf({ custodyAccountId, currency }: Pick<TreasurySum, "custodyAccountId" | "currency">): string {
  return JSON.stringify([custodyAccountId, currency]);
}

function movedIn({ figures }: AccountShare): Decimal {
  const { received = Decimal.zero, transferredIn = Decimal.zero } = figures;
  const { sent = Decimal.zero, fees = Decimal.zero } = figures;
  return received.plus(transferredIn).minus(sent).minus(fees);
}
