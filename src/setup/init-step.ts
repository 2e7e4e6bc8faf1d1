/**
 * Creates a configuration, a sample chart of accounts and the folders; for the sandbox also the keys and the roster
 * of a trial. Overwrites nothing, makes no calls.
 */
import { existsSync, readFileSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { ConfigFault, type Environment, loadConfig } from "../config/index.ts";
import { startingConfiguration, withSchemaPath } from "../config/starting-configuration.ts";
import { writeOnce } from "../context/files.ts";
import { fault, type Problem } from "../faults/index.ts";
import { introduceAll } from "../proof/trial.ts";
import { openFolder } from "../workplace/folders.ts";
import { openWorkplace } from "../workplace/workplace.ts";

const CHART = "chart-of-accounts.csv";

const FOLDERS = ["inbox", "work", "outbox", "archive", "ledger", "nights"] as const;

export interface InitReport {
  /** Absolute paths of the files written. */
  readonly written: readonly string[];
  /** Absolute paths of files that existed and were kept. */
  readonly kept: readonly string[];
  /** The keys that only the owner can fill in, each with what it expects. */
  readonly toFillIn: readonly Problem[];
}

/**
 * Creates a configuration at `configPath` from the samples in `packageFolder`; with `sandboxIn`, the environment of its
 * commands, nothing is left to fill in. Throws OUTPUT_EXISTS if there is one, and OUTPUT_UNWRITABLE.
 */
export async function initStep(
  configPath: string,
  packageFolder: string,
  sandboxIn?: Environment,
): Promise<InitReport> {
  if (existsSync(configPath)) throw fault("OUTPUT_EXISTS", { path: configPath }, { file: configPath });
  const path = resolve(configPath);
  const folder = dirname(path);
  await openFolder(folder, "--config");
  for (const name of FOLDERS) await openFolder(join(folder, name), `folders.${name}`);
  const chart = join(folder, CHART);
  const isChartThere = existsSync(chart);
  if (!isChartThere)
    await writeOnce(chart, (temporaryPath) => cp(join(packageFolder, "samples", CHART), temporaryPath));
  const sample = readFileSync(join(packageFolder, "samples", "paydrop.yaml"), "utf8");
  const schemaPath = relative(folder, join(packageFolder, "docs", "paydrop.schema.json")).replaceAll(
    "\\",
    "/",
  );
  const text = withSchemaPath(sandboxIn === undefined ? startingConfiguration(sample) : sample, schemaPath);
  await writeOnce(path, (temporaryPath) => writeFile(temporaryPath, text));
  if (sandboxIn !== undefined) await makeTrial(path, sandboxIn);
  return {
    written: isChartThere ? [path] : [path, chart],
    kept: isChartThere ? [chart] : [],
    toFillIn: unfilled(path),
  };
}

async function makeTrial(path: string, environment: Environment): Promise<void> {
  const workplace = openWorkplace(path, environment);
  try {
    await introduceAll(workplace);
  } finally {
    await workplace.close();
  }
}

/** The keys that the schema itself finds missing, so that this list and every later refusal agree. */
function unfilled(path: string): readonly Problem[] {
  try {
    loadConfig(path, {});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return [error.problem, ...error.otherProblems];
  }
}
