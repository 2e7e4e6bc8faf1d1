/** Links for wallets: by BIP-21, Litecoin's use of it, and EIP-681, whose value is in wei. */
import { expect, test } from "vitest";
import { paymentUri } from "../../src/expected/index.ts";
import { Decimal } from "../../src/money/index.ts";

const ETH = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

test.each([
  ["BTC", "bc1qxyz", "0.50000000", "bitcoin:bc1qxyz?amount=0.5"],
  ["BTC", "bc1qxyz", undefined, "bitcoin:bc1qxyz"],
  ["LTC", "ltc1qxyz", "12", "litecoin:ltc1qxyz?amount=12"],
  ["ETH", ETH, "1.5", `ethereum:${ETH}?value=1500000000000000000`],
  ["ETH", ETH, "0.000000000000000001", `ethereum:${ETH}?value=1`],
  ["EUR", "bc1qxyz", "1", undefined],
])("%s to %s, amount %s", (coin, address, amount, uri) => {
  expect(paymentUri(coin, address, amount === undefined ? undefined : Decimal.of(amount))).toBe(uri);
});
