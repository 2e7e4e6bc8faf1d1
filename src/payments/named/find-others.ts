/** Finds files, deposits, unexpected payouts and breaks, and payments by their amount. */
import { depositId, isUuid, payoutId } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { listBatchesCalled } from "../../store/batches.ts";
import { listBreaksFound, type Opening } from "../../store/breaks.ts";
import { findByPayoutId, listOfAmounts } from "../../store/instructions.ts";
import { listDepositsFound, listSightingsOf, type NamedResource } from "../../store/observed.ts";
import type { Transaction } from "../../store/sql.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { type FoundPayment, withStates } from "./find-payments.ts";

export interface FoundOthers {
  /** Payments with this amount. */
  readonly payments: readonly FoundPayment[];
  readonly batches: readonly { readonly id: string; readonly fileName: string }[];
  /** Deposits, and payouts that belong to none of our payments. */
  readonly resources: readonly NamedResource[];
  /** Breaks with this number, or with this amount at stake. */
  readonly breaks: readonly Opening[];
}

/** At most `count` of each kind. */
export function findOthers({ store }: Workplace, text: string, count: number): Promise<FoundOthers> {
  return store.read(function* (): Transaction<FoundOthers> {
    const amounts = amountsIn(text);
    return {
      payments: amounts.length === 0 ? [] : yield* withStates(yield* listOfAmounts(amounts, count)),
      batches: amounts.length > 0 ? [] : yield* listBatchesCalled(text, count),
      resources: amounts.length > 0 ? [] : yield* resourcesFound(text, count),
      breaks: yield* listBreaksFound(text, amounts, count),
    };
  });
}

function* resourcesFound(text: string, count: number): Transaction<NamedResource[]> {
  const found = new Map<string, NamedResource>();
  for (const each of yield* listDepositsFound(text, count)) found.set(each.id, each);
  for (const { payoutId: id, reference, opening } of yield* listBreaksFound(text, [], count))
    if (id !== undefined && opening !== text.toUpperCase())
      found.set(id, { kind: "payout", id, ...(reference !== undefined && { reference }) });
  if (isUuid(text))
    for (const kind of ["payout", "deposit"] as const)
      for (const { id, reference } of yield* listSightingsOf(kind, [
        kind === "payout" ? payoutId(text) : depositId(text),
      ]))
        found.set(id, { kind, id, ...(reference !== undefined && { reference }) });
  const others: NamedResource[] = [];
  for (const each of found.values()) {
    const isOurs = each.kind === "payout" && (yield* findByPayoutId(payoutId(each.id))) !== undefined;
    if (!isOurs) others.push(each);
  }
  return others.slice(0, count);
}

/** The most decimals that a currency has. */
const SCALE_MAX = 18;

/** Every way in which a stored amount may be written, because an amount in a file may end in zeros. */
function amountsIn(text: string): string[] {
  const digits = /^(\d+(?:\.\d+)?)(?: [A-Za-z]{2,10})?$/.exec(text.trim())?.[1] ?? "";
  const value = Decimal.parse(digits)?.normalized();
  if (value === undefined || value.scale > SCALE_MAX) return [];
  const scales = Array.from({ length: SCALE_MAX - value.scale + 1 }, (_, index) => value.scale + index);
  return scales.map((scale) => value.rounded(scale).toString());
}
