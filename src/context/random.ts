/** The only way to randomness. A simulation puts a seeded source here. */
import { randomUUID } from "node:crypto";

export interface Random {
  /** A fresh UUID version 4: 122 unguessable bits. */
  uuid(): string;
}

export const systemRandom: Random = { uuid: () => randomUUID() };
