/** The package as `npm pack` makes it, installed into an empty folder that reaches no registry. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Without what the clone's npm gives its scripts: the installed program must find everything by itself. */
const { HOME, LC_ALL } = process.env;
const environment = {
  HOME,
  LC_ALL,
  PATH: [dirname(process.execPath), ...(process.env["PATH"] ?? "").split(delimiter).filter(isOfSystem)].join(
    delimiter,
  ),
};

function isOfSystem(folder: string): boolean {
  return !folder.includes("node_modules");
}

export interface Packed {
  /** The path of the .tgz file. */
  readonly file: string;
  /** Paths inside the package. */
  readonly contents: readonly string[];
}

/** Runs `npm pack` in the clone. */
export async function pack(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), "packed-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    maxBuffer: 64 * 1024 ** 2,
  });
  // The build prints before it.
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  return { file: join(folder, filename), contents: files.map(({ path }: { path: string }) => path) };
}

/** Installs the file into an empty folder by npm, which has neither a network nor a cache; returns the folder. */
export async function install(file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "installed-"));
  writeFileSync(join(folder, "package.json"), "{}");
  const cache = mkdtempSync(join(tmpdir(), "empty-cache-"));
  await run("npm", ["install", "--offline", "--cache", cache, file], { cwd: folder, env: environment });
  return folder;
}

/** Runs the installed program by its name and returns what it printed on stdout. Throws unless it exits with 0. */
export async function paydrop(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run("npx", ["--no", "--", "paydrop", ...args], { cwd: folder, env: environment });
  return stdout;
}

/** Starts the installed program, waits for a line that matches, and returns that match and what stops it. */
export async function start(folder: string, args: readonly string[], line: RegExp, variables = {}) {
  const program = join(folder, "node_modules", ".bin", "paydrop");
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...environment, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (data) => {
    complaints += data;
  });
  for await (const text of createInterface({ input: child.stdout })) {
    const found = line.exec(text);
    if (found === null) continue;
    child.stdout.resume();
    const stop = async (): Promise<number | null> => {
      const ended = once(child, "exit") as Promise<[number | null]>;
      child.kill("SIGTERM");
      return (await ended)[0];
    };
    return { found, stop };
  }
  throw new Error(`paydrop ${args.join(" ")} ended before it was ready: ${complaints}`);
}
