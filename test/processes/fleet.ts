/** Daemons that share a PostgreSQL database and the folders, at a service with as many client keys as a test needs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { ServerOptions } from "../../src/sandbox/index.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { SANDBOX_SECRETS, startPaydrop, type Variables, workFolder } from "../cli/program.ts";
import { firstWordsOf } from "../first-words.ts";
import { newDatabase, query } from "../postgres.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { type CountingService, startService } from "./service.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/** Nothing runs by itself during a test, so what is done was woken. */
const ONCE_A_YEAR = "0 0 29 2 *";
const SCHEDULE = Object.fromEntries(
  ["INTAKE", "EXPECTED", "PAY", "TRACK", "RECONCILE", "LEDGER", "DIGEST"].map((job) => [
    `PAYDROP_SCHEDULE_${job}`,
    ONCE_A_YEAR,
  ]),
);

export interface Fleet {
  readonly service: CountingService;
  readonly url: string;
  readonly folder: string;
  readonly variables: Variables;
  /** Submits a file with so many rows of each key and returns its batch's digest. */
  submit(rowsOfEach: number): Promise<string>;
  approve(digest: string): Promise<void>;
  /** A daemon of the fleet, once it has joined the others. */
  start(changes?: Variables): Promise<Daemon>;
  /** Ends the sessions over which the machines hear each other. */
  cutOff(): Promise<unknown>;
  /** Resolves once so many payments have reached the service. */
  arrived(count: number): Promise<void>;
  /** Each key's lane, with the number of the process that took it last. */
  holders(): Promise<number[]>;
  /** How many payments stand where. */
  standings(): Promise<Readonly<Record<string, number>>>;
  /** References at the service that came more than once, and how many there are in all. */
  judged(): Promise<{ readonly created: number; readonly twice: string[] }>;
}

export interface Daemon {
  readonly child: ReturnType<typeof startPaydrop>;
  /** What it logged, once it has ended. */
  readonly log: Promise<string>;
}

/** `database`: an empty one, by default a new one on the run's server. */
export async function fleet(
  keys: number,
  changes: Variables = {},
  options: ServerOptions = {},
  database?: string,
): Promise<Fleet> {
  const names = Array.from({ length: keys }, (_, index) => (index === 0 ? "" : `k${index}`));
  const service = await startService({ seed: seedOf(names), ...options });
  const url = database ?? (await newDatabase());
  const variables = {
    ...service.variables,
    ...SCHEDULE,
    ...keyVariables(names),
    PAYDROP_DATABASE: "postgresql",
    DATABASE_URL: url,
    ...changes,
  };
  const folder = await workFolder();
  let files = 0;
  let started = 0;
  const atWork = async () => Number((await query(url, `select count(*) as count ${PRESENT}`))[0]?.["count"]);
  const succeed = async (args: readonly string[]) => {
    const ended = await paydropInTurn(folder, ["--json", ...args], variables);
    // 4: it waits for a person, as it should.
    expect([0, 4], `${args.join(" ")}: ${ended.stdout}${ended.stderr}`).toContain(ended.exitCode);
    return JSON.parse(ended.stdout);
  };
  return {
    service,
    url,
    folder,
    variables,
    submit: async (rowsOfEach) => {
      files += 1;
      const name = `file-${files}.csv`;
      await writeFile(join(folder, name), fileOf(names, files, rowsOfEach));
      return (await succeed(["submit", name, "--by", "alice"])).digest;
    },
    approve: async (digest) => {
      await succeed(["approve", digest, "--by", "bob"]);
    },
    start: async (more = {}) => {
      const child = startPaydrop(folder, ["--json", "serve"], { ...variables, ...more });
      const log = text(child.stderr);
      await firstWordsOf(child, log);
      started += 1;
      while ((await atWork()) < started) await wait(20);
      return { child, log };
    },
    cutOff: () => query(url, `select pg_terminate_backend(pid) ${PRESENT}`),
    arrived: async (count) => {
      while (service.arrived() < count) await wait(20);
    },
    holders: async () => {
      const rows = await query(
        url,
        "select holder from paydrop.lease where key_id in (select key_id from paydrop.submission)",
      );
      return rows.map(({ holder }) => Number(String(holder).split(" ").at(-1)));
    },
    standings: async () => {
      const rows = await query(url, "select standing, count(*) as count from paydrop.instruction group by 1");
      return Object.fromEntries(rows.map(({ standing, count }) => [standing, Number(count)]));
    },
    judged: async () => {
      const references = (await service.created()).map(({ reference }) => reference);
      const twice = references.filter((reference, index) => references.indexOf(reference) < index);
      return { created: references.length, twice };
    },
  };
}

/** Each machine at work holds a share of this lock. */
const PRESENT = `from pg_locks where locktype = 'advisory' and classid = hashtext('paydrop machines')::oid
  and database = (select oid from pg_database where datname = current_database())`;

/** The samples' defaults name the first. */
function accountName(index: number): string {
  return index === 0 ? "treasury-btc" : `account${index}`;
}

function accountOf(index: number): string {
  return `6f1cbb7e-0000-4000-8000-0000000001${String(index).padStart(2, "0")}`;
}

function userOf(name: string): string {
  return name === "" ? "treasury-bot" : `bot-${name}`;
}

function secretsOf(name: string): typeof SANDBOX_SECRETS {
  if (name === "") return SANDBOX_SECRETS;
  return {
    PAYDROP_KEY: `fleet-key-${name}`,
    PAYDROP_SIGNING_SECRET: `fleet-signing-secret-${name}`,
    PAYDROP_OTP_SECRET: SANDBOX_SECRETS.PAYDROP_OTP_SECRET,
  };
}

function seedOf(names: readonly string[]): NonNullable<ServerOptions["seed"]> {
  return {
    ...NOBODY_ELSE,
    clients: names.map((name) => {
      const {
        PAYDROP_KEY: key,
        PAYDROP_SIGNING_SECRET: secret,
        PAYDROP_OTP_SECRET: otpSecret,
      } = secretsOf(name);
      return { key, secret, users: [{ username: userOf(name), otpSecret }] };
    }),
    accounts: names.map((_, index) => ({ accountId: accountOf(index), openingBalance: "100" })),
  };
}

function keyVariables(names: readonly string[]): Variables {
  const accounts = names.map((name, index) => ({
    name: accountName(index),
    id: accountOf(index),
    currency: "BTC",
    ...(name !== "" && { key: name }),
  }));
  const secrets = names.flatMap((name) =>
    Object.entries(secretsOf(name)).map(([variable, value]) => [
      name === "" ? variable : `${variable}_${name.toUpperCase()}`,
      value,
    ]),
  );
  return {
    ...Object.fromEntries(secrets),
    PAYDROP_KEYS: JSON.stringify(names.filter(Boolean).map((name) => ({ name }))),
    PAYDROP_CUSTODY_ACCOUNTS: JSON.stringify(accounts),
    PAYDROP_OTP: "{ source: totp, singleUse: false }",
  };
}

function fileOf(names: readonly string[], file: number, rowsOfEach: number): string {
  const rows = Array.from({ length: rowsOfEach }, (_, row) =>
    names.map((name, index) =>
      [
        `F${file}-${index}-${row}`,
        `0.00${String(10_000 + (file * 50 + row) * 20 + index)}1`,
        ADDRESS,
        accountName(index),
        userOf(name),
      ].join(),
    ),
  );
  return ["reference,amount,destinationAddress,custodyAccount,username", ...rows.flat(), ""].join("\n");
}

/** A file with so many rows of the first key. */
export function linesOf(rows: number): string {
  return fileOf([""], 9, rows);
}
