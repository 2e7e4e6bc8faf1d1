/** Screening, compared with an oracle that sees the whole file at once; files of any shape. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { problem } from "../../../src/faults/index.ts";
import {
  countNames,
  type Finding,
  namesPayees,
  Screening,
  type ScreeningPolicy,
  screenPayments,
} from "../../../src/files/reading/index.ts";
import { chunks } from "../../../src/model/chunks.ts";
import type { DraftInstruction } from "../../../src/model/index.ts";
import { amountOf, Decimal } from "../../../src/money/index.ts";
import { runsOf } from "../../slice.ts";
import { drafts } from "../../store/stored-batch.ts";

const POLICY: ScreeningPolicy = {
  today: "2026-11-20",
  workingDayFrom: (day) => day,
  limits: { perDay: { BTC: Decimal.of("1000") }, perDestination: {} },
  allow: "any",
  isOwn: () => false,
  neverPaidAt: async (named) => named,
  paidBefore: async () => new Set(),
  paidLookAlikes: async () => new Map(),
  neverApprovedAt: async (named) => new Map(named.map((each) => [each, {}])),
  madeBefore: async () => new Map(),
  ledgerFindings: () => [],
  onUnmapped: "warn",
};

const ADDRESSES = [
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
];

const payments = fc.array(
  fc.record({ destination: fc.constantFrom(...ADDRESSES), amount: fc.constantFrom("1", "2", "3.5", "35") }),
  { maxLength: 30 },
);

function draftsOf(rows: readonly { destination: string; amount: string }[]): DraftInstruction[] {
  return drafts(rows.length, (row) => {
    const { destination = "", amount = "0" } = rows[row - 1] ?? {};
    return { destinationAddress: destination, amount: amountOf(amount, "BTC") };
  });
}

async function screened(policy: Partial<ScreeningPolicy>, rows: readonly DraftInstruction[]) {
  const { findings, report } = await screenPayments(rows, { ...POLICY, ...policy });
  return { findings, ...report };
}

test("every row that equals an earlier one in destination, currency and amount repeats it", () =>
  fc.assert(
    fc.asyncProperty(payments, async (rows) => {
      const { repeatedRows } = await screened({}, draftsOf(rows));
      const keys = rows.map(({ destination, amount }) => `${destination} ${amount}`);
      expect(repeatedRows).toEqual(keys.flatMap((key, at) => (keys.indexOf(key) < at ? [at + 1] : [])));
    }),
    runsOf(33, 100),
  ));

test("a destination over its limit is told once, at the row that goes over it, and never below it", () =>
  fc.assert(
    fc.asyncProperty(payments, fc.constantFrom("35", "36", "40", "70.5", "105"), async (rows, limit) => {
      const policy = { limits: { ...POLICY.limits, perDestination: { BTC: Decimal.of(limit) } } };
      const { findings } = await screened(policy, draftsOf(rows));
      const told = findings
        .filter(({ what }) => what.code === "DESTINATION_OVER_LIMIT")
        .map(({ row }) => row);
      const expected = ADDRESSES.flatMap((address) => {
        let sum = Decimal.zero;
        const at = rows.findIndex(({ destination, amount }) => {
          if (destination !== address) return false;
          sum = sum.plus(Decimal.of(amount));
          return sum.compare(Decimal.of(limit)) > 0;
        });
        return at < 0 ? [] : [at + 1];
      });
      expect(told.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
    }),
    runsOf(33, 100),
  ));

test("a row that is refused counts for no later one: neither as a repeat nor against a limit", async () => {
  const [address = "", other = ""] = ADDRESSES;
  const rows = draftsOf([
    { destination: other, amount: "1" },
    { destination: other, amount: "1" },
    { destination: address, amount: "1" },
  ]);
  const policy = {
    allow: "known",
    paidBefore: async () => new Set([address]),
    limits: { perDay: { BTC: Decimal.of("1") }, perDestination: {} },
  } as const;
  const { findings, repeatedRows } = await screened(policy, rows);
  expect(findings.map(({ row, what }) => `${row} ${what.code}`)).toEqual([
    "1 DESTINATION_NEVER_PAID",
    "2 DESTINATION_NEVER_PAID",
  ]);
  expect(repeatedRows).toEqual([]);
});

test("more first-time destinations than anybody reads are counted exactly, and the largest are listed", async () => {
  const rows = drafts(5_003, (row) => ({
    destinationAddress: `address-${row}`,
    amount: amountOf(`0.${1_000 + ((row * 7) % 5_003)}`, "BTC"),
  }));
  const { newDestinations } = await screened({}, rows);
  expect(newDestinations).toMatchObject({ count: 5_003, totals: [{ count: 5_003 }] });
  const amounts = newDestinations.destinations.map(({ totals }) => totals[0]?.amount.toString());
  expect(amounts).toEqual(Array.from({ length: 1_000 }, (_, at) => `0.${6_002 - at}`));
});

test("a currency without a limit per day is not payable", async () => {
  const { findings } = await screened({ limits: { perDay: {}, perDestination: {} } }, drafts(1));
  expect(findings).toMatchObject([{ isRefusal: true, what: { code: "CURRENCY_WITHOUT_LIMIT" } }]);
});

const ALIKE = ["bc1qw508d6q", "bc1qw508xxx", "bc1qw509d6q"].flatMap((start) =>
  ["kv8f3t4", "zz8f3t4"].map((end) => `${start}ejxtdg4y5r3zarvary0c5xw7${end}`),
);

test("every row to another destination with the ends of an earlier one is named", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...ALIKE), { maxLength: 30 }), async (destinations) => {
      const rows = draftsOf(destinations.map((destination) => ({ destination, amount: "1" })));
      const { lookAlikeRows } = await screened({}, rows);
      const endsAt = (at: number) => `${destinations[at]?.slice(0, 8)} ${destinations[at]?.slice(-4)}`;
      const firstAlike = (at: number) => destinations.findIndex((_, other) => endsAt(other) === endsAt(at));
      const expected = destinations.flatMap((destination, at) =>
        destinations[firstAlike(at)] === destination ? [] : [at + 1],
      );
      expect(lookAlikeRows).toEqual(expected);
    }),
    runsOf(33, 100),
  ));

test("a destination that was paid before, is on the list or is our own looks like no other", async () => {
  const [one = "", other = ""] = ALIKE;
  const rows = draftsOf([one, other, one].map((destination) => ({ destination, amount: "1" })));
  const names = new Map([[other, ""]]);
  const allowList = { file: "payees.csv", names };
  for (const policy of [
    { paidBefore: async () => new Set([other]) },
    { isOwn: (destination: string) => destination === other },
    { paidBefore: async () => new Set([one, other]), allowList },
  ])
    expect((await screened(policy, rows)).lookAlikeRows).toEqual([]);
  expect((await screened({ allowList }, rows)).lookAlikeRows).toEqual([1, 3]);
});

test("history is asked once for a destination, however often a file pays it", async () => {
  const asked: string[] = [];
  const paidLookAlikes: ScreeningPolicy["paidLookAlikes"] = async (some) => {
    asked.push(...some.map(({ destination }) => destination));
    return new Map(
      some.map(({ destination }) => [destination, { destination: ALIKE[1] ?? "", where: "paid before" }]),
    );
  };
  const rows = draftsOf(Array.from({ length: 50 }, () => ({ destination: ALIKE[0] ?? "", amount: "1" })));
  const { lookAlikeRows } = await screened({ paidLookAlikes }, rows);
  expect(lookAlikeRows).toHaveLength(50);
  expect(asked).toHaveLength(1);
});

test("a name at another address than it is known at, and an address under another name, wait for acceptance", async () => {
  const [first = "", second = "", third = ""] = ADDRESSES;
  const rows = [
    [first, "Müller GmbH"],
    [first, "MULLER Ltd."],
    [first, "Schmidt"],
    [second, "Example S.à r.l."],
    [third, "Listed"],
    [third, "Other"],
  ] as const;
  const elsewhere = { address: third, where: "batch B-000003, row 4", times: "its 3rd address in 2 months" };
  const { findings, lookAlikeRows } = await screened(
    {
      neverApprovedAt: async (named) =>
        new Map(named.map((each) => [each, each.payee === "example" ? { elsewhere } : {}])),
      allowList: { file: "list.csv", names: new Map([[third, "Listed, Inc."]]) },
    },
    drafts(rows.length, (row) => ({
      destinationAddress: rows[row - 1]?.[0],
      customerId: rows[row - 1]?.[1],
    })),
  );
  expect(findings.filter(({ about }) => about !== undefined && !about.startsWith("line"))).toMatchObject([
    {
      row: 3,
      what: { code: "DESTINATION_OF_ANOTHER", message: expect.stringContaining("row 1 of this batch") },
      about: `${first} for Schmidt`,
    },
    {
      row: 4,
      what: { code: "DESTINATION_NOT_USUAL", message: expect.not.stringContaining(third) },
      against: { address: third, where: "batch B-000003, row 4; this is its 3rd address in 2 months" },
    },
    {
      row: 6,
      what: { code: "DESTINATION_OF_ANOTHER", message: expect.stringContaining("row 5 of this batch") },
    },
  ]);
  expect(lookAlikeRows).toEqual([3, 4, 6]);
});

test("a payee with an address in each of two coins is not asked about, and one with two in one coin is", async () => {
  const paid = [
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "BTC"],
    ["ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9", "LTC"],
    ["LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9", "LTC"],
  ] as const;
  const rows = drafts(paid.length, (row) => {
    const [destinationAddress = "", currency = ""] = paid[row - 1] ?? [];
    return { destinationAddress, customerId: "Ana", amount: amountOf(`0.0${row}`, currency) };
  });
  const limits = { perDay: { BTC: Decimal.of("9"), LTC: Decimal.of("9") }, perDestination: {} };
  const { findings } = await screened({ limits }, rows);
  expect(findings).toMatchObject([
    { row: 3, what: { code: "DESTINATION_NOT_USUAL" }, against: { address: paid[1][0] } },
  ]);
});

test("a name and an address that were approved together before are not asked about", async () => {
  const rows = drafts(2, (row) => ({ destinationAddress: ADDRESSES[0], customerId: `Payee ${row}` }));
  const { lookAlikeRows } = await screened({ neverApprovedAt: async () => new Map() }, rows);
  expect(lookAlikeRows).toEqual([]);
});

const mixed = fc.record({
  destinationAddress: fc.constantFrom(...ALIKE, ...ADDRESSES),
  amount: fc.constantFrom("1", "2", "35", "2000").map((amount) => amountOf(amount, "BTC")),
  customerId: fc.constantFrom(undefined, "Müller GmbH", "MULLER Ltd.", "Schmidt", "Listed"),
});

/** Knows something of each kind, and gives an answer for every destination, pair and payment. */
const REMEMBERS: Partial<ScreeningPolicy> = {
  limits: { perDay: { BTC: Decimal.of("100") }, perDestination: { BTC: Decimal.of("40") } },
  allowList: { file: "list.csv", names: new Map([[ADDRESSES[2] ?? "", "Listed, Inc."]]) },
  isOwn: (destination) => destination === ADDRESSES[1],
  paidBefore: async (some) => new Set(some.filter((each) => [ALIKE[0], ADDRESSES[0]].includes(each))),
  paidLookAlikes: async (some) =>
    new Map(
      some
        .filter(({ destination }) => destination === ALIKE[4])
        .map(({ destination }) => [destination, { destination: ALIKE[0] ?? "", where: "paid before" }]),
    ),
  neverApprovedAt: async (named, paid) =>
    new Map(
      named
        .filter(({ payee, destination }) => payee !== "muller" || !paid.has(destination))
        .map((each) => [
          each,
          each.payee === "schmidt"
            ? {
                elsewhere: {
                  address: ADDRESSES[2] ?? "",
                  where: "batch B-000001, row 1",
                  times: "its 2nd address",
                },
              }
            : {},
        ]),
    ),
  madeBefore: async (some) =>
    new Map(
      some
        .filter(({ draft }) => draft.row % 5 === 0)
        .map(({ draft }) => [
          draft.fields.reference,
          { day: "2026-11-01", payment: "batch B-000001, row 1", earlier: "batch B-000001, row 1, paid" },
        ]),
    ),
  ledgerFindings: ({ customerId }) =>
    customerId === "Listed"
      ? [{ column: "generalLedgerName", what: problem("CURRENCY_WITHOUT_LIMIT", { currency: "BTC" }) }]
      : [],
};

