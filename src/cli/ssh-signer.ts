/**
 * Has people sign at the terminal, by OpenSSH: with a key in a file, in an agent or on a security key. OpenSSH asks
 * for its passphrase, PIN or touch. Paydrop never reads a private key. The text to sign is always shown first.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { type Environment, withoutSecrets } from "../config/index.ts";
import { inTemporaryFolder } from "../context/files.ts";
import { type Fault, fault, type Reason } from "../faults/index.ts";
import { applying } from "../model/applying.ts";
import { fingerprintOf, SIGNATURE_NAMESPACE, statementWords } from "../people/index.ts";
import type { AskedToSign, Sign } from "../workplace/sign.ts";
import type { Output } from "./output.ts";
import { confirm } from "./terminal.ts";

interface Terminal {
  readonly output: Output;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** The key file of `--sign-with`. */
  readonly signWith?: string | undefined;
}

/** Signs with the key of `--sign-with`, otherwise with the first suitable key of the agent or of ~/.ssh. */
export function sshSigner(terminal: Terminal): Sign {
  return (asked) =>
    inTemporaryFolder("sign", async (folder) => {
      const { person, text } = asked;
      const { output, environment, signal } = terminal;
      const open: Opened = { environment: withoutSecrets(environment), signal, folder };
      const key = await findKey(terminal, open, asked);
      output.complain(`what is signed, as ${person}:\n${statementWords(text)}`);
      output.complain(`  by the key ${key.fingerprint} (${key.place})`);
      await confirm(terminal, `Sign this as ${person}?`, process.stdin.isTTY !== true);
      if (key.isOnDevice) output.complain("Touch the security key when it blinks.");
      return { text, signature: await signedBy(open, key, text) };
    });
}

interface Opened {
  /** For OpenSSH's programs. */
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Only this user can read it. */
  readonly folder: string;
}

interface FoundKey {
  readonly fingerprint: string;
  /**
   * The argument of `ssh-keygen -Y sign -f`: a private key, or a public one whose private half is beside it or in
   * the agent.
   */
  readonly path: string;
  /** The key's place in words. */
  readonly place: string;
  readonly isOnDevice: boolean;
}

/** Throws PROOF_MISSING. */
async function findKey(
  { signWith }: Terminal,
  open: Opened,
  { person, credentials, orKeys = [] }: AskedToSign,
): Promise<FoundKey> {
  const bySsh = credentials.filter(({ passkey }) => passkey === undefined);
  const wanted = new Set([...bySsh.map(fingerprintOf), ...orKeys]);
  const missing = (why: Reason<"PROOF_MISSING">): Fault => fault("PROOF_MISSING", { person, ...why });
  const keys = [...wanted].join(", ");
  if (wanted.size === 0) throw missing({ reason: "passkeys" });
  if (signWith !== undefined) {
    const key = await keyInFile(open, signWith);
    if (wanted.has(key.fingerprint)) return key;
    throw missing({ reason: "key", path: signWith, fingerprint: key.fingerprint, keys });
  }
  const home = open.environment["HOME"];
  for (const key of [...(await agentKeys(open)), ...(await homeKeys(home))])
    if (wanted.has(key.fingerprint)) return key;
  const hasAgent = Boolean(open.environment["SSH_AUTH_SOCK"]);
  const places = applying(hasAgent && "the SSH agent", home ? join(home, ".ssh") : undefined);
  const looked = `${places.join(" and ") || "nowhere"}${hasAgent ? "" : ", since no SSH agent is running"}`;
  throw missing({ reason: "absent", keys, places: looked });
}

/** OpenSSH knows the fingerprint of a private key even while the key is locked. Throws SIGNING_FAILED. */
async function keyInFile(open: Opened, path: string): Promise<FoundKey> {
  const { exitCode, stdout, stderr } = await run(open, "ssh-keygen", ["-l", "-f", path]);
  const [, fingerprint = ""] = stdout.split(" ");
  if (exitCode !== 0 || !fingerprint.startsWith("SHA256:"))
    throw failed(wordsOf(stderr) || `${path} is no key`);
  return { fingerprint, path, place: path, isOnDevice: /-SK\)\s*$/.test(stdout) };
}

async function agentKeys(open: Opened): Promise<FoundKey[]> {
  if (!open.environment["SSH_AUTH_SOCK"]) return [];
  const { exitCode, stdout } = await run(open, "ssh-add", ["-L"]);
  if (exitCode !== 0) return [];
  const keys = stdout.split("\n").filter((line) => line !== "");
  return Promise.all(
    keys.map(async (line, index) => {
      const path = join(open.folder, `agent-${index}.pub`);
      await writeFile(path, `${line}\n`, { mode: 0o600 });
      return publicKey(line, path, "in the SSH agent");
    }),
  );
}

async function homeKeys(home = ""): Promise<FoundKey[]> {
  const folder = join(home, ".ssh");
  if (home === "" || !existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".pub")).toSorted();
  const withPrivate = names
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path.slice(0, -".pub".length)));
  return Promise.all(
    withPrivate.map(async (path) =>
      publicKey(await readFile(path, "utf8"), path, path.slice(0, -".pub".length)),
    ),
  );
}

function publicKey(line: string, path: string, place: string): FoundKey {
  const [type = "", base64 = ""] = line.trim().split(" ");
  const isOnDevice = type.startsWith("sk-");
  return { fingerprint: fingerprintOf({ key: `${type} ${base64}` }), path, place, isOnDevice };
}

/** The armored signature, as OpenSSH wrote it. Throws SIGNING_FAILED. */
async function signedBy(open: Opened, { path }: FoundKey, text: string): Promise<string> {
  // In a file, because OpenSSH asks for a passphrase only if its input is the terminal.
  const statement = join(open.folder, "statement.json");
  await writeFile(statement, text, { mode: 0o600 });
  const args = ["-Y", "sign", "-n", SIGNATURE_NAMESPACE, "-f", path, statement];
  const { exitCode, stderr } = await run(open, "ssh-keygen", args);
  if (exitCode !== 0) throw failed(wordsOf(stderr) || `ssh-keygen ended with ${exitCode ?? "a signal"}`);
  return readFile(`${statement}.sig`, "utf8");
}

/** OpenSSH's message, without the name of our temporary file. */
function wordsOf(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/).filter((line) => !/^(?:Signing file|Write signature to) /.test(line));
  return lines.join("; ").replace(/; $/, "");
}

function failed(reason: string): Fault {
  return fault("SIGNING_FAILED", { reason });
}

/** Runs a program of OpenSSH, which may ask the person at the terminal. Throws SIGNING_FAILED if it cannot run. */
async function run({ environment: env, signal }: Opened, program: string, args: readonly string[]) {
  const child = spawn(program, args, { env, signal, stdio: ["inherit", "pipe", "pipe"] });
  const ended = once(child, "close").catch((cause: unknown) => {
    throw fault(
      "SIGNING_FAILED",
      { reason: `${program} ${signal.aborted ? "was stopped" : "could not be run"}` },
      {},
      { cause },
    );
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended]);
  return { exitCode: exitCode as number | null, stdout, stderr };
}
