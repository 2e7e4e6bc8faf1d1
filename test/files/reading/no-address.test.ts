/** Texts that people paste instead of an address: none is paid, and no address is taken out of one. */
import { describe, expect, test } from "vitest";
import { ADDRESS, readFile, sheetOf } from "./grids.ts";

async function problemOf(destinationAddress: string) {
  const { verdict, problems } = await readFile(
    sheetOf([
      ["reference", "amount", "destinationAddress"],
      ["INV-1", "0.05", destinationAddress],
    ]),
  );
  expect(verdict).toBe("rejected");
  expect(problems).toHaveLength(1);
  return problems[0];
}

/** BIP-21, EIP-681, BOLT 11, BIP-32's key, ISO 13616's IBAN. */
const FOUND: readonly (readonly [text: string, code: string, named: string])[] = [
  [`bitcoin:${ADDRESS}?amount=0.05&label=Ann`, "ADDRESS_MALFORMED", "it is more than an address"],
  [
    "ethereum:0x52908400098527886E0F7030069857D2E4169EE7@1/transfer",
    "ADDRESS_MALFORMED",
    "more than an address",
  ],
  [
    "https://mempool.space/address/1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    "ADDRESS_MALFORMED",
    "more than an address",
  ],
  [`'${ADDRESS}`, "ADDRESS_MALFORMED", "more than an address"],
  [`${ADDRESS} ${ADDRESS}`, "ADDRESS_MALFORMED", "more than an address"],
  [`bc1q w508 ${ADDRESS.slice(8)}`, "ADDRESS_MALFORMED", "it has a space inside"],
  [`${ADDRESS}\u200b`, "ADDRESS_MALFORMED", "it holds \\u200b"],
  [` ${ADDRESS.slice(0, 20)}\r\n${ADDRESS.slice(20)}`, "ADDRESS_MALFORMED", "it holds \\u000d"],
  [`lnbc1${"q".repeat(200)}`, "ADDRESS_MALFORMED", "too long"],
  ["vitalik.eth", "ADDRESS_MALFORMED", "Bitcoin"],
  ["ann@example.com", "ADDRESS_MALFORMED", "Bitcoin"],
  [`xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9${"x".repeat(68)}`, "ADDRESS_MALFORMED", "too long"],
  ["GB82 WEST 1234 5698 7654 32", "ADDRESS_MALFORMED", "space"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "ADDRESS_WRONG_NETWORK", "Tron"],
  ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "ADDRESS_WRONG_NETWORK", "testnet or signet"],
  ["bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "ADDRESS_WRONG_NETWORK", "regtest"],
  ["0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d", "ADDRESS_IS_SECRET", "private key"],
  ["see the invoice", "ADDRESS_MALFORMED", "space"],
  ["?", "ADDRESS_MALFORMED", "Bitcoin"],
];

describe("where an address belongs", () => {
  test.each(FOUND)("%s is %s", async (text, code, named) => {
    const found = await problemOf(text);
    expect(found?.code).toBe(code);
    expect(found?.message).toContain(named);
  });

  test.each([`a@${".".repeat(32_000)}`, `${"'".repeat(32_000)}x`, "a.".repeat(16_000)])(
    "a hostile text is refused without a search for its meaning",
    async (text) => expect((await problemOf(text))?.code).toBe("ADDRESS_MALFORMED"),
  );
});
