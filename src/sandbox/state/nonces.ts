/** The nonces that each client key has used up, and the one-time codes that each user has. */
import type { NoncePolicy } from "../options.ts";
import type { SandboxDatabase } from "./database.ts";

export interface Nonces {
  /** Uses a nonce up; false when the rule forbids it. */
  use(clientKey: string, nonce: bigint): boolean;
}

export function noncesIn(database: SandboxDatabase, { rule, window }: NoncePolicy): Nonces {
  const insert = database.prepare("INSERT INTO nonce VALUES (?, ?) ON CONFLICT DO NOTHING");
  const highest = database
    .prepare<[string], bigint | null>("SELECT max(nonce) FROM nonce WHERE client_key = ?")
    .pluck()
    .safeIntegers();
  return {
    use: (clientKey, nonce) => {
      const last = rule === "unique" ? undefined : (highest.get(clientKey) ?? undefined);
      if (last !== undefined && rule === "increasing" && nonce <= last) return false;
      if (last !== undefined && rule === "window" && nonce < last - BigInt(window)) return false;
      return insert.run(clientKey, nonce).changes === 1;
    },
  };
}

export interface UsedCodes {
  /** Uses up the code of a time step; false when this user has used it before. */
  use(username: string, step: number): boolean;
}

export function usedCodesIn(database: SandboxDatabase): UsedCodes {
  const insert = database.prepare("INSERT INTO used_code VALUES (?, ?) ON CONFLICT DO NOTHING");
  return { use: (username, step) => insert.run(username, step).changes === 1 };
}
