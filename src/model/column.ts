/**
 * One column of a long table. Most columns repeat a few values: the column then stores each value once, and for
 * each row a code of one or two bytes. A column of mostly new values is stored as a list.
 */

/** More distinct values cost more to look up than to keep. */
const DISTINCT_MAX = 4096;
/**
 * With this many it is clear whether values repeat: unless each occurs twice on average, the column becomes a list.
 */
const DISTINCT_ENOUGH = 256;

/** How many codes one byte has. */
const BYTE_CODES = 256;

export class Column<Value> {
  private size = 0;
  private lastCode = 0;
  /** By row, the index of its value among the distinct ones; undefined for a list. */
  private codes: Uint8Array | Uint16Array | undefined = new Uint8Array(64);
  private readonly codeOf = new Map<Value, number>();
  /** The distinct values; of a list, all values. */
  private values: Value[] = [];

  get length(): number {
    return this.size;
  }

  add(value: Value): void {
    const codes = this.codes;
    const code = codes && this.codeFor(value);
    if (codes === undefined || code === undefined) this.asList().push(value);
    else {
      this.roomFor(codes)[this.size] = code;
      this.lastCode = code;
    }
    this.size += 1;
  }

  /** The value of a row, from 0. */
  at(row: number): Value {
    return this.values[this.codes?.[row] ?? row] as Value;
  }

  /** Undefined if the column becomes a list. */
  private codeFor(value: Value): number | undefined {
    // Rows beside each other often have the same value, which need not be hashed then.
    if (this.size > 0 && value === this.values[this.lastCode]) return this.lastCode;
    return this.codeOf.get(value) ?? this.newCode(value);
  }

  private newCode(value: Value): number | undefined {
    const distinct = this.values.length;
    if (distinct >= DISTINCT_MAX || (distinct >= DISTINCT_ENOUGH && this.size < 2 * distinct))
      return undefined;
    const code = this.values.push(value) - 1;
    this.codeOf.set(value, code);
    return code;
  }

  private roomFor(codes: Uint8Array | Uint16Array): Uint8Array | Uint16Array {
    const length = this.size < codes.length ? codes.length : 2 * codes.length;
    const isWide = this.values.length > BYTE_CODES;
    if (length === codes.length && (!isWide || codes instanceof Uint16Array)) return codes;
    const roomier = isWide ? new Uint16Array(length) : new Uint8Array(length);
    roomier.set(codes);
    this.codes = roomier;
    return roomier;
  }

  private asList(): Value[] {
    if (this.codes === undefined) return this.values;
    const distinct = this.values;
    this.values = Array.from(this.codes.subarray(0, this.size), (code) => distinct[code] as Value);
    this.codes = undefined;
    this.codeOf.clear();
    return this.values;
  }
}
