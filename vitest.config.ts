import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Many tests wait for processes and a service: two workers fit two cores also where vitest would take one.
    maxWorkers: 2,
  },
});
