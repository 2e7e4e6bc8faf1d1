/** Splits an amount by weights without losing or inventing its smallest unit. */
import { Decimal } from "../../money/index.ts";

/**
 * Parts of `total` in proportion to `weights` (above 0), each with `scale` digits after the point. Largest
 * remainder: the parts add up to `total` exactly; of equal remainders the first gets the unit. `total` must not be
 * negative and must fit `scale`.
 */
export function allocate(total: Decimal, weights: readonly Decimal[], scale: number): Decimal[] {
  const unit = Decimal.of(scale === 0 ? "1" : `0.${"1".padStart(scale, "0")}`);
  const whole = Decimal.sum(weights);
  // Multiplied by the sum of the weights, so that thirds stay exact.
  const exact = weights.map((weight) => total.times(weight));
  const parts = exact.map((product) => {
    const nearest = product.dividedBy(whole, scale);
    return nearest.times(whole).compare(product) > 0 ? nearest.minus(unit) : nearest;
  });
  const byRemainder = parts
    .map((part, index) => ({ index, remainder: (exact[index] ?? part).minus(part.times(whole)) }))
    .sort((a, b) => b.remainder.compare(a.remainder) || a.index - b.index);
  let left = total.minus(Decimal.sum(parts));
  for (const { index } of byRemainder) {
    if (left.compare(unit) < 0) break;
    parts[index] = (parts[index] ?? Decimal.zero).plus(unit);
    left = left.minus(unit);
  }
  return parts;
}
