/**
 * Exact decimal numbers: a bigint of units and a scale, never a binary float. Addition, subtraction and
 * multiplication are exact; only `dividedBy` and `rounded` lose digits. Initiation parses amounts as people write
 * them ("1.234,56").
 */

/** Nearly every amount; a form without groups is recognised several times as fast as one with them. */
const PLAIN = /^\d+(?:\.\d+)?$/;
const PLAIN_OR_EXPONENT = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

export class Decimal {
  static readonly zero = new Decimal(0n, 0);

  readonly units: bigint;
  /** Number of decimals in `units`; not normalized, so that 1.50 prints as written. */
  readonly scale: number;

  private constructor(units: bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  /**
   * Parses a decimal literal: digits with an optional point, minus sign and exponent (as in JSON and XLSX).
   * Undefined for anything else, because an unreadable number has no default. Takes only text: a JavaScript number
   * has already lost digits.
   */
  static parse(text: string): Decimal | undefined {
    if (typeof text === "string" && PLAIN.test(text)) {
      const point = text.indexOf(".");
      if (point < 0) return new Decimal(BigInt(text), 0);
      return new Decimal(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1);
    }
    const match = typeof text === "string" ? PLAIN_OR_EXPONENT.exec(text) : null;
    if (match === null) return undefined;
    const [, sign = "", whole = "", fraction = "", exponentText = "0"] = match;
    const units = BigInt(`${sign}${whole}${fraction}`);
    const scale = fraction.length - Number.parseInt(exponentText, 10);
    return scale >= 0 ? new Decimal(units, scale) : new Decimal(units * powerOfTen(-scale), 0);
  }

  /**
   * Parses a decimal literal known to be valid (stored by us, checked by a schema); otherwise throws a RangeError.
   */
  static of(text: string): Decimal {
    const value = Decimal.parse(text);
    if (value === undefined) throw new RangeError(`not a decimal number: ${JSON.stringify(text)}`);
    return value;
  }

  /** The number of `units` of which ten to the power of `scale` make one. */
  static ofUnits(units: bigint, scale: number): Decimal {
    return new Decimal(units, scale);
  }

  static sum(values: Iterable<Decimal>): Decimal {
    let total = Decimal.zero;
    for (const value of values) total = total.plus(value);
    return total;
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.unitsAt(scale) + other.unitsAt(scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(other.negated());
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.units * other.units, this.scale + other.scale);
  }

  /** The quotient with `scale` decimals, rounded half away from zero. Throws on division by zero. */
  dividedBy(divisor: Decimal, scale: number): Decimal {
    const shift = scale + divisor.scale - this.scale;
    const numerator = shift >= 0 ? this.units * powerOfTen(shift) : this.units;
    const denominator = shift >= 0 ? divisor.units : divisor.units * powerOfTen(-shift);
    return new Decimal(divideHalfUp(numerator, denominator), scale);
  }

  /** The value with exactly `scale` decimals, rounded half away from zero. */
  rounded(scale: number): Decimal {
    if (scale >= this.scale) return new Decimal(this.unitsAt(scale), scale);
    return new Decimal(divideHalfUp(this.units, powerOfTen(this.scale - scale)), scale);
  }

  negated(): Decimal {
    return new Decimal(-this.units, this.scale);
  }

  absolute(): Decimal {
    return this.units < 0n ? this.negated() : this;
  }

  /**
   * Negative, zero or positive if this is less than, equal to or greater than `other` by value: 1.0 equals 1.00.
   */
  compare(other: Decimal): number {
    const scale = Math.max(this.scale, other.scale);
    const left = this.unitsAt(scale);
    const right = other.unitsAt(scale);
    return left < right ? -1 : left > right ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  isZero(): boolean {
    return this.units === 0n;
  }

  isNegative(): boolean {
    return this.units < 0n;
  }

  /** The same value without trailing zeros. */
  normalized(): Decimal {
    let { units, scale } = this;
    if (scale === 0 || units % 10n !== 0n) return this;
    while (scale > 0 && units % 10n === 0n) {
      units /= 10n;
      scale -= 1;
    }
    return new Decimal(units, scale);
  }

  /** Plain digits with a point, never an exponent: "0.00000001". */
  toString(): string {
    if (this.scale === 0) return this.units.toString();
    const isNegative = this.isNegative();
    const digits = (isNegative ? -this.units : this.units).toString().padStart(this.scale + 1, "0");
    const point = digits.length - this.scale;
    return `${isNegative ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
  }

  private unitsAt(scale: number): bigint {
    return scale === this.scale ? this.units : this.units * powerOfTen(scale - this.scale);
  }
}

/** Cached, because computing a power would dominate a comparison. */
const POWERS_OF_TEN = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent));

function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const quotient = (2n * n + d) / (2n * d);
  return negative ? -quotient : quotient;
}
