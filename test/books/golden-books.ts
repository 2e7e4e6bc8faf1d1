/**
 * One company's November: the figures are in the accountants' worked example, checked by hledger, ledger and
 * beancount.
 */
import { btc, deposit, eur, funds, payout, rateIntoEur } from "./movements.ts";

const spot = rateIntoEur("81234.56");
const promised = rateIntoEur("80000");
const expiry = "2026-11-20T12:30:00.000Z";

export const payouts = [
  payout("0001", {
    reference: "INV-77",
    requestedAmount: btc("0.05"),
    generalLedgerProject: "PRJ-ALPHA",
    generalLedgerDistribution: "DIST-OPS",
    sentFunds: [funds({ txHash: "aa11", amount: btc("0.05"), fee: btc("0.0000215"), rate: spot })],
  }),
  payout("0002", {
    requestedAmount: btc("0.02"),
    subtractFee: true,
    sentFunds: [funds({ txHash: "aa12", amount: btc("0.019982"), fee: btc("0.000018"), rate: spot })],
  }),
  payout("0003", { requestedAmount: btc("0.03"), state: "SEND_FAILED" }),
  payout("0004", { requestedAmount: btc("0.01"), state: "CANCELLED" }),
];

export const deposits = [
  deposit("1001", {
    reference: "D-1",
    requestedInFiat: eur("1000.00"),
    requestedInCrypto: btc("0.0125"),
    fixedRate: promised,
    expiresAt: expiry,
    receivedFunds: [
      funds({ transactionId: "bb21", txHash: "cc21", amount: btc("0.0075"), rate: rateIntoEur("81000") }),
      funds({
        transactionId: "bb22",
        txHash: "cc22",
        amount: btc("0.005"),
        rate: rateIntoEur("81100"),
        confirmedAt: "2026-11-20T12:20:00.000Z",
      }),
    ],
  }),
  deposit("1002", {
    requestedInFiat: eur("500"),
    requestedInCrypto: btc("0.00625"),
    fixedRate: promised,
    expiresAt: expiry,
    receivedFunds: [funds({ transactionId: "bb31", amount: btc("0.0065"), rate: rateIntoEur("81000") })],
  }),
  deposit("1003", {
    requestedInFiat: eur("300"),
    requestedInCrypto: btc("0.00375"),
    fixedRate: promised,
    expiresAt: "2026-11-20T11:59:59.999Z",
    receivedFunds: [funds({ transactionId: "bb41", amount: btc("0.00375"), rate: rateIntoEur("79200") })],
  }),
];
