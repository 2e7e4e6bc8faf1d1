/**
 * The link that a customer's wallet reads: an address of the account's own coin, and the amount while it applies.
 * Sources: BIP-21 for Bitcoin, and Litecoin's use of it; EIP-681 for Ethereum, whose value is in wei.
 */
import type { Instant } from "../../model/index.ts";
import { type Amount, Decimal } from "../../money/index.ts";
import type { MatchedExpectation } from "./matching.ts";

const SCHEMES: Readonly<Record<string, string>> = { BTC: "bitcoin", LTC: "litecoin", ETH: "ethereum" };

const WEI_PER_ETHER = Decimal.of("1000000000000000000");

/** Undefined for a coin without such a link. `amount`: in the account's coin; undefined leaves it out. */
export function paymentUri(coin: string, address: string, amount: Decimal | undefined): string | undefined {
  const scheme = SCHEMES[coin];
  if (scheme === undefined) return undefined;
  if (amount === undefined) return `${scheme}:${address}`;
  const plain = amount.normalized();
  return coin === "ETH"
    ? `${scheme}:${address}?value=${plain.times(WEI_PER_ETHER).normalized()}`
    : `${scheme}:${address}?amount=${plain}`;
}

/**
 * The amount to pay in the account's coin: the open amount if it is in that coin. For a fiat amount, the amount at
 * its fixed rate, while that applies and no receipt has come yet. Undefined if it is unknown.
 */
export function amountToPay(
  { expectation, open, received, arriving }: MatchedExpectation,
  coin: string,
  fixed:
    | { readonly requestedInCrypto?: Amount | undefined; readonly expiresAt?: Instant | undefined }
    | undefined,
  now: Instant,
): Decimal | undefined {
  if (expectation.amount.currency === coin) return open.isZero() || !arriving.isZero() ? undefined : open;
  const { requestedInCrypto, expiresAt } = fixed ?? {};
  const hasCome = !received.isZero() || !arriving.isZero();
  if (requestedInCrypto?.currency !== coin || expiresAt === undefined || expiresAt <= now || hasCome)
    return undefined;
  return requestedInCrypto.value;
}
