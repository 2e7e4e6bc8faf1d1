/**
 * Every known currency and unit, in every place beside amounts: a row's coin is paid only if nothing contradicts
 * it.
 */
import { describe, expect, test } from "vitest";
import { ALL_CODES } from "../../../src/files/reading/units.ts";
import type { Cell, Grid } from "../../../src/model/grid.ts";
import { Decimal } from "../../../src/money/index.ts";
import { ADDRESSES, numberCell, readFile, sheetOf } from "./grids.ts";

const [A, B] = ADDRESSES;
const UNITS =
  "sat|sats|satoshi|Satoshis|mBTC|uBTC|µBTC|kBTC|millibitcoin|micro-bitcoin|milli BTC|bits|gwei|wei|finney|cents|x1000|x 1,000|×1000|/1000|thousands|Tsd.|TEUR|k€|Mio.|тыс.|сатоши|millions|milliers|miles|migliaia|duizend|tys.".split(
    "|",
  );

interface Place {
  readonly heading?: string;
  readonly amounts?: readonly [Cell, Cell];
  readonly title?: string;
  readonly sheet?: string;
  readonly fileName?: string;
}

const AMOUNTS = [numberCell("5.4"), numberCell("12.5")] as const;

function gridWith({ heading = "Amount", amounts = AMOUNTS, title, sheet = "Sheet1" }: Place): Grid {
  return sheetOf(
    [
      ...(title === undefined ? [] : [[title]]),
      ["Invoice", "Supplier", heading, "Wallet", "Coin"],
      ["INV-1", "Ana", amounts[0], A, "BTC"],
      ["INV-2", "Bob", amounts[1], B, "BTC"],
    ],
    { sheet },
  );
}

/** Limits so high that they hide nothing that is read. */
const LIMITS = { BTC: Decimal.of("1000000000") };
const HIGH = { limits: { perRow: LIMITS, perFile: LIMITS } };

/** Whether both rows are paid and nothing is asked. */
async function isPaidUnasked(place: Place): Promise<boolean> {
  const { paid, questions } = await readFile(gridWith(place), {
    ...HIGH,
    ...(place.fileName === undefined ? {} : { fileName: place.fileName }),
  });
  return paid.length === 2 && questions.length === 0;
}

const HEADINGS: readonly ((unit: string) => string)[] = [
  (unit) => `Amount ${unit}`,
  (unit) => `Amount (${unit})`,
  (unit) => `Amount in ${unit}`,
  (unit) => `${unit} Amount`,
  (unit) => `Betrag [${unit}]`,
  (unit) => `amount_${unit.toLowerCase()}`,
  (unit) => `Net payout ${unit}`,
];

const TITLES: readonly ((unit: string) => string)[] = [
  (unit) => `Payouts (${unit})`,
  (unit) => `November (${unit}) run`,
];

/** Two of all forms for the unit at this place, in turn: each unit is named, and each form names many. */
function inTurn<Form>(forms: readonly Form[], at: number): readonly Form[] {
  return [0, 3].map((more) => forms[(at + more) % forms.length] as Form);
}

describe("nothing is paid unasked", () => {
  const others = [...ALL_CODES].filter((code) => code !== "BTC");
  test("under the heading of another currency, before or after the word", async () => {
    const paid: string[] = [];
    for (const [at, code] of others.entries())
      for (const heading of inTurn(HEADINGS, at).map((named) => named(code)))
        if (await isPaidUnasked({ heading })) paid.push(heading);
    expect(paid).toEqual([]);
    expect(others.length).toBeGreaterThan(150);
  });

  test("under the heading of another unit", async () => {
    const paid: string[] = [];
    for (const unit of UNITS)
      for (const heading of HEADINGS.map((named) => named(unit)))
        if (await isPaidUnasked({ heading })) paid.push(heading);
    expect(paid).toEqual([]);
  });

  test("whose cell or number format shows another currency or unit", async () => {
    const paid: string[] = [];
    for (const unit of [...others, ...UNITS])
      for (const amounts of [
        [`5.4 ${unit}`, `12.5 ${unit}`],
        [`${unit} 5.4`, `${unit} 12.5`],
        [{ kind: "number", text: "5.4", unit }, numberCell("12.5")],
      ] as const)
        if (await isPaidUnasked({ amounts })) paid.push(`${unit} in ${JSON.stringify(amounts)}`);
    expect(paid).toEqual([]);
  });

  test("where a title, the sheet or the file is called after another currency", async () => {
    const paid: string[] = [];
    for (const [at, code] of others.entries())
      for (const title of TITLES.map((named) => named(code))) {
        const places = [{ title }, { sheet: title.slice(0, 31) }, { fileName: `${title}.xlsx` }];
        const place = places[at % places.length] ?? {};
        if (await isPaidUnasked(place)) paid.push(JSON.stringify(place));
      }
    expect(paid).toEqual([]);
  });

  test("where the file is called after a currency without brackets, or after a unit", async () => {
    const paid: string[] = [];
    const names = [
      "EUR",
      "usd",
      "GBP",
      "chf",
      "LTC",
      "eth",
      "WBTC",
      "USDT",
      "mBTC",
      "sats",
      "satoshi",
      "TEUR",
      "cents",
      "Bitcoin Cash",
      "bitcoin-sv",
    ];
    for (const name of names)
      for (const fileName of [
        `Affiliate payouts ${name}.csv`,
        `${name}-payouts.csv`,
        `payouts_${name}_2026.csv`,
      ])
        if (await isPaidUnasked({ fileName })) paid.push(fileName);
    expect(paid).toEqual([]);
  });
});

