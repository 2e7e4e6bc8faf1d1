/**
 * The effect of a file on its custody accounts: the available amount, the amount of approved payments, the amount
 * of the file, and the rest. Pure. Fees are included only as the configuration estimates them, and conversions only
 * use the service's own rates.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { type DraftInstruction, type Instant, sameDestination } from "../../model/index.ts";
import { NO_PAYMENTS, type PaymentSum, withPayment } from "../../model/payment-sum.ts";
import { present } from "../../model/present.ts";
import { type Amount, type CurrencyScales, Decimal, formatAmount } from "../../money/index.ts";
import type { AccountBalance } from "../../wire/index.ts";

export interface PayingAccount {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  /** Per payout. */
  readonly feeEstimate?: Decimal | undefined;
}

/** Values of one custody account, in its currency. */
export interface BalanceEffect {
  readonly custodyAccount: string;
  readonly currency: string;
  /** As the service shows it now; absent if it does not. */
  readonly available?: Decimal;
  readonly fundsCanBeSpent?: boolean;
  /** Approved earlier and not sent yet. */
  readonly approvedBefore: Decimal;
  readonly paid: Decimal;
  /** Estimated network fees for both; absent without an estimate in the configuration. */
  readonly fees?: { readonly perPayout: Decimal; readonly approvedBefore: Decimal; readonly paid: Decimal };
  /** From another custody account of the file; not included in `left`. */
  readonly arriving: Decimal;
  /** available - approvedBefore - paid - fees. */
  readonly left?: Decimal;
  /** Absent if the service shows no rate from this currency. */
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

/** One effect per custody account that pays or is paid; `approvedBefore` is by custody account id. */
export function balanceEffects(
  drafts: readonly DraftInstruction[],
  accounts: readonly PayingAccount[],
  balances: readonly AccountBalance[],
  approvedBefore: ReadonlyMap<string, PaymentSum>,
  scales: CurrencyScales,
): BalanceEffects {
  const paid = sums(drafts, ({ fields }) => fields.custodyAccountId);
  const arriving = sums(drafts, ({ fields }) => fields.destinationAccountId?.toLowerCase());
  const problems: Problem[] = [...paid.keys()]
    .filter((id) => !accounts.some((account) => account.id === id))
    .map((id) =>
      problem("BALANCE_UNKNOWN", { custodyAccount: id, reason: "the configuration does not have it" }),
    );
  const effects: BalanceEffect[] = [];
  for (const account of accounts.filter(({ id }) => paid.has(id) || arriving.has(id))) {
    const { id } = account;
    const balance = balances.find(({ accountId }) => sameDestination(accountId, id));
    const payments = {
      approvedBefore: approvedBefore.get(id) ?? NO_PAYMENTS,
      paid: paid.get(id) ?? NO_PAYMENTS,
    };
    const incoming = (arriving.get(id) ?? NO_PAYMENTS).amount;
    const found = effectOn(account, payments, incoming, balance, scales);
    effects.push(found.effect);
    problems.push(...found.problems);
  }
  return { effects, problems };
}

interface Payments {
  readonly approvedBefore: PaymentSum;
  readonly paid: PaymentSum;
}

function effectOn(
  account: PayingAccount,
  payments: Payments,
  arriving: Decimal,
  balance: AccountBalance | undefined,
  scales: CurrencyScales,
): { readonly effect: BalanceEffect; readonly problems: readonly Problem[] } {
  const { name: custodyAccount, currency } = account;
  const amounts = {
    approvedBefore: payments.approvedBefore.amount,
    paid: payments.paid.amount,
    ...present({ fees: feesOf(account, payments) }),
    arriving,
  };
  const available = availableOn(account, balance);
  if (typeof available === "string") {
    const unknown = problem("BALANCE_UNKNOWN", { custodyAccount, reason: available });
    return { effect: { custodyAccount, currency, ...amounts }, problems: [unknown] };
  }
  const left = available.minus(amountNeeded(amounts)).normalized();
  const fundsCanBeSpent = balance?.fundsCanBeSpent;
  const effect = { custodyAccount, currency, available, ...amounts, left };
  const problems: Problem[] = [];
  if (fundsCanBeSpent === false) problems.push(problem("FUNDS_LOCKED", { custodyAccount }));
  if (left.isNegative()) problems.push(balanceShort(effect));
  const fiat = fiatOf(effect, balance, scales);
  return { effect: { ...effect, ...present({ fundsCanBeSpent, fiat }) }, problems };
}

function sums(
  drafts: readonly DraftInstruction[],
  accountOf: (draft: DraftInstruction) => string | undefined,
): ReadonlyMap<string, PaymentSum> {
  const byAccount = new Map<string, PaymentSum>();
  for (const draft of drafts) {
    const account = accountOf(draft);
    if (account === undefined) continue;
    const { amount, subtractFee = false } = draft.fields;
    const before = byAccount.get(account) ?? NO_PAYMENTS;
    byAccount.set(account, withPayment(before, amount.value, subtractFee));
  }
  return byAccount;
}

function feesOf(
  { feeEstimate: perPayout }: PayingAccount,
  { approvedBefore, paid }: Payments,
): BalanceEffect["fees"] {
  if (perPayout === undefined) return undefined;
  const of = ({ feesOnTop }: PaymentSum) => perPayout.times(Decimal.of(String(feesOnTop)));
  return { perPayout, approvedBefore: of(approvedBefore), paid: of(paid) };
}

function amountNeeded({
  approvedBefore,
  paid,
  fees,
}: Pick<BalanceEffect, "approvedBefore" | "paid" | "fees">): Decimal {
  const amounts = approvedBefore.plus(paid);
  return fees === undefined ? amounts : amounts.plus(fees.approvedBefore).plus(fees.paid);
}

/** The available amount, or why it is not known. */
function availableOn({ currency }: PayingAccount, balance: AccountBalance | undefined): Decimal | string {
  if (balance === undefined) return "the service shows no balance of it";
  const { available } = balance.btcBalance;
  if (available === undefined) return "the service does not say what is available";
  if (available.currency === currency) return available.amount;
  return `the service shows it in ${available.currency}, the configuration in ${currency}`;
}

function balanceShort(
  effect: BalanceEffect & { readonly available: Decimal; readonly left: Decimal },
): Problem {
  const { custodyAccount, currency, available, left, fees } = effect;
  const inWords = (value: Decimal) => formatAmount({ currency, value: value.normalized() });
  return problem("BALANCE_SHORT", {
    custodyAccount,
    missing: inWords(left.negated()),
    available: inWords(available),
    needed: inWords(amountNeeded(effect)),
    fees: fees === undefined ? "without fees" : "with the estimated fees",
  });
}

/** Uses only a rate from exactly this currency: an inverse or a quotient is not a measured rate. */
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
    ...present({ measuredAt: measuredDate }),
    paid: into(paid),
    ...present({ left: left && into(left) }),
  };
}
