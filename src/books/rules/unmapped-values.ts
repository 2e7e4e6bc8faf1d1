/** Amounts on suspense, by the value for which the chart of accounts has no line. */
import { problem } from "../../faults/index.ts";
import type { JournalEntry } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { suspenseLines } from "./remap-facts.ts";

export interface UnmappedValue {
  /** `GL account "Hosting"`, or `treasury of cold-btc`. */
  readonly what: string;
  readonly entries: number;
  /** The sum of its lines on suspense, in the functional currency; debit positive. */
  readonly value: Decimal;
}

/** Ordered by first occurrence. Entries that are on suspense for another reason have no such value. */
export class UnmappedValues {
  private readonly found = new Map<string, { entries: number; value: Decimal }>();

  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries)
      for (const what of unmappedIn(entry)) {
        const sum = this.found.get(what) ?? { entries: 0, value: Decimal.zero };
        this.found.set(what, { entries: sum.entries + 1, value: sum.value.plus(onSuspense(entry)) });
      }
  }

  values(): readonly UnmappedValue[] {
    return [...this.found].map(([what, sums]) => ({ what, ...sums }));
  }
}

/** The values as the entry's questions name them. */
export function unmappedIn({ questions = [] }: JournalEntry): readonly string[] {
  return [
    ...new Set(
      questions.flatMap(({ code, message }) =>
        code === "LEDGER_UNMAPPED" ? [message.slice(BEFORE.length, message.length - AFTER.length)] : [],
      ),
    ),
  ];
}

/** Stored questions keep their message, not its parameters. */
const MARK = "\u0000";
const [BEFORE = "", AFTER = ""] = problem("LEDGER_UNMAPPED", { what: MARK }).message.split(MARK);

function onSuspense(entry: JournalEntry): Decimal {
  return Decimal.sum(
    suspenseLines(entry).map(({ debit, credit }) => debit ?? credit?.negated() ?? Decimal.zero),
  );
}
