/** What the service shows after a change. That it cannot be asked then undoes nothing, and must not be told in the change's place. */
import { Fault, type Problem } from "../faults/index.ts";

export interface ShownAfter<Shown> {
  readonly shown?: Shown;
  /** The state that it shows, or why it shows none. */
  readonly now: string | Problem;
  /** Why it shows none. */
  readonly problems?: readonly Problem[];
}

/** Everything but a broken invariant is about the look alone. */
export async function shownAfter<Shown>(
  show: () => Promise<Shown>,
  stateOf: (shown: Shown) => string,
): Promise<ShownAfter<Shown>> {
  try {
    const shown = await show();
    return { shown, now: stateOf(shown) };
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.next === "stopped") throw error;
    return { now: error.problem, problems: [error.problem] };
  }
}
