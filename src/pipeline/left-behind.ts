/**
 * What a dead process was sending under a client key that the configuration no longer has. No lane of ours sees to it; once nobody sends
 * under that key it is in doubt like everything else that was left, so that a person can decide about it.
 */
import { doubtWhatWasUnderWay } from "../execution/index.ts";
import { listUnderWay } from "../store/submissions.ts";
import { takeLane, unlessTaken, whileHeld } from "./lane.ts";
import type { Workplace } from "./workplace.ts";

/** Passes over what a process is sending still. */
export async function doubtWhatWasLeftBehind(workplace: Workplace): Promise<void> {
  const { store, context, underKeys } = workplace;
  const own = new Set(underKeys.map((view) => view.service().keyId));
  const underWay = await store.read(() => listUnderWay());
  const others = new Set(underWay.map(({ keyId }) => keyId).filter((keyId) => !own.has(keyId)));
  for (const keyId of others) {
    const lane = await unlessTaken(takeLane(workplace, keyId));
    if (lane === undefined) continue;
    await whileHeld(store, lane, (fenced) =>
      doubtWhatWasUnderWay({ store: fenced, context, policy: { keyId } }),
    );
  }
}
