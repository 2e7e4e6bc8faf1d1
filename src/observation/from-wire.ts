/**
 * Converts the service's resources to our model: exact amounts, branded ids, no nulls. Codes and hashes whose case
 * has no meaning get one spelling, so that another one is no change.
 */
import {
  comparableTransaction,
  custodyAccountId,
  depositId,
  type Instant,
  type ObservedBalance,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  type ObservedRate,
  payoutId,
} from "../model/index.ts";
import type { Amount } from "../money/index.ts";
import {
  type AccountBalance,
  type Deposit,
  type ExchangeRate,
  type Funds,
  type Money,
  type Payout,
  parseDeposit,
  parseJson,
  parsePayout,
} from "../wire/index.ts";

export function payoutFromWire(payout: Payout, stateSeenAt: Instant): ObservedPayout {
  return {
    payoutId: payoutId(payout.payoutId),
    custodyAccountId: custodyAccountId(payout.accountId),
    requestedAmount: amountFromWire(payout.requestedAmount),
    state: payout.payoutState,
    sentFunds: (payout.sentFunds ?? []).map(fundsFromWire),
    stateSeenAt,
    ...stated({
      reference: payout.reference,
      callbackUrl: payout.callbackUrl,
      createdAt: payout.createdDate,
      destinationAddress: payout.destinationAddress?.trim(),
      destinationAccountId: payout.destinationAccountId && custodyAccountId(payout.destinationAccountId),
      subtractFee: payout.subtractFee,
      feePolicy: payout.feePolicy,
      debitOrderId: payout.debitOrderAlphanumericId,
      generalLedgerName: payout.generalLedgerName,
      generalLedgerProject: payout.generalLedgerProject,
      generalLedgerDistribution: payout.generalLedgerDistribution,
    }),
  };
}

export function depositFromWire(deposit: Deposit, stateSeenAt: Instant): ObservedDeposit {
  return {
    depositId: depositId(deposit.depositId),
    custodyAccountId: custodyAccountId(deposit.accountId),
    state: deposit.depositState,
    receivedFunds: (deposit.receivedFunds ?? []).map(fundsFromWire),
    stateSeenAt,
    ...stated({
      reference: deposit.reference,
      customerId: deposit.customerId,
      requestedInFiat: deposit.requestedAmountInFiat && amountFromWire(deposit.requestedAmountInFiat),
      requestedInCrypto:
        deposit.requestedAmountInCryptoAtFixedRate &&
        amountFromWire(deposit.requestedAmountInCryptoAtFixedRate),
      receiverAddress: deposit.receiverAddress?.trim(),
      createdAt: deposit.createdDate,
      expiresAt: deposit.expiryDate,
      creditOrderId: deposit.creditOrderAlphanumericId ?? deposit.creditOrderId,
      fixedRate: deposit.fixedExchangeRate && rateFromWire(deposit.fixedExchangeRate),
      duplicatedFromDepositId: originalOf(deposit),
    }),
  };
}

/** A deposit is no duplicate of itself. */
function originalOf({ depositId: id, duplicatedFromDepositId: original }: Deposit) {
  return original === undefined || original === id ? undefined : depositId(original);
}

export function payoutFromStored(raw: string, stateSeenAt: Instant): ObservedPayout {
  return payoutFromWire(parsePayout(parseJson(raw)), stateSeenAt);
}

export function depositFromStored(raw: string, stateSeenAt: Instant): ObservedDeposit {
  return depositFromWire(parseDeposit(parseJson(raw)), stateSeenAt);
}

export function balanceFromWire(balance: AccountBalance, observedAt: Instant): ObservedBalance {
  return {
    custodyAccountId: custodyAccountId(balance.accountId),
    total: amountFromWire(balance.btcBalance.total),
    observedAt,
    ...stated({
      available: balance.btcBalance.available && amountFromWire(balance.btcBalance.available),
      rate: balance.exchangeRate && rateFromWire(balance.exchangeRate),
    }),
  };
}

function fundsFromWire(funds: Funds): ObservedFunds {
  return stated({
    txHash: funds.txHash && comparableTransaction(funds.txHash),
    transactionId: funds.transactionId && comparableTransaction(funds.transactionId),
    amount: funds.amount && amountFromWire(funds.amount),
    fee: funds.fee && amountFromWire(funds.fee),
    createdAt: funds.createdDate,
    confirmedAt: funds.confirmedDate,
    state: funds.state && plainCode(funds.state),
    rate: funds.rate && rateFromWire(funds.rate),
    confirmations: funds.confirmations,
  });
}

function rateFromWire(rate: ExchangeRate): ObservedRate {
  return {
    rate: rate.rate,
    from: plainCode(rate.fromCurrency.currencyCode),
    to: plainCode(rate.toCurrency.currencyCode),
    ...stated({ measuredAt: rate.measuredDate }),
  };
}

/** A service may spell 0.05 as 0.0500: trailing zeros have no meaning, and do not show a currency's scale. */
function amountFromWire({ currency, amount }: Money): Amount {
  return { currency: plainCode(currency), value: amount.normalized() };
}

/** Our own currency codes have no small letters either. */
function plainCode(code: string): string {
  return code.trim().toUpperCase();
}

type Stated<Value> = { readonly [Name in keyof Value]?: Exclude<Value[Name], undefined | ""> };

/** Only the members that have a value; an empty text counts as none. */
function stated<Value extends object>(value: Value): Stated<Value> {
  const kept: Partial<Record<keyof Value, unknown>> = {};
  for (const name in value) {
    const member: unknown = value[name];
    if (member !== undefined && member !== "") kept[name] = member;
  }
  return kept as Stated<Value>;
}
