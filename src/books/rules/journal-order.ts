/**
 * Puts the entries of a journal in order by numbers alone, day by day, so that the order of a million takes 16 MB.
 * Entries that these numbers leave equal are given back as runs, for the caller to order by their texts.
 */
import { invariant } from "../../faults/index.ts";
import { type JournalPlace, KIND_ORDER } from "./journal-entries.ts";

/** The entries of a book day, which all come after those of the day before. */
export interface OrderedDay {
  /** The numbers of the entries. Each run's are in any order; its neighbours belong before and after it. */
  readonly seqs: number[];
  readonly runs: readonly Run[];
}

/** Places in the day: from `from` up to, but not including, `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

interface Unordered {
  readonly seqs: number[];
  readonly moments: number[];
}

export class JournalOrder {
  private readonly byDay = new Map<number, Unordered>();
  private count = 0;

  /** How many entries were added. */
  get size(): number {
    return this.count;
  }

  /** `seq`: the entry's number. Throws INVARIANT_BROKEN for a day or instant that is none. */
  add(seq: number, { bookDay, valueInstant, kind }: Pick<JournalPlace, "bookDay" | "valueInstant" | "kind">) {
    const [dayMs, instantMs] = [Date.parse(bookDay), Date.parse(valueInstant)];
    invariant(!Number.isNaN(dayMs + instantMs), `entry ${seq} has no readable day or instant`);
    const day = this.byDay.get(dayMs) ?? { seqs: [], moments: [] };
    this.byDay.set(dayMs, day);
    day.seqs.push(seq);
    day.moments.push(instantMs * KINDS + KIND_ORDER[kind]);
    this.count += 1;
  }

  /** The days in order. Each is forgotten once it was given. */
  *days(): Generator<OrderedDay> {
    const days = Float64Array.from(this.byDay.keys()).sort();
    for (const day of days) {
      const unordered = this.byDay.get(day);
      this.byDay.delete(day);
      if (unordered !== undefined) yield ordered(unordered);
    }
  }
}

function ordered({ seqs, moments }: Unordered): OrderedDay {
  const momentAt = (place: number) => moments[place] ?? Number.NaN;
  const order = Uint32Array.from(seqs.keys()).sort((left, right) => momentAt(left) - momentAt(right));
  const momentOf = (place: number) => momentAt(order[place] ?? Number.NaN);
  const runs: Run[] = [];
  for (let from = 0, to = 1; from < order.length; from = to, to += 1) {
    while (to < order.length && momentOf(from) === momentOf(to)) to += 1;
    if (to - from > 1) runs.push({ from, to });
  }
  return { seqs: Array.from(order, (place) => seqs[place] ?? Number.NaN), runs };
}

/** More than there are numbers in KIND_ORDER. */
const KINDS = 4;
