import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ["test/run-folder.ts", "test/postgres-server.ts"],
    setupFiles: "test/at-end-of-file.ts",
    // Half of a short test file's time is loading the house: a worker loads it once for all its files.
    isolate: false,
    // Many tests wait for processes and a service: two workers fit two cores also where vitest would take one.
    maxWorkers: 2,
  },
});
