/** Which line is a header, and which column is which. */
import { describe, expect, test } from "vitest";
import { payoutTableSigns } from "../../src/initiation/index.ts";
import { type ColumnMeanings, payoutColumns } from "../../src/model/columns.ts";
import { type Cell, EMPTY_CELL } from "../../src/model/index.ts";
import { initiate } from "./initiated.ts";
import { ADDRESS, numberCell, policyWith, tableOf, type Value } from "./payout-table.ts";

const KEY = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";

describe("the header", () => {
  test.each([
    [["reference", "amount"]],
    [["Payment reference", "AMOUNT", "my own"]],
    [["Payee", "Address", "GL account"]],
    [["requested_amount", "Our Reference"]],
  ])("is found in %j", (cells) => {
    expect(payoutTableSigns({}).isHeader(cells)).toBe(true);
  });

  test.each([
    [["Payout list, November"]],
    [["Prepared by", "K. Lindqvist"]],
    [["amount", "amount", "amount"]],
    [["INV-1", "0.05", ADDRESS]],
    [[]],
  ])("is not taken from %j", (cells) => {
    expect(payoutTableSigns({}).isHeader(cells)).toBe(false);
  });

  test.each([
    [
      [["Payouts"], ["reference", "ammount", "address"]],
      'line 2 comes closest, with "reference", "ammount" (did you mean `amount`?), "address"',
    ],
    [
      [
        ["Referenz", "Betrag"],
        ["A-1", "0.1"],
      ],
      'line 1 comes closest, with "Referenz" (did you mean `reference`?)',
    ],
    [[["reference", "Amount (k)"]], 'line 1 comes closest, with "reference"'],
    [[["payee", "iban", "sum"]], 'line 1 comes closest, with "payee", "sum"'],
    [[["Dear all"], ["please pay"]], ""],
    [[["invoice"], [ADDRESS, KEY]], 'line 1 comes closest, with "invoice"'],
    [[], ""],
  ])("that is missing may be in %j", (texts, said) => {
    const lines = texts.map((cells, index) => ({
      line: index + 1,
      cells: cells.map((text) => ({ kind: "text", text }) as const),
    }));
    expect(payoutTableSigns({}).closestHeader(lines)).toBe(said === "" ? "" : `; ${said}`);
  });

  test("is found by a sender's own names when they are configured", () => {
    const columns = { Verwendungszweck: "reference", Betrag: "amount" } as const;
    expect(payoutTableSigns(columns).isHeader(["Betrag", "Verwendungszweck"])).toBe(true);
    expect(payoutTableSigns({}).isHeader(["Betrag", "Verwendungszweck"])).toBe(false);
    const turkish = { "Fatura no": "reference", "Alıcı tutarı": "amount" } as const;
    expect(payoutTableSigns(turkish).isHeader(["FATURA NO", "ALICI TUTARI"])).toBe(true);
  });

  test("never means two columns by one word", () => {
    const words = payoutColumns.flatMap(({ name, aliases }) => [name, ...aliases]);
    const plain = words.map((word) => word.toLowerCase().replace(/[^a-z0-9]/g, ""));
    expect(plain.filter((word, at) => plain.indexOf(word) !== at)).toEqual([]);
  });
});

