/**
 * Sixty heading rows of payment files as finance teams write them, in eight languages. Of each source only the names of
 * columns are taken: where it is a bank's, the columns of the bank account are replaced by one of the address; where it
 * describes its fields instead of naming them, the names are the usual ones of the language. `isOdd`: a name that no
 * table of synonyms has, over cells that leave no doubt.
 */

/** What stands in a column; rows.ts makes the cells. */
export type Kind =
  | "reference"
  | "counter"
  | "payee"
  | "address"
  | "amount"
  | "currency"
  | "date"
  | "text"
  | "few"
  | "email"
  | "country"
  | "account"
  | "empty";

export interface HeadingRow {
  readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl";
  readonly source: string;
  readonly columns: readonly (readonly [heading: string, kind: Kind])[];
  readonly isOdd?: true;
  /**
   * The reference may be asked for once: its column has a name that also stands over something else. Odd ones may
   * as well.
   */
  readonly asksReference?: true;
  /** Semicolons, and a decimal comma. */
  readonly isContinental?: true;
}

type Columns = HeadingRow["columns"];
type Flag = "odd" | "asks";

/** "Name=kind | Name=kind"; a name may hold anything but these two marks. */
function row(
  language: HeadingRow["language"],
  columns: string,
  source: string,
  ...flags: readonly Flag[]
): HeadingRow {
  return {
    language,
    source,
    columns: columns.split(" | ").map((column) => column.split("=") as unknown as Columns[number]),
    ...(flags.includes("odd") ? { isOdd: true } : {}),
    ...(flags.includes("asks") ? { asksReference: true } : {}),
    ...(language === "en" ? {} : { isContinental: true }),
  };
}

/** A header that stands so in a public repository. */
function published(header: string): string {
  return `published as ${header}`;
}

/** Written by people for themselves: such sheets are not published. */
const OWN = "a company's own sheet";

