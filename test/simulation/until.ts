/** Runs the events of a simulated world one after the other until a condition holds. */
import { checkNothingOutside, drained } from "./no-way-out.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Between two events all promises run to their end. Throws if nothing more can happen. */
export async function until(time: VirtualTime, isOver: () => boolean): Promise<void> {
  for (;;) {
    await drained();
    checkNothingOutside();
    if (isOver()) return;
    if (!time.step()) throw new Error("the run waits for something that virtual time does not know of");
  }
}
