/** Payouts and deposits that the service shows in an earlier state than it has shown before. */
import { chunks } from "../model/chunks.ts";
import { type FormerState, furtherState } from "../model/index.ts";
import { listStatesEverSeen, type ObservedKind } from "../store/observed.ts";
import { ITEMS_PER_STATEMENT, type Transaction } from "../store/sql.ts";

/**
 * By id, the furthest state that an element was ever seen in, only for elements in an earlier state now. `now`: by
 * id, the state.
 */
export function* statesBefore(
  kind: ObservedKind,
  now: ReadonlyMap<string, string>,
): Transaction<ReadonlyMap<string, FormerState>> {
  const before = new Map<string, FormerState>();
  for (const ids of chunks([...now.keys()], ITEMS_PER_STATEMENT)) {
    const seenOf = Map.groupBy(yield* listStatesEverSeen(kind, ids), ({ id }) => id);
    for (const [id, seen] of seenOf) {
      const further = furtherState(kind, now.get(id) ?? "", seen);
      if (further !== undefined) before.set(id, { state: further.state, seenAt: further.seenAt });
    }
  }
  return before;
}
