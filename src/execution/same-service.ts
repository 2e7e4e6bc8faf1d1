/**
 * Before anything is sent to another address than the last payout was: the same service under a new name, or another environment? What is paid
 * at the wrong one looks paid here and is not, and what was a trial may be paid for good.
 */
import { fault } from "../faults/index.ts";
import { lookByIds } from "../observation/index.ts";
import { findSeenElsewhere } from "../store/visibility.ts";
import type { ExecutionTools } from "./tools.ts";

/** Throws ANOTHER_SERVICE where it does not show what was paid last, and a SERVICE_ fault when it cannot be asked. */
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
