/** Which nonces a client key may still use. */
import type { NoncePolicy } from "../options.ts";
import type { Rows } from "./rows.ts";
import type { UsedNonce } from "./state.ts";

export function noncesIn(used: Rows<UsedNonce>, { rule, window }: NoncePolicy) {
  const highest = new Map<string, bigint>();
  const raise = (clientKey: string, nonce: bigint) => {
    if (nonce > (highest.get(clientKey) ?? nonce - 1n)) highest.set(clientKey, nonce);
  };
  for (const { clientKey, nonce } of used.all()) raise(clientKey, BigInt(nonce));

  const keyOf = (clientKey: string, nonce: bigint) => `${nonce} ${clientKey}`;
  const allows = {
    unique: () => true,
    increasing: (nonce: bigint, last: bigint) => nonce > last,
    window: (nonce: bigint, last: bigint) => nonce >= last - BigInt(window),
  };
  return {
    /** Whether the rule allows it, and it was not used before. */
    isFree: (clientKey: string, nonce: bigint): boolean => {
      const last = highest.get(clientKey);
      if (last !== undefined && !allows[rule](nonce, last)) return false;
      return used.get(keyOf(clientKey, nonce)) === undefined;
    },
    use: (clientKey: string, nonce: bigint): void => {
      used.put(keyOf(clientKey, nonce), { clientKey, nonce: nonce.toString() });
      raise(clientKey, nonce);
    },
  };
}
