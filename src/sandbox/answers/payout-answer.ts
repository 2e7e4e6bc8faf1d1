/** Renders a stored payout as the interface's Payout. */
import type { StoredAuthorization, StoredPayout } from "../state/payouts.ts";
import { wireDate } from "./dates.ts";
import { fundsAnswer, type Reporting } from "./funds-answer.ts";

export function payoutAnswer(service: Reporting, payout: StoredPayout) {
  const { creation, txHash, sentAt, confirmedAt } = payout;
  const { dateStyle } = service.policy;
  return {
    payoutId: payout.payoutId,
    clientId: payout.clientId,
    accountId: creation.accountId,
    callbackUrl: creation.callbackUrl,
    reference: creation.reference,
    requestedAmount: creation.requestedAmount,
    createdDate: wireDate(payout.createdAt, dateStyle),
    debitOrderAlphanumericId: `DO-${payout.payoutId.slice(-8).toUpperCase()}`,
    destinationAddress: creation.destinationAddress,
    destinationAccountId: creation.destinationAccountId,
    payoutState: payout.payoutState,
    sentFunds:
      txHash === undefined || sentAt === undefined
        ? undefined
        : fundsAnswer(service, {
            txHash,
            currency: creation.requestedAmount.currency,
            amount: payout.amount,
            fee: payout.fee,
            createdAt: sentAt,
            confirmedAt,
          }),
    authorization: authorizationAnswer(payout.authorization, dateStyle),
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

function authorizationAnswer({ id, state, cosigners }: StoredAuthorization, dateStyle: "Z" | "offset") {
  return {
    id,
    state,
    cosignerAuthorizations: cosigners.map(({ expiresAt, ...cosigner }) => ({
      ...cosigner,
      expire: wireDate(expiresAt, dateStyle),
    })),
  };
}
