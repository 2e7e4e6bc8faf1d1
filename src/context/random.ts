/** The only way to randomness. A simulation puts a seeded source here. */
import { randomUUID } from "node:crypto";

export interface Random {
  /** A fresh UUID with at least 74 unguessable bits. */
  uuid(): string;
}

export const systemRandom: Random = { uuid: timeOrderedUuid };

/**
 * UUID version 7 (RFC 9562): 48 bits of time before 74 unguessable ones. Ids that are made together lie together in an index, where
 * those of version 4 make every row of a batch touch a page of its own.
 */
function timeOrderedUuid(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
