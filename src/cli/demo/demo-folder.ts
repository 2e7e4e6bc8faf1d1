/** The demo's folder: the samples as a user would have them, and a configuration that points at the demo's sandbox. */
import { cp, mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Environment } from "../../config/index.ts";

/** samples/ of this package, from src/cli/demo and from dist/src/cli/demo alike. */
const SAMPLES = fileURLToPath(
  new URL(import.meta.url.includes("/dist/") ? "../../../../samples/" : "../../../samples/", import.meta.url),
);

export const DROPPED_FILES = ["payouts.csv", "payouts.xlsx", "broken.csv"] as const;

export interface DemoFolder {
  readonly path: string;
  readonly configPath: string;
  readonly sandboxDatabase: string;
  /** Copies the sample files into the inbox, as a person would. */
  dropSamples(): Promise<void>;
  /** The sandbox's address and the demo's secrets; none of them is worth anything elsewhere. */
  environment(base: Environment, sandboxUrl: string): Environment;
}

export async function openDemoFolder(folder: string, fresh: boolean): Promise<DemoFolder> {
  const path = resolve(folder);
  if (fresh) await rm(path, { recursive: true, force: true });
  const inbox = join(path, "inbox");
  await mkdir(inbox, { recursive: true });
  const configPath = join(path, "paydrop.yaml");
  await cp(join(SAMPLES, "paydrop.yaml"), configPath);
  await cp(join(SAMPLES, "chart-of-accounts.csv"), join(path, "chart-of-accounts.csv"));
  return {
    path,
    configPath,
    sandboxDatabase: join(path, "sandbox.sqlite"),
    dropSamples: async () => {
      for (const file of DROPPED_FILES) await cp(join(SAMPLES, file), join(inbox, file));
    },
    environment: (base, sandboxUrl) => ({
      PATH: base["PATH"],
      PAYDROP_SERVICE_BASE_URL: sandboxUrl,
      PAYDROP_KEY: "demo-key",
      PAYDROP_SIGNING_SECRET: "demo-signing-secret-0001",
      PAYDROP_OTP_SECRET: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    }),
  };
}
