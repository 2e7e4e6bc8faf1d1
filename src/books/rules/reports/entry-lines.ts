/** The lines of the journal, in journal order; and by ledger account, each with its running balance. */
import { fault } from "../../../faults/index.ts";
import { compareText, type JournalEntry, type JournalLine } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import { inJournalOrder } from "../journal-entries.ts";
import { LedgerSums } from "../trial-balance.ts";
import { isBefore, isWithin, ReportOfDays } from "./report-days.ts";
import {
  figure,
  type ReportFigure,
  type ReportRow,
  type ReportTable,
  text,
  totalRow,
} from "./report-table.ts";

/**
 * People and programs load a report as a whole, so its lines are limited; the journal of an export batch is not.
 */
const LINES_MAX = 50_000;

/** Throws USAGE for more lines than a report holds. */
export function refuseTooLong(lines: number): void {
  if (lines <= LINES_MAX) return;
  throw fault("USAGE", {
    what: `the report would have more than ${LINES_MAX} lines`,
    how: "Ask for fewer days with `--from` and `--to`; the journal.csv of each export batch has its whole journal.",
  });
}

/** Keeps the entries of some days in memory, up to the limit of a report. */
class EntriesOfDays extends ReportOfDays {
  private readonly kept: JournalEntry[] = [];
  private lines = 0;

  /** Throws USAGE if there are too many lines. */
  add(entries: readonly JournalEntry[]): void {
    const own = entries.filter((entry) => isWithin(this.days, entry));
    this.lines += own.reduce((sum, { lines }) => sum + lines.length, 0);
    refuseTooLong(this.lines);
    this.kept.push(...own);
  }

  inOrder(): readonly JournalEntry[] {
    return inJournalOrder(this.kept);
  }
}

/** The journal: a row for each line. */
export class JournalOfDays extends EntriesOfDays {
  tables(): readonly ReportTable[] {
    const { currency } = this;
    const rows = this.inOrder().flatMap((entry) =>
      entry.lines.map((line): ReportRow => ({ cells: lineCells(entry, line, currency) })),
    );
    const table: ReportTable = {
      name: "Journal",
      note: "each entry with all its lines; the sums of debit and credit are equal",
      columns: [
        text("day", "Booked", 12),
        text("documentDay", "Document", 12),
        text("entry", "Entry", 34),
        text("code", "Account", 10),
        text("account", "Name", 30),
        figure("debit", `Debit ${currency}`),
        figure("credit", `Credit ${currency}`),
        ...LINE_COLUMNS,
      ],
      rows: [...rows, ...totalRow(rows, "account", ["debit", "credit"], currency)],
    };
    return [table];
  }
}

/** The general ledger: by account, its balance before, its lines, and its balance after each. */
export class GeneralLedgerOfDays extends EntriesOfDays {
  private readonly before = new LedgerSums(this.currency);

  override add(entries: readonly JournalEntry[]): void {
    this.before.add(entries.filter((entry) => isBefore(this.days, entry)));
    super.add(entries);
  }

  tables(): readonly ReportTable[] {
    const lines = this.inOrder().flatMap((entry) => entry.lines.map((line) => ({ entry, line })));
    const byAccount = Map.groupBy(lines, ({ line: { account } }) => accountKey(account));
    const opening = new Map(this.before.trialBalance().rows.map((row) => [accountKey(row), row]));
    const keys = [...new Set([...opening.keys(), ...byAccount.keys()])].sort(compareText);
    const { currency } = this;
    const table: ReportTable = {
      name: "General ledger",
      note: "by account: its balance before these days, each line, and the balance after it",
      columns: [
        text("code", "Account", 10),
        text("account", "Name", 30),
        text("day", "Booked", 12),
        text("documentDay", "Document", 12),
        text("entry", "Entry", 34),
        figure("debit", `Debit ${currency}`),
        figure("credit", `Credit ${currency}`),
        figure("balance", `Balance ${currency}`),
        ...LINE_COLUMNS,
      ],
      rows: keys.flatMap((key) => {
        const own = byAccount.get(key) ?? [];
        const before = opening.get(key);
        const account = own[0]?.line.account ?? before;
        const first: ReportRow = {
          cells: {
            code: account?.code,
            account: account?.name,
            entry: "Opening balance",
            balance: this.money(before?.balance ?? Decimal.zero),
          },
        };
        return [first, ...withBalances(own, before?.balance ?? Decimal.zero, currency)];
      }),
    };
    return [table];
  }
}

interface LineOfEntry {
  readonly entry: JournalEntry;
  readonly line: JournalLine;
}

function withBalances(lines: readonly LineOfEntry[], opening: Decimal, currency: string): ReportRow[] {
  let value = opening;
  return lines.map(({ entry, line }) => {
    value = value.plus(line.debit ?? Decimal.zero).minus(line.credit ?? Decimal.zero);
    const formula = {
      plus: [{ column: "balance", up: 1 }, { column: "debit" }],
      minus: [{ column: "credit" }],
    };
    return { cells: { ...lineCells(entry, line, currency), balance: { value, currency, formula } } };
  });
}

const LINE_COLUMNS = [
  figure("quantity", "Quantity", 14),
  text("crypto", "Currency", 9),
  text("reference", "Reference", 18),
  text("project", "Project", 16),
  text("distribution", "Distribution", 16),
  text("memo", "Memo", 40),
  text("source", "Payout or deposit", 38),
];

function lineCells(entry: JournalEntry, line: JournalLine, currency: string) {
  const money = (value: Decimal | undefined): ReportFigure | undefined => value && { value, currency };
  return {
    day: entry.bookDay,
    documentDay: entry.documentDay,
    entry: entry.entryId,
    reference: entry.reference,
    source: entry.sourceId,
    project: line.project,
    distribution: line.distribution,
    memo: line.memo,
    code: line.account.code,
    account: line.account.name,
    debit: money(line.debit),
    credit: money(line.credit),
    quantity: line.quantity,
    crypto: line.quantity?.currency,
  };
}

function accountKey({ code, name }: { readonly code: string; readonly name: string }): string {
  return `${code}\n${name}`;
}
