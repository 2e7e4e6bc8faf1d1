/** State changes as the service showed them, counted per way: a batch moves together. */
import type { StateChange } from "../../observation/index.ts";

export function changesText(changes: readonly StateChange[]): string {
  const ways = Map.groupBy(changes, ({ kind, from, to }) =>
    from === undefined ? `${kind} ${to}` : `${kind} ${from} -> ${to}`,
  );
  return [...ways].map(([way, all]) => `${all.length} x ${way}`).join(", ");
}
