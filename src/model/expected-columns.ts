/**
 * The columns of a file of expected receipts, and the names that finance teams give them. Words are compared
 * without case, accents, spaces and punctuation.
 */
import { columnSynonyms } from "./column-synonyms.ts";
import { phrases, wordOf } from "./words.ts";

const expectedColumns = [
  "reference",
  "customer",
  "account",
  "amount",
  "currency",
  "dueDay",
  "rateUntil",
  "create",
] as const;

export type ExpectedColumn = (typeof expectedColumns)[number];

/** In words, for people. */
export const EXPECTED_COLUMN_WORDS: Readonly<Record<ExpectedColumn, string>> = {
  reference: "reference",
  customer: "customer",
  account: "account",
  amount: "amount",
  currency: "currency",
  dueDay: "due day",
  rateUntil: "rate fixed until",
  create: "whether a deposit is made",
};

/** The columns that share their names with those of payouts. */
const SHARED = {
  reference: "reference",
  customer: "customerId",
  account: "accountId",
  amount: "amount",
  currency: "currency",
} as const;

const LISTS: Readonly<Record<ExpectedColumn, string>> = {
  reference: "reference, deposit reference",
  customer: `
    customer, customers, client, customerId, customer id, customer no, customer number, customer name,
    client id, debtor, payer, owed by,
    Kunde, Kundenname, Kundennummer, Kunden-Nr, Debitor, Debitorennummer, Zahler, Schuldner, numéro client,
    code client, débiteur, payeur,
    número de cliente, código de cliente, deudor, pagador, codice cliente, debitore, pagatore,
    código do cliente, devedor,
    klantnummer, debiteur, betaler, klient, numer klienta, dłużnik, płatnik, müşteri, müşteri no, borçlu,
    покупатель, плательщик, должник, 顧客, 得意先`,
  account: `
    account, accountId, account id, receiving account, receive on, to account, Empfangskonto, Konto, compte,
    cuenta, conto, conta, rekening, konto, hesap, 口座`,
  amount: `
    amount, amount expected, expected amount, open amount, amount owed, invoice total, erwarteter Betrag,
    montant attendu,
    importe esperado, importo atteso, valor esperado, verwacht bedrag, oczekiwana kwota, beklenen tutar,
    ожидаемая сумма`,
  currency: "currency",
  dueDay: `
    due, due day, due date, due on, date due, payment due, expected on, expected date, expected by, pay by, dueDay,
    fällig, fällig am, Fälligkeit, Fälligkeitsdatum, Zahlungsziel, erwartet am, échéance, date d'échéance, attendu le,
    vencimiento, fecha de vencimiento, fecha límite, scadenza, data di scadenza, data scadenza, vencimento,
    data de vencimento, vervaldatum, vervaldag, uiterste betaaldatum, termin płatności, data wymagalności,
    termin zapłaty, vade, vade tarihi, son ödeme tarihi, срок оплаты, срок платежа, оплатить до, 支払期限, 支払期日, 期日`,
  rateUntil: `
    rate until, rate fixed until, fixed until, rate expires, rate expiry, expiry, expires, expiry date, expiryDate,
    valid until, rateUntil, Kurs gültig bis, Kurs bis, gültig bis, taux valable jusqu'au, valable jusqu'au,
    tipo válido hasta, válido hasta, cambio valido fino al, valido fino al, câmbio válido até, válido até,
    koers geldig tot, geldig tot, kurs ważny do, ważny do, kur geçerlilik tarihi, geçerlilik tarihi,
    курс действует до, действует до, 有効期限`,
  create: `
    create, create deposit, make deposit, create address, make address, Einzahlung anlegen, Adresse anlegen, anlegen,
    créer, créer un dépôt, créer une adresse, crear, crear depósito, crear dirección, creare, crea deposito,
    crea indirizzo,
    criar, criar depósito, criar endereço, aanmaken, adres aanmaken, utwórz, utwórz adres, oluştur, adres oluştur,
    создать, создать адрес, 作成`,
};

const MEANINGS: ReadonlyMap<string, ExpectedColumn> = new Map([
  ...Object.entries(SHARED).flatMap(([column, name]) =>
    (columnSynonyms.get(name) ?? []).map((text) => [wordOf(text), column as ExpectedColumn] as const),
  ),
  // The words for receipts come last: some of them mean something else in a file of payouts.
  ...Object.entries(LISTS).flatMap(([column, list]) =>
    phrases(list).map((text) => [wordOf(text), column as ExpectedColumn] as const),
  ),
]);

export function expectedColumnNamed(heading: string): ExpectedColumn | undefined {
  return MEANINGS.get(wordOf(heading));
}

/** The heading that marks a file without addresses as one of expected receipts: only these have such a column. */
export function expectedReceiptsHeading(headings: readonly string[]): string | undefined {
  return headings.find((heading) => {
    const column = expectedColumnNamed(heading);
    return column === "dueDay" || column === "rateUntil" || column === "create";
  });
}
