/**
 * Files that people mean honestly, and files that would pay wrong money, as headings with what stands below them.
 * Each is made for a month, so that the next one can be sent as well.
 */
import exceljs from "exceljs";
import { Decimal } from "../../../src/money/index.ts";
import { addressOf } from "../bitcoin-addresses.ts";

/** What stands below a heading; `all:value` is the same value in each row. */
type Kind = keyof typeof CELLS | `all:${string}`;

/** How programs write it: plain, Excel on the continent, a database's export, and two workbooks. */
export type Producer = "csv" | "excel csv" | "quoted csv" | "xlsx" | "bordered xlsx";

export interface Table {
  readonly name: string;
  /** "Invoice=ref | Wallet=address". */
  readonly columns: string;
  readonly delimiter?: ";" | "\t";
  readonly title?: string;
  readonly footer?: string;
  readonly rows?: number;
  readonly as?: Producer;
  /** By which the order of the columns is drawn; as listed without it. */
  readonly seed?: number;
  /** The name of a workbook's sheet. */
  readonly sheet?: string;
  /** The number format of a workbook's amounts. */
  readonly numberFormat?: string;
  /** Of the file; by default the name. */
  readonly fileName?: string;
  /** Lines below the rows, by which the file is wrong; SUM and ADDRESS stand for the file's and the last row's. */
  readonly below?: string;
  /** What else a workbook's sheet has. */
  readonly shape?: (sheet: exceljs.Worksheet) => void;
  /** Nothing is asked about, not even once. */
  readonly isUnasked?: true;
}

export interface WrongTable extends Table {
  /** What a refusal or a question must be about. */
  readonly about: RegExp;
  /** A file that was approved before. */
  readonly before?: Table;
}

interface Row {
  readonly at: number;
  readonly month: number;
  readonly payee: number;
  readonly isContinental: boolean;
}

const NAMES = [
  "Ana Sample",
  "Blue Harbour",
  "Cora Vidal",
  "Dan Okoye",
  "Ewa Lis",
  "Farid Nasser",
  "Gus Holm",
];
const COUNTRIES = ["Spain", "Portugal", "Peru", "Norway", "Poland", "Chad", "Chile"];

/** 0.0113 in the first month, and up to 30 % more in the next. */
function amount({ at, month, isContinental }: Row): string {
  const text = (0.0113 * (at + 1) * (month === 0 ? 1 : 1.01 + ((at * 7) % 29) / 100)).toFixed(6);
  return isContinental ? text.replace(".", ",") : text;
}

function day({ at, month }: Row): string {
  return `2027-0${month + 1}-${String(10 + at).padStart(2, "0")}`;
}

/** As programs write 0.1 + 0.2 and the like. */
const NOISE = [
  ["0.30000000000000004", "0.1", "0.013000000000000001"],
  ["0.7999999999999999", "0.2", "0.6000000000000001"],
];

function nameOf(payee: number): string {
  const syllable = (number: number) =>
    `${"bdfgklmnprst"[number % 12]}${"aeiou"[Math.floor(number / 12) % 5]}`;
  return `${NAMES[payee % NAMES.length]} ${syllable(payee)}${syllable(Math.floor(payee / 60))}x`;
}

