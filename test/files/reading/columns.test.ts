/**
 * Columns are found by name, then by content. An uncertain one becomes a question, with the line of configuration
 * that answers it.
 */
import { describe, expect, test } from "vitest";
import { columnSynonyms } from "../../../src/model/column-synonyms.ts";
import { columnNames } from "../../../src/model/columns.ts";
import { wordOf } from "../../../src/model/words.ts";
import {
  ADDRESS,
  ADDRESSES,
  gridOf,
  PAYEE,
  policyWith,
  readFile,
  SAVINGS,
  sheetOf,
  TREASURY,
} from "./grids.ts";

const [A, B, C] = ADDRESSES;

async function columnsOf(text: string, changes: Parameters<typeof readFile>[1] = {}) {
  const { reading } = await readFile(text, changes);
  return Object.fromEntries((reading?.columns ?? []).map(({ name, heading }) => [name, heading]));
}

describe("names", () => {
  test("no word means two columns", () => {
    const words = [...columnNames, ...[...columnSynonyms.values()].flat()].map(wordOf);
    const meanings = new Map<string, Set<string>>();
    for (const name of columnNames)
      for (const text of [name, ...(columnSynonyms.get(name) ?? [])])
        meanings.set(wordOf(text), (meanings.get(wordOf(text)) ?? new Set()).add(name));
    expect([...meanings].filter(([, names]) => names.size > 1)).toEqual([]);
    expect(words.length).toBeGreaterThan(300);
  });

  test.each([
    ["Rechnungsnummer;Zahlungsbetrag;Empfängeradresse", "de"],
    ["N° de facture;MONTANT À PAYER;Adresse du bénéficiaire", "fr"],
    ["Nº factura;importe_a_pagar;Dirección de destino", "es"],
    ["Invoice-No.;Amount in BTC;To Address", "en"],
    ["Payment Ref;BTC amount;wallet", "en"],
    ["Tytuł płatności;Kwota (BTC);ADRES PORTFELA", "pl"],
  ])("are understood without case, accents, spaces and punctuation: %s", async (header) => {
    const { verdict, paid, questions } = await readFile(
      gridOf(`${header}\nP-1;0.05;${A}\nP-2;0.02;${B}`, {}, ";"),
    );
    expect([verdict, paid.length, questions]).toEqual(["accepted", 2, []]);
  });

  test("of the sender come before all others, and may exclude one", async () => {
    const file = `reference,ticket,amount,destinationAddress\nA-1,P-1,0.05,${A}`;
    expect(await columnsOf(file, { columns: { ticket: "reference", reference: "ignore" } })).toMatchObject({
      reference: "ticket",
    });
    const { questions } = await readFile(`reference,amount,destinationAddress,memo\nP-1,0.05,${A},x`, {
      columns: { memo: "ignore" },
    });
    expect(questions).toEqual([]);
  });

  test("of an accepted layout serve like the sender's own", async () => {
    const layout = {
      columns: { Folio: "reference" },
      accepted: new Set<string>(),
      notPaid: new Set<string>(),
      largest: {},
    } as const;
    const { reading, questions } = await readFile(`Folio,amount,destinationAddress\nP-1,0.05,${A}`, {
      layout,
    });
    expect(reading?.columns[0]).toMatchObject({ name: "reference", foundBy: "layout" });
    expect(questions).toEqual([]);
  });

  test("an amount with its currency comes before one without", async () => {
    const file = `reference,Betrag,Betrag (BTC),destinationAddress\nP-1,500.00,0.05,${A}\nP-2,200.00,0.02,${B}`;
    expect(await columnsOf(file)).toMatchObject({ amount: "Betrag (BTC)" });
  });

  test("of a summary above the table, without a destination, are not those of the table", async () => {
    const rows = `Payee,Invoice,Amount,Wallet\nAna,P-1,0.05,${A}\nBob,P-2,0.02,${B}`;
    for (const summary of ["Reference,Total,Currency\nRUN-12,0.07,BTC", "Reference:,RUN-12,Amount:,0.07"]) {
      const { verdict, paid, questions } = await readFile(`${summary}\n${rows}`);
      expect([verdict, paid]).toEqual(["accepted", [`P-1 0.05 ${A}`, `P-2 0.02 ${B}`]]);
      expect(questions.join()).toContain("above the columns");
    }
    const { codes } = await readFile(`Reference,Total,Where\nP-3,0.01,${C}\n${rows}`);
    expect(codes).toContain("3 HEADER_REPEATED");
  });

  test("two that mean the same are asked for", async () => {
    const { problems } = await readFile(`reference,Betrag,Summe,destinationAddress\nP-1,0.05,0.06,${A}`);
    expect(problems[0]).toMatchObject({ code: "COLUMN_UNCLEAR" });
    expect(problems[0]?.message).toBe('several columns may hold the amount: "Betrag" (0.05), "Summe" (0.06)');
    expect(problems[0]?.fix).toContain('"Betrag": amount');
  });

  test("a postal address is not taken for the destination where another column holds addresses", async () => {
    const file = `reference,amount,Address,Wallet address\nP-1,0.05,1 Main St,${A}\nP-2,0.02,2 High St,${B}`;
    expect(await columnsOf(file)).toMatchObject({ destinationAddress: "Wallet address" });
  });

  test("`Account` and `Fee` are not read where they hold something else", async () => {
    const file = `reference,amount,destinationAddress,Account,Fee\nP-1,0.05,${A},DE02,0.001\nP-2,0.02,${B},DE03,0.001`;
    expect(Object.keys(await columnsOf(file))).toEqual(["reference", "amount", "destinationAddress"]);
  });
});

