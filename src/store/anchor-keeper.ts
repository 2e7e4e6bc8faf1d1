/** Moves an anchor along with its database, and leaves alone one that the database is behind of until a person has removed it. */
import { type Fault, fault, readFailure } from "../faults/index.ts";
import type { Anchor, AnchorPoint } from "./anchor.ts";

export class AnchorKeeper {
  private readonly anchor: Anchor;
  /** What is written to a restored database must not make its anchor forget what was lost. */
  private leavesIt: boolean;

  constructor(anchor: Anchor, isBehind: boolean) {
    this.anchor = anchor;
    this.leavesIt = isBehind;
  }

  /** Whether the database has always been the newest there was. */
  get isKept(): boolean {
    return !this.leavesIt;
  }

  /**
   * Called behind the flush: an anchor ahead of its database would stop everything after a crash. Returns why it cannot be written:
   * what was committed stands all the same, but nothing more may be.
   */
  move(point: AnchorPoint): Fault | undefined {
    try {
      this.leavesIt &&= this.anchor.isThere;
      if (!this.leavesIt) this.anchor.write(point);
      return undefined;
    } catch (cause) {
      return fault(
        "DATABASE_UNUSABLE",
        { path: this.anchor.path, reason: readFailure(cause) },
        {},
        { cause },
      );
    }
  }

  close(): void {
    this.anchor.close();
  }
}
