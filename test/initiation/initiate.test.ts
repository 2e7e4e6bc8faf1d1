/** Whole tables: which rows become instructions, what is reported about the others, and that the totals tie. */
import { describe, expect, test } from "vitest";
import { problem } from "../../src/faults/index.ts";
import { type InitiationPolicy, initiate as initiateInWindows } from "../../src/initiation/index.ts";
import { type Cell, custodyAccountId } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { initiate } from "./initiated.ts";
import {
  ADDRESS,
  dateCell,
  numberCell,
  PAYEE,
  payoutTable,
  policyWith,
  SAVINGS,
  TREASURY,
  tableOf,
  tableOfRows,
  type Value,
} from "./payout-table.ts";

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
const TESTNET_ADDRESS = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";

/** Of a company whose files need not name the custody account. */
function oneAccount(changes: Partial<InitiationPolicy> = {}): InitiationPolicy {
  return policyWith({
    custodyAccounts: [{ id: TREASURY, name: "treasury-btc", currency: "BTC" }],
    ...changes,
  });
}

type Changes = Readonly<Record<string, Value>>;

async function codesOf(row: Changes, policy: Partial<InitiationPolicy> = {}): Promise<string[]> {
  const { problems } = await initiate(payoutTable([row], "xlsx"), policyWith(policy));
  return problems.map(({ column, code }) => `${column}: ${code}`);
}

async function fieldsOf(row: Changes, policy: Partial<InitiationPolicy> = {}) {
  const { drafts, problems } = await initiate(payoutTable([row], "xlsx"), policyWith(policy));
  expect(problems).toEqual([]);
  return drafts[0]?.fields;
}

