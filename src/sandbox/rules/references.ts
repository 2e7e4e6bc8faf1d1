/** How a reference is kept. The interface does not say that it comes back as it was sent; by default it does. */
import type { ReferencePolicy } from "../options.ts";

export function keptReference(
  reference: string,
  { trimmed, lowerCased, lengthMax }: ReferencePolicy,
): string {
  const bare = trimmed ? reference.trim() : reference;
  const cased = lowerCased ? bare.toLowerCase() : bare;
  return cased.slice(0, lengthMax);
}
