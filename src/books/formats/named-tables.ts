/**
 * Targets with the chart's names for their accounts, and which names and entries they cannot hold. Checked before
 * money moves, before posting, and before a batch is issued.
 */
import { isProblem, type Problem, problem } from "../../faults/index.ts";
import type { JournalEntry, JournalLine, LedgerAccount, LedgerTable } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { type JournalFormat, oneLine } from "../../writing/cell-text.ts";
import { canNameAccount } from "../chart/plain-name.ts";
import { HLEDGER, namesFor, type TargetNames } from "../chart/target-names.ts";
import { functionalScale } from "../rules/policy.ts";
import { unfittingInBeancount } from "./beancount.ts";
import { ACCOUNTS, entryWriter, LOOKED_UP } from "./ledger-rows.ts";

export interface NamedTable {
  /** Its `accounts` are the chart's names; the configuration's name counts if it has one. */
  readonly table: LedgerTable;
  /** By code, why the target cannot hold the chart's name for an account; with file, line and column. */
  readonly refusedNames: ReadonlyMap<string, Problem>;
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
    const refusedNames = refusedNamesOf(names, bare.name, (code, name) => {
      if (accounts[code] !== undefined) return undefined;
      const { message = "" } = reason(entryOn({ code, name }, format)) ?? {};
      return message.includes(oneLine(name)) ? message : undefined;
    });
    return { table, refusedNames };
  });
}

/** The same for the journal, whose names hledger and ledger must be able to read. */
export function refusedNamesInJournal(names: TargetNames): NamedTable["refusedNames"] {
  return refusedNamesOf(names, HLEDGER, (_code, name) =>
    canNameAccount(name) ? undefined : "hledger and ledger cannot read such a name",
  );
}

function refusedNamesOf(
  { file, byTarget }: TargetNames,
  target: string,
  reasonOf: (code: string, name: string) => string | undefined,
): NamedTable["refusedNames"] {
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
  { table, refusedNames }: NamedTable,
  booking: Partial<JournalLine> & Pick<JournalLine, "account">,
  format: JournalFormat,
): string | undefined {
  if (refusedNames.has(booking.account.code)) return undefined;
  return unfittingInTable(table, format, true)(entryOn(booking.account, format, booking))?.message;
}

/** A sample entry that books to this account. */
function entryOn(
  account: LedgerAccount,
  format: JournalFormat,
  more: Partial<JournalLine> = {},
): JournalEntry {
  // With its decimals, as amounts are booked: a column may want them.
  const value = Decimal.of("1").rounded(functionalScale(format));
  const line = { accountKey: "", account, memo: "", ...more };
  return {
    entryId: "payout:0:settle:1",
    factId: "payout:0:settle",
    revision: 1,
    contentHash: "",
    kind: "payout-settle",
    sourceId: "0",
    sourceState: "",
    narration: "",
    currency: "",
    bookDay: "2000-01-01",
    documentDay: "2000-01-01",
    valueInstant: "2000-01-01T00:00:00.000Z",
    lines: [
      { ...line, debit: value },
      { ...line, credit: value },
    ],
  };
}

/** Why the target cannot hold the chart's name for one of the entry's accounts. */
export function refusedNameIn(
  refusedNames: NamedTable["refusedNames"],
  { lines }: JournalEntry,
): Problem | undefined {
  const refused = lines.find(({ account }) => refusedNames.has(account.code));
  return refused && refusedNames.get(refused.account.code);
}

/**
 * Returns why the table cannot hold an entry. `everyLetter`: also if a project or distribution would get a question
 * mark.
 */
export function unfittingInTable(
  table: LedgerTable,
  format: JournalFormat,
  everyLetter = false,
): (entry: JournalEntry) => Problem | undefined {
  if (table.kind === "beancount") return unfittingInBeancount(table);
  const rowsOf = entryWriter(table, format, everyLetter ? LOOKED_UP : ACCOUNTS);
  return (entry) => {
    const written = rowsOf(entry, SOME_PLACE, 0);
    return isProblem(written) ? written : undefined;
  };
}

const SOME_PLACE = { exportNumber: "000000", position: 0 };

/**
 * Why one of the targets cannot hold an entry. Leaves out values that only the chart adds (names for that target,
 * dimensions and parties): they keep the entry from that target only. `everyLetter` as for `unfittingInTable`.
 */
export function unfittingIn(
  tables: readonly NamedTable[],
  format: JournalFormat,
  everyLetter: boolean,
): (entry: JournalEntry) => Problem | undefined {
  const checks = tables.map(({ table, refusedNames }) => ({
    refusedNames,
    unfitting: unfittingInTable(table, format, everyLetter),
  }));
  return (entry) => {
    for (const { refusedNames, unfitting } of checks) {
      if (refusedNameIn(refusedNames, entry) !== undefined) continue;
      const found = unfitting(entry);
      if (found !== undefined && unfitting(withoutAttributes(entry)) !== undefined) return found;
    }
    return undefined;
  };
}

function withoutAttributes(entry: JournalEntry): JournalEntry {
  return { ...entry, lines: entry.lines.map(({ dimensions: _, party: _party, ...line }) => line) };
}