describe("a good row", () => {
  test("becomes an instruction with every field of the service", async () => {
    const everything = {
      reference: "INV-1",
      accountId: "TREASURY-BTC".toLowerCase(),
      currency: "btc",
      amount: "0.050",
      customerId: "Ana\nattn: Accounts",
      callbackUrl: "https://pay.example.com/other",
      username: "other-bot",
      feePolicy: "custom",
      customFeeRate: "12",
      subtractFee: "yes",
      verifyBalance: "0",
      useCoinConsolidation: { kind: "boolean", text: "true" } as Cell,
      batchingAllowed: numberCell("1.0"),
      orderCodeName: "OC-1",
      generalLedgerName: numberCell("6200.0"),
      generalLedgerProject: "PRJ-ALPHA",
      generalLedgerDistribution: "DIST-OPS",
      payOn: dateCell("2026-11-30T00:00:00"),
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

  test("has the reference that its number cell shows, with the zeros before it", async () => {
    expect(await fieldsOf({ reference: numberCell("00042") })).toMatchObject({ reference: "00042" });
  });

  test("has every digit of its amount: fifteen of a number cell, and no zeros behind the last decimal", async () => {
    const much = { BTC: Decimal.of("10000000") };
    const limits = { perRow: much, perFile: much };
    const amountOf = async (amount: Changes["amount"]) =>
      (await fieldsOf({ amount }, { limits }))?.amount.value.normalized().toString();
    expect(await amountOf(numberCell("1234567.12345678"))).toBe("1234567.12345678");
    expect(await amountOf("0.100000000")).toBe("0.1");
  });

  test("takes a day that a program exported with its midnight", async () => {
    for (const payOn of ["2026-11-30 00:00:00", "2026-11-30T00:00:00.000", "2026/11/30", "2026.11.30"])
      expect(await fieldsOf({ payOn })).toMatchObject({ payOn: "2026-11-30" });
  });

  test.each(["30.11.2026", "11/30/2026", "30-11-2026 00:00"])(
    "takes a local date that is a day in one order only: %s",
    async (payOn) => {
      expect(await fieldsOf({ payOn })).toMatchObject({ payOn: "2026-11-30" });
    },
  );

  test.each([
    ["ja", "nein"],
    ["WAHR", "FALSCH"],
    ["Oui", "Non"],
    ["Y", "N"],
  ])("may answer in another language, or as a spreadsheet program of it does: %s, %s", async (yes, no) => {
    const fields = await fieldsOf({ subtractFee: yes, verifyBalance: no });
    expect(fields).toMatchObject({ subtractFee: true, verifyBalance: false });
  });

  test("is not paid in the name of a payee's own account: a column `User` is the sender's", async () => {
    expect(await fieldsOf({ User: "zoe77" })).toMatchObject({ username: "treasury-bot" });
  });

  test("quotes a day that does not exist as it was written", async () => {
    const { problems } = await initiate(payoutTable([{ payOn: "2026/2/29" }]), policyWith());
    expect(problems).toMatchObject([{ message: expect.stringContaining('"2026/2/29"') }]);
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

  test("may name its custody account by UUID, by the default, or by being the only one of its currency", async () => {
    const defaults = { ...policyWith().defaults, custodyAccount: "savings-btc" };
    const custodyAccounts = [...policyWith().custodyAccounts, LITECOIN];
    const payee = { destinationAddress: "", destinationAccountId: PAYEE };
    expect(await fieldsOf({ accountId: SAVINGS.toUpperCase() })).toMatchObject({ custodyAccountId: SAVINGS });
    expect(await fieldsOf({ accountId: "" }, { defaults })).toMatchObject({ custodyAccountId: SAVINGS });
    expect(
      await fieldsOf({ ...payee, accountId: "", currency: "LTC" }, { defaults, custodyAccounts }),
    ).toMatchObject({
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
    const policy = policyWith({ custodyAccounts: [ETHER] });
    const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const row = { accountId: "", destinationAddress: address };
    const bare = { ...row, reference: "INV-2", destinationAddress: address.toLowerCase() };
    const result = await initiate(payoutTable([row, bare]), policy);
    expect(result.drafts.map(({ fields }) => fields.destinationAddress)).toEqual([
      address,
      address.toLowerCase(),
    ]);
    expect(result.warnings.map(({ row, code }) => [row, code])).toEqual([[2, "ADDRESS_WITHOUT_CHECKSUM"]]);
  });
});

describe("a good row of another currency", () => {
  const litecoin = { ...LITECOIN, createOperation: "createPayoutWithFirstAuthorization" };
  const defaults = {
    ...policyWith().defaults,
    custodyAccount: { BTC: "savings-btc", LTC: "treasury-ltc" },
  };
  const custodyAccounts = [...policyWith().custodyAccounts, litecoin];

  test("pays Litecoin from an account whose operation takes it", async () => {
    for (const destinationAddress of [
      "LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA",
      "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
    ])
      expect(
        await fieldsOf({ accountId: "treasury-ltc", destinationAddress }, { custodyAccounts }),
      ).toMatchObject({
        destinationAddress,
      });
  });

  test("takes the default custody account of its currency, and of no other", async () => {
    const litecoinRow = {
      accountId: "",
      currency: "LTC",
      destinationAddress: "LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA",
    };
    const policy = { custodyAccounts, defaults };
    expect(await fieldsOf(litecoinRow, policy)).toMatchObject({ custodyAccountId: litecoin.id });
    expect(await fieldsOf({ accountId: "", currency: "BTC" }, policy)).toMatchObject({
      custodyAccountId: SAVINGS,
    });
    expect(await codesOf({ accountId: "", currency: "" }, policy)).toEqual([
      "accountId: CUSTODY_ACCOUNT_AMBIGUOUS",
    ]);
  });
});

describe("a value that is none of the allowed ones", () => {
  const OWN = "If the column is one of your own, give it another name.";
  const OTHER_ACCOUNTS =
    "If the column holds other accounts, such as those of your ledger, give it another name.";

  test.each<[Changes, string]>([
    [{ feePolicy: "NORMEL" }, `Use one of: SLOW, NORMAL, FAST, CUSTOM (did you mean \`NORMAL\`?). ${OWN}`],
    [{ feePolicy: "whenever" }, `Use one of: SLOW, NORMAL, FAST, CUSTOM. ${OWN}`],
    [
      { accountId: "tresury-btc" },
      `Use one of: treasury-btc, savings-btc (did you mean \`treasury-btc\`?). ${OTHER_ACCOUNTS}`,
    ],
  ])("is answered with all of them, and the closest: %j", async (row, fix) => {
    const { problems } = await initiate(payoutTable([row]), policyWith());
    expect(problems.map((each) => each.fix)).toEqual([fix]);
  });
});

describe("a bad row", () => {
  const custodyAccounts = [...policyWith().custodyAccounts, LITECOIN, ETHER];
  test.each<[string, Changes, string, Partial<InitiationPolicy>?]>([
    ["an empty reference", { reference: "  " }, "reference: VALUE_MISSING"],
    ["an empty amount", { amount: "" }, "amount: VALUE_MISSING"],
    ["a zero", { amount: "0.00" }, "amount: AMOUNT_NOT_POSITIVE"],
    ["a negative number cell", { amount: numberCell("-1") }, "amount: AMOUNT_NOT_POSITIVE"],
    ["nine decimals", { amount: "0.123456789" }, "amount: AMOUNT_TOO_PRECISE"],
    [
      "a number that its format shows in another currency",
      { amount: { kind: "number", text: "0.5", unit: "€" } },
      "amount: AMOUNT_SHOWN_OTHERWISE",
    ],
    [
      "an address for which the cell shows another",
      {
        destinationAddress: {
          kind: "text",
          text: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
          unseen: "format",
        },
      },
      "destinationAddress: VALUE_SHOWN_OTHERWISE",
    ],
    [
      "an amount in white letters",
      { amount: { kind: "number", text: "0.5", unseen: "colour" } },
      "amount: VALUE_UNSEEN",
    ],
    [
      "a reference with a footnote",
      { reference: { kind: "text", text: "INV-12", unseen: "raised" } },
      "reference: VALUE_UNSEEN",
    ],
    [
      "a number of which the cell shows fewer decimals",
      { amount: { kind: "number", text: "0.0049", decimals: 2 } },
      "amount: AMOUNT_SHOWN_ROUNDED",
    ],
    [
      "a number of which the cell shows fewer decimals, with its unit",
      { amount: { kind: "number", text: "0.5", unit: "BTC", decimals: 0 } },
      "amount: AMOUNT_SHOWN_ROUNDED",
    ],
    [
      "a scientific number of which the cell shows its first digits",
      { amount: { kind: "number", text: "3", decimals: -1 } },
      "amount: AMOUNT_SHOWN_ROUNDED",
    ],
    ["nine decimals in a number cell", { amount: numberCell("0.123456789") }, "amount: AMOUNT_TOO_PRECISE"],
    [
      "a sum with binary noise that is no amount",
      { amount: numberCell("3.3333333333333333E-2") },
      "amount: AMOUNT_TOO_PRECISE",
    ],
    [
      "a reference of which the cell shows more than its digits",
      { reference: { kind: "number", text: "42", unit: "INV" } },
      "reference: VALUE_SHOWN_OTHERWISE",
    ],
    ["a date as amount", { amount: dateCell("2026-01-05") }, "amount: VALUE_KIND_WRONG"],
    ["a time as amount", { amount: dateCell("12:00:00") }, "amount: VALUE_KIND_WRONG"],
    ["an amount over the limit", { amount: "5.00000001" }, "amount: AMOUNT_OVER_LIMIT"],
    ["an unknown currency", { currency: "XBT" }, "currency: CURRENCY_UNKNOWN"],
    ["a currency nobody holds", { accountId: "", currency: "EUR" }, "currency: CURRENCY_UNKNOWN"],
    ["another currency", { currency: "LTC" }, "currency: CURRENCY_DIFFERS"],
    ["an unknown custody account", { accountId: "petty-cash" }, "accountId: CUSTODY_ACCOUNT_UNKNOWN"],
    ["several possible custody accounts", { accountId: "" }, "accountId: CUSTODY_ACCOUNT_AMBIGUOUS"],
    ["a currency that cannot be read", { accountId: "", currency: "#N/A" }, "currency: CELL_IS_ERROR"],
    ["a custody account that cannot be read", { accountId: "#REF!" }, "accountId: CELL_IS_ERROR"],
    [
      "a currency without limits",
      {},
      "currency: CURRENCY_WITHOUT_LIMIT",
      { limits: { perRow: {}, perFile: {} } },
    ],
    [
      "a currency without a limit per file",
      {},
      "currency: CURRENCY_WITHOUT_LIMIT",
      { limits: { perRow: { BTC: Decimal.of("5") }, perFile: {} } },
    ],
    ["no destination", { destinationAddress: "" }, "destinationAddress: DESTINATION_MISSING"],
    ["two destinations", { destinationAccountId: PAYEE }, "destinationAccountId: DESTINATION_TWICE"],
    [
      "itself as destination",
      { destinationAddress: "", destinationAccountId: TREASURY },
      "destinationAccountId: DESTINATION_IS_SOURCE",
    ],
    ["a wrong network", { destinationAddress: TESTNET_ADDRESS }, "destinationAddress: ADDRESS_WRONG_NETWORK"],
    [
      "a main address on the test network",
      {},
      "destinationAddress: ADDRESS_WRONG_NETWORK",
      { network: "test" },
    ],
    [
      "an old Litecoin P2SH address, which is also a Bitcoin one",
      { accountId: "ltc-open", destinationAddress: "3EktnHQD7RiAE6uzMj2ZifT9YgRrkSgzQX" },
      "destinationAddress: ADDRESS_WRONG_NETWORK",
      {
        custodyAccounts: [
          { ...LITECOIN, name: "ltc-open", createOperation: "createPayoutWithFirstAuthorization" },
        ],
      },
    ],
    [
      "taproot",
      { destinationAddress: "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0" },
      "destinationAddress: ADDRESS_TYPE_UNSUPPORTED",
    ],
    ["a number as address", { destinationAddress: numberCell("12") }, "destinationAddress: VALUE_KIND_WRONG"],
    [
      "an account that cannot pay addresses",
      { accountId: "treasury-ltc" },
      "destinationAddress: ADDRESS_CURRENCY_UNSUPPORTED",
      { custodyAccounts },
    ],
    [
      "a Bitcoin address for an Ethereum account",
      { accountId: "treasury-eth" },
      "destinationAddress: ADDRESS_WRONG_NETWORK",
      { custodyAccounts },
    ],
    [
      "a Bitcoin-only field elsewhere",
      {
        accountId: "treasury-ltc",
        destinationAddress: "",
        destinationAccountId: PAYEE,
        subtractFee: "false",
      },
      "subtractFee: FIELD_BITCOIN_ONLY",
      { custodyAccounts },
    ],
    [
      "half a UUID",
      { destinationAddress: "", destinationAccountId: "6f1cbb7e" },
      "destinationAccountId: UUID_MALFORMED",
    ],
    ["a file as URL", { callbackUrl: "file:///etc/passwd" }, "callbackUrl: URL_MALFORMED"],
    [
      "a password without its scheme",
      { callbackUrl: "user:secret@c.example" },
      "callbackUrl: URL_HAS_CREDENTIALS",
    ],
    ["a password in a URL", { callbackUrl: "https://a:b@c.example" }, "callbackUrl: URL_HAS_CREDENTIALS"],
    ["a query in a URL", { callbackUrl: "https://c.example/?a" }, "callbackUrl: URL_HAS_QUERY"],
    ["an unknown fee policy", { feePolicy: "CHEAP", customFeeRate: "20" }, "feePolicy: CHOICE_UNKNOWN"],
    ["CUSTOM without a rate", { feePolicy: "CUSTOM" }, "customFeeRate: CUSTOM_FEE_RATE_MISSING"],
    ["a rate without CUSTOM", { customFeeRate: "12" }, "customFeeRate: CUSTOM_FEE_RATE_UNUSED"],
    ["half a sat/vb", { feePolicy: "CUSTOM", customFeeRate: "1.5" }, "customFeeRate: INTEGER_UNREADABLE"],
    [
      "a fee rate out of bounds",
      { feePolicy: "CUSTOM", customFeeRate: "5001" },
      "customFeeRate: INTEGER_UNREADABLE",
    ],
    [
      "a fee rate shown in percent",
      { feePolicy: "CUSTOM", customFeeRate: { kind: "number", text: "12", unit: "%" } },
      "customFeeRate: VALUE_SHOWN_OTHERWISE",
    ],
    [
      "a 1 shown as no",
      { subtractFee: { kind: "number", text: "1", unit: "the text no" } },
      "subtractFee: VALUE_SHOWN_OTHERWISE",
    ],
    [
      "a reference shown with a mark",
      { reference: { kind: "number", text: "4208", decimals: 0 } },
      "reference: VALUE_SHOWN_OTHERWISE",
    ],
    [
      "a payee shown with an exponent",
      { customerId: { kind: "number", text: "4208", decimals: -1 } },
      "customerId: VALUE_SHOWN_OTHERWISE",
    ],
    ["a maybe", { subtractFee: "maybe" }, "subtractFee: BOOLEAN_UNREADABLE"],
    ["a yes with a question", { subtractFee: "yes?" }, "subtractFee: BOOLEAN_UNREADABLE"],
    ["a minus one", { subtractFee: "-1" }, "subtractFee: BOOLEAN_UNREADABLE"],
    ["a day that does not exist", { payOn: "2026-02-29" }, "payOn: DATE_UNREADABLE"],
    ["a year before a day and a month", { payOn: "2026/30/11" }, "payOn: DATE_UNREADABLE"],
    ["a local date", { payOn: "03/04/2026" }, "payOn: DATE_AMBIGUOUS"],
    ["a midnight of some zone", { payOn: "2026-11-30T00:00:00Z" }, "payOn: DATE_HAS_TIME"],
    ["a day with a time as text", { payOn: "2026-11-30 09:30:00" }, "payOn: DATE_HAS_TIME"],
    ["a local date of two digits for the year", { payOn: "31/12/26" }, "payOn: DATE_UNREADABLE"],
    ["a local date that is a day in no order", { payOn: "31.11.2026" }, "payOn: DATE_UNREADABLE"],
    ["a day with a time", { payOn: dateCell("2026-11-30T09:30:00") }, "payOn: DATE_HAS_TIME"],
    ["a serial number as date", { payOn: numberCell("46000") }, "payOn: VALUE_KIND_WRONG"],
    [
      "an invisible character",
      { generalLedgerName: "Hos\u200bting" },
      "generalLedgerName: VALUE_HAS_CONTROL_CHARACTER",
    ],
    [
      "a line break in a ledger field",
      { generalLedgerName: "Hos\nting" },
      "generalLedgerName: VALUE_HAS_CONTROL_CHARACTER",
    ],
    ["half a character", { customerId: "\ud800" }, "customerId: VALUE_HAS_CONTROL_CHARACTER"],
    ["a long text", { orderCodeName: "x".repeat(256) }, "orderCodeName: VALUE_TOO_LONG"],
    ["a long reference", { reference: "R".repeat(65) }, "reference: VALUE_TOO_LONG"],
    ["a reference with a space", { reference: "INV 1" }, "reference: REFERENCE_MALFORMED"],
    ["an error cell", { amount: { kind: "error", text: "#DIV/0!" } }, "amount: CELL_IS_ERROR"],
    ["an error as text", { reference: "#REF!" }, "reference: CELL_IS_ERROR"],
    ...["#NV", "#BEZUG!", "#¡REF!", "#¿NOMBRE?", "#N/D", "#DIV/0!", "Err:502", "########"].map(
      (customerId): [string, Changes, string] => [
        `an error of a program as text, ${customerId}`,
        { customerId },
        "customerId: CELL_IS_ERROR",
      ],
    ),
    [
      "a formula without a result",
      { amount: { kind: "formula", text: "A1*2", value: { kind: "empty", text: "" } } },
      "amount: FORMULA_WITHOUT_VALUE",
    ],
  ])("with %s is refused for that alone", async (_, row, expected, policy = {}) => {
    expect(await codesOf(row, policy)).toEqual([expected]);
  });

  test("is told all its problems at once, each at its own cell", async () => {
    const row = { amount: "1,234", destinationAddress: "", feePolicy: "CUSTOM", payOn: "soon" };
    const { problems } = await initiate(
      payoutTable([{}, { ...row, reference: "INV-1" }], "xlsx"),
      policyWith(),
    );
    expect(problems.map(({ row, line, column, cell, code }) => [row, line, column, cell, code])).toEqual([
      [2, 3, "amount", "C3", "AMOUNT_AMBIGUOUS"],
      [2, 3, "payOn", "F3", "DATE_UNREADABLE"],
      [2, 3, "destinationAddress", "D3", "DESTINATION_MISSING"],
      [2, 3, "customFeeRate", undefined, "CUSTOM_FEE_RATE_MISSING"],
      [2, 3, "reference", "A3", "REFERENCE_REPEATED"],
    ]);
    expect(problems.every(({ fix, sheet }) => fix !== "" && sheet === "Payouts")).toBe(true);
  });

  test("whose very format is broken is not judged by its cells", async () => {
    const broken = problem("CSV_MALFORMED", { reason: "a quote is not closed" }, { row: 1, line: 2 });
    const table = tableOfRows(
      ["reference", "amount", "address"],
      [{ row: 1, line: 2, cells: [], problems: [broken] }],
      "csv",
    );
    expect((await initiate(table, policyWith())).problems).toEqual([broken]);
  });

  test("in ether keeps every digit as text, and is not paid from a number cell that may have lost some", async () => {
    const row = {
      accountId: "treasury-eth",
      destinationAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    };
    const amount = "0.123456789012345678";
    const fields = await fieldsOf({ ...row, amount }, { custodyAccounts });
    expect(fields?.amount.value.toString()).toBe(amount);
    const codes = await codesOf({ ...row, amount: numberCell("0.12345678901234568") }, { custodyAccounts });
    expect(codes).toEqual(["amount: AMOUNT_PRECISION_LOST"]);
    const tiny = await fieldsOf({ ...row, amount: numberCell("1.23456789012345E-4") }, { custodyAccounts });
    expect(tiny?.amount.value.toString()).toBe("0.000123456789012345");
  });

  test("in bitcoin is not paid from a number cell either, if its last decimals had no room there", async () => {
    // LibreOffice shows the 16 digits that are in the file, Excel the first 15.
    expect(await codesOf({ amount: numberCell("12345678.12345678") })).toEqual([
      "amount: AMOUNT_PRECISION_LOST",
    ]);
    const perRow = { BTC: Decimal.of("21000000") };
    const held = await fieldsOf(
      { amount: numberCell("1234567.12345678") },
      { limits: { perRow, perFile: perRow } },
    );
    expect(held?.amount.value.toString()).toBe("1234567.12345678");
  });
});

describe("messages", () => {
  test.each([
    "https://user:secret@c.example",
    "user:secret@c.example",
    "https://user:se/secret@c.example",
    "https://c.example/?token=secret",
    "c.example/hook#secret",
  ])("do not repeat what is secret in %s", async (callbackUrl) => {
    const { problems } = await initiate(payoutTable([{ callbackUrl }]), policyWith());
    expect(problems).toHaveLength(1);
    expect(JSON.stringify(problems)).not.toContain("secret");
  });

  test("do not repeat a key that a formula put into the address column", async () => {
    const key = "0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d";
    const destinationAddress: Cell = { kind: "formula", text: "A1", value: { kind: "text", text: key } };
    const { problems, warnings } = await initiate(
      payoutTable([{ destinationAddress }], "xlsx"),
      policyWith(),
    );
    expect(problems.map(({ code }) => code)).toEqual(["ADDRESS_IS_SECRET"]);
    expect(JSON.stringify(warnings)).not.toContain(key);
  });
});

describe("warnings", () => {
  test("name a formula whose saved result was used", async () => {
    const amount: Cell = {
      kind: "formula",
      text: "A1*2",
      value: { kind: "number", text: "0.1", unit: "btc" },
    };
    const result = await initiate(payoutTable([{ amount }], "xlsx"), policyWith());
    expect(result.drafts[0]?.fields.amount.value.toString()).toBe("0.1");
    expect(result.warnings).toMatchObject([{ code: "FORMULA_RESULT_USED", cell: "C2", row: 1 }]);
  });

  test("name the amount of such a formula as it is paid, without the noise that the program wrote", async () => {
    const value = { kind: "number", text: "0.0199999999999999999996" } as const;
    const amount: Cell = { kind: "formula", text: value.text, value };
    const { drafts, warnings } = await initiate(payoutTable([{ amount }], "xlsx"), policyWith());
    expect(drafts[0]?.fields.amount.value.toString()).toBe("0.02");
    expect(warnings[0]?.message).toContain("the result saved in the file, 0.02, was used");
  });

  test("name a user of the service who is not the configured one: it may be the payee's name elsewhere", async () => {
    const rows = [{ username: "zoe77" }, { username: "treasury-bot" }, { username: "" }];
    const { warnings } = await initiate(payoutTable(rows), policyWith());
    expect(warnings).toMatchObject([{ code: "USERNAME_DIFFERS", row: 1, column: "username" }]);
  });

  test("name a day that has passed", async () => {
    const result = await initiate(
      payoutTable([{ payOn: "2026-11-19" }, { payOn: "2026-11-20" }]),
      policyWith(),
    );
    expect(result.verdict).toBe("accepted");
    expect(result.warnings.map(({ row, code }) => [row, code])).toEqual([[1, "PAY_ON_PAST"]]);
  });
});

describe("a whole file", () => {
  test("is rejected for one bad row, and still says what the good ones add up to", async () => {
    const result = await initiate(payoutTable([{}, { amount: "0" }, { amount: "1.2" }]), policyWith());
    expect(result).toMatchObject({
      verdict: "rejected",
      rowsRead: 3,
      rowsAccepted: 2,
      rowsRejected: 1,
      drafts: [],
    });
    expect(
      result.controlTotals.map(({ currency, count, amount }) => [currency, count, amount.toString()]),
    ).toEqual([["BTC", 2, "1.25000000"]]);
  });

  test("lets its good rows go where the policy is reject-row", async () => {
    const result = await initiate(
      payoutTable([{}, { amount: "0" }, {}]),
      policyWith({ onBadRow: "reject-row" }),
    );
    expect(result).toMatchObject({ verdict: "accepted", rowsRead: 3, rowsAccepted: 2, rowsRejected: 1 });
    expect(result.drafts.map(({ row }) => row)).toEqual([1, 3]);
  });

  test("without rows, or with bad rows only, is rejected", async () => {
    const onBadRow = "reject-row";
    expect((await initiate(payoutTable([{ amount: "0" }]), policyWith({ onBadRow }))).verdict).toBe(
      "rejected",
    );
    const empty = await initiate(tableOf([["reference", "amount", "address"]]), policyWith({ onBadRow }));
    expect(empty).toMatchObject({
      verdict: "rejected",
      rowsRead: 0,
      problems: [{ code: "FILE_HAS_NO_ROWS" }],
    });
  });

  test("above the limit per file pays nothing, also where the policy is reject-row", async () => {
    const rows = Array.from({ length: 11 }, () => ({ amount: "5" }));
    const result = await initiate(payoutTable(rows), policyWith({ onBadRow: "reject-row" }));
    expect(result).toMatchObject({ verdict: "rejected", drafts: [], rowsAccepted: 11 });
    expect(result.problems.map(({ code, message }) => [code, message])).toEqual([
      ["AMOUNT_OVER_LIMIT", "the sum of 55.00000000 BTC is above the limit of 50 BTC per file"],
    ]);
    const justWithin = await initiate(payoutTable(rows.slice(1)), policyWith());
    expect(justWithin.verdict).toBe("accepted");
  });

  test("names the earlier row of a repeated reference", async () => {
    const rows = [{ reference: "INV-1" }, { reference: "INV-2" }, { reference: " INV-1 " }];
    const { problems } = await initiate(payoutTable(rows), policyWith());
    expect(problems.map(({ row, message }) => [row, message])).toEqual([
      [3, 'the reference "INV-1" is also in line 2 of this file'],
    ]);
  });

  test("names where a reference was used before, asking history in windows for each reference once", async () => {
    const asked: string[] = [];
    const windows: number[] = [];
    const earlierUses = async (references: readonly string[]) => {
      asked.push(...references);
      windows.push(references.length);
      return new Map(
        references.includes("INV-1200")
          ? [["INV-1200", { inWords: "batch B-000003, row 4, paid as 1b2c", isFree: false }]]
          : [],
      );
    };
    const result = await initiate(
      payoutTable(Array.from({ length: 1300 }, () => ({ amount: "0.001" }))),
      policyWith({ earlierUses }),
    );
    expect(result.problems.map(({ row, message }) => [row, message])).toEqual([
      [1200, 'the reference "INV-1200" was used before: batch B-000003, row 4, paid as 1b2c'],
    ]);
    expect(new Set(asked).size).toBe(1300);
    expect(asked).toHaveLength(1300);
    expect(Math.max(...windows)).toBeLessThanOrEqual(500);
  });

  test("with decimal commas elsewhere does not pay 1.234 where 1234 may be meant, also in reject-row", async () => {
    const policy = policyWith({ onBadRow: "reject-row" });
    const mixed = await initiate(payoutTable([{ amount: "1.234" }, { amount: "0,05" }]), policy);
    expect(mixed).toMatchObject({ verdict: "rejected", drafts: [] });
    expect(mixed.problems.map(({ row, code }) => [row, code])).toEqual([
      [2, "AMOUNT_SEPARATOR_UNDECLARED"],
      [1, "AMOUNT_FORMATS_MIXED"],
    ]);
    const consistent = await initiate(payoutTable([{ amount: "1.234" }, { amount: "0.05" }]), policy);
    expect(consistent.verdict).toBe("accepted");
  });

  test.each<{
    amounts: string[];
    verdict: string;
    codes: string[];
    delimiter?: string;
    numberFormat?: InitiationPolicy["numberFormat"];
  }>([
    { amounts: ["1.234", "1000"], verdict: "rejected", codes: ["AMOUNT_POINT_UNCLEAR"] },
    { amounts: ["1.234", "0.05"], verdict: "accepted", codes: [] },
    { amounts: ["1.234", "1.5"], verdict: "accepted", codes: [] },
    { amounts: ["1.2340"], verdict: "accepted", codes: [] },
    { amounts: ["0.123"], verdict: "accepted", codes: [] },
    {
      amounts: ["1.234", "1.234.567"],
      verdict: "rejected",
      codes: ["AMOUNT_SEPARATOR_UNDECLARED", "AMOUNT_FORMATS_MIXED"],
    },
    { amounts: ["1.234"], verdict: "accepted", codes: [], delimiter: "," },
    { amounts: ["1.234"], verdict: "accepted", codes: [], numberFormat: "1,234.56" },
  ])(
    "between semicolons a point before three digits needs an amount that shows what points mean: $amounts",
    async ({ amounts, verdict, codes, delimiter = ";", numberFormat = "auto" }) => {
      const table = payoutTable(amounts.map((amount) => ({ amount })));
      const source = {
        format: "csv",
        path: "",
        encoding: { label: "utf-8", skipBytes: 0 },
        delimiter,
      } as const;
      const limits = { perRow: { BTC: Decimal.of("9999") }, perFile: { BTC: Decimal.of("9999") } };
      const policy = policyWith({ onBadRow: "reject-row", numberFormat, limits });
      const result = await initiate({ ...table, source }, policy);
      expect(result.verdict).toBe(verdict);
      expect(result.problems.map(({ code }) => code)).toEqual(codes);
    },
  );
});

describe("words beside the amounts that give them another unit", () => {
  const noted = (note: string, sheet?: string) => ({
    ...payoutTable([{}]),
    titleLines: [{ line: 1, cells: [{ kind: "text", text: note } as const] }],
    ...(sheet === undefined ? {} : { sheet }),
  });

  test.each([
    "Payments in mBTC",
    "amounts: \u00b5BTC",
    "All amounts in thousands",
    "in Satoshi",
    "in sat",
    "(uBTC)",
  ])("refuse the file where they stand above it: %s", async (note) => {
    const { verdict, fileProblems } = await initiate(noted(note), policyWith());
    expect(verdict).toBe("rejected");
    expect(fileProblems).toMatchObject([{ code: "AMOUNT_IN_OTHER_UNIT", line: 1 }]);
  });

  test("or are the name of its sheet", async () => {
    const { fileProblems } = await initiate(noted("Payments", "May in sats"), policyWith());
    expect(fileProblems).toMatchObject([{ code: "AMOUNT_IN_OTHER_UNIT", sheet: "May in sats" }]);
  });

  test.each([
    "Payments in BTC",
    "Prepared by Satoshi Wei on Sat",
    "SumBTC of May",
    "paid in Satoshis\u00e9",
    "thousands of thanks",
  ])("but %s are none", async (note) => {
    expect((await initiate(noted(note, "May"), policyWith())).fileProblems).toEqual([]);
  });

  test.each<[string, readonly (readonly string[])[]]>([
    ["a total", [["Total mBTC", "0.5", "", ""]]],
    ["what stands beside a total", [["Total", "0.5", "", "in mBTC"]]],
    ["a unit beside a total", [["Total", "0.5", "", "sats"]]],
    ["a note below", [["All amounts in mBTC", "", "", ""]]],
    ["a note in a column of the sender's own", [["", "", "", "amounts in sats"]]],
    ["a note in another language", [["Beträge in Tausend", "", "", ""]]],
  ])("refuse the file where they are in %s, whatever becomes of bad rows", async (_, below) => {
    const table = tableOf([
      ["reference", "amount", "destinationAddress", "note"],
      ["INV-1", "0.5", ADDRESS, ""],
      ...below,
    ]);
    for (const onBadRow of ["reject-file", "reject-row"] as const) {
      const { verdict, fileProblems } = await initiate(table, oneAccount({ onBadRow }));
      expect(verdict).toBe("rejected");
      expect(fileProblems).toMatchObject([{ code: "AMOUNT_IN_OTHER_UNIT", line: 3 }]);
    }
  });

  test("refuse a row in whose own column they stand", async () => {
    const notes = ["mBTC", "sats", " \u03bcBTC", "BTC", "Satoshi", "Sat", "mBTC for May"];
    const { problems } = await initiate(payoutTable(notes.map((note) => ({ note }))), policyWith());
    expect(problems).toMatchObject(
      [1, 2, 3].map((row) => ({ code: "AMOUNT_IN_OTHER_UNIT", row, column: "note" })),
    );
    expect(problems).toHaveLength(3);
  });

  test.each(["Unit", "Amount unit", "Denomination", "UoM", "Einheit"])(
    "refuse a row with a word that is a unit only where a heading asks for one: %s",
    async (heading) => {
      const texts = ["sat", " Satoshi ", "wei", "thousand", "BTC", "1,000", "1", "pcs", "Sales"];
      const { problems } = await initiate(
        payoutTable(texts.map((text) => ({ [heading]: text }))),
        policyWith(),
      );
      expect(problems).toMatchObject(
        [1, 2, 3, 4].map((row) => ({ code: "AMOUNT_IN_OTHER_UNIT", row, column: heading })),
      );
      expect(problems).toHaveLength(4);
    },
  );

  test.each(["Business unit", "Org. unit", "United"])("but not under %s", async (heading) => {
    const texts = heading === "Units sold to" ? ["Sales"] : ["SAT", "BIT"];
    const table = payoutTable(texts.map((text) => ({ [heading]: text })));
    expect((await initiate(table, policyWith())).verdict).toBe("accepted");
  });
});

describe("another currency beside amounts that name none", () => {
  const HEADER = ["reference", "amount", "destinationAddress"];
  const besideAmounts = (name: string, texts: readonly string[], amount = "amount") =>
    tableOf([
      ["reference", amount, "destinationAddress", name],
      ...texts.map((text, index) => [`INV-${index}`, "0.5", ADDRESS, text]),
    ]);

  test("refuses the row: half a euro is not paid as half a bitcoin", async () => {
    const texts = ["EUR", " € ", "Euro", "usd", "CHF", "LTC", "Litecoin", "USDC", "Tether", "BCH"];
    const { verdict, problems } = await initiate(besideAmounts("Währung", texts), oneAccount());
    expect(verdict).toBe("rejected");
    expect(problems).toMatchObject(
      texts.map((_, index) => ({ code: "CURRENCY_NOT_READ", row: index + 1, column: "Währung" })),
    );
  });

  test("does not where it is the amounts' own, or a word", async () => {
    const texts = ["BTC", "", "pen", "Ron", "ALL", "AMD", "EUR 40,000", "paid in EUR"];
    expect((await initiate(besideAmounts("note", texts), oneAccount())).problems).toEqual([]);
  });

  test.each(["Amount (BTC)", "amount in BTC"])(
    "does not where the amounts name theirs: %s",
    async (amount) => {
      const table = besideAmounts("Invoice currency", ["EUR", "USD"], amount);
      expect((await initiate(table, oneAccount())).verdict).toBe("accepted");
    },
  );

  test("does not in a column that treasury excludes", async () => {
    const table = besideAmounts("Invoice currency", ["EUR"]);
    const policy = oneAccount({ columns: { "invoice currency": "ignore" } });
    expect((await initiate(table, policy)).verdict).toBe("accepted");
  });

  test("asks each row for its own currency, and not the file", async () => {
    const table = tableOf([
      [...HEADER, "currency", "Invoice currency"],
      ["INV-1", "0.5", ADDRESS, "BTC", "EUR"],
      ["INV-2", "0.25", ADDRESS, "", "EUR"],
    ]);
    expect((await initiate(table, oneAccount())).problems).toMatchObject([
      { code: "CURRENCY_NOT_READ", row: 2, column: "Invoice currency" },
    ]);
  });

  test.each([
    "Payments in EUR",
    "Beträge in Euro (November)",
    "Montants en €",
    "Currency: EUR",
    "May (USD)",
    "EUR",
  ])(
    "refuses the file where it stands above the rows, in the sheet's name or below the rows: %s",
    async (note) => {
      const table = tableOf([HEADER, ["INV-1", "0.5", ADDRESS]]);
      const cells = [{ kind: "text", text: note } as const];
      const above = { ...table, titleLines: [{ line: 1, cells }] };
      const below = tableOf([HEADER, ["INV-1", "0.5", ADDRESS], [note, "", ""]]);
      for (const each of [above, { ...table, sheet: note }, below]) {
        const { verdict, fileProblems } = await initiate(each, oneAccount({ onBadRow: "reject-row" }));
        expect(verdict).toBe("rejected");
        expect(fileProblems).toMatchObject([{ code: "CURRENCY_NOT_READ" }]);
      }
    },
  );

  test.each([
    "BTC price in EUR",
    "Prepared in Madrid",
    "Payments in BTC",
    "Rate: EUR 81000",
    "in all honesty",
  ])("does not where it is no currency of the amounts: %s", async (note) => {
    const table = tableOf([HEADER, ["INV-1", "0.5", ADDRESS]]);
    const titleLines = [{ line: 1, cells: [{ kind: "text", text: note } as const] }];
    expect((await initiate({ ...table, titleLines }, oneAccount())).verdict).toBe("accepted");
  });
});

describe("words beside the amounts that give them another currency", () => {
  const titled = (cells: readonly string[], columns: Readonly<Record<string, string>> = {}) => ({
    ...payoutTable([columns]),
    titleLines: [{ line: 1, cells: cells.map((text) => ({ kind: "text", text }) as const) }],
  });

  test.each([
    [["Payouts", "All amounts in EUR"]],
    [["Currency:", "EUR"]],
    [["CURRENCY = USD"]],
    [["Payments (in €)"]],
    [["Suppliers in THB, all amounts in EUR"]],
    [["Paid in MAY, in £"]],
    [["in Euros"]],
    [["Amounts in LTC"]],
  ])("refuse the file where they stand above it: %s", async (cells) => {
    const { verdict, fileProblems } = await initiate(titled(cells), oneAccount());
    expect(verdict).toBe("rejected");
    expect(fileProblems).toMatchObject([{ code: "CURRENCY_NOT_READ", line: 1 }]);
  });

  test("or are the name of its sheet, or stand below it, whatever becomes of bad rows", async () => {
    const named = await initiate({ ...payoutTable([{}]), sheet: "May in EUR" }, oneAccount());
    expect(named.fileProblems).toMatchObject([{ code: "CURRENCY_NOT_READ", sheet: "May in EUR" }]);
    const table = tableOf([
      ["reference", "amount", "destinationAddress"],
      ["INV-1", "0.5", ADDRESS],
      ["All amounts in EUR", "", ""],
    ]);
    const below = await initiate(table, oneAccount({ onBadRow: "reject-row" }));
    expect(below.verdict).toBe("rejected");
    expect(below.fileProblems).toMatchObject([{ code: "CURRENCY_NOT_READ", line: 3 }]);
  });

  test.each(["EUR", "(EUR)", "[€]", "EUR:"])("or stand alone among the amounts: %s", async (unit) => {
    const header = ["reference", "amount", "destinationAddress"];
    const table = tableOf([header, ["", unit, ""], ["INV-1", "0.5", ADDRESS]]);
    const { verdict, fileProblems } = await initiate(table, oneAccount({ onBadRow: "reject-row" }));
    expect(verdict).toBe("rejected");
    expect(fileProblems).toMatchObject([{ code: "CURRENCY_NOT_READ", line: 2 }]);
  });

  test.each([
    [["Currency: BTC"]],
    [["all amounts in BTC"]],
    [["Invoices in EUR, paid in BTC"]],
    [["Value in EUR:", "13,500.00"]],
    [["1 BTC in EUR = 90000"]],
    [["Payments in May"]],
    [["In ALL"]],
    [["Prepared in Eurostar"]],
  ])("but %s gives none", async (cells) => {
    expect((await initiate(titled(cells), oneAccount())).fileProblems).toEqual([]);
  });

  test("and count no more where a column says the currency", async () => {
    expect((await initiate(titled(["in EUR"], { currency: "BTC" }), oneAccount())).fileProblems).toEqual([]);
    const header = ["reference", "Amount (BTC)", "destinationAddress"];
    const table = {
      ...tableOf([header, ["INV-1", "0.5", ADDRESS]]),
      titleLines: titled(["in EUR"]).titleLines,
    };
    expect((await initiate(table, oneAccount())).fileProblems).toEqual([]);
  });
});

describe("words in a column of the sender's own about paying the row", () => {
  const outcome = async (column: string, cells: readonly string[], policy = policyWith()) => {
    const { problems, warnings } = await initiate(
      payoutTable(cells.map((text) => ({ [column]: text }))),
      policy,
    );
    return [problems, warnings].map((list) => list.map(({ row, code }) => [row, code]));
  };

  test("refuse it where they say not to, as a struck-out amount does", async () => {
    const cells = ["ON HOLD", "Do not pay!", "Canceled", "open", "on hold until Ann asks", ""];
    expect(await outcome("Status", cells)).toEqual([[1, 2, 3].map((row) => [row, "ROW_NOT_TO_BE_PAID"]), []]);
    expect(await outcome("Payment block", ["x", "yes", "no", ""])).toEqual([
      [1, 2].map((row) => [row, "ROW_NOT_TO_BE_PAID"]),
      [],
    ]);
  });

  test("refuse it where they answer no to whether it is to be paid", async () => {
    for (const column of ["Pay?", "Pay (Y/N)", "Approved for payment", "Include in payment (yes/no)"])
      expect(await outcome(column, ["no", "N", "yes", "Y", "", "by Ann"])).toEqual([
        [1, 2].map((row) => [row, "ROW_NOT_TO_BE_PAID"]),
        [],
      ]);
    expect(await outcome("New supplier?", ["no", "yes"])).toEqual([[], []]);
  });

  test.each([
    ["Rejected", "blocked", "Not approved", "Duplicate", "Credit note"],
    ["storniert", "Gesperrt", "ZURÜCKGESTELLT", "Annulé", "Doublon", "anulado", "rechazada"],
    ["annullato", "não pagar", "geblokkeerd", "Wstrzymane", "İPTAL", "ödenmeyecek", "支払保留", "キャンセル"],
  ])("refuse it in other words and languages: %s", async (...cells) => {
    const refused = cells.map((_, index) => [index + 1, "ROW_NOT_TO_BE_PAID"]);
    expect(await outcome("Status", [...cells, "freigegeben", "à payer"])).toEqual([refused, []]);
  });

  test("refuse it where any code of a payment block stands, as SAP has them", async () => {
    const refused = [[1, 2].map((row) => [row, "ROW_NOT_TO_BE_PAID"]), []];
    expect(await outcome("Payment block", ["A", "Pending", "", "none", "n/a", "Free for payment"])).toEqual(
      refused,
    );
    expect(await outcome("Zahlsperre", ["R", "Ja", "Nein", "falsch", "frei"])).toEqual(refused);
  });

  test("refuse it by a yes or no of their own language", async () => {
    const refused = [[[1, "ROW_NOT_TO_BE_PAID"]], []];
    for (const [column, ...cells] of [
      ["Storniert", "ja", "nein"],
      ["Nicht zahlen", "WAHR", "FALSCH"],
      ["Bloqué", "oui", "non"],
      ["Bloqueado", "Sí", "no"],
      ["Wstrzymane", "tak", "nie"],
      ["保留", "はい", "いいえ"],
      ["Pay?", "nein", "ja"],
      ["Freigegeben", "Nein", "Ja"],
    ])
      expect(await outcome(column ?? "", cells)).toEqual(refused);
  });

  test("are a warning where a column is filled in that only paid rows have", async () => {
    const hash = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b";
    expect(await outcome("TXID", [hash, "", "-", "pending"])).toEqual([[], [[1, "ROW_SAID_PAID"]]]);
    const { warnings } = await initiate(payoutTable([{ TXID: hash }]), policyWith());
    expect(warnings).toMatchObject([
      { message: expect.stringMatching(/^"\.\.\." stands in the column "TXID"/) },
    ]);
    const days = ["2026-11-03", "", "n/a", "not yet", "yes"];
    expect(await outcome("Paid on", days)).toEqual([[], [1, 5].map((row) => [row, "ROW_SAID_PAID"])]);
  });

  test("are a warning where they say that it was paid: it may be an order that a customer paid", async () => {
    expect(await outcome("Order status", ["Paid", "paid by card", "Shipped"])).toEqual([
      [],
      [[1, "ROW_SAID_PAID"]],
    ]);
    expect(await outcome("Paid?", ["Y", "N"])).toEqual([[], [[1, "ROW_SAID_PAID"]]]);
  });

  test("refuse the file where they stand above it or are the name of its sheet", async () => {
    const refused = async (text: string, sheet?: string) => {
      const titleLines = [{ line: 1, cells: [{ kind: "text", text } as const] }];
      const table = { ...payoutTable([{}]), titleLines, ...(sheet === undefined ? {} : { sheet }) };
      return (await initiate(table, policyWith({ onBadRow: "reject-row" }))).fileProblems;
    };
    for (const text of [
      "DRAFT - do not pay!",
      "Not for payment",
      "ON HOLD",
      "Don't pay before Ann calls",
      "Entwurf, nicht zahlen",
      "DRAFT",
    ])
      expect(await refused(text)).toMatchObject([{ code: "FILE_NOT_TO_BE_PAID", line: 1 }]);
    expect(await refused("May", "Cancelled")).toMatchObject([{ code: "FILE_NOT_TO_BE_PAID" }]);
    for (const text of ["Payments of May", "without those on hold", "Paid by treasury", "x"])
      expect(await refused(text, "May")).toEqual([]);
  });

  test("mean nothing in a column that the configuration excludes", async () => {
    expect(await outcome("Status", ["cancelled"], policyWith({ columns: { Status: "ignore" } }))).toEqual([
      [],
      [],
    ]);
  });
});

test("names a line that holds one text as such: it is a note, or a payout that was begun", async () => {
  const table = tableOf([
    ["reference", "amount", "destinationAddress", "note"],
    ["INV-1", "0.5", ADDRESS, ""],
    ["Prepared by Ann", "", "", ""],
    ["", "", "", "end of list"],
    ["INV-2", "", "", "to come"],
  ]);
  const { problems } = await initiate(table, oneAccount());
  expect(problems.map(({ code, line, column }) => [line, column, code])).toEqual([
    [3, "reference", "ROW_IS_NOTE"],
    [4, "note", "ROW_IS_NOTE"],
    [5, "amount", "VALUE_MISSING"],
    [5, "destinationAddress", "DESTINATION_MISSING"],
  ]);
});

test("names the lines of signatures below the payouts as notes, each once", async () => {
  const table = tableOf([
    ["reference", "amount", "destinationAddress"],
    ["INV-1", "0.5", ADDRESS],
    ["Prepared by:", "Ann Smith", ""],
    ["Approved by:", "________", ""],
    ["Date:", { kind: "date", text: "2026-11-23" }, ""],
  ]);
  const { problems } = await initiate(table, oneAccount());
  expect(problems).toMatchObject([
    { code: "ROW_IS_NOTE", line: 3, message: expect.stringContaining("Prepared by:, Ann Smith") },
    { code: "ROW_IS_NOTE", line: 4 },
    { code: "ROW_IS_NOTE", line: 5 },
  ]);
});

test("never holds more than a window of rows, and hands on every draft and problem", async () => {
  const rows = 1_000;
  let read = 0;
  let taken = 0;
  let furthestAhead = 0;
  const lines = Array.from({ length: rows }, (_, index) => ({ amount: index % 2 === 0 ? "0.001" : "none" }));
  const table = payoutTable(lines);
  const counted = async function* () {
    for await (const window of table.windows()) {
      read += window.length;
      furthestAhead = Math.max(furthestAhead, read - taken);
      yield window;
    }
  };
  const result = await initiateInWindows(
    { ...table, windows: counted },
    policyWith(),
    ({ drafts, problems }) => {
      taken += drafts.length + problems.length;
    },
  );
  expect(result).toMatchObject({
    rowsRead: rows,
    rowsAccepted: 500,
    problemCounts: { AMOUNT_UNREADABLE: 500 },
  });
  expect(taken).toBe(rows);
  expect(furthestAhead).toBeLessThanOrEqual(100);
});
