/** Targets with the chart's names for their accounts, and the names that a target cannot hold. */

import { type Problem, problem } from "../../faults/index.ts";
import type { JournalEntry, JournalLine, LedgerAccount, LedgerTable } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { type JournalFormat, oneLine } from "../../writing/cell-text.ts";
import { canNameAccount } from "../chart/plain-name.ts";
import { HLEDGER, namesFor, type TargetNames } from "../chart/target-names.ts";
import { unfittingInTable } from "./unfitting.ts";

export interface NamedTable {
  /** Its `accounts` are the chart's names; the configuration's name counts if it has one. */
  readonly table: LedgerTable;
  /** By code, why the target cannot hold the chart's name for an account; with file, line and column. */
  readonly unfit: ReadonlyMap<string, Problem>;
}

export function namedTables(
  tables: readonly LedgerTable[],
  names: TargetNames,
  format: JournalFormat,
): readonly NamedTable[] {
  return tables.map((bare) => {
    const { accounts = {} } = bare;
    const table = { ...bare, accounts: { ...namesFor(names, bare.name), ...accounts } };
    const reason = unfittingInTable(table, format);
    const unfit = unfitNames(names, bare.name, (code, name) => {
      if (accounts[code] !== undefined) return undefined;
      const { message = "" } = reason(entryOn({ code, name }, format)) ?? {};
      return message.includes(oneLine(name)) ? message : undefined;
    });
    return { table, unfit };
  });
}

/** The same for the journal, whose names hledger and ledger must be able to read. */
export function unfitInJournal(names: TargetNames): NamedTable["unfit"] {
  return unfitNames(names, HLEDGER, (_code, name) =>
    canNameAccount(name) ? undefined : "hledger and ledger cannot read such a name",
  );
}

function unfitNames(
  { file, byTarget }: TargetNames,
  target: string,
  reasonOf: (code: string, name: string) => string | undefined,
): NamedTable["unfit"] {
  const found = new Map<string, Problem>();
  for (const [code, { name, line }] of byTarget.get(target) ?? []) {
    const reason = reasonOf(code, name);
    const column = `account.${target}`;
    const params = { target, code, name, line, column };
    if (reason !== undefined)
      found.set(code, problem("LEDGER_NAME_REFUSED", { ...params, reason }, { file, line, column }));
  }
  return found;
}

/** Why the table cannot hold the booking of a chart line. Its names for accounts are checked separately. */
export function unfitBooking(
  { table, unfit }: NamedTable,
  booking: Partial<JournalLine> & Pick<JournalLine, "account">,
  format: JournalFormat,
): string | undefined {
  if (unfit.has(booking.account.code)) return undefined;
  return unfittingInTable(table, format, true)(entryOn(booking.account, format, booking))?.message;
}

/** A sample entry that books to this account. */
function entryOn(
  account: LedgerAccount,
  { functionalCurrency, scales }: JournalFormat,
  more: Partial<JournalLine> = {},
): JournalEntry {
  // With its decimals, as amounts are booked: a column may want them.
  const value = Decimal.of("1").rounded(scales.scaleOf(functionalCurrency) ?? 2);
  const line = { accountKey: "", account, memo: "", ...more };
  return {
    ...{ entryId: "payout:0:settle:1", factId: "payout:0:settle", revision: 1, contentHash: "" },
    ...{ kind: "payout-settle", sourceId: "0", sourceState: "", narration: "", currency: "" },
    ...{ bookDay: "2000-01-01", documentDay: "2000-01-01", valueInstant: "2000-01-01T00:00:00.000Z" },
    lines: [
      { ...line, debit: value },
      { ...line, credit: value },
    ],
  };
}

/** Why the chart's name for one of the entry's accounts cannot be held. */
export function unfitNameIn(unfit: NamedTable["unfit"], { lines }: JournalEntry): Problem | undefined {
  if (unfit.size === 0) return undefined;
  for (const { account } of lines) {
    const found = unfit.get(account.code);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Why one of the targets cannot hold an entry. Leaves out values that only the chart adds (names for that target,
 * dimensions and parties): they keep the entry from that target only. `everyLetter`: also if a project or
 * distribution would get a question mark.
 */
export function unfittingIn(
  tables: readonly NamedTable[],
  format: JournalFormat,
  everyLetter = false,
): (entry: JournalEntry) => Problem | undefined {
  const checks = tables.map(({ table, unfit }) => ({
    unfit,
    check: unfittingInTable(table, format, everyLetter),
  }));
  return (entry) => {
    for (const { unfit, check } of checks) {
      const found = unfitNameIn(unfit, entry) === undefined ? check(entry) : undefined;
      const isOfChart = found !== undefined && check(withoutAttributes(entry)) === undefined;
      if (found !== undefined && !isOfChart) return found;
    }
    return undefined;
  };
}

function withoutAttributes(entry: JournalEntry): JournalEntry {
  return { ...entry, lines: entry.lines.map(({ dimensions: _, party: _party, ...line }) => line) };
}
