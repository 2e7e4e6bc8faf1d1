/** Currency scales: crypto by their smallest unit, fiat by ISO 4217 (list one, column minor unit). */
import { expect, test } from "vitest";
import { currencyScales, isFiat } from "../../src/money/index.ts";

test.each([
  ["BTC", 8],
  ["LTC", 8],
  ["ETH", 18],
  ["EUR", 2],
  ["JPY", 0],
  ["KWD", 3],
])("%s has %i digits after the point", (currency, scale) => {
  expect(currencyScales().scaleOf(currency)).toBe(scale);
});

test("an unknown currency has no scale, so nothing is rounded for it", () => {
  expect(currencyScales().scaleOf("DOGE")).toBeUndefined();
  expect(currencyScales().scaleOf("btc")).toBeUndefined();
  expect(currencyScales().scaleOf("toString")).toBeUndefined();
});

test("the configuration adds currencies and may correct one", () => {
  const scales = currencyScales({ DOGE: 8, EUR: 4 });
  expect(scales.scaleOf("DOGE")).toBe(8);
  expect(scales.scaleOf("EUR")).toBe(4);
  expect(scales.scaleOf("BTC")).toBe(8);
});

test("cryptocurrencies are not fiat", () => {
  expect(["EUR", "JPY", "KWD"].every(isFiat)).toBe(true);
  expect(["BTC", "ETH", "LTC", "XYZ"].some(isFiat)).toBe(false);
});
