/**
 * Writes the anchor after each commit. An anchor that is ahead of its database is left alone until a person removes it.
 */
import { type Fault, fault, readFailure } from "../faults/index.ts";
import type { Anchor, AnchorPoint } from "./anchor.ts";

export class AnchorKeeper {
  private readonly anchor: Anchor;
  /** The database was restored: the anchor must keep showing what it has lost. */
  private leavesIt: boolean;

  constructor(anchor: Anchor, isBehind: boolean) {
    this.anchor = anchor;
    this.leavesIt = isBehind;
  }

  /** False while an anchor ahead of the database is left alone. */
  get isKept(): boolean {
    return !this.leavesIt;
  }

  /**
   * Moves the anchor; call it after the flush, because an anchor ahead of its database would stop everything after a
   * crash. Returns the fault if it cannot be written: what was committed is safe, but nothing more may be committed.
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
