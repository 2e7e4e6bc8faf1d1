/**
 * One column of a long table. Most columns repeat a few values row after row: each of these is kept once, and of a row only
 * its code, two bytes. A column of ever new values is kept as a list.
 */

/** More than these cost more to look up than to keep. */
const REPEATED_MAX = 4096;

export class Column<Value> {
  private size = 0;
  /** By row, the index of its value among the distinct ones; undefined for a list. */
  private codes: Uint16Array | undefined = new Uint16Array(64);
  private readonly codeOf = new Map<Value, number>();
  /** The distinct values or, of a list, all. */
  private values: Value[] = [];

  get length(): number {
    return this.size;
  }

  add(value: Value): void {
    const codes = this.codes;
    const code = codes && (this.codeOf.get(value) ?? this.newCode(value));
    if (codes === undefined || code === undefined) this.asList().push(value);
    else this.roomFor(codes)[this.size] = code;
    this.size += 1;
  }

  /** Of one of its rows, from 0. */
  at(row: number): Value {
    return this.values[this.codes?.[row] ?? row] as Value;
  }

  private newCode(value: Value): number | undefined {
    if (this.values.length >= REPEATED_MAX) return undefined;
    const code = this.values.push(value) - 1;
    this.codeOf.set(value, code);
    return code;
  }

  private roomFor(codes: Uint16Array): Uint16Array {
    if (this.size < codes.length) return codes;
    const longer = new Uint16Array(2 * codes.length);
    longer.set(codes);
    this.codes = longer;
    return longer;
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
