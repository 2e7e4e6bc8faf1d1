/** Loads a test's configuration from a real file: its values, or all refusals. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, ConfigFault, type Environment, loadConfig } from "../../src/config/index.ts";
import { Fault, type Problem } from "../../src/faults/index.ts";

export const folder = mkdtempSync(join(tmpdir(), "paydrop-config-"));

export function load(text: string | Uint8Array, environment: Environment = {}): Config {
  const path = join(folder, "paydrop.yaml");
  writeFileSync(path, text);
  return loadConfig(path, environment);
}

/** All problems, in order. */
export function refused(text: string | Uint8Array, environment: Environment = {}): readonly Problem[] {
  try {
    load(text, environment);
  } catch (error) {
    if (error instanceof ConfigFault) return [error.problem, ...error.otherProblems];
    if (error instanceof Fault) return [error.problem];
    throw error;
  }
  throw new Error("the configuration was accepted");
}
