/** Payments: which rows become instructions, what is reported about others, and that the figures of a file tie. */
import { describe, expect, test } from "vitest";
import { problem } from "../../../src/faults/index.ts";
import type { InitiationPolicy } from "../../../src/files/reading/index.ts";
import type { Cell } from "../../../src/model/grid.ts";
import { batchId, custodyAccountId } from "../../../src/model/index.ts";
import { Decimal } from "../../../src/money/index.ts";
import {
  ADDRESS,
  ADDRESSES,
  gridOf,
  numberCell,
  PAYEE,
  policyWith,
  readFile,
  SAVINGS,
  sheetOf,
  TREASURY,
} from "./grids.ts";

type Changes = Readonly<Record<string, Cell>>;
type Policy = Partial<InitiationPolicy>;

const [A, B, C] = ADDRESSES;
const HEADER = "reference,amount,destinationAddress";
const LITECOIN = {
  id: custodyAccountId("6f1cbb7e-0000-4000-8000-000000000003"),
  name: "treasury-ltc",
  currency: "LTC",
};
const ETHER = {
  id: custodyAccountId("6f1cbb7e-0000-4000-8000-000000000004"),
  name: "treasury-eth",
  currency: "ETH",
  createOperation: "createPayoutWithFirstAuthorization",
};
const TWO_ACCOUNTS = [...policyWith().custodyAccounts, { id: SAVINGS, name: "savings-btc", currency: "BTC" }];
const ALL_ACCOUNTS = [...TWO_ACCOUNTS, LITECOIN, ETHER];

/** One payment with the given columns changed. */
function sheetWith(changes: Changes) {
  const row: Record<string, Cell> = {
    reference: "INV-1",
    accountId: "treasury-btc",
    amount: "0.05",
    destinationAddress: ADDRESS,
    ...changes,
  };
  return sheetOf([Object.keys(row), Object.values(row)]);
}

async function codesOf(changes: Changes, policy: Policy = {}): Promise<string[]> {
  const { problems } = await readFile(sheetWith(changes), { custodyAccounts: TWO_ACCOUNTS, ...policy });
  return problems.map(({ column, code }) => `${column}: ${code}`);
}

async function fieldsOf(changes: Changes, policy: Policy = {}) {
  const { fields, problems } = await readFile(sheetWith(changes), {
    custodyAccounts: TWO_ACCOUNTS,
    ...policy,
  });
  expect(problems).toEqual([]);
  return fields;
}

