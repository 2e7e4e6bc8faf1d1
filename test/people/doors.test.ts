/**
 * Nobody can decide anything in a database by a configuration of their own, in any way: every command that names
 * the person who decides is tried, as the command line declares it.
 */
import { hash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type Argument, Command, type Option } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { addDecisionCommands } from "../../src/cli/decision-commands.ts";
import { addFileCommands } from "../../src/cli/file-commands.ts";
import { addPeopleCommands } from "../../src/cli/people-commands.ts";
import { addRunCommands, addScheduleCommands } from "../../src/cli/run-commands.ts";
import { addServiceCommands } from "../../src/cli/service-commands.ts";
import type { Runs } from "../../src/cli/session.ts";
import { addPersonStep, openWorkplace, stderrLog } from "../../src/index.ts";
import { MAY_DECIDE } from "../../src/people/index.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { intoFile, SANDBOX_SECRETS, type Variables, workFolder } from "../cli/program.ts";
import { newDatabase, query } from "../postgres.ts";
import { ADDRESS } from "../site/service.ts";
import { sliceOf } from "../slice.ts";
import { makeKey, signBy } from "./keys.ts";

const UUID = "6f1cbb7e-0000-4000-8000-00000000000f";

/** Values of arguments and options, by their names; most take any word. */
const VALUES: Readonly<Record<string, string>> = {
  number: "1",
  month: "2026-10",
  file: "payouts.csv",
  idOrReference: UUID,
  account: "treasury-btc",
  role: "viewer",
  root: `SHA256:${"A".repeat(43)}`,
  code: "k3fd-9m2x-7abc",
  to: "dave",
  key: "mallory.pub",
};

const PAYMENT = ["--reference", "A-9", "--amount", "0.01", "--destination-address", ADDRESS];

/** The options that a command requires, and each form of a decision. */
const FORMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "doubt resolve": [["--accept", UUID], ["--resend"], ["--abandon"]],
  "doubt resolve-change": [["--accept", UUID], ["--abandon"]],
  "payouts create": [PAYMENT],
  pilot: [PAYMENT],
};

const nothing: Runs = () => async () => undefined;

/** Command lines of all commands that take `--by`, and of those that change the database without it. */
function commandLines(): string[][] {
  const program = new Command();
  addFileCommands(program, nothing);
  const pay = addRunCommands(program, nothing);
  addDecisionCommands(program, pay, nothing);
  addPeopleCommands(program, nothing);
  addServiceCommands(program, nothing);
  addScheduleCommands(program, nothing);
  const deciding = withSubcommands(program).filter(({ options }) =>
    options.some(({ long }) => long === "--by"),
  );
  const others = [
    ["people", "enroll", "ann", "--key", "mallory.pub", "--code", "x"],
    ["pay"],
    ["track"],
    ["reconcile"],
  ];
  return [...deciding.flatMap(linesOf), ...others];
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((each) => withSubcommands(each))];
}

function linesOf(command: Command): string[][] {
  const names: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) names.unshift(each.name());
  const given = command.registeredArguments.filter(({ required }: Argument) => required);
  const options = command.options.filter(({ mandatory, long }: Option) => mandatory && long !== "--by");
  const line = [
    ...names,
    ...given.map((each) => VALUES[each.name()] ?? "A-1"),
    ...options.flatMap((each) => [each.long ?? "", VALUES[each.attributeName()] ?? "why-not"]),
    ...(command.options.some(({ long }) => long === "--by") ? ["--by", "mallory"] : []),
    ...(command.options.some(({ long }) => long === "--yes") ? ["--yes"] : []),
  ];
  return (FORMS[names.join(" ")] ?? [[]]).map((form) => [...line, ...form]);
}

const [dave, mallory] = [makeKey(), makeKey()];
const LINES = commandLines();

/** A folder with a configuration of its own, and a trial beside it. */
async function otherFolder(): Promise<string> {
  const folder = await workFolder();
  intoFile(folder, rootOf(mallory), "other-root.yaml");
  writeFileSync(join(folder, "mallory.pub"), readFileSync(`${mallory.path}.pub`));
  return folder;
}

function rootOf({ fingerprint }: { readonly fingerprint: string }): Variables {
  return { PAYDROP_PEOPLE_INSTALLATION: "acme-main", PAYDROP_PEOPLE_ROOT: JSON.stringify([fingerprint]) };
}

interface Victim {
  /** Settings that lead a configuration elsewhere to its database. */
  readonly leads: Variables;
  readonly folder: string;
  readonly configured: Variables;
  content(): Promise<string>;
}

async function victim(database: Variables): Promise<Omit<Victim, "leads" | "content">> {
  const folder = await workFolder();
  const configured = { ...intoFile(folder, rootOf(dave)), ...database, ...SANDBOX_SECRETS };
  const sign = async ({ text }: { readonly text: string }) => ({ text, signature: signBy(dave, text) });
  const path = join(folder, "paydrop.yaml");
  const workplace = openWorkplace(path, configured, stderrLog("silent"), undefined, undefined, sign);
  const { credential } = dave;
  await addPersonStep(workplace, { name: "dave", roles: ["admin"], credential, person: "dave" });
  await workplace.close();
  intoFile(folder, rootOf(mallory), "other-root.yaml");
  return { folder, configured };
}

