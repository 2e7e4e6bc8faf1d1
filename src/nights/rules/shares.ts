/**
 * The share of a payout or deposit without differences in a comparison. It is kept, so that the element is compared
 * again only when it changes. Stored as JSON text with exact decimals.
 */
import { type ControlTotal, type CustodyAccountId, RunningTotals } from "../../model/index.ts";
import { type Amount, Decimal } from "../../money/index.ts";

/**
 * The sums of a custody account in its balance proof. replacedIn and replacedOut: movements of transactions that
 * seem to be replaced; the service's total shows whether they count.
 */
export const FIGURES = [
  "received",
  "transferredIn",
  "sent",
  "fees",
  "sharedFees",
  "depositFees",
  "unconfirmedIn",
  "unconfirmedOut",
  "replacedIn",
  "replacedOut",
] as const;

export type Figure = (typeof FIGURES)[number];

export interface AccountShare {
  readonly custodyAccountId: CustodyAccountId;
  readonly currency: string;
  /** Figures that are not listed are zero. */
  readonly figures: Readonly<Partial<Record<Figure, Decimal>>>;
  readonly uncountedMovements: number;
}

/** The share of one element. */
export interface ShareOf extends AccountShare {
  readonly id: string;
}

/**
 * agree and gone: the payout of an accepted payment, by its class. set aside: a payout from before the baseline
 * that belongs to no instruction.
 */
export type ShareClass = "agree" | "gone" | "set aside" | "deposit" | "deposit before baseline";

export interface Share {
  readonly shareClass: ShareClass;
  /** The payment's amount, if there is a payment. */
  readonly amount?: Amount;
  readonly accounts: readonly AccountShare[];
}

type StoredAccount = readonly [string, string, Readonly<Record<string, string>>, number];

export function shareText({ accounts }: Share): string {
  return JSON.stringify(accounts.map(storedAccount));
}

export function accountsIn(text: string): readonly AccountShare[] {
  return (JSON.parse(text) as StoredAccount[]).map(accountFrom);
}

/** The sums of all kept shares. */
export class KeptSums {
  private readonly payments = new Map<ShareClass, RunningTotals>();
  private readonly counts = new Map<ShareClass, number>();
  private readonly byAccount = new Map<string, SummedAccount>();

  static from(text: string): KeptSums {
    const sums = new KeptSums();
    const { counts, payments, accounts } = JSON.parse(text) as StoredSums;
    for (const [shareClass, count] of counts) sums.counts.set(shareClass, count);
    for (const [shareClass, currency, count, amount] of payments)
      sums.totalsOf(shareClass).addTotal({ currency, count, amount: Decimal.of(amount) });
    for (const stored of accounts) sums.addAccount(accountFrom(stored), 1);
    return sums;
  }

  toText(): string {
    const stored: StoredSums = {
      counts: [...this.counts],
      payments: [...this.payments].flatMap(([shareClass, sum]) =>
        sum
          .totals()
          .map(({ currency, count, amount }) => [shareClass, currency, count, amount.toString()] as const),
      ),
      accounts: [...this.byAccount.values()].map(storedAccount),
    };
    return JSON.stringify(stored);
  }

  /** `times`: -1 subtracts the share. */
  add({ shareClass, amount, accounts }: Share, times: 1 | -1): void {
    this.counts.set(shareClass, this.countOf(shareClass) + times);
    if (amount !== undefined)
      this.totalsOf(shareClass).addTotal({
        currency: amount.currency,
        count: times,
        amount: times === 1 ? amount.value : amount.value.negated(),
      });
    for (const account of accounts) this.addAccount(account, times);
  }

  countOf(shareClass: ShareClass): number {
    return this.counts.get(shareClass) ?? 0;
  }

  paymentsOf(shareClass: ShareClass): readonly ControlTotal[] {
    return this.totalsOf(shareClass)
      .totals()
      .filter(({ count }) => count !== 0);
  }

