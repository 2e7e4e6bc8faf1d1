/** Payments of some days by payee: the amount, currency and value for each payee, and each payment. */
import { compareText, type JournalEntry, type JournalLine } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import { refuseTooLong } from "./entry-lines.ts";
import { isWithin, ReportOfDays } from "./report-days.ts";
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
export class PayeesOfDays extends ReportOfDays {
  private readonly payments: Payment[] = [];
  /** The ids of transfers: their reversals have the kind of any payout's. */
  private readonly transfers = new Set<string>();

  /**
   * Whether it is a payment to a payee in these days, or the reversal of one. Receipts and transfers between own
   * accounts are not. Call it for every entry, in the order of posting.
   */
  isPayment(entry: JournalEntry): boolean {
    if (entry.kind === "transfer") this.transfers.add(entry.entryId);
    const isOfPayout = entry.kind === "payout-settle" || entry.kind === "payout-reverse";
    return isOfPayout && !this.transfers.has(entry.reversalOf ?? "") && isWithin(this.days, entry);
  }

  /** `entries`: payments. `paidTo`: by payoutId. Throws USAGE for more payments than a report holds. */
  add(entries: readonly JournalEntry[], paidTo: ReadonlyMap<string, PaidTo>): void {
    for (const entry of entries) {
      refuseTooLong(this.payments.length + 1);
      const { payee, destination } = paidTo.get(entry.sourceId) ?? {};
      const where = destination === undefined ? "" : shortened(destination);
      this.payments.push({
        entry,
        payee: payee ?? (where === "" ? WITHOUT : where),
        destination: where,
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
          payee: first.payee,
          payments,
          crypto: first.currency,
          paid: { value: sum("paid"), currency: first.currency },
          value: this.money(sum("value")),
          fee: this.money(sum("fee")),
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
            day,
            reference,
            payee,
            destination,
            crypto: currency,
            entry: entryId,
            paid: { value: paid, currency },
            value: this.money(value),
            fee: this.money(fee),
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

/** The payee's lines are those against the treasury, except the network fee. */
function paidBy({ reversalOf, lines }: JournalEntry, functional: string) {
  const isReversal = reversalOf !== undefined;
  const against = lines.filter(({ debit, credit }) => (isReversal ? credit : debit) !== undefined);
  const paid = against.filter((line, index) => !isFee(line, index));
  const totalOf = (some: typeof lines) => {
    const value = Decimal.sum(some.map(({ debit, credit }) => debit ?? credit ?? Decimal.zero));
    return isReversal ? value.negated() : value;
  };
  const quantities = paid.flatMap(({ quantity }) => quantity ?? []);
  return {
    currency: quantities[0]?.currency ?? functional,
    // Quantities already have a sign. Without one, the payment was in the functional currency.
    paid: quantities.length > 0 ? Decimal.sum(quantities.map(({ value }) => value)) : totalOf(paid),
    value: totalOf(paid),
    fee: totalOf(against.filter(isFee)),
  };
}

/**
 * The payee's lines come first. A later line on suspense is a fee without an account: a payee's amount on suspense
 * is one line.
 */
function isFee({ accountKey }: JournalLine, index: number): boolean {
  return index > 0 && (accountKey === "network-fees" || accountKey === "suspense");
}

const SHOWN_WHOLE_MAX = 16;

/** The beginning and end of an address: enough to recognise it, too little to pay to it. */
function shortened(destination: string): string {
  if (destination.length <= SHOWN_WHOLE_MAX) return destination;
  return `${destination.slice(0, 8)}...${destination.slice(-4)}`;
}
