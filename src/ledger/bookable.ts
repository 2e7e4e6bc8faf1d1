/**
 * Whether the figures of a posting can be money. A service that errs may show a fee of 1e400: it balances, and no program reads the file
 * in which it stands.
 */
import type { JournalLine } from "../model/index.ts";
import type { Decimal } from "../money/index.ts";

/** More than of any currency there is; half of what hledger's and ledger's amounts hold. */
const WHOLE_DIGITS_MAX = 18;

/** As many as a currency can be given in the configuration. */
const FRACTION_DIGITS_MAX = 30;

/** Why these lines cannot be booked, in words; undefined where they can. */
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
