/** Money, Currency, ExchangeRate and Funds (interface document, section Resources and their fields). */
import { z } from "zod";
import { dateTimeOrEmpty, decimal, integer, maybe, text } from "./primitives.ts";

export const money = z.looseObject({ currency: text, amount: decimal });

export const currency = z.looseObject({
  currencyCode: text,
  numericCode: maybe(integer),
  numericCodeAsString: maybe(text),
  displayName: maybe(text),
  symbol: maybe(text),
  defaultFractionDigits: maybe(integer),
});

/** `rate` units of toCurrency for one of fromCurrency. */
export const exchangeRate = z.looseObject({
  rate: decimal,
  fromCurrency: currency,
  toCurrency: currency,
  measuredDate: maybe(dateTimeOrEmpty),
});

/** One movement on the chain: an element of a payout's sentFunds or of a deposit's receivedFunds. */
export const funds = z.looseObject({
  txHash: maybe(text),
  transactionId: maybe(text),
  amount: maybe(money),
  fee: maybe(money),
  createdDate: maybe(dateTimeOrEmpty),
  confirmedDate: maybe(dateTimeOrEmpty),
  state: maybe(text),
  rate: maybe(exchangeRate),
  confirmations: maybe(integer),
});

export type Money = z.output<typeof money>;
export type ExchangeRate = z.output<typeof exchangeRate>;
export type Funds = z.output<typeof funds>;
