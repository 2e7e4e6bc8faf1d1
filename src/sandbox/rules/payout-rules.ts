/**
 * The interface's rules for creating a payout, checked in this order: the request alone (400, all problems
 * together), user and one-time code, the accounts it names (404), the request against its account (400). The
 * sandbox's own choices: CUSTOM without a rate and a rate below 1 are 400; an unknown username is 404; a wrong
 * one-time code is 400.
 */
import { currencyScales } from "../../money/index.ts";
import { FEE_POLICIES, type FeePolicy, type Money, type PayoutCreation } from "../../wire/index.ts";
import { invalidParameter, type Rule, refusal, refuseBroken } from "../refusal.ts";
import type { Service } from "../service.ts";
import { breakdownOf, type CustodyAccount } from "../state/accounts.ts";
import { type AddressFormat, addressFormat } from "./addresses.ts";
import { feeOf } from "./fees.ts";
import { type Caller, checkUser, enabledAccount, existingAccount } from "./payer.ts";

/** The members that all creations share; only the pathless one may omit the one-time code. */
export interface RequestedPayout extends Omit<PayoutCreation, "otpCode"> {
  readonly otpCode?: string | undefined;
}

/** bitcoin: listed for operations with a path. every: the pathless one takes Ethereum and Litecoin as well. */
export type ListedAddresses = "bitcoin" | "every";

/** The paying account, the payee's amount and the network fee. Throws the first broken group of rules. */
export function checkedPayout(caller: Caller, creation: RequestedPayout, listed: ListedAddresses) {
  const { service } = caller;
  const formats = destinationFormats(service, creation.destinationAddress);
  refuseBroken(requestRules(service, creation, listed, formats));
  checkUser(caller, creation.username, creation.otpCode);
  const payer = enabledAccount(service, creation.accountId);
  if (creation.destinationAccountId !== undefined) {
    existingAccount(service, creation.destinationAccountId, "destinationAccountId");
  }
  refuseBroken(accountRules(creation, payer));
  return payerAndCost(service, creation, payer, formats);
}

/** An absolute http or https URL. */
export function isCallbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
}

/** The amount must be positive, with no more decimals than its currency has. */
export function amountRules({ amount, currency }: Money): Rule[] {
  const error = "requestedAmount.amount: expected more than zero";
  const scale = currencyScales().scaleOf(currency) ?? Number.POSITIVE_INFINITY;
  return [
    [!amount.isNegative(), error],
    [!amount.isZero(), error],
    [amount.normalized().scale <= scale, `requestedAmount.amount: more decimals than ${currency} has`],
  ];
}

/** The destination's format as an address of a currency; undefined if it is not one. Cached per currency. */
type DestinationFormats = (currency: string) => AddressFormat | undefined;

function destinationFormats({ policy }: Service, destinationAddress: string | undefined): DestinationFormats {
  const known = new Map<string, AddressFormat | undefined>();
  return (currency) => {
    if (destinationAddress === undefined) return "P2WPKH"; // an account's own address
    if (!known.has(currency)) known.set(currency, addressFormat(destinationAddress, currency, policy));
    return known.get(currency);
  };
}

function requestRules(
  service: Service,
  creation: RequestedPayout,
  listed: ListedAddresses,
  formats: DestinationFormats,
): Rule[] {
  const { requestedAmount, destinationAddress, destinationAccountId, feePolicy, customFeeRate } = creation;
  const destinations = [destinationAddress, destinationAccountId].filter(
    (destination) => destination !== undefined,
  );
  return [
    ...amountRules(requestedAmount),
    [isCallbackUrl(creation.callbackUrl), "callbackUrl: malformed URL"],
    [destinations.length > 0, ONE_DESTINATION],
    [destinations.length < 2, `${ONE_DESTINATION}, not both`],
    [
      listed === "every" || formats("BTC") !== undefined,
      "destinationAddress: expected P2PKH, P2SH or Bech32 (P2WPKH, P2WSH) of this network",
    ],
    [feePolicy === undefined || isFeePolicy(feePolicy), UNKNOWN_FEE_POLICY],
    [customFeeRate === undefined || feePolicy === "CUSTOM", "customFeeRate: requires feePolicy CUSTOM"],
    [customFeeRate !== undefined || feePolicy !== "CUSTOM", "customFeeRate: missing for feePolicy CUSTOM"],
    [customFeeRate === undefined || customFeeRate >= 1, "customFeeRate: expected at least 1 sat/vb"],
    [isKnownOrderCode(service, creation.orderCodeName), "orderCodeName: there is no such debit order code"],
  ];
}

const ONE_DESTINATION = "expected one of destinationAddress and destinationAccountId";
const UNKNOWN_FEE_POLICY = `feePolicy: expected one of ${FEE_POLICIES.join(", ")}`;

/** A boolean that is false requests nothing, and so is allowed for any account. */
function accountRules(creation: RequestedPayout, { currency }: CustodyAccount): Rule[] {
  const isBitcoin = currency === "BTC";
  const bitcoinOnly = (flag: boolean | undefined, field: string): Rule => [
    isBitcoin || flag !== true,
    `${field}: for Bitcoin accounts only`,
  ];
  return [
    [
      creation.requestedAmount.currency === currency,
      `requestedAmount.currency: the account holds ${currency}`,
    ],
    bitcoinOnly(creation.customFeeRate !== undefined, "customFeeRate"),
    bitcoinOnly(creation.subtractFee, "subtractFee"),
    bitcoinOnly(creation.useCoinConsolidation, "useCoinConsolidation"),
    bitcoinOnly(creation.batchingAllowed, "batchingAllowed"),
  ];
}

function payerAndCost(
  service: Service,
  creation: RequestedPayout,
  payer: CustodyAccount,
  formats: DestinationFormats,
) {
  const { requestedAmount, subtractFee = false, verifyBalance = false } = creation;
  const { currency } = payer;
  const feePolicy = isFeePolicy(creation.feePolicy) ? creation.feePolicy : "NORMAL";
  const { customFeeRate, useCoinConsolidation = false } = creation;
  const request = { currency, feePolicy, customFeeRate, useCoinConsolidation };
  const destination = formats(currency);
  if (destination === undefined) throw invalidParameter(`destinationAddress: expected a ${currency} address`);
  const fee = feeOf(request, destination, service.policy.feeRates);
  const amount = subtractFee ? requestedAmount.amount.minus(fee) : requestedAmount.amount;
  if (amount.isZero() || amount.isNegative())
    throw invalidParameter(`requestedAmount.amount: the fee of ${fee} leaves nothing`);
  if (verifyBalance && breakdownOf(payer.balance).available.compare(amount.plus(fee)) < 0) {
    throw refusal(400, "INSUFFICIENT_BALANCE", "the available balance does not cover amount and fee");
  }
  return { payer, amount, fee };
}

function isKnownOrderCode({ seed }: Service, orderCodeName: string | undefined): boolean {
  return orderCodeName === undefined || (seed.orderCodeNames?.includes(orderCodeName) ?? true);
}

function isFeePolicy(text: string | undefined): text is FeePolicy {
  return FEE_POLICIES.some((policy) => policy === text);
}
