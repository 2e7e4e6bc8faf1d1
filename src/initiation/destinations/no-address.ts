/**
 * Names what was entered instead of an address: a payment link, an invoice, a name, a public key, a bank account. An
 * address inside it is shown but never extracted, because the rest of the text would be lost silently.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { escapedCharacter } from "../../model/printable-text.ts";
import { escapedText } from "../../model/shown-text.ts";
import { recognizeAddress } from "./address.ts";

/** The problem for a text that `recognizeAddress` found malformed; `network` is the network of the payouts. */
export function noAddress(text: string, reason: string, network: string): Problem {
  const found =
    text.length > NAMED_LENGTH_MAX ? undefined : (otherThing(text) ?? paymentLink(text) ?? withSurplus(text));
  return found ?? problem("ADDRESS_MALFORMED", { text: escapedText(text), network, reason });
}

/** No invoice is longer, and some patterns take quadratic time. */
const NAMED_LENGTH_MAX = 2000;

/** What it is, and what is wanted instead if not an address of any form. */
type Named = readonly [pattern: RegExp, what: string, wanted?: string];

/** Lightning by BOLT 11, BOLT 12 and LNURL; extended keys by BIP-32 and SLIP-132, public keys by SEC 1. */
const NAMED: readonly Named[] = [
  [
    /^(?:lightning:.*|ln(?:bc|tb|tbs|bcrt)\d*[munp]?1[02-9ac-hj-np-z]{20,}|(?:lno|lnr|lni|lnurl)1[02-9ac-hj-np-z]+)$/i,
    "a Lightning invoice or link",
    "a Bitcoin address instead of an invoice",
  ],
  [/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "an e-mail address or a Lightning address"],
  [/^\S+\.eth$/i, "a name of the Ethereum Name Service"],
  [/^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}$/u, "a domain name"],
  [
    /^(?:[a-zA-Z]pub|[LMt]tub|dgub)[1-9A-HJ-NP-Za-km-z]{79,}$/,
    "an extended public key, which reveals everything that its owner receives",
  ],
  [/^(?:0x)?(?:0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i, "a public key"],
  [
    /^XE\d{2}[0-9A-Z]{16,31}$/i,
    "an Ethereum address in the form of a bank account (ICAP)",
    "an address that begins with 0x",
  ],
  [/^[0-9a-f]{40}$/i, "an Ethereum address without 0x, or a hash", "an address that begins with 0x"],
  [
    /^(?:ltcmweb|tmweb)1/i,
    "a Litecoin address of the kind MWEB",
    "an address that begins with ltc1q, L or M",
  ],
  [/^t?sp1q[02-9ac-hj-np-z]{100,}$/i, "a silent-payment address", "an address that begins with bc1q, 1 or 3"],
];

function otherThing(text: string): Problem | undefined {
  const bank = [/^/, "a bank account (IBAN)", "an address, or pay it through your bank"] as const;
  const [, what, wanted = "the address itself"] = isIban(text)
    ? bank
    : (NAMED.find(([pattern]) => pattern.test(text)) ?? []);
  return what === undefined
    ? undefined
    : problem("ADDRESS_IS_OTHER", { text: escapedText(text), what, wanted });
}

/** Check digits of an IBAN (ISO 13616), letters counting from 10. XE is not a country but used by ICAP. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(" ", "").toUpperCase();
  if (!/^(?!XE)[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(plain)) return false;
  const turned = plain.slice(4) + plain.slice(0, 4);
  const digits = turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

/** BIP-21, EIP-681 and similar payment links; also web addresses. */
const LINK = /^([a-z][a-z0-9+-]*):(?:\/\/)?(?:pay-)?(?=\S)([^?@/\s]*)(.*)$/is;

function paymentLink(text: string): Problem | undefined {
  const [, scheme, inside = "", rest = ""] = LINK.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  // In EIP-681 a slash introduces a contract's function; then the address is not the payee's.
  const isPayee = !rest.includes("/") && !("malformed" in recognizeAddress(inside));
  return problem("ADDRESS_IS_LINK", {
    text: escapedText(text),
    scheme,
    address: isPayee ? `: ${inside}` : "",
  });
}

/** Quotes, brackets and stops copied along with an address, and characters that a cell does not show. */
const AROUND = /^['"‘’“”«»`<([{]+|['"‘’“”«»`>)\]}.,;]+$/gu;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\s]/gu;

function withSurplus(text: string): Problem | undefined {
  const seen = text.replace(UNSEEN, "");
  const address = seen.replace(AROUND, "");
  if (address === text || "malformed" in recognizeAddress(address)) return undefined;
  const surplus = [...(text.match(UNSEEN) ?? []), ...(seen.match(AROUND) ?? []).join("")];
  const names = new Set(surplus.map(nameOf));
  return problem("ADDRESS_HAS_SURPLUS", { text: escapedText(text), surplus: [...names].join(", ") });
}

function nameOf(character: string): string {
  if (/[!-~]/.test(character)) return character;
  return SURPLUS_NAMES.get(character) ?? `an invisible or foreign character (${escapedCharacter(character)})`;
}

const SURPLUS_NAMES: ReadonlyMap<string, string> = new Map([
  [" ", "a space"],
  ["\u00a0", "a space that joins words"],
  ["\t", "a tab"],
  ["\n", "a line break"],
  ["\r", "a line break"],
]);
