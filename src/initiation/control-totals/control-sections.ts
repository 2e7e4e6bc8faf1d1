/** Adds up the rows of each section between lines of totals, and of the whole file. */
import { addControlTotals, type ControlTotal, RunningTotals } from "../../model/index.ts";
import type { CheckedRow } from "../row-checker.ts";

/** Count and sums of some rows, good and bad ones together. */
export interface FoundTotals {
  readonly firstLine: number;
  readonly rowCount: number;
  /** Sums over the rows whose amount and currency could be read. */
  readonly totals: readonly ControlTotal[];
}

/** Takes rows in file order. A section ends where rows continue after one or more lines of totals. */
export class ControlSections {
  /** Line of the first row whose amount or currency could not be read. */
  firstUnread: number | undefined;
  private readonly closed: RunningSection[] = [];
  private open: RunningSection | undefined;
  private readonly ends: number[] = [];

  /** Records a line of totals, which closes the section above it. */
  endAt(line: number): void {
    this.ends.push(line);
  }

  see({ line, asked }: Pick<CheckedRow, "line" | "asked">): void {
    this.closeAbove(line);
    if (asked === undefined) this.firstUnread ??= line;
    this.open ??= new RunningSection(line);
    this.open.add(asked);
  }

  ofFile(): FoundTotals {
    const sections = this.all();
    const rowCount = sections.reduce((count, section) => count + section.rowCount, 0);
    return { firstLine: 0, rowCount, totals: addControlTotals(sections.flatMap(({ totals }) => totals)) };
  }

  /** All sections in file order, including the rows below the last line of totals. */
  all(): FoundTotals[] {
    return [...this.closed, ...(this.open === undefined ? [] : [this.open])].map((section) =>
      section.found(),
    );
  }

  private closeAbove(line: number): void {
    while ((this.ends[0] ?? line) < line) {
      this.ends.shift();
      if (this.open !== undefined) this.closed.push(this.open);
      this.open = undefined;
    }
  }
}

class RunningSection {
  private readonly firstLine: number;
  private rowCount = 0;
  private readonly asked = new RunningTotals();

  constructor(firstLine: number) {
    this.firstLine = firstLine;
  }

  add(asked: CheckedRow["asked"]): void {
    this.rowCount += 1;
    if (asked !== undefined) this.asked.add(asked);
  }

  found(): FoundTotals {
    return { firstLine: this.firstLine, rowCount: this.rowCount, totals: this.asked.totals() };
  }
}
