/** Runs the sandbox in a separate process, like a real service: reached only over HTTP. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Agent, fetch, type RequestInit } from "undici";
import { z } from "zod";
import { fault } from "../../faults/index.ts";
import { demoSeed } from "../../sandbox/demo-seed.ts";
import type { FaultScript } from "../../sandbox/index.ts";
import type { DemoFolder } from "./demo-folder.ts";

export type SandboxProcess = Awaited<ReturnType<typeof startSandboxProcess>>;

const creation = z.looseObject({ reference: z.string(), payoutId: z.string() });

const CONFLICT = 409;

/**
 * Starts this program as `paydrop sandbox`, on a free port unless one is given, and waits until it serves. The
 * sandbox's other parties become active only when the demo says so, after its opening balances are taken, however
 * slow the machine.
 */
export async function startSandboxProcess({ sandboxDatabase, sandboxSeed }: DemoFolder, port = 0) {
  const [, program = ""] = process.argv;
  const { deposits = [], foreignPayouts = [], ...seed } = demoSeed;
  await writeFile(sandboxSeed, JSON.stringify({ seed }));
  const files = ["--database", sandboxDatabase, "--seed", sandboxSeed];
  const options = ["--port", String(port), "--latency-ms", "150", "--control", ...files];
  const child = spawn(process.execPath, [program, "--quiet", "sandbox", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child, "spawn");
  const url = await addressOf(child);
  // Node's own fetch would go through a proxy that the environment names.
  const dispatcher = new Agent();
  const control = (path: string, request: RequestInit = {}) =>
    fetch(`${url}/control/${path}`, { ...request, dispatcher });
  const command = async (path: string, body: unknown, method = "POST") => {
    const answer = await control(path, { method, body: JSON.stringify(body) });
    if (!answer.ok && answer.status !== CONFLICT)
      throw fault("INVARIANT_BROKEN", { what: `the sandbox says ${await answer.text()}` });
    return answer.ok;
  };
  return {
    url,
    /** The creations that the sandbox itself counts as received and carried out. */
    creations: async () => z.array(creation).parse(await (await control("creations")).json()),
    /** Makes payers fill deposits and another program pay out, within five seconds; once in the sandbox's life. */
    letOthersBegin: async () => {
      for (const deposit of deposits) if (!(await command("deposits", deposit))) return;
      for (const payout of foreignPayouts) await command("foreign-payouts", payout);
    },
    /** Sets the faults that apply from the next request on. */
    setFaults: (scripts: readonly FaultScript[]) => command("faults", scripts, "PUT"),
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
