/** Payout and its Authorization (interface document, section Resources and their fields). */
import { z } from "zod";
import { funds, money } from "./money.ts";
import { bounded, dateTimeOrEmpty, integer, maybe, text, uuid, uuidOrEmpty } from "./primitives.ts";

export const cosignerAuthorization = z.looseObject({
  state: maybe(text),
  userGroupName: maybe(text),
  username: maybe(text),
  expire: maybe(dateTimeOrEmpty),
});

export const authorization = z.looseObject({
  id: maybe(uuidOrEmpty),
  state: maybe(text),
  cosignerAuthorizations: maybe(bounded(cosignerAuthorization, z.array(cosignerAuthorization))),
});

/** The document shows sentFunds as one object; an array is accepted too and its elements are kept. */
const sentFunds = bounded(
  funds,
  z
    .union([funds.transform((single) => [single]), z.array(funds)])
    .describe("one Funds object, or an array of them"),
);

export const payout = z.looseObject({
  payoutId: uuid,
  clientId: maybe(uuidOrEmpty),
  accountId: uuid,
  callbackUrl: maybe(text),
  reference: maybe(text),
  requestedAmount: money,
  createdDate: maybe(dateTimeOrEmpty),
  debitOrderAlphanumericId: maybe(text),
  destinationAddress: maybe(text),
  destinationAccountId: maybe(uuidOrEmpty),
  payoutState: text,
  sentFunds: maybe(sentFunds),
  authorization: maybe(authorization),
  feePolicy: maybe(text),
  customFeeRate: maybe(integer),
  subtractFee: maybe(z.boolean()),
  useCoinConsolidation: maybe(z.boolean()),
  orderCodeName: maybe(text),
  generalLedgerName: maybe(text),
  generalLedgerProject: maybe(text),
  generalLedgerDistribution: maybe(text),
  batchingAllowed: maybe(z.boolean()),
});

export type Payout = z.output<typeof payout>;
