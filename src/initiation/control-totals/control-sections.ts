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
  private readonly sections: { firstLine: number; rowCount: number; sums: RunningTotals }[] = [];
  private readonly ends: number[] = [];

  /** Records a line of totals, which closes the section above it. */
  endAt(line: number): void {
    this.ends.push(line);
  }

  see({ line, asked }: Pick<CheckedRow, "line" | "asked">): void {
    const section = this.sectionAt(line);
    section.rowCount += 1;
    if (asked === undefined) this.firstUnread ??= line;
    else section.sums.add(asked);
  }

  ofFile(): FoundTotals {
    const sections = this.all();
    const rowCount = sections.reduce((count, section) => count + section.rowCount, 0);
    return { firstLine: 0, rowCount, totals: addControlTotals(sections.flatMap(({ totals }) => totals)) };
  }

  /** All sections in file order, including the rows below the last line of totals. */
  all(): FoundTotals[] {
    return this.sections.map(({ sums, ...section }) => ({ ...section, totals: sums.totals() }));
  }

  private sectionAt(firstLine: number) {
    let open = this.sections.at(-1);
    while ((this.ends[0] ?? firstLine) < firstLine) {
      this.ends.shift();
      open = undefined;
    }
    if (open !== undefined) return open;
    const section = { firstLine, rowCount: 0, sums: new RunningTotals() };
    this.sections.push(section);
    return section;
  }
}
