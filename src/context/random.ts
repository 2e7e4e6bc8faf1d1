/** The only access to randomness; a simulation provides a seeded source. */
import { randomUUID } from "node:crypto";

export interface Random {
  /** A fresh UUID with at least 74 unguessable bits. */
  uuid(): string;
}

export const systemRandom: Random = { uuid: timeOrderedUuid };

/**
 * UUID version 7 (RFC 9562): 48 bits of time before 74 unguessable ones. Ids created together are adjacent in an
 * index, while with version 4 every row of a batch would touch another page.
 */
function timeOrderedUuid(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
