/**
 * Looks by reference that also ask for a witness: the latest payout of the key that is known to be there. A look that does not show its
 * witness (an old copy, a filter that leaves things out) says nothing about what else it does not show. Nothing is concluded here.
 */
import type { Instruction, ObservedPayout } from "../../model/index.ts";
import {
  knownForInstruction,
  looksByReferences,
  type ObservationTools,
  type ReferenceLook,
  together,
} from "../../observation/index.ts";
import { findWitness, type Witness } from "../../store/visibility.ts";

export interface WitnessedLook extends ReferenceLook {
  /** What it says about a payment that it does not show. */
  readonly absence: Absence;
}

export interface Absence {
  /**
   * witnessed: the look was complete and showed the latest payout that is known to be there. unwitnessed: it was complete, and no
   * payout of the key has ever been found by its reference. unproven: it was incomplete, or did not show its witness.
   */
  readonly worth: "witnessed" | "unwitnessed" | "unproven";
  /** For the evidence: "not found, but ...". */
  readonly words: string;
}

/** With the latest payout of the key that any look has shown. Throws a SERVICE_ fault when the service cannot be asked. */
export async function lookWithWitness(
  tools: ObservationTools,
  keyId: string,
  references: readonly string[],
): Promise<WitnessedLook> {
  return lookBeside(tools, references, await tools.store.read(() => findWitness(keyId)));
}

/**
 * The witness is asked for in each request: the next one may be answered by another copy of the service. Throws a SERVICE_ fault when
 * the service cannot be asked.
 */
export async function lookBeside(
  tools: ObservationTools,
  references: readonly string[],
  witness: Witness | undefined,
): Promise<WitnessedLook> {
  const beside = witness === undefined ? [] : [witness.reference];
  const looks = await looksByReferences(tools, references, beside);
  const absences = looks.map((look) => absenceIn(look, witness));
  return {
    ...together(looks),
    absence: absences.find(({ worth }) => worth === "unproven") ?? absences[0] ?? NOTHING_ASKED,
  };
}

const NOTHING_ASKED: Absence = { worth: "unproven", words: "not looked for" };

export interface PaymentLook {
  /** Every payout that bears its reference or its own callbackUrl, at this look or at an earlier one. */
  readonly shown: readonly ObservedPayout[];
  readonly absence: Absence;
}

/** Looks for one payment, also among what sweeps have seen under other references. Throws a SERVICE_ fault. */
export async function lookForPayment(
  tools: ObservationTools,
  keyId: string,
  instruction: Instruction,
): Promise<PaymentLook> {
  const { reference } = instruction.fields;
  const { absence } = await lookWithWitness(tools, keyId, [reference]);
  // The look has stored what it saw, so that everything is found in one place.
  return { shown: await tools.store.read(() => knownForInstruction(instruction)), absence };
}

function absenceIn({ byReference, doubts }: ReferenceLook, witness: Witness | undefined): Absence {
  const [doubt] = doubts;
  if (doubt !== undefined)
    return { worth: "unproven", words: `not found, but the look was incomplete: ${doubt}` };
  if (witness === undefined)
    return {
      worth: "unwitnessed",
      words:
        "not found, which says nothing yet: no payout of this key has ever been found by its reference as it was sent",
    };
  const { reference, payoutId } = witness;
  const isSeen = (byReference.get(reference) ?? []).some((one) => one.payoutId === payoutId);
  return isSeen
    ? { worth: "witnessed", words: "not found" }
    : {
        worth: "unproven",
        words: `not found, but the look was incomplete: it does not show payout ${payoutId} of ${reference} either`,
      };
}
