/** The part of an amount that a line of the chart takes: an exact decimal (`0.35`) or fraction (`1/3`). */
import { Decimal } from "../../money/index.ts";

export interface Share {
  /** Above 0. */
  readonly numerator: bigint;
  /** Above 0; without a common factor with the numerator. */
  readonly denominator: bigint;
}

export const WHOLE: Share = { numerator: 1n, denominator: 1n };

/** Undefined unless it is above 0 and at most 1. */
export function parseShare(text: string): Share | undefined {
  const read = fractionOf(text) ?? decimalOf(text);
  if (read === undefined || read.numerator <= 0n || read.numerator > read.denominator) return undefined;
  return reduced(read);
}

const FRACTION = /^(\d{1,9})\s*\/\s*(\d{1,9})$/;
/** A number with more decimals was computed, not meant. */
const DECIMALS_MAX = 30;

function fractionOf(text: string): Share | undefined {
  const [, numerator, denominator] = FRACTION.exec(text) ?? [];
  if (numerator === undefined || denominator === undefined || /^0+$/.test(denominator)) return undefined;
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}

function decimalOf(text: string): Share | undefined {
  const value = Decimal.parse(text);
  if (value === undefined || value.scale > DECIMALS_MAX) return undefined;
  return { numerator: BigInt(value.toString().replace(".", "")), denominator: 10n ** BigInt(value.scale) };
}

/** `shares`: at least one. */
export function sumOfShares(shares: readonly Share[]): Share {
  return shares.reduce((sum, { numerator, denominator }) =>
    reduced({
      numerator: sum.numerator * denominator + numerator * sum.denominator,
      denominator: sum.denominator * denominator,
    }),
  );
}

export function isWhole({ numerator, denominator }: Share): boolean {
  return numerator === denominator;
}

/** "0.9", or "2/3" if no decimal is exact. */
export function shareText({ numerator, denominator }: Share): string {
  let scale = 0;
  while (scale <= DECIMALS_MAX && 10n ** BigInt(scale) % denominator !== 0n) scale += 1;
  if (scale > DECIMALS_MAX) return `${numerator}/${denominator}`;
  const units = (numerator * 10n ** BigInt(scale)) / denominator;
  return Decimal.of(`${units}e-${scale}`).toString();
}

/** Whole numbers in the same proportion. */
export function weightsOf(shares: readonly Share[]): Decimal[] {
  const common = shares.reduce(
    (multiple, { denominator }) => (multiple / gcd(multiple, denominator)) * denominator,
    1n,
  );
  return shares.map(({ numerator, denominator }) =>
    Decimal.of(((common / denominator) * numerator).toString()),
  );
}

function reduced({ numerator, denominator }: Share): Share {
  const divisor = gcd(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function gcd(one: bigint, other: bigint): bigint {
  return other === 0n ? one : gcd(other, one % other);
}