describe("a good row", () => {
  test("becomes an instruction with every field of the service", async () => {
    const everything: Changes = {
      accountId: "Treasury-BTC".toLowerCase(),
      currency: "btc",
      amount: "0.050",
      customerId: "Ana\nattn: Accounts",
      callbackUrl: "https://pay.example.com/other",
      username: "other-bot",
      feePolicy: "custom",
      customFeeRate: "12",
      subtractFee: "yes",
      verifyBalance: "0",
      useCoinConsolidation: { kind: "boolean", text: "true" },
      batchingAllowed: numberCell("1.0"),
      orderCodeName: "OC-1",
      generalLedgerName: numberCell("6200.0"),
      generalLedgerProject: "PRJ-ALPHA",
      generalLedgerDistribution: "DIST-OPS",
      payOn: { kind: "date", text: "2026-11-30T00:00:00" },
    };
    expect(await fieldsOf(everything)).toEqual({
      username: "other-bot",
      custodyAccountId: TREASURY,
      reference: "INV-1",
      customerId: "Ana\nattn: Accounts",
      callbackUrl: "https://pay.example.com/other",
      amount: { currency: "BTC", value: Decimal.of("0.05") },
      destinationAddress: ADDRESS,
      feePolicy: "CUSTOM",
      customFeeRateSatPerVbyte: 12,
      subtractFee: true,
      verifyBalance: false,
      useCoinConsolidation: true,
      batchingAllowed: true,
      orderCodeName: "OC-1",
      generalLedgerName: "6200",
      generalLedgerProject: "PRJ-ALPHA",
      generalLedgerDistribution: "DIST-OPS",
      payOn: "2026-11-30",
    });
  });

  test("takes the configured defaults where its cells are empty, and nothing else", async () => {
    const defaults = {
      ...policyWith().defaults,
      feePolicy: "SLOW",
      verifyBalance: true,
      generalLedgerName: "Other",
    } as const;
    expect(
      await fieldsOf({ destinationAddress: "", destinationAccountId: PAYEE.toUpperCase() }, { defaults }),
    ).toEqual({
      username: "treasury-bot",
      callbackUrl: "https://pay.example.com/hook",
      custodyAccountId: TREASURY,
      reference: "INV-1",
      amount: { currency: "BTC", value: Decimal.of("0.05") },
      destinationAccountId: PAYEE,
      feePolicy: "SLOW",
      verifyBalance: true,
      generalLedgerName: "Other",
    });
  });

  test("may name its custody account by UUID, by the default, by its currency or by the amount's unit", async () => {
    const defaults = { ...policyWith().defaults, custodyAccount: "savings-btc" };
    const payee = { accountId: "", destinationAddress: "", destinationAccountId: PAYEE };
    expect(await fieldsOf({ accountId: SAVINGS.toUpperCase() })).toMatchObject({ custodyAccountId: SAVINGS });
    expect(await fieldsOf({ accountId: "" }, { defaults })).toMatchObject({ custodyAccountId: SAVINGS });
    for (const changes of [
      { ...payee, currency: "LTC" },
      { ...payee, amount: "0.05 LTC" },
    ])
      expect(await fieldsOf(changes, { custodyAccounts: ALL_ACCOUNTS })).toMatchObject({
        custodyAccountId: LITECOIN.id,
        amount: { currency: "LTC" },
      });
  });

  test("writes a Bech32 address in small letters", async () => {
    expect(await fieldsOf({ destinationAddress: ADDRESS.toUpperCase() })).toMatchObject({
      destinationAddress: ADDRESS,
    });
  });

  test("may pay Ethereum from an account whose operation takes it, with a warning where there is no checksum", async () => {
    const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const file = `${HEADER}\nP-1,0.05,${address}\nP-2,0.05,${address.toLowerCase()}`;
    const { fields, warnings } = await readFile(file, { custodyAccounts: [ETHER] });
    expect(fields).toMatchObject({ destinationAddress: address });
    expect(warnings.map(({ row, code }) => [row, code])).toEqual([[2, "ADDRESS_WITHOUT_CHECKSUM"]]);
  });

  test("keeps the zeros before the digits of its reference", async () => {
    expect(await fieldsOf({ reference: numberCell("00042") })).toMatchObject({ reference: "00042" });
  });
});

