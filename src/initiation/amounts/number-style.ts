/**
 * Checks whether a file's amounts agree on what a point means. Under "auto" the text "1.234" is read with a decimal
 * point. It was probably meant as 1234 if other amounts in the file use a decimal comma, or if columns are separated by
 * semicolons (as programs do where the decimal comma is customary) and no amount shows otherwise. Then the whole file
 * is refused.
 */
import { type Problem, problem } from "../../faults/index.ts";
import type { TableSource } from "../../model/index.ts";
import type { CheckedRow } from "../row-checker.ts";
import { isWrittenWithPoint, type NumberFormat, readingWithPointsAsThousands } from "./number-format.ts";

type Suspicion = "AMOUNT_FORMATS_MIXED" | "AMOUNT_POINT_UNCLEAR";

/** Is shown the rows one by one and remembers only the first suspicious one. */
export class NumberStyle {
  private readonly format: NumberFormat;
  private readonly pointsNeedProof: boolean;
  private showsOtherMarks = false;
  private showsDecimalPoint = false;
  private suspicious: ((what: Suspicion) => Problem) | undefined;

  constructor(format: NumberFormat, source: TableSource) {
    this.format = format;
    this.pointsNeedProof = source.format === "csv" && source.delimiter === ";";
  }

  see({ amountText, problems, place }: Pick<CheckedRow, "amountText" | "problems" | "place">): void {
    if (this.format !== "auto") return;
    this.showsOtherMarks ||= problems.some(
      ({ code }) => code === "AMOUNT_SEPARATOR_UNDECLARED" || code === "AMOUNT_AMBIGUOUS",
    );
    if (amountText === undefined) return;
    const second = readingWithPointsAsThousands(amountText)?.toString();
    if (second === undefined) this.showsDecimalPoint ||= isWrittenWithPoint(amountText);
    else
      this.suspicious ??= (what) =>
        place("amount", problem(what, { text: amountText, first: amountText, second }));
  }

  /** The problem found, if any; call it after all rows. */
  problems(): Problem[] {
    if (this.suspicious === undefined) return [];
    if (this.showsOtherMarks) return [this.suspicious("AMOUNT_FORMATS_MIXED")];
    return this.pointsNeedProof && !this.showsDecimalPoint ? [this.suspicious("AMOUNT_POINT_UNCLEAR")] : [];
  }
}
