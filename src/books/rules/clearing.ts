/**
 * Deposits clearing of one deposit: the entries of its receipts put money there, and its apply takes it out. An
 * apply goes by those entries: settings may have changed since they were booked, and a receipt may be held.
 */
import type { ApplyFact, JournalEntry } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";

/**
 * The apply with the value of its receipts on deposits clearing; undefined unless the amount of each is booked.
 * `inForce`: by fact, the entries in force.
 */
export function clearedApply(
  fact: ApplyFact,
  inForce: ReadonlyMap<string, JournalEntry>,
): ApplyFact | undefined {
  const values = fact.receipts.flatMap((factId, index) => {
    const entry = inForce.get(factId);
    const put = entry && onClearing(entry);
    const isAsShown = fact.parts[index]?.quantity.value.equals(put?.quantity ?? Decimal.zero) ?? false;
    // An amount of the functional currency is the line's value, which is rounded.
    return put !== undefined && (put.quantity === undefined || isAsShown) ? [put.value] : [];
  });
  return values.length < fact.parts.length ? undefined : { ...fact, cleared: Decimal.sum(values) };
}

/** The applies that take more from deposits clearing than the receipts in force have put there. */
export function overdrawnApplies(inForce: readonly JournalEntry[]): JournalEntry[] {
  const sums = new Map<string, Put>();
  for (const entry of inForce) {
    const put = entry.kind === "deposit-receipt" ? onClearing(entry) : undefined;
    if (put !== undefined) sums.set(entry.sourceId, addPut(sums.get(entry.sourceId) ?? NOTHING, put));
  }
  return inForce.filter((entry) => {
    const taken = entry.kind === "deposit-apply" ? onClearing(entry) : undefined;
    if (taken === undefined) return false;
    const put = sums.get(entry.sourceId) ?? NOTHING;
    return exceeds(taken.value, put.value) || exceeds(taken.quantity, put.quantity);
  });
}

/** Neither is negative. `quantity` is absent in the functional currency. */
interface Put {
  readonly value: Decimal;
  readonly quantity: Decimal | undefined;
}

const NOTHING: Put = { value: Decimal.zero, quantity: undefined };

/** A receipt has one credit, the whole amount without a fee; an apply's first debit is what it takes out. */
function onClearing({ kind, lines }: JournalEntry): Put | undefined {
  const side = kind === "deposit-receipt" ? "credit" : "debit";
  const line = lines.find((each) => each[side] !== undefined);
  const value = line?.[side];
  return value && { value, quantity: line?.quantity?.value.absolute() };
}

function addPut(left: Put, right: Put): Put {
  const quantities = [left.quantity ?? [], right.quantity ?? []].flat();
  return {
    value: left.value.plus(right.value),
    quantity: quantities.length === 0 ? undefined : Decimal.sum(quantities),
  };
}

function exceeds(taken: Decimal | undefined, put: Decimal | undefined): boolean {
  return taken !== undefined && taken.compare(put ?? Decimal.zero) > 0;
}