describe("a bad row", () => {
  test.each<[string, Changes, string, Policy?]>([
    ["an empty reference", { reference: "" }, "reference: VALUE_MISSING"],
    ["an empty amount", { amount: "" }, "amount: VALUE_MISSING"],
    [
      "the template's example",
      { reference: "EXAMPLE: replace or delete this row" },
      "reference: ROW_IS_EXAMPLE",
    ],
    [
      "a number without its last decimals",
      { amount: numberCell("1234567.12345678") },
      "amount: AMOUNT_OVER_LIMIT",
    ],
    [
      "a scientific number of which the cell shows its first digits",
      { amount: { kind: "number", text: "3", decimals: -1 } },
      "amount: AMOUNT_SHOWN_ROUNDED",
    ],
    [
      "a sum with binary noise that is no amount",
      { amount: numberCell("3.3333333333333333E-2") },
      "amount: AMOUNT_TOO_PRECISE",
    ],
    [
      "a reference of which the cell shows more",
      { reference: { kind: "number", text: "42", unit: "INV" } },
      "reference: VALUE_SHOWN_OTHERWISE",
    ],
    ["an unknown currency", { currency: "XYZ" }, "currency: CURRENCY_UNKNOWN"],
    ["a currency nobody holds", { accountId: "", currency: "EUR" }, "currency: CURRENCY_UNKNOWN"],
    ["another currency", { currency: "LTC" }, "currency: CURRENCY_DIFFERS"],
    ["several possible custody accounts", { accountId: "" }, "accountId: CUSTODY_ACCOUNT_AMBIGUOUS"],
    ["an error text", { accountId: "#REF!" }, "accountId: CELL_IS_ERROR"],
    [
      "a currency without limits",
      {},
      "currency: CURRENCY_WITHOUT_LIMIT",
      { limits: { perRow: {}, perFile: {} } },
    ],
    ["no destination", { destinationAddress: "" }, "destinationAddress: DESTINATION_MISSING"],
    ["two destinations", { destinationAccountId: PAYEE }, "destinationAccountId: DESTINATION_TWICE"],
    [
      "itself as destination",
      { destinationAddress: "", destinationAccountId: TREASURY },
      "destinationAccountId: DESTINATION_IS_SOURCE",
    ],
    [
      "a main address on the test network",
      {},
      "destinationAddress: ADDRESS_WRONG_NETWORK",
      { network: "test" },
    ],
    [
      "taproot",
      { destinationAddress: "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0" },
      "destinationAddress: ADDRESS_TYPE_UNSUPPORTED",
    ],
    ["a number as address", { destinationAddress: numberCell("12") }, "destinationAddress: VALUE_MALFORMED"],
    [
      "an account that cannot pay addresses",
      { accountId: "treasury-ltc" },
      "destinationAddress: ADDRESS_CURRENCY_UNSUPPORTED",
      { custodyAccounts: ALL_ACCOUNTS },
    ],
    [
      "a Bitcoin address for an Ethereum account",
      { accountId: "treasury-eth" },
      "destinationAddress: ADDRESS_WRONG_NETWORK",
      { custodyAccounts: ALL_ACCOUNTS },
    ],
    ["a file as URL", { callbackUrl: "file:///etc/passwd" }, "callbackUrl: VALUE_MALFORMED"],
    ["a password in a URL", { callbackUrl: "https://a:b@c.example" }, "callbackUrl: URL_NOT_PLAIN"],
    ["a query in a URL", { callbackUrl: "https://c.example/?a" }, "callbackUrl: URL_NOT_PLAIN"],
    ["an unknown fee policy", { feePolicy: "CHEAP" }, "feePolicy: VALUE_MALFORMED"],
    ["CUSTOM without a rate", { feePolicy: "CUSTOM" }, "customFeeRate: CUSTOM_FEE_RATE_UNFIT"],
    ["a rate without CUSTOM", { customFeeRate: "12" }, "customFeeRate: CUSTOM_FEE_RATE_UNFIT"],
    ["half a sat/vb", { feePolicy: "CUSTOM", customFeeRate: "1.5" }, "customFeeRate: VALUE_MALFORMED"],
    [
      "a 1 shown as no",
      { subtractFee: { kind: "number", text: "1", unit: "the text no" } },
      "subtractFee: VALUE_SHOWN_OTHERWISE",
    ],
    ["a yes of another language", { subtractFee: "ja" }, "subtractFee: VALUE_MALFORMED"],
    [
      "an invisible character",
      { generalLedgerName: "sup\u200bpliers" },
      "generalLedgerName: VALUE_MALFORMED",
    ],
  ])("with %s is refused", async (_, changes, code, policy) => {
    expect(await codesOf(changes, policy)).toEqual([code]);
  });

  test("is told all its problems at once, each at its own cell", async () => {
    const { problems } = await readFile(`${HEADER},feePolicy\nINV\u200b1,O.05,x,CHEAP`);
    expect(problems.map(({ column, code }) => `${column}: ${code}`)).toEqual([
      "reference: REFERENCE_MALFORMED",
      "amount: AMOUNT_UNREADABLE",
      "feePolicy: VALUE_MALFORMED",
      "destinationAddress: ADDRESS_MALFORMED",
    ]);
    expect(problems[0]).toMatchObject({ row: 1, line: 2, excerpt: "INV\\u200b1" });
  });

  test("in a workbook is named by its cell", async () => {
    const { problems } = await readFile(sheetWith({ amount: "x1" }), { custodyAccounts: TWO_ACCOUNTS });
    expect(problems).toMatchObject([{ sheet: "Sheet1", cell: "C2" }]);
  });
});

