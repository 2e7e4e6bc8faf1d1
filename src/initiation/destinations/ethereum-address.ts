/** Ethereum addresses: 20 bytes in hexadecimal, whose upper-case letters are a checksum (EIP-55). */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { addressNetworks, type RecognizedAddress } from "./address-networks.ts";

const SHAPE = /^0x[0-9a-fA-F]{40}$/;

/** Ethereum and its test networks share their addresses. */
const networks = addressNetworks.filter(({ currency }) => currency === "ETH");

/** The address; or why the text is not one, in words; or undefined if it does not begin with 0x. */
export function recognizeEthereum(text: string): RecognizedAddress | string | undefined {
  if (!/^0x/i.test(text)) return undefined;
  if (!SHAPE.test(text)) return "after 0x it does not have 40 hexadecimal digits";
  const digits = text.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (hasChecksum && digits !== checksummed(digits))
    return "its upper and lower case do not match the checksum, so a character is wrong";
  return { text, type: "Ethereum", networks, hasChecksum };
}

function checksummed(digits: string): string {
  const small = digits.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(small)));
  return small.replace(/[a-f]/g, (letter, at: number) =>
    hash.charAt(at) >= "8" ? letter.toUpperCase() : letter,
  );
}
