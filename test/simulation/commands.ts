/** What people ask for while something runs: one command after the other, each in a process of its own beside whatever runs. */
import type { Ending, Life, Work } from "./life.ts";

export interface CommandDoors {
  newLife(): Life;
  begin(life: Life, work: Work, onEnding: (ending: Ending) => void): void;
  trace(text: string): void;
}

export class Commands {
  private readonly doors: CommandDoors;
  /** The first of them is under way: nobody lifts an order that is not given yet. */
  private readonly waiting: Work[] = [];
  private life: Life | undefined;

  constructor(doors: CommandDoors) {
    this.doors = doors;
  }

  get areDone(): boolean {
    return this.waiting.length === 0;
  }

  give(work: Work): void {
    this.waiting.push(work);
    if (this.waiting.length === 1) this.beginNext();
  }

  /** The process of the one that is under way dies. */
  die(): void {
    this.life?.die();
    this.life = undefined;
  }

  /** Who gave a command that died gives it again. */
  giveAgain(): void {
    this.beginNext();
  }

  private beginNext(): void {
    const [work] = this.waiting;
    if (work === undefined) return;
    const life = this.doors.newLife();
    this.life = life;
    this.doors.begin(life, work, (ending) => {
      this.die();
      this.doors.trace(`a command: ${JSON.stringify(ending)}`);
      this.waiting.shift();
      this.beginNext();
    });
  }
}