describe("a reference", () => {
  test.each(["INV 2026 001", "#17", "Rechnung Nr. 5: März", "A & B", "注文 12", "a'b", "50 %"])(
    "may be any text: %s",
    async (reference) => {
      expect(await fieldsOf({ reference })).toMatchObject({ reference });
    },
  );

  test("is sent in one form of Unicode", async () => {
    expect(await fieldsOf({ reference: "Ma\u0308rz" })).toMatchObject({ reference: "März" });
  });

  test.each([
    [" INV-1", "it begins or ends with a space"],
    ["INV  1", "it holds two spaces side by side"],
    ["INV\u00a01", "it holds a space of another kind (\\u00a0)"],
    ["INV\u200b1", "it holds an invisible character (\\u200b)"],
    ['INV "1"', "it holds a double quote"],
    ["a\\b", "it holds a backslash"],
  ])("is refused with the reason in words: %j", async (reference, reason) => {
    const { problems } = await readFile(sheetWith({ reference }));
    expect(problems).toMatchObject([
      { code: "REFERENCE_MALFORMED", message: expect.stringContaining(reason) },
    ]);
  });

  test("has the length and the form that the company sets", async () => {
    const policy = { referencePattern: { maxLength: 8, allowed: "INV-\\d+" } };
    expect(await codesOf({ reference: "INV-123456" }, policy)).toEqual(["reference: VALUE_MALFORMED"]);
    expect(await codesOf({ reference: "PO-1" }, policy)).toEqual(["reference: REFERENCE_MALFORMED"]);
    expect(await codesOf({ reference: "INV-1" }, policy)).toEqual([]);
  });
});

describe("payments taken in before", () => {
  const use = {
    inWords: "paid on 24 November 2026 as B-000003, row 4",
    isFree: false,
    ...({ batchId: batchId("B-000003"), course: "paid", day: "2026-11-24" } as const),
    fields: { amount: { currency: "BTC", value: Decimal.of("0.001") }, destinationAddress: A },
  };

  test("refuse the row, which says what became of them, whether it is that payment or another", async () => {
    const earlierUses = async () => new Map([["p-1", use]]);
    const rows = `${HEADER}\nP-1,0.0010,${A}\nP-2,0.002,${A}`;
    const { codes, sentBefore } = await readFile(rows, { earlierUses });
    expect(codes).toEqual(["2 ROW_SENT_BEFORE"]);
    expect(sentBefore).toEqual([{ batchId: "B-000003", course: "paid", day: "2026-11-24", rows: 1 }]);
    for (const row of [`P-1,0.002,${A}`, `P-1,0.001,${B}`]) {
      const { codes: others, problems } = await readFile(`${HEADER}\n${row}`, { earlierUses });
      expect(others).toEqual(["2 REFERENCE_USED"]);
      expect(problems[0]?.message).toBe(
        `the reference "P-1" belongs to a payment of 0.001 BTC to ${A}: paid on 24 November 2026 as B-000003, row 4`,
      );
    }
  });

  test("that were withdrawn are a warning", async () => {
    const earlierUses = async () => new Map([["p-1", { ...use, isFree: true }]]);
    const { verdict, warnings } = await readFile(`${HEADER}\nP-1,0.05,${A}`, { earlierUses });
    expect([verdict, warnings.map(({ code }) => code)]).toEqual(["accepted", ["REFERENCE_WITHDRAWN_BEFORE"]]);
  });

  test("with the file that this one corrects are passed over if unchanged, and refused if changed", async () => {
    const { fields } = await readFile(`${HEADER}\nP-1,0.05,${A}`);
    if (fields === undefined) throw new Error("no draft");
    const earlierUses = async () => new Map([["p-1", { ...use, corrected: fields }]]);
    const result = await readFile(`${HEADER}\nP-1,0.050,${A}\nP-2,0.02,${B}`, { earlierUses });
    expect(result).toMatchObject({
      verdict: "accepted",
      rowsRead: 1,
      rowsAccepted: 1,
      rowsAcceptedBefore: 1,
    });
    expect(result.rows[0]).toMatchObject({ before: { code: "ROW_ACCEPTED_BEFORE" } });
    expect(result.paid).toHaveLength(1);
    expect((await readFile(`${HEADER}\nP-1,0.06,${A}`, { earlierUses })).codes).toContain(
      "2 ROW_CHANGED_AFTER_ACCEPTANCE",
    );
    expect((await readFile(`${HEADER}\nP-1,0.05,${A}`, { earlierUses })).codes).toEqual([
      "FILE_HAS_NO_NEW_ROWS",
    ]);
  });
});

