/**
 * The address formats that the interface lists. Bitcoin: P2PKH, P2SH, and Bech32 version 0 (P2WPKH and P2WSH);
 * taproot is not listed and accepted only if the policy allows it. Litecoin: the same with its own prefixes (L, M
 * or 3, ltc1). Ethereum: hexadecimal, EIP-55.
 */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { Address, NETWORK, TEST_NETWORK } from "@scure/btc-signer";

type Network = "main" | "test";
export type AddressFormat = "P2PKH" | "P2SH" | "P2WPKH" | "P2WSH" | "P2TR" | "ETHEREUM";

export interface AddressRules {
  readonly network: Network;
  readonly taprootAllowed: boolean;
}

type Codec = ReturnType<typeof Address>;

/** Litecoin Core, chainparams.cpp. P2SH begins with M (test network: Q), and before that with Bitcoin's 3 (2). */
const LITECOIN = { bech32: "ltc", pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 };
const LITECOIN_TEST = { bech32: "tltc", pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef };

/** The first codec of a currency encodes; all of them decode. */
const CODECS: Readonly<Record<string, Readonly<Record<Network, readonly [Codec, ...Codec[]]>>>> = {
  BTC: { main: [Address(NETWORK)], test: [Address(TEST_NETWORK)] },
  LTC: {
    main: [Address(LITECOIN), Address({ ...LITECOIN, scriptHash: 0x05 })],
    test: [Address(LITECOIN_TEST), Address({ ...LITECOIN_TEST, scriptHash: 0xc4 })],
  },
};

const FORMATS: Readonly<Record<string, AddressFormat>> = {
  pkh: "P2PKH",
  sh: "P2SH",
  wpkh: "P2WPKH",
  wsh: "P2WSH",
  tr: "P2TR",
};

/** The format of an address; undefined unless its checksum, currency and network are right. */
export function addressFormat(
  address: string,
  currency: string,
  rules: AddressRules,
): AddressFormat | undefined {
  if (currency === "ETH") return isEthereumAddress(address) ? "ETHEREUM" : undefined;
  for (const codec of CODECS[currency]?.[rules.network] ?? []) {
    const format = decodedFormat(codec, address);
    if (format === "P2TR" && (currency !== "BTC" || !rules.taprootAllowed)) return undefined;
    if (format !== undefined) return format;
  }
  return undefined;
}

/** The receiving address for a 20-byte key hash: P2WPKH, or Ethereum's. */
export function receiverAddressOf(keyHash: Uint8Array, currency: string, network: Network): string {
  if (currency === "ETH") return ethereumAddressOf(keyHash);
  const [codec] = CODECS[currency]?.[network] ?? CODECS["BTC"]?.[network] ?? [];
  if (codec === undefined) throw new RangeError(`no addresses are known for ${currency}`);
  return codec.encode({ type: "wpkh", hash: keyHash });
}

/** One spelling for addresses that have several: Bech32 and Ethereum addresses in lower case. */
export function canonicalAddress(address: string): string {
  return /^(?:0x|bc1|tb1|ltc1|tltc1)/i.test(address) ? address.toLowerCase() : address;
}

function decodedFormat(codec: Codec, address: string): AddressFormat | undefined {
  try {
    return FORMATS[codec.decode(address).type];
  } catch {
    return undefined; // an invalid address makes the codec throw
  }
}

/** 20 bytes in hexadecimal. Mixed case is a checksum (EIP-55), which must be right; one case has none. */
function isEthereumAddress(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false;
  const digits = address.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return !hasChecksum || digits === checksummed(digits);
}

/** The address of 20 bytes, with its checksum. */
function ethereumAddressOf(bytes: Uint8Array): string {
  return `0x${checksummed(bytesToHex(bytes))}`;
}

function checksummed(digits: string): string {
  const small = digits.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(small)));
  return small.replace(/[a-f]/g, (letter, at: number) =>
    hash.charAt(at) >= "8" ? letter.toUpperCase() : letter,
  );
}
