/** Sums a journal per ledger account. Treasury is credited at transaction value; gain and loss are left to the ERP. */
import { fault } from "../../faults/index.ts";
import { compareText, type JournalEntry, type JournalLine, type LedgerAccount } from "../../model/index.ts";
import { type Amount, Decimal } from "../../money/index.ts";
import { checkBalance } from "./journal-entries.ts";

export interface TrialBalanceRow extends LedgerAccount {
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Debit minus credit; zero over all rows. */
  readonly balance: Decimal;
  /** Net quantity of each cryptocurrency that moved on the account, by currency; debit positive. */
  readonly quantities: readonly Amount[];
}

export interface TrialBalance {
  readonly rows: readonly TrialBalanceRow[];
  readonly debit: Decimal;
  readonly credit: Decimal;
}

interface AccountSums {
  readonly account: LedgerAccount;
  debit: Decimal;
  credit: Decimal;
  readonly quantities: Map<string, Decimal>;
}

export class LedgerSums {
  private readonly currency: string;
  private readonly byAccount = new Map<string, AccountSums>();

  /** `currency`: the functional one. */
  constructor(currency: string) {
    this.currency = currency;
  }

  /** Throws INVARIANT_BROKEN for an entry that does not balance, and LEDGER_CURRENCY_CHANGED for one in another currency. */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      checkBalance(entry);
      const { entryId, currency: booked } = entry;
      if (booked !== this.currency)
        throw fault("LEDGER_CURRENCY_CHANGED", { entryId, booked, currency: this.currency });
      for (const line of entry.lines) this.addLine(line);
    }
  }

  private addLine({ account, debit, credit, quantity }: JournalLine): void {
    const key = JSON.stringify([account.code, account.name]);
    let sums = this.byAccount.get(key);
    if (sums === undefined) {
      sums = { account, debit: Decimal.zero, credit: Decimal.zero, quantities: new Map() };
      this.byAccount.set(key, sums);
    }
    if (debit !== undefined) sums.debit = sums.debit.plus(debit);
    if (credit !== undefined) sums.credit = sums.credit.plus(credit);
    if (quantity !== undefined) {
      const before = sums.quantities.get(quantity.currency) ?? Decimal.zero;
      sums.quantities.set(quantity.currency, before.plus(quantity.value));
    }
  }

  trialBalance(): TrialBalance {
    const rows = [...this.byAccount.values()]
      .map(rowOf)
      .sort((a, b) => compareText(a.code, b.code) || compareText(a.name, b.name));
    return {
      rows,
      debit: Decimal.sum(rows.map((row) => row.debit)),
      credit: Decimal.sum(rows.map((row) => row.credit)),
    };
  }
}

function rowOf({ account: { code, name }, debit, credit, quantities }: AccountSums): TrialBalanceRow {
  const byCurrency = [...quantities]
    .map(([currency, value]) => ({ currency, value }))
    .sort((a, b) => compareText(a.currency, b.currency));
  return { code, name, debit, credit, balance: debit.minus(credit), quantities: byCurrency };
}
