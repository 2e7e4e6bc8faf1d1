/** What the service shows after a change. That it cannot be asked then undoes nothing, and must not be told in the change's place. */
import { Fault, type Problem } from "../faults/index.ts";

export type ShownAfter<Shown> = { readonly shown: Shown } | { readonly problem: Problem };

/** Everything but a broken invariant is about the look alone. */
export async function shownAfter<Shown>(show: () => Promise<Shown>): Promise<ShownAfter<Shown>> {
  try {
    return { shown: await show() };
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.next === "stopped") throw error;
    return { problem: error.problem };
  }
}
