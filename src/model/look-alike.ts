/** The beginning and end of an address, which people compare and an attacker imitates. */

export interface AddressEnds {
  /** Includes the prefix of its kind of address: "bc1qw508", "0x52908". */
  readonly start: string;
  readonly end: string;
}

/** The prefixes of Bech32 and Ethereum; the first character of a base58 address tells its kind. */
const SHARED_PREFIX = /^(?:(?:bc|tb|bcrt|ltc|tltc)1[a-z0-9]|0x|[1-9A-Za-z](?!.{7}-))/;
const COMPARED_LENGTH = 4;

/** The beginning and end of a destination in comparable form; undefined if it is not an address. */
export function endsOf(destination: string): AddressEnds | undefined {
  const prefix = SHARED_PREFIX.exec(destination)?.[0];
  if (prefix === undefined) return undefined;
  const start = destination.slice(0, prefix.length + COMPARED_LENGTH);
  return { start, end: destination.slice(-COMPARED_LENGTH) };
}

/**
 * The pair as one text, for look-ups. Has no separator, because V8 joins up to twelve characters several times as
 * fast as more.
 */
export function endsText({ start, end }: AddressEnds): string {
  return start + end;
}

/** Both addresses, with the differing part in brackets: "bc1qw508[d6qe]f3t4". */
export function markedDifference(one: string, other: string): readonly [one: string, other: string] {
  const lengthMax = Math.min(one.length, other.length);
  let start = 0;
  while (start < lengthMax && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < lengthMax - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const marked = (text: string) =>
    `${text.slice(0, start)}[${text.slice(start, text.length - end)}]${text.slice(text.length - end)}`;
  return [marked(one), marked(other)];
}
