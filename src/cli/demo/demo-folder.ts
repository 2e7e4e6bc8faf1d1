/** The demo's folder: the samples as a user would have them, and a configuration for the demo's sandbox. */
import { cp, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Environment } from "../../config/index.ts";
import { type Fault, fault, readFailure } from "../../faults/index.ts";
import { openFolder } from "../../workplace/folders.ts";
import { packageFolder } from "../package-folder.ts";

const SAMPLES = join(packageFolder, "samples");

/** Created first, so that a folder with this file is recognised as a demo's. */
const SANDBOX_DATABASE = "sandbox.sqlite";

const DROPPED_FILES = ["payouts.csv", "payouts.xlsx", "broken.csv"] as const;

export type DemoFolder = Awaited<ReturnType<typeof openDemoFolder>>;

/**
 * Opens the folder of an earlier demo or creates one. Throws USAGE for a folder with any other content,
 * OUTPUT_UNWRITABLE.
 */
export async function openDemoFolder(folder: string, fresh: boolean) {
  const path = resolve(folder);
  await checkIsOurs(path);
  if (fresh) await rm(path, { recursive: true, force: true });
  const inbox = join(path, "inbox");
  await openFolder(inbox, "--folder");
  const sandboxDatabase = join(path, SANDBOX_DATABASE);
  await writeFile(sandboxDatabase, "", { flag: "a" });
  const configPath = join(path, "paydrop.yaml");
  await cp(join(SAMPLES, "paydrop.yaml"), configPath);
  await cp(join(SAMPLES, "chart-of-accounts.csv"), join(path, "chart-of-accounts.csv"));
  return {
    path,
    configPath,
    sandboxDatabase,
    sandboxSeed: join(path, "sandbox.json"),
    /** Copies the sample files into the inbox, as a person would. */
    dropSamples: async () => {
      for (const file of DROPPED_FILES) await cp(join(SAMPLES, file), join(inbox, file));
    },
    /** The path of a sample file. */
    sample: (name: (typeof DROPPED_FILES)[number]) => join(SAMPLES, name),
    /** The sandbox's address and the demo's secrets, worthless anywhere else. */
    environment: (base: Environment, sandboxUrl: string): Environment => ({
      PATH: base["PATH"],
      PAYDROP_SERVICE_BASE_URL: sandboxUrl,
      ...demoSecrets,
    }),
  };
}

/** Protects other people's files: the demo overwrites a configuration, and `--fresh` deletes a folder. */
async function checkIsOurs(path: string): Promise<void> {
  const names = await readdir(path).catch((cause: NodeJS.ErrnoException): string[] => {
    if (cause.code === "ENOENT") return [];
    throw taken(path, notFolder(cause), cause);
  });
  if (names.length > 0 && !names.includes(SANDBOX_DATABASE))
    throw taken(path, "it holds files that are not a demo's");
}

function taken(path: string, reason: string, cause?: unknown): Fault {
  const how =
    "Name a new or an empty folder with `--folder`; the demo writes a configuration of its own there.";
  return fault("USAGE", { what: `the demo cannot use ${path}: ${reason}`, how }, {}, { cause });
}

function notFolder(cause: NodeJS.ErrnoException): string {
  return cause.code === "ENOTDIR" ? "it is a file" : readFailure(cause);
}

/** The default secrets of `paydrop sandbox`; worthless anywhere else. */
export const demoSecrets = {
  PAYDROP_KEY: "demo-key",
  PAYDROP_SIGNING_SECRET: "demo-signing-secret-0001",
  PAYDROP_OTP_SECRET: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
} as const;