describe("columns", () => {
  test("may come in any order, under plain-language names", async () => {
    const table = tableOf([
      ["Amount", "Wallet", "Custody account", "Invoice no"],
      ["0.05", ADDRESS, "treasury-btc", "INV-1"],
    ]);
    const { drafts } = await initiate(table, policyWith());
    expect(drafts.map(({ fields }) => [fields.reference, fields.amount.value.toString()])).toEqual([
      ["INV-1", "0.05"],
    ]);
  });

  test("that are needed are asked for by name, once, and no row is taken", async () => {
    const result = await initiate(
      tableOf([
        ["amount", "currency", "payee"],
        ["0.05", "BTC", "Zoë"],
      ]),
      policyWith(),
    );
    const missing = result.problems.filter(({ code }) => code === "COLUMN_MISSING");
    expect(missing.map(({ column }) => column)).toEqual(["reference", "destinationAddress"]);
    expect(result).toMatchObject({
      verdict: "rejected",
      rowsRead: 1,
      rowsAccepted: 0,
      rowsRejected: 1,
      drafts: [],
    });
  });

  test("that mean the same are refused together, also in reject-row", async () => {
    const table = tableOf([
      ["reference", "amount", "payment amount", "address", "accountId"],
      ["INV-1", "0.05", "0.06", ADDRESS, "treasury-btc"],
    ]);
    const result = await initiate(table, policyWith({ onBadRow: "reject-row" }));
    expect(result.problems).toMatchObject([
      { code: "COLUMN_REPEATED", message: 'the columns "amount" and "payment amount" all mean amount' },
    ]);
    expect(result).toMatchObject({ verdict: "rejected", drafts: [] });
  });

  test.each([
    ["\u0410ddre\u0455\u0455", "destinationAddress", "\\u0410ddre\\u0455\\u0455"],
    ["Am\u043eunt (BTC)", "amount", "Am\\u043eunt (BTC)"],
    ["Pay\u0435e", "customerId", "Pay\\u0435e"],
  ])(
    "that look like one that is read, by letters of another alphabet, reject the file: %s",
    async (name, meant, shown) => {
      const table = tableOf([
        ["reference", "sum", "wallet", "accountId", name],
        ["INV-1", "0.05", ADDRESS, "treasury-btc", "what an approver reads"],
      ]);
      const { verdict, problems, warnings } = await initiate(table, policyWith());
      expect(verdict).toBe("rejected");
      expect(problems).toMatchObject([{ code: "COLUMN_DISGUISED", column: name }]);
      expect(problems[0]?.message).toContain(`"${shown}"`);
      expect(problems[0]?.message).toContain(`\`${meant}\``);
      expect(warnings).toEqual([]);
    },
  );

  test("that look like one that is read are no matter where the configuration excludes them", async () => {
    const name = "\u0410ddress";
    const table = tableOf([
      ["reference", "sum", "wallet", "accountId", name],
      ["INV-1", "0.05", ADDRESS, "treasury-btc", "x"],
    ]);
    expect(await initiate(table, policyWith({ columns: { [name]: "ignore" } }))).toMatchObject({
      verdict: "accepted",
    });
  });

  test.each([
    ...["Сумма", "Сумма BTC", "Ποσό", "BTC支払額", "Δ amount due", "µ"],
    // As long as "payment id", "payee id", "customer id", "btc address", "gl account" and "payment id".
    ...["Договор ID", "Номер ID", "Заказчик ID", "BTC кошелек", "GL рахунок", "Κωδικός ID"],
  ])("of the sender's own may be called %s", async (name) => {
    const table = tableOf([
      ["reference", "amount", "address", "accountId", name],
      ["INV-1", "0.05", ADDRESS, "treasury-btc", "x"],
    ]);
    expect(await initiate(table, policyWith())).toMatchObject({ verdict: "accepted" });
  });

  test("of an old and a new address are one too many", async () => {
    const header = ["reference", "amount", "address", "New address", "accountId"];
    const table = tableOf([header, ["INV-1", "0.05", ADDRESS, ADDRESS, "treasury-btc"]]);
    expect((await initiate(table, policyWith())).problems).toMatchObject([{ code: "COLUMN_REPEATED" }]);
  });

  test("named once more among the rows reject the file, also in reject-row: below they may mean something else", async () => {
    const key = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
    const table = tableOf([
      ["payee", "reference", "amount", "address", "accountId", "note"],
      ["Ann", "INV-1", "0.05", ADDRESS, "treasury-btc", ""],
      ["reference", "payee", "amount", "address", "accountId", key],
      ["INV-2", "Ben", "0.05", ADDRESS, "treasury-btc", ""],
    ]);
    const result = await initiate(table, policyWith({ onBadRow: "reject-row" }));
    expect(result).toMatchObject({ verdict: "rejected", drafts: [] });
    expect(result.problems.map(({ line, code }) => [line, code])).toEqual([
      [3, "HEADER_REPEATED"],
      [3, "VALUE_IS_SECRET"],
    ]);
  });

  test.each(["Amount (BTC)", "BTC amount", "amount in btc", "Sum BTC", "Amount (₿)"])(
    "%s is an amount, in that currency",
    async (name) => {
      const header = ["reference", name, "address", "accountId"];
      const found = async (account: string, columns = {}) => {
        const table = tableOf([header, ["INV-1", "0.05", ADDRESS, account]]);
        const { verdict, problems } = await initiate(table, policyWith({ columns }));
        return { verdict, problems: problems.map(({ code, column }) => [code, column]) };
      };
      expect(await found("treasury-btc")).toEqual({ verdict: "accepted", problems: [] });
      expect(await found("treasury-btc", { [name]: "ignore" })).toMatchObject({
        problems: [["COLUMN_MISSING", "amount"]],
      });
    },
  );

  test.each(["Amount (€)", "Amount $", "£ amount", "Amount (₩)", "Amount %", "Amount EUR"])(
    "%s is no amount of ours, and stands beside one",
    async (name) => {
      const header = ["reference", name, "address", "accountId"];
      const alone = await initiate(
        tableOf([header, ["INV-1", "0.25", ADDRESS, "treasury-btc"]]),
        policyWith(),
      );
      expect(alone.problems).toMatchObject([{ code: "COLUMN_MISSING", column: "amount" }]);
      expect(alone.warnings, "not a misspelling").toEqual([]);
      const both = tableOf([
        [...header, "Amount (BTC)"],
        ["INV-1", "4500", ADDRESS, "treasury-btc", "0.05"],
      ]);
      const { verdict, unknownColumns, drafts } = await initiate(both, policyWith());
      expect({ verdict, unknownColumns }).toEqual({ verdict: "accepted", unknownColumns: [name] });
      expect(`${drafts[0]?.fields.amount.value}`).toBe("0.05");
    },
  );

  test.each(["Curr.", "Cur", "Crcy", "Payment Currency", "Amount currency", "Coin"])(
    "%s is the currency of the amount, and passes by none that is another",
    async (name) => {
      const header = ["reference", "amount", name, "address", "accountId"];
      const found = async (currency: string) => {
        const table = tableOf([header, ["INV-1", "0.05", currency, ADDRESS, "treasury-btc"]]);
        return (await initiate(table, policyWith())).problems.map(({ code, column }) => [code, column]);
      };
      for (const same of ["BTC", "btc", "Bitcoin", "₿"]) expect(await found(same)).toEqual([]);
      for (const unknown of ["Bitcoin Cash", "USDT"])
        expect(await found(unknown)).toEqual([["CURRENCY_UNKNOWN", name]]);
      expect(await found("EUR")).toEqual([["CURRENCY_DIFFERS", name]]);
    },
  );

  test("of the sender's own with a currency sign are found by the sign or the code", async () => {
    for (const name of ["Betrag (€)", "Betrag EUR"]) {
      const table = tableOf([
        ["reference", "amount", "address", "accountId", name],
        ["INV-1", "0.05", ADDRESS, "treasury-btc", "4500"],
      ]);
      const { unknownColumns } = await initiate(
        table,
        policyWith({ columns: { "Betrag (€)": "generalLedgerProject" } }),
      );
      expect(unknownColumns).toEqual([]);
    }
  });

  describe("beside the amount that may hold what is to be paid", () => {
    const outcomeOf = async (
      header: readonly string[],
      rows: readonly (readonly Value[])[],
      columns = {},
    ) => {
      const table = tableOf([
        ["reference", "address", "accountId", ...header],
        ...rows.map((row, index) => [`INV-${index}`, ADDRESS, "treasury-btc", ...row]),
      ]);
      const { verdict, problems } = await initiate(table, policyWith({ columns, onBadRow: "reject-row" }));
      return verdict === "accepted" ? [] : problems.map(({ code }) => code);
    };
    const outcome = (names: readonly string[], columns: ColumnMeanings = {}) =>
      outcomeOf(names, [names.map((_, index) => `0.0${5 - index}`)], columns);

    test.each([
      [["Amount", "VAT", "Total"]],
      [["Amount", "Already paid", "Balance due"]],
      [["Amount", "BTC"]],
      [["Amount", "Total (BTC)"]],
      [["Amount (BTC)", "VAT (BTC)", "Gross amount in BTC"]],
      [["Amount (BTC)", "BTC"]],
    ])("refuse the file: %j", async (names) => {
      expect(await outcome(names)).toEqual(["AMOUNT_COLUMN_UNCLEAR"]);
    });

    test.each([
      [["Amount (BTC)", "Net", "VAT", "Total"]],
      [["Amount", "Total (€)"]],
      [["Amount", "Net amount", "VAT", "EUR"]],
      [["Amount", "BTC rate", "Invoice total"]],
      [["Amount (BTC)", "Net (BTC)", "VAT (BTC)"]],
    ])("do not where names or currencies tell them apart: %j", async (names) => {
      expect(await outcome(names)).toEqual([]);
    });

    test.each<[string, string, readonly (readonly Value[])[]]>([
      [
        "hold the amount itself in every row",
        "Balance due",
        [
          ["0.05", "0.050"],
          ["0.1", numberCell("0.1")],
        ],
      ],
      [
        "are empty in every row",
        "Total",
        [
          ["0.05", ""],
          ["0.1", " "],
        ],
      ],
      ["hold it in its own unit", "BTC", [["0.05", { ...numberCell("0.05"), unit: "₿" } as Cell]]],
    ])("do not where they %s", async (_, name, rows) => {
      expect(await outcomeOf(["Amount", name], rows)).toEqual([]);
    });

    test.each<[string, readonly (readonly Value[])[]]>([
      [
        "another number in the last row",
        [
          ["0.05", "0.05"],
          ["0.1", "0.11"],
        ],
      ],
      [
        "nothing in one of the rows, which may mean that nothing is due",
        [
          ["0.05", "0.05"],
          ["0.1", ""],
        ],
      ],
      [
        "something in one of the rows",
        [
          ["0.05", ""],
          ["0.1", "0.1"],
        ],
      ],
      ["zero", [["0.05", "0"]]],
      ["the amount in another currency", [["0.05", { ...numberCell("0.05"), unit: "€" } as Cell]]],
      ["a text", [["0.05", "see invoice"]]],
      ["what their cells show as another number", [["0.05", { ...numberCell("0.05"), decimals: 1 } as Cell]]],
      ["what nobody sees", [["0.05", { ...numberCell("0.05"), unseen: "colour" } as Cell]]],
      ["a formula without a result", [["0.05", { kind: "formula", text: "C2", value: EMPTY_CELL }]]],
    ])("refuse the file where they hold %s", async (_, rows) => {
      expect(await outcomeOf(["Amount", "Total"], rows)).toEqual(["AMOUNT_COLUMN_UNCLEAR"]);
    });

    test("refuse the file where their name has another currency than the amount, though the figures are the same", async () => {
      for (const name of ["ETH", "Total ETH"])
        expect(await outcomeOf(["Amount", name], [["0.05", "0.05"]])).toEqual(["AMOUNT_COLUMN_UNCLEAR"]);
      expect(await outcomeOf(["Amount", "Total BTC"], [["0.05", "0.05"]])).toEqual([]);
    });

    test("refuse the file where the amount is empty, and they are not", async () => {
      const rows = [
        ["0.05", "0.05"],
        ["", "0.1"],
      ];
      expect(await outcomeOf(["Amount", "Total"], rows)).toEqual(["VALUE_MISSING", "AMOUNT_COLUMN_UNCLEAR"]);
    });

    test("do not where the configuration says which is the amount, or excludes them", async () => {
      expect(await outcome(["Betrag", "Total"], { Betrag: "amount" })).toEqual([]);
      expect(await outcome(["Amount", "BTC"], { BTC: "ignore" })).toEqual([]);
    });
  });

  test("of one amount in two currencies are one too many, and the currency in a name binds every row", async () => {
    const both = tableOf([
      ["reference", "Amount", "Amount (BTC)", "address", "accountId"],
      ["INV-1", "0.09", "0.05", ADDRESS, "treasury-btc"],
    ]);
    expect((await initiate(both, policyWith())).problems).toMatchObject([{ code: "COLUMN_REPEATED" }]);
    const header = ["reference", "Amount (LTC)", "currency", "address", "accountId"];
    for (const currency of ["", "BTC"]) {
      const table = tableOf([header, ["INV-1", "0.05", currency, ADDRESS, "treasury-btc"]]);
      const { problems } = await initiate(table, policyWith());
      expect(problems).toMatchObject([{ code: "CURRENCY_DIFFERS", column: "Amount (LTC)" }]);
    }
  });

  test.each(["Amount (€)", "Amount €", "$ amount", "Amount %"])(
    "of another unit are none of ours: %s is not read as an amount of bitcoins",
    async (amount) => {
      const cells = ["INV-1", "0.05", ADDRESS, "treasury-btc"];
      const { problems } = await initiate(
        tableOf([["reference", amount, "address", "accountId"], cells]),
        policyWith(),
      );
      expect(problems).toMatchObject([{ code: "COLUMN_MISSING", column: "amount" }]);
    },
  );

  test("and beside them the amount may name its currency by its sign", async () => {
    const table = tableOf([
      ["reference", "Amount (€)", "Amount (₿)", "address", "accountId", "Invoice currency"],
      ["INV-1", "4000", "0.05", ADDRESS, "treasury-btc", "EUR"],
    ]);
    expect(await initiate(table, policyWith())).toMatchObject({
      verdict: "accepted",
      controlTotals: [{ currency: "BTC" }],
      unknownColumns: ["Amount (€)", "Invoice currency"],
    });
  });

  test("are refused below payouts, of which none may be lost: the sheet was sorted with its header", async () => {
    const line = (number: number, ...texts: readonly string[]) => ({
      line: number,
      cells: texts.map((text) => ({ kind: "text", text }) as const),
    });
    const table = {
      ...tableOf([
        ["reference", "amount", "address", "accountId"],
        ["ZED-1", "0.05", ADDRESS, "treasury-btc"],
      ]),
      titleLines: [line(1, "INV-1", "0.5", ADDRESS, ""), line(2, "From", ADDRESS, "balance", "12.5")],
    };
    const { verdict, fileProblems } = await initiate(table, policyWith({ onBadRow: "reject-row" }));
    expect(verdict).toBe("rejected");
    expect(fileProblems).toMatchObject([{ code: "PAYOUT_ABOVE_HEADER", line: 1 }]);
  });

  test("that are called like ours can be told to mean nothing", async () => {
    const table = tableOf([
      ["reference", "amount", "address", "accountId", "Project"],
      ["INV-1", "0.05", ADDRESS, "treasury-btc", "Bridge"],
    ]);
    const result = await initiate(table, policyWith({ columns: { project: "ignore" } }));
    expect(result).toMatchObject({ verdict: "accepted", unknownColumns: ["Project"] });
    expect(result.drafts[0]?.fields.generalLedgerProject).toBeUndefined();
  });

  test("of the sender's own pass without a word, and a misspelt one is pointed out", async () => {
    const table = tableOf([
      ["reference", "amount", "address", "accountId", "fee polcy", "Cost approver"],
      ["INV-1", "0.05", ADDRESS, "treasury-btc", "", "M. Duarte"],
    ]);
    const result = await initiate(table, policyWith());
    expect(result.verdict).toBe("accepted");
    expect(result.unknownColumns).toEqual(["fee polcy", "Cost approver"]);
    expect(result.warnings.map(({ message }) => message)).toEqual([
      'the column "fee polcy" is not a payout column and is passed through unread; did you mean `feePolicy`?',
    ]);
  });
});
