/** Counts what became of the instructions of one run, as they stand at its end: a doubt that a look has resolved counts as resolved. */
import type { InstructionId, Outcome } from "../model/index.ts";
import type { Resolution } from "./doubts/doubt.ts";

export interface Figures {
  readonly accepted: number;
  readonly refused: number;
  /** Still. */
  readonly inDoubt: number;
  readonly notSent: number;
  readonly held: number;
  /** How many of the run's own submissions were in doubt at some time, whatever they are now. */
  readonly doubtedOnTheWay: number;
}

export class Tally {
  private readonly settled = { accepted: 0, refused: 0, held: 0 };
  /** Only what is not settled is known by its id: a run may be long. */
  private readonly open = new Map<InstructionId, "in doubt" | "not sent">();
  private doubted = 0;

  get sawDoubt(): boolean {
    return this.doubted > 0;
  }

  /** The outcome of a submission; of one instruction there may be several, when it was not sent at first. */
  take(id: InstructionId, { kind }: Outcome): void {
    this.open.delete(id);
    if (kind === "accepted" || kind === "refused") {
      this.settled[kind] += 1;
      return;
    }
    this.open.set(id, kind);
    if (kind === "in doubt") this.doubted += 1;
  }

  /** It was not sent, because the service had it already. */
  hold(count: number): void {
    this.settled.held += count;
  }

  /** The figures after looking: resolutions of other runs' doubts change nothing. */
  figuresAfter(resolutions: readonly Resolution[]): Figures {
    const open = new Map(this.open);
    const settled = { ...this.settled };
    for (const { instruction, now } of resolutions) {
      if (now === "in doubt" || open.get(instruction.id) !== "in doubt") continue;
      open.delete(instruction.id);
      settled[now] += 1;
    }
    const count = (kind: "in doubt" | "not sent") => [...open.values()].filter((one) => one === kind).length;
    return {
      ...settled,
      inDoubt: count("in doubt"),
      notSent: count("not sent"),
      doubtedOnTheWay: this.doubted,
    };
  }
}
