/**
 * A folder in which people prove who they are at the terminal, with keys that OpenSSH made, and a sandbox to pay
 * at.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEachFile } from "../cleanup.ts";
import { firstWordsOf } from "../first-words.ts";
import { type Key, makeKey } from "../people/keys.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { type Ended, emptyFolder, intoFile, type Variables, workFolder } from "./program.ts";

export interface PeoplePlace {
  readonly folder: string;
  /** Of the root: dave's, who is an admin and may approve. */
  readonly dave: Key;
  readonly variables: Variables;
  /** Runs a command that signs with a key. */
  by(key: Key, ...args: readonly string[]): Promise<Ended>;
  /** Runs a command for which no key is named; there is neither an agent nor ~/.ssh, unless `variables` say so. */
  run(args: readonly string[], variables?: Variables): Promise<Ended>;
  /** Adds a person with a key that the admin knows. */
  add(name: string, key: Key, ...roles: readonly string[]): Promise<Ended>;
  /** Invites a person; returns the one-time code. */
  invite(name: string, ...roles: readonly string[]): Promise<string>;
}

/** dave is the root's admin; nobody else is on the roster. */
export async function peoplePlace(given: Variables = {}): Promise<PeoplePlace> {
  const folder = await workFolder();
  const dave = makeKey();
  const variables = { ...intoFile(folder, rootedIn(dave)), HOME: await emptyFolder(), ...given };
  const run = (args: readonly string[], others: Variables = {}) =>
    paydropInTurn(folder, args, { ...variables, ...others });
  const by = (key: Key, ...args: readonly string[]) => run(["--sign-with", key.path, ...args]);
  const added = (name: string, roles: readonly string[]) => ["people", "add", name, "--role", ...roles];
  const place: PeoplePlace = {
    folder,
    dave,
    variables,
    run,
    by,
    add: (name, key, ...roles) => by(dave, ...added(name, roles), "--key", `${key.path}.pub`, "--by", "dave"),
    invite: async (name, ...roles) => {
      const { stdout } = await by(dave, "--json", ...added(name, roles), "--by", "dave");
      return JSON.parse(stdout).invitation.code;
    },
  };
  await place.add("dave", dave, "admin", "approver");
  return place;
}

function rootedIn({ fingerprint }: Key): Variables {
  return {
    PAYDROP_PEOPLE_INSTALLATION: "acme-main",
    PAYDROP_PEOPLE_ROOT: JSON.stringify([fingerprint]),
  };
}

const agents: ChildProcess[] = [];
afterEachFile(() => {
  for (const agent of agents.splice(0)) agent.kill();
});

/** Starts an ssh-agent that has these keys; returns what names it to programs. */
export async function agentWith(...keys: readonly Key[]): Promise<Variables> {
  const socket = join(await mkdtemp(join(tmpdir(), "agent-")), "s");
  const agent = spawn("ssh-agent", ["-D", "-a", socket], { stdio: ["ignore", "pipe", "inherit"] });
  agents.push(agent);
  await firstWordsOf(agent);
  const variables = { SSH_AUTH_SOCK: socket };
  for (const { path } of keys)
    execFileSync("ssh-add", ["-q", path], { env: { ...process.env, ...variables }, stdio: "ignore" });
  return variables;
}
