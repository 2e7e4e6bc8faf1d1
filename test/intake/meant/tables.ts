/**
 * Files that people mean honestly, and files that would pay wrong money, as headings with what stands below them. Each is
 * made for a month, so that the next one can be sent as well.
 */
import { Decimal } from "../../../src/money/index.ts";
import { addressOf } from "../bitcoin-addresses.ts";

/** What stands below a heading; `name:value` is the same value in each row. */
type Kind = keyof typeof CELLS | `all:${string}`;

export interface Table {
  readonly name: string;
  /** "Invoice=ref | Wallet=address". */
  readonly columns: string;
  readonly delimiter?: ";" | "\t";
  readonly title?: string;
  readonly footer?: string;
  readonly rows?: number;
  /** Of the file; by default the name. */
  readonly fileName?: string;
  /** Lines below the rows, by which the file is wrong; AMOUNT and ADDRESS stand for those of the last row. */
  readonly below?: string;
}

export interface WrongTable extends Table {
  /** What a refusal or a question must be about. */
  readonly about: RegExp;
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
  const text = (0.0113 * (at + 1) * (month === 0 ? 1 : 1 + ((at * 7) % 29) / 100)).toFixed(6);
  return isContinental ? text.replace(".", ",") : text;
}

function day({ at, month }: Row): string {
  return `2027-0${month + 1}-${String(10 + at).padStart(2, "0")}`;
}

const CELLS = {
  ref: ({ at, month }: Row) => `R-${month}${String(at).padStart(3, "0")}`,
  keptRef: ({ at, month }: Row) => `"=""R-${month}${String(at).padStart(3, "0")}"""`,
  tabbedRef: ({ at, month }: Row) => `"\tR-${month}${String(at).padStart(3, "0")}"`,
  count: ({ at }: Row) => `${at + 1}`,
  payee: ({ payee }: Row) => `${NAMES[payee % NAMES.length]} ${"ABCDEFGHIJKLMNOP"[payee % 16]}`,
  address: ({ payee }: Row) => addressOf(payee),
  filledDown: ({ at, payee }: Row) => addressOf(at < 3 ? payee - at : payee),
  amount,
  unitAmount: (row: Row) => `${amount(row)} BTC`,
  signAmount: (row: Row) => `₿${amount(row)}`,
  noise: ({ at }: Row) => ["0.30000000000000004", "0.1", "0.013000000000000001"][at % 3] ?? "",
  euro: ({ at, month }: Row) => `${1000 + at * 37 + month}.50`,
  money: ({ at }: Row) => `${5 + at * 3}.4`,
  whole: ({ at, month }: Row) => `${3 + at * 2 + month}`,
  thousands: ({ at }: Row) => `${at + 1}.${100 + at * 130}`,
  hours: ({ at }: Row) => `${30 + at}.5`,
  tax: ({ at }: Row) => `0.${21 + at * 3}`,
  day,
  past: () => "2026-01-15",
  text: ({ at, month }: Row) => `work ${"abcdefgh"[at]} of ${month}`,
  email: ({ payee }: Row) => `p${payee}@example.com`,
  country: ({ at }: Row) => COUNTRIES[at % COUNTRIES.length] ?? "",
  hold: ({ at }: Row) => (at === 1 ? "ON HOLD" : "ok"),
  slipped: ({ at }: Row) => `${at + 1},${25 + at}`,
} satisfies Record<string, (row: Row) => string>;

/** The file of a month, of payees from `first` on; the second month has one payee more. */
export function textOf(table: Table, month: 0 | 1, first: number): string {
  const { columns, delimiter = ",", title, footer, below, rows = 4 } = table;
  const parts = columns.split(" | ").map((column) => column.split("=") as [string, Kind]);
  const line = (at: number) => {
    const row = { at, month, payee: first + at, isContinental: delimiter === ";" };
    const cells = parts.map(([, kind]) =>
      kind.startsWith("all:") ? kind.slice(4) : (CELLS[kind as keyof typeof CELLS]?.(row) ?? ""),
    );
    return cells.join(delimiter);
  };
  const count = rows + month;
  const last = { at: count, month, payee: first + count - 1, isContinental: false };
  const sum = Array.from({ length: count }, (_, at) => Decimal.of(amount({ ...last, at }))).reduce(
    (total, each) => total.plus(each),
    Decimal.zero,
  );
  return [
    ...(title === undefined ? [] : [title.replace("MONTH", ["January 2027", "February 2027"][month] ?? "")]),
    parts.map(([heading]) => heading).join(delimiter),
    ...Array.from({ length: count }, (_, at) => line(at)),
    ...(below === undefined
      ? []
      : [below.replace("ADDRESS", addressOf(last.payee)).replace("SUM", sum.toString())]),
    ...(footer === undefined ? [] : [footer]),
    "",
  ].join("\n");
}

const V = "Supplier=payee | Wallet=address";

export const HONEST: readonly Table[] = [
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

const wrong = (name: string, columns: string, about: RegExp, more: Partial<Table> = {}): WrongTable => ({
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
];
