/** A seed for tests in which nobody but the test acts at the service. */
import { demoSeed, type SandboxSeedInput } from "../src/sandbox/index.ts";

/** The demo's seed without the foreign activity of its first seconds, which a slow machine would show in the midst of a test. */
export const NOBODY_ELSE: SandboxSeedInput = { ...demoSeed, deposits: [], foreignPayouts: [] };
