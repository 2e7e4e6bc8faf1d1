/** Rows as the interface's resources (interface document, section Resources and their fields). */
import { currencyScales, Decimal } from "../money/index.ts";
import { writeJson } from "../wire/index.ts";
import { receivedParts } from "./life/deposits.ts";
import type { Policy } from "./options.ts";
import { hashOf } from "./random.ts";
import type { Service } from "./service.ts";
import { breakdownOf, type CustodyAccount, figuresAs } from "./state/money.ts";
import type { Rate } from "./state/rates.ts";
import type { SearchRequest } from "./state/search.ts";
import type { DepositPart, StoredDeposit, StoredPayout } from "./state/state.ts";

/** yyyy-MM-dd'T'HH:mm:ss.SSSZ, with Z as a literal or an offset. */
export function wireDate(atMs: number, { dateStyle }: Pick<Policy, "dateStyle">): string {
  const text = new Date(atMs).toISOString();
  return dateStyle === "Z" ? text : text.replace("Z", "+0000");
}

export function payoutAnswer(service: Service, payout: StoredPayout) {
  const { creation, authorization } = payout;
  const { policy } = service;
  return {
    payoutId: payout.payoutId,
    clientId: payout.clientId,
    accountId: creation.accountId,
    callbackUrl: creation.callbackUrl,
    reference: creation.reference,
    requestedAmount: creation.requestedAmount,
    createdDate: wireDate(payout.createdAt, policy),
    debitOrderAlphanumericId: `DO-${payout.payoutId.slice(-8).toUpperCase()}`,
    destinationAddress: creation.destinationAddress,
    destinationAccountId: creation.destinationAccountId,
    payoutState: payout.payoutState,
    sentFunds: sentFundsAnswer(service, payout),
    authorization: {
      id: authorization.id,
      state: authorization.state,
      cosignerAuthorizations: authorization.cosigners.map(({ expiresAt, ...cosigner }) => ({
        ...cosigner,
        expire: wireDate(expiresAt, policy),
      })),
    },
    feePolicy: creation.feePolicy,
    customFeeRate: creation.customFeeRate,
    subtractFee: creation.subtractFee,
    useCoinConsolidation: creation.useCoinConsolidation,
    orderCodeName: creation.orderCodeName,
    generalLedgerName: creation.generalLedgerName,
    generalLedgerProject: creation.generalLedgerProject,
    generalLedgerDistribution: creation.generalLedgerDistribution,
    batchingAllowed: creation.batchingAllowed,
  };
}

/** One object, or a list where a rule of the seed shows several transactions. */
function sentFundsAnswer(service: Service, payout: StoredPayout) {
  const { txHash, sentAt, confirmedAt, amount, fee, creation } = payout;
  if (txHash === undefined || sentAt === undefined) return undefined;
  const { currency } = creation.requestedAmount;
  const sent = { txHash, currency, amount, fee, createdAt: sentAt, confirmedAt, confirmations: 1 };
  const another = { ...sent, txHash: hashOf(`beside ${txHash}`) };
  switch (service.payoutListingOf(creation.reference)?.sentFunds) {
    case undefined:
      return fundsAnswer(service, sent);
    case "replaced":
      return [fundsAnswer(service, { ...another, confirmedAt: undefined }), fundsAnswer(service, sent)];
    case "parts": {
      const half = amount.dividedBy(Decimal.of("2"), currencyScales().scaleOf(currency) ?? amount.scale);
      const rest = { ...another, amount: amount.minus(half), fee: undefined };
      return [fundsAnswer(service, { ...sent, amount: half }), fundsAnswer(service, rest)];
    }
  }
}

export function depositAnswer(service: Service, deposit: Omit<StoredDeposit, "dueAt">) {
  const { depositId, accountId, terms, expiresAt, duplicatedFromDepositId: originalId } = deposit;
  const { policy } = service;
  const currency = service.money.account(accountId)?.currency ?? "BTC";
  const ofOriginal =
    deposit.listsOriginal && originalId !== undefined ? receivedParts(service, originalId) : [];
  return {
    depositId,
    accountId,
    callbackUrl: terms.callbackUrl,
    reference: deposit.reference,
    customerId: terms.customerId,
    requestedAmountInFiat: moneyAnswer(terms.requestedInFiat),
    requestedAmountInCryptoAtFixedRate: moneyAnswer(terms.requestedInCrypto),
    receiverAddress: terms.receiverAddress,
    verificationSignature: terms.verificationSignature,
    depositState: deposit.depositState,
    createdDate: wireDate(deposit.createdAt, policy),
    expiryDate: expiresAt === undefined ? undefined : wireDate(expiresAt, policy),
    creditOrderId: terms.creditOrderId,
    creditOrderAlphanumericId: terms.creditOrderAlphanumericId,
    fixedExchangeRate: fixedRateAnswer(deposit, currency, policy),
    duplicatedFromDepositId: originalId,
    receivedFunds: [...ofOriginal, ...receivedParts(service, depositId)].flatMap((part) =>
      receivedFundsAnswer(service, part, currency),
    ),
  };
}

/** A part, after the transaction that it replaced. */
function receivedFundsAnswer(service: Service, { receivedAt, ...part }: DepositPart, currency: string) {
  if (receivedAt === undefined) return [];
  const shown = { ...part, currency, createdAt: receivedAt };
  const { replacedTxHash } = part;
  const replaced = replacedTxHash && { ...shown, txHash: replacedTxHash, confirmedAt: undefined };
  return [...(replaced ? [replaced] : []), shown].map((each) => fundsAnswer(service, each));
}

function moneyAnswer(money: { readonly currency: string; readonly amount: string } | undefined) {
  return money && { currency: money.currency, amount: Decimal.of(money.amount) };
}

