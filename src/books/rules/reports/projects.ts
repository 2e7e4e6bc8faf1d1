/**
 * Bookings by ledger project and distribution, then by ledger account: those of the days, and those until their
 * end.
 */
import { compareText, type JournalEntry, type JournalLine } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import { checkCurrency } from "../trial-balance.ts";
import { isBefore, isWithin, type ReportDays } from "./report-days.ts";
import { difference, figure, type ReportRow, type ReportTable, text, totalRow } from "./report-table.ts";

interface Sums {
  readonly project: string;
  readonly distribution: string;
  readonly code: string;
  readonly account: string;
  before: Decimal;
  debit: Decimal;
  credit: Decimal;
}

/** Sums lines in any order. The sums over all projects, with the lines that have none, equal the trial balance. */
export class ProjectsOfDays {
  private readonly days: ReportDays;
  private readonly currency: string;
  private readonly sums = new Map<string, Sums>();

  constructor(days: ReportDays, currency: string) {
    this.days = days;
    this.currency = currency;
  }

  /** Throws LEDGER_CURRENCY_CHANGED. */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      checkCurrency(entry, this.currency);
      if (isBefore(this.days, entry)) for (const line of entry.lines) this.addBefore(line);
      else if (isWithin(this.days, entry)) for (const line of entry.lines) this.addWithin(line);
    }
  }

  tables(): readonly ReportTable[] {
    const accounts = [...this.sums.values()].sort(
      (a, b) =>
        compareText(a.project, b.project) ||
        compareText(a.distribution, b.distribution) ||
        compareText(a.code, b.code) ||
        compareText(a.account, b.account),
    );
    const byProject = Map.groupBy(accounts, ({ project, distribution }) =>
      JSON.stringify([project, distribution]),
    );
    const projects = [...byProject.values()].flatMap((own) => (own[0] ? [summed(own[0], own)] : []));
    const named = [text("project", "Project", 26), text("distribution", "Distribution", 22)];
    const figures = [
      figure("before", `Before ${this.currency}`),
      figure("debit", `Debit ${this.currency}`),
      figure("credit", `Credit ${this.currency}`),
      figure("balance", `Balance ${this.currency}`),
    ];
    const note = "before + debit − credit = balance; lines without a project or distribution count too";
    const ofAccount = [text("code", "Account", 10), text("account", "Name", 32)];
    return [
      { name: "Projects", note, columns: [...named, ...figures], rows: this.rowsOf(projects, false) },
      {
        name: "Projects by account",
        note,
        columns: [...named, ...ofAccount, ...figures],
        rows: this.rowsOf(accounts, true),
      },
    ];
  }

  private rowsOf(list: readonly Sums[], hasAccount: boolean): readonly ReportRow[] {
    const { currency } = this;
    const money = (value: Decimal) => ({ value, currency });
    const rows = list.map(({ project, distribution, code, account, before, debit, credit }): ReportRow => {
      const balance = before.plus(debit).minus(credit);
      return {
        cells: {
          project: project === "" ? "(without a project)" : project,
          distribution: distribution === "" ? "(without a distribution)" : distribution,
          ...(hasAccount && { code, account }),
          ...{ before: money(before), debit: money(debit), credit: money(credit) },
          balance: difference(balance, currency, ["before", "debit"], ["credit"]),
        },
      };
    });
    return [...rows, ...totalRow(rows, "project", ["before", "debit", "credit", "balance"], currency)];
  }

  private addBefore(line: JournalLine): void {
    const sums = this.sumsFor(line);
    sums.before = sums.before.plus(line.debit ?? Decimal.zero).minus(line.credit ?? Decimal.zero);
  }

  private addWithin(line: JournalLine): void {
    const sums = this.sumsFor(line);
    sums.debit = sums.debit.plus(line.debit ?? Decimal.zero);
    sums.credit = sums.credit.plus(line.credit ?? Decimal.zero);
  }

  private sumsFor({ project = "", distribution = "", account: { code, name: account } }: JournalLine): Sums {
    const key = JSON.stringify([project, distribution, code, account]);
    const nothing = { before: Decimal.zero, debit: Decimal.zero, credit: Decimal.zero };
    const sums = this.sums.get(key) ?? { project, distribution, code, account, ...nothing };
    this.sums.set(key, sums);
    return sums;
  }
}

function summed(first: Sums, own: readonly Sums[]): Sums {
  const total = (key: "before" | "debit" | "credit") => Decimal.sum(own.map((each) => each[key]));
  return { ...first, before: total("before"), debit: total("debit"), credit: total("credit") };
}
