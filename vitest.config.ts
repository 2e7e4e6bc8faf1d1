import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { filesWithoutTheirProgram } from "./test/programs.ts";

/**
 * Files that take longest. Without an earlier run's times vitest begins with the largest ones, and would end waiting for
 * these.
 */
const LONGEST = [
  "/simulation/",
  "/processes/",
  "/soak/",
  "files/golden-verdicts",
  "desk/whole-way",
  "desk/every-page",
  "end-to-end/demo",
  "people/verifying",
  "payments/damaged-answers",
  "payments/framed-answers",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.includes(name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** About PostgreSQL alone: `npm run test:postgres` runs them. */
const OF_POSTGRES = [
  "processes/{cut-connections,fleet,postgres}",
  "store/{lane-lease,postgres-store}",
  "workplace/agreement",
].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      ...configDefaults.exclude,
      ...filesWithoutTheirProgram(),
      ...(process.env["TEST_ENGINE"] === "postgresql" ? [] : OF_POSTGRES),
    ],
    // For a machine with much else to do; a test that hangs is found all the same.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    globalSetup: ["test/run-folder.ts", "test/program-bundle.ts", "test/postgres-server.ts"],
    setupFiles: "test/run-cleanup.ts",
    // Half of a short test file's time is loading the house: a worker loads it once for all its files.
    isolate: false,
    // Node loads TypeScript itself, as for every command. Vitest's own loader would read each import through a getter, which
    // makes tests a tenth slower; only mocks of whole modules need it.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Many tests wait for processes and a service, so two cores take more workers than vitest would start. Five use no more
    // CPU time than three, since a worker loads the house once.
    maxWorkers: 5,
    // Each worker would collect garbage in as many threads as there are cores, which wait for each other: a seventh of all CPU.
    execArgv: ["--single-threaded-gc"],
    sequence: { sequencer: LongestFirst },
  },
});
