/**
 * Whether a file's amounts contradict each other. Under "auto" the text "1.234" is read with a decimal point; where other
 * amounts of the same file show a decimal comma, it was probably meant as 1234, and the file is refused as a whole.
 */
import { type Problem, problem } from "../../faults/index.ts";
import type { CheckedRow } from "../row-checker.ts";
import { type NumberFormat, readingWithPointsAsThousands } from "./number-format.ts";

/** Sees the rows one by one and remembers no more than the first suspicious one. */
export class NumberStyle {
  private readonly format: NumberFormat;
  private showsOtherMarks = false;
  private suspicious: Problem | undefined;

  constructor(format: NumberFormat) {
    this.format = format;
  }

  see({ amountText, problems, place }: Pick<CheckedRow, "amountText" | "problems" | "place">): void {
    if (this.format !== "auto") return;
    this.showsOtherMarks ||= problems.some(
      ({ code }) => code === "AMOUNT_SEPARATOR_UNDECLARED" || code === "AMOUNT_AMBIGUOUS",
    );
    if (this.suspicious !== undefined || amountText === undefined) return;
    const second = readingWithPointsAsThousands(amountText)?.toString();
    if (second === undefined) return;
    const what = problem("AMOUNT_FORMATS_MIXED", { text: amountText, first: amountText, second });
    this.suspicious = place("amount", what);
  }

  /** The contradiction, once all rows were seen. */
  problems(): Problem[] {
    return this.showsOtherMarks && this.suspicious !== undefined ? [this.suspicious] : [];
  }
}