export const HEADINGS: readonly HeadingRow[] = [
  row(
    "en",
    "Address=address | Tag=empty | Currency=currency | Amount=amount | Note=reference",
    "https://docs.cryptoprocessing.com/mass-payouts/file-format",
    "asks",
  ),
  row(
    "en",
    "Pay Currency=currency | Pay Amount=amount | Pay Network=few | Address=address | Destination Tag=empty | Reference=reference",
    "https://docs.txn.pro/mass-payouts",
  ),
  row(
    "en",
    "Wallet Address=address | Amount=amount | Payment Chain=few | Payment Currency=currency | Reason=reference | Email Address=email | Company Name=payee",
    "https://help.request.finance/en/articles/8669896-how-to-bulk-upload-pay-with-direct-payments",
    "asks",
  ),
  row(
    "en",
    "beneficiary_name=payee | wallet=address | amount=amount | label=few | reference=reference",
    "https://helpcenter.godutch.com/en/articles/675135-how-to-make-batch-payments-using-a-csv-file",
  ),
  row(
    "en",
    "Amount=amount | Reason=few | Reference=reference | CountryCode=country | CurrencyCode=currency | CompanyName=payee | WalletAddress=address",
    "https://support.centtrip.com/faqs/how-do-i-complete-my-one-time-bulk-payment-template",
  ),
  row(
    "en",
    "*ContactName=payee | EmailAddress=email | *InvoiceNumber=reference | *DueDate=date | Description=text | *UnitAmount=amount | *AccountCode=account | Currency=currency | Payout address=address",
    "https://skipentry.com/blog/xero-invoice-import-guide",
    "asks",
  ),
  row(
    "en",
    "Bill No=reference | Vendor=payee | Bill Date=date | Due Date=date | Terms=few | Bill Amount=amount | Currency=currency | Wallet=address",
    "https://support.zed-systems.com/kb/a192/import-customer-invoices-into-xero.aspx",
  ),
  row(
    "en",
    "name=payee | recipientEmail=email | paymentReference=reference | amountCurrency=currency | amount=amount | address=address",
    published(
      "name,recipientEmail,paymentReference,referenceNumber,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency,IBAN",
    ),
  ),
  row("en", "Bill no=reference | Supplier=payee | Where=address | How much=amount", OWN, "odd"),
  row("en", "Ticket=reference | Customer=payee | Send to=address | Refund=amount", OWN, "odd"),
  row(
    "en",
    "PO=reference | Contractor=payee | Coordinates=address | Net of holdback=amount | Coin=currency",
    OWN,
    "odd",
  ),
  row("en", "Run=reference | Affiliate=payee | Drop point=address | Commission=amount", OWN, "odd"),

  row(
    "de",
    "Rechnungsnummer=reference | Kreditor=payee | Empfängeradresse=address | Betrag=amount | Währung=currency | Fälligkeit=date",
    published("Rechnungsnummer;Datum;Subunternehmer;UStID;Baustelle;SteuerRegelung;NettoBetrag;Status"),
  ),
  row(
    "de",
    "Umsatz=amount | WKZ Umsatz=currency | Konto=account | Belegdatum=date | Belegfeld 1=reference | Buchungstext=text | Adresse=address",
    "https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel",
  ),
  row(
    "de",
    "Empfänger=payee | Wallet-Adresse=address | Verwendungszweck=reference | Betrag=amount | Waehrung=currency",
    "http://wiki.konfipay.de/konfipay/formats",
    "asks",
  ),
  row(
    "de",
    "Belegnummer=reference | Zuordnung=few | Lieferant=payee | Betrag in Belegwährung=amount | Belegwährung=currency | Nettofälligkeit=date | Zieladresse=address",
    "https://erpexplorer.com/sap/s4/table/BSEG",
  ),
  row(
    "de",
    "Referenz=reference | Begünstigter=payee | Bitcoin-Adresse=address | Betrag (BTC)=amount | Bemerkung=text",
    "https://convert2fibu.com/hilfecenter/exportspalten-im-ueberblick-buchungsstapel",
  ),
  row("de", "Vorgang=reference | Partner=payee | Wohin=address | Wieviel=amount", OWN, "odd"),
  row("de", "Akte=reference | Mandant=payee | Ziel=address | Auskehrung=amount", OWN, "odd"),
  row("de", "Re-Nr=reference | Firma=payee | Börse=address | Zahlbetrag=amount | Kst=account", OWN, "odd"),

  row(
    "fr",
    "Référence=reference | Bénéficiaire=payee | Adresse bitcoin=address | Montant=amount | Devise=currency | Date de paiement=date",
    "http://help.ebury.com/fr/articles/6085190-fichier-multipaiement",
  ),
  row(
    "fr",
    "No transaction=reference | Nom bénéficiaire=payee | Adresse bénéficiaire=address | Montant paiement=amount | Devise=currency",
    "https://docs.infor.com/ifsm/2022.x/fr-ca/ifsmolh/ifsmpayug/ott1492184446271.html",
  ),
  row(
    "fr",
    "Référence de paiement=reference | Devise=currency | Montant=amount | Date de valeur=date | Adresse du portefeuille=address | Nom=payee",
    "https://success.coupa.com/fr-fr/products/product-documentation/integration-technical-documentation/treasury-csv-format-descriptions-(classic)/account-statement-import-csv-format",
  ),
  row(
    "fr",
    "Numéro de facture=reference | Fournisseur=payee | Échéance=date | Montant à payer=amount | Adresse de paiement=address",
    "http://help.ebury.com/fr/articles/6085190-fichier-multipaiement",
  ),
  row(
    "fr",
    "Matricule=reference | Nom=payee | Compte=address | Montant=amount | Devise=currency",
    published("Matricule;Nom;Banque;Compte;Montant;Devise"),
    "asks",
  ),
  row("fr", "Pièce=reference | Tiers=payee | Vers=address | À régler=amount", OWN, "odd"),
  row("fr", "Dossier=reference | Prestataire=payee | Clé publique=address | Honoraires=amount", OWN, "odd"),

  row(
    "es",
    "Referencia=reference | Beneficiario=payee | Dirección=address | Importe=amount | Moneda=currency | Concepto=text",
    "http://help.ebury.com/es/articles/6085190-fichero-multipagos",
  ),
  row(
    "es",
    "Nº factura=reference | Proveedor=payee | Vencimiento=date | Importe=amount | Divisa=currency | Dirección de la billetera=address",
    "http://help.ebury.com/es/articles/7245761-fichero-multibeneficiarios",
  ),
  row(
    "es",
    "Referencia=reference | Descripción=text | Beneficiario=payee | Importe=amount | Dirección bitcoin=address",
    "https://www.bancanetempresarial.banamex.com.mx/spanishdir/bankhelp/hlp_crearnominapension3.htm",
  ),
  row(
    "es",
    "Número de factura=reference | Nombre del beneficiario=payee | Dirección de destino=address | Monto=amount | Moneda=currency",
    "https://docs.rapyd.net/es/crear-un-archivo-de-desembolso-masivo.html",
  ),
  row("es", "Expediente=reference | Interesado=payee | Destino final=address | Líquido=amount", OWN, "odd"),
  row("es", "Liquidación=reference | Afiliado=payee | Monedero=address | A cobrar=amount", OWN, "odd"),
  row("es", "Folio=reference | A quién=payee | A dónde=address | Cuánto=amount", OWN, "odd"),

  row(
    "it",
    "Causale=reference | Beneficiario=payee | Indirizzo wallet=address | Importo=amount | Valuta=currency",
    "https://help.qonto.com/it/articles/4359550-come-posso-effettuare-un-bonifico-multiplo-utilizzando-un-file-csv",
    "asks",
  ),
  row(
    "it",
    "Riferimento=reference | Ragione sociale=payee | Indirizzo bitcoin=address | Importo=amount | Divisa=currency",
    "https://paperzz.com/doc/5325207/tracciato-per-il-caricamento-di-beneficiari-italia-e-bene...",
  ),
  row(
    "it",
    "Numero fattura=reference | Fornitore=payee | Scadenza=date | Importo da pagare=amount | Indirizzo=address",
    "https://support-it.qonto.com/hc/it/articles/23949961425937-Come-posso-effettuare-un-bonifico-multiplo-utilizzando-un-file-CSV",
  ),
  row(
    "it",
    "Codice beneficiario=account | Nome=payee | Riferimento pagamento=reference | Importo=amount | Indirizzo di destinazione=address",
    "https://it.scribd.com/document/189187816/CBI-BON-001-6-07",
  ),
  row("it", "Pratica=reference | Collaboratore=payee | Dove=address | Netto in busta=amount", OWN, "odd"),
  row("it", "Protocollo=reference | Ditta=payee | Coordinate=address | Spettanza=amount", OWN, "odd"),

  row(
    "pt",
    "Referência=reference | Favorecido=payee | Endereço=address | Valor=amount | Moeda=currency | Data de pagamento=date",
    "https://docs.infor.com/ifsm/2022.x/pt-pt/ifsmolh/ifsmpayug/ukq1491407239674.html",
  ),
  row(
    "pt",
    "Nota fiscal=reference | Fornecedor=payee | Vencimento=date | Valor=amount | Moeda=currency | Carteira=address",
    published("fornecedor;cnpj;nota;parcela;vencimento;valor"),
  ),
  row(
    "pt",
    "Número da fatura=reference | Beneficiário=payee | Endereço da carteira=address | Montante=amount",
    "https://docs.infor.com/ifsm/2024.x/pt-br/ifsmolh/ifsmfinsetupag/cmo1450797908623.html",
  ),
  row(
    "pt",
    "Referência do cliente=reference | Nome do favorecido=payee | Valor do pagamento=amount | Endereço bitcoin=address",
    "https://pt.scribd.com/document/367465313/23-Citibank-remessa600e500-pdf",
  ),
  row("pt", "Processo=reference | Parceiro=payee | Para onde=address | Líquido a receber=amount", OWN, "odd"),
  row("pt", "Guia=reference | Prestador=payee | Destino cripto=address | Honorário=amount", OWN, "odd"),

  row(
    "nl",
    "Kenmerk=reference | Begunstigde=payee | Adres=address | Bedrag=amount | Valuta=currency | Omschrijving=text",
    "https://mqopshivelyky.org/article/verwerken-excel-of-cvs-bestand-naar-een-sepa-xml-betalingsbestand-2",
  ),
  row(
    "nl",
    "Factuurnummer=reference | Leverancier=payee | Vervaldatum=date | Bedrag=amount | Walletadres=address",
    "https://www.incassobatch.nl/csv_info",
  ),
  row(
    "nl",
    "Transactienummer=reference | Naam leverancier=payee | Afgiftedatum=date | Te betalen bedrag=amount | Bitcoinadres=address",
    "https://docs.infor.com/ifsm/2022.x/nl-nl/ifsmolh/ifsmcashug/vzc1529408937733.html",
  ),
  row(
    "nl",
    "Betalingskenmerk=reference | Naam begunstigde=payee | Ontvangstadres=address | Bedrag=amount | Munt=currency",
    "https://mobilefish.com/popupwindow/sepa_xml_help_all.php?help=data&lang=en",
  ),
  row("nl", "Dossiernr=reference | Relatie=payee | Waarheen=address | Uit te keren=amount", OWN, "odd"),
  row("nl", "Bon=reference | Medewerker=payee | Kluis=address | Vergoeding=amount", OWN, "odd"),

  row(
    "pl",
    "Numer faktury=reference | Odbiorca=payee | Adres portfela=address | Kwota=amount | Waluta=currency | Termin płatności=date",
    "https://pomoc.erpxt.pl/dokumentacja/import-przelewow-z-alior-banku/",
  ),
  row(
    "pl",
    "Nr referencyjny=reference | Nazwa odbiorcy=payee | Adres=address | Kwota transakcji=amount | Waluta transakcji=currency",
    "https://pomoc.erpxt.pl/?post_type=ht_kb&p=4958",
  ),
  row(
    "pl",
    "Tytuł przelewu=reference | Nazwa i adres=payee | Kwota=amount | Adres bitcoin=address | Data waluty=date",
    "https://pomoc.erpxt.pl/dokumentacja/import-przelewow-z-pko-bank-polski/",
    "asks",
  ),
  row(
    "pl",
    "Nr faktury=reference | Kontrahent=payee | Kwota do zapłaty=amount | Waluta=currency | Adres odbiorcy=address",
    published("Nr faktury;kontrahent;inwestycja;data;termin płatności;netto;vat;brutto"),
  ),
  row(
    "pl",
    "Faktura=reference | Dostawca=payee | Kwota=amount | Waluta=currency | Portfel=address",
    "https://mksiegowa.pl/www/pl/doc/legacy/ImportCitibank",
  ),
  row(
    "pl",
    "Numer=reference | Kontrahent=payee | Rachunek=address | Kwota=amount | Waluta=currency | Opis=text",
    published("numer;data;termin;brutto;netto;vat;waluta;forma;kontrahent;nip;rachunek;opis"),
    "asks",
  ),
  row("pl", "Sprawa=reference | Komu=payee | Dokąd=address | Ile=amount", OWN, "odd"),
  row("en", "番号=reference | 取引先=payee | 送付先=address | 金額=amount", OWN, "odd"),
];
