/** Whether a posting's figures can be money: a fee of 1e400 would balance, but programs could not read the file. */
import type { JournalLine } from "../../model/index.ts";
import type { Decimal } from "../../money/index.ts";

/** More than any real currency needs, and half of what hledger and ledger can hold. */
const WHOLE_DIGITS_MAX = 18;

/** The maximum that a currency can be configured with. */
const FRACTION_DIGITS_MAX = 30;

/** Why these lines cannot be booked; undefined if they can. */
export function unbookable(lines: readonly JournalLine[]): string | undefined {
  for (const { debit, credit, quantity } of lines)
    for (const figure of [debit, credit, quantity?.value]) {
      const reason = figure && tooLong(figure);
      if (reason !== undefined) return reason;
    }
  return undefined;
}

function tooLong(figure: Decimal): string | undefined {
  const [whole = "", fraction = ""] = figure.absolute().normalized().toString().split(".");
  if (whole.length <= WHOLE_DIGITS_MAX && fraction.length <= FRACTION_DIGITS_MAX) return undefined;
  return `it comes to a figure with ${whole.length} digits before the point and ${fraction.length} after it`;
}
