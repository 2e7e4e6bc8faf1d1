/** How a reference is stored. The interface does not say that it comes back unchanged; by default it does. */
import type { ReferencePolicy } from "../options.ts";

export function keptReference(
  reference: string,
  { trimmed, lowerCased, lengthMax }: ReferencePolicy,
): string {
  const bare = trimmed ? reference.trim() : reference;
  const cased = lowerCased ? bare.toLowerCase() : bare;
  return cased.slice(0, lengthMax);
}
