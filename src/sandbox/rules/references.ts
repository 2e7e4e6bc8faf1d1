/** How references are stored: unchanged by default, although the interface does not promise it. */
import type { ReferencePolicy } from "../options.ts";

export function keptReference(
  reference: string,
  { trimmed, lowerCased, lengthMax }: ReferencePolicy,
): string {
  const bare = trimmed ? reference.trim() : reference;
  const cased = lowerCased ? bare.toLowerCase() : bare;
  return cased.slice(0, lengthMax);
}
