/** Lets the events of a simulated world happen, one after the other, until something has come. */
import { checkNothingOutside, drained } from "./no-way-out.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Between two events every promise is let run to its end. Throws when nothing more can happen. */
export async function until(time: VirtualTime, isOver: () => boolean): Promise<void> {
  for (;;) {
    await drained();
    checkNothingOutside();
    if (isOver()) return;
    if (!time.step()) throw new Error("the run waits for something that virtual time does not know of");
  }
}
