/** `paydrop pay again REFERENCE` */
import { payAgainStep } from "../../pipeline/pay-again-step.ts";
import type { DecisionOptions } from "../decision-options.ts";
import type { ExitCode } from "../exit-code.ts";
import { createdPayoutText } from "../render/created-payout-text.ts";
import { inWorkplace, type Session } from "../session.ts";
import { exitCodeOfCreation } from "./payouts.ts";

/** Exits with 4, because the new payment awaits approval. */
export function payAgainCommand(
  session: Session,
  reference: string,
  { reason, by, as = `${reference}-AGAIN` }: DecisionOptions & { readonly as?: string },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const created = await payAgainStep(workplace, { reference, newReference: as, reason, person: by });
    session.output.answer(created, (_, colors) => createdPayoutText(created, colors, false));
    return exitCodeOfCreation(created);
  });
}
