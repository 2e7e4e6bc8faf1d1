/** `paydrop sandbox` */
import { once } from "node:events";
import { ConfigFault } from "../../config/config-fault.ts";
import { present } from "../../model/present.ts";
import type { NoncePolicy, SandboxOptions } from "../../sandbox/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Session } from "../session.ts";

/** Command-line switches override the options file. */
interface SandboxSettings
  extends Pick<SandboxOptions, "database" | "stepMs" | "visibilityLagMs" | "otpSingleUse" | "randomSeed"> {
  readonly port: number;
  /** Path of an options file; default: the demo's seed. */
  readonly seed?: string;
  readonly latencyMs: number;
  readonly nonceRule?: NoncePolicy["rule"];
  readonly control?: boolean;
}

/** Serves until SIGHUP, SIGINT or SIGTERM. The first line on stdout is its address, for programs that start it. */
export async function sandboxCommand(session: Session, settings: SandboxSettings): Promise<ExitCode> {
  const { seed: file, nonceRule, ...others } = settings;
  // Loaded only now: no other command needs a server, and loading one takes a while.
  const { demoSeed, readOptionsFile, startSandbox } = await import("../../sandbox/index.ts");
  const { options, problems } = file === undefined ? { options: {}, problems: [] } : readOptionsFile(file);
  if (options === undefined) throw new ConfigFault(problems);
  const nonce = { ...options.nonce, ...present({ rule: nonceRule }) };
  const sandbox = await startSandbox({ seed: demoSeed, ...options, ...others, nonce });
  session.output.answer({ url: sandbox.url }, () => `sandbox at ${sandbox.url}; Ctrl-C stops it`);
  if (!session.signal.aborted) await once(session.signal, "abort");
  await sandbox.close();
  return EXIT.done;
}
