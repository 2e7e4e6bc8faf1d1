/** Base58check addresses with published examples, and addresses of other kinds. */
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recognizeAddress } from "../../../src/readers/address.ts";

/** Bitcoin developer reference and wiki, "List of address prefixes"; BIP-16 and BIP-13 for P2SH. */
const PUBLISHED: readonly [address: string, type: string, network: string][] = [
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "P2PKH", "Bitcoin"],
  ["17VZNX1SN5NtKa8UQFxwQbFeFc3iqRYhem", "P2PKH", "Bitcoin"],
  ["3EktnHQD7RiAE6uzMj2ZifT9YgRrkSgzQX", "P2SH", "Bitcoin"],
  ["3P14159f73E4gFr7JterCCQh9QjiTjiZrG", "P2SH", "Bitcoin"],
  ["mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "P2PKH", "Bitcoin testnet or signet"],
  ["2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc", "P2SH", "Bitcoin testnet or signet"],
];

/** Litecoin Core, src/test/data/key_io_valid.json: all addresses in base58check of its main and test networks. */
const LITECOIN: readonly [address: string, type: string, network: string][] = [
  ["LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA", "P2PKH", "Litecoin"],
  ["MHrYRxAiMNBTku3eoDHwhA1LQGDjUStZW2", "P2SH", "Litecoin"],
  ["M9dw1FAoWpHC6PcMzoCHhqQ9McvTyG5Ywj", "P2SH", "Litecoin"],
  ["LbfVMz974gbbGFqXF7FZUpSBWSbwBHDwR5", "P2PKH", "Litecoin"],
  ["MWGEAUUZoN4r6puz8KsgnE9wNTQ8fGWCEy", "P2SH", "Litecoin"],
  ["MNYP3h6XQQcVBohyVrxAtRGhbyvPpXzyFR", "P2SH", "Litecoin"],
  ["LgUPnP2UZxmFBJb8FDgNd5JcU9b7CNfrw1", "P2PKH", "Litecoin"],
  ["MU2UAbDxiiirZuGTZ6nSaFajsXFkLHozcU", "P2SH", "Litecoin"],
  ["mwXn5Vhicdav8Av3KMokx4YNuHoGRKxtWs", "P2PKH", "Litecoin testnet"],
  ["QXaUgLHkZcbJb2j5XgMYzY8cF9YM48Y81Z", "P2SH", "Litecoin testnet"],
  ["QNfyfXGXxfeaG8SQpnHxS2J27ysokKCtZL", "P2SH", "Litecoin testnet"],
  ["mnJYjG654G354sX1xEBaPGvGCoe34M1Pqr", "P2PKH", "Litecoin testnet"],
  ["QQjXG2nbVfxysmaEZQVL9TsS359WjDT5ux", "P2SH", "Litecoin testnet"],
  ["QjqYEtoPWjTVxZQFUWdWj6r48hM6i2ESc2", "P2SH", "Litecoin testnet"],
];

/** The examples of EIP-55. */
const EIP_55 = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

describe("base58check addresses", () => {
  test.each([...PUBLISHED, ...LITECOIN])("recognises %s as %s of %s", (address, type, network) => {
    const recognized = recognizeAddress(address);
    expect(recognized).toMatchObject({ text: address, type });
    expect("networks" in recognized && recognized.networks.map(({ name }) => name)).toContain(network);
  });

  test("does not take an address with one wrong character for one", () => {
    const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(hash, fc.constantFrom(0x00, 0x05), fc.nat(), fc.nat(), (bytes, version, at, letter) => {
        const address = createBase58check(sha256).encode(Uint8Array.of(version, ...bytes));
        const place = at % address.length;
        const other = alphabet.charAt(letter % alphabet.length);
        fc.pre(other !== address.charAt(place));
        const mistyped = address.slice(0, place) + other + address.slice(place + 1);
        expect(recognizeAddress(address)).toHaveProperty("type");
        expect(recognizeAddress(mistyped)).toHaveProperty("malformed");
      }),
    );
  });

  test("does not spend time on a text that is far too long", () => {
    expect(recognizeAddress("1".repeat(100_000))).toHaveProperty("malformed");
  });

  test.each([
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf\u0430a", "it holds \\u0430, which is not a Latin letter or digit"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7\u200bDivfNa", "it holds \\u200b, which is not a Latin letter or digit"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7 DivfNa", "it has a space inside"],
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0", 'it holds "0", which no such address contains'],
  ])("says what the eye cannot find in %j", (text, malformed) => {
    expect(recognizeAddress(text)).toEqual({ text, malformed });
  });
});

describe("Ethereum addresses", () => {
  test.each(EIP_55)("recognises %s of EIP-55", (address) => {
    expect(recognizeAddress(address)).toMatchObject({ text: address, type: "Ethereum" });
  });

  test("does not take one with a capital letter in the wrong place for one", () => {
    expect(recognizeAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed")).toHaveProperty("malformed");
  });
});
