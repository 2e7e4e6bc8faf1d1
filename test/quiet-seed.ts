/** Seeds for tests in which nobody but the test acts at the service, or not at once. */
import { present } from "../src/model/present.ts";
import { demoSeed, type SandboxSeedInput } from "../src/sandbox/index.ts";

/**
 * The demo's seed without the foreign activity of its first seconds, which a slow machine would show in the midst
 * of a test.
 */
export const NOBODY_ELSE: SandboxSeedInput = { ...demoSeed, deposits: [], foreignPayouts: [] };

/**
 * The demo's seed, in which nothing happens for this long: what a test does first comes first on a slow machine,
 * too.
 */
export function livingLater(laterMs: number): SandboxSeedInput {
  const { deposits, foreignPayouts, ...seed } = demoSeed;
  const later = <Event extends { readonly afterMs?: number | undefined }>(event: Event) => ({
    ...event,
    afterMs: (event.afterMs ?? 0) + laterMs,
  });
  return {
    ...seed,
    ...present({
      foreignPayouts: foreignPayouts?.map(later),
      deposits: deposits?.map((deposit) => ({
        ...deposit,
        expiryAfterMs: (deposit.expiryAfterMs ?? 0) + laterMs,
        parts: deposit.parts?.map(later),
      })),
    }),
  };
}
