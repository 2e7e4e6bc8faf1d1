/** Thirty payment files as people have them: what stands in their sheets, and which payments they mean. */
import { addressOf } from "../../bitcoin-addresses.ts";
import type { HonestFile } from "../manifest.ts";

/** A text, the digits of a number, a day, or a formula with its saved result. */
export type BookCell =
  | string
  | { readonly n: string }
  | { readonly d: string }
  | { readonly f: string; readonly v: string };

export interface BookSheet {
  readonly name: string;
  readonly rows: readonly (readonly BookCell[])[];
}

export interface Book extends HonestFile {
  readonly maker: "libreoffice" | "openpyxl" | "excel" | "google" | "google-csv";
  /** The payments are on the first sheet, or on the one that is named here. */
  readonly sheets: readonly BookSheet[];
  /** How LibreOffice writes CSV: delimiter, quote, encoding; and the language of its numbers. */
  readonly csv?: { readonly tokens: string; readonly language: string };
  /** The line of the header, for tables, filters and frozen panes. */
  readonly headerLine: number;
  /** A number format of the amounts. */
  readonly format?: string;
  /** A comment at a cell. */
  readonly comment?: readonly [cell: string, text: string];
}

interface Draft {
  readonly reference: string;
  readonly payee: string;
  readonly address: string;
  readonly amount: string;
  readonly day: string;
  readonly at: number;
}

const PEOPLE = [
  "Acme Hosting Ltd",
  "Nadia Petrova",
  "Café Lumière",
  "Otto Sørensen",
  "Blue Fjord Design, Inc.",
  "María Núñez",
  "J. O'Brien",
  "Łukasz Nowak",
  "Van den Berg BV",
  "Studio 54 Lda",
  "Grün & Söhne GmbH",
  "Ana Sofia Reis",
];

/** Payments that nobody else's file has; `reference` names the one of a number. */
function drafts(count: number, seed: number, reference: (number: number) => string): readonly Draft[] {
  return Array.from({ length: count }, (_, index) => {
    const at = seed * 1000 + index;
    return {
      reference: reference(at),
      payee: PEOPLE[(at * 7) % PEOPLE.length] ?? "",
      address: addressOf(at),
      amount: ((100 + ((at * 7919) % 890)) / 100_000).toFixed(5).replace(/0+$/, ""),
      day: `2026-12-${10 + (index % 3) * 7}`,
      at,
    };
  });
}

type Meaning = "reference" | "amount" | "destination";

interface Plan {
  readonly file: string;
  readonly maker: Book["maker"];
  readonly about: string;
  readonly count: number;
  readonly reference: (number: number) => string;
  /** Headings with what stands below them; those that mean something are named. */
  readonly columns: readonly (readonly [
    heading: string,
    cellOf: (payment: Draft) => BookCell,
    meaning?: Meaning,
  ])[];
  readonly above?: BookSheet["rows"];
  /** Below the payments, with their sum and the lines of the first and the last. */
  readonly below?: (sum: string, first: number, last: number) => BookSheet["rows"];
  /** Before the payment of an index. */
  readonly between?: Readonly<Record<number, readonly (readonly BookCell[])[]>>;
  readonly sheetName?: string;
  readonly otherSheets?: readonly BookSheet[];
  readonly question?: string;
  readonly more?: Pick<Book, "csv" | "format" | "comment">;
}

function bookOf(plan: Plan, seed: number): Book {
  const payments = drafts(plan.count, seed, plan.reference);
  const rows: (readonly BookCell[])[] = [...(plan.above ?? []), plan.columns.map(([heading]) => heading)];
  const headerLine = rows.length;
  const lines = payments.map((payment, index) => {
    rows.push(
      ...(plan.between?.[index] ?? []),
      plan.columns.map(([, cellOf]) => cellOf(payment)),
    );
    return rows.length;
  });
  rows.push(...(plan.below?.(sumOf(payments), lines[0] ?? 0, lines.at(-1) ?? 0) ?? []));
  const positionOf = (meaning: Meaning) => plan.columns.findIndex(([, , each]) => each === meaning);
  const { file, maker, about, question, more = {} } = plan;
  return {
    file,
    maker,
    about,
    ...(question === undefined ? {} : { question }),
    columns: {
      reference: positionOf("reference"),
      destination: positionOf("destination"),
      amount: positionOf("amount"),
    },
    headerLine,
    payments: payments.map(({ reference, address, amount }, index) => [
      lines[index] ?? 0,
      reference,
      address,
      amount,
      "BTC",
    ]),
    sheets: [{ name: plan.sheetName ?? "Sheet1", rows }, ...(plan.otherSheets ?? [])],
    ...more,
  };
}

