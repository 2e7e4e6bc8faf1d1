/** What we requested when we created a deposit, and how the service's deposit differs from it. */
import { type Amount, type CurrencyScales, Decimal, isFiat, sameAmount } from "../money/index.ts";
import type { CustodyAccountId } from "./ids.ts";
import type { ObservedDeposit, ObservedRate } from "./observation.ts";

export interface RequestedDeposit {
  readonly custodyAccountId: CustodyAccountId;
  readonly reference: string;
  /** In the account's currency or in a fiat currency; absent if any amount is right. */
  readonly amount?: Amount;
}

export interface DepositDifference {
  readonly kind: "custody-account" | "currency" | "amount" | "reference";
  /** The member of the service's deposit. */
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * The interface does not say when a service shows the amount in fiat, and when in crypto, so the two are never
 * compared.
 */
export function depositDifferences(
  { custodyAccountId, reference, amount }: RequestedDeposit,
  deposit: ObservedDeposit,
): readonly DepositDifference[] {
  const differences: DepositDifference[] = [
    {
      kind: "custody-account",
      field: "accountId",
      expected: custodyAccountId,
      found: deposit.custodyAccountId,
    },
    { kind: "reference", field: "reference", expected: reference, found: deposit.reference ?? "" },
    ...(amount === undefined ? [] : amountDifferences(amount, deposit)),
  ];
  return differences.filter(({ expected, found }) => expected !== found);
}

function amountDifferences(
  asked: Amount,
  { requestedInFiat, requestedInCrypto }: ObservedDeposit,
): readonly DepositDifference[] {
  const same = [requestedInFiat, requestedInCrypto].find((amount) => amount?.currency === asked.currency);
  const shown = same ?? (isFiat(asked.currency) ? requestedInFiat : requestedInCrypto);
  if (shown === undefined) return [];
  const field = "requestedAmount";
  if (same === undefined)
    return [{ kind: "currency", field, expected: asked.currency, found: shown.currency }];
  if (sameAmount(same, asked)) return [];
  const text = ({ value }: Amount) => value.normalized().toString();
  return [{ kind: "amount", field, expected: text(asked), found: text(same) }];
}

const SCALE_OF_OTHERS = 8;

/** A fiat amount in crypto at a rate, to the smallest unit. Undefined if the rate does not lead there. */
export function inCryptoAt(
  { rate, from, to }: ObservedRate,
  { currency: fiat, value }: Amount,
  scales: CurrencyScales,
): Amount | undefined {
  if (rate.compare(Decimal.zero) <= 0 || (from === fiat) === (to === fiat)) return undefined;
  const currency = to === fiat ? from : to;
  const scale = scales.scaleOf(currency) ?? SCALE_OF_OTHERS;
  return { currency, value: to === fiat ? value.dividedBy(rate, scale) : value.times(rate).rounded(scale) };
}
