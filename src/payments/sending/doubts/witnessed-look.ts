/**
 * Looks by reference that include a witness: the key's latest payout that is known to exist. A look that does not
 * show its witness (a stale replica, a filter that drops entries) proves no absence. This file draws no
 * conclusions.
 */
import { type Instruction, isPlainReference, type ObservedPayout } from "../../../model/index.ts";
import {
  knownForInstruction,
  looksByReferences,
  mergeLooks,
  type ObservationTools,
  type ReferenceLook,
} from "../../../observation/index.ts";
import { findWitness, type Witness } from "../../../store/visibility.ts";

export interface WitnessedLook extends ReferenceLook {
  /** How much the look proves about a payment that it does not show. */
  readonly absence: Absence;
}

export interface Absence {
  /**
   * witnessed: the look was complete and showed the witness.
   * unwitnessed: it was complete, but no payout of this key has ever been found by such a reference.
   * unproven: it was incomplete, or did not show the witness.
   */
  readonly worth: "witnessed" | "unwitnessed" | "unproven";
  /** Evidence text: "not found, but ...". */
  readonly words: string;
}

/**
 * Looks with the key's current witness. A reference that is not plain needs a witness that is not plain either, so
 * the caller passes references of one kind. Every request includes it, because each may be answered by another
 * replica. Throws a SERVICE_ fault when the service cannot be asked.
 */
export async function lookWithWitness(
  tools: ObservationTools,
  keyId: string,
  references: readonly string[],
): Promise<WitnessedLook> {
  const isPlain = references.every(isPlainReference);
  const witness = await tools.store.read(() => findWitness(keyId, isPlain));
  const beside = witness === undefined ? [] : [witness.reference];
  const looks = await looksByReferences(tools, references, beside);
  const absences = looks.map((look) => absenceIn(look, witness, isPlain));
  return {
    ...mergeLooks(looks),
    absence: absences.find(({ worth }) => worth === "unproven") ?? absences[0] ?? NOTHING_ASKED,
  };
}

const NOTHING_ASKED: Absence = { worth: "unproven", words: "not looked for" };

export interface PaymentLook {
  /** Every payout with the payment's reference or callbackUrl, seen by this look or an earlier one. */
  readonly shown: readonly ObservedPayout[];
  readonly absence: Absence;
}

/** Looks up one payment, and includes its sightings by sweeps under other references. Throws a SERVICE_ fault. */
export async function lookForPayment(
  tools: ObservationTools,
  keyId: string,
  instruction: Instruction,
): Promise<PaymentLook> {
  const { reference } = instruction.fields;
  const { absence } = await lookWithWitness(tools, keyId, [reference]);
  // The look has stored its sightings, so one read covers old and new ones.
  return { shown: await tools.store.read(() => knownForInstruction(instruction)), absence };
}

/**
 * The value of an absence before any payout of the key was found by a reference of the same kind (plain or not).
 */
export function neverFound(isPlain: boolean): string {
  return (
    `no payout of this key${isPlain ? "" : " with spaces or other unusual characters in its reference"} has ` +
    `ever been found by its reference as it was sent`
  );
}

function absenceIn(
  { byReference, doubts }: ReferenceLook,
  witness: Witness | undefined,
  isPlain: boolean,
): Absence {
  const [doubt] = doubts;
  if (doubt !== undefined)
    return { worth: "unproven", words: `not found, but the look was incomplete: ${doubt}` };
  if (witness === undefined)
    return { worth: "unwitnessed", words: `not found, which proves nothing yet: ${neverFound(isPlain)}` };
  const { reference, payoutId } = witness;
  const isSeen = (byReference.get(reference) ?? []).some((payout) => payout.payoutId === payoutId);
  return isSeen
    ? { worth: "witnessed", words: "not found" }
    : {
        worth: "unproven",
        words: `not found, but the look was incomplete: it does not show payout ${payoutId} of ${reference} either`,
      };
}