/** In units of a satoshi, so that no digit is lost. */
function sumOf(payments: readonly Pick<Draft, "amount">[]): string {
  const units = payments.reduce(
    (sum, { amount }) => sum + BigInt((amount.split(".")[1] ?? "").padEnd(8, "0")),
    0n,
  );
  const digits = units.toString().padStart(9, "0");
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/0+$/, "");
}

const reference = ({ reference: text }: Draft) => text;
const payee = ({ payee: text }: Draft) => text;
const address = ({ address: text }: Draft) => text;
const amount = ({ amount: text }: Draft) => ({ n: text });
const amountText = ({ amount: text }: Draft) => text;
const inBtc = ({ amount: text }: Draft) => `${text} BTC`;
const withComma = ({ amount: text }: Draft) => text.replace(".", ",");
const day = ({ day: text }: Draft) => ({ d: text });
const btc = () => "BTC";
const note = ({ at }: Draft) => (at % 3 === 0 ? "" : `see offer ${at}`);
const of =
  (...texts: readonly BookCell[]) =>
  (payment: Draft) =>
    texts[payment.at % texts.length] ?? "";
const invoice = (number: number) => `INV-${number}`;
const total =
  (column: string) =>
  (sum: string, first: number, last: number): BookCell => ({
    f: `SUM(${column}${first}:${column}${last})`,
    v: sum,
  });
const notesSheet: BookSheet = {
  name: "Notes",
  rows: [["Wallets were confirmed by phone on 18 November."], ["Questions: accounts payable."]],
};