function fixedRateAnswer(
  { terms, createdAt }: Pick<StoredDeposit, "terms" | "createdAt">,
  fromCurrency: string,
  policy: Policy,
) {
  if (terms.fixedRate === undefined || terms.requestedInFiat === undefined) return undefined;
  const toCurrency = terms.requestedInFiat.currency;
  const rate = { rate: Decimal.of(terms.fixedRate), fromCurrency, toCurrency };
  return rateAnswer(rate, wireDate(createdAt, policy));
}

/** A movement on the chain, sent or received. */
interface ChainMovement {
  readonly txHash: string;
  readonly currency: string;
  readonly amount: Decimal;
  /** Absent for received funds without one in the seed: their sender pays it. */
  readonly fee?: Decimal | undefined;
  readonly createdAt: number;
  readonly confirmedAt: number | undefined;
  /** Shown once confirmed. */
  readonly confirmations: number;
}

/** The interface lists only UNCONFIRMED; CONFIRMED is the sandbox's own. The rate is that of the confirmation. */
function fundsAnswer({ policy, rates }: Service, movement: ChainMovement) {
  const { txHash, currency, amount, fee, createdAt, confirmedAt, confirmations } = movement;
  const confirmedDate = confirmedAt === undefined ? undefined : wireDate(confirmedAt, policy);
  const rate = confirmedAt === undefined ? undefined : rates.at(currency, confirmedAt);
  return {
    txHash,
    transactionId: `TX-${hashOf(txHash).slice(0, 16)}`,
    amount: { currency, amount },
    fee: fee && { currency, amount: fee },
    createdDate: wireDate(createdAt, policy),
    confirmedDate,
    state: confirmedAt === undefined ? "UNCONFIRMED" : "CONFIRMED",
    rate: rate && confirmedDate && rateAnswer(rate, confirmedDate),
    confirmations: confirmedAt === undefined ? 0 : confirmations,
  };
}

/** `measuredDate`: already in the service's date style. */
function rateAnswer({ rate, fromCurrency, toCurrency }: Rate, measuredDate: string) {
  return {
    rate,
    fromCurrency: currencyAnswer(fromCurrency),
    toCurrency: currencyAnswer(toCurrency),
    measuredDate,
  };
}

/** ISO 4217 numbers; cryptocurrencies have none and get 0. */
const CURRENCIES = new Map([
  ["BTC", { numericCode: 0, displayName: "Bitcoin", symbol: "₿" }],
  ["LTC", { numericCode: 0, displayName: "Litecoin", symbol: "Ł" }],
  ["ETH", { numericCode: 0, displayName: "Ether", symbol: "Ξ" }],
  ["EUR", { numericCode: 978, displayName: "Euro", symbol: "€" }],
  ["USD", { numericCode: 840, displayName: "US Dollar", symbol: "$" }],
  ["GBP", { numericCode: 826, displayName: "British Pound", symbol: "£" }],
  ["CHF", { numericCode: 756, displayName: "Swiss Franc", symbol: "CHF" }],
]);

function currencyAnswer(currencyCode: string) {
  const unlisted = { numericCode: 0, displayName: currencyCode, symbol: currencyCode };
  const { numericCode, displayName, symbol } = CURRENCIES.get(currencyCode) ?? unlisted;
  return {
    currencyCode,
    numericCode,
    numericCodeAsString: String(numericCode).padStart(3, "0"),
    displayName,
    symbol,
    defaultFractionDigits: currencyScales().scaleOf(currencyCode) ?? 2,
  };
}

/** The breakdown in crypto and, if a rate is known, in fiat. */
export function balanceAnswer({ rates, policy }: Service, account: CustodyAccount, nowMs: number) {
  const { accountId, currency, enabled } = account;
  const breakdown = breakdownOf(account.balance);
  const rate = rates.from(currency);
  const inFiat = ({ toCurrency, rate: factor }: Rate) =>
    figuresAs(breakdown, (amount) => ({
      currency: toCurrency,
      amount: amount.times(factor).rounded(currencyScales().scaleOf(toCurrency) ?? 2),
    }));
  return {
    accountId,
    fundsCanBeSpent: enabled && !breakdown.available.isNegative() && !breakdown.available.isZero(),
    btcBalance: figuresAs(breakdown, (amount) => ({ currency, amount })),
    fiatBalance: rate && inFiat(rate),
    exchangeRate: rate && rateAnswer(rate, wireDate(nowMs, policy)),
  };
}

/** A body that is already JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

interface FoundPage {
  /** The request's own text, so that the echo keeps its exact digits. */
  readonly filters: string;
  readonly request: SearchRequest;
  /** The page's elements as JSON text, and the number of all. */
  readonly content: readonly string[];
  readonly totalElements: number;
  /** The number of the first page. */
  readonly firstPage: number;
}

export function searchAnswer({ filters, request, content, totalElements, firstPage }: FoundPage): JsonText {
  const { page, size } = request;
  const number = page + firstPage;
  const totalPages = Math.ceil(totalElements / size);
  const sort = request.sort.map(({ property, direction }) => ({
    direction,
    nullHandling: "NATIVE",
    ascending: direction === "ASC",
    property,
    ignoreCase: false,
  }));
  const pageable = {
    offset: page * size,
    sort,
    unpaged: false,
    paged: true,
    pageNumber: number,
    pageSize: size,
  };
  const rest = {
    totalPages,
    totalElements,
    size,
    number,
    numberOfElements: content.length,
    first: page === 0,
    last: page >= totalPages - 1,
    empty: content.length === 0,
    sort,
    pageable,
  };
  const results = `{"content":[${content.join(",")}],${writeJson(rest).slice(1)}`;
  return new JsonText(`{"filters":${filters},"results":${results}}`);
}
