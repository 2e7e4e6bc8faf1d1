/** Renders a stored deposit and its received parts as the interface's Deposit. */
import { Decimal } from "../../money/index.ts";
import { exchangeRateAnswer } from "../rules/exchange-rates.ts";
import type { Service } from "../service.ts";
import type { DepositPart, StoredDeposit } from "../state/deposits.ts";
import { wireDate } from "./dates.ts";
import { fundsAnswer } from "./funds-answer.ts";

export function depositAnswer(service: Service, deposit: StoredDeposit) {
  const { terms, expiresAt } = deposit;
  const { dateStyle } = service.policy;
  const currency = service.accounts.find(deposit.accountId)?.currency ?? "BTC";
  return {
    depositId: deposit.depositId,
    accountId: deposit.accountId,
    callbackUrl: terms.callbackUrl,
    reference: deposit.reference,
    customerId: terms.customerId,
    requestedAmountInFiat: moneyAnswer(terms.requestedInFiat),
    requestedAmountInCryptoAtFixedRate: moneyAnswer(terms.requestedInCrypto),
    receiverAddress: terms.receiverAddress,
    verificationSignature: terms.verificationSignature,
    depositState: deposit.depositState,
    createdDate: wireDate(deposit.createdAt, dateStyle),
    expiryDate: expiresAt === undefined ? undefined : wireDate(expiresAt, dateStyle),
    creditOrderId: terms.creditOrderId,
    creditOrderAlphanumericId: terms.creditOrderAlphanumericId,
    fixedExchangeRate: fixedRateAnswer(service, deposit, currency),
    duplicatedFromDepositId: deposit.duplicatedFromDepositId,
    receivedFunds: listedParts(service, deposit).flatMap((part) => partAnswer(service, part, currency)),
  };
}

function listedParts(
  { deposits }: Service,
  { depositId, duplicatedFromDepositId: originalId, listsOriginal }: StoredDeposit,
): readonly DepositPart[] {
  const ofOriginal = listsOriginal && originalId !== undefined ? deposits.receivedParts(originalId) : [];
  return [...ofOriginal, ...deposits.receivedParts(depositId)];
}

function moneyAnswer(money: { readonly currency: string; readonly amount: string } | undefined) {
  return money === undefined ? undefined : { currency: money.currency, amount: Decimal.of(money.amount) };
}

function fixedRateAnswer(service: Service, { terms, createdAt }: StoredDeposit, currency: string) {
  if (terms.fixedRate === undefined || terms.requestedInFiat === undefined) return undefined;
  return exchangeRateAnswer(
    {
      rate: Decimal.of(terms.fixedRate),
      fromCurrency: currency,
      toCurrency: terms.requestedInFiat.currency,
    },
    wireDate(createdAt, service.policy.dateStyle),
  );
}

function partAnswer(service: Service, part: DepositPart, currency: string) {
  const { receivedAt: createdAt, ...movement } = part;
  return createdAt === undefined ? [] : [fundsAnswer(service, { ...movement, currency, createdAt })];
}
