/**
 * What a file does to the custody accounts that pay it: what is available now, what approved payments still take, what the file
 * takes, and what is left. Pure. Fees are not in it, and nothing is converted without a rate of the service's own.
 */
import { type Problem, problem } from "../faults/index.ts";
import { type DraftInstruction, type Instant, sameDestination } from "../model/index.ts";
import { type Amount, type CurrencyScales, Decimal, formatAmount } from "../money/index.ts";
import type { AccountBalance } from "../wire/index.ts";

export interface PayingAccount {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
}

/** Values of one custody account, in its currency. */
export interface BalanceEffect {
  readonly custodyAccount: string;
  readonly currency: string;
  /** As the service shows it now; absent where it does not. */
  readonly available?: Decimal;
  readonly fundsCanBeSpent?: boolean;
  /** Approved earlier and not sent. */
  readonly approvedBefore: Decimal;
  readonly paid: Decimal;
  /** Comes from another custody account of the file; not counted in what is left. */
  readonly arriving: Decimal;
  /** available - approvedBefore - paid. */
  readonly left?: Decimal;
  /** Absent where the service showed no rate from this currency. */
  readonly fiat?: FiatEffect;
}

interface FiatEffect {
  readonly rate: Decimal;
  readonly measuredAt?: Instant;
  readonly paid: Amount;
  readonly left?: Amount;
}

export interface BalanceEffects {
  readonly effects: readonly BalanceEffect[];
  readonly problems: readonly Problem[];
}

/** One effect for each custody account that pays or is paid by the drafts; `approvedBefore` is by custody account id. */
export function balanceEffects(
  drafts: readonly DraftInstruction[],
  accounts: readonly PayingAccount[],
  balances: readonly AccountBalance[],
  approvedBefore: ReadonlyMap<string, Decimal>,
  scales: CurrencyScales,
): BalanceEffects {
  const paid = sums(drafts, ({ fields }) => fields.custodyAccountId);
  const arriving = sums(drafts, ({ fields }) => fields.destinationAccountId?.toLowerCase());
  const problems: Problem[] = [...paid.keys()]
    .filter((id) => !accounts.some((account) => account.id === id))
    .map((id) =>
      problem("BALANCE_UNKNOWN", { custodyAccount: id, reason: "the configuration does not have it" }),
    );
  const effects = accounts
    .filter(({ id }) => paid.has(id) || arriving.has(id))
    .map((account) => {
      const { id, name: custodyAccount, currency } = account;
      const balance = balances.find(({ accountId }) => sameDestination(accountId, id));
      const amounts = {
        approvedBefore: approvedBefore.get(id) ?? Decimal.zero,
        paid: paid.get(id) ?? Decimal.zero,
        arriving: arriving.get(id) ?? Decimal.zero,
      };
      const available = balance?.btcBalance.available?.amount;
      const reason = whyUnknown(account, balance);
      if (available === undefined || reason !== undefined) {
        problems.push(problem("BALANCE_UNKNOWN", { custodyAccount, reason: reason ?? NOT_SAID }));
        return { custodyAccount, currency, ...amounts };
      }
      const left = available.minus(amounts.approvedBefore).minus(amounts.paid).normalized();
      const fundsCanBeSpent = balance?.fundsCanBeSpent;
      const effect = { custodyAccount, currency, available, ...amounts, left };
      if (fundsCanBeSpent === false) problems.push(problem("FUNDS_LOCKED", { custodyAccount }));
      if (left.isNegative()) problems.push(short(effect));
      const fiat = fiatOf(effect, balance, scales);
      return {
        ...effect,
        ...(fundsCanBeSpent === undefined ? {} : { fundsCanBeSpent }),
        ...(fiat === undefined ? {} : { fiat }),
      };
    });
  return { effects, problems };
}

const NOT_SAID = "the service does not say what is available";

function sums(
  drafts: readonly DraftInstruction[],
  accountOf: (draft: DraftInstruction) => string | undefined,
): ReadonlyMap<string, Decimal> {
  const byAccount = new Map<string, Decimal>();
  for (const draft of drafts) {
    const account = accountOf(draft);
    if (account === undefined) continue;
    byAccount.set(account, (byAccount.get(account) ?? Decimal.zero).plus(draft.fields.amount.value));
  }
  return byAccount;
}

function whyUnknown({ currency }: PayingAccount, balance: AccountBalance | undefined): string | undefined {
  if (balance === undefined) return "the service shows no balance of it";
  const { available } = balance.btcBalance;
  if (available === undefined) return NOT_SAID;
  if (available.currency === currency) return undefined;
  return `the service shows it in ${available.currency}, the configuration in ${currency}`;
}

function short({
  custodyAccount,
  currency,
  available,
  approvedBefore,
  paid,
  left,
}: BalanceEffect & { readonly available: Decimal; readonly left: Decimal }): Problem {
  const inWords = (value: Decimal) => formatAmount({ currency, value: value.normalized() });
  return problem("BALANCE_SHORT", {
    custodyAccount,
    missing: inWords(left.negated()),
    available: inWords(available),
    needed: inWords(approvedBefore.plus(paid)),
  });
}

/** Only by a rate from this very currency: neither an inverse nor a quotient of two balances is a rate that somebody measured. */
function fiatOf(
  { currency, paid, left }: Pick<BalanceEffect, "currency" | "paid" | "left">,
  balance: AccountBalance | undefined,
  scales: CurrencyScales,
): FiatEffect | undefined {
  const exchangeRate = balance?.exchangeRate;
  if (exchangeRate === undefined || exchangeRate.fromCurrency.currencyCode !== currency) return undefined;
  const { rate, measuredDate, toCurrency } = exchangeRate;
  const into = (value: Decimal): Amount => {
    const exact = value.times(rate);
    const scale = scales.scaleOf(toCurrency.currencyCode) ?? exact.scale;
    return { currency: toCurrency.currencyCode, value: exact.rounded(scale) };
  };
  return {
    rate,
    ...(measuredDate === undefined ? {} : { measuredAt: measuredDate }),
    paid: into(paid),
    ...(left === undefined ? {} : { left: into(left) }),
  };
}
