/** Private keys are found wherever they are pasted, and no message repeats them. */
import { describe, expect, test } from "vitest";
import { initiate } from "../../src/initiation/index.ts";
import { payoutTable, policyWith } from "./payout-table.ts";

/** Bitcoin wiki "Wallet import format", BIP-32 test vector 1, BIP-38 example, wiki "Mini private key format", BIP-39 vector. */
const KEYS = {
  "WIF, uncompressed": "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
  "WIF, compressed": "KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617",
  "WIF with a wrong checksum": "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTT",
  "WIF, test network": "cMzLdeGd5vEqxB8B6VFQoRopQ3sLAAvEzDAoQgvX54xwofSWj1fx",
  "BIP-32":
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
  "BIP-38": "6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg",
  "WIF with a space inside": "5HueCGU8rMjxEXxiPuD5BDku4 MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
  "WIF in a sentence": "pay from 5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ please",
} as const;

const KEYS_ONLY_AS_DESTINATION = {
  hexadecimal: "0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d",
  "hexadecimal with 0x": "0x0C28FCA386C7A227600B2FE50B7CAE11EC86D3BF1FBE471BE89827E19D72AA1D",
  "mini key": "S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy",
  "seed phrase": "legal winner thank year wave sausage worth useful legal winner thank yellow",
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

async function reportOf(column: string, value: string): Promise<string> {
  const { verdict, problems, warnings } = await initiate(payoutTable([{ [column]: value }]), policyWith());
  expect(verdict).toBe("rejected");
  return JSON.stringify([problems, warnings]);
}

describe("a private key", () => {
  test.each(Object.entries({ ...KEYS, ...KEYS_ONLY_AS_DESTINATION }))(
    "in the address column is refused and not repeated: %s",
    async (_, key) => {
      const report = await reportOf("destinationAddress", key);
      expect(report).toContain("ADDRESS_IS_SECRET");
      expect(report).not.toContain(key);
    },
  );

  test.each(COLUMNS)("in the column %s is refused and not repeated", async (column) => {
    for (const key of Object.values(KEYS)) expect(await reportOf(column, key)).not.toContain(key);
  });

  test("split by an invisible character is still not repeated", async () => {
    const report = await reportOf(
      "destinationAddress",
      "5HueCGU8rMjxEXxiPuD5BDku4\u200bMkFqeZyd4dZ1jvhTVqvbTLvyTJ",
    );
    expect(report).toContain("ADDRESS_IS_SECRET");
    expect(report).not.toContain("HueCGU8rMjxEXxi");
  });
});
