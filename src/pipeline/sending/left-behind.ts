/**
 * Marks submissions and changes as in doubt that a dead process left without an outcome under a client key that is no
 * longer configured. No run takes that key's lane, so otherwise no person could ever decide about them.
 */
import { doubtEarlierChanges, doubtInterrupted } from "../../execution/index.ts";
import { listOpenChanges } from "../../store/changes.ts";
import { unlessTaken, whileHeld } from "../../store/store.ts";
import { listUnderWay } from "../../store/submissions.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { takeLane } from "./lane.ts";

/** Skips keys under which another process is still sending. */
export async function doubtLeftBehind(workplace: Workplace): Promise<void> {
  const { store, context, underKeys } = workplace;
  const own = new Set(underKeys.map((view) => view.service().keyId));
  const underWay = await store.read(function* () {
    const changes = (yield* listOpenChanges()).filter(({ outcome }) => outcome === undefined);
    return [...(yield* listUnderWay()), ...changes];
  });
  const others = new Set(underWay.map(({ keyId }) => keyId).filter((keyId) => !own.has(keyId)));
  for (const keyId of others) {
    const lane = await unlessTaken(takeLane(workplace, keyId));
    if (lane === undefined) continue;
    await whileHeld(store, lane, async (fenced) => {
      const ofLane = { store: fenced, context, policy: { keyId } };
      await doubtInterrupted(ofLane);
      await doubtEarlierChanges(ofLane);
    });
  }
}
