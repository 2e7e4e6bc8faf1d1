/**
 * The interface's rules for creating a deposit: a well-formed URL, an amount above zero in the account's currency or
 * in fiat, expiryDate only with an amount. The sandbox's own choices: callbackUrl may be left out, and
 * `expiredRateWhen` lists when CONFLICT_EXPIRED_XRATE is answered; otherwise such a request is a 400.
 */
import { Decimal, isFiat } from "../../money/index.ts";
import type { DepositCreation } from "../../wire/index.ts";
import type { ExpiredRateCause, Policy } from "../options.ts";
import { invalidParameters, type Refusal, type Rule, refusal } from "../refusal.ts";
import { amountRules, isCallbackUrl } from "./payout-rules.ts";

/** Amounts are decimal text. */
export interface DepositPrice {
  readonly requestedInFiat?: AmountText | undefined;
  readonly requestedInCrypto?: AmountText | undefined;
  /** Units of the fiat currency per unit of the account's. */
  readonly fixedRate?: string | undefined;
}

interface AmountText {
  readonly currency: string;
  readonly amount: string;
}

export function depositRules({ requestedAmount, expiryDate, callbackUrl }: DepositCreation): Rule[] {
  return [
    ...(requestedAmount === undefined ? [] : amountRules(requestedAmount)),
    [callbackUrl === undefined || isCallbackUrl(callbackUrl), "callbackUrl: malformed URL"],
    [expiryDate === undefined || requestedAmount !== undefined, "requestedAmount: mandatory with expiryDate"],
  ];
}

/** The account's currency and its rates, the policy, and the present. */
interface PriceTerms {
  readonly currency: string;
  readonly policy: Policy;
  readonly nowMs: number;
  rateTo(currency: string): Decimal | undefined;
}

/** The price that is requested. Throws 400, or 409 for a rate that expired. */
export function depositPrice(
  { requestedAmount, expiryDate }: DepositCreation,
  { currency, policy, nowMs, rateTo }: PriceTerms,
): DepositPrice {
  if (requestedAmount === undefined) return {};
  const requested = { currency: requestedAmount.currency, amount: requestedAmount.amount.toString() };
  if (requested.currency === currency) return { requestedInCrypto: requested };
  if (!isFiat(requested.currency)) {
    throw invalidParameters(`requestedAmount.currency: expected ${currency} or a fiat currency`);
  }
  if (expiryDate !== undefined && Date.parse(expiryDate) <= nowMs) {
    throw noFixedRate(policy, "expiry-passed", "expiryDate: it has passed");
  }
  const rate = rateTo(requested.currency);
  if (rate === undefined) {
    throw noFixedRate(policy, "rate-unknown", `requestedAmount: no ${requested.currency} rate is known`);
  }
  return atFixedRate(requested, rate.toString(), currency);
}

/** A fiat amount at its fixed rate, in crypto with 8 decimals rounded half up. */
export function atFixedRate(requestedInFiat: AmountText, fixedRate: string, currency: string): DepositPrice {
  const amount = Decimal.of(requestedInFiat.amount).dividedBy(Decimal.of(fixedRate), 8).toString();
  return { requestedInFiat, requestedInCrypto: { currency, amount }, fixedRate };
}

function noFixedRate({ expiredRateWhen }: Policy, cause: ExpiredRateCause, error: string): Refusal {
  return expiredRateWhen.includes(cause)
    ? refusal(409, "CONFLICT_EXPIRED_XRATE", error)
    : invalidParameters(error);
}
