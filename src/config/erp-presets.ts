/**
 * The journal import formats of ERPs. docs/ledger-files.md gives the source of each format and what to watch for; a
 * company with other templates overrides `columns` or defines its own.
 */
import type { LedgerColumn, LedgerTable } from "../model/ledger-table.ts";

export interface ErpPreset extends Omit<LedgerTable, "name"> {
  /**
   * Settings of a company: undefined if it must provide one, otherwise the default value, which may contain fields
   * in braces.
   */
  readonly settings: Readonly<Record<string, string | undefined>>;
}

type Options = Omit<LedgerColumn, "header" | "value">;

/** Marks texts whose digits a spreadsheet program must leave alone. */
const KEPT: Options = { staysText: true };

const column = (header: string, value: string, options: Options = {}): LedgerColumn => ({
  header,
  value,
  ...options,
});
/** A value only on an entry's first line; empty on the others. */
const once = (header: string, value: string, options: Options = {}) =>
  column(header, value, { ...options, next: "" });

const CSV = { extension: "csv", delimiter: ",", decimalMark: ".", encoding: "utf-8" } as const;
const AMERICAN = "mm/dd/yyyy";
const ISO = "yyyy-mm-dd";

/** The form for accountants: the same columns as text for any spreadsheet program, and as a workbook. */
const READABLE: readonly LedgerColumn[] = [
  column("Document", "{documentNumber}", KEPT),
  column("Booking date", "{bookDay}"),
  column("Document date", "{documentDay}"),
  column("Account", "{accountCode}", KEPT),
  column("Account name", "{accountName}", KEPT),
  column("Debit", "{debit}"),
  column("Credit", "{credit}"),
  column("Currency", "{currency}"),
  column("Quantity", "{quantity}"),
  column("Quantity currency", "{quantityCurrency}"),
  column("Rate", "{rate}"),
  column("Party", "{party}", KEPT),
  column("Project", "{project}", KEPT),
  column("Distribution", "{distribution}", KEPT),
  column("Text", "{memo}", KEPT),
  column("Reference", "{reference}", KEPT),
  column("Kind", "{entryKind}"),
  column("Reverses", "{reversalOf}", KEPT),
  column("Transaction", "{txHash}", KEPT),
  column("Source", "{sourceId}", KEPT),
  column("Entry", "{entryId}", KEPT),
  column("Dimensions", "{allDimensions}", KEPT),
];

/** The columns of DATEV's "Buchungsstapel", version 13, that Paydrop fills. */
const DATEV_FILLED: Readonly<Record<string, LedgerColumn>> = {
  "Umsatz (ohne Soll/Haben-Kz)": column("", "{unsigned}", { form: "\\d{1,10},\\d{2}" }),
  "Soll/Haben-Kennzeichen": column("", "{side}", { isQuoted: true }),
  "WKZ Umsatz": column("", "{currency}", { isQuoted: true }),
  Konto: column("", "{accountCode}", { form: "\\d{1,9}" }),
  "Gegenkonto (ohne BU-Schlüssel)": column("", "{counterCode}", { form: "\\d{1,9}" }),
  Belegdatum: column("", "{bookDay}"),
  "Belegfeld 1": column("", "{documentNumber}", {
    isQuoted: true,
    lengthMax: 36,
    characters: "A-Za-z0-9$&%*+/\\-",
  }),
  Buchungstext: column("", "{documentNumber} {memo}", { isQuoted: true, lengthMax: 60 }),
  "KOST1 - Kostenstelle": column("", "{dimension.costCenter|distribution}", {
    isQuoted: true,
    lengthMax: 36,
  }),
  "KOST2 - Kostenstelle": column("", "{dimension.costObject|project}", { isQuoted: true, lengthMax: 36 }),
  "Zusatzinformation - Art 1": column("", "Paydrop", { isQuoted: true }),
  "Zusatzinformation - Inhalt 1": column("", "{sourceId}", { isQuoted: true, lengthMax: 210 }),
  "Zusatzinformation - Art 2": column("", "Transaktion", { isQuoted: true, when: "txHash" }),
  "Zusatzinformation - Inhalt 2": column("", "{txHash}", { isQuoted: true, lengthMax: 210 }),
  Festschreibung: column("", "0"),
};

const pairsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name} - Art ${at + 1};${name} - Inhalt ${at + 1}`).join(";");

/** The header of the file; its lines are only for the reader of this one. */
const DATEV_HEADERS = `
Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto;
Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;
Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;Beleglink;${pairsOf("Beleginfo", 8)};
KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung);
Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;
BU 49 Funktionsergänzung;${pairsOf("Zusatzinformation", 20)};Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;
Zugeordnete Fälligkeit;Skontotyp;Auftragsnummer;Buchungstyp;USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen);
Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);Herkunft-Kz;Buchungs GUID;
KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer;Identifikationsnummer;
Zeichnernummer;Postensperre bis;Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;
Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz;
BVV-Position;EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto`
  .replaceAll("\n", "")
  .split(";");

const presets = {
  /** Opens right in Excel: with a byte order mark, and no digit of a code or a hash lost. */
  csv: { ...CSV, encoding: "utf-8-bom", days: ISO, settings: {}, columns: READABLE },
  xlsx: {
    ...CSV,
    kind: "workbook",
    extension: "xlsx",
    days: ISO,
    settings: {},
    // A workbook keeps texts as texts.
    columns: READABLE.map(({ staysText: _staysText, ...plain }) => plain),
  },
  beancount: { ...CSV, kind: "beancount", extension: "beancount", days: ISO, settings: {}, columns: [] },
  /**
   * A row books an account against another; the year of a day is in the first line only, so that each month is
   * a file. The account's digits must be as many as the first line says.
   */
  datev: {
    ...CSV,
    delimiter: ";",
    decimalMark: ",",
    encoding: "windows-1252",
    days: "ddmm",
    rows: "pairs",
    filePer: "month",
    sides: { debit: "S", credit: "H" },
    settings: {
      consultant: undefined,
      client: undefined,
      accountDigits: "4",
      label: "Paydrop {exportNumber}",
    },
    before: [
      '"EXTF";700;21;"Buchungsstapel";13;{createdAt};;"RE";"Paydrop";"";{consultant};{client};{fiscalYearDay};' +
        '{accountDigits};{firstDay};{lastDay};"{label}";"";1;0;0;"{currency}";;"";;;"";;;"";""',
    ],
    columns: DATEV_HEADERS.map((header) => ({ ...(DATEV_FILLED[header] ?? column(header, "")), header })),
  },
  /** Xero makes one journal of each narration and date, so the narration ends in the document number. */
  xero: {
    ...CSV,
    days: "dd/mm/yyyy",
    linesMax: 300,
    settings: { taxRate: undefined, trackingName: "Project", trackingName2: "Distribution" },
    columns: [
      column("*Narration", "{narration} {documentNumber}"),
      column("*Date", "{bookDay}"),
      column("Description", "{memo}"),
      column("*AccountCode", "{accountCode}"),
      column("*TaxRate", "{taxRate}"),
      column("*Amount", "{amount}"),
      column("TrackingName1", "{trackingName}", { when: "dimension.tracking1|project" }),
      column("TrackingOption1", "{dimension.tracking1|project}"),
      column("TrackingName2", "{trackingName2}", { when: "dimension.tracking2|distribution" }),
      column("TrackingOption2", "{dimension.tracking2|distribution}"),
    ],
  },
  "quickbooks-online": {
    ...CSV,
    days: AMERICAN,
    linesMax: 1000,
    settings: {},
    columns: [
      column("JournalNo", "{documentNumber}", { lengthMax: 21 }),
      column("JournalDate", "{bookDay}"),
      column("AccountName", "{accountName}"),
      column("Debits", "{debit}"),
      column("Credits", "{credit}"),
      column("Description", "{memo}"),
      column("Name", "{party}"),
      column("Currency", "{currency}"),
      column("Location", "{dimension.location|distribution}"),
      column("Class", "{dimension.class|project}"),
    ],
  },
  /** It has no second dimension: the distribution is in the memo. */
  "quickbooks-desktop": {
    extension: "iif",
    delimiter: "\t",
    encoding: "windows-1252",
    decimalMark: ".",
    days: AMERICAN,
    settings: {},
    keywords: { first: "TRNS", next: "SPL", end: "ENDTRNS" },
    columns: [
      column("TRNSTYPE", "GENERAL JOURNAL"),
      column("DATE", "{bookDay}"),
      column("ACCNT", "{accountName}"),
      column("NAME", "{party}"),
      column("CLASS", "{dimension.class|project}"),
      column("AMOUNT", "{amount}"),
      column("DOCNUM", "{documentNumber}"),
      column("MEMO", "{memo} {distribution}"),
    ],
  },
  /** The external id is unique for ever, so that a repeated import books nothing twice. */
  netsuite: {
    ...CSV,
    days: AMERICAN,
    settings: { subsidiary: "", currencyName: "{currency}" },
    columns: [
      column("External ID", "{entryId}"),
      column("Date", "{bookDay}"),
      column("Subsidiary", "{subsidiary}"),
      column("Currency", "{currencyName}"),
      column("Exchange Rate", "1"),
      column("Memo", "{narration}"),
      column("Journal Entry - Line: Account", "{accountCode}"),
      column("Journal Entry - Line: Debit", "{debit}", { form: "\\d{1,10}(?:\\.\\d{1,2})?" }),
      column("Journal Entry - Line: Credit", "{credit}", { form: "\\d{1,10}(?:\\.\\d{1,2})?" }),
      column("Journal Entry - Line: Memo", "{memo}"),
      column("Journal Entry - Line: Name", "{party}"),
      column("Journal Entry - Line: Department", "{dimension.department|distribution}"),
      column("Journal Entry - Line: Class", "{dimension.class|project}"),
      column("Journal Entry - Line: Location", "{dimension.location}"),
    ],
  },
  /**
   * Re-importing an external id updates its entry. The chart's project and distribution must be database ids of
   * analytic accounts in two plans. Without a byte order mark Odoo guesses the encoding, often wrongly.
   */
  odoo: {
    ...CSV,
    encoding: "utf-8-bom",
    days: ISO,
    settings: { journal: undefined },
    columns: [
      once("id", "paydrop_{externalId}"),
      once("journal_id", "{journal}"),
      once("date", "{bookDay}"),
      once("ref", "{documentNumber} {reference}"),
      column("line_ids/account_id", "{accountCode}"),
      column("line_ids/partner_id", "{party}"),
      column("line_ids/name", "{memo}"),
      column("line_ids/debit", "{debit}"),
      column("line_ids/credit", "{credit}"),
      column("line_ids/currency_id", "{currency}"),
      column("line_ids/amount_currency", "{amount}"),
      column("line_ids/analytic_distribution", "{analyticDistribution}", {
        form: '\\{"\\d+":100(?:,"\\d+":100)*\\}',
      }),
    ],
  },
  erpnext: {
    ...CSV,
    days: ISO,
    settings: { company: undefined, series: "ACC-JV-.YYYY.-", costCenter: "" },
    columns: [
      once("Entry Type", "Journal Entry"),
      once("Series", "{series}"),
      once("Company", "{company}"),
      once("Posting Date", "{bookDay}"),
      once("Reference Number", "{documentNumber}"),
      once("Reference Date", "{documentDay}"),
      once("User Remark", "{narration}"),
      column("Account (Accounting Entries)", "{accountName}"),
      column("Party Type (Accounting Entries)", "{partyType}"),
      column("Party (Accounting Entries)", "{party}"),
      column("Debit (Accounting Entries)", "{debit}"),
      column("Credit (Accounting Entries)", "{credit}"),
      column("Cost Center (Accounting Entries)", "{dimension.costCenter|distribution}", {
        when: "dimension.costCenter|distribution",
        otherwise: "{costCenter}",
      }),
      column("Project (Accounting Entries)", "{project}"),
      column("User Remark (Accounting Entries)", "{memo}"),
    ],
  },
  "sage-intacct": {
    ...CSV,
    days: AMERICAN,
    settings: { journal: "GJ", location: "", department: "" },
    columns: [
      once("DONOTIMPORT", ""),
      once("JOURNAL", "{journal}"),
      once("DATE", "{bookDay}"),
      once("DESCRIPTION", "{documentNumber} {reference}", { lengthMax: 30 }),
      once("REFERENCE_NO", "{documentNumber}"),
      column("LINE_NO", "{lineNumber}"),
      column("ACCT_NO", "{accountCode}"),
      column("LOCATION_ID", "{dimension.location}", { when: "dimension.location", otherwise: "{location}" }),
      column("DEPT_ID", "{dimension.department}", {
        when: "dimension.department",
        otherwise: "{department}",
      }),
      column("DOCUMENT", "{reference}", { lengthMax: 30 }),
      column("MEMO", "{memo}"),
      column("DEBIT", "{debit}"),
      column("CREDIT", "{credit}"),
      column("CURRENCY", "{currency}"),
      column("GLENTRY_PROJECTID", "{project}"),
      column("GLENTRY_CLASSID", "{dimension.class|distribution}"),
    ],
  },
  /** A job is its only dimension: the distribution is in the description. */
  "sage-50-us": {
    ...CSV,
    encoding: "windows-1252",
    days: "mm/dd/yy",
    settings: {},
    columns: [
      column("Date", "{bookDay}"),
      column("Reference", "{documentNumber}", { lengthMax: 20 }),
      column("Date Cleared in Bank Rec", ""),
      column("Number of Distributions", "{lineCount}"),
      column("G/L Account", "{accountCode}", { lengthMax: 15 }),
      column("Description", "{memo} {distribution}", { lengthMax: 160 }),
      column("Amount", "{amount}"),
      column("Job ID", "{project}", { lengthMax: 20 }),
    ],
  },
  /** Each company chooses which dimensions follow an account, and in which order. */
  "dynamics-365-finance": {
    ...CSV,
    days: ISO,
    linesMax: 10_000,
    settings: {
      journalBatch: "PAYDROP",
      journal: undefined,
      dimensions: "-{project}-{distribution}",
      journalDescription: "Paydrop {exportNumber}",
    },
    columns: [
      column("JOURNALBATCHNUMBER", "{journalBatch}"),
      column("LINENUMBER", "{fileLine}"),
      column("JOURNALNAME", "{journal}"),
      column("ACCOUNTTYPE", "Ledger"),
      column("ACCOUNTDISPLAYVALUE", "{accountCode}{dimensions}"),
      column("TRANSDATE", "{bookDay}"),
      column("VOUCHER", "{documentNumber}", { lengthMax: 20 }),
      column("CURRENCYCODE", "{currency}"),
      column("DEBITAMOUNT", "{debit}"),
      column("CREDITAMOUNT", "{credit}"),
      // A field of the journal's header, so it is the same in all lines.
      column("DESCRIPTION", "{journalDescription}", { lengthMax: 60 }),
      column("TEXT", "{memo}", { lengthMax: 60 }),
      column("FINTAGDISPLAYVALUE", "{sourceId}"),
    ],
  },
  "business-central": {
    ...CSV,
    days: ISO,
    settings: {
      template: "GENERAL",
      batch: "PAYDROP",
      dimension1: "{project}",
      dimension2: "{distribution}",
    },
    columns: [
      column("Journal Template Name", "{template}", { lengthMax: 10 }),
      column("Journal Batch Name", "{batch}", { lengthMax: 10 }),
      column("Line No.", "{fileLine}0000"),
      column("Posting Date", "{bookDay}"),
      column("Document No.", "{documentNumber}", { lengthMax: 20 }),
      column("External Document No.", "{reference}", { lengthMax: 35 }),
      column("Account Type", "G/L Account"),
      column("Account No.", "{accountCode}", { lengthMax: 20 }),
      column("Description", "{memo}", { lengthMax: 100 }),
      column("Debit Amount", "{debit}"),
      column("Credit Amount", "{credit}"),
      // A job would need a task and a quantity as well.
      column("Shortcut Dimension 1 Code", "{dimension1}", { lengthMax: 20 }),
      column("Shortcut Dimension 2 Code", "{dimension2}", { lengthMax: 20 }),
    ],
  },
} as const satisfies Record<string, ErpPreset>;

export const erpPresets: Readonly<Record<ErpPresetName, ErpPreset>> = presets;

type ErpPresetName = keyof typeof presets;

export const erpPresetNames = Object.keys(presets) as [ErpPresetName, ...ErpPresetName[]];
