/** Private keys are found in every place where people paste them, and no message repeats them. */
import { describe, expect, test } from "vitest";
import { ADDRESS, ADDRESSES, gridOf, readFile, sheetOf } from "./grids.ts";

/**
 * Bitcoin wiki "Wallet import format", BIP-32 test vector 1, BIP-38 example, wiki "Mini private key format",
 * Litecoin Core's key_io_valid.json.
 */
const KEYS = {
  "WIF, uncompressed": "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
  "WIF, compressed": "KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617",
  "WIF with a wrong checksum": "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTT",
  "WIF, test network": "cMzLdeGd5vEqxB8B6VFQoRopQ3sLAAvEzDAoQgvX54xwofSWj1fx",
  "WIF, Litecoin, uncompressed": "6vqpCruyRS9bEY6ZVrL8S9EL5h2MnQZffzzqrpNP9i8YozvXTKs",
  "WIF, Litecoin, compressed": "T5MZ5z9WqJxzVxYyVPecTJUSDkzDWrUYe1JuSX2AqJ9jKmLJrvTE",
  "BIP-32":
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
  "BIP-38": "6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg",
  "WIF with a space inside": "5HueCGU8rMjxEXxiPuD5BDku4 MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
  "WIF in a descriptor": "wpkh(KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617)#8fhd9pwu",
  "WIF in full-width characters": "５HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
  "PEM armour": "-----BEGIN EC PRIVATE KEY----- MHQCAQEEIF",
  "Ethereum key file": '{"crypto":{"cipher":"aes-128-ctr","ciphertext":"d172bf74"}}',
  "mini key": "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy",
  "hexadecimal, called a key": "private key 0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d",
  "WIF in a sentence": "pay from 5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ please",
} as const;

const KEYS_ONLY_AS_DESTINATION = {
  hexadecimal: "0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d",
  "hexadecimal with 0x": "0x0C28FCA386C7A227600B2FE50B7CAE11EC86D3BF1FBE471BE89827E19D72AA1D",
  "mini key with a wrong checksum": "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRz",
  "Spanish seed phrase": "ábaco abdomen abeja abierto abogado abono aborto abrazo abrir abuelo abuso acabar",
  "Japanese seed phrase":
    "あいこくしん あいさつ あいだ あおぞら あかちゃん あきる あけがた あける あこがれる あさい あさひ あしあと",
} as const;

/** BIP-39 test vectors of Trezor, in the ways in which people write them down. */
const SEED_PHRASES = {
  "seed phrase": "legal winner thank year wave sausage worth useful legal winner thank yellow",
  "seed phrase of the shortest words": "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong",
  "seed phrase in capitals, with commas":
    "LEGAL, WINNER, THANK, YEAR, WAVE, SAUSAGE, WORTH, USEFUL, LEGAL, WINNER, THANK, YELLOW",
  "seed phrase with numbers":
    "1. legal 2. winner 3. thank 4. year 5. wave 6. sausage 7. worth 8. useful 9. legal 10. winner 11. thank 12. yellow",
  "seed phrase in its first four letters": "lega winn than year wave saus wort usef lega winn than yell",
  "seed phrase with a word mistyped":
    "legal winner thank year wave sausge worth useful legal winner thank yellow",
  "seed phrase inside a note":
    "Wallet of the old office: legal winner thank year wave sausage worth useful legal winner thank yellow. Ask Bea!",
  "seed phrase of 24 words":
    "letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor acoustic bless",
} as const;

const COLUMNS = [
  "reference",
  "amount",
  "currency",
  "accountId",
  "username",
  "customerId",
  "callbackUrl",
  "feePolicy",
].concat([
  "customFeeRate",
  "subtractFee",
  "orderCodeName",
  "generalLedgerName",
  "payOn",
  "destinationAccountId",
]);

/** One good payment with a column changed or added. */
function fileWith(column: string, value: string) {
  const row = { reference: "INV-1", amount: "0.05", destinationAddress: ADDRESS, [column]: value };
  return sheetOf([Object.keys(row), Object.values(row)]);
}

const jsonOf = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === "bigint" ? "" : each));

async function reportOf(column: string, value: string): Promise<string> {
  const result = await readFile(fileWith(column, value));
  expect(result.verdict).toBe("rejected");
  return jsonOf(result);
}

