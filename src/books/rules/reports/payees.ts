/** Payments of some days by payee: the amount, currency and value for each payee, and each payment. */
import { compareText, type JournalEntry } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import { refuseTooLong } from "./entry-lines.ts";
import { isWithin, type ReportDays } from "./report-days.ts";
import {
  count,
  figure,
  type ReportRow,
  type ReportTable,
  text,
  totalRow,
  totalsByCurrency,
} from "./report-table.ts";

/** The payee by the approved file, or else by the service. */
export interface PaidTo {
  readonly payee?: string | undefined;
  /** An address or an account's name, unshortened. */
  readonly destination?: string | undefined;
}

interface Payment {
  readonly entry: JournalEntry;
  readonly payee: string;
  readonly destination: string;
  readonly currency: string;
  readonly paid: Decimal;
  readonly value: Decimal;
  readonly fee: Decimal;
}

const WITHOUT = "(not named)";

/** Keeps the payments of these days, up to the limit of a report. Reversed payments are subtracted. */
export class PayeesOfDays {
  private readonly days: ReportDays;
  private readonly currency: string;
  private readonly payments: Payment[] = [];

  constructor(days: ReportDays, currency: string) {
    this.days = days;
    this.currency = currency;
  }

  /** Whether it is a payment to a payee in these days. Receipts and transfers between own accounts are not. */
  isPayment(entry: JournalEntry): boolean {
    return isWithin(this.days, entry) && paidLines(entry).length > 0;
  }

  /** `paidTo`: by payoutId. Throws USAGE for more payments than a report holds. */
  add(entries: readonly JournalEntry[], paidTo: ReadonlyMap<string, PaidTo>): void {
    for (const entry of entries) {
      if (!this.isPayment(entry)) continue;
      refuseTooLong(this.payments.length + 1);
      const { payee, destination } = paidTo.get(entry.sourceId) ?? {};
      const where = destination === undefined ? "" : shortened(destination);
      this.payments.push({
        ...{ entry, payee: payee ?? (where === "" ? WITHOUT : where), destination: where },
        ...paidBy(entry, this.currency),
      });
    }
  }

  tables(): readonly ReportTable[] {
    return [this.byPayee(), this.single()];
  }

  private byPayee(): ReportTable {
    const groups = Map.groupBy(this.payments, ({ payee, currency }) => JSON.stringify([payee, currency]));
    const rows = [...groups.values()]
      .flatMap((own) => this.payeeRow(own))
      .sort((a, b) => compareText(String(a.cells["payee"]), String(b.cells["payee"])));
    return {
      name: "Payees",
      note: "payments minus reversals, without transfers between own accounts",
      columns: [
        text("payee", "Payee", 34),
        count("payments", "Payments"),
        figure("paid", "Paid"),
        text("crypto", "Currency", 9),
        figure("value", `Value ${this.currency}`),
        figure("fee", `Network fees ${this.currency}`),
      ],
      rows: [...rows, ...this.totals(rows)],
    };
  }

  private payeeRow(own: readonly Payment[]): ReportRow[] {
    const [first] = own;
    if (first === undefined) return [];
    const sum = (key: "paid" | "value" | "fee") => Decimal.sum(own.map((each) => each[key]));
    const payments = own.reduce((all, { entry }) => all + (entry.reversalOf === undefined ? 1 : -1), 0);
    return [
      {
        cells: {
          ...{ payee: first.payee, payments, crypto: first.currency },
          paid: { value: sum("paid"), currency: first.currency },
          value: { value: sum("value"), currency: this.currency },
          fee: { value: sum("fee"), currency: this.currency },
        },
      },
    ];
  }

  private single(): ReportTable {
    const rows = this.payments
      .toSorted(
        (a, b) =>
          compareText(a.entry.bookDay, b.entry.bookDay) || compareText(a.entry.entryId, b.entry.entryId),
      )
      .map(({ entry, payee, destination, currency, paid, value, fee }): ReportRow => {
        const { bookDay: day, reference, entryId } = entry;
        return {
          cells: {
            ...{ day, reference, payee, destination, crypto: currency, entry: entryId },
            paid: { value: paid, currency },
            value: { value, currency: this.currency },
            fee: { value: fee, currency: this.currency },
          },
        };
      });
    return {
      name: "Payments",
      note: "each payment, and each reversal of one",
      columns: [
        text("day", "Booked", 12),
        text("reference", "Reference", 20),
        text("payee", "Payee", 30),
        text("destination", "Destination", 18),
        figure("paid", "Paid"),
        text("crypto", "Currency", 9),
        figure("value", `Value ${this.currency}`),
        figure("fee", `Network fee ${this.currency}`),
        text("entry", "Entry", 40),
      ],
      rows: [...rows, ...this.totals(rows)],
    };
  }

  private totals(rows: readonly ReportRow[]): ReportRow[] {
    const label = rows[0] !== undefined && "day" in rows[0].cells ? "reference" : "payee";
    return [
      ...totalsByCurrency(rows, label, "crypto", ["paid"]),
      ...totalRow(rows, label, ["value", "fee"], this.currency),
    ];
  }
}

/** The payee's lines: those against the treasury, except the network fee. */
function paidLines({ kind, reversalOf, lines }: JournalEntry): JournalEntry["lines"] {
  if (kind !== "payout-settle" && kind !== "payout-reverse") return [];
  const side = reversalOf === undefined ? "debit" : "credit";
  const against = lines.filter((line) => line[side] !== undefined);
  if (against[0]?.accountKey.startsWith("treasury:")) return [];
  return against.filter((line, index) => index === 0 || !isFee(line.accountKey));
}

/**
 * After the payee's lines, a line on suspense is a fee without an account: a payee's amount on suspense is one
 * line.
 */
function isFee(accountKey: string): boolean {
  return accountKey === "network-fees" || accountKey === "suspense";
}

function paidBy(entry: JournalEntry, functional: string) {
  const paid = paidLines(entry);
  const isReversal = entry.reversalOf !== undefined;
  const totalOf = (lines: JournalEntry["lines"]) => {
    const value = Decimal.sum(lines.map(({ debit, credit }) => debit ?? credit ?? Decimal.zero));
    return isReversal ? value.negated() : value;
  };
  const side = isReversal ? "credit" : "debit";
  const fees = entry.lines.filter((line) => line[side] !== undefined && !paid.includes(line));
  const currency = paid.find(({ quantity }) => quantity !== undefined)?.quantity?.currency ?? functional;
  const quantities = paid.flatMap(({ quantity }) => quantity?.value ?? []);
  return {
    currency,
    // Quantities already have a sign. Without one, the payment was in the functional currency.
    paid: quantities.length > 0 ? Decimal.sum(quantities) : totalOf(paid),
    value: totalOf(paid),
    fee: totalOf(fees),
  };
}

const SHOWN_WHOLE_MAX = 16;

/** The beginning and end of an address: enough to recognise it, too little to pay to it. */
function shortened(destination: string): string {
  if (destination.length <= SHOWN_WHOLE_MAX) return destination;
  return `${destination.slice(0, 8)}...${destination.slice(-4)}`;
}
