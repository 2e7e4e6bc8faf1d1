/** Deposit (interface document, section Resources and their fields). */
import { z } from "zod";
import { exchangeRate, funds, money } from "./money.ts";
import { dateTime, maybe, text, uuid } from "./primitives.ts";

export const deposit = z.looseObject({
  depositId: uuid,
  accountId: uuid,
  callbackUrl: maybe(text),
  reference: maybe(text),
  customerId: maybe(text),
  requestedAmountInFiat: maybe(money),
  requestedAmountInCryptoAtFixedRate: maybe(money),
  receiverAddress: maybe(text),
  verificationSignature: maybe(text),
  depositState: text,
  createdDate: maybe(dateTime),
  expiryDate: maybe(dateTime),
  creditOrderId: maybe(text),
  creditOrderAlphanumericId: maybe(text),
  fixedExchangeRate: maybe(exchangeRate),
  receivedFunds: maybe(z.array(funds)),
  duplicatedFromDepositId: maybe(uuid),
});

export type Deposit = z.output<typeof deposit>;
