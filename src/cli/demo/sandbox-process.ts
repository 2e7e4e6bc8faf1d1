/** A sandbox in a process of its own, as a service would be: reached over HTTP only. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { fault } from "../../faults/index.ts";

export type SandboxProcess = Awaited<ReturnType<typeof startSandboxProcess>>;

const creation = z.looseObject({ reference: z.string(), payoutId: z.string() });

/** Starts this very program as `paydrop sandbox` on a free port, and waits until it serves. */
export async function startSandboxProcess(database: string) {
  const [, program = ""] = process.argv;
  const options = ["--port", "0", "--database", database, "--latency-ms", "150", "--control"];
  const child = spawn(process.execPath, [program, "--quiet", "sandbox", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await addressOf(child);
  return {
    url,
    /** The creations that really arrived at the sandbox and were carried out, by its own count. */
    creations: async () => z.array(creation).parse(await (await fetch(`${url}/control/creations`)).json()),
    stop: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw fault("INVARIANT_BROKEN", { what: "the sandbox process has no output" });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+?(?=;|\s|$)/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw fault("SERVICE_UNREACHABLE", { baseUrl: "the demo's sandbox", reason: "it ended before it served" });
}
