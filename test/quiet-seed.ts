/** Seeds for tests in which only the test acts at the service, or others act only later. */
import { present } from "../src/model/present.ts";
import { demoSeed, type SandboxSeedInput } from "../src/sandbox/index.ts";

/**
 * The demo's seed without the foreign activity of its first seconds, which a slow machine would show in the midst
 * of a test.
 */
export const NOBODY_ELSE: SandboxSeedInput = { ...demoSeed, deposits: [], foreignPayouts: [] };

/**
 * The demo's seed, in which nothing happens for this long, so that a test's first steps come first even on a slow
 * machine.
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
