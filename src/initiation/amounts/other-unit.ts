/**
 * Words beside the amounts that give them another unit than the currency itself: 5 under "all amounts in mBTC" is 0.005 BTC to whoever sees
 * the sheet. Names are left alone: Satoshi and Wei are people, too, and Sat is a day.
 */

/** A title, a note or the name of a sheet. */
export function namesOtherUnit(text: string): boolean {
  return text.length <= NOTE_LENGTH_MAX && IN_A_NOTE.test(text);
}

/** A whole cell beside an amount. Asked of every cell that is not read. */
export function isOtherUnit(text: string): boolean {
  return text.length <= UNIT_LENGTH_MAX && UNIT.test(text);
}

const NOTE_LENGTH_MAX = 1000;
const UNIT_LENGTH_MAX = 12;
const IN_A_NOTE =
  /(?<![\p{L}\p{N}])(?:[mµμu](?:BTC|LTC|ETH)(?![\p{L}\p{N}])|in (?:satoshis?|sats|litoshis?|gwei|wei|thousands?|millions?)(?!\p{L}))/iu;
const UNIT = /^\s*(?:[mµμu](?:BTC|LTC|ETH)|satoshis|sats|litoshis|gwei)\s*$/i;
