/**
 * Creates a configuration, a sample chart of accounts and the folders; for the sandbox also the keys and the roster
 * of a trial. Overwrites nothing, makes no calls.
 */
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { ConfigFault, type Environment, loadConfig } from "../config/index.ts";
import { startingConfiguration, withSchemaPath } from "../config/starting-configuration.ts";
import { writeOnce } from "../context/files.ts";
import { fault, type Problem } from "../faults/index.ts";
import { introduceAll } from "../proof/trial.ts";
import { openFolder } from "../workplace/folders.ts";
import { openWorkplace } from "../workplace/workplace.ts";
import { configValues, type InitAnswers, type SecretName, type SecretPlace } from "./init-answers.ts";

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

interface Filling {
  /** For a trial at the sandbox: the environment of its commands. */
  readonly sandboxIn?: Environment;
  /** The owner's; typed secrets get their own files. */
  readonly answers?: InitAnswers;
}

/**
 * Creates a configuration at `configPath` from the samples in `packageFolder`. With one of `Filling` nothing is left
 * to fill in. Throws OUTPUT_EXISTS if there is a configuration, and OUTPUT_UNWRITABLE.
 */
export async function initStep(
  configPath: string,
  packageFolder: string,
  { sandboxIn, answers }: Filling,
): Promise<InitReport> {
  if (existsSync(configPath)) throw fault("OUTPUT_EXISTS", { path: configPath }, { file: configPath });
  const path = resolve(configPath);
  const folder = dirname(path);
  await openFolder(folder, "--config");
  for (const name of FOLDERS) await openFolder(join(folder, name), `folders.${name}`);
  const chart = join(folder, CHART);
  const isChartThere = existsSync(chart);
  const takesSample = !isChartThere && answers?.chart === undefined;
  if (takesSample)
    await writeOnce(chart, (temporaryPath) => cp(join(packageFolder, "samples", CHART), temporaryPath));
  const sample = readFileSync(join(packageFolder, "samples", "paydrop.yaml"), "utf8");
  const schema = relative(folder, join(packageFolder, "docs", "paydrop.schema.json")).replaceAll("\\", "/");
  const values = answers && configValues(answers);
  const text = sandboxIn === undefined ? startingConfiguration(sample, values) : sample;
  const secrets = answers === undefined ? [] : await writeSecrets(folder, answers.secrets);
  await writeOnce(path, (temporaryPath) => writeFile(temporaryPath, withSchemaPath(text, schema)));
  if (sandboxIn !== undefined) await makeTrial(path, sandboxIn);
  return {
    written: [path, ...(takesSample ? [chart] : []), ...secrets],
    kept: isChartThere ? [chart] : [],
    toFillIn: unfilled(path),
  };
}

/** The file that says where the secrets are: shells and systemd's `EnvironmentFile=` read it. */
export const ENVIRONMENT_FILE = "paydrop.env";

const SECRETS_FOLDER = "secrets";

/** Typed secrets get a file each that only their owner can read. Returns the paths of all files written. */
async function writeSecrets(folder: string, secrets: readonly SecretPlace[]): Promise<string[]> {
  const written: string[] = [];
  const lines: string[] = [];
  for (const place of secrets) {
    if ("isInEnvironment" in place) continue;
    const file = "file" in place ? place.file : secretFile(folder, place.name);
    if ("typed" in place) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, `${place.typed}\n`, { mode: 0o600, flag: "wx" });
      written.push(file);
    }
    lines.push(`${place.name}_FILE=${/^[\w./-]+$/.test(file) ? file : JSON.stringify(file)}`);
  }
  if (lines.length === 0) return written;
  const path = join(folder, ENVIRONMENT_FILE);
  await writeFile(path, `# Where the secrets are, not what they are.\n${lines.join("\n")}\n`, {
    mode: 0o640,
    flag: "wx",
  });
  return [...written, path];
}

/** "PAYDROP_SIGNING_SECRET" is in secrets/signing-secret. */
export function secretFile(folder: string, name: SecretName): string {
  return join(folder, SECRETS_FOLDER, name.replace("PAYDROP_", "").toLowerCase().replaceAll("_", "-"));
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
