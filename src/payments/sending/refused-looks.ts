/**
 * Looks for a payment that the service refused. The refusal may have been the answer to another request on the same
 * connection, or be untrue, and people answer a refusal by submitting the payment again under a new reference.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { unlessServiceFails } from "../../gateway/index.ts";
import type { Instruction, ObservedPayout, Outcome } from "../../model/index.ts";
import type { ObservationTools } from "../../observation/index.ts";
import { getInstruction } from "../../store/instructions.ts";
import type { Transaction } from "../../store/sql.ts";
import { type Absence, lookForPayment } from "./doubts/witnessed-look.ts";
import { hold } from "./settle.ts";
import type { ExecutionTools } from "./tools.ts";

export interface RefusedLook {
  /** Why the payment is held: the service has a payout for it. */
  readonly made: string | undefined;
  /** What its absence from the look proves. */
  readonly absence: Absence;
}

/** Looks for a refused payment, and holds it if the service made it after all. Throws a SERVICE_ fault. */
export async function lookForRefused(
  tools: ObservationTools,
  keyId: string,
  instruction: Instruction,
): Promise<RefusedLook> {
  const { store, context } = tools;
  const { id, fields } = instruction;
  const { shown, absence } = await lookForPayment(tools, keyId, instruction);
  if (shown.length === 0) return { made: undefined, absence };
  const made = madeAfterAll(shown);
  await store.write(function* (): Transaction<void> {
    const { standing } = yield* getInstruction(id);
    if (standing === "refused") yield* hold(id, fields.reference, made, context.clock.now());
  });
  return { made, absence };
}

/**
 * As `lookForRefused`, right after the refusal; returns the problem to report. Believes the refusal if the service
 * cannot be asked or the look is incomplete.
 */
export async function lookAfterRefusal(
  tools: ExecutionTools,
  instruction: Instruction,
  { httpStatus: status, evidence: text }: Extract<Outcome, { kind: "refused" }>,
): Promise<Problem> {
  const { reference } = instruction.fields;
  const look = await unlessServiceFails(
    () => lookForRefused(tools, tools.policy.keyId, instruction),
    () => undefined,
  );
  if (look?.made === undefined) return problem("PAYOUT_REFUSED", { status, text }, { reference });
  tools.gateway.renewConnections();
  return problem("PAYOUT_HELD", { reason: look.made }, { reference });
}

/** The reason for holding a refused payment that the service made after all. */
export function madeAfterAll(shown: readonly ObservedPayout[]): string {
  return `it was refused, but the service has payout ${shown.map(({ payoutId }) => payoutId).join(", ")} for it`;
}
