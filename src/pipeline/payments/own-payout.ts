/** Finds one of our payouts by the creation's answer, so that it can be voided before any find shows it. */
import { type Instruction, type PayoutId, payoutId } from "../../model/index.ts";
import { knownByIds } from "../../observation/index.ts";
import { findByPayoutId, findByReference } from "../../store/instructions.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { whyNotItsPayout } from "./why-not-its-payout.ts";

export type OwnPayout = Instruction & { readonly payoutId: PayoutId };

/** The accepted payment; undefined if there is none or the service has shown its payout as another's. */
export function ownPayout(
  { store }: Pick<Workplace, "store">,
  idOrReference: string,
): Promise<OwnPayout | undefined> {
  return store.read(function* () {
    const named = yield* findByReference(idOrReference);
    const instruction = named ?? (yield* findByPayoutId(payoutId(idOrReference.toLowerCase())));
    if (instruction?.standing !== "accepted" || instruction.payoutId === undefined) return undefined;
    const own = { ...instruction, payoutId: instruction.payoutId };
    const known = (yield* knownByIds([own.payoutId])).get(own.payoutId);
    return known !== undefined && whyNotItsPayout(own, known) !== undefined ? undefined : own;
  });
}
