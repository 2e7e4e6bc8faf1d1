/**
 * Recognises texts that give the amounts another unit than the currency itself: 5 under "all amounts in mBTC" means
 * 0.005 BTC to a reader of the sheet. Ambiguous words are ignored: Satoshi and Wei are also names, Sat is a day.
 */

/** For a title, a note or the name of a sheet. */
export function namesOtherUnit(text: string): boolean {
  return text.length <= NOTE_LENGTH_MAX && IN_A_NOTE.test(text);
}

/** For a whole cell beside an amount; called for every cell of columns that are not read. */
export function isOtherUnit(text: string): boolean {
  return text.length <= UNIT_LENGTH_MAX && UNIT.test(text);
}

const NOTE_LENGTH_MAX = 1000;
const UNIT_LENGTH_MAX = 12;
const IN_A_NOTE =
  /(?<![\p{L}\p{N}])(?:[mµμu](?:BTC|LTC|ETH)(?![\p{L}\p{N}])|(?:in (?:satoshis?|sats|bits|litoshis?|gwei|wei|thousands?|millions?|tausend|migliaia|duizenden)|en (?:milliers|miles|milhares))(?!\p{L}))/iu;
const UNIT = /^\s*(?:[mµμu](?:BTC|LTC|ETH)|satoshis|sats|bits|litoshis|gwei)\s*$/i;
