/** The part of the ledger that is compared, and the movements that are not in it yet. */
import { chunks } from "../model/chunks.ts";
import { type JournalLine, treasuryAccountOf } from "../model/index.ts";
import { Decimal } from "../money/index.ts";
import { listKeptAccounts } from "../store/compared.ts";
import { listEntriesAbout } from "../store/ledger-entries.ts";
import { listLedgerSums } from "../store/ledger-sums.ts";
import { ITEMS_PER_STATEMENT, type Transaction } from "../store/sql.ts";
import { listUnbookedIds, readPostedSoFar } from "../store/unposted.ts";
import { accountsIn, KeptSums, type LedgerSide, type TreasurySum } from "./rules/index.ts";

/**
 * Undefined before the first posting. Reads one instant: call it after removing everything that may differ from the
 * kept results, and before the first comparison.
 */
export function* readLedgerSide(): Transaction<LedgerSide | undefined> {
  if ((yield* readPostedSoFar()) === undefined) return undefined;
  const treasury = new TreasurySums();
  for (const { custodyAccount, currency, quantity } of yield* listLedgerSums())
    if (custodyAccount !== "") treasury.add({ custodyAccountId: custodyAccount, currency, quantity });
  const unbooked = yield* listUnbookedIds();
  const kept = new KeptSums();
  const entered = new Set<string>();
  for (const ids of chunks(unbooked, ITEMS_PER_STATEMENT)) {
    for (const { sourceId, lines } of yield* listEntriesAbout(ids)) {
      entered.add(sourceId);
      for (const line of lines) treasury.takeAway(line);
    }
    for (const text of yield* listKeptAccounts(ids))
      kept.add({ shareClass: "agree", accounts: accountsIn(text) }, 1);
  }
  const sums = { treasury: treasury.sums(), keptOfUnbooked: kept.accounts() };
  return { ...sums, unbooked: new Set(unbooked), entered };
}

class TreasurySums {
  private readonly byKey = new Map<string, TreasurySum>();

  add(sum: TreasurySum): void {
    const { custodyAccountId, currency } = sum;
    const key = JSON.stringify([custodyAccountId, currency]);
    const before = this.byKey.get(key)?.quantity ?? Decimal.zero;
    this.byKey.set(key, { ...sum, quantity: before.plus(sum.quantity) });
  }

  takeAway(line: JournalLine): void {
    const custodyAccountId = treasuryAccountOf(line);
    if (custodyAccountId === undefined || line.quantity === undefined) return;
    const { currency, value } = line.quantity;
    this.add({ custodyAccountId, currency, quantity: value.negated() });
  }

  sums(): readonly TreasurySum[] {
    return [...this.byKey.values()];
  }
}
