/**
 * The interface's rules for creating a deposit: an enabled account, a well-formed URL, an amount above zero in the
 * account's currency or in fiat, expiryDate only with an amount. The sandbox's own choices: callbackUrl may be left
 * out, and `expiredRateWhen` lists when CONFLICT_EXPIRED_XRATE is answered; otherwise such a request is a 400.
 */
import { Decimal, isFiat } from "../../money/index.ts";
import type { DepositCreation } from "../../wire/index.ts";
import type { ExpiredRateCause } from "../options.ts";
import { invalidParameter, type Refusal, type Rule, refusal, refuseBroken } from "../refusal.ts";
import type { Service } from "../service.ts";
import type { CustodyAccount } from "../state/accounts.ts";
import type { DepositTerms } from "../state/deposits.ts";
import { enabledAccount } from "./payer.ts";
import { amountRules, isCallbackUrl } from "./payout-rules.ts";

export type DepositPrice = Pick<DepositTerms, "requestedInFiat" | "requestedInCrypto" | "fixedRate">;

/** The deposit's account and what is requested. Throws the refusal of the first group of rules that is broken. */
export function checkedDeposit(service: Service, creation: DepositCreation, nowMs: number) {
  refuseBroken(requestRules(creation));
  const payee = enabledAccount(service, creation.accountId);
  return { payee, price: depositPrice(service, creation, payee, nowMs) };
}

/** A fiat amount at its fixed rate, in crypto with 8 decimals rounded half up. */
export function atFixedRate(
  requestedInFiat: { readonly currency: string; readonly amount: string },
  fixedRate: string,
  currency: string,
): DepositPrice {
  const amount = Decimal.of(requestedInFiat.amount).dividedBy(Decimal.of(fixedRate), 8).toString();
  return { requestedInFiat, requestedInCrypto: { currency, amount }, fixedRate };
}

function requestRules({ requestedAmount, expiryDate, callbackUrl }: DepositCreation): Rule[] {
  return [
    ...(requestedAmount === undefined ? [] : amountRules(requestedAmount)),
    [callbackUrl === undefined || isCallbackUrl(callbackUrl), "callbackUrl: malformed URL"],
    [expiryDate === undefined || requestedAmount !== undefined, "requestedAmount: mandatory with expiryDate"],
  ];
}

function depositPrice(
  service: Service,
  { requestedAmount, expiryDate }: DepositCreation,
  payee: CustodyAccount,
  nowMs: number,
): DepositPrice {
  if (requestedAmount === undefined) return {};
  const requested = { currency: requestedAmount.currency, amount: requestedAmount.amount.toString() };
  if (requested.currency === payee.currency) return { requestedInCrypto: requested };
  if (!isFiat(requested.currency)) {
    throw invalidParameter(`requestedAmount.currency: expected ${payee.currency} or a fiat currency`);
  }
  const lifetimeMs = expiryDate === undefined ? undefined : Date.parse(expiryDate) - nowMs;
  if (lifetimeMs !== undefined && lifetimeMs <= 0) {
    throw noFixedRate(service, "expiry-passed", "expiryDate: it has passed");
  }
  const rate = service.directory.rates.between(payee.currency, requested.currency);
  if (rate === undefined) {
    throw noFixedRate(service, "rate-unknown", `requestedAmount: no ${requested.currency} rate is known`);
  }
  return atFixedRate(requested, rate.rate.toString(), payee.currency);
}

function noFixedRate({ policy }: Service, cause: ExpiredRateCause, error: string): Refusal {
  return policy.expiredRateWhen.includes(cause)
    ? refusal(409, "CONFLICT_EXPIRED_XRATE", error)
    : invalidParameter(error);
}
