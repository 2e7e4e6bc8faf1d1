/**
 * Recognises words in columns of the sender's own that tell a reader whether to pay the row: "ON HOLD" under "Status",
 * "x" under "Do not pay", "no" under "Pay?". Only whole cells, since sentences may say such a word of anything.
 */
import { phrases, wordOf } from "../model/words.ts";
import { yesOrNo } from "./yes-or-no.ts";

export type PayWord = "not-to-be-paid" | "paid";

/** Reads the cells of one column; called for every cell of columns that are not read. Undefined for any other text. */
export function payWordReader(columnName: string): (text: string) => PayWord | undefined {
  const column = columnWord(columnName);
  const filled = FILLED.get(column);
  const saidByYes = filled ?? PAY_WORDS.get(column);
  const saidByNo = ASKING_TO_PAY.has(column) ? "not-to-be-paid" : undefined;
  const fillsIt = (word: string) => (filled === "paid" ? /\p{N}/u.test(word) : !NO_BLOCK.has(word));
  return (text) => {
    if (text.length > CELL_LENGTH_MAX) return filled;
    const word = wordOf(text);
    if (word === "") return undefined;
    const answer = yesOrNo(text);
    if (answer !== undefined) return answer ? saidByYes : saidByNo;
    return PAY_WORDS.get(word) ?? (fillsIt(word) ? filled : undefined);
  };
}

/** Whether the name of a column says so much about paying that it is no misspelling of a column that is read. */
export function isAboutPaying(columnName: string): boolean {
  const column = columnWord(columnName);
  return ASKING_TO_PAY.has(column) || FILLED.has(column);
}

function columnWord(columnName: string): string {
  return wordOf(columnName).replace(ASKS_YES_OR_NO, "");
}

/** For a title or the name of a sheet, where a sentence speaks of the whole file: "DRAFT - do not pay". */
export function saysNotToPay(text: string): boolean {
  const isSentence = text.length <= TITLE_LENGTH_MAX && SENTENCE.test(text);
  return isSentence || wordOfTitle(text) === "not-to-be-paid";
}

const TITLE_LENGTH_MAX = 1000;
const NOT_TO_PAY =
  "do not pay|don['’]?t pay|not to be paid|not for payment|nicht (?:be)?zahlen|nicht überweisen|ne pas payer|no pagar|" +
  "non pagare|não pagar|niet betalen|nie płacić|ödemeyin|支払不可|支払停止";
const SENTENCE = new RegExp(`(?<!\\p{L})(?:${NOT_TO_PAY})(?!\\p{L})`, "iu");

/** What a name of a column may end with: "Pay (Y/N)". */
const ASKS_YES_OR_NO = /(?:yn|yesno)$/;

/** Names of columns under which a no means that the row is not to be paid. */
const ASKING_TO_PAY = wordsOf(`
  pay, pay now, pay this, to pay, to be paid, ok to pay, okay to pay, payable, include, include in payment,
  approved, approved for payment, approved to pay, payment approved, authorised, authorized, payment authorised,
  payment authorized, released, release, released for payment, payment released, cleared for payment,
  zahlen, freigegeben, genehmigt, approuvé, aprobado, approvato, aprovado, goedgekeurd, zatwierdzone, onaylandı,
  承認, 承認済
`);

/** Names of columns that are filled in only once a row was paid (by a day or a hash), or by any code of a block, as in SAP. */
const FILLED: ReadonlyMap<string, PayWord> = new Map([
  ...phrases(`
    paid on, date paid, paid date, paid at, txid, tx id, tx hash, transaction hash, payment txid, payment tx hash
  `).map((text) => [wordOf(text), "paid"] as const),
  ...phrases("payment block, payment block key, pmt block, pmt blk, zahlungssperre, zahlsperre").map(
    (text) => [wordOf(text), "not-to-be-paid"] as const,
  ),
]);

/** What says in the column of a block that there is none. */
const NO_BLOCK = wordsOf(`
  none, n/a, ok, free, free for payment, not blocked, unblocked, released, frei, frei zur zahlung, freigegeben,
  nicht gesperrt, keine
`);

/** English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish and Japanese. */
const NOT_TO_BE_PAID = phrases(`
  do not pay, don't pay, dont pay, not to be paid, hold, on hold, payment on hold, payment hold, payment block,
  payment blocked, payment stop, payment stopped, cancelled, canceled, void, voided, disputed,
  blocked, stopped, suspended, rejected, payment rejected, declined, not approved, not released, do not process,
  do not release, withdrawn, reversed, deleted, excluded, duplicate, duplicate invoice, duplicate payment,
  credit note, credit memo, draft,
  storniert, gesperrt, zahlungssperre, zahlsperre, nicht zahlen, nicht bezahlen, nicht überweisen, abgelehnt,
  zurückgestellt, doppelt, entwurf,
  annulé, annulée, bloqué, bloquée, suspendu, suspendue, rejeté, rejetée, refusé, refusée, ne pas payer, en litige,
  doublon, brouillon,
  anulado, anulada, cancelado, cancelada, bloqueado, bloqueada, retenido, retenida, rechazado, rechazada, no pagar,
  duplicado, duplicada, borrador,
  annullato, annullata, bloccato, bloccata, sospeso, sospesa, rifiutato, rifiutata, non pagare,
  não pagar, suspenso, suspensa, rejeitado, rejeitada,
  geannuleerd, geblokkeerd, afgewezen, niet betalen,
  anulowano, anulowane, anulowana, zablokowane, zablokowana, wstrzymane, wstrzymana, odrzucone, odrzucona, nie płacić,
  iptal, iptal edildi, ödenmeyecek, ödemeyin, bloke, reddedildi,
  保留, 支払保留, 支払停止, 支払不可, 取消, キャンセル, 却下
`);

const PAID = phrases(`
  paid, already paid, paid already, settled, bezahlt, bereits bezahlt, beglichen, payé, payée, réglé, réglée, pagado,
  pagada, ya pagado, pagato, pagata, saldato, betaald, zapłacone, zapłacona, zapłacono, opłacone, ödendi,
  支払済, 支払済み
`);

const PAY_WORDS: ReadonlyMap<string, PayWord> = new Map([
  ...NOT_TO_BE_PAID.map((text) => [wordOf(text), "not-to-be-paid"] as const),
  ...PAID.map((text) => [wordOf(text), "paid"] as const),
]);

const CELL_LENGTH_MAX = 24;

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(phrases(list).map(wordOf));
}

const wordOfTitle = payWordReader("");
