/** The published vectors of BIP-173 and BIP-350, whole. Where BIP-350 replaced BIP-173, the newer rule holds. */
import { describe, expect, test } from "vitest";
import { recognizeAddress } from "../../../src/readers/address.ts";

const BIP_350_VALID: readonly [address: string, type: string, network: string][] = [
  ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "P2WPKH", "Bitcoin"],
  ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7", "P2WSH", "Bitcoin testnet or signet"],
  [
    "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y",
    "witness version 1",
    "Bitcoin",
  ],
  ["BC1SW50QGDZ25J", "witness version 16", "Bitcoin"],
  ["bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "witness version 2", "Bitcoin"],
  ["tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy", "P2WSH", "Bitcoin testnet or signet"],
  ["tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c", "P2TR", "Bitcoin testnet or signet"],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "P2TR", "Bitcoin"],
];

const BIP_350_INVALID: readonly [address: string, reason: string][] = [
  ["tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut", "Invalid human-readable part"],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "Bech32 instead of Bech32m"],
  ["tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf", "Bech32 instead of Bech32m"],
  ["BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL", "Bech32 instead of Bech32m"],
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", "Bech32m instead of Bech32"],
  ["tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47", "Bech32m instead of Bech32"],
  ["bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4", "Invalid character in checksum"],
  ["BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R", "Invalid witness version"],
  ["bc1pw5dgrnzv", "Invalid program length (1 byte)"],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav", "41 bytes"],
  ["BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "Invalid program length for witness version 0"],
  ["tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq", "Mixed case"],
  ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf", "zero padding of more than 4 bits"],
  ["tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j", "Non-zero padding"],
  ["bc1gmk9yu", "Empty data section"],
];

const BIP_173_VALID: readonly [address: string, isStillValid: boolean][] = [
  ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", true],
  ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7", true],
  ["bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx", false],
  ["BC1SW50QA3JX3S", false],
  ["bc1zw508d6qejxtdg4y5r3zarvaryvg6kdaj", false],
  ["tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy", true],
];

const BIP_173_INVALID: readonly [address: string, reason: string][] = [
  ["tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty", "Invalid human-readable part"],
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "Invalid checksum"],
  ["BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2", "Invalid witness version"],
  ["bc1rw5uspcuh", "Invalid program length"],
  ["bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90", "Invalid program length"],
  ["BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "Invalid program length for witness version 0"],
  ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7", "Mixed case"],
  ["bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du", "zero padding of more than 4 bits"],
  ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv", "Non-zero padding in 8-to-5 conversion"],
  ["bc1gmk9yu", "Empty data section"],
];

describe("segregated witness addresses", () => {
  test.each(BIP_350_VALID)("recognises %s of BIP-350 as %s", (address, type, network) => {
    const recognized = recognizeAddress(address);
    expect(recognized).toMatchObject({ text: address.toLowerCase(), type, hasChecksum: true });
    expect("networks" in recognized && recognized.networks.map(({ name }) => name)).toEqual([network]);
  });

  test.each(BIP_350_INVALID)("does not take %s of BIP-350 for an address: %s", (address) => {
    expect(recognizeAddress(address)).toHaveProperty("malformed");
  });

  test.each(BIP_173_VALID)("reads %s of BIP-173 as BIP-350 left it", (address, isStillValid) => {
    expect("malformed" in recognizeAddress(address)).toBe(!isStillValid);
  });

  test.each(BIP_173_INVALID)("does not take %s of BIP-173 for an address: %s", (address) => {
    expect(recognizeAddress(address)).toHaveProperty("malformed");
  });

  test("names a Litecoin address as one, so that it is not sent Bitcoin", () => {
    const recognized = recognizeAddress("ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9");
    expect("networks" in recognized && recognized.networks.map(({ name }) => name)).toEqual(["Litecoin"]);
  });
});