test.each<readonly [Place, RegExp]>([
  [{ title: "Payments in EUR" }, /above the columns: "Payments in EUR"; it names EUR/],
  [{ title: "All amounts in mBTC" }, /above the columns: "All amounts in mBTC"; it names another unit/],
  [{ sheet: "Affiliates USD" }, /the name of the sheet: "Affiliates USD"; it names USD/],
  [{ sheet: "Payouts (sats)" }, /the name of the sheet: "Payouts \(sats\)"; it names another unit/],
])("amounts that name no coin under %j are asked about, and not refused", async ({ title, sheet }, asked) => {
  const rows = [
    ...(title === undefined ? [] : [[title]]),
    ["Invoice", "Amount", "Wallet"],
    ["INV-1", "5.4", A],
  ];
  const { codes, questions } = await readFile(sheetOf(rows, { sheet: sheet ?? "Sheet1" }), HIGH);
  expect(codes).toEqual([]);
  expect(questions.join()).toMatch(asked);
});

test("a second line of names gives each column its own currency", async () => {
  const codes = async (...units: readonly [amount: string, beside: string]) => {
    const names = [
      ["Invoice", "Wallet", "Amount", ""],
      ["", "", ...units],
    ];
    return (await readFile(sheetOf([...names, ["INV-1", A, "5.4", "812.5"]]), HIGH)).codes;
  };
  expect(await codes("BTC", "EUR")).toEqual([]);
  expect(await codes("EUR", "BTC")).toEqual(["2 CURRENCY_NOT_READ"]);
  expect(await codes("BTC", "values in EUR")).toEqual(["2 CURRENCY_NOT_READ"]);
  expect(await codes("BTC", "mBTC")).toEqual(["2 AMOUNT_IN_OTHER_UNIT"]);
});

describe("a row's own coin is paid without a question", () => {
  test.each(["BTC", "XBT", "Bitcoin", "btc", "BTC/ETH", "BTC or LTC"])(
    "under a heading in %s",
    async (coin) => {
      expect(await isPaidUnasked({ heading: `Amount ${coin}` })).toBe(coin !== "BTC or LTC");
      expect(await isPaidUnasked({ heading: `Amount (${coin})` })).toBe(coin !== "BTC or LTC");
    },
  );

  test.each([
    [["5.4 BTC", "12.5 BTC"]],
    [["₿5.4", "₿12.5"]],
    [[{ kind: "number", text: "5.4", unit: "XBT" }, "12.5 XBT"]],
  ] as const)("where its cells show it: %j", async (amounts) => {
    expect(await isPaidUnasked({ amounts: amounts as readonly [Cell, Cell] })).toBe(true);
  });

  test.each(["payouts BTC.csv", "All payouts for Ron.csv", "top-partners.csv", "november.csv"])(
    "in a file called %s",
    async (fileName) => expect(await isPaidUnasked({ fileName })).toBe(true),
  );
});

test("amounts under several coins must each be in one of them", async () => {
  const { codes } = await readFile(gridWith({ heading: "Amount (LTC/ETH)" }), HIGH);
  expect(codes).toEqual(["AMOUNT_NAMES_OTHER_CURRENCY"]);
});

test("a heading contradicts its rows also where the configuration named the column", async () => {
  const { codes } = await readFile(gridWith({ heading: "Value EUR" }), {
    ...HIGH,
    columns: { "Value EUR": "amount" },
  });
  expect(codes).toEqual(["AMOUNT_NAMES_OTHER_CURRENCY"]);
});

describe("is asked each time", () => {
  const file = (amounts: readonly string[], heading = "amount") =>
    `reference,payee,${heading},destinationAddress\n${amounts.map((amount, at) => `P-${at},Ana ${at},${amount},${ADDRESSES[at]}`).join("\n")}`;

  test.each([
    [["15", "21", "8"], "amount", /no decimals/],
    [["1.234", "2.500", "1.100"], "Amount (BTC)", /three digits after its mark/],
    [["1.234", "800", "1.100"], "Amount (BTC)", /three digits after its mark/],
  ])("%j under %s", async (amounts, heading, asked) => {
    expect((await readFile(file(amounts, heading), HIGH)).questions.join()).toMatch(asked);
  });

  test.each([
    [["15", "21", "8"], "Amount (BTC)"],
    [["15", "21.5", "8"], "amount"],
    [["1.234", "2.5", "1.100"], "amount"],
    [["0.234", "0.500", "0.100"], "amount"],
  ])("but not %j under %s", async (amounts, heading) => {
    expect((await readFile(file(amounts, heading), HIGH)).questions).toEqual([]);
  });

  test("a decimal comma that may have divided the amounts", async () => {
    const text = `reference,payee,Amount (BTC),Project,address\nP-1,Ana,1,25,${A}\nP-2,Bob,2,26,${B}`;
    expect((await readFile(text, HIGH)).questions.join()).toContain("a decimal comma may have divided them");
  });
});
