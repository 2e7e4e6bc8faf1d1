/** The reasons that stop all sending: a stop order, a restored database, or machines with different settings. */
import { isProblem, orProblem, type Problem } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { stopOrder } from "../payments/run/stop-order.ts";
import { anchorOf, checkAnchor } from "../store/anchor.ts";
import { type Disagreements, disagreements } from "../workplace/agreement.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface WhyNothingIsSent {
  /** The text of the stop order in force. */
  readonly stopOrder?: string;
  /** The database was restored or replaced, so its content may be out of date. */
  readonly restored?: Problem;
  /** How other machines' settings differ; only binding differences stop sending. */
  readonly machines: Disagreements;
}

export async function whyNothingIsSent(workplace: Workplace): Promise<WhyNothingIsSent> {
  const order = await stopOrder(workplace);
  const restored = await restoredDatabase(workplace);
  return { ...present({ stopOrder: order?.reason, restored }), machines: await disagreements(workplace) };
}

/** The problem of a database behind its anchor; undefined if it is not behind. */
export async function restoredDatabase({ store, config }: Workplace): Promise<Problem | undefined> {
  const checking = () => store.read(checkAnchor(anchorOf(config)));
  const found = await orProblem(checking, ({ code }) => ANCHOR_CODES.has(code));
  return isProblem(found) ? found : undefined;
}

const ANCHOR_CODES: ReadonlySet<string> = new Set([
  "DATABASE_BEHIND_ANCHOR",
  "DATABASE_COPIED",
  "DATABASE_FROM_SERVER",
  "DATABASE_MOVED",
  "ANCHOR_UNREADABLE",
]);
