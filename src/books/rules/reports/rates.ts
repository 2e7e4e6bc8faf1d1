/**
 * By cryptocurrency and book day, the lowest and the highest rate that entries were booked at, so that a wrong one
 * stands out. Leaves out reversals and what they reverse.
 */
import { compareText, type Day, type EntryRate, type JournalEntry } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import { isWithin, type ReportDays, ReportOfDays } from "./report-days.ts";
import { count, figure, type ReportRow, type ReportTable, text } from "./report-table.ts";

interface BookedAt {
  /** In the functional currency, for one unit of the cryptocurrency. */
  readonly rate: Decimal;
  /** The entry's reference, or else its source. */
  readonly of: string;
}

interface RatesOf {
  readonly crypto: string;
  readonly day: Day;
  entries: number;
  lowest: BookedAt;
  highest: BookedAt;
}

/** Of a rate that runs from the functional currency to a cryptocurrency, which is divided into one. */
const RATE_DECIMALS = 8;

/** Reads entries in any order. */
export class RatesOfDays extends ReportOfDays {
  private readonly reversed: ReadonlySet<string>;
  private readonly rates = new Map<string, RatesOf>();

  /** `reversed`: the ids of reversed entries. */
  constructor(days: ReportDays, currency: string, reversed: ReadonlySet<string>) {
    super(days, currency);
    this.reversed = reversed;
  }

  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      const { rateUsed, bookDay, reversalOf, entryId, reference, sourceId } = entry;
      const counts = reversalOf === undefined && !this.reversed.has(entryId) && isWithin(this.days, entry);
      const priced = counts && rateUsed !== undefined ? priceOf(rateUsed, this.currency) : undefined;
      if (priced !== undefined)
        this.addRate(priced.crypto, bookDay, { rate: priced.rate, of: reference ?? sourceId });
    }
  }

  private addRate(crypto: string, day: Day, booked: BookedAt): void {
    const key = `${crypto} ${day}`;
    const known = this.rates.get(key) ?? { crypto, day, entries: 0, lowest: booked, highest: booked };
    known.entries += 1;
    known.lowest = lower(known.lowest, booked);
    known.highest = higher(known.highest, booked);
    this.rates.set(key, known);
  }

  tables(): readonly ReportTable[] {
    const sorted = [...this.rates.values()].sort(
      (a, b) => compareText(a.crypto, b.crypto) || compareText(a.day, b.day),
    );
    const rows = sorted.map((each) => this.row(each, each.day));
    const totals = [...Map.groupBy(sorted, ({ crypto }) => crypto)].map(([crypto, ofCrypto]): ReportRow => {
      const all = {
        crypto,
        entries: ofCrypto.reduce((sum, { entries }) => sum + entries, 0),
        lowest: ofCrypto.map(({ lowest }) => lowest).reduce(lower),
        highest: ofCrypto.map(({ highest }) => highest).reduce(higher),
      };
      return { ...this.row(all, "All days"), isTotal: true };
    });
    return [
      {
        name: "Rates",
        note: `${this.currency} for one unit; reversed entries are left out`,
        columns: [
          text("crypto", "Currency", 10),
          text("day", "Book day", 12),
          count("entries", "Entries"),
          figure("lowest", `Lowest ${this.currency}`),
          text("lowestOf", "Lowest of", 38),
          figure("highest", `Highest ${this.currency}`),
          text("highestOf", "Highest of", 38),
        ],
        rows: [...rows, ...totals],
      },
    ];
  }

  private row({ crypto, entries, lowest, highest }: Omit<RatesOf, "day">, day: string): ReportRow {
    const rates = { lowest: this.money(lowest.rate), highest: this.money(highest.rate) };
    return { cells: { crypto, day, entries, ...rates, lowestOf: lowest.of, highestOf: highest.of } };
  }
}

/** Undefined for a rate that values nothing: it is zero, or leads neither from nor to the functional currency. */
function priceOf({ rate, from, to }: EntryRate, functional: string) {
  if (rate.isZero()) return undefined;
  if (to === functional) return { crypto: from, rate };
  return from === functional
    ? { crypto: to, rate: Decimal.of("1").dividedBy(rate, RATE_DECIMALS) }
    : undefined;
}

function lower(one: BookedAt, other: BookedAt): BookedAt {
  return other.rate.compare(one.rate) < 0 ? other : one;
}

function higher(one: BookedAt, other: BookedAt): BookedAt {
  return other.rate.compare(one.rate) > 0 ? other : one;
}
