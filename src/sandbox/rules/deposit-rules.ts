/**
 * What the interface says about a deposit's creation: an enabled account, a well-formed URL, an amount above zero in the
 * account's currency or in fiat, expiryDate only with an amount. Chosen where it is silent: callbackUrl may be left out, and
 * CONFLICT_EXPIRED_XRATE answers a fiat amount whose expiry has passed or for which no rate is known.
 */
import { Decimal, isFiat } from "../../money/index.ts";
import type { DepositCreation } from "../../wire/index.ts";
import { invalidParameter, Refusal, refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import type { CustodyAccount } from "../state/accounts.ts";
import type { DepositTerms } from "../state/deposits.ts";
import { enabledAccount, exceedsScale, isCallbackUrl } from "./payout-rules.ts";

export type DepositPrice = Pick<DepositTerms, "requestedInFiat" | "requestedInCrypto" | "fixedRate">;

/** Checks a creation and prices it; throws the refusal of the first rule group that it breaks. */
export function checkedDeposit(service: Service, creation: DepositCreation, nowMs: number): DepositPrice {
  const complaints = complaintsAbout(creation);
  if (complaints.length > 0) {
    throw new Refusal(
      400,
      complaints.map((error) => ({ error, code: "INVALID_PARAMETER" })),
    );
  }
  return priced(service, creation, enabledAccount(service, creation.accountId, "accountId"), nowMs);
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

function complaintsAbout({ requestedAmount, expiryDate, callbackUrl }: DepositCreation): string[] {
  const rules: readonly (readonly [boolean, string])[] = [
    [
      requestedAmount === undefined || requestedAmount.amount.compare(Decimal.zero) > 0,
      "requestedAmount.amount: expected more than zero",
    ],
    [
      requestedAmount === undefined || !exceedsScale(requestedAmount.amount, requestedAmount.currency),
      "requestedAmount.amount: more decimals than its currency has",
    ],
    [callbackUrl === undefined || isCallbackUrl(callbackUrl), "callbackUrl: malformed URL"],
    [expiryDate === undefined || requestedAmount !== undefined, "requestedAmount: mandatory with expiryDate"],
  ];
  return rules.filter(([holds]) => !holds).map(([, complaint]) => complaint);
}

function priced(
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
  const rate = service.rates.between(payee.currency, requested.currency);
  const expired = expiryDate !== undefined && Date.parse(expiryDate) <= nowMs;
  if (rate === undefined || expired) {
    throw refusal(409, "CONFLICT_EXPIRED_XRATE", `no ${requested.currency} rate is valid until then`);
  }
  return atFixedRate(requested, rate.rate.toString(), payee.currency);
}
