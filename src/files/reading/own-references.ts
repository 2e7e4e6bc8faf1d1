/**
 * Assigns references to payments of files that have none. A reference is computed from amount, destination and
 * date, and the number of such payments before. It does not depend on names or lines, so moving a row changes no
 * other reference.
 */
import { hash } from "node:crypto";
import { isProblem } from "../../faults/index.ts";
import {
  type DraftInstruction,
  destinationOf,
  foldedReference,
  type InstructionFields,
} from "../../model/index.ts";
import { readReference } from "./cell-readers.ts";
import type { InitiationPolicy } from "./policy.ts";

const PREFIX = "PD-";
/** Without vowels, so that no words arise, and without characters that people mix up. */
const SIGNS = "23456789BCDFGHJKMNPQRSTVWXYZ";
const LENGTH = 12;

/** Whether references of this form are allowed. */
export function mayBeOwn({ referencePattern }: Pick<InitiationPolicy, "referencePattern">): boolean {
  const example = `${PREFIX}${SIGNS.slice(0, LENGTH)}`;
  return !isProblem(readReference(example, referencePattern, ""));
}

/** The same for equal payments, in any file; `count`: the number of this payment among its equals, from 1. */
function ownReference(payment: string, count: number): string {
  const bytes = hash("sha256", JSON.stringify([payment, count]), "buffer");
  const signs = Array.from(bytes.subarray(0, LENGTH), (byte) => SIGNS[byte % SIGNS.length]);
  return `${PREFIX}${signs.join("")}`;
}

function paymentText(fields: InstructionFields): string {
  const { amount, payOn } = fields;
  return JSON.stringify([destinationOf(fields), `${amount.value}`, amount.currency, payOn ?? ""]);
}

/** A checked row. */
interface Referable {
  reference: string | undefined;
  readonly draft: DraftInstruction | undefined;
}

/** A payment without a reference. */
interface Unnamed {
  readonly row: Referable;
  readonly payment: string;
}

/**
 * Assigns references to rows that have none. Does not reuse the reference of an earlier payment, unless that was
 * rejected, or came with the file that this one corrects.
 */
export async function giveReferences(
  rows: readonly Referable[],
  { earlierUses }: Pick<InitiationPolicy, "earlierUses">,
): Promise<void> {
  const taken = new Set(
    rows.flatMap(({ reference }) => (reference === undefined ? [] : foldedReference(reference))),
  );
  const counts = new Map<string, number>();
  let unnamed: readonly Unnamed[] = rows.flatMap((row) => {
    const draft = row.reference === undefined ? row.draft : undefined;
    return draft === undefined ? [] : [{ row, payment: paymentText(draft.fields) }];
  });
  while (unnamed.length > 0) {
    const next = unnamed.map((each) => {
      const count = (counts.get(each.payment) ?? 0) + 1;
      counts.set(each.payment, count);
      return { ...each, reference: ownReference(each.payment, count) };
    });
    const uses = await earlierUses(next.map(({ reference }) => reference));
    unnamed = next.filter(({ row, reference }) => {
      const folded = foldedReference(reference);
      const use = uses.get(folded);
      const isUsed = use !== undefined && !use.isFree && use.corrected === undefined;
      if (isUsed || taken.has(folded)) return true;
      taken.add(folded);
      row.reference = reference;
      return false;
    });
  }
}