describe("content", () => {
  test("finds destination, amount and reference where only one column comes into question, and says so", async () => {
    const file = `Vorgang,Partner,Wohin,Wieviel\nA-17,Ana,${A},0.05\nA-18,Bob,${B},0.07\nA-21,Cid,${C},0.01`;
    const { paid, reading, questions } = await readFile(file);
    expect(paid).toEqual([`A-17 0.05 ${A}`, `A-18 0.07 ${B}`, `A-21 0.01 ${C}`]);
    expect(reading?.columns.map(({ name, foundBy, evidence }) => [name, foundBy, evidence])).toEqual([
      ["reference", "content", "3 of 3 cells differ, and hold a digit"],
      ["customerId", "name", undefined],
      ["destinationAddress", "content", "3 of 3 cells are Bitcoin addresses"],
      ["amount", "content", "3 of 3 cells are amounts"],
    ]);
    expect(questions[0]).toContain("`Vorgang` was read as the reference");
  });

  test("one mistake in a column does not hide it, and is the only problem", async () => {
    const rows = [`A-17,Ana,${A},0.05`, `A-18,Bob,${B},0.07`, `A-21,Cid,${C},0.01`];
    for (const [from, to, code] of [
      [B, `${B}q`, "ADDRESS_MALFORMED"],
      ["0.07", "0.O7", "AMOUNT_UNREADABLE"],
      ["A-18", "A-17", "REFERENCE_REPEATED"],
    ] as const) {
      const { codes } = await readFile(`Vorgang,Partner,Wohin,Wieviel\n${rows.join("\n").replace(from, to)}`);
      expect(codes).toEqual([`3 ${code}`]);
    }
  });

  test("a column of currency codes is the currency", async () => {
    const file = `reference,amount,destinationAddress,Münze\nP-1,0.05,${A},BTC\nP-2,0.02,${B},BTC`;
    expect(await columnsOf(file)).toMatchObject({ currency: "Münze" });
  });

  test("the header stands below titles of several cells", async () => {
    const file = `ACME,Zahlungen,,\nVorgang,Partner,Wohin,Wieviel\nA-17,Ana,${A},0.05\nA-18,Bob,${B},0.07`;
    expect((await readFile(file)).reading?.headerLine).toBe(2);
  });
});

test("ids of destination accounts and custody accounts are read by name", async () => {
  const custodyAccounts = [
    ...policyWith().custodyAccounts,
    { id: SAVINGS, name: "savings-btc", currency: "BTC" },
  ];
  const { drafts } = await readFile(
    `reference,amount,accountId,destinationAccountId\nP-1,0.05,savings-btc,${PAYEE}`,
    { custodyAccounts },
  );
  expect(drafts[0]?.fields).toMatchObject({ custodyAccountId: SAVINGS, destinationAccountId: PAYEE });
});

