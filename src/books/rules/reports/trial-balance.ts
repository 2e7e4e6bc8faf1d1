/**
 * The trial balance of some days: for each ledger account, the balance before, the movements, and the balance
 * after.
 */
import { compareText, type JournalEntry, type LedgerSum } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import { LedgerSums, type TrialBalanceRow } from "../trial-balance.ts";
import { isBefore, isWithin, type ReportDays, ReportOfDays } from "./report-days.ts";
import { difference, figure, type ReportRow, type ReportTable, text, totalRow } from "./report-table.ts";

/** Sums entries in any order. */
export class TrialBalanceOfDays extends ReportOfDays {
  private readonly before: LedgerSums;
  private readonly within: LedgerSums;

  /** `sums`: sums of entries within these days that are not added one by one. */
  constructor(days: ReportDays, currency: string, sums: readonly LedgerSum[] = []) {
    super(days, currency);
    this.before = new LedgerSums(currency);
    this.within = new LedgerSums(currency, sums);
  }

  /** Throws INVARIANT_BROKEN for an entry that does not balance, and LEDGER_CURRENCY_CHANGED. */
  add(entries: readonly JournalEntry[]): void {
    this.before.add(entries.filter((entry) => isBefore(this.days, entry)));
    this.within.add(entries.filter((entry) => isWithin(this.days, entry)));
  }

  tables(): readonly ReportTable[] {
    const [before, within] = [byAccount(this.before), byAccount(this.within)];
    const keys = new Set([...before.keys(), ...within.keys()]);
    const accounts = [...keys].map((key) => ({ before: before.get(key), within: within.get(key) }));
    const cryptos = [...new Set(accounts.flatMap(cryptosOf))].sort();
    const rows = accounts
      .map((account) => this.rowOf(account, cryptos))
      .sort((a, b) => compareCell(a, b, "code") || compareCell(a, b, "account"));
    const sums = ["opening", "debit", "credit", "closing"];
    const table: ReportTable = {
      name: "Trial balance",
      note: "opening + debit − credit = closing; the sums of debit and credit are equal",
      columns: [
        text("code", "Account", 12),
        text("account", "Name", 36),
        figure("opening", `Opening ${this.currency}`),
        figure("debit", `Debit ${this.currency}`),
        figure("credit", `Credit ${this.currency}`),
        figure("closing", `Closing ${this.currency}`),
        ...cryptos.flatMap((crypto) => [
          figure(`moved ${crypto}`, `${crypto} moved`),
          figure(`closing ${crypto}`, `${crypto} closing`),
        ]),
      ],
      rows: [...rows, ...totalRow(rows, "account", sums, this.currency)],
    };
    return [table];
  }

  private rowOf({ before, within }: OfAccount, cryptos: readonly string[]): ReportRow {
    const { code = "", name = "" } = within ?? before ?? {};
    const opening = before?.balance ?? Decimal.zero;
    const debit = within?.debit ?? Decimal.zero;
    const credit = within?.credit ?? Decimal.zero;
    const closing = opening.plus(debit).minus(credit);
    const quantities = cryptos.flatMap((crypto) => {
      const [was, moved] = [quantityOf(before, crypto), quantityOf(within, crypto)];
      if (was === undefined && moved === undefined) return [];
      const value = (was ?? Decimal.zero).plus(moved ?? Decimal.zero);
      return [
        [`moved ${crypto}`, { value: moved ?? Decimal.zero, currency: crypto }],
        [`closing ${crypto}`, { value, currency: crypto }],
      ] as const;
    });
    return {
      cells: {
        code,
        account: name,
        opening: this.money(opening),
        debit: this.money(debit),
        credit: this.money(credit),
        closing: difference(closing, this.currency, ["opening", "debit"], ["credit"]),
        ...Object.fromEntries(quantities),
      },
    };
  }
}

interface OfAccount {
  readonly before: TrialBalanceRow | undefined;
  readonly within: TrialBalanceRow | undefined;
}

function byAccount(sums: LedgerSums): ReadonlyMap<string, TrialBalanceRow> {
  return new Map(sums.trialBalance().rows.map((row) => [JSON.stringify([row.code, row.name]), row]));
}

function cryptosOf({ before, within }: OfAccount): string[] {
  return [before, within].flatMap((row) => row?.quantities.map(({ currency }) => currency) ?? []);
}

function quantityOf(row: TrialBalanceRow | undefined, crypto: string): Decimal | undefined {
  return row?.quantities.find(({ currency }) => currency === crypto)?.value;
}

function compareCell(one: ReportRow, other: ReportRow, key: string): number {
  return compareText(String(one.cells[key]), String(other.cells[key]));
}