const CELLS = {
  ref: ({ at, month }: Row) => `R-${month}${String(at).padStart(3, "0")}`,
  keptRef: ({ at, month }: Row) => `"=""R-${month}${String(at).padStart(3, "0")}"""`,
  tabbedRef: ({ at, month }: Row) => `"\tR-${month}${String(at).padStart(3, "0")}"`,
  namedRef: ({ at, month }: Row) => `R-${month}${String(at).padStart(3, "0")} ${"abcdefgh"[at]}bc`,
  dashedVoid: ({ at, month }: Row) => `R-${month}${String(at).padStart(3, "0")}${at === 1 ? "-VOID" : ""}`,
  /** A day, as a spreadsheet program counts it. */
  serial: ({ at }: Row) => `${46_352 + at}`,
  voidedRef: ({ at, month }: Row) => `R-${month}${String(at).padStart(3, "0")}${at === 1 ? " VOID" : ""}`,
  refAfterVoid: ({ at, month }: Row) => `${at === 1 ? "VOID " : ""}R-${month}${String(at).padStart(3, "0")}`,
  shortened: ({ at }: Row) => `1.2345${at}E+15`,
  count: ({ at }: Row) => `${at + 1}`,
  payee: ({ payee }: Row) => nameOf(payee),
  /** As `filledDown` has the address. */
  onePayee: ({ at, payee }: Row) => nameOf(at < 3 ? payee - at : payee),
  markedPayee: ({ payee }: Row) => `\u200f${nameOf(payee)}\u200f`,
  address: ({ payee }: Row) => addressOf(payee),
  filledDown: ({ at, payee }: Row) => addressOf(at < 3 ? payee - at : payee),
  amount,
  unitAmount: (row: Row) => `${amount(row)} BTC`,
  signAmount: (row: Row) => `₿${amount(row)}`,
  noise: ({ at, month }: Row) => NOISE[month]?.[at % 3] ?? "",
  fixed: ({ at }: Row) => `0.02${at}1`,
  euro: ({ at, month }: Row) => `${1000 + at * 37 + month}.50`,
  money: ({ at }: Row) => `${5 + at * 3}.4`,
  whole: ({ at, month }: Row) => `${3 + at * 2 + month}`,
  thousands: ({ at }: Row) => `${at + 1}.${100 + at * 130}`,
  hours: ({ at }: Row) => `${30 + at}.5`,
  tax: ({ at }: Row) => `0.${21 + at * 3}`,
  day,
  monthEnd: ({ month }: Row) => `2027-0${month + 1}-28`,
  past: () => "2026-01-15",
  text: ({ at, month }: Row) => `work ${"abcdefgh"[at]} of ${month}`,
  email: ({ payee }: Row) => `p${payee}@example.com`,
  country: ({ at }: Row) => COUNTRIES[at % COUNTRIES.length] ?? "",
  /** One payee at two addresses. */
  twoAddresses: ({ at, payee }: Row) => addressOf(at === 2 ? payee + 700 : payee),
  twoNames: ({ at, payee }: Row) => nameOf(at === 2 ? payee - 2 : payee),
  /** The second payee moved. */
  moved: ({ at, payee }: Row) => addressOf(at === 1 ? payee + 800 : payee),
  swapped: ({ at, payee }: Row) => addressOf(at === 0 ? payee + 1 : at === 1 ? payee - 1 : payee),
  otherName: ({ at, payee }: Row) => (at === 1 ? "Somebody Else" : nameOf(payee)),
  twelvefold: (row: Row) => amount({ ...row, at: row.at === 1 ? 400 : row.at }),
  fourfold: (row: Row) => amount({ ...row, at: 5 * row.at + 6 }),
  twice: (row: Row) => amount({ ...row, at: 1 }),
  sameAddress: ({ payee, at }: Row) => addressOf(payee - at),
  eurAmount: (row: Row) => `${amount(row)} EUR`,
  satAmount: ({ at }: Row) => `${15_000 + at * 300} sat`,
  account: ({ at }: Row) => (at === 1 ? "savings-btc" : "treasury-btc"),
  fast: ({ at }: Row) => (at === 0 ? "urgent" : ""),
  kind: ({ at }: Row) => ["service", "goods"][at % 2] ?? "",
  hold: ({ at }: Row) => (at === 1 ? "ON HOLD" : "ok"),
  /** Repeats the amount, but for the second row of the second month. */
  approved: (row: Row) => (row.month === 1 && row.at === 1 ? "0" : amount(row)),
  onFile: ({ at, month, payee }: Row) => addressOf(month === 1 && at === 1 ? payee + 900 : payee),
  signedOff: ({ at, month }: Row) => (month === 1 && at === 1 ? "" : "CFO"),
  signedOn: (row: Row) => (row.month === 1 && row.at === 1 ? "" : day(row)),
  rate: ({ month }: Row) => `9${month}123.5`,
  payeeNumber: ({ payee }: Row) => `SH-${payee}`,
  clicks: ({ at }: Row) => `${120 + at * 7}`,
  postal: ({ payee }: Row) => `${payee} High Street`,
  hash: ({ at, payee }: Row) => `${payee}${at}`.padStart(64, "e3b0c44298fc1c149afb"),
  slipped: ({ at }: Row) => `${at + 1},${25 + at}`,
} satisfies Record<string, (row: Row) => string>;

/** A table of texts; the second month has one payee more. */
function cellsOf(table: Table, month: 0 | 1, first: number): readonly (readonly string[])[] {
  const { title, footer, below, rows = 4 } = table;
  const parts = inOrder(
    table.columns.split(" | ").map((column) => column.split("=") as [string, Kind]),
    table.seed ?? 0,
  );
  const isContinental = delimiterOf(table) === ";";
  const cellIn = (kind: Kind, row: Row) =>
    kind.startsWith("all:") ? kind.slice(4) : (CELLS[kind as keyof typeof CELLS]?.(row) ?? "");
  const count = rows + month;
  const last = { at: count, month, payee: first + count - 1, isContinental: false };
  const sum = Array.from({ length: count }, (_, at) => Decimal.of(amount({ ...last, at }))).reduce(
    (total, each) => total.plus(each),
    Decimal.zero,
  );
  const asCells = (line: string) => line.split(delimiterOf(table) === ";" ? /[,;]/ : ",");
  return [
    ...(title === undefined
      ? []
      : [
          asCells(
            title.replace("MONTH", ["January 2027", "February 2027"][month] ?? "").replace("SUM", `${sum}`),
          ),
        ]),
    parts.map(([heading]) => heading),
    ...Array.from({ length: count }, (_, at) =>
      parts.map(([, kind]) => cellIn(kind, { at, month, payee: first + at, isContinental })),
    ),
    ...(below === undefined
      ? []
      : below.split("\n").map((line) => {
          return asCells(line.replace("ADDRESS", addressOf(last.payee)).replace("SUM", sum.toString()));
        })),
    ...(footer === undefined
      ? []
      : [asCells(footer.replace("PRINTED", ["30.01.2027 10:22:45", "27.02.2027 08:13:09"][month] ?? ""))]),
  ];
}

