/** What people paste instead of an address: each is named for what it is, and none is paid. */
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

/** BIP-21, EIP-681, BOLT 11's first example, LUD-01, BIP-32's and SLIP-132's keys, EIP's ICAP example, ISO 13616's IBAN. */
const FOUND: readonly (readonly [text: string, code: string, named: string])[] = [
  [`bitcoin:${ADDRESS}?amount=0.05&label=Ann`, "ADDRESS_IS_LINK", "a link (bitcoin:)"],
  [`BITCOIN:${ADDRESS.toUpperCase()}`, "ADDRESS_IS_LINK", "a link (BITCOIN:)"],
  ["ethereum:0x52908400098527886E0F7030069857D2E4169EE7@1", "ADDRESS_IS_LINK", "a link (ethereum:)"],
  ["litecoin:ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", "ADDRESS_IS_LINK", "a link (litecoin:)"],
  ["https://mempool.space/address/1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "ADDRESS_IS_LINK", "a link (https:)"],
  [
    "lnbc1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq8rkx3yf5tcsyz3d73gafnh3cax9rn449d9p5uxz9ezhhypd0elx87sjle52x86fux2ypatgddc6k63n7erqz25le42c4u4ecky03ylcqca784w",
    "ADDRESS_IS_OTHER",
    "Lightning",
  ],
  [
    "lightning:LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS",
    "ADDRESS_IS_OTHER",
    "Lightning",
  ],
  ["vitalik.eth", "ADDRESS_IS_OTHER", "a name of the Ethereum Name Service"],
  ["pay.example.com", "ADDRESS_IS_OTHER", "a domain name"],
  ["bücher.example", "ADDRESS_IS_OTHER", "a domain name"],
  ["ann@example.com", "ADDRESS_IS_OTHER", "an e-mail address"],
  [
    "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8",
    "ADDRESS_IS_OTHER",
    "an extended public key",
  ],
  [
    "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
    "ADDRESS_IS_OTHER",
    "an extended public key",
  ],
  ["0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "ADDRESS_IS_OTHER", "a public key"],
  ["GB82 WEST 1234 5698 7654 32", "ADDRESS_IS_OTHER", "IBAN"],
  ["DE89370400440532013000", "ADDRESS_IS_OTHER", "IBAN"],
  ["XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS", "ADDRESS_IS_OTHER", "ICAP"],
  ["52908400098527886E0F7030069857D2E4169EE7", "ADDRESS_IS_OTHER", "without 0x"],
  [`ltcmweb1qq${"q".repeat(100)}`, "ADDRESS_IS_OTHER", "MWEB"],
  [`sp1qq${"q".repeat(110)}`, "ADDRESS_IS_OTHER", "silent-payment"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "ADDRESS_WRONG_NETWORK", "Tron"],
  ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "ADDRESS_WRONG_NETWORK", "testnet or signet"],
  ["bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", "ADDRESS_WRONG_NETWORK", "regtest"],
  [`'${ADDRESS}`, "ADDRESS_HAS_SURPLUS", "in the cell: '"],
  [`"${ADDRESS}",`, "ADDRESS_HAS_SURPLUS", 'in the cell: ", ,'],
  [`${ADDRESS}\u200b`, "ADDRESS_HAS_SURPLUS", "\\u200b"],
  [`${ADDRESS.slice(0, 20)}\r\n${ADDRESS.slice(20)}`, "ADDRESS_HAS_SURPLUS", "in the cell: a line break"],
  [`bc1q w508 ${ADDRESS.slice(8)}`, "ADDRESS_HAS_SURPLUS", "a space"],
  [`${ADDRESS} ${ADDRESS}`, "ADDRESS_MALFORMED", "space"],
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

  test("the address inside a link is told, unless it is a contract's or none", async () => {
    expect((await problemOf(`bitcoin:${ADDRESS}?amount=1`))?.fix).toContain(
      `Write only the address: ${ADDRESS},`,
    );
    const call = "ethereum:0x52908400098527886E0F7030069857D2E4169EE7@1/transfer?uint256=1";
    for (const text of [
      call,
      `bitcoin:${ADDRESS.slice(0, -1)}`,
      "bitcoin:?lightning=lnbc1",
      "https://example.com",
    ])
      expect((await problemOf(text))?.fix).toContain("Write only the address, after");
  });

  test.each([`a@${".".repeat(32_000)}`, `${"'".repeat(32_000)}x`, "a.".repeat(16_000)])(
    "a hostile text is refused without a search for its meaning",
    async (text) => expect((await problemOf(text))?.code).toBe("ADDRESS_MALFORMED"),
  );
});
