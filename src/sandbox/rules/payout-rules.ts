/**
 * The interface's rules for creating a payout. The sandbox's own choices: CUSTOM without a rate and a rate below 1
 * are broken rules.
 */
import { currencyScales, type Decimal } from "../../money/index.ts";
import { FEE_POLICIES, type FeePolicy, type Money, type PayoutCreation } from "../../wire/index.ts";
import type { Policy } from "../options.ts";
import { invalidParameters, type Rule } from "../refusal.ts";
import { type AddressFormat, type AddressRules, addressFormat } from "./addresses.ts";
import { feeOf } from "./fees.ts";

/** The members that all creations share; only the pathless one may omit the one-time code. */
export interface RequestedPayout extends Omit<PayoutCreation, "otpCode"> {
  readonly otpCode?: string | undefined;
}

/** bitcoin: listed for operations with a path. every: the pathless one takes Ethereum and Litecoin as well. */
export type ListedAddresses = "bitcoin" | "every";

/** Rules about the request alone. */
export function requestRules(
  creation: RequestedPayout,
  listed: ListedAddresses,
  formatAs: DestinationFormats,
  orderCodeNames: readonly string[] | undefined,
): Rule[] {
  const { destinationAddress, destinationAccountId, feePolicy, customFeeRate, orderCodeName } = creation;
  const destinations = [destinationAddress, destinationAccountId].filter((named) => named !== undefined);
  return [
    ...amountRules(creation.requestedAmount),
    [isCallbackUrl(creation.callbackUrl), "callbackUrl: malformed URL"],
    [destinations.length > 0, ONE_DESTINATION],
    [destinations.length < 2, `${ONE_DESTINATION}, not both`],
    [
      listed === "every" || formatAs("BTC") !== undefined,
      "destinationAddress: expected P2PKH, P2SH or Bech32 (P2WPKH, P2WSH) of this network",
    ],
    [feePolicy === undefined || isFeePolicy(feePolicy), UNKNOWN_FEE_POLICY],
    [customFeeRate === undefined || feePolicy === "CUSTOM", "customFeeRate: requires feePolicy CUSTOM"],
    [customFeeRate !== undefined || feePolicy !== "CUSTOM", "customFeeRate: missing for feePolicy CUSTOM"],
    [customFeeRate === undefined || customFeeRate >= 1, "customFeeRate: expected at least 1 sat/vb"],
    [
      orderCodeName === undefined || (orderCodeNames?.includes(orderCodeName) ?? true),
      "orderCodeName: there is no such debit order code",
    ],
  ];
}

const ONE_DESTINATION = "expected one of destinationAddress and destinationAccountId";
const UNKNOWN_FEE_POLICY = `feePolicy: expected one of ${FEE_POLICIES.join(", ")}`;

/** Rules about the request and the currency of its account. A boolean that is false requests nothing. */
export function accountRules(creation: RequestedPayout, currency: string): Rule[] {
  const bitcoinOnly = (field: keyof RequestedPayout): Rule => [
    currency === "BTC" || creation[field] === undefined || creation[field] === false,
    `${field}: for Bitcoin accounts only`,
  ];
  return [
    [
      creation.requestedAmount.currency === currency,
      `requestedAmount.currency: the account holds ${currency}`,
    ],
    bitcoinOnly("customFeeRate"),
    bitcoinOnly("subtractFee"),
    bitcoinOnly("useCoinConsolidation"),
    bitcoinOnly("batchingAllowed"),
  ];
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

/** An absolute http or https URL. */
export function isCallbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:");
}

/** The payee's amount and the network fee. Throws 400 for an address of another currency and for an amount below it. */
export function costOf(
  creation: RequestedPayout,
  currency: string,
  formatAs: DestinationFormats,
  rates: Policy["feeRates"],
) {
  const { customFeeRate, useCoinConsolidation = false, subtractFee = false, requestedAmount } = creation;
  const feePolicy = isFeePolicy(creation.feePolicy) ? creation.feePolicy : "NORMAL";
  const destination = formatAs(currency);
  if (destination === undefined)
    throw invalidParameters(`destinationAddress: expected a ${currency} address`);
  const request = { currency, feePolicy, customFeeRate, useCoinConsolidation };
  const fee = feeOf(request, destination, rates);
  const amount: Decimal = subtractFee ? requestedAmount.amount.minus(fee) : requestedAmount.amount;
  if (amount.isZero() || amount.isNegative())
    throw invalidParameters(`requestedAmount.amount: the fee of ${fee} leaves nothing`);
  return { amount, fee };
}

/** The destination's format as an address of a currency; undefined if it is none. */
type DestinationFormats = (currency: string) => AddressFormat | undefined;

/** Decodes an address once per currency. An account has an address of its own. */
export function destinationFormats(
  destinationAddress: string | undefined,
  rules: AddressRules,
): DestinationFormats {
  const known = new Map<string, AddressFormat | undefined>();
  return (currency) => {
    if (destinationAddress === undefined) return "P2WPKH";
    if (!known.has(currency)) known.set(currency, addressFormat(destinationAddress, currency, rules));
    return known.get(currency);
  };
}

function isFeePolicy(text: string | undefined): text is FeePolicy {
  return FEE_POLICIES.some((policy) => policy === text);
}
