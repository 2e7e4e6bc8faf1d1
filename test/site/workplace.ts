/** A workplace in its own folder, with the samples' configuration, and a sandbox in this process to pay at. */
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Environment, openWorkplace, stderrLog, type Workplace } from "../../src/index.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { afterEachFile } from "../cleanup.ts";
import { copySamples, intoFile, isDeciding, SANDBOX_SECRETS } from "../cli/program.ts";
import { makeDatabase } from "../new-database.ts";
import { IS_ON_POSTGRES, newDatabaseNow } from "../postgres.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";

const ROOT = mkdtempSync(join(tmpdir(), "paydrop-pipeline-"));
const opened: { close(): Promise<void> }[] = [];

afterEachFile(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

export interface Place {
  readonly folder: string;
  readonly workplace: Workplace;
  /** Needed to open the same place again. */
  readonly environment: Environment;
}

/** `database`: a SQLite file that the place begins with, instead of an empty one. */
export function openPlace(given: Environment = {}, database?: string): Place {
  const folder = mkdtempSync(join(ROOT, "folder-"));
  copySamples(folder);
  if (database !== undefined) copyFileSync(database, join(folder, "paydrop.sqlite"));
  else if (!IS_ON_POSTGRES) makeDatabase(join(folder, "paydrop.sqlite"));
  const environment = { ...(IS_ON_POSTGRES ? onPostgres() : {}), ...intoFile(folder, given) };
  const workplace = openWorkplace(join(folder, "paydrop.yaml"), environment, stderrLog("silent"));
  opened.push(workplace);
  return { folder, workplace, environment };
}

/**
 * A SQLite file as `fill` leaves it, made once per worker: each signed change of a roster verifies all earlier ones.
 * Undefined on PostgreSQL.
 */
export function preparedDatabase(
  fill: (workplace: Workplace) => Promise<void>,
  environment: Environment = {},
): () => Promise<string | undefined> {
  const make = async () => {
    const { workplace } = openPlace(environment);
    await fill(workplace);
    await workplace.close();
    return workplace.config.databasePath;
  };
  let made: Promise<string> | undefined;
  return async () => {
    if (IS_ON_POSTGRES) return undefined;
    made ??= make();
    return made;
  };
}

let others = 0;

/**
 * Opens a place once more, as another process would; what `changes` say of `approval` and `people` stands in a file
 * of its own.
 */
export function openOther(folder: string, environment: Environment, changes: Environment = {}): Workplace {
  others += 1;
  const name = isDeciding(changes) ? `paydrop-${others}.yaml` : "paydrop.yaml";
  const more = isDeciding(changes) ? intoFile(folder, changes, name) : changes;
  return openWorkplace(join(folder, name), { ...environment, ...more }, stderrLog("silent"));
}

function onPostgres(): Environment {
  return { PAYDROP_DATABASE: "postgresql", DATABASE_URL: newDatabaseNow() };
}

/** A sandbox on a free port, and the environment variables to use it. */
export async function openSandboxFor(): Promise<{ sandbox: RunningSandbox; environment: Environment }> {
  const sandbox = await startSandbox({ seed: NOBODY_ELSE, stepMs: 20 });
  opened.push(sandbox);
  return { sandbox, environment: { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: sandbox.url } };
}