test("what screening finds refuses or warns at its row", async () => {
  const { codes, warnings } = await readFile(`${HEADER}\nP-1,0.05,${A}\nP-2,x1,${B}\nP-3,0.01,${C}`, {
    screen: async (drafts) => ({
      findings: [...drafts].map(({ row }) => ({
        row,
        column: "destinationAddress",
        what: problem("DESTINATION_NEVER_PAID", { destination: "x" }),
        isRefusal: row === 3,
      })),
      report: {
        newDestinations: { totals: [], destinations: [], count: 0 },
        repeatedRows: [],
        lookAlikeRows: [],
      },
    }),
  });
  expect(codes).toEqual(["3 AMOUNT_UNREADABLE", "4 DESTINATION_NEVER_PAID"]);
  expect(warnings.map(({ row, code }) => [row, code])).toEqual([[1, "DESTINATION_NEVER_PAID"]]);
});

describe("a whole file", () => {
  const file = `${HEADER}\nP-1,0.05,${A}\nP-2,x1,${B}\nP-3,0.01,${C}`;

  test("is rejected for one bad row, and still says what the good ones add up to", async () => {
    const { controlTotals, ...result } = await readFile(file);
    expect(result).toMatchObject({
      verdict: "rejected",
      rowsRead: 3,
      rowsAccepted: 2,
      rowsRejected: 1,
      fileProblems: [],
    });
    expect(controlTotals.map(({ count, amount }) => [count, `${amount}`])).toEqual([[2, "0.06000000"]]);
  });

  test("lets its good rows go where the company says so, but not where the file as a whole is in doubt", async () => {
    const policy = { onBadRow: "reject-row" } as const;
    expect(await readFile(file, policy)).toMatchObject({ verdict: "accepted", rowsAccepted: 2 });
    expect((await readFile(`${file}\nIn EUR`, policy)).verdict).toBe("rejected");
    const perFile = { BTC: Decimal.of("0.05") };
    const { verdict, codes } = await readFile(file, {
      ...policy,
      limits: { ...policyWith().limits, perFile },
    });
    expect([verdict, codes[0]]).toEqual(["rejected", "AMOUNT_OVER_LIMIT"]);
  });

  test("without payments is rejected", async () => {
    expect((await readFile(HEADER)).codes).toEqual(["FILE_HAS_NO_ROWS"]);
  });

  test("whose encoding was guessed shows how it was read, at the first text that depends on it", async () => {
    const grid = gridOf(`${HEADER},payee\nP-1,0.05,${A},Ann\nP-2,0.02,${B},M\u00fcller`);
    if (grid.csv === undefined) throw new Error("not a CSV");
    const { warnings } = await readFile({ ...grid, csv: { ...grid.csv, isEncodingGuessed: true } });
    expect(warnings).toMatchObject([
      { code: "ENCODING_GUESSED", line: 3, message: expect.stringContaining("Müller") },
    ]);
  });

  test("that says its currency in a column or heading may speak of others", async () => {
    const beside = `reference,Amount (BTC),destinationAddress,Value in EUR\nP-1,0.05,${A},2500.00\nP-2,0.02,${B},1000.00`;
    expect((await readFile(beside)).codes).toEqual([]);
    const stated = `reference,amount,currency,destinationAddress,Country\nP-1,0.05,BTC,${A},EUR`;
    expect((await readFile(stated)).codes).toEqual([]);
  });
});
