/** The rows of a file in the sections between its lines of totals, and what each section and the whole file come to. */
import { type ControlTotal, RunningTotals } from "../../model/index.ts";
import type { CheckedRow } from "../row-checker.ts";

/** What some rows come to, good and bad ones together. */
export interface FoundTotals {
  readonly firstLine: number;
  readonly rowCount: number;
  /** Of the rows whose amount and currency could be read. */
  readonly totals: readonly ControlTotal[];
}

/** Rows are seen in file order. A section ends where rows go on below a line of totals, so that several such lines may close it. */
export class ControlSections {
  /** The line of the first row whose amount or currency is not known. */
  firstUnread: number | undefined;
  private readonly whole = new RunningSection(0);
  private readonly closed: RunningSection[] = [];
  private open: RunningSection | undefined;
  private readonly ends: number[] = [];

  /** A line of totals, which closes the rows above it. */
  endAt(line: number): void {
    this.ends.push(line);
  }

  see({ line, asked }: Pick<CheckedRow, "line" | "asked">): void {
    this.closeAbove(line);
    if (asked === undefined) this.firstUnread ??= line;
    this.open ??= new RunningSection(line);
    for (const section of [this.whole, this.open]) section.add(asked);
  }

  ofFile(): FoundTotals {
    return this.whole.found();
  }

  /** In file order; with the rows below the last line of totals, where there are any. */
  all(): FoundTotals[] {
    return [...this.closed, ...(this.open === undefined ? [] : [this.open])].map((each) => each.found());
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
