/**
 * Makes the sample files: `node samples/make-samples.ts`. Every address and key is derived from the hash of a made-up name,
 * so that nobody holds it.
 */
import { writeFile } from "node:fs/promises";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { stringify } from "csv-stringify/sync";
import exceljs from "exceljs";

type Payout = Readonly<Record<string, string>>;

const OWN_SAVINGS = "6f1cbb7e-0000-4000-8000-000000000002";
const EXTERNAL_PAYEE = "6f1cbb7e-0000-4000-8000-0000000000aa";
const ACCOUNT_PAYEES: Payout = { [OWN_SAVINGS]: "Own savings", [EXTERNAL_PAYEE]: "External payee" };
const TREASURY = "6f1cbb7e-0000-4000-8000-000000000001";

const base58check = createBase58check(sha256);
const hash32 = (name: string) => sha256(utf8ToBytes(`paydrop sample: ${name}`));
const hash20 = (name: string) => ripemd160(hash32(name));
const base58 = (version: number, payload: Uint8Array) => base58check.encode(Uint8Array.of(version, ...payload));
const segwit = (prefix: string, program: Uint8Array) => bech32.encode(prefix, [0, ...bech32.toWords(program)]);

const p2pkh = (name: string) => base58(0x00, hash20(name));
const p2sh = (name: string) => base58(0x05, hash20(name));
const p2wpkh = (name: string) => segwit("bc", hash20(name));
const p2wsh = (name: string) => segwit("bc", hash32(name));
const p2tr = (name: string) => bech32m.encode("bc", [1, ...bech32m.toWords(hash32(name))]);
const privateKey = (name: string) => base58(0x80, Uint8Array.of(...hash32(name), 0x01));
const ADDRESS_KINDS = [p2wpkh, p2pkh, p2sh, p2wsh];

/** Names of all kinds, each paid at one address. */
const PAYEES = [
  "Zoë Okafor",
  "Łukasz Nowak",
  "東京デザイン株式会社",
  "Hosting Hill, Ltd.",
  'Print "Express" & Sons',
  "Ana Sample\nattn: Accounts Payable",
  "Blue Harbour GmbH",
  "Nina Quist",
];
const GIVEN_NAMES = ["Alma", "Bela", "Cyril", "Dora", "Emil", "Faye", "Goran", "Hedda", "Ivo", "Jana", "Kofi", "Lena", "Milo"];
const FAMILY_NAMES = ["Abel", "Brandt", "Costa", "Dubois", "Ferrari", "Greene", "Haas", "Ivanova", "Jansen", "Kaya", "Lindt"];

const folder = new URL(".", import.meta.url);
await writeFile(new URL("payouts.csv", folder), csv(payouts()));
await writeFile(new URL("broken.csv", folder), `${csv(brokenPayouts())}BROKEN-CSV-MALFORMED,treasury-btc,BTC,0,05,${p2wpkh("a comma too many")}${",".repeat(10)}2099-12-31\n`);
await writeWorkbook(new URL("payouts.xlsx", folder));

