/**
 * Puts the entries of a journal in order by numbers alone, so that the order of a million takes 40 MB. Entries that
 * these numbers leave equal are given back as runs, for the caller to order by their texts.
 */
import { invariant } from "../../faults/index.ts";
import { type JournalPlace, KIND_ORDER } from "./journal-entries.ts";

/** Positions in the order: from `from` up to, but not including, `to`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

export class JournalOrder {
  private readonly seqs: number[] = [];
  private readonly days: number[] = [];
  private readonly moments: number[] = [];

  /** `seq`: the entry's number. Throws INVARIANT_BROKEN for a day or instant that is none. */
  add(seq: number, { bookDay, valueInstant, kind }: Pick<JournalPlace, "bookDay" | "valueInstant" | "kind">) {
    const [day, instantMs] = [Date.parse(bookDay), Date.parse(valueInstant)];
    invariant(!Number.isNaN(day + instantMs), `entry ${seq} has no readable day or instant`);
    this.seqs.push(seq);
    this.days.push(day);
    this.moments.push(instantMs * KINDS + KIND_ORDER[kind]);
  }

  /** The numbers of the entries. Each run's are in any order; its neighbours belong before and after it. */
  ordered(): { readonly seqs: number[]; readonly runs: readonly Run[] } {
    const { seqs, days, moments } = this;
    const compare = (left: number, right: number) =>
      at(days, left) - at(days, right) || at(moments, left) - at(moments, right);
    const order = Uint32Array.from(seqs.keys()).sort(compare);
    const runs: Run[] = [];
    for (let from = 0, to = 1; from < order.length; from = to, to += 1) {
      while (to < order.length && compare(at(order, from), at(order, to)) === 0) to += 1;
      if (to - from > 1) runs.push({ from, to });
    }
    return { seqs: Array.from(order, (place) => at(seqs, place)), runs };
  }
}

/** More than there are numbers in KIND_ORDER. */
const KINDS = 4;

function at(numbers: ArrayLike<number>, place: number): number {
  return numbers[place] ?? Number.NaN;
}
