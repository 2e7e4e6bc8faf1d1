/** Sums a journal per ledger account. Treasury is credited at transaction value; the ERP books gain and loss. */
import { fault } from "../../faults/index.ts";
import {
  compareText,
  type JournalEntry,
  type JournalLine,
  type LedgerAccount,
  type LedgerSum,
  treasuryAccountOf,
} from "../../model/index.ts";
import { type Amount, Decimal } from "../../money/index.ts";
import { checkBalance } from "./journal-entries.ts";

export interface TrialBalanceRow extends LedgerAccount {
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Debit minus credit; zero over all rows. */
  readonly balance: Decimal;
  /** The net quantity of each cryptocurrency that moved on the account; debit positive. */
  readonly quantities: readonly Amount[];
}

export interface TrialBalance {
  readonly rows: readonly TrialBalanceRow[];
  readonly debit: Decimal;
  readonly credit: Decimal;
}

export class LedgerSums {
  private readonly currency: string;
  private readonly byKey = new Map<string, LedgerSum>();

  /** `currency`: the functional currency. */
  constructor(currency: string, sums: readonly LedgerSum[] = []) {
    this.currency = currency;
    for (const sum of sums) this.addSum(sum);
  }

  /**
   * Throws INVARIANT_BROKEN for an entry that does not balance, and LEDGER_CURRENCY_CHANGED for one in another
   * currency.
   */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      checkBalance(entry);
      checkCurrency(entry, this.currency);
      this.addLines(entry.lines);
    }
  }

  /** Lines of entries that were checked; such as those that a file shows. */
  addLines(lines: readonly JournalLine[]): void {
    for (const line of lines) this.addSum(sumOf(line));
  }

  /** One sum per key, ordered by key. */
  sums(): readonly LedgerSum[] {
    return [...this.byKey].sort(([a], [b]) => compareText(a, b)).map(([, sum]) => sum);
  }

  trialBalance(): TrialBalance {
    const byAccount = Map.groupBy(this.byKey.values(), ({ code, name }) => JSON.stringify([code, name]));
    const rows = [...byAccount.values()]
      .flatMap(rowOf)
      .sort((a, b) => compareText(a.code, b.code) || compareText(a.name, b.name));
    return {
      rows,
      debit: Decimal.sum(rows.map((row) => row.debit)),
      credit: Decimal.sum(rows.map((row) => row.credit)),
    };
  }

  private addSum(sum: LedgerSum): void {
    const { code, name, custodyAccount, currency } = sum;
    const key = [code, name, custodyAccount, currency].join("\0");
    const before = this.byKey.get(key);
    this.byKey.set(key, before === undefined ? sum : plus(before, sum));
  }
}

/** Throws LEDGER_CURRENCY_CHANGED. `currency`: the functional currency. */
export function checkCurrency({ entryId, currency: booked }: JournalEntry, currency: string): void {
  if (booked !== currency) throw fault("LEDGER_CURRENCY_CHANGED", { entryId, booked, currency });
}

/** The sums of the treasury lines of some entries. */
export function treasuryOf(entries: readonly JournalEntry[]): readonly LedgerSum[] {
  return entries
    .flatMap(({ lines }) => lines.map(sumOf))
    .filter(({ custodyAccount }) => custodyAccount !== "");
}

function sumOf(line: JournalLine): LedgerSum {
  const { account, debit, credit, quantity } = line;
  return {
    code: account.code,
    name: account.name,
    custodyAccount: treasuryAccountOf(line) ?? "",
    currency: quantity?.currency ?? "",
    debit: debit ?? Decimal.zero,
    credit: credit ?? Decimal.zero,
    quantity: quantity?.value ?? Decimal.zero,
  };
}

function plus(left: LedgerSum, right: LedgerSum): LedgerSum {
  return {
    ...left,
    debit: left.debit.plus(right.debit),
    credit: left.credit.plus(right.credit),
    quantity: left.quantity.plus(right.quantity),
  };
}

function rowOf(sums: readonly LedgerSum[]): TrialBalanceRow[] {
  const [first] = sums;
  if (first === undefined) return [];
  const { code, name } = first;
  const debit = Decimal.sum(sums.map((sum) => sum.debit));
  const credit = Decimal.sum(sums.map((sum) => sum.credit));
  const quantities = [...Map.groupBy(sums, ({ currency }) => currency)]
    .filter(([currency]) => currency !== "")
    .map(([currency, some]) => ({ currency, value: Decimal.sum(some.map(({ quantity }) => quantity)) }))
    .sort((a, b) => compareText(a.currency, b.currency));
  return [{ code, name, debit, credit, balance: debit.minus(credit), quantities }];
}
