/** Deposit (interface document, section Resources and their fields). */
import { z } from "zod";
import { exchangeRate, funds, money } from "./money.ts";
import { bounded, dateTimeOrEmpty, maybe, text, uuid, uuidOrEmpty } from "./primitives.ts";

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
  createdDate: maybe(dateTimeOrEmpty),
  expiryDate: maybe(dateTimeOrEmpty),
  creditOrderId: maybe(text),
  creditOrderAlphanumericId: maybe(text),
  fixedExchangeRate: maybe(exchangeRate),
  receivedFunds: maybe(bounded(funds, z.array(funds))),
  duplicatedFromDepositId: maybe(uuidOrEmpty),
});

export type Deposit = z.output<typeof deposit>;
