import { globSync, readFileSync } from "node:fs";
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

/**
 * Long proofs and rare conditions that take long: `npm run test:whole` runs them, and all cases of the files from which
 * `npm test` runs a part (test/slice.ts).
 */
const LONG_PROOFS = [
  "books/{beancount,spreadsheets}",
  "cli/{compile-cache,copied-folder,pasted-keys,paydrop-in-turn}",
  "desk/{connections,large-batch,proxy}",
  "end-to-end/demo",
  "expected/many-deposits",
  "files/{instructions-round-trip,long-files,round-trip,workbook-thread}",
  "nights/{incomplete-comparison,many-deposits,reconcile-while-paying,report-page,workbook}",
  "nights/planted/short-and-full",
  "observation/adaptive-paging",
  "payments/{accepted-by-class,adaptive-concurrency,between-runs,framed-answers,given-up-in-doubt,shifted-answers}",
  "payments/{side-by-side,through-a-proxy,undecided-payouts,unseen-around-addresses,untrue-answers}",
  "processes/{disk,side-by-side,signals}",
  "setup/{append-only-user,closed-folders,migrate}",
  "workplace/{configured-windows,same-service}",
].map((name) => `test/${name}.test.ts`);

const IS_WHOLE = process.env["TEST_WHOLE"] !== undefined;

/** `npx vitest run test/processes` runs what it names. */
const NAMES_FILES = process.argv.some((word) => word.startsWith("test/") && !word.endsWith(".config.ts"));

/** All long proofs: the files above, and those that run a part of their cases otherwise. */
function longProofs(): string[] {
  const sliced = globSync("test/**/*.test.ts").filter((file) =>
    readFileSync(file, "utf8").includes("/slice.ts"),
  );
  return [...LONG_PROOFS, ...sliced];
}

/** About PostgreSQL alone: `npm run test:postgres` runs them. */
const OF_POSTGRES = [
  "processes/{cut-connections,fleet,postgres}",
  "store/{lane-lease,postgres-store}",
  "workplace/agreement",
].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    // Long tests are focused where others of their file have run before (test/slice.ts).
    allowOnly: IS_WHOLE,
    include: IS_WHOLE && !NAMES_FILES ? longProofs() : ["test/**/*.test.ts"],
    exclude: [
      ...(IS_WHOLE || NAMES_FILES ? [] : LONG_PROOFS),
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
    // Many tests wait for processes and a service, so two cores take more workers than vitest would start. Six use no more
    // CPU time than three, since a worker loads the house once.
    maxWorkers: 6,
    // Each worker would collect garbage in as many threads as there are cores, which wait for each other: a seventh of all
    // CPU. And it would begin with so little room for new values that it collects all the time: a tenth.
    execArgv: ["--single-threaded-gc", "--min-semi-space-size=16", "--max-semi-space-size=64"],
    sequence: { sequencer: LongestFirst },
  },
});
