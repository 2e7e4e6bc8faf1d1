/**
 * Guards a change of `service.baseUrl`: is it the same service at a new address, or another environment? Payouts
 * made in the wrong one would look paid here without being paid, and a trial might pay for real.
 */
import { fault } from "../../faults/index.ts";
import { lookByIds } from "../../observation/index.ts";
import { findSeenElsewhere } from "../../store/visibility.ts";
import type { ExecutionTools } from "./tools.ts";

/** Throws ANOTHER_SERVICE if a new address does not show the payout paid last, and SERVICE_ faults. */
export async function checkSameService({ policy, ...tools }: ExecutionTools): Promise<void> {
  const { store, gateway } = tools;
  const { baseUrl } = gateway;
  const seen = await store.read(() => findSeenElsewhere(policy.keyId, baseUrl));
  if (seen === undefined) return;
  const { payoutId, baseUrl: before } = seen;
  const shown = await lookByIds(tools, [payoutId]);
  if (!shown.some((payout) => payout.payoutId === payoutId))
    throw fault("ANOTHER_SERVICE", { baseUrl, before, payoutId }, { key: "service.baseUrl" });
}