function delimiterOf({ delimiter, as }: Table): string {
  return delimiter ?? (as === "excel csv" ? ";" : ",");
}

/** Drawn by a seed, the same each time. */
function inOrder<Item>(items: readonly Item[], seed: number): readonly Item[] {
  if (seed === 0) return items;
  return items
    .map((item, at) => ({ item, key: ((at + 1) * (seed * 7919 + 31)) % 1_009 }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

export function isWorkbook({ as = "csv" }: Table): boolean {
  return as.endsWith("xlsx");
}

/** The file of a month, of payees from `first` on, whose references begin with `R${first}`. */
export async function fileOf(table: Table, month: 0 | 1, first: number): Promise<Buffer> {
  const cells = cellsOf(table, month, first).map((line) =>
    line.map((text) => text.replaceAll("R-", `R${first}-`)),
  );
  if (isWorkbook(table)) return workbookOf(table, cells);
  const { as = "csv" } = table;
  const quoted = (text: string) => (as === "quoted csv" ? `"${text.replaceAll('"', '""')}"` : text);
  const [end, mark] = as === "excel csv" ? ["\r\n", "\ufeff"] : ["\n", ""];
  const lines = cells.map((line) => line.map(quoted).join(delimiterOf(table)));
  return Buffer.from(`${mark}${lines.join(end)}${end}`);
}

/** Figures are number cells, and days are days. */
async function workbookOf(table: Table, cells: readonly (readonly string[])[]): Promise<Buffer> {
  const workbook = new exceljs.Workbook();
  const sheet = workbook.addWorksheet(table.sheet ?? "Sheet1");
  const side = { style: "thin" } as const;
  for (const line of cells) {
    const row = sheet.addRow(
      line.map((text) => {
        if (/^\d{4}-\d\d-\d\d$/.test(text)) return new Date(text);
        return /^\d+(?:\.\d+)?$/.test(text) ? Number.parseFloat(text) : text;
      }),
    );
    row.eachCell((cell) => {
      if (cell.value instanceof Date) cell.numFmt = "yyyy-mm-dd";
      else if (typeof cell.value === "number") cell.numFmt = table.numberFormat ?? "0.000000";
      if (table.as === "bordered xlsx") cell.border = { top: side, left: side, bottom: side, right: side };
    });
  }
  table.shape?.(sheet);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

const V = "Supplier=payee | Wallet=address";
/** A rule by which the sheet shows some of its cells in this style. */
const ruled = (style: Partial<exceljs.Style>) => (sheet: exceljs.Worksheet) =>
  sheet.addConditionalFormatting({
    ref: "A2:D99",
    rules: [{ type: "expression", formulae: ["$D2>0.03"], priority: 1, style }],
  });

const PLAIN_TABLES: readonly Table[] = [
  { name: "plain", columns: `Invoice=ref | ${V} | Amount (BTC)=amount` },
  {
    name: "own-names",
    columns: "reference=ref | amount=amount | destinationAddress=address | customerId=payee",
  },
  {
    name: "with-coin",
    columns: "Payment ID=ref | Vendor=payee | BTC address=address | Amount=amount | Currency=all:BTC",
  },
  { name: "xbt", columns: "Payment ID=ref | Payee=payee | Send to=address | Amount=amount | Coin=all:XBT" },
  {
    name: "due",
    columns: "Bill No=ref | Payee=payee | Address=address | Payment amount=amount | Due date=day",
  },
  {
    name: "german",
    delimiter: ";",
    columns: "Rechnungsnummer=ref | Lieferant=payee | Zieladresse=address | Betrag (BTC)=amount",
  },
  {
    name: "coin-german",
    delimiter: ";",
    columns: "Belegnummer=ref | Empfänger=payee | Walletadresse=address | Betrag=amount | Währung=all:BTC",
  },
  {
    name: "french",
    delimiter: ";",
    columns: "N° de facture=ref | Fournisseur=payee | Adresse=address | Montant (BTC)=amount",
  },
  {
    name: "spanish",
    delimiter: ";",
    columns: "Factura=ref | Proveedor=payee | Dirección=address | Importe BTC=amount",
  },
  {
    name: "italian",
    delimiter: ";",
    columns: "Fattura=ref | Fornitore=payee | Indirizzo=address | Importo in BTC=amount",
  },
  {
    name: "portuguese",
    delimiter: ";",
    columns: "Fatura=ref | Fornecedor=payee | Endereço=address | Valor (BTC)=amount",
  },
  {
    name: "dutch",
    delimiter: ";",
    columns: "Factuurnummer=ref | Leverancier=payee | Adres=address | Bedrag (BTC)=amount",
  },
  {
    name: "polish",
    delimiter: ";",
    columns: "Numer faktury=ref | Dostawca=payee | Adres portfela=address | Kwota w BTC=amount",
  },
  {
    name: "turkish",
    delimiter: ";",
    columns: "Fatura no=ref | Alıcı=payee | Cüzdan adresi=address | Tutar (BTC)=amount",
  },
  {
    name: "russian",
    delimiter: ";",
    columns: "Номер счёта=ref | Получатель=payee | Адрес=address | Сумма=amount | Валюта=all:BTC",
  },
  { name: "title", title: "Payouts MONTH,,,", columns: `Invoice=ref | ${V} | Amount (BTC)=amount` },
  { name: "total", columns: `Invoice=ref | ${V} | Amount (BTC)=amount`, below: "Total,,,SUM" },
  { name: "kept-texts", columns: `Invoice=keptRef | ${V} | Amount (BTC)=amount` },
  { name: "ends-with-tabs", columns: `Invoice=tabbedRef | ${V} | Amount (BTC)=amount` },
  { name: "noise", columns: `Invoice=ref | ${V} | Amount (BTC)=noise` },
  { name: "euro-beside", columns: `Invoice=ref | ${V} | Amount=amount | Amount EUR=euro` },
  {
    name: "payroll",
    columns: "Payroll ID=ref | Payee=payee | Wallet=address | Gross EUR=euro | Net BTC=amount",
  },
  { name: "pool", columns: "id=ref | worker=payee | payout_address=address | unpaid_balance_btc=amount" },
  { name: "affiliates", columns: "Ref=ref | Beneficiary=payee | Payout address=address | Commission=amount" },
  { name: "bitcoin-column", columns: `Invoice=ref | ${V} | BTC=amount` },
  { name: "pay-on", columns: `Invoice=ref | ${V} | Amount (BTC)=amount | Payment date=day` },
  { name: "approved", columns: `Invoice=ref | ${V} | Amount (BTC)=amount | Status=all:approved` },
  {
    name: "countries",
    rows: 6,
    columns: `Invoice=ref | ${V} | Amount (BTC)=amount | Email=email | Description=text`,
  },
  { name: "counted", columns: `#=count | Invoice=ref | ${V} | Amount (BTC)=amount` },
  { name: "unit-cells", columns: `Invoice=ref | ${V} | Amount=unitAmount` },
  { name: "sign-cells", columns: `Invoice=ref | ${V} | Amount=signAmount` },
  {
    name: "snake-case",
    columns: "invoice_no=ref | payee_name=payee | wallet_address=address | amount_btc=amount",
  },
  { name: "tabs", delimiter: "\t", columns: `Invoice=ref | ${V} | Amount (BTC)=amount` },
  { name: "signed", columns: `Invoice=ref | ${V} | Amount (BTC)=amount`, footer: "Approved by: CFO,,," },
];

/** Tables like one of the plain ones, as other programs write them, with their columns in another order. */
function drawn(name: string, producers: readonly Producer[]): readonly Table[] {
  const { delimiter: _, ...table } = PLAIN_TABLES.find((each) => each.name === name) ?? { name, columns: "" };
  return producers.map((as, at) => ({
    ...table,
    ...{ name: `${name}-${as.replace(" ", "-")}`, as, seed: at + 1, rows: 5 + 3 * at },
  }));
}

export const HONEST: readonly Table[] = [
  ...PLAIN_TABLES,
  { name: "no-references", columns: `${V} | Amount (BTC)=amount` },
  {
    name: "no-references-german",
    as: "excel csv",
    columns: "Empfänger=payee | Adresse=address | Betrag (BTC)=amount",
  },
  {
    name: "no-references-xlsx",
    as: "xlsx",
    columns: "Contractor=payee | Wallet=address | Amount (BTC)=amount",
  },
  { name: "own-account", columns: `Invoice=ref | ${V} | Amount (BTC)=amount | Kasse=account` },
  { name: "pay-from", columns: `Invoice=ref | ${V} | Amount (BTC)=amount | Pay from=account` },
  { name: "whole-coins", columns: `Invoice=ref | ${V} | Amount (BTC)=whole` },
  { name: "title-in-btc", title: "Payouts in BTC MONTH,,,", columns: `Invoice=ref | ${V} | Amount=amount` },
  { name: "many", rows: 25, columns: `Invoice=ref | ${V} | Amount (BTC)=amount | Type=kind` },
  { name: "urgent", rows: 8, columns: `Invoice=ref | ${V} | Amount (BTC)=amount | Country=country` },
  {
    name: "sheet",
    as: "xlsx",
    sheet: "Payouts 2027-01",
    columns: `Invoice=ref | ${V} | Amount (BTC)=amount`,
  },
  {
    name: "format-btc",
    as: "xlsx",
    numberFormat: '0.000000 "BTC"',
    columns: `Invoice=ref | ${V} | Amount=amount`,
  },
  {
    name: "format-sign",
    as: "bordered xlsx",
    numberFormat: "₿ 0.000000",
    columns: `Ref=ref | ${V} | Amount=amount`,
  },
  { name: "days-xlsx", as: "xlsx", columns: `Bill No=ref | ${V} | Amount (BTC)=amount | Due date=day` },
  { name: "xbt-xlsx", as: "bordered xlsx", columns: `Invoice=ref | ${V} | Amount=amount | Coin=all:XBT` },
  {
    name: "swedish",
    as: "excel csv",
    columns: "Faktura=ref | Leverantör=payee | Adress=address | Belopp (BTC)=amount",
  },
  ...drawn("plain", ["quoted csv", "excel csv", "xlsx", "bordered xlsx"]),
  ...drawn("with-coin", ["quoted csv", "xlsx", "bordered xlsx"]),
  ...drawn("french", ["excel csv", "xlsx"]),
  ...drawn("polish", ["bordered xlsx"]),
  ...drawn("payroll", ["quoted csv", "xlsx"]),
  ...drawn("euro-beside", ["bordered xlsx"]),
  ...drawn("countries", ["xlsx"]),
  ...drawn("bitcoin-column", ["quoted csv", "bordered xlsx"]),
  { name: "rate-beside", columns: `Invoice=ref | ${V} | BTC rate=rate | Net BTC=amount` },
  { name: "due-in-full", columns: `Invoice=ref | ${V} | Total=amount | InvoiceAmountDue=amount` },
  {
    name: "numbered-payees",
    columns: "Shareholder No=payeeNumber | Shareholder=payee | Wallet=address | Amount (BTC)=amount",
  },
  { name: "figures-beside", columns: `${V} | Clicks=clicks | Orders=whole | Amount (BTC)=amount` },
  {
    name: "postal-address",
    columns: "Invoice=ref | Supplier=payee | Address=postal | Payment details=address | Amount (BTC)=amount",
  },
  { name: "shop-orders", columns: `Order code=ref | ${V} | Amount (BTC)=amount` },
  {
    name: "printed",
    columns: `Invoice=ref | ${V} | Amount (BTC)=amount`,
    footer: "Printed: PRINTED,,,",
  },
  {
    name: "tabellenblatt",
    as: "xlsx",
    sheet: "Tabellenblatt1",
    columns: `Bill No=ref | ${V} | Amount (BTC)=amount`,
  },
  { name: "same-due", columns: `Invoice=ref | ${V} | Amount (BTC)=amount | Due date=monthEnd` },
  {
    name: "summary-above",
    title: "Reference:,MONTH,Total amount:,SUM",
    columns: `Invoice=ref | ${V} | Amount (BTC)=amount`,
  },
  {
    name: "table-of-numbers",
    title: "Table 1,,,",
    columns: `Invoice=ref | ${V} | Amount (BTC)=amount`,
    isUnasked: true,
  },
  {
    name: "empty-reference",
    columns: "Payee=payee | InvoiceNumber=ref | Reference=all: | Total=amount | BTC Address=address",
    isUnasked: true,
  },
  {
    name: "signed-on",
    columns: `Invoice=ref | ${V} | Amount (BTC)=amount`,
    footer: "Signed by:,J. Doe,Date:,29/01/2027",
  },
  {
    name: "hebrew-names",
    columns: "Invoice=ref | Supplier=markedPayee | Wallet=address | Amount (BTC)=amount",
    isUnasked: true,
  },
  {
    name: "named-references",
    rows: 2,
    columns: `Invoice=namedRef | ${V} | Amount (BTC)=amount`,
    isUnasked: true,
  },
  {
    name: "numbered-staff",
    columns: "Personalnummer=payeeNumber | Name=payee | Walletadresse=address | Betrag (BTC)=amount",
  },
  {
    name: "numbered-suppliers",
    columns: "Lieferantennr.=payeeNumber | Wallet=address | Betrag (BTC)=amount",
  },
  {
    name: "account-of-payee",
    columns: "name=payee | paymentReference=ref | amount=amount | amountCurrency=all:BTC | account=address",
  },
  {
    name: "page-numbers",
    as: "xlsx",
    columns: `Invoice=ref | ${V} | Amount (BTC)=amount`,
    shape: ({ headerFooter }) => {
      headerFooter.oddHeader = '&C&"Times New Roman,Regular"&12&A';
      headerFooter.oddFooter = '&C&"Times New Roman,Regular"&12Page &P';
    },
    isUnasked: true,
  },
  {
    name: "chinese",
    columns: "发票号=ref | 收款人=payee | 钱包地址=address | 付款金额=amount | 币种=all:BTC",
    isUnasked: true,
  },
  {
    name: "arabic",
    columns: "رقم الفاتورة=ref | المورد=payee | عنوان المحفظة=address | المبلغ (BTC)=amount",
    isUnasked: true,
  },
  {
    name: "coloured-by-rule",
    columns: `Invoice=ref | ${V} | Amount (BTC)=amount`,
    as: "xlsx",
    shape: ruled({ font: { color: { argb: "FFC00000" } } }),
    isUnasked: true,
  },
];

const wrong = (name: string, columns: string, about: RegExp, more: Partial<WrongTable> = {}): WrongTable => ({
  name,
  columns,
  about,
  ...more,
});
const under = (heading: string, kind = "money", coin = "") =>
  `Invoice=ref | ${V} | ${heading}=${kind}${coin === "" ? "" : ` | Coin=all:${coin}`}`;

export const WRONG: readonly WrongTable[] = [
  wrong("pesos", under("Amount (COP)"), /COP/),
  wrong("dollars", under("Amount USD", "money", "BTC"), /USD/),
  wrong("lira", under("Tutar (TRY)"), /TRY/),
  wrong("lira-word", under("Tutar TL", "money", "BTC"), /TRY|TL/),
  wrong("reais", under("Valor R$", "money", "BTC"), /R\$/),
  wrong("euro-sign", under("Betrag €", "money", "BTC"), /€/),
  wrong("roubles", under("Сумма (руб.)", "money", "BTC"), /руб/),
  wrong("zloty", under("Kwota zł", "money", "BTC"), /zł/),
  wrong("satoshis", under("Betrag (Satoshi)", "whole"), /Satoshi/),
  wrong("sats-small", under("amount_sats", "whole", "BTC"), /amount_sats/),
  wrong("millibitcoin", under("Amount (millibitcoin)", "money", "BTC"), /millibitcoin/),
  wrong("microbitcoin", under("Amount µBTC", "money", "BTC"), /BTC/),
  wrong("french-thousands", under("Montant en milliers", "money", "BTC"), /milliers/),
  wrong("spanish-thousands", under("Importe (miles)", "money", "BTC"), /miles/),
  wrong("polish-thousands", under("Kwota w tys.", "money", "BTC"), /tys/),
  wrong("russian-thousands", under("Сумма (тыс.)", "money", "BTC"), /тыс/),
  wrong("dutch-factor", under("Bedrag x1000", "money", "BTC"), /x1000/),
  wrong("divided", under("Amount /1000", "money", "BTC"), /1000/),
  wrong("wrapped", under("Amount (WBTC)", "money", "BTC"), /WBTC/),
  wrong("another-coin", under("Amount (ETH)", "money", "BTC"), /ETH/),
  wrong("file-in-dollars", under("Amount", "money", "BTC"), /USD/, { fileName: "payouts usd.csv" }),
  wrong("file-in-millibitcoin", under("Amount", "money", "BTC"), /mBTC/, { fileName: "payouts mBTC.csv" }),
  wrong("title-in-euro", under("Betrag", "money", "BTC"), /EUR/, { title: "Auszahlungen in EUR,,,," }),
  wrong("hours", under("Stunden", "hours"), /Stunden/),
  wrong("tax", under("MwSt", "tax"), /MwSt/),
  wrong("iva", `Factura=ref | Proveedor=payee | Dirección=address | IVA=tax | Neto=whole`, /IVA/),
  wrong("paid-already", under("Bereits gezahlt", "amount"), /Bereits gezahlt/),
  wrong("saldo", under("Saldo", "amount"), /Saldo/),
  wrong("points", under("Points", "whole"), /Points/),
  wrong(
    "old-wallet",
    "Invoice=ref | Supplier=payee | Old wallet=address | Amount (BTC)=amount",
    /Old wallet/,
  ),
  wrong(
    "change",
    "Invoice=ref | Supplier=payee | Change address=address | Amount (BTC)=amount",
    /Change address/,
  ),
  wrong(
    "refund",
    "Facture=ref | Fournisseur=payee | Adresse de retour=address | Montant (BTC)=amount",
    /retour/,
  ),
  wrong("nameless", "Invoice=ref | Supplier=payee | Wallet=address | =amount", /column D|COLUMN|amount/),
  wrong("whole", under("Value", "whole"), /no decimals/),
  wrong("thousands", under("Amount (BTC)", "thousands"), /three digits/),
  wrong("slipped", `Invoice=ref | ${V} | Amount=slipped | Project=none`, /Amount/),
  wrong("past", `Invoice=ref | ${V} | Amount (BTC)=amount | Payment date=past`, /Payment date/),
  wrong("forgotten-address", under("Amount (BTC)", "amount"), /R-0009/, { below: "R-0009,Zed Q,,SUM" }),
  wrong("total-with-address", under("Amount (BTC)", "amount"), /sum of the payments/, {
    below: "TOTAL 1/2027,,ADDRESS,SUM",
  }),
  wrong("filled-down", "Invoice=ref | Person=payee | Wallet=filledDown | Amount (BTC)=amount", /one address/),
  wrong("held", `Invoice=ref | ${V} | Amount (BTC)=amount | Department=hold`, /ON HOLD/),
  wrong("francs", under("Montant (CHF)", "money", "BTC"), /CHF/, { as: "excel csv" }),
  wrong("mexican-pesos", under("Importe MXN", "money", "BTC"), /MXN/, { as: "quoted csv" }),
  wrong("yen", under("金額 (¥)", "money", "BTC"), /¥|JPY/),
  wrong("kurus", under("Tutar (kuruş)", "money", "BTC"), /kuruş/),
  wrong("portuguese-thousands", under("Valor (mil)", "money", "BTC"), /mil/),
  wrong("millions", under("Betrag Mio.", "money", "BTC"), /Mio/, { as: "xlsx" }),
  wrong("euro-cells", under("Amount", "eurAmount", "BTC"), /EUR/),
  wrong("satoshi-cells", under("Amount", "satAmount", "BTC"), /sat/),
  wrong("euro-format", under("Amount", "money", "BTC"), /EUR/, { as: "xlsx", numberFormat: '0.00 "EUR"' }),
  wrong("dollar-format", under("Amount", "money", "BTC"), /\$|USD/, {
    as: "bordered xlsx",
    numberFormat: '"$"0.00',
  }),
  wrong("satoshi-format", under("Amount", "whole", "BTC"), /sat/, { as: "xlsx", numberFormat: '0 "sat"' }),
  wrong("sheet-in-euro", under("Amount", "money", "BTC"), /names EUR/, { as: "xlsx", sheet: "Payroll EUR" }),
  wrong("sheet-in-sats", under("Amount", "money", "BTC"), /another unit/, {
    as: "xlsx",
    sheet: "Payouts (sats)",
  }),
  wrong("title-in-sats", under("Amount", "whole"), /another unit/, { title: "All amounts in sats,,," }),
  wrong("title-in-thousands", under("Amount", "money"), /another unit/, { title: "Payouts in thousands,,," }),
  wrong("overtime", under("Overtime", "hours"), /Overtime/, { as: "xlsx" }),
  wrong("discount", under("Rabatt", "tax"), /Rabatt/, { as: "excel csv" }),
  wrong("exchange-rate", under("Kurs", "hours"), /Kurs/),
  wrong("price", under("Precio unitario", "hours"), /Precio unitario/),
  wrong(
    "return-wallet",
    "Invoice=ref | Supplier=payee | Return wallet=address | Amount (BTC)=amount",
    /Return wallet/,
  ),
  wrong(
    "alte-adresse",
    "Rechnung=ref | Lieferant=payee | Alte Wallet=address | Betrag (BTC)=amount",
    /Alte Wallet/,
  ),
  wrong(
    "own-names-missing",
    "Supplier=payee | Wallet=address | Amount (BTC)=twice",
    /no column holds references/,
  ),
  wrong("nameless-wallet", "Invoice=ref | Supplier=payee | =address | Amount (BTC)=amount", /column C/),
  wrong(
    "account-by-content",
    `Invoice=ref | ${V} | Amount (BTC)=amount | Filiale=account`,
    /Filiale.*paid from/,
  ),
  wrong("urgent-note", `Invoice=ref | ${V} | Amount (BTC)=amount`, /DO NOT PAY/, {
    title: "DO NOT PAY before 1 May,,,",
  }),
  wrong(
    "two-addresses",
    "Invoice=ref | Payee=twoNames | Wallet=twoAddresses | Amount (BTC)=amount",
    /another|belongs to/,
  ),
  wrong("equal-rows", "Invoice=ref | Payee=payee | Wallet=sameAddress | Amount (BTC)=twice", /line 2/),
  wrong(
    "moved",
    "Invoice=ref | Payee=payee | Wallet=moved | Amount (BTC)=amount",
    /known at another address/,
    {
      before: { name: "moved", columns: "Invoice=ref | Payee=payee | Wallet=address | Amount (BTC)=amount" },
    },
  ),
  wrong(
    "swapped",
    "Invoice=ref | Payee=payee | Wallet=swapped | Amount (BTC)=amount",
    /known at another address/,
    {
      before: {
        name: "swapped",
        columns: "Invoice=ref | Payee=payee | Wallet=address | Amount (BTC)=amount",
      },
    },
  ),
  wrong(
    "other-name",
    "Invoice=ref | Payee=otherName | Wallet=address | Amount (BTC)=amount",
    /Somebody Else/,
    {
      before: {
        name: "other-name",
        columns: "Invoice=ref | Payee=payee | Wallet=address | Amount (BTC)=amount",
      },
    },
  ),
  wrong(
    "a-hundredfold",
    "Invoice=ref | Payee=payee | Wallet=address | Amount (BTC)=twelvefold",
    /ten times/,
    {
      before: {
        name: "a-hundredfold",
        columns: "Invoice=ref | Payee=payee | Wallet=address | Amount (BTC)=amount",
      },
    },
  ),
  wrong("sum-of-all", "Invoice=ref | Payee=payee | Wallet=address | Amount (BTC)=fourfold", /three times/, {
    before: {
      name: "sum-of-all",
      columns: "Invoice=ref | Payee=payee | Wallet=address | Amount (BTC)=amount",
    },
  }),
  ...(
    [
      ["approved-less", "Approved=approved", /Approved/],
      ["another-on-file", "Wallet on file=onFile", /Wallet on file/],
      ["nobody-signed", "Approved by=signedOff", /"Approved by" is empty/],
      ["nobody-signed-on", "Approved on=signedOn", /"Approved on" is empty/],
    ] as const
  ).map(([name, more, about]) => {
    const columns = `Invoice=ref | ${V} | Amount (BTC)=amount | ${more}`;
    return wrong(name, columns, about, { before: { name, columns } });
  }),
  wrong(
    "paid-by-hash",
    "Transaction ID=hash | Recipient=payee | Address=address | Amount (BTC)=amount",
    /transaction's hash/,
  ),
  wrong("voided", `Invoice=voidedRef | ${V} | Amount (BTC)=amount`, /R-0001 VOID/),
  wrong("dashed-void", `Invoice=dashedVoid | ${V} | Amount (BTC)=amount`, /R-0001-VOID/),
  wrong("days-as-amounts", `Invoice=ref | ${V} | Amount (BTC)=serial`, /no decimals/),
  wrong("columns-swapped", `Invoice=amount | ${V} | Amount (BTC)=serial`, /no decimals/),
  wrong("second-table", `Invoice=ref | ${V} | Amount (BTC)=amount`, /repeated in line 7/, {
    below: "\nInvoice,Supplier,Wallet,Amount (BTC)\nR-0009,Zed Q,ADDRESS,0.02",
  }),
  wrong("other-sum-above", `Invoice=ref | ${V} | Amount (BTC)=amount`, /9\.99/, {
    title: "Total BTC,,,9.99",
    before: {
      name: "other-sum-above",
      title: "Total BTC,,,SUM",
      columns: `Invoice=ref | ${V} | Amount (BTC)=amount`,
    },
  }),
  wrong("void", `Invoice=refAfterVoid | ${V} | Amount (BTC)=amount`, /VOID R-0001/),
  wrong("shortened", `Invoice=shortened | ${V} | Amount (BTC)=amount`, /shortened/),
  wrong(
    "parts-and-sum",
    "Invoice=ref | Payee=onePayee | Wallet=filledDown | Amount (BTC)=amount",
    /"R-0002" pays the sum of the other payments/,
  ),
  wrong("unquoted-comma", `Invoice=ref | ${V} | Amount (BTC)=amount | Note=text`, /in other columns than/, {
    below: "R-0009,Lee, Bo,ADDRESS,0.02",
  }),
  wrong("nothing-to-pay", `Invoice=ref | ${V} | Total (BTC)=amount | Amount to pay=all:`, /Amount to pay/),
  wrong("struck-by-rule", `Invoice=ref | ${V} | Amount (BTC)=amount`, /strikes out cells/, {
    as: "xlsx",
    shape: ruled({ font: { strike: true } }),
  }),
  wrong("same-again", "Payee=payee | Wallet=address | Amount (BTC)=fixed", /repeats|was made before|same/i, {
    before: { name: "same-again", columns: "Payee=payee | Wallet=address | Amount (BTC)=fixed" },
  }),
];