function csv(rows: readonly Payout[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return stringify([...rows], { header: true, columns });
}

/** Another one for each number: the first ones of all kinds, then people. */
function payeeNumber(index: number): string {
  return PAYEES[index] ?? `${pick(GIVEN_NAMES, index)} ${pick(FAMILY_NAMES, index)}`;
}

/** Forty payouts as an accounting system exports them; row 17 is a plain one. */
function payouts(): Payout[] {
  const amounts = ["0.01250000", "0.004", "0.2", "0.00000546", "0.03141592", "0.0075", "0.15", "0.00999999", "0.02", "0.05"];
  const ledger: [name: string, project: string, distribution: string][] = [
    ["Contractors", "PRJ-ALPHA", ""],
    ["Hosting", "PRJ-BETA", "SHARED"],
    ["Salaries", "", "DIST-OPS"],
    ["Contractors", "", "DIST-OPS"],
    ["Hosting", "", ""],
  ];
  const fees: Payout[] = [
    { feePolicy: "NORMAL" },
    { feePolicy: "SLOW", batchingAllowed: "true" },
    { feePolicy: "FAST", subtractFee: "true" },
    { feePolicy: "CUSTOM", customFeeRate: "12" },
    {},
    { feePolicy: "NORMAL", subtractFee: "false", useCoinConsolidation: "true" },
  ];
  const destinations: Readonly<Record<number, string>> = { 12: OWN_SAVINGS, 24: EXTERNAL_PAYEE, 36: EXTERNAL_PAYEE };
  return Array.from({ length: 40 }, (_, index) => {
    const number = index + 1;
    const plain = number === 17;
    const reference = `PAY-2026-${String(number).padStart(4, "0")}`;
    const [name, project, distribution] = pick(ledger, plain ? 0 : index);
    const account = destinations[number] ?? "";
    const fee = plain ? { feePolicy: "NORMAL" } : pick(fees, index);
    return {
      reference,
      accountId: "treasury-btc",
      currency: "BTC",
      amount: plain ? "0.02" : pick(amounts, index),
      destinationAddress: account === "" ? pick(ADDRESS_KINDS, index)(reference) : "",
      destinationAccountId: account,
      customerId: ACCOUNT_PAYEES[account] ?? payeeNumber(index),
      feePolicy: fee["feePolicy"] ?? "",
      customFeeRate: fee["customFeeRate"] ?? "",
      subtractFee: fee["subtractFee"] ?? "",
      verifyBalance: number % 4 === 0 ? "true" : "",
      useCoinConsolidation: fee["useCoinConsolidation"] ?? "",
      batchingAllowed: fee["batchingAllowed"] ?? "",
      orderCodeName: "",
      generalLedgerName: number === 33 ? "misc" : name,
      generalLedgerProject: project,
      generalLedgerDistribution: distribution,
    };
  });
}

/** One row per kind of mistake, named by its reference, between good ones. */
function brokenPayouts(): Payout[] {
  const broken = (reference: string, mistake: Payout): Payout => ({ ...good(`BROKEN-${reference}`), ...mistake });
  const lookAlike = p2pkh("look-alike").replace(/[aceopxy]/, "\u0441");
  return [
    good("GOOD-0001"),
    broken("VALUE-MISSING", { amount: "" }),
    broken("VALUE-MALFORMED-too-long", { generalLedgerProject: "PRJ-".padEnd(300, "X") }),
    broken("VALUE-MALFORMED-invisible", { customerId: "Blue\u200bHarbour" }),
    broken("VALUE-IS-SECRET", { customerId: privateKey("pasted into a name") }),
    broken("CELL-IS-ERROR", { amount: "#REF!" }),
    broken("AMOUNT-UNREADABLE", { amount: "0.05 each" }),
    broken("AMOUNT-FORMAT-DIFFERS-thousands", { amount: "1,234" }),
    broken("AMOUNT-FORMAT-DIFFERS-comma", { amount: "0,05" }),
    broken("AMOUNT-HAS-EXPONENT", { amount: "1.25E-02" }),
    broken("AMOUNT-NOT-POSITIVE", { amount: "-0.05" }),
    broken("AMOUNT-TOO-PRECISE", { amount: "0.123456789" }),
    broken("AMOUNT-OVER-LIMIT", { amount: "5000" }),
    broken("CURRENCY-UNKNOWN", { currency: "XYZ" }),
    broken("CURRENCY-DIFFERS", { currency: "LTC" }),
    broken("CUSTODY-ACCOUNT-UNKNOWN", { accountId: "petty-cash" }),
    broken("CONTROL-TOTAL-DIFFERS", { destinationAddress: "" }),
    broken("DESTINATION-TWICE", { destinationAccountId: EXTERNAL_PAYEE }),
    broken("DESTINATION-IS-SOURCE", { destinationAddress: "", destinationAccountId: TREASURY }),
    broken("ADDRESS-MALFORMED", { destinationAddress: swappedEnd(p2wpkh("mistyped")) }),
    broken("ADDRESS-MALFORMED-look-alike", { destinationAddress: lookAlike }),
    broken("ADDRESS-WRONG-NETWORK", { destinationAddress: segwit("tb", hash20("test network")) }),
    broken("ADDRESS-TYPE-UNSUPPORTED", { destinationAddress: p2tr("taproot") }),
    broken("ADDRESS-IS-SECRET", { destinationAddress: privateKey("pasted as an address") }),
    broken("VALUE-MALFORMED-uuid", { destinationAddress: "", destinationAccountId: "6f1cbb7e-0000-4000" }),
    broken("VALUE-MALFORMED-url", { callbackUrl: "pay.example.com/hook" }),
    broken("URL-NOT-PLAIN-credentials", { callbackUrl: "https://user:secret@pay.example.com/hook" }),
    broken("URL-NOT-PLAIN-query", { callbackUrl: "https://pay.example.com/hook?from=paydrop" }),
    broken("VALUE-MALFORMED-choice", { feePolicy: "CHEAP" }),
    broken("VALUE-MALFORMED-boolean", { subtractFee: "maybe" }),
    broken("VALUE-MALFORMED-integer", { feePolicy: "CUSTOM", customFeeRate: "12.5" }),
    broken("VALUE-MALFORMED-date", { payOn: "next Friday" }),
    broken("DATE-AMBIGUOUS", { payOn: "03/04/2027" }),
    broken("CUSTOM-FEE-RATE-UNFIT-missing", { feePolicy: "CUSTOM" }),
    broken("CUSTOM-FEE-RATE-UNFIT-unused", { feePolicy: "FAST", customFeeRate: "12" }),
    good("GOOD-0002"),
    good("BROKEN-REFERENCE-REPEATED"),
    good("BROKEN-REFERENCE-REPEATED"),
    good("BROKEN-REFERENCE-MALFORMED  two spaces"),
    good("GOOD-0003"),
  ];
}

function good(reference: string): Payout {
  return {
    reference,
    accountId: "treasury-btc",
    currency: "BTC",
    amount: "0.05",
    destinationAddress: p2wpkh(reference),
    destinationAccountId: "",
    customerId: "Harbour Hotels",
    callbackUrl: "",
    feePolicy: "NORMAL",
    customFeeRate: "",
    subtractFee: "",
    generalLedgerName: "Contractors",
    generalLedgerProject: "PRJ-ALPHA",
    generalLedgerDistribution: "",
    payOn: "",
  };
}

/** The last two characters exchanged: what a hand-typed address looks like. */
function swappedEnd(address: string): string {
  return address.slice(0, -2) + address.slice(-1) + address.slice(-2, -1);
}

/** Twenty payouts as a person keeps them in a spreadsheet program. */
async function writeWorkbook(file: URL): Promise<void> {
  const workbook = new exceljs.Workbook();
  workbook.creator = "Accounting";
  workbook.created = new Date("2026-11-20T08:00:00Z");
  workbook.modified = workbook.created;
  const sheet = workbook.addWorksheet("Payouts", { views: [{ state: "frozen", ySplit: 3 }] });
  sheet.getCell("A1").value = "Payout list, second half of November 2026";
  sheet.getCell("A1").font = { bold: true, size: 14 };
  const headers = [
    "Payment reference",
    "Invoice date",
    "Payee",
    "Address",
    "Destination account",
    "Currency",
    "Amount",
    "Custody account",
    "Fee level",
    "Fee rate",
    "Payee pays fee",
    "GL account",
    "Project",
    "Distribution",
    "Pay on",
    "Cost approver",
  ];
  const widths = [20, 13, 26, 46, 38, 10, 14, 18, 11, 10, 15, 16, 13, 13, 13, 18];
  sheet.getRow(3).values = headers;
  sheet.getRow(3).font = { bold: true };
  sheet.getRow(3).fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FFDDE8F0" } };
  for (const [index, width] of widths.entries()) sheet.getColumn(index + 1).width = width;

  for (let number = 1; number <= 20; number++) {
    const row = sheet.getRow(number + 3);
    row.values = workbookPayout(number, number + 3);
    row.getCell(2).numFmt = "yyyy-mm-dd";
    row.getCell(7).numFmt = number % 3 === 0 ? "@" : "0.00000000";
    row.getCell(15).numFmt = "yyyy-mm-dd";
  }

  const notes = workbook.addWorksheet("Notes");
  notes.getColumn(1).width = 80;
  notes.addRow(["Rows with a date under Pay on wait until that day."]);
  notes.addRow(["Questions: the cost approver named in the last column."]);
  await workbook.xlsx.writeFile(file.pathname);
}

function workbookPayout(number: number, line: number): exceljs.CellValue[] {
  const reference = `PAY-2026-01${String(number).padStart(2, "0")}`;
  const toAccount = number === 10;
  return [
    reference,
    new Date(Date.UTC(2026, 10, number)),
    toAccount ? "External payee" : payeeNumber(40 + number),
    toAccount ? null : pick(ADDRESS_KINDS, number)(reference),
    toAccount ? EXTERNAL_PAYEE : null,
    "BTC",
    workbookAmount(number, line),
    "treasury-btc",
    number === 7 ? "CUSTOM" : pick(["Normal", "Slow", "Fast"], number),
    number === 7 ? 9 : null,
    number % 5 === 0,
    pick(["Contractors", "Hosting", "Salaries"], number),
    number % 3 === 0 ? "PRJ-ALPHA" : null,
    number % 4 === 0 ? "DIST-OPS" : null,
    payOn(number),
    pick(["M. Duarte", "K. Lindqvist"], number),
  ];
}

/** Number cells, text cells, and one formula with its saved result. */
function workbookAmount(number: number, line: number): exceljs.CellValue {
  if (number === 14) return { formula: `ROUND(G${line - 1}*2,8)`, result: 0.026 };
  const amount = `0.${String(number * 100_000).padStart(8, "0")}`;
  return number % 3 === 0 ? amount : Number(number * 100_000) / 100_000_000;
}

function payOn(number: number): Date | null {
  if (number === 5 || number === 18) return new Date(Date.UTC(2099, 11, 31));
  return number === 9 ? new Date(Date.UTC(2026, 0, 15)) : null;
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError("nothing to pick from");
  return item;
}