test("a column of nothing but own accounts is the paying account, and asked about; one with another word is not read", async () => {
  const custodyAccounts = [
    ...policyWith().custodyAccounts,
    { id: SAVINGS, name: "savings-btc", currency: "BTC" },
  ];
  const file = (last: string) =>
    `reference,amount,Kasse,destinationAddress\nP-1,0.05,savings-btc,${A}\nP-2,0.02,${last},${B}`;
  const own = await readFile(file("treasury-btc"), { custodyAccounts });
  expect(own.drafts.map(({ fields }) => fields.custodyAccountId)).toEqual([SAVINGS, TREASURY]);
  expect(own.questions).toEqual([
    "`Kasse` was read as the account paid from: savings-btc, treasury-btc (2 of 2 cells are names of custody accounts); its name does not say so",
  ]);
  const other = await readFile(file("the usual"), { custodyAccounts });
  expect(other.reading?.columns.some(({ name }) => name === "accountId")).toBe(false);
  expect(other.questions.join()).toContain('"the usual"');
});

test("a column without a name that counts, or is empty, is not asked for; one with values is", async () => {
  const counted = `,reference,amount,destinationAddress,\n1,P-1,0.05,${A},\n2,P-2,0.02,${B},`;
  expect((await readFile(counted)).questions).toEqual([]);
  const sheet = sheetOf([
    ["reference", "amount", "destinationAddress"],
    ["P-1", "0.05", A, "x"],
    ["P-2", "0.02", B],
  ]);
  expect((await readFile(sheet)).questions).toEqual(['column "column D" says "x" in 1 row']);
});

test("columns of our own answers say nothing", async () => {
  const file = `reference,amount,destinationAddress,paydrop: problems (a.csv)\nP-1,0.05,${ADDRESS},was wrong`;
  const { questions, drafts } = await readFile(file);
  expect([questions, drafts[0]?.fields.custodyAccountId]).toEqual([[], TREASURY]);
});

test("a share is no amount, and of two columns that are called the amount the one that holds numbers is read", async () => {
  const share = await readFile(`reference,Amount %,address\nP-1,0.25,${ADDRESSES[0]}`);
  expect(share.codes).toEqual(["COLUMN_MISSING"]);
  const beside = await readFile(`reference,amount,address,BTC支払額\nP-1,0.05,${ADDRESSES[0]},x`);
  expect(beside.paid).toEqual([`P-1 0.05 ${ADDRESSES[0]}`]);
});

test("a column of accounts is read although only rows without an address fill it in", async () => {
  const rows = `P-1,0.05,${ADDRESSES[0]},\nP-2,0.02,,${PAYEE}`;
  const { paid } = await readFile(`reference,amount,Address,Destination account\n${rows}`);
  expect(paid).toEqual([`P-1 0.05 ${ADDRESSES[0]}`, `P-2 0.02 ${PAYEE}`]);
});

test("a column that is called after the payee and holds addresses alone is the destination, if there is no other", async () => {
  const rows = `P-1,0.05,${ADDRESSES[0]},Ann\nP-2,0.02,${ADDRESSES[1]},Ben`;
  const { paid } = await readFile(`reference,amount,Empfänger,Memo\n${rows}`);
  expect(paid).toHaveLength(2);
  const named = await readFile(`reference,amount,address,Empfänger\n${rows}`);
  expect(named.fields?.customerId).toBe("Ann");
});

test("a column that is missing is named in words, with a heading of people that would be understood", async () => {
  const missing = async (header: string, cells: string) => {
    const { problems } = await readFile(`${header}\nP-1,${cells}`, { referencePattern: { maxLength: 64 } });
    return problems.map(({ message, fix }) => `${message} ${fix}`).join();
  };
  const address = await missing("reference,amount,Where", "0.05,nowhere");
  expect(address).toContain("clearly holds the address; columns not read");
  expect(address).toContain('Rename the column that holds it to "Address"');
  expect(await missing("reference,address,Share", `${A},5%`)).toContain(
    "clearly holds the amount; columns not read",
  );
  expect((await readFile(`reference,Amount (BTC),Address\nP-1,0.05,${A}`)).codes).toEqual([]);
});
