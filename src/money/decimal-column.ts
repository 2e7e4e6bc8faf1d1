/** The amounts of a long file, stored in an eighth of the memory that objects would take. */
import { Decimal } from "./decimal.ts";

export class DecimalColumn {
  private units = new BigInt64Array(64);
  private scales = new Uint8Array(64);
  /** By index, the few that do not fit. */
  private readonly long = new Map<number, Decimal>();
  private size = 0;

  /** Returns the index under which it can be read, with all its decimals. */
  add(value: Decimal): number {
    const { units, scale } = value;
    const index = this.size;
    this.size += 1;
    if (index === this.units.length) this.grow();
    if (BigInt.asIntN(64, units) !== units || scale > SCALE_MAX) this.long.set(index, value);
    else {
      this.units[index] = units;
      this.scales[index] = scale;
    }
    return index;
  }

  at(index: number): Decimal {
    const units = this.units[index];
    const scale = this.scales[index];
    if (index >= this.size || units === undefined || scale === undefined)
      throw new RangeError(`there is no amount ${index}`);
    return this.long.get(index) ?? Decimal.ofUnits(units, scale);
  }

  private grow(): void {
    const [units, scales] = [new BigInt64Array(2 * this.size), new Uint8Array(2 * this.size)];
    units.set(this.units);
    scales.set(this.scales);
    this.units = units;
    this.scales = scales;
  }
}

/** Of one byte. */
const SCALE_MAX = 255;
