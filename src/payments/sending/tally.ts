/**
 * The results of one run's instructions, as of its end: a doubt that a look resolved counts as resolved. Also
 * collects the problems met on the way.
 */
import type { Problem } from "../../faults/index.ts";
import type { Instruction, InstructionId, Outcome } from "../../model/index.ts";
import type { Resolution } from "./doubts/doubt.ts";

export interface OutcomeCounts {
  readonly accepted: number;
  readonly refused: number;
  readonly inDoubt: number;
  readonly notSent: number;
  readonly held: number;
  /** Submissions of this run that were in doubt at any time, resolved or not. */
  readonly doubtedOnTheWay: number;
}

export class Tally {
  private readonly settled = { accepted: 0, refused: 0, held: 0 };
  /** Only unsettled instructions are kept by id, as a run may be long. */
  private readonly open = new Map<InstructionId, "in doubt" | "not sent">();
  private readonly postponed = new Set<InstructionId>();
  private readonly noted: Problem[] = [];
  private doubted = 0;

  get sawDoubt(): boolean {
    return this.doubted > 0;
  }

  /** Counts the result of one submission. An instruction that was not sent at first may have several. */
  take(id: InstructionId, became: Outcome["kind"] | "held"): void {
    this.open.delete(id);
    if (became === "in doubt" || became === "not sent") this.open.set(id, became);
    else this.settled[became] += 1;
    if (became === "in doubt") this.doubted += 1;
  }

  /** Counts instructions that were held because the service already had a payout for them. */
  hold(whys: readonly Problem[]): void {
    this.settled.held += whys.length;
    this.note(whys);
  }

  /** Counts an instruction that this run does not send; reports it once, however often it comes up. */
  postpone({ id }: Instruction, why: Problem): void {
    if (!this.postponed.has(id)) this.note([why]);
    this.postponed.add(id);
  }

  note(problems: readonly Problem[]): void {
    this.noted.push(...problems);
  }

  get postponedCount(): number {
    return this.postponed.size;
  }

  get problems(): readonly Problem[] {
    return this.noted;
  }

  /** The counts after the last look. Resolutions of other runs' doubts change nothing. */
  countsAfter(resolutions: readonly Resolution[]): OutcomeCounts {
    const open = new Map(this.open);
    const settled = { ...this.settled };
    for (const { instruction, now } of resolutions) {
      if (now === "in doubt" || open.get(instruction.id) !== "in doubt") continue;
      open.delete(instruction.id);
      settled[now] += 1;
    }
    const count = (kind: "in doubt" | "not sent") =>
      [...open.values()].filter((state) => state === kind).length;
    return {
      ...settled,
      inDoubt: count("in doubt"),
      notSent: count("not sent"),
      doubtedOnTheWay: this.doubted,
    };
  }
}