test("a batch that is screened in parts of any size has the findings of one that is screened at once", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(mixed, { maxLength: 40 }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom("any", "known", "listed"),
      fc.constantFrom("warn", "refuse"),
      async (rows, size, allow, onUnmapped) => {
        const policy: ScreeningPolicy = { ...POLICY, ...REMEMBERS, allow, onUnmapped };
        const all = drafts(rows.length, (row) => rows[row - 1] ?? {});
        const screening = new Screening(policy, async () => namesPayees(countNames(all)));
        const findings: Finding[] = [];
        for (const part of chunks(all, size)) findings.push(...(await screening.next(part)));
        expect({ findings, report: screening.report() }).toEqual(await screenPayments(all, policy));
      },
    ),
    runsOf(100, 300),
  ));

test("history is asked once about what a batch has in several parts", async () => {
  const asked: string[] = [];
  const policy: ScreeningPolicy = {
    ...POLICY,
    paidBefore: async (some) => {
      asked.push(...some.map((destination) => `paid ${destination}`));
      return new Set();
    },
    paidLookAlikes: async (some) => {
      asked.push(...some.map(({ destination }) => `alike ${destination}`));
      return new Map();
    },
    neverApprovedAt: async (some) => {
      asked.push(...some.map(({ payee, destination }) => `${payee} at ${destination}`));
      return new Map();
    },
  };
  const screening = new Screening(policy, async () => {
    asked.push("names");
    return true;
  });
  const all = drafts(6, (row) => ({ destinationAddress: ALIKE[row % 2], customerId: "Schmidt" }));
  for (const part of chunks(all, 2)) await screening.next(part);
  expect(asked).toHaveLength(7);
  expect(new Set(asked).size).toBe(7);
});