describe("a private key", () => {
  test.each(Object.entries({ ...KEYS, ...SEED_PHRASES, ...KEYS_ONLY_AS_DESTINATION }))(
    "in the address column is refused and not repeated: %s",
    async (_, key) => {
      const report = await reportOf("destinationAddress", key);
      expect(report).toContain("ADDRESS_IS_SECRET");
      expect(report).not.toContain(key);
    },
  );

  test.each(COLUMNS)("in the column %s is refused and not repeated", async (column) => {
    for (const key of Object.values({ ...KEYS, ...SEED_PHRASES })) {
      const report = await reportOf(column, key);
      expect(report).toContain("_IS_SECRET");
      expect(report).not.toContain(key);
    }
  });

  test.each(Object.entries({ ...KEYS, ...SEED_PHRASES }))(
    "in a column of the sender's own, in its name or above it, is refused and not repeated: %s",
    async (_, key) => {
      expect(await reportOf("Notes", key)).toContain("VALUE_IS_SECRET");
      const rows = fileWith(key, "").lines.map(({ cells }) => cells);
      const [header = [], row = []] = fileWith("Notes", "").lines.map(({ cells }) => cells);
      const outside = [{ place: "a text box", text: key }];
      for (const grid of [
        sheetOf(rows),
        sheetOf([[key], header, row]),
        sheetOf([header, row], { outside }),
      ]) {
        const result = await readFile(grid);
        expect([result.verdict, result.problems.map(({ code }) => code)]).toEqual([
          "rejected",
          ["VALUE_IS_SECRET"],
        ]);
        expect(jsonOf(result)).not.toContain(key);
      }
    },
  );

  test.each([
    "pay the bill for our new office chairs and desks from ikea",
    "Hosting of the second quarter, as agreed with Mrs. Lindqvist on the phone last week",
    "Thank you for the party rooms we rented in May and June, ever so much",
    "rent july flat nine main street upper floor plus heating water power",
    "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    "tx 0x4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    "19779f5a-bd7a-1e05-9c4b-d39a9fc3a88a",
    "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
  ])("is not seen in an ordinary note: %s", async (note) => {
    const { verdict } = await readFile(
      sheetOf([
        ["reference", "amount", "destinationAddress", "customerId", "Notes"],
        ["INV-1", "0.05", ADDRESS, note, note],
      ]),
    );
    expect(verdict).toBe("accepted");
  });

  test("split by an invisible character is still not repeated", async () => {
    const report = await reportOf(
      "destinationAddress",
      "5HueCGU8rMjxEXxiPuD5BDku4\u200bMkFqeZyd4dZ1jvhTVqvbTLvyTJ",
    );
    expect(report).toContain("ADDRESS_IS_SECRET");
    expect(report).not.toContain("HueCGU8rMjxEXxi");
  });

  test("is a seed phrase whose words stand in a cell each, and none of them is repeated", async () => {
    const words = SEED_PHRASES["seed phrase"].split(" ");
    const header = ["reference", "amount", "destinationAddress", "customerId"];
    const file = [header.join(","), `INV-1,0.05,${ADDRESS},`, words.join(",")].join("\n");
    const { problems } = await readFile(gridOf(file));
    expect(problems.map(({ line, code }) => [line, code])).toEqual([[3, "VALUE_IS_SECRET"]]);
    expect(jsonOf(await readFile(gridOf(file)))).not.toMatch(/winner|sausage/);
  });
});

test.each([
  ["beside a total", `Total,0.07,,${"5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"}`],
  [
    "in a header that is repeated",
    `reference,amount,destinationAddress,${"5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"}`,
  ],
  [
    "in parts, in a row with too many cells",
    `P-3,0.05,${ADDRESSES[0]},legal, winner, thank, year, wave, sausage, worth, useful, legal, winner, thank, yellow`,
  ],
])("a key %s is found", async (_title, line) => {
  const rows = `P-1,0.05,${ADDRESSES[0]},\nP-2,0.02,${ADDRESSES[1]},`;
  const { codes } = await readFile(`reference,amount,destinationAddress,Note\n${rows}\n${line}`);
  expect(codes).toContain("4 VALUE_IS_SECRET");
});
