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
export function numberStyle(format: NumberFormat, source: TableSource) {
  const pointsNeedProof = source.format === "csv" && source.delimiter === ";";
  let showsOtherMarks = false;
  let showsDecimalPoint = false;
  let suspicious: ((what: Suspicion) => Problem) | undefined;
  return { see, problems };

  function see({ amountText, problems, place }: Pick<CheckedRow, "amountText" | "problems" | "place">): void {
    if (format !== "auto") return;
    showsOtherMarks ||= problems.some(
      ({ code }) => code === "AMOUNT_SEPARATOR_UNDECLARED" || code === "AMOUNT_AMBIGUOUS",
    );
    if (amountText === undefined) return;
    const second = readingWithPointsAsThousands(amountText)?.toString();
    if (second === undefined) showsDecimalPoint ||= isWrittenWithPoint(amountText);
    else
      suspicious ??= (what) =>
        place("amount", problem(what, { text: amountText, first: amountText, second }));
  }

  /** The problem found, if any; call it after all rows. */
  function problems(): Problem[] {
    if (suspicious === undefined) return [];
    if (showsOtherMarks) return [suspicious("AMOUNT_FORMATS_MIXED")];
    return pointsNeedProof && !showsDecimalPoint ? [suspicious("AMOUNT_POINT_UNCLEAR")] : [];
  }
}
