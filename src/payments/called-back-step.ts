/** Finds the payment or deposit that a callback is about. */
import { callbackUrlOf, instructionId } from "../model/index.ts";
import { findByCorrelation } from "../store/changes.ts";
import { findInstruction } from "../store/instructions.ts";
import type { Workplace } from "../workplace/workplace.ts";

export type CalledBack = "in doubt" | "known";

/** `id`: the last part of the callbackUrl. Undefined if we created nothing with it. */
export function findCalledBack({ store, config }: Workplace, id: string): Promise<CalledBack | undefined> {
  return store.read(function* () {
    const payment = yield* findInstruction(instructionId(id));
    if (payment !== undefined) return payment.standing === "in doubt" ? "in doubt" : "known";
    const [deposit] = yield* findByCorrelation(callbackUrlOf(config.service.callbackUrl, id));
    if (deposit === undefined) return undefined;
    return deposit.outcome === "in doubt" ? "in doubt" : "known";
  });
}
