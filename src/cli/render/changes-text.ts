/** State changes as the service showed them, counted by the way they took: a batch moves together. */
import type { StateChange } from "../../observation/index.ts";
import { counted } from "./counted.ts";

export function changesText(changes: readonly StateChange[]): string {
  const ways = Map.groupBy(changes, ({ kind, from, to }) =>
    [kind, from === undefined ? to : `${from} -> ${to}`].join(" "),
  );
  return [...ways]
    .map(([way, all]) => {
      const [kind = "", ...states] = way.split(" ");
      return `${counted(all.length, kind)} ${states.join(" ")}`;
    })
    .join(", ");
}
