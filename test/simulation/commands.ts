/** What people order while a run is under way: one command after the other, each in its own process. */
import type { Ending, Life, Work } from "./life.ts";

export interface CommandDoors {
  newLife(): Life;
  begin(life: Life, work: Work, onEnding: (ending: Ending) => void): void;
  trace(text: string): void;
}

export class Commands {
  private readonly doors: CommandDoors;
  /** The first command is running, so that nobody lifts an order before it is given. */
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

  /** Kills the process of the command that is running. */
  die(): void {
    this.life?.die();
    this.life = undefined;
  }

  /** If a command died, its person gives it again. */
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
