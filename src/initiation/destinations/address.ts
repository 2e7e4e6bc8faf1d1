/**
 * Destination addresses: recognises what a text is (type, networks, checksum), by calculation alone.
 * Whether such an address may be paid from a custody account is judged in destination-rules.ts.
 */

import { escapedCharacter } from "../shown-text.ts";
import { recognizeBase58 } from "./base58-address.ts";
import { recognizeEthereum } from "./ethereum-address.ts";
import type { MalformedAddress, RecognizedAddress } from "./recognized-address.ts";
import { recognizeSegwit } from "./segwit-address.ts";

const NOT_PRINTABLE_ASCII = /[^\x21-\x7e]/u;

/** What a trimmed text is as an address. Sources: base58check, BIP-173, BIP-350, EIP-55. */
export function recognizeAddress(text: string): RecognizedAddress | MalformedAddress {
  const recognized = recognizeSegwit(text) ?? recognizeEthereum(text) ?? recognizeBase58(text);
  if (typeof recognized !== "string") return recognized;
  return { text, malformed: strangeCharacter(text) ?? recognized };
}

/** The reason that comes before all others, since the eye cannot find it. */
function strangeCharacter(text: string): string | undefined {
  const strange = NOT_PRINTABLE_ASCII.exec(text)?.[0];
  if (strange === " ") return "it has a space inside";
  if (strange !== undefined)
    return `it holds ${escapedCharacter(strange)}, which is no Latin letter or digit`;
  return undefined;
}
