/** Tables in a terminal: what is aligned, and what is left out. */
import { expect, test } from "vitest";
import { figures, textTable } from "../../src/cli/render/text-table.ts";

test("decimal points stand below each other, so that no amount looks like another one's tenth", () => {
  const rows = [
    ["0.03141592 BTC", "A"],
    ["0.5 BTC", "B"],
    ["12 BTC", "C"],
    ["not known", "D"],
  ];
  expect(textTable([figures("amount"), "to"], rows).split("\n")).toEqual([
    "         amount  to",
    " 0.03141592 BTC  A",
    " 0.5        BTC  B",
    "12          BTC  C",
    "      not known  D",
  ]);
});

test("a column without a cell is left out, and wide characters take two places", () => {
  const rows = [
    ["東京", "", "1"],
    ["Zoë\u202e", "", "2"],
  ];
  expect(textTable(["payee", "payout", "row"], rows).split("\n")).toEqual([
    "payee        row",
    "東京         1",
    "Zoë\\u{202e}  2",
  ]);
});

test("without a row there are the titles alone", () => {
  expect(textTable(["row", "payee"], [])).toBe("row  payee");
});
