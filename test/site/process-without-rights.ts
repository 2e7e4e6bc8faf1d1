/**
 * Starts `without-rights.ts` where a user who owns nothing can load the program, and asks it; its end is an answer
 * too.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, lchownSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Order } from "./without-rights.ts";

/** A user who owns nothing, on every Unix. */
export const NOBODY = 65_534;

const CLONE = fileURLToPath(new URL("../..", import.meta.url));

const SCRIPT = "test/site/without-rights.ts";

export interface ProcessWithoutRights {
  /** Rejects with the process's own words if it has ended, or ends before it answers. */
  ask(order: Order): Promise<unknown>;
  end(): void;
}

export function startWithoutRights(clone = readableClone()): ProcessWithoutRights {
  const stdio = ["ignore", "inherit", "pipe", "ipc"] as const;
  const child = fork(join(clone, SCRIPT), [`${NOBODY}`], { serialization: "advanced", stdio: [...stdio] });
  const ended = wordsAtEnd(child);
  return {
    ask: async (order) => {
      const answered = once(child, "message").then(([answer]) => answer as unknown);
      // What goes wrong here is the process's end, which says more.
      if (child.connected) child.send(order, () => undefined);
      const failed = ended.then((said) => {
        throw new Error(`the process without root's rights has ended: ${said}`);
      });
      return Promise.race([answered, failed]);
    },
    end: () => {
      child.kill();
    },
  };
}

async function wordsAtEnd(child: ChildProcess): Promise<string> {
  const closed = once(child, "close");
  const said = child.stderr === null ? "" : await text(child.stderr);
  const [exitCode, signal] = await closed;
  return `${exitCode ?? signal}, ${said}`;
}

/** The clone, or if others cannot enter its folder, what of it runs, copied for that user. */
function readableClone(): string {
  if (process.getuid?.() !== 0 || isOpenToOthers(join(CLONE, "src"))) return CLONE;
  const copy = mkdtempSync(join(tmpdir(), "clone-"));
  for (const name of ["package.json", "src", SCRIPT, ...installedPackages()])
    cpSync(join(CLONE, name), join(copy, name), { recursive: true });
  for (const name of ["", ...readdirSync(copy, { recursive: true, encoding: "utf8" })])
    lchownSync(join(copy, name), NOBODY, NOBODY);
  return copy;
}

function isOpenToOthers(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  return isOpen && (dirname(folder) === folder || isOpenToOthers(dirname(folder)));
}

/** Those that Paydrop runs with, not those that only its tests need. */
function installedPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(CLONE, "package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const needed = Object.keys(packages).filter((path) => path !== "" && packages[path]?.dev !== true);
  // Those for other systems are not there.
  return needed.filter((path) => existsSync(join(CLONE, path)));
}
