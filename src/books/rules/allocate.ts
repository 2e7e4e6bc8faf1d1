/** Splits an amount by shares without losing or inventing its smallest unit. */
import { Decimal } from "../../money/index.ts";

/**
 * Parts of `total` in proportion to `shares` (which add up to 1), each with `scale` digits after the point. Largest
 * remainder: the parts add up to `total` exactly; of equal remainders the first gets the unit. `total` must not be
 * negative and must fit `scale`.
 */
export function allocate(total: Decimal, shares: readonly Decimal[], scale: number): Decimal[] {
  const unit = Decimal.of(scale === 0 ? "1" : `0.${"1".padStart(scale, "0")}`);
  const exact = shares.map((share) => total.times(share));
  const parts = exact.map((part) => roundedDown(part, scale, unit));
  const byRemainder = parts
    .map((part, index) => ({ index, remainder: (exact[index] ?? part).minus(part) }))
    .sort((a, b) => b.remainder.compare(a.remainder) || a.index - b.index);
  let left = total.minus(Decimal.sum(parts));
  for (const { index } of byRemainder) {
    if (left.compare(unit) < 0) break;
    parts[index] = (parts[index] ?? Decimal.zero).plus(unit);
    left = left.minus(unit);
  }
  return parts;
}

function roundedDown(value: Decimal, scale: number, unit: Decimal): Decimal {
  const nearest = value.rounded(scale);
  return nearest.compare(value) > 0 ? nearest.minus(unit) : nearest;
}
