/**
 * Recognises texts that give the amounts another unit than the currency itself: 5 under "all amounts in mBTC" means
 * 0.005 BTC to a reader of the sheet. Satoshi and Wei are also names and Sat is a day, so they count only where a
 * heading asks for a unit.
 */

/** For a title, a note or the name of a sheet. */
export function namesOtherUnit(text: string): boolean {
  return text.length <= NOTE_LENGTH_MAX && IN_A_NOTE.test(text);
}

/** For a whole cell beside an amount, under the heading `columnName`; called for every cell of columns that are not read. */
export function isOtherUnit(text: string, columnName = ""): boolean {
  if (text.length > UNIT_LENGTH_MAX) return false;
  return UNIT.test(text) || (AMBIGUOUS_UNIT.test(text) && ASKS_FOR_UNIT.test(columnName));
}

const NOTE_LENGTH_MAX = 1000;
const UNIT_LENGTH_MAX = 12;
const IN_A_NOTE =
  /(?<![\p{L}\p{N}])(?:[mµμu](?:BTC|LTC|ETH)(?![\p{L}\p{N}])|(?:in (?:satoshis?|sats?|bits|litoshis?|gwei|wei|thousands?|millions?|tausend|migliaia|duizenden)|en (?:milliers|miles|milhares))(?!\p{L}))/iu;
const UNIT = /^\s*(?:[mµμu](?:BTC|LTC|ETH)|satoshis|sats|bits|litoshis|gwei)\s*$/i;
const AMBIGUOUS_UNIT = /^\s*(?:satoshi|sat|bit|litoshi|wei|thousands?|millions?|tausend)\s*$/i;
/** A business unit may be called BIT. */
const ASKS_FOR_UNIT =
  /(?<!\p{L})(?<!(?:business|cost|org\p{L}*|operating|reporting|trading)\P{L}+)(?:units?|uom|denominations?|(?:maß|mengen)?einheit|unité|unidad|unidade|unità|eenheid|jednostka)(?!\p{L})/iu;
