/** The nonces that each client key has used, and the one-time codes that each user has used. */
import type { NoncePolicy } from "../options.ts";
import { plainKind, type RowKind } from "./rows.ts";
import type { Store } from "./store.ts";

export function noncesIn(store: Store, { rule, window }: NoncePolicy) {
  const used = store.rows(USED_NONCE);
  const highest = store.rows(HIGHEST_NONCE);
  const isAllowed = (nonce: bigint, last: bigint) => {
    if (rule === "increasing") return nonce > last;
    return rule === "unique" || nonce >= last - BigInt(window);
  };
  return {
    /** Uses a nonce; false if the rule forbids it. */
    use: (clientKey: string, nonce: bigint): boolean => {
      const last = highest.entry(clientKey);
      if (last !== undefined && !isAllowed(nonce, last.row.nonce)) return false;
      if (used.entry(keyOfNonce({ clientKey, nonce })) !== undefined) return false;
      used.insert({ clientKey, nonce });
      if (last === undefined) highest.insert({ clientKey, nonce });
      else if (nonce > last.row.nonce) highest.replace(last, { clientKey, nonce });
      return true;
    },
  };
}

export function usedCodesIn(store: Store) {
  const used = store.rows(USED_CODE);
  return {
    /** Uses the code of a time step; false if used before. Equal names under several keys have separate codes. */
    use: (username: string, step: number, code: string): boolean => {
      const usedCode = { username, step, code };
      if (used.entry(keyOfCode(usedCode)) !== undefined) return false;
      used.insert(usedCode);
      return true;
    },
  };
}

interface ClientNonce {
  readonly clientKey: string;
  readonly nonce: bigint;
}

const WRITTEN = {
  write: ({ clientKey, nonce }: ClientNonce) => ({ clientKey, nonce: nonce.toString() }),
  read: ({ clientKey, nonce }: WrittenNonce): ClientNonce => ({ clientKey, nonce: BigInt(nonce) }),
};

type WrittenNonce = Readonly<Record<keyof ClientNonce, string>>;

const USED_NONCE: RowKind<ClientNonce, WrittenNonce> = { ...WRITTEN, table: "nonce", keyOf: keyOfNonce };

/** One row per key. */
const HIGHEST_NONCE: RowKind<ClientNonce, WrittenNonce> = {
  ...WRITTEN,
  table: "highest_nonce",
  keyOf: ({ clientKey }) => clientKey,
};

function keyOfNonce({ clientKey, nonce }: ClientNonce): string {
  return `${nonce} ${clientKey}`;
}

interface UsedCode {
  readonly username: string;
  readonly step: number;
  readonly code: string;
}

const USED_CODE = plainKind<UsedCode>("used_code", keyOfCode);

function keyOfCode({ username, step, code }: UsedCode): string {
  return `${step} ${code} ${username}`;
}
