/**
 * Whether the request of an abandoned payment can no longer be carried out: only then may it be paid again under
 * another reference and nonce. Requires that the configured nonce rule makes its nonce invalid, and a look that shows
 * the payout which overtook it but not the payment.
 */
import { elapsedMs, type Instruction, type Submission } from "../../model/index.ts";
import { knownForInstruction, type ObservationTools } from "../../observation/index.ts";
import { isTimedByThisClock } from "../../store/engines/lane-clocks.ts";
import { findOvertaker, visibilityOf } from "../../store/visibility.ts";
import type { ExecutionPolicy } from "../tools.ts";
import { whyAbsenceSaysLittle } from "./resend.ts";
import { lookBeside } from "./witnessed-look.ts";

type DeathPolicy = Pick<ExecutionPolicy, "keyId" | "nonceRule" | "nonceWindow" | "settleMs">;

/**
 * Why the request may still be carried out, or may have been; undefined when neither is possible. Throws a SERVICE_
 * fault when the service cannot be asked.
 */
export async function whyNotProvenDead(
  tools: ObservationTools,
  { keyId, nonceRule, nonceWindow = 0, settleMs }: DeathPolicy,
  instruction: Instruction,
  submission: Submission,
): Promise<string | undefined> {
  const { store, context } = tools;
  if (nonceRule !== "increasing")
    return `its request may still arrive: \`nonce.rule: ${nonceRule}\` does not say that an overtaken nonce is dead`;
  if (submission.keyId !== keyId) return "it was sent with another client key";
  const { isTimedHere, overtaker } = await store.read(function* () {
    const isTimed = yield* isTimedByThisClock(keyId);
    return { isTimedHere: isTimed, overtaker: yield* findOvertaker(submission, BigInt(nonceWindow)) };
  });
  if (!isTimedHere)
    return "it may still show: the settle window runs on the clock of the machine that sent last; ask there";
  if (overtaker === undefined)
    return "its request may still arrive: no payout with a higher nonce has been accepted and seen since";
  const waitedMs = elapsedMs(overtaker.endedMonotonicMs, context.clock.monotonicMs());
  if (waitedMs < settleMs)
    return "it may still show: the settle window since the payout that overtook it is not over";
  const unreliable = whyAbsenceSaysLittle(await store.read(() => visibilityOf(keyId)), settleMs);
  if (unreliable !== undefined) return unreliable;
  const { absence } = await lookBeside(tools, [instruction.fields.reference], overtaker);
  const [shown] = await store.read(() => knownForInstruction(instruction));
  if (shown !== undefined) return `the service shows payout ${shown.payoutId} under its reference`;
  return absence.worth === "witnessed" ? undefined : "the look for it was incomplete; try again";
}
