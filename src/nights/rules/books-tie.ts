/**
 * The treasury of the ledger against the movements that the balance proof counts, by custody account. What is not
 * booked, or not wholly, is left out on both sides, whatever it is: the rest must be equal to the last digit.
 */
import type { CustodyAccountId } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import type { AccountShare } from "./shares.ts";

/** What the ledger has, and what it does not have yet. */
export interface LedgerSide {
  /** Treasury lines of all entries, but for those about `unbooked`. */
  readonly treasury: readonly TreasurySum[];
  /** Payouts and deposits that wait to be posted, are held, or are not booked. */
  readonly unbooked: ReadonlySet<string>;
  /** What those of them add to the proof that are not compared again. */
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
  /** What the entries moved, and what the service shows of the same payouts and deposits. */
  readonly ledger: Decimal;
  readonly shown: Decimal;
}

/** Collects what the unbooked add to the proof, as they are compared. */
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

  /** Of these accounts, those whose ledger differs. `moved`: all that the proof counts since the opening. */
  untied(moved: readonly AccountShare[]): readonly UntiedLedger[] {
    if (this.side === undefined) return [];
    const booked = Map.groupBy(this.side.treasury, keyOf);
    return moved.flatMap((account) => {
      const { custodyAccountId, currency } = account;
      const key = keyOf(account);
      const ledger = Decimal.sum((booked.get(key) ?? []).map(({ quantity }) => quantity));
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
