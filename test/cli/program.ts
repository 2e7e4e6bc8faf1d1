/** The real program in a process of its own, as a person or script starts it, and folders for it to work in. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parse, parseDocument } from "yaml";
import type { FaultScript } from "../../src/sandbox/index.ts";
import { afterEachFile } from "../cleanup.ts";

/** The source, as a clone runs it. */
export const PROGRAM = fileURLToPath(new URL("../../src/cli/bin.ts", import.meta.url));

/** The same in a few files, which start in half the time (program-bundle.ts). */
export const BUNDLED_PROGRAM = process.env["TEST_PROGRAM"] ?? PROGRAM;

export const SAMPLES = fileURLToPath(new URL("../../samples/", import.meta.url));

/** What `paydrop sandbox` accepts; worth nothing elsewhere. */
export const SANDBOX_SECRETS = {
  PAYDROP_KEY: "demo-key",
  PAYDROP_SIGNING_SECRET: "demo-signing-secret-0001",
  PAYDROP_OTP_SECRET: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
};

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Ended {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end, with these environment variables and those that Node itself needs. */
export async function paydrop(
  folder: string,
  args: readonly string[],
  variables: Variables = {},
): Promise<Ended> {
  return endOf(startPaydrop(folder, args, variables));
}

/** Waits until a started command has ended. Call it at once, or its output is lost. */
export async function endOf(child: StartedCommand): Promise<Ended> {
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { exitCode, stdout, stderr };
}

const { PATH, NODE_COMPILE_CACHE } = process.env;
/** With the compile cache set in the environment, Node need not even compile its first module. */
export const NODE_ITSELF = { PATH, NODE_COMPILE_CACHE };

/** Starts a command that runs until it is stopped. `under`: a program with arguments that runs it, such as strace. */
export function startPaydrop(
  folder: string,
  args: readonly string[],
  variables: Variables = {},
  under: readonly string[] = [],
) {
  const [program = "", ...others] = [...under, process.execPath, BUNDLED_PROGRAM, ...args];
  const child = spawn(program, others, {
    cwd: folder,
    env: { ...NODE_ITSELF, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  return child;
}

export type StartedCommand = ReturnType<typeof startPaydrop>;

const ROOT = await mkdtemp(join(tmpdir(), "paydrop-"));
const started: ChildProcess[] = [];
afterEachFile(() => {
  // Left running by a failed test.
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
});

/** An empty folder. */
export function emptyFolder(): Promise<string> {
  return mkdtemp(join(ROOT, "folder-"));
}

/** A folder with the samples' configuration, chart and files, as docs/trial.md has a person make it. */
export async function workFolder(): Promise<string> {
  const folder = await emptyFolder();
  copySamples(folder);
  return folder;
}

/** Everybody's keys in all trials of one process, so that several machines have the same people. */
const TRIAL_KEYS = mkdtempSync(join(tmpdir(), "paydrop-trial-keys-"));

/** The samples' configuration, with the shared keys; without comments, since most tests read it, and some twice. */
const CONFIGURATION = readFileSync(join(SAMPLES, "paydrop.yaml"), "utf8")
  .replace("trialKeys: trial-keys", `trialKeys: ${TRIAL_KEYS}`)
  .replaceAll(/^ *#.*\n/gm, "");

export function copySamples(folder: string): void {
  cpSync(SAMPLES, folder, { recursive: true, filter: isSample });
  writeFileSync(join(folder, "paydrop.yaml"), CONFIGURATION);
}

/** What the program takes from the configuration file only. */
const DECIDING = /^PAYDROP_(APPROVAL|PEOPLE)_(.+)$/;

/**
 * Puts the settings of `approval` and `people` among `variables` into the file `to`, since nothing else may change
 * them, and returns the other variables. With a root of its own the configuration is no trial any more.
 */
export function intoFile(folder: string, variables: Variables, to = "paydrop.yaml"): Variables {
  if (to === "paydrop.yaml" && !isDeciding(variables)) return variables;
  const document = parseDocument(readFileSync(join(folder, "paydrop.yaml"), "utf8"));
  const others: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(variables)) {
    const [, section, key] = DECIDING.exec(name) ?? [];
    if (section === undefined || key === undefined) {
      others[name] = value;
      continue;
    }
    const camel = key.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    document.setIn([section.toLowerCase(), camel], document.createNode(parse(value ?? "")));
    if (camel === "root") document.deleteIn(["people", "trialKeys"]);
  }
  writeFileSync(join(folder, to), document.toString());
  return others;
}

export function isDeciding(variables: Variables): boolean {
  return Object.keys(variables).some((name) => DECIDING.test(name));
}

/**
 * Trying the samples' configuration leaves a database beside it; and the sandbox's file contains the service's secrets,
 * which do not belong among a payer's files.
 */
/** Without what the samples show of a ledger folder and of programs: each place has a ledger of its own. */
function isSample(path: string): boolean {
  return (
    !path.includes(".sqlite") &&
    !path.endsWith("sandbox.yaml") &&
    !["ledger", "code"].some((folder) => path.startsWith(join(SAMPLES, folder)))
  );
}

export interface SandboxProcess {
  readonly url: string;
  /** The address and secrets for a command that uses this sandbox. */
  readonly variables: Variables;
  /** The creations that were carried out, as counted by the sandbox. */
  creations(): Promise<readonly { readonly reference: string; readonly payoutId: string }[]>;
  /** Requests of any kind that arrived. */
  arrivals(): Promise<readonly unknown[]>;
  /** Applies these fault scripts from the next request on. */
  setFaults(scripts: readonly FaultScript[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `paydrop sandbox --port 0` with fast states. */
export async function startSandboxProcess(
  folder: string,
  ...options: readonly string[]
): Promise<SandboxProcess> {
  const args = ["sandbox", "--port", "0", "--control", "--step-ms", "40", ...options];
  const child = startPaydrop(folder, args);
  const url = await addressOf(child);
  const control = async (what: string) => JSON.parse(await (await fetch(`${url}/control/${what}`)).text());
  return {
    url,
    variables: { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: url },
    creations: () => control("creations"),
    arrivals: () => control("arrivals"),
    setFaults: async (scripts) => {
      const { status } = await fetch(`${url}/control/faults`, {
        method: "PUT",
        body: JSON.stringify(scripts),
      });
      if (status !== 204) throw new Error("the sandbox does not take these fault scripts");
    },
    stop: () => stop(child),
  };
}

async function addressOf(child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/[\d.:]+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error("the sandbox ended before it served");
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
