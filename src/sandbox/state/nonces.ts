/** The nonces that each client key has used up, and the one-time codes that each user has. */
import type { NoncePolicy } from "../options.ts";
import type { RowKind } from "./rows.ts";
import type { Store } from "./store.ts";

export interface Nonces {
  /** Uses a nonce up; false when the rule forbids it. */
  use(clientKey: string, nonce: bigint): boolean;
}

export function noncesIn(store: Store, { rule, window }: NoncePolicy): Nonces {
  const used = store.rows(USED_NONCE);
  const highest = store.rows(HIGHEST_NONCE);
  const isAllowed = (nonce: bigint, last: bigint) => {
    if (rule === "increasing") return nonce > last;
    return rule === "unique" || nonce >= last - BigInt(window);
  };
  return {
    use: (clientKey, nonce) => {
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

export interface UsedCodes {
  /** Uses up the code of a time step; false when this user has used it before. */
  use(username: string, step: number): boolean;
}

export function usedCodesIn(store: Store): UsedCodes {
  const used = store.rows(USED_CODE);
  return {
    use: (username, step) => {
      if (used.entry(keyOfCode({ username, step })) !== undefined) return false;
      used.insert({ username, step });
      return true;
    },
  };
}

interface ClientNonce {
  readonly clientKey: string;
  readonly nonce: bigint;
}

const USED_NONCE: RowKind<ClientNonce, WrittenNonce> = {
  table: "nonce",
  keyOf: keyOfNonce,
  write: writtenNonce,
  read: nonceOf,
};

/** One for each key. */
const HIGHEST_NONCE: RowKind<ClientNonce, WrittenNonce> = {
  table: "highest_nonce",
  keyOf: ({ clientKey }) => clientKey,
  write: writtenNonce,
  read: nonceOf,
};

function keyOfNonce({ clientKey, nonce }: ClientNonce): string {
  return `${nonce} ${clientKey}`;
}

interface WrittenNonce {
  readonly clientKey: string;
  readonly nonce: string;
}

function writtenNonce({ clientKey, nonce }: ClientNonce): WrittenNonce {
  return { clientKey, nonce: nonce.toString() };
}

function nonceOf({ clientKey, nonce }: WrittenNonce): ClientNonce {
  return { clientKey, nonce: BigInt(nonce) };
}

interface UsedCode {
  readonly username: string;
  readonly step: number;
}

const USED_CODE: RowKind<UsedCode, UsedCode> = {
  table: "used_code",
  keyOf: keyOfCode,
  write: (code) => code,
  read: (code) => code,
};

function keyOfCode({ username, step }: UsedCode): string {
  return `${step} ${username}`;
}
