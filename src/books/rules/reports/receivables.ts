/**
 * By customer, the amounts applied to receivables in some days. Their sums tie to the accounts in the trial
 * balance.
 */
import { compareText, type JournalEntry, type JournalLine } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import { isWithin, ReportOfDays } from "./report-days.ts";
import {
  count,
  difference,
  figure,
  type ReportRow,
  type ReportTable,
  text,
  totalRow,
} from "./report-table.ts";

interface OfCustomer {
  readonly customer: string;
  readonly code: string;
  readonly name: string;
  entries: number;
  debit: Decimal;
  credit: Decimal;
}

const WITHOUT = "(not named)";

/** Sums entries in any order. */
export class ReceivablesOfDays extends ReportOfDays {
  private readonly sums = new Map<string, OfCustomer>();

  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries)
      if (isWithin(this.days, entry))
        for (const line of entry.lines) if (isReceivable(line)) this.addLine(line, entry);
  }

  private addLine({ accountKey, account, debit, credit }: JournalLine, { reversalOf }: JournalEntry): void {
    const customer = accountKey.slice(RECEIVABLE.length + 1) || WITHOUT;
    const key = JSON.stringify([customer, account.code, account.name]);
    const zero = { entries: 0, debit: Decimal.zero, credit: Decimal.zero };
    const sum = this.sums.get(key) ?? { customer, ...account, ...zero };
    sum.entries += reversalOf === undefined ? 1 : -1;
    sum.debit = sum.debit.plus(debit ?? Decimal.zero);
    sum.credit = sum.credit.plus(credit ?? Decimal.zero);
    this.sums.set(key, sum);
  }

  tables(): readonly ReportTable[] {
    const { currency } = this;
    const sorted = [...this.sums.values()].sort(
      (a, b) => compareText(a.customer, b.customer) || compareText(a.code, b.code),
    );
    const rows = sorted.map(({ customer, code, name, entries, debit, credit }): ReportRow => {
      const net = difference(debit.minus(credit), currency, ["debit"], ["credit"]);
      const sums = { debit: this.money(debit), credit: this.money(credit), net };
      return { cells: { customer, code, account: name, entries, ...sums } };
    });
    return [
      {
        name: "Receivables",
        note:
          "amounts applied to each customer's receivable; debit − credit of an account is its movement in " +
          "the trial balance",
        columns: [
          text("customer", "Customer", 30),
          text("code", "Account", 12),
          text("account", "Name", 30),
          count("entries", "Entries"),
          figure("debit", `Debit ${currency}`),
          figure("credit", `Credit ${currency}`),
          figure("net", `Moved ${currency}`),
        ],
        rows: [...rows, ...totalRow(rows, "customer", ["debit", "credit", "net"], currency)],
      },
    ];
  }
}

const RECEIVABLE = "receivable";

function isReceivable({ accountKey }: JournalLine): boolean {
  return accountKey === RECEIVABLE || accountKey.startsWith(`${RECEIVABLE}:`);
}
