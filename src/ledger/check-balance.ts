/** Checks every entry when it is made and when it is written: debits equal credits, each line has one side. */
import { fault } from "../faults/index.ts";
import type { JournalEntry } from "../model/index.ts";
import { Decimal } from "../money/index.ts";

/** Throws LEDGER_UNBALANCED, which stops the run. */
export function checkBalance(entry: JournalEntry): void {
  const difference = whatIsWrong(entry);
  if (difference !== undefined) throw fault("LEDGER_UNBALANCED", { entryId: entry.entryId, difference });
}

function whatIsWrong({ lines }: JournalEntry): string | undefined {
  for (const [index, { debit, credit }] of lines.entries()) {
    if ((debit === undefined) === (credit === undefined)) {
      return `line ${index + 1} has ${debit === undefined ? "neither side" : "both sides"}`;
    }
    if (debit?.isNegative() || credit?.isNegative()) return `line ${index + 1} is negative`;
  }
  const debits = Decimal.sum(lines.flatMap(({ debit }) => debit ?? []));
  const credits = Decimal.sum(lines.flatMap(({ credit }) => credit ?? []));
  if (lines.length < 2) return `it has ${lines.length} lines`;
  return debits.equals(credits) ? undefined : `debits are ${debits}, credits ${credits}`;
}
