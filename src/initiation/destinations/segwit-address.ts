/** Segregated witness addresses (BIP-173), with the changed checksum of version 1 and later (BIP-350). */
import { type Bech32Decoded, bech32, bech32m } from "@scure/base";
import { type AddressNetwork, addressNetworks, type RecognizedAddress } from "./address-networks.ts";

const BECH32_LENGTH_MAX = 90;
const WITNESS_VERSION_MAX = 16;

const networksByPrefix: ReadonlyMap<string | undefined, readonly AddressNetwork[]> = Map.groupBy(
  addressNetworks.filter(({ bech32Prefix }) => bech32Prefix !== undefined),
  ({ bech32Prefix }) => bech32Prefix,
);

const KNOWN_PREFIX = new RegExp(`^(?:${[...networksByPrefix.keys()].join("|")})1`, "i");

/** The address; or why it is not one; or undefined if it does not begin like one of a known network. */
export function recognizeSegwit(text: string): RecognizedAddress | string | undefined {
  if (!KNOWN_PREFIX.test(text)) return undefined;
  const oldChecksum = bech32.decodeUnsafe(text, BECH32_LENGTH_MAX);
  const decoded = oldChecksum ?? bech32m.decodeUnsafe(text, BECH32_LENGTH_MAX);
  if (decoded === undefined) return undecodable(text);
  const networks = networksByPrefix.get(decoded.prefix);
  const [version] = decoded.words;
  const programLength = programLengthOf(decoded);
  if (networks === undefined || version === undefined || programLength === undefined)
    return "its data are not a witness program";
  if (version > WITNESS_VERSION_MAX) return `there is no witness version ${version}`;
  if ((version === 0) !== (oldChecksum !== undefined))
    return `its checksum is not the one of witness version ${version}`;
  const type = programType(version, programLength);
  if (type === undefined)
    return `a witness program of ${programLength} bytes does not exist in version ${version}`;
  return { text: text.toLowerCase(), type, networks, hasChecksum: true };
}

function undecodable(text: string): string {
  if (text.length > BECH32_LENGTH_MAX)
    return `it has ${text.length} characters, more than any Bech32 address`;
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return "it mixes upper and lower case";
  return "its checksum does not match, so a character is wrong, missing or out of place";
}

/** Length in bytes; undefined if more than padding is left over (BIP-173: at most four bits, all zero). */
function programLengthOf({ words }: Bech32Decoded): number | undefined {
  // Counted, because nobody needs the bytes: to unpack them takes a third of the time of an address.
  const bits = (words.length - 1) * BITS_PER_WORD;
  const paddingBits = bits % 8;
  const padding = (words.at(-1) ?? 0) & ((1 << paddingBits) - 1);
  return paddingBits < BITS_PER_WORD && padding === 0 ? (bits - paddingBits) / 8 : undefined;
}

const BITS_PER_WORD = 5;

function programType(version: number, programLength: number): string | undefined {
  if (version === 0) return programLength === 20 ? "P2WPKH" : programLength === 32 ? "P2WSH" : undefined;
  if (programLength < 2 || programLength > 40) return undefined;
  return version === 1 && programLength === 32 ? "P2TR" : `witness version ${version}`;
}
