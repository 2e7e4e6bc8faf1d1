/**
 * Recognises destination addresses (type, networks, checksum) by calculation alone. Whether an address may be paid from
 * a custody account is checked in destination-rules.ts.
 */
import { escapedCharacter } from "../../model/shown-text.ts";
import type { MalformedAddress, RecognizedAddress } from "./address-networks.ts";
import { recognizeBase58 } from "./base58-address.ts";
import { recognizeEthereum } from "./ethereum-address.ts";
import { recognizeSegwit } from "./segwit-address.ts";

const NOT_PRINTABLE_ASCII = /[^\x21-\x7e]/u;

/** Recognises a trimmed text. Sources: base58check, BIP-173, BIP-350, EIP-55. */
export function recognizeAddress(text: string): RecognizedAddress | MalformedAddress {
  const recognized = recognizeSegwit(text) ?? recognizeEthereum(text) ?? recognizeBase58(text);
  if (typeof recognized !== "string") return recognized;
  return { text, malformed: strangeCharacter(text) ?? recognized };
}

/** Names a strange character first, because the eye cannot find it. */
function strangeCharacter(text: string): string | undefined {
  const strange = NOT_PRINTABLE_ASCII.exec(text)?.[0];
  if (strange === " ") return "it has a space inside";
  if (strange !== undefined)
    return `it holds ${escapedCharacter(strange)}, which is not a Latin letter or digit`;
  return undefined;
}
