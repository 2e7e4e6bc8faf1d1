/** Writes an anchor after each commit of its database. An anchor that is ahead of the database stays as it is until a person removes it. */
import { type Fault, fault, readFailure } from "../faults/index.ts";
import type { Anchor, AnchorPoint } from "./anchor.ts";

export class AnchorKeeper {
  private readonly anchor: Anchor;
  /** The database is a restored one: the anchor must still show what it has lost. */
  private leavesIt: boolean;

  constructor(anchor: Anchor, isBehind: boolean) {
    this.anchor = anchor;
    this.leavesIt = isBehind;
  }

  /** False while an anchor that is ahead of the database is left as it is. */
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
