/** What keeps every payment from being sent, apart from any one of them: a stop order, a restored database, machines that differ. */
import { Fault, type Problem } from "../../faults/index.ts";
import { present } from "../../model/present.ts";
import { anchorOf, checkAnchor } from "../../store/anchor.ts";
import { stopOrder } from "../sending/stop-order.ts";
import { type Disagreements, disagreements } from "../workplace/agreement.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface WhyNothingIsSent {
  /** The order that stands, in words. */
  readonly stopOrder?: string;
  /** The database was restored or exchanged, so that all that is told of it may be old. */
  readonly restored?: Problem;
  /** How machines that share the database differ from this one; only what is binding stops it. */
  readonly machines: Disagreements;
}

export async function whyNothingIsSent(workplace: Workplace): Promise<WhyNothingIsSent> {
  const order = await stopOrder(workplace);
  const restored = await restoredDatabase(workplace);
  return { ...present({ stopOrder: order?.reason, restored }), machines: await disagreements(workplace) };
}

/** Undefined while the database is as new as its anchor. */
export async function restoredDatabase({ store, config }: Workplace): Promise<Problem | undefined> {
  try {
    await store.read(checkAnchor(anchorOf(config)));
    return undefined;
  } catch (error) {
    const isAbout = error instanceof Fault && ANCHOR_CODES.has(error.problem.code);
    if (!isAbout) throw error;
    return error.problem;
  }
}

const ANCHOR_CODES: ReadonlySet<string> = new Set([
  "DATABASE_BEHIND_ANCHOR",
  "DATABASE_COPIED",
  "ANCHOR_UNREADABLE",
]);
