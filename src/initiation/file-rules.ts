/** Rules about a file as a whole; breaking one rejects the file whatever its rows are. */
import { type Problem, problem } from "../faults/index.ts";
import { type ControlTotal, resultOf, type Table } from "../model/index.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { formatAmount } from "../money/index.ts";
import { namesOtherUnit } from "./amounts/other-unit.ts";
import type { InitiationPolicy } from "./policy.ts";
import { shownText } from "./shown-text.ts";

/** The problem of a file without payouts, or of a correction in which nothing was corrected. */
export function nothingToTake(rowsAcceptedBefore: number): Problem {
  return rowsAcceptedBefore === 0
    ? problem("FILE_HAS_NO_ROWS", {})
    : problem("FILE_HAS_NO_NEW_ROWS", { rows: rowsAcceptedBefore });
}

/** The first text above the header, or the sheet's name, that gives the amounts another unit. */
export function otherUnits({ titleLines = [], sheet }: Table): Problem[] {
  const place = sheet === undefined ? {} : { sheet };
  const notes = titleLines.flatMap(({ line, cells }) =>
    cells.map((cell) => ({ text: resultOf(cell).text, where: { ...place, line } })),
  );
  const found = [...notes, { text: sheet ?? "", where: place }].find(
    ({ text }) => namesOtherUnit(text) && !holdsPrivateKey(text),
  );
  return found === undefined
    ? []
    : [problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(found.text) }, found.where)];
}

/** One problem per currency whose sum exceeds its limit per file. */
export function limitsExceeded(totals: readonly ControlTotal[], { limits }: InitiationPolicy): Problem[] {
  return totals.flatMap(({ currency, amount }) => {
    const perFile = limits.perFile[currency];
    if (perFile === undefined || amount.compare(perFile) <= 0) return [];
    const sum = `the sum of ${formatAmount({ currency, value: amount })}`;
    const limit = formatAmount({ currency, value: perFile });
    return [
      problem("AMOUNT_OVER_LIMIT", {
        amount: sum,
        limit,
        scope: "per file",
        key: `limits.perFile.${currency}`,
      }),
    ];
  });
}
