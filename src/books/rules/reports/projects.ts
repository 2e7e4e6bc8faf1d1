/**
 * Bookings by ledger project and distribution, then by ledger account, then by each further dimension: those of the
 * days, and those until their end.
 */
import { compareText, type JournalEntry, type JournalLine } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import { checkCurrency } from "../trial-balance.ts";
import { isBefore, isWithin, ReportOfDays } from "./report-days.ts";
import {
  difference,
  figure,
  type ReportColumn,
  type ReportRow,
  type ReportTable,
  text,
  totalRow,
} from "./report-table.ts";

interface Sums {
  before: Decimal;
  debit: Decimal;
  credit: Decimal;
}

interface AccountSums extends Sums {
  readonly project: string;
  readonly distribution: string;
  readonly code: string;
  readonly account: string;
}

type Texts = Readonly<Record<string, string>>;

/** Sums lines in any order. The sums of each table, with the lines that have no value, equal the trial balance. */
export class ProjectsOfDays extends ReportOfDays {
  private readonly sums = new Map<string, AccountSums>();
  /** By dimension, then by value. */
  private readonly dimensions = new Map<string, Map<string, Sums>>();

  /** Throws LEDGER_CURRENCY_CHANGED. */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      checkCurrency(entry, this.currency);
      const add = isBefore(this.days, entry) ? addBefore : isWithin(this.days, entry) ? addWithin : undefined;
      if (add !== undefined)
        for (const line of entry.lines) for (const sums of this.sumsFor(line)) add(sums, line);
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
    const named = [text("project", "Project", 26), text("distribution", "Distribution", 22)];
    const ofAccount = [text("code", "Account", 10), text("account", "Name", 32)];
    const textsOf = ({ project, distribution }: AccountSums): Texts => ({
      project: project === "" ? "(without a project)" : project,
      distribution: distribution === "" ? "(without a distribution)" : distribution,
    });
    const projects = [...byProject.values()].flatMap((own) =>
      own[0] ? [[textsOf(own[0]), added(own)] as const] : [],
    );
    const detailed = accounts.map((sums) => {
      const { code, account } = sums;
      return [{ ...textsOf(sums), code, account }, sums] as const;
    });
    return [
      this.table("Projects", named, projects),
      this.table("Projects by account", [...named, ...ofAccount], detailed),
      ...[...this.dimensions].sort(byName).map(([name, values]) => this.dimensionTable(name, values)),
    ];
  }

  private dimensionTable(name: string, values: ReadonlyMap<string, Sums>): ReportTable {
    const all = added([...this.sums.values()]);
    const without = withoutThese(all, added([...values.values()]));
    const rows = [...values].sort(byName).map(([value, sums]) => [{ value }, sums] as const);
    const others = [{ value: `(without ${name})` }, without] as const;
    return this.table(`By ${name}`.slice(0, SHEET_NAME_MAX), [text("value", name, 26)], [others, ...rows]);
  }

  private table(
    name: string,
    columns: readonly ReportColumn[],
    list: readonly (readonly [texts: Texts, sums: Sums])[],
  ): ReportTable {
    const { currency } = this;
    const rows = list.map(
      ([texts, { before, debit, credit }]): ReportRow => ({
        cells: {
          ...texts,
          before: this.money(before),
          debit: this.money(debit),
          credit: this.money(credit),
          balance: difference(before.plus(debit).minus(credit), currency, ["before", "debit"], ["credit"]),
        },
      }),
    );
    const figures = [
      figure("before", `Before ${currency}`),
      figure("debit", `Debit ${currency}`),
      figure("credit", `Credit ${currency}`),
      figure("balance", `Balance ${currency}`),
    ];
    const [first] = columns;
    const total = totalRow(rows, first?.key ?? "", ["before", "debit", "credit", "balance"], currency);
    return { name, note: NOTE, columns: [...columns, ...figures], rows: [...rows, ...total] };
  }

  /** Every sum to which the line belongs: that of its account, and one for each of its dimensions. */
  private sumsFor({ project = "", distribution = "", account, dimensions = {} }: JournalLine): Sums[] {
    const { code, name } = account;
    const key = JSON.stringify([project, distribution, code, name]);
    const own = this.sums.get(key) ?? { project, distribution, code, account: name, ...nothing() };
    this.sums.set(key, own);
    const further = Object.entries(dimensions).map(([dimension, value]) => {
      const values = this.dimensions.get(dimension) ?? new Map<string, Sums>();
      this.dimensions.set(dimension, values);
      const sums = values.get(value) ?? nothing();
      values.set(value, sums);
      return sums;
    });
    return [own, ...further];
  }
}

const NOTE = "before + debit − credit = balance; lines without a value count too";

/** The limit for names of sheets in a workbook. */
const SHEET_NAME_MAX = 31;

function nothing(): Sums {
  return { before: Decimal.zero, debit: Decimal.zero, credit: Decimal.zero };
}

function addBefore(sums: Sums, line: JournalLine): void {
  sums.before = sums.before.plus(line.debit ?? Decimal.zero).minus(line.credit ?? Decimal.zero);
}

function addWithin(sums: Sums, line: JournalLine): void {
  sums.debit = sums.debit.plus(line.debit ?? Decimal.zero);
  sums.credit = sums.credit.plus(line.credit ?? Decimal.zero);
}

function added(all: readonly Sums[]): Sums {
  const total = (key: keyof Sums) => Decimal.sum(all.map((each) => each[key]));
  return { before: total("before"), debit: total("debit"), credit: total("credit") };
}

function withoutThese(all: Sums, these: Sums): Sums {
  const left = (key: keyof Sums) => all[key].minus(these[key]);
  return { before: left("before"), debit: left("debit"), credit: left("credit") };
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return compareText(one, other);
}