const ENGINES: Readonly<Record<string, () => Promise<Victim>>> = {
  SQLite: async () => {
    const { folder, configured } = await victim({});
    const path = join(folder, "paydrop.sqlite");
    return {
      ...{ folder, configured },
      leads: { PAYDROP_DATABASE: `sqlite:${path}` },
      content: async () => contentOfFile(path),
    };
  },
  PostgreSQL: async () => {
    const database = { PAYDROP_DATABASE: "postgresql", DATABASE_URL: await newDatabase() };
    const content = () => contentOfServer(database.DATABASE_URL);
    return { ...(await victim(database)), leads: database, content };
  },
};

function contentOfFile(path: string): string {
  const database = new Database(path, { readonly: true });
  const tables = database
    .prepare<[], string>("select name from sqlite_schema where type = 'table' order by name")
    .pluck()
    .all();
  const rows = tables.map((table) => [table, database.prepare(`select * from "${table}"`).all()]);
  database.close();
  return hash("sha256", JSON.stringify(rows));
}

async function contentOfServer(url: string): Promise<string> {
  const tables = await query(
    url,
    "select tablename from pg_tables where schemaname = 'paydrop' order by tablename",
  );
  const rows: unknown[] = [];
  for (const { tablename } of tables)
    rows.push(await query(url, `select * from paydrop."${String(tablename)}" as t order by t::text`));
  return hash("sha256", JSON.stringify(rows));
}

test("the command line has a command for everything that people decide, and each is tried", () => {
  const said = LINES.map((line) => line.join(" ")).join("\n");
  const words: Readonly<Record<keyof typeof MAY_DECIDE, string>> = {
    "sign in": "desk sign-in",
    submit: "submit",
    approve: "approve",
    "accept layout": "layout accept",
    recall: "reject",
    "resolve doubt": "doubt resolve",
    reopen: "reopen",
    "pay again": "pay again",
    void: "payouts void",
    authorize: "payouts authorize",
    go: "go",
    "settle break": "breaks settle",
    "assign break": "breaks assign",
    "note on break": "breaks note",
    "reopen break": "breaks reopen",
    "approve expected": "deposits approve",
    "match receipt": "deposits match",
    "unmatch receipt": "deposits unmatch",
    "end expected": "deposits withdraw",
    "close period": "ledger close",
    "reopen period": "ledger reopen",
    "settle held": "ledger settle",
    "excuse export": "ledger excuse",
    "remap suspense": "ledger remap",
    "accept configuration": "configuration accept",
    "hand over": "people handover",
  };
  for (const decision of Object.keys(MAY_DECIDE) as (keyof typeof MAY_DECIDE)[])
    expect(said).toContain(words[decision]);
});

describe.each(sliceOf(Object.entries(ENGINES), 2))(
  "a database of people who prove who they are, on %s,",
  (_, made) => {
    let of: Victim;
    let elsewhere: string;
    beforeAll(async () => {
      of = await made();
      elsewhere = await otherFolder();
    });

    /** Each line fails and says why, and the database stays as it was. */
    async function tried(folder: string, options: readonly string[], variables: Variables, code: string) {
      const before = await of.content();
      for (const line of sliceOf(LINES, 4)) {
        const signed = ["--sign-with", mallory.path, ...options, ...line];
        const { exitCode, stderr, stdout } = await paydropInTurn(folder, signed, {
          ...SANDBOX_SECRETS,
          ...variables,
        });
        expect({ line, exitCode, said: stderr + stdout }).toMatchObject({
          exitCode: 2,
          said: expect.stringContaining(code),
        });
      }
      expect(await of.content()).toBe(before);
    }

    test("is not changed by a configuration with another root, named by --config", async () => {
      const options = ["--config", join(of.folder, "other-root.yaml")];
      await tried(of.folder, options, of.leads, "DATABASE_OF_ANOTHER_ROOT");
    });

    test("nor by one that PAYDROP_CONFIG names, nor by one that a variable has led to it", async () => {
      const variables = { ...of.leads, PAYDROP_CONFIG: join(elsewhere, "other-root.yaml") };
      await tried(elsewhere, [], variables, "DATABASE_OF_ANOTHER_ROOT");
    });

    test("nor by the keys of a trial", async () => {
      await tried(elsewhere, [], of.leads, "DATABASE_OF_ANOTHER_ROOT");
    });

    test("nor by its own configuration with another root, or with names, from the environment", async () => {
      for (const variable of ["PAYDROP_APPROVAL_IDENTITY", "PAYDROP_PEOPLE_TRIAL_KEYS"])
        await tried(of.folder, [], { ...of.configured, [variable]: "names" }, variable);
    });
  },
);

test("the database of a trial takes no decision of people with a root, and none of another trial", async () => {
  const folder = await workFolder();
  const submit = ["submit", "payouts.csv", "--by", "ann"];
  expect(await paydropInTurn(folder, submit, SANDBOX_SECRETS)).toMatchObject({ exitCode: 4 });
  intoFile(folder, rootOf(mallory), "other-root.yaml");
  const text = readFileSync(join(folder, "paydrop.yaml"), "utf8");
  writeFileSync(join(folder, "other-keys.yaml"), text.replace(/trialKeys: \S+/, "trialKeys: other-keys"));
  const before = contentOfFile(join(folder, "paydrop.sqlite"));
  for (const name of ["other-root.yaml", "other-keys.yaml"]) {
    const approve = ["--sign-with", mallory.path, "--config", name, "approve", "B-000001", "--by", "mallory"];
    const { exitCode, stderr } = await paydropInTurn(folder, approve, SANDBOX_SECRETS);
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("DATABASE_OF_ANOTHER_ROOT"),
    });
  }
  expect(contentOfFile(join(folder, "paydrop.sqlite"))).toBe(before);
});
