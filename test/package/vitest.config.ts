/**
 * `npm run test:package`: packs Paydrop as it is released. Not in the suite, because packing removes `dist` and
 * builds it.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/package/*.package.ts"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    globalSetup: ["test/run-folder.ts"],
  },
});