  accounts(): readonly AccountShare[] {
    return [...this.byAccount.values()];
  }

  isNothing(): boolean {
    return (
      [...this.counts.values()].every((count) => count === 0) &&
      [...this.payments.values()].every((sum) =>
        sum.totals().every(({ count, amount }) => count === 0 && amount.isZero()),
      ) &&
      this.accounts().every(
        ({ figures, uncountedMovements }) =>
          uncountedMovements === 0 && Object.values(figures).every((sum) => sum.isZero()),
      )
    );
  }

  private totalsOf(shareClass: ShareClass): RunningTotals {
    const known = this.payments.get(shareClass) ?? new RunningTotals();
    this.payments.set(shareClass, known);
    return known;
  }

  private addAccount(account: AccountShare, times: 1 | -1): void {
    const { custodyAccountId, currency } = account;
    const key = `${custodyAccountId} ${currency}`;
    const summed = this.byAccount.get(key) ?? {
      custodyAccountId,
      currency,
      figures: zeros(),
      uncountedMovements: 0,
    };
    this.byAccount.set(key, summed);
    const { figures } = summed;
    for (const figure of FIGURES) {
      const by = account.figures[figure];
      if (by !== undefined)
        figures[figure] = times === 1 ? figures[figure].plus(by) : figures[figure].minus(by);
    }
    summed.uncountedMovements += times * account.uncountedMovements;
  }
}

interface SummedAccount extends Account {
  readonly figures: Record<Figure, Decimal>;
  uncountedMovements: number;
}

export function zeros(): Record<Figure, Decimal> {
  return Object.fromEntries(FIGURES.map((figure) => [figure, Decimal.zero])) as Record<Figure, Decimal>;
}

interface StoredSums {
  readonly counts: readonly (readonly [ShareClass, number])[];
  readonly payments: readonly (readonly [ShareClass, string, number, string])[];
  readonly accounts: readonly StoredAccount[];
}

function storedAccount({
  custodyAccountId,
  currency,
  figures,
  uncountedMovements,
}: AccountShare): StoredAccount {
  const texts: Partial<Record<Figure, string>> = {};
  for (const figure in figures) {
    const value = figures[figure as Figure];
    if (value !== undefined && !value.isZero()) texts[figure as Figure] = value.toString();
  }
  return [custodyAccountId, currency, texts, uncountedMovements];
}

function accountFrom([custodyAccountId, currency, figures, uncountedMovements]: StoredAccount): AccountShare {
  const values = Object.entries(figures).map(([figure, text]) => [figure, Decimal.of(text)] as const);
  return {
    custodyAccountId: custodyAccountId as CustodyAccountId,
    currency,
    figures: Object.fromEntries(values),
    uncountedMovements,
  };
}

type Account = Pick<AccountShare, "custodyAccountId" | "currency">;

interface NotedAccount extends Account {
  readonly figures: Partial<Record<Figure, Decimal>>;
  uncountedMovements: number;
}

/** Collects the amounts added to tallies for one payout or deposit. */
export class ShareNotes {
  private readonly accounts = new Map<string, NotedAccount>();

  note(tally: Account, figure: Figure, by: Decimal): void {
    const account = this.accountOf(tally);
    account.figures[figure] = (account.figures[figure] ?? Decimal.zero).plus(by);
  }

  noteUncounted(tally: Account, count: number): void {
    this.accountOf(tally).uncountedMovements += count;
  }

  taken(): readonly AccountShare[] {
    const taken = [...this.accounts.values()];
    this.accounts.clear();
    return taken;
  }

  private accountOf({ custodyAccountId, currency }: Account): NotedAccount {
    const known = this.accounts.get(custodyAccountId);
    if (known !== undefined) return known;
    const account: NotedAccount = { custodyAccountId, currency, figures: {}, uncountedMovements: 0 };
    this.accounts.set(custodyAccountId, account);
    return account;
  }
}
