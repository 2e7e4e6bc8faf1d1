/** Finds the payouts that list the same movement. */
import { chunks } from "../model/chunks.ts";
import { movementNames, type PayoutId, SentClaims } from "../model/index.ts";
import { listSharing } from "../store/compared.ts";
import type { Store } from "../store/store.ts";
import { listUnpostedSharing } from "../store/unposted.ts";
import { knownPayoutsOf } from "./known.ts";

const PAYOUTS_TOGETHER = 200;

/**
 * Reads the payouts that share a transaction; `waiting`: only those to be compared; `unposted`: only those to be
 * posted. Keeps of each only the names of its movements, since a batch may have thousands that differ.
 */
export async function sentClaims(
  store: Store,
  which: "all" | "waiting" | "unposted" = "all",
): Promise<SentClaims> {
  const sharing = await store.read(() =>
    which === "unposted" ? listUnpostedSharing("payout") : listSharing("payout", which),
  );
  const firstWith = new Map<string, PayoutId>();
  const alike = new Set<PayoutId>();
  for (const ids of chunks(sharing as readonly PayoutId[], PAYOUTS_TOGETHER))
    for (const { resource } of (await store.read(() => knownPayoutsOf(ids))).values())
      for (const name of movementNames(resource)) {
        const first = firstWith.get(name) ?? resource.payoutId;
        firstWith.set(name, first);
        if (first !== resource.payoutId) alike.add(first).add(resource.payoutId);
      }
  const known = await store.read(() => knownPayoutsOf([...alike]));
  return new SentClaims(
    [...known.values()].map(({ resource: payout, beforeBaseline }) => ({ payout, beforeBaseline })),
  );
}