const PLANS: readonly Plan[] = [
  {
    file: "libreoffice-vendor-run.xlsx",
    maker: "libreoffice",
    about: "a title, due dates and notes, a total by formula, the CFO's line",
    count: 24,
    reference: invoice,
    above: [["Vendor payments, November 2026"], []],
    columns: [
      ["Invoice no", reference, "reference"],
      ["Supplier", payee],
      ["Wallet address", address, "destination"],
      ["Amount (BTC)", amount, "amount"],
      ["Due date", day],
      ["Notes", note],
    ],
    below: (sum, first, last) => [["Total", "", "", total("D")(sum, first, last)], [], ["Approved by: CFO"]],
  },
  {
    file: "libreoffice-payroll.xlsx",
    maker: "libreoffice",
    about: "departments, and a second sheet with notes",
    count: 32,
    reference: (number) => `PAY-${number}`,
    sheetName: "Payroll",
    columns: [
      ["reference", reference, "reference"],
      ["Recipient", payee],
      ["Department", of("Engineering", "Sales")],
      ["destinationAddress", address, "destination"],
      ["amount", amount, "amount"],
      ["currency", btc],
    ],
    otherSheets: [notesSheet],
  },
  {
    file: "libreoffice-refunds-german.csv",
    maker: "libreoffice",
    about: "semicolons and decimal commas, headings in German, Windows-1252",
    count: 20,
    reference: (number) => `RE-${number}`,
    columns: [
      ["Rechnungsnummer", reference, "reference"],
      ["Empfänger", payee],
      ["Bitcoin-Adresse", address, "destination"],
      ["Betrag", amount, "amount"],
      ["Währung", btc],
    ],
    more: { csv: { tokens: "59,34,1,1,,0,false,true,false", language: "de-DE" } },
  },
  {
    file: "libreoffice-affiliates-french.csv",
    maker: "libreoffice",
    about: "headings in French, decimal commas, a total whose label stands in the first column",
    count: 22,
    reference: (number) => `AFF-${number}`,
    columns: [
      ["Référence", reference, "reference"],
      ["Bénéficiaire", payee],
      ["Adresse", address, "destination"],
      ["Montant", amount, "amount"],
    ],
    below: (sum) => [["Total", "", "", { n: sum }]],
    more: { csv: { tokens: "59,34,76,1,,0,false,true,false", language: "fr-FR" } },
  },
  {
    file: "libreoffice-sections-spanish.xlsx",
    maker: "libreoffice",
    about: "sections by country, headings in Spanish",
    count: 21,
    reference: (number) => `FAC-${number}`,
    sheetName: "Pagos",
    columns: [
      ["Referencia", reference, "reference"],
      ["Proveedor", payee],
      ["Dirección", address, "destination"],
      ["Importe", amount, "amount"],
      ["Moneda", btc],
    ],
    between: { 0: [["España"]], 9: [[], ["Portugal"]] },
  },
  {
    file: "libreoffice-blank-lines.xlsx",
    maker: "libreoffice",
    about: "blank lines between the payments, a column of the currency",
    count: 20,
    reference: invoice,
    columns: [
      ["Reference", reference, "reference"],
      ["Payee", payee],
      ["Ccy", btc],
      ["Amount", amount, "amount"],
      ["Address", address, "destination"],
    ],
    between: { 5: [[]], 10: [[], []], 15: [[]] },
  },
  {
    file: "libreoffice-tabs.csv",
    maker: "libreoffice",
    about: "tabs, UTF-16",
    count: 20,
    reference: invoice,
    columns: [
      ["Reference", reference, "reference"],
      ["Payee", payee],
      ["Amount", amountText, "amount"],
      ["Address", address, "destination"],
    ],
    more: { csv: { tokens: "9,34,65535,1,,0,false,true,false", language: "en-US" } },
  },
  {
    file: "libreoffice-extra-columns.xlsx",
    maker: "libreoffice",
    about: "invoice dates, VAT, the value in euros and cost centres beside the amounts in BTC",
    count: 28,
    reference: invoice,
    columns: [
      ["Invoice number", reference, "reference"],
      ["Invoice date", day],
      ["Vendor", payee],
      ["VAT %", () => ({ n: "21" })],
      ["Value EUR", ({ at }) => ({ n: `${100 + (at % 97)}.5` })],
      ["Amount (BTC)", amount, "amount"],
      ["Cost centre", of("DIST-OPS")],
      ["Wallet", address, "destination"],
    ],
  },
  {
    file: "openpyxl-vendor-run.xlsx",
    maker: "openpyxl",
    about: "frozen header, filter and widths",
    count: 40,
    reference: invoice,
    columns: [
      ["reference", reference, "reference"],
      ["payee", payee],
      ["amount", amount, "amount"],
      ["currency", btc],
      ["address", address, "destination"],
    ],
  },
  {
    file: "openpyxl-payroll-200.xlsx",
    maker: "openpyxl",
    about: "two hundred rows",
    count: 200,
    reference: (number) => `2026-11-${number}`,
    sheetName: "November",
    columns: [
      ["Payment reference", reference, "reference"],
      ["Recipient name", payee],
      ["Wallet address", address, "destination"],
      ["Pay amount", amount, "amount"],
    ],
  },
  {
    file: "openpyxl-amounts-with-unit.xlsx",
    maker: "openpyxl",
    about: "amounts typed as 0.05 BTC",
    count: 20,
    reference: (number) => `RF-${number}`,
    columns: [
      ["Reference", reference, "reference"],
      ["Customer", payee],
      ["Amount", inBtc, "amount"],
      ["Address", address, "destination"],
    ],
  },
  {
    file: "openpyxl-bitcoin-sign.xlsx",
    maker: "openpyxl",
    about: "amounts typed with the sign of bitcoin",
    count: 20,
    reference: (number) => `RF-${number}`,
    columns: [
      ["Reference", reference, "reference"],
      ["Customer", payee],
      ["Amount", ({ amount: text }) => `₿${text}`, "amount"],
      ["Address", address, "destination"],
    ],
  },
  {
    file: "openpyxl-references-with-spaces.xlsx",
    maker: "openpyxl",
    about: "references such as INV 2026 001",
    count: 30,
    reference: (number) => `INV 2026 ${String(number % 1000).padStart(3, "0")}`,
    columns: [
      ["Invoice", reference, "reference"],
      ["Supplier", payee],
      ["Amount", amount, "amount"],
      ["Wallet", address, "destination"],
    ],
  },
  {
    file: "openpyxl-summary-sheet.xlsx",
    maker: "openpyxl",
    about: "a second sheet with counts and sums by formula",
    count: 25,
    reference: invoice,
    sheetName: "Payments",
    columns: [
      ["reference", reference, "reference"],
      ["payee", payee],
      ["amount", amount, "amount"],
      ["address", address, "destination"],
    ],
    otherSheets: [
      {
        name: "Summary",
        rows: [
          ["Payments", { n: "25" }],
          ["Prepared by", "Ann"],
          ["Month", "November"],
        ],
      },
    ],
  },
  {
    file: "openpyxl-polish.xlsx",
    maker: "openpyxl",
    about: "headings in Polish, a title",
    count: 20,
    reference: (number) => `FV/${number}/2026`,
    above: [["Przelewy za listopad"]],
    columns: [
      ["Numer faktury", reference, "reference"],
      ["Odbiorca", payee],
      ["Adres portfela", address, "destination"],
      ["Kwota", amount, "amount"],
      ["Waluta", btc],
    ],
  },
  {
    file: "excel-vendor-run.xlsx",
    maker: "excel",
    about: "a title, a table with a filter, frozen panes, defined names, print settings",
    count: 36,
    reference: invoice,
    sheetName: "AP run",
    above: [["Northwind Ltd - accounts payable"], ["Payment run of 30 November 2026"], []],
    columns: [
      ["Invoice no.", reference, "reference"],
      ["Vendor", payee],
      ["Invoice date", day],
      ["Amount (BTC)", amount, "amount"],
      ["Wallet address", address, "destination"],
      ["Notes", note],
    ],
    more: { format: "0.00000000" },
  },
  {
    file: "excel-payroll.xlsx",
    maker: "excel",
    about: "accounts and projects of the ledger, a total by formula",
    count: 45,
    reference: (number) => `SAL-${number}`,
    sheetName: "Payroll",
    columns: [
      ["Reference", reference, "reference"],
      ["Payee", payee],
      ["GL account", of("wages")],
      ["Project", of("PRJ-ALPHA")],
      ["Amount", amount, "amount"],
      ["Address", address, "destination"],
    ],
    below: (sum, first, last) => [["Total", "", "", "", total("E")(sum, first, last)]],
  },
  {
    file: "excel-notes-sheet.xlsx",
    maker: "excel",
    about: "a sheet of notes before the payments",
    count: 20,
    reference: invoice,
    sheetName: "Payouts",
    columns: [
      ["reference", reference, "reference"],
      ["amount", amount, "amount"],
      ["destinationAddress", address, "destination"],
      ["payee", payee],
    ],
    otherSheets: [notesSheet],
  },
  {
    file: "excel-sections-with-subtotals.xlsx",
    maker: "excel",
    about: "two sections, each with its own total",
    count: 20,
    reference: invoice,
    columns: [
      ["Reference", reference, "reference"],
      ["Supplier", payee],
      ["Amount", amount, "amount"],
      ["Address", address, "destination"],
    ],
    between: { 0: [["Spain"]], 8: [["Subtotal", "", { n: "SUBTOTAL" }], ["France"]] },
    below: () => [["Subtotal", "", { n: "SUBTOTAL" }]],
  },
  {
    file: "excel-footer-lines.xlsx",
    maker: "excel",
    about: "lines of the people who prepared and approved it",
    count: 24,
    reference: invoice,
    columns: [
      ["Invoice number", reference, "reference"],
      ["Supplier", payee],
      ["Amount BTC", amount, "amount"],
      ["Bitcoin address", address, "destination"],
    ],
    below: () => [[], ["Prepared by: AP team"], ["Approved by: CFO"]],
  },
  {
    file: "excel-currency-format.xlsx",
    maker: "excel",
    about: "a number format that shows BTC behind the amounts",
    count: 20,
    reference: invoice,
    columns: [
      ["Reference", reference, "reference"],
      ["Payee", payee],
      ["Amount", amount, "amount"],
      ["Address", address, "destination"],
    ],
    more: { format: '0.00000000" BTC"' },
  },
  {
    file: "excel-comment.xlsx",
    maker: "excel",
    about: "a comment at a heading",
    count: 20,
    reference: invoice,
    columns: [
      ["Reference", reference, "reference"],
      ["Payee", payee],
      ["Amount", amount, "amount"],
      ["Address", address, "destination"],
    ],
    question: "the comment is shown with the notes",
    more: { comment: ["C1", "as in the contract"] },
  },
  {
    file: "excel-german.xlsx",
    maker: "excel",
    about: "headings in German, days, a line of the sum",
    count: 30,
    reference: (number) => `RE-2026-${number}`,
    sheetName: "Zahllauf",
    columns: [
      ["Rechnungsnummer", reference, "reference"],
      ["Lieferant", payee],
      ["Fälligkeit", day],
      ["Betrag", amount, "amount"],
      ["Währung", btc],
      ["Wallet-Adresse", address, "destination"],
    ],
    below: (sum, first, last) => [["Summe", "", "", total("D")(sum, first, last)]],
  },
  {
    file: "google-payouts.csv",
    maker: "google-csv",
    about: "names with commas in quotes, no line end at the end",
    count: 26,
    reference: invoice,
    columns: [
      ["Reference", reference, "reference"],
      ["Payee", payee],
      ["Amount", amountText, "amount"],
      ["Currency", btc],
      ["Address", address, "destination"],
    ],
  },
  {
    file: "google-payouts.xlsx",
    maker: "google",
    about: "a workbook as Google exports one",
    count: 26,
    reference: invoice,
    columns: [
      ["Reference", reference, "reference"],
      ["Payee", payee],
      ["Amount", amount, "amount"],
      ["Address", address, "destination"],
      ["Notes", note],
    ],
  },
  {
    file: "google-refunds.csv",
    maker: "google-csv",
    about: "amounts with their unit, a title",
    count: 20,
    reference: (number) => `Order ${number}`,
    above: [["Refunds of week 47", "", "", ""]],
    columns: [
      ["Reference", reference, "reference"],
      ["Customer", payee],
      ["Amount", inBtc, "amount"],
      ["Wallet", address, "destination"],
    ],
  },
  {
    file: "google-affiliates.csv",
    maker: "google-csv",
    about: "a column of ticked boxes, and a total",
    count: 30,
    reference: (number) => `AF${number}`,
    columns: [
      ["Payment ID", reference, "reference"],
      ["Payout amount", amountText, "amount"],
      ["Wallet address", address, "destination"],
      ["Checked", () => "TRUE"],
    ],
    below: (sum) => [["Total", sum, "", ""]],
    question: "whether rows with TRUE under Checked are paid",
  },
  {
    file: "google-blank-lines.csv",
    maker: "google-csv",
    about: "blank lines, and columns without a name at the end",
    count: 20,
    reference: invoice,
    columns: [
      ["Reference", reference, "reference"],
      ["Amount", amountText, "amount"],
      ["Address", address, "destination"],
      ["", () => ""],
      ["", () => ""],
    ],
    between: {
      7: [["", "", "", "", ""]],
      14: [
        ["", "", "", "", ""],
        ["", "", "", "", ""],
      ],
    },
  },
  {
    file: "google-italian.csv",
    maker: "google-csv",
    about: "decimal commas in quotes between commas, headings in Italian",
    count: 20,
    reference: (number) => `FT-${number}`,
    columns: [
      ["Riferimento", reference, "reference"],
      ["Fornitore", payee],
      ["Importo", withComma, "amount"],
      ["Indirizzo", address, "destination"],
    ],
    question: "the decimal comma of a file with commas between its columns",
  },
  {
    file: "google-dutch.xlsx",
    maker: "google",
    about: "headings in Dutch, days",
    count: 22,
    reference: (number) => `F${number}`,
    columns: [
      ["Factuurnummer", reference, "reference"],
      ["Leverancier", payee],
      ["Vervaldatum", day],
      ["Bedrag", amount, "amount"],
      ["Walletadres", address, "destination"],
    ],
  },
];

export const BOOKS: readonly Book[] = PLANS.map(bookOf).map(withSubtotals);

/** Subtotals of the payments since the last one. */
function withSubtotals(book: Book): Book {
  const [first, ...others] = book.sheets;
  if (first === undefined) return book;
  const amounts = new Map(book.payments.map(([line, , , text]) => [line, text]));
  let section: { amount: string }[] = [];
  const rows = first.rows.map((cells, index) => {
    const paid = amounts.get(index + 1);
    if (paid !== undefined) section.push({ amount: paid });
    if (!JSON.stringify(cells).includes("SUBTOTAL")) return cells;
    const sum = sumOf(section);
    section = [];
    return cells.map((each) => (typeof each === "object" && "n" in each ? { n: sum } : each));
  });
  return { ...book, sheets: [{ ...first, rows }, ...others] };
}
