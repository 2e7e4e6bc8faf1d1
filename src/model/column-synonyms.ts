/**
 * What finance teams call the columns of a payout file, in the languages in which they write it: data for recognising
 * columns. Words are compared without case, accents, spaces and punctuation.
 */
import type { ColumnName } from "./columns.ts";
import { phrases } from "./words.ts";

const lists: Partial<Record<ColumnName, string>> = {
  reference: `
    payment id, payment no, payment number, reference no, reference number, our ref, invoice id, payment reference,
    payment ref, payout reference, payout id, our reference, ref, ref no, invoice, invoice number, invoice no, inv no,
    invoice ref, invoice reference, bill, bill no, bill number, voucher no, voucher number, document no,
    document number, doc no, end to end id, end to end reference, transaction reference, transaction id, external id,
    Referenz, Referenznummer, Rechnung, Rechnungsnummer, Rechnungsnr, Rechnung Nr, Rechnungs-Nr, Belegnummer, Belegnr,
    Beleg-Nr, Zahlungsreferenz, Zahlungsnummer, Vorgangsnummer, Verwendungszweck, unsere Referenz, Ende-zu-Ende-Referenz,
    référence, réf, facture, n facture, no facture, n de facture, no de facture, numéro de facture, référence facture,
    référence de paiement, référence du paiement, numéro de pièce, n de pièce, réf paiement,
    referencia, factura, no factura, n factura, no de factura, n de factura, número de factura, num factura,
    referencia de pago, número de documento, referencia del pago,
    riferimento, rif, fattura, numero fattura, n fattura, nr fattura, numero di fattura, riferimento pagamento,
    numero documento, causale,
    referência, fatura, número da fatura, no da fatura, n da fatura, no fatura, nota fiscal, número do documento,
    referência do pagamento,
    referentie, factuur, factuurnummer, factuurnr, factuur nr, betalingsreferentie, betalingskenmerk, kenmerk,
    boekstuknummer,
    referencja, faktura, numer faktury, nr faktury, tytuł płatności, tytuł przelewu, numer dokumentu, nr dokumentu,
    numer referencyjny, fatura no, referans, referans no, 請求書番号, 請求番号, 参照番号`,
  amount: `
    pay amount, amount to pay, amount due, requestedAmount, requestedAmount.amount, payment amount, payout amount, sum,
    amount payable, amount to be paid, transfer amount, transaction amount, invoice amount, bill amount, net amount,
    total, total amount, net pay, net payable, payment value, value,
    Betrag, Summe, Zahlbetrag, Zahlungsbetrag, Überweisungsbetrag, Auszahlungsbetrag, Rechnungsbetrag, Gesamtbetrag,
    Nettobetrag, offener Betrag, zu zahlen, zu zahlender Betrag,
    montant, somme, montant à payer, montant dû, montant du paiement, montant total, montant du virement, net à payer,
    montant à régler,
    importe, monto, cantidad, importe a pagar, monto a pagar, importe total, monto total, importe del pago, importe neto,
    importo, somma, importo da pagare, importo totale, importo pagamento, ammontare, totale, importo netto,
    valor, montante, quantia, valor a pagar, valor do pagamento, valor total, valor líquido,
    bedrag, te betalen, te betalen bedrag, totaalbedrag, betalingsbedrag, factuurbedrag,
    kwota, kwota płatności, kwota do zapłaty, kwota przelewu, suma, wartość, tutar, ödeme tutarı, 金額, 支払金額, 支払額`,
  currency: `
    requestedAmount.currency, currency code, ccy, curr, cur, crcy, iso currency, currency iso code, payment currency,
    payout currency, pay currency, amount currency, transaction currency, coin, cryptocurrency, crypto asset, asset,
    Währung, Währungscode, Zahlungswährung, devise, code devise, monnaie, moneda, divisa, código de moneda,
    valuta, codice valuta, moeda, código da moeda, munt, valutacode, waluta, kod waluty, para birimi, 通貨`,
  destinationAddress: `
    destination wallet, recipient address, receiver address, receiving address, beneficiary address, to address,
    btc address, eth address, ltc address, crypto address, address, destination, payee address, wallet, wallet address,
    bitcoin address, pay to, pay to address, new address, new wallet, new wallet address, payout address,
    payment address, receiving wallet, recipient wallet, beneficiary wallet, payee wallet, supplier wallet,
    vendor wallet, bitcoin wallet, btc wallet, crypto wallet, blockchain address, send to, target address,
    Adresse, Zieladresse, Empfängeradresse, Walletadresse, Bitcoinadresse, BTC-Adresse, Zahlungsadresse, Ziel-Wallet,
    Auszahlungsadresse, Empfänger-Wallet, Kryptoadresse,
    adresse de destination, adresse du bénéficiaire, adresse du destinataire, adresse bitcoin, adresse crypto,
    adresse de paiement, adresse du portefeuille, adresse de portefeuille, portefeuille,
    dirección, dirección de destino, dirección del beneficiario, dirección bitcoin, dirección btc, dirección de pago,
    dirección de la billetera, dirección de billetera, dirección del monedero, monedero, billetera, destino,
    indirizzo, indirizzo di destinazione, indirizzo del beneficiario, indirizzo beneficiario, indirizzo bitcoin,
    indirizzo btc, indirizzo wallet, indirizzo di pagamento, destinazione,
    endereço, endereço de destino, endereço do beneficiário, endereço bitcoin, endereço btc, endereço da carteira,
    endereço de pagamento, carteira,
    adres, bestemmingsadres, ontvangstadres, walletadres, bitcoinadres, btc-adres, betaaladres, adres begunstigde,
    adres ontvanger, bestemming,
    adres docelowy, adres odbiorcy, adres portfela, adres bitcoin, portfel, cüzdan adresi, alıcı adresi, 送金先アドレス,
    アドレス, ウォレットアドレス`,
  destinationAccountId: "destination account, payee account, to account",
  accountId: `
    custody account name, source wallet, from wallet, paying account, custody account, custodyAccountId,
    source account, from account, pay from, account`,
  customerId: `
    recipient, recipient name, beneficiary name, supplier, supplier name, vendor, vendor name, creditor, customer,
    payee, payee id, payee name, beneficiary, Empfänger, Empfängername, Zahlungsempfänger, Lieferant, Kreditor, Begünstigter,
    Kunde, bénéficiaire, nom du bénéficiaire, fournisseur, destinataire, créancier, client,
    beneficiario, nombre del beneficiario, proveedor, destinatario, acreedor, cliente, fornitore, creditore,
    beneficiário, nome do beneficiário, fornecedor, destinatário, favorecido, begunstigde, naam begunstigde, leverancier,
    ontvanger, crediteur, klant, beneficjent, dostawca, odbiorca, nazwa odbiorcy, kontrahent, alıcı, 支払先, 受取人`,
  callbackUrl: "callback",
  feePolicy: "fee, fee level, priority, speed",
  customFeeRate: "fee rate, fee rate sat/vb, sat/vb",
  subtractFee: "fee from amount, payee pays fee",
  verifyBalance: "check balance",
  useCoinConsolidation: "coin consolidation, consolidate coins",
  batchingAllowed: "batching, allow batching",
  orderCodeName: "order code, debit order code",
  generalLedgerName: `
    general ledger, gl name, gl account, ledger account, ledger name, Sachkonto, compte général, cuenta contable,
    conto contabile, conta contábil, grootboekrekening, konto księgowe`,
  generalLedgerProject: "gl project, project, Projekt, projet, proyecto, progetto, projeto",
  generalLedgerDistribution: `
    department, gl distribution, distribution, cost centre, cost center, Kostenstelle, centre de coûts, centre de coût,
    centro de coste, centro de costes, centro de costos, centro di costo, centro de custo, kostenplaats,
    centrum kosztów`,
  payOn: `
    pay date, pay not before, value date, payment date, execution date, not before, do not pay before,
    earliest payment date, pay on or after, Zahldatum, Zahlungsdatum, Ausführungsdatum, Ausführungstermin,
    date de paiement, date d'exécution, date de valeur, fecha de pago, fecha de ejecución, fecha valor,
    data pagamento, data di pagamento, data di esecuzione, data de pagamento, data do pagamento, data de execução,
    betaaldatum, betalingsdatum, uitvoeringsdatum, data płatności, data zapłaty, data realizacji`,
};

/** Other names than the interface's own. */
export const columnSynonyms: ReadonlyMap<ColumnName, readonly string[]> = new Map(
  Object.entries(lists).map(([name, list]) => [name as ColumnName, phrases(list)]),
);
