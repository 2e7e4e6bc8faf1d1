/** `paydrop sandbox` */
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Session } from "../session.ts";

export interface SandboxSettings {
  readonly port: number;
  readonly database?: string;
  readonly stepMs: number;
  readonly latencyMs: number;
  readonly control?: boolean;
}

/** Serves until SIGINT or SIGTERM. Its first line on stdout names its address, so that a program can start it. */
export async function sandboxCommand(session: Session, settings: SandboxSettings): Promise<ExitCode> {
  // Only this command needs a server, and loading one takes a while.
  const { demoSeed, startSandbox } = await import("../../sandbox/index.ts");
  const sandbox = await startSandbox({ ...settings, seed: demoSeed });
  session.output.answer({ url: sandbox.url }, () => `sandbox at ${sandbox.url}; Ctrl-C stops it`);
  await new Promise((resolve) => session.signal.addEventListener("abort", resolve, { once: true }));
  await sandbox.close();
  return EXIT.done;
}
