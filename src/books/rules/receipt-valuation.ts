/**
 * Values the receipts of a deposit. A fixed rate covers the requested amount once, in the order of the receipts,
 * and only receipts that came in time; everything beyond counts at the receipt's own rate. Rounded parts add up to
 * the request.
 */
import {
  type DepositTerms,
  inCryptoAt,
  type ObservedRate,
  type OrderedPart,
  type ReceivedPart,
} from "../../model/index.ts";
import { type Amount, Decimal, formatAmount } from "../../money/index.ts";
import { functionalValue } from "./functional-value.ts";
import { functionalScale, type LedgerPolicy } from "./policy.ts";

/** What the deposit asks the customer to pay. */
export type Requested =
  | {
      readonly kind: "fixed";
      readonly value: Decimal;
      readonly quantity: Amount;
      readonly rate: ObservedRate;
    }
  | { readonly kind: "fiat"; readonly value: Decimal }
  | { readonly kind: "crypto"; readonly quantity: Amount }
  | { readonly kind: "none" };

export interface ReceiptValue {
  /** Debited to the treasury and credited to deposits clearing. */
  readonly booked: Decimal;
  /** Its value towards the request and beyond; differs from `booked` only under `depositValuation: market`. */
  readonly counted: Decimal;
  /** For a request in crypto: the part of `counted` beyond the request. */
  readonly excess: Decimal;
  /** Whether the fixed rate determined any of `booked`. */
  readonly atFixedRate: boolean;
  readonly isLate: boolean;
}

/** Why a receipt has no value: the currency without a rate, or a reason as text. */
export type NoValue = { readonly noRateFrom: string } | { readonly unclear: string };

/** `currency`: that of the receipts. */
export function requestOf(terms: DepositTerms, currency: string, policy: LedgerPolicy): Requested | NoValue {
  const { requestedInFiat: fiat, requestedInCrypto: shown, fixedRate: rate } = terms;
  const isAtRate = shown === undefined && fiat !== undefined && rate !== undefined;
  const quantity = isAtRate ? inCryptoAt(rate, fiat, policy.scales) : shown;
  const negative = [fiat, quantity].find((amount) => amount?.value.isNegative());
  if (negative !== undefined) return { unclear: `${formatAmount(negative)} was requested` };
  if (quantity !== undefined && quantity.currency !== currency) {
    return { unclear: `${quantity.currency} was requested, but ${currency} was received` };
  }
  if (fiat === undefined) return quantity === undefined ? { kind: "none" } : { kind: "crypto", quantity };
  if (fiat.currency !== policy.functionalCurrency) return { noRateFrom: fiat.currency };
  const value = fiat.value.rounded(functionalScale(policy));
  if (quantity === undefined) return rate === undefined ? { kind: "fiat", value } : { noRateFrom: currency };
  if (rate === undefined) return { unclear: "the deposit shows a fixed amount in crypto, but no fixed rate" };
  const leadsThere = functionalValue(quantity, rate, policy) !== undefined;
  return leadsThere ? { kind: "fixed", value, quantity, rate } : { noRateFrom: currency };
}

interface Coverage {
  readonly quantity: Decimal;
  readonly value: Decimal;
}

const NONE: Coverage = { quantity: Decimal.zero, value: Decimal.zero };

/**
 * Goes through a deposit's receipts in order; the part of the request that one covers is not available to the next.
 */
export function receiptValuation(request: Requested, { expiresAt }: DepositTerms, policy: LedgerPolicy) {
  let coveredSoFar = NONE;
  return { next, pass };

  function next(part: ReceivedPart): ReceiptValue | NoValue {
    const isLate = arrivedLate(part);
    if (isLate === undefined)
      return { unclear: "it is unclear whether a receipt arrived in time: no createdDate" };
    const covered = coveredBy(part, isLate);
    cover(covered);
    const restQuantity = part.quantity.value.minus(covered.quantity);
    const atOwnRate = (value: Decimal) =>
      functionalValue({ currency: part.quantity.currency, value }, part.rate, policy);

    const rest = restQuantity.isZero() ? Decimal.zero : atOwnRate(restQuantity);
    const coveredValue = request.kind === "crypto" ? atOwnRate(covered.quantity) : covered.value;
    if (rest === undefined || coveredValue === undefined) return { noRateFrom: part.quantity.currency };
    const counted = coveredValue.plus(rest).rounded(functionalScale(policy));
    const isMarket = policy.depositValuation === "market" && request.kind === "fixed";
    const booked = isMarket ? atOwnRate(part.quantity.value) : counted;
    if (booked === undefined) return { noRateFrom: part.quantity.currency };
    const atFixedRate = request.kind === "fixed" && !isMarket && !covered.quantity.isZero();
    return { booked, counted, excess: request.kind === "crypto" ? rest : Decimal.zero, atFixedRate, isLate };
  }

  /** Skips the next receipt: it covers its part of the request, but its value is not needed. */
  function pass(part: OrderedPart): void {
    cover(coveredBy(part, arrivedLate(part) ?? true));
  }

  function cover({ quantity, value }: Coverage): void {
    coveredSoFar = {
      quantity: coveredSoFar.quantity.plus(quantity),
      value: coveredSoFar.value.plus(value),
    };
  }

  /** Undefined if unknown. Without a fixed rate no receipt is late. */
  function arrivedLate({ createdAt, confirmedAt }: OrderedPart): boolean | undefined {
    if (request.kind !== "fixed" || expiresAt === undefined) return false;
    if (policy.depositLateBy === "confirmedDate") return confirmedAt > expiresAt;
    if (createdAt !== undefined) return createdAt > expiresAt;
    return confirmedAt <= expiresAt ? false : undefined;
  }

  function coveredBy({ quantity: { value: came } }: OrderedPart, isLate: boolean): Coverage {
    if (isLate || !("quantity" in request)) return NONE;
    const open = request.quantity.value.minus(coveredSoFar.quantity);
    const quantity = came.compare(open) < 0 ? came : open;
    if (request.kind === "crypto" || quantity.isZero()) return { quantity, value: Decimal.zero };
    const openValue = request.value.minus(coveredSoFar.value);
    const amount = { currency: request.quantity.currency, value: quantity };
    const value = functionalValue(amount, request.rate, policy) ?? openValue;
    // The completing part takes the remainder, and rounding never counts more than was requested.
    const takesRemainder = quantity.equals(open) || value.compare(openValue) > 0;
    return { quantity, value: takesRemainder ? openValue : value };
  }
}
