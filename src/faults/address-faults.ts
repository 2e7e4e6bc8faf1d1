/**
 * Destinations that cannot be paid: texts that are not addresses, or addresses of another network, kind or
 * currency.
 */
import { entriesOf } from "./entry.ts";

export const addressFaults = entriesOf("correct-file", {
  DESTINATION_MISSING: {
    message: "there is neither a destination address nor a destination account",
    fix: "Fill in exactly one of destinationAddress and destinationAccountId.",
  },
  DESTINATION_TWICE: {
    message: "there is a destination address and a destination account",
    fix: "Keep exactly one of destinationAddress and destinationAccountId.",
  },
  DESTINATION_IS_SOURCE: {
    message: "the destination account is the custody account that pays",
    fix: "Name another destination account, or another custody account.",
  },
  ADDRESS_MALFORMED: {
    message: "{text} is not a valid {network} address: {reason}",
    fix: "Ask the payee for the address again and copy it whole. Never correct it by hand.",
  },
  ADDRESS_WRONG_NETWORK: {
    message: "the address {text} belongs to {found}, but payouts go to {expected}",
    fix: "Ask the payee for an address on {expected}.",
  },
  ADDRESS_TYPE_UNSUPPORTED: {
    message: "the address {text} is valid ({type}), but the service does not list this type",
    fix: "Ask the payee for a P2PKH, P2SH or Bech32 (P2WPKH, P2WSH) address.",
  },
  ADDRESS_CURRENCY_UNSUPPORTED: {
    message: "{custodyAccount} holds {currency}, but its {operation} takes Bitcoin addresses only",
    fix: "Have treasury set `createOperation` of {custodyAccount} to an operation that takes {currency} addresses.",
  },
  ADDRESS_WITHOUT_CHECKSUM: {
    message: "the address {text} has no checksum, so a typing mistake in it goes unnoticed",
    fix: "Compare it with the payee's own, or ask for it in mixed upper and lower case.",
  },
  ADDRESS_IS_SECRET: {
    message: "this looks like a private key, not an address; it is not repeated here",
    fix: "If it is a private key, treat it as stolen: move its funds. In any case ask the payee for an address.",
  },
});
