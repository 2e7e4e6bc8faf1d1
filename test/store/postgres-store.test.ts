/**
 * Cases that only a PostgreSQL database has: a server that goes away, other writers, its own collation. All other
 * tests run on both engines.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect as connectTo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Anchor, checkAnchor } from "../../src/store/anchor.ts";
import { appendAudit, listAudit, verifyAudit } from "../../src/store/audit.ts";
import { checkRights } from "../../src/store/engines/postgres-session.ts";
import { openPostgresStore, openPostgresStoreForReading } from "../../src/store/engines/postgres-store.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { allocateNonce } from "../../src/store/nonces.ts";
import { listPayoutsNamed, recordSightings } from "../../src/store/observed.ts";
import { all, countOf, first, run, sql, type Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { IS_ON_POSTGRES, newDatabase, query } from "../postgres.ts";
import { poolerTo } from "../postgres-pooler.ts";
import { proxyTo } from "../postgres-proxy.ts";
import { makeCluster } from "../postgres-server.ts";
import { endTogether } from "../tcp-proxy.ts";
import { addUpgrade, drafts, NOW, storeApproved, tamper, temporaryFolder } from "./stored-batch.ts";

function opened(url: string, anchor?: Anchor): Store {
  const store = openPostgresStore(url, { anchor });
  onTestFinished(() => store.close());
  return store;
}

const addLane = (key: string) => run(sql`insert into lane (key_id, last_nonce) values (${key}, '1')`);

function lanesOf(store: Store): Promise<string[]> {
  return store.read(function* (): Transaction<string[]> {
    const rows = yield* all<{ key_id: string }>(sql`select key_id from lane order by key_id`);
    return rows.map(({ key_id }) => key_id);
  });
}

/** Makes the server end the session in the middle of a transaction. */
const endSession = (store: Store) =>
  expect(tamper(store, "select pg_terminate_backend(pg_backend_pid())")).rejects.toMatchObject({
    problem: { code: "DATABASE_UNREACHABLE" },
  });

test("after a large batch the server knows how large its tables are, without waiting for autovacuum", async () => {
  const url = await newDatabase();
  const store = opened(url);
  const known = async () =>
    Number(
      (await query(url, "select reltuples from pg_class where oid = 'paydrop.instruction'::regclass"))[0]?.[
        "reltuples"
      ],
    );
  await storeApproved(store, drafts(20));
  expect(await known()).toBe(-1);
  await storeApproved(
    store,
    drafts(6_000, (row) => ({ reference: `LARGE-${row}` })),
  );
  // Stored and released make 12,000 changes.
  expect(await store.read(() => countOf(sql`select count(*) as count from instruction`))).toBe(6_020);
  expect(await known()).toBeGreaterThan(5_000);
});

describe("several writers", () => {
  test.each(["read committed", "repeatable read", "serializable"])(
    "each see what the one before has committed, so that no nonce is given out twice, where the default is %s",
    async (isolation) => {
      const url = await newDatabase();
      await query(url, `alter database ${nameIn(url)} set default_transaction_isolation = '${isolation}'`);
      const machines = [opened(url), opened(url), opened(url)];
      const taken = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          machines[index % 3]?.write(() => allocateNonce("key-1", NOW, 0n)),
        ),
      );
      expect(new Set(taken).size).toBe(60);
    },
  );

  test("bring a new database to this version together, once", async () => {
    const url = await newDatabase();
    const machines = Array.from({ length: 5 }, () => opened(url));
    await Promise.all(machines.map((store, index) => store.write(() => addLane(`key-${index}`))));
    expect(await query(url, "select * from paydrop.version")).toHaveLength(1);
    expect(await query(url, "select * from paydrop.lane")).toHaveLength(5);
  });
});

test("a migration has no time limit", async () => {
  const url = await newDatabase();
  await query(
    url,
    `create table public.limits as select '' as statement limit 0;
    create function public.note() returns event_trigger language plpgsql as
      $$ begin insert into public.limits values (current_setting('statement_timeout')); end $$;
    create event trigger notes on ddl_command_end when tag in ('CREATE TABLE', 'CREATE INDEX')
      execute function public.note()`,
  );
  const store = opened(url);
  await store.write(() => addLane("a"));
  expect(await query(url, "select distinct statement from public.limits")).toEqual([{ statement: "0" }]);
  const limit = sql`select current_setting('statement_timeout') as statement`;
  expect(await store.read(() => first(limit))).toEqual({ statement: "50s" });
});

test("a statement that the server cancelled can be asked for again", async () => {
  const store = opened(await newDatabase());
  const cancelled = store.read(function* () {
    yield* first(sql`select set_config('statement_timeout', '1ms', true)`);
    return yield* first(sql`select pg_sleep(60)`);
  });
  await expect(cancelled).rejects.toMatchObject({ problem: { code: "DATABASE_BUSY", next: "will-retry" } });
  expect(await store.read(() => first(sql`select 1 as one`))).toEqual({ one: 1 });
});

describe("a server that goes away", () => {
  test("in the middle of a transaction has kept nothing of it, and is found again", async () => {
    const url = await newDatabase();
    const store = opened(url);
    await store.write(() => addLane("a"));
    const cut = store.write(function* (): Transaction<void> {
      yield* addLane("b");
      yield* first(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    await expect(cut).rejects.toMatchObject({ problem: { code: "DATABASE_UNREACHABLE" } });
    await store.write(() => addLane("c"));
    expect(await lanesOf(store)).toEqual(["a", "c"]);
  });

  test("before it has answered a commit: the caller is told, and the next writer sees what happened", async () => {
    const url = await newDatabase();
    const proxy = await proxyTo(url);
    const store = opened(proxy.url);
    await store.write(() => addLane("a"));
    proxy.swallowAnswerTo("commit");
    await expect(store.write(() => addLane("b"))).rejects.toMatchObject({
      problem: { code: "DATABASE_UNREACHABLE" },
    });
    proxy.passEverything();
    const seen = await store.write(() =>
      all<{ key_id: string }>(sql`select key_id from lane order by key_id`),
    );
    expect(seen).toEqual([{ key_id: "a" }, { key_id: "b" }]);
  });

  test("and is replaced by one without this process's writes: nothing more is written", async () => {
    const url = await newDatabase();
    const path = join(temporaryFolder(), "paydrop.anchor");
    const store = opened(url, new Anchor(path));
    await store.write(() => allocateNonce("key-1", NOW, 0n));
    const anchored = new Anchor(path).read();
    await endSession(store);
    await query(url, "delete from paydrop.lane");
    for (const _ of [1, 2])
      await expect(store.write(() => addLane("a"))).rejects.toMatchObject({
        problem: { code: "DATABASE_BEHIND_ANCHOR" },
      });
    expect(await lanesOf(store)).toEqual([]);
    expect(new Anchor(path).read()).toEqual(anchored);
  });

  test.each([
    ["in English", "WARNING"],
    ["in its administrator's language", "WARNUNG"],
  ])(
    "or warns %s at a commit, as where the wait for a standby was ended, does not count as having stored it",
    async (_how, word) => {
      const url = await newDatabase();
      await query(url, `alter database ${nameIn(url)} set client_min_messages = error`);
      const proxy = await proxyTo(url);
      proxy.translate("SWARNING\0", `S${word}\0`);
      const store = opened(proxy.url);
      await store.write(() => addLane("a"));
      await query(
        url,
        `create function paydrop.warn() returns trigger language plpgsql as
        $$ begin raise warning 'it might not have been replicated'; return null; end $$;
      create constraint trigger warns after insert on paydrop.lane deferrable initially deferred
        for each row execute function paydrop.warn()`,
      );
      await expect(store.write(() => addLane("b"))).rejects.toMatchObject({
        problem: {
          code: "DATABASE_UNUSABLE",
          next: "stopped",
          message: expect.stringContaining("replicated"),
        },
      });
    },
  );

  test.each([
    [
      "whose commits waited for no standby: a stop order stands on all machines",
      "replace(id, '/', '/F')",
      0,
      [{}],
    ],
    ["a standby whose commits were waited for: it has all of them", "replace(id, '/', '/F')", 1, []],
    ["of other numbers, which was no standby: a stop order stands", "'1' || id", 1, [{}]],
  ])("and is followed by another one, %s", async (_which, before, isReplicated, orders) => {
    const url = await newDatabase();
    await opened(url).write(() => addLane("a"));
    const [{ id } = {}] = await query(url, "select id from paydrop.server");
    await query(url, `update paydrop.server set id = ${before}, is_replicated = ${isReplicated}`);
    const store = opened(url);
    await store.write(() => addLane("b"));
    await opened(url).write(() => addLane("c"));
    expect(await query(url, "select id, is_replicated from paydrop.server")).toMatchObject([{ id }]);
    expect(await query(url, "select reason from paydrop.stop_order")).toMatchObject(orders);
    expect(await query(url, "select action from paydrop.audit order by seq")).toEqual([
      { action: "another server" },
      ...orders.map(() => ({ action: "stop" })),
    ]);
    await verifyAudit(store);
  });

  test.each([
    ["", []],
    [
      " also of a server that keeps its number from its users",
      ["revoke all on function pg_control_system() from public"],
    ],
  ])(
    "is not the same one in a copy of the database, which sends nothing until a person has looked,%s",
    async (_of, commands) => {
      const url = await newDatabase();
      const clerk = `clerk_${nameIn(url)}`;
      const given = [`create role ${clerk} login`, `grant create on database ${nameIn(url)} to ${clerk}`];
      for (const command of [...commands, ...given]) await query(url, command);
      const asClerk = url.replace("paydrop@", `${clerk}@`);
      const store = openPostgresStore(asClerk);
      await store.write(() => addLane("a"));
      await store.close();
      const copy = `copy_of_${nameIn(url)}`;
      await query(url.replace(/@\/\w+/, "@/postgres"), `create database ${copy} template ${nameIn(url)}`);
      await opened(asClerk.replace(/@\/\w+/, `@/${copy}`)).write(() => addLane("b"));
      await opened(asClerk).write(() => addLane("c"));
      const orders = "select reason from paydrop.stop_order";
      expect(await query(url.replace(/@\/\w+/, `@/${copy}`), orders)).toMatchObject([{}]);
      expect(await query(url, orders)).toEqual([]);
    },
  );

  test("is not written to while it is a standby, so that its promotion is noticed", async () => {
    const folder = temporaryFolder();
    const cluster = makeCluster(folder);
    const primary = await cluster.start();
    const url = `postgresql://paydrop@/postgres?host=${encodeURIComponent(folder)}`;
    const before = openPostgresStore(url);
    await before.write(() => addLane("a"));
    await before.close();
    const ended = once(primary, "exit");
    primary.kill("SIGINT");
    await ended;
    cluster.makeStandby();
    const standby = await cluster.start();
    const store = opened(url);
    await expect(store.write(() => addLane("b"))).rejects.toMatchObject({
      problem: { code: "DATABASE_REFUSED", message: expect.stringContaining("standby") },
    });
    const reading = openPostgresStoreForReading(url);
    expect(await lanesOf(reading)).toEqual(["a"]);
    await reading.close();
    await query(url, "select pg_promote()");
    await store.write(() => addLane("b"));
    expect(await query(url, "select reason from paydrop.stop_order")).toMatchObject([{}]);
    standby.kill("SIGINT");
    await once(standby, "exit");
  });

  test("silently does not delay a process that is to stop", async () => {
    const proxy = await proxyTo(await newDatabase());
    const store = openPostgresStore(proxy.url);
    await store.write(() => addLane("a"));
    proxy.fallSilent();
    await store.close();
  });

  test.runIf(IS_ON_POSTGRES)(
    "without a word is given up 15 s after the signal to stop, and sought once more only",
    async () => {
      const proxy = await proxyTo(await newDatabase());
      const interrupt = new AbortController();
      const store = openPostgresStore(proxy.url, { stop: interrupt.signal });
      await store.write(() => addLane("a"));
      proxy.fallSilent();
      const begun = performance.now();
      const unanswered = store.write(() => addLane("b"));
      interrupt.abort();
      const silent = { problem: { code: "DATABASE_UNREACHABLE", message: expect.stringContaining("15 s") } };
      await expect(unanswered).rejects.toMatchObject(silent);
      for (const _ of [1, 2, 3]) await expect(store.write(() => addLane("c"))).rejects.toThrow();
      await store.close();
      expect(performance.now() - begun).toBeLessThan(30_000);
    },
  );

  test("is named without the password of its URL", async () => {
    const store = openPostgresStore("postgresql://pay:canary-password@127.0.0.1:9/paydrop");
    const error = await store.read(() => first(sql`select 1`)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ problem: { code: "DATABASE_UNREACHABLE" } });
    expect(String(error)).toContain("127.0.0.1:9/paydrop");
    expect(String(error)).not.toContain("canary");
  });

  test.each([
    "postgresql://pay:canary@[",
    "canary://x y",
    "canary",
    "postgresql://pay:12/canary@host/paydrop",
    "postgresql://pay:12?canary@host/paydrop",
    "postgresql://pay:12#canary@host/paydrop",
  ])("a URL that is none is refused, and not printed: %s", async (url) => {
    const error = await openPostgresStore(url)
      .read(() => first(sql`select 1`))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ problem: { code: "DATABASE_URL_INVALID" } });
    expect(inspect(error, { depth: 5 })).not.toContain("canary");
  });

  test.each(["require", "prefer", "verify-ca", "verify-full"])(
    "a server whose certificate nobody has signed is refused in words, without a warning of the driver's: sslmode=%s",
    async (mode) => {
      const warned: Error[] = [];
      const listen = (warning: Error) => warned.push(warning);
      process.on("warning", listen);
      onTestFinished(() => void process.off("warning", listen));
      const url = `postgresql://pay@localhost:${await selfSignedServer()}/paydrop?sslmode=${mode}`;
      await expect(openPostgresStore(url).read(() => first(sql`select 1`))).rejects.toMatchObject({
        problem: { code: "DATABASE_TLS", fix: expect.stringContaining("sslrootcert=FILE") },
      });
      expect(warned).toEqual([]);
    },
  );

  test.each(["verify-full", "require", "no-verify"])(
    "a server that speaks no TLS is said to, for somebody to correct: sslmode=%s",
    async (mode) => {
      const store = openPostgresStore(`${await newDatabase()}&sslmode=${mode}`);
      await expect(store.read(() => first(sql`select 1`))).rejects.toMatchObject({
        problem: {
          code: "DATABASE_TLS",
          next: "correct-usage",
          message: expect.stringContaining("does not speak TLS"),
        },
      });
    },
  );

  test.each(["sslmode=verify-full", "ssl=true"])(
    "nor is it accepted where the environment says that any certificate will do: %s",
    async (parameter) => {
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
      onTestFinished(() => void vi.unstubAllEnvs());
      const url = `postgresql://pay@localhost:${await selfSignedServer()}/paydrop?${parameter}`;
      await expect(openPostgresStore(url).read(() => first(sql`select 1`))).rejects.toMatchObject({
        problem: { code: "DATABASE_TLS" },
      });
    },
  );

  test.each([
    ["verify-full", "TLSv1.3 with its certificate checked"],
    ["no-verify", "TLSv1.3 without its certificate checked"],
    ["disable", "without TLS"],
  ])("an encrypted connection is told from one that is not: sslmode=%s", async (mode, words) => {
    const url = await newDatabase();
    const port = await selfSignedServer(url);
    const ca = fileURLToPath(new URL("../gateway/certificate/localhost.pem", import.meta.url));
    const parameters = `sslmode=${mode}${mode === "verify-full" ? `&sslrootcert=${ca}` : ""}`;
    const told = await checkRights(`postgresql://paydrop@localhost:${port}/${nameIn(url)}?${parameters}`);
    expect(told).toMatch(new RegExp(`^localhost:${port}/\\w+ as paydrop, PostgreSQL \\S+, ${words}$`));
  });

  test("a file of certificates that it names and that is missing is told", async () => {
    const url = "postgresql://pay:canary@127.0.0.1:9/paydrop?sslmode=verify-full&sslrootcert=/nowhere/ca.pem";
    const error = await openPostgresStore(url)
      .read(() => first(sql`select 1`))
      .catch((reason: unknown) => reason);
    expect(String(error)).toContain("/nowhere/ca.pem");
    expect(inspect(error, { depth: 5 })).not.toContain("canary");
  });

  test("a password with marks in it is understood where they are encoded", async () => {
    const url = `postgresql://pay:${encodeURIComponent("@:/?#% ")}@127.0.0.1:9/paydrop`;
    await expect(openPostgresStore(url).read(() => first(sql`select 1`))).rejects.toMatchObject({
      problem: { code: "DATABASE_UNREACHABLE", message: expect.stringContaining("127.0.0.1:9/paydrop") },
    });
  });
});

test("only a writer, for whom others wait, is ended soon when it says nothing", async () => {
  const store = opened(await newDatabase());
  const limit = () =>
    first<{ limit: string }>(sql`select current_setting('idle_in_transaction_session_timeout') as limit`);
  expect(await store.write(limit)).toEqual({ limit: "5s" });
  expect(await store.read(limit)).toEqual({ limit: "10min" });
  expect(await store.write(limit)).toEqual({ limit: "5s" });
});

test("a server reconfigured not to wait for its disk still waits for our commits", async () => {
  const url = await newDatabase();
  const store = opened(url);
  const setting = sql`select current_setting('synchronous_commit') as commit`;
  expect(await store.read(() => first(setting))).toEqual({ commit: "on" });
  await query(url, `alter system set synchronous_commit = off`);
  onTestFinished(async () => {
    await query(url, "alter system reset synchronous_commit");
    await query(url, "select pg_reload_conf()");
  });
  await query(url, "select pg_reload_conf()");
  while ((await query(url, "show synchronous_commit"))[0]?.["synchronous_commit"] === "on");
  // The store notices between two transactions.
  for (const _ of [1, 2]) expect(await store.read(() => first(setting))).toEqual({ commit: "on" });
});

describe("a server that refuses", () => {
  test.each([
    ["a user that it does not know", (url: string) => url.replace("paydrop@", "nobody@")],
    ["a database that it does not have", (url: string) => url.replace(/@\/\w+/, "@/nowhere")],
  ])("%s is said to, for somebody to correct, and not to be out of reach", async (_what, changed) => {
    const store = openPostgresStore(changed(await newDatabase()));
    await expect(store.read(() => first(sql`select 1`))).rejects.toMatchObject({
      problem: {
        code: "DATABASE_REFUSED",
        next: "correct-usage",
        message: expect.stringContaining("does not exist"),
      },
    });
  });

  test("a user without the password that it asks for, or with another one, is told so", async () => {
    const folder = temporaryFolder();
    const cluster = makeCluster(folder);
    writeFileSync(
      join(folder, "data", "pg_hba.conf"),
      "local all clerk scram-sha-256\nlocal all all trust\n",
    );
    const server = await cluster.start();
    const url = `postgresql://paydrop@/postgres?host=${encodeURIComponent(folder)}`;
    await query(url, "create role clerk login password 'of-the-clerk'");
    for (const [login, words] of [
      ["clerk", "DATABASE_URL has none"],
      ["clerk:canary", "password authentication failed"],
    ]) {
      const store = openPostgresStore(url.replace("paydrop@", `${login}@`));
      const error = await store.read(() => first(sql`select 1`)).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        problem: {
          code: "DATABASE_REFUSED",
          next: "correct-usage",
          message: expect.stringContaining(`${words}`),
        },
      });
      expect(inspect(error, { depth: 5 })).not.toContain("canary");
    }
    server.kill("SIGINT");
    await once(server, "exit");
  });

  test("a user who may not make the schema is told so", async () => {
    const url = await newDatabase();
    const name = `clerk_${nameIn(url)}`;
    await query(url, `create role ${name} login`);
    const store = openPostgresStore(url.replace("paydrop@", `${name}@`));
    await expect(store.write(() => addLane("a"))).rejects.toMatchObject({
      problem: {
        code: "DATABASE_REFUSED",
        next: "correct-usage",
        message: expect.stringContaining("permission denied"),
      },
    });
  });

  test("a user who may not use the schema is told so, whatever is done with it", async () => {
    const url = await newDatabase();
    await opened(url).write(() => addLane("a"));
    const name = `clerk_${nameIn(url)}`;
    await query(url, `create role ${name} login`);
    const asClerk = url.replace("paydrop@", `${name}@`);
    for (const store of [openPostgresStore(asClerk), openPostgresStoreForReading(asClerk)])
      await expect(lanesOf(store)).rejects.toMatchObject({
        problem: { code: "DATABASE_REFUSED", next: "correct-usage" },
      });
  });

  test("nothing, even if it reads strings in a non-standard way", async () => {
    const url = await newDatabase();
    await query(url, `alter database ${nameIn(url)} set standard_conforming_strings = off`);
    const store = opened(url);
    await store.write(() => appendAudit({ at: NOW, person: "ann", action: "a", subject: "one", detail: {} }));
    expect(await store.read(() => listAudit(["one"]))).toHaveLength(1);
  });

  test.each(["statement_timeout", "transaction_timeout"])(
    "what takes longer than its own limit does not refuse ours: %s",
    async (limit) => {
      const url = await newDatabase();
      await query(url, `alter database ${nameIn(url)} set ${limit} = 300`);
      const store = opened(url);
      await store.write(function* (): Transaction<void> {
        yield* first(sql`select pg_sleep(0.5)`);
      });
    },
  );
});

describe("a pooler that gives each transaction another session", () => {
  test.each(["transaction", "statement"] as const)(
    "is refused before anything is stored, also while nobody else uses it: by %s",
    async (mode) => {
      const url = await newDatabase();
      for (const open of [openPostgresStore, openPostgresStoreForReading])
        await expect(open(await poolerTo(url, mode)).write(() => addLane("a"))).rejects.toMatchObject({
          problem: { code: "DATABASE_POOLED", next: "correct-usage" },
        });
      expect(await query(url, "select 1 from pg_namespace where nspname = 'paydrop'")).toEqual([]);
    },
  );

  test.each(["read", "write"] as const)("is refused before anything is asked: %s", async (way) => {
    const store = opened(await newDatabase());
    await tamper(store, "set paydrop.session = 'of another client'");
    await expect(store[way](() => first(sql`select 1 from lane`))).rejects.toMatchObject({
      problem: { code: "DATABASE_POOLED" },
    });
  });
});

describe("for reading only", () => {
  test("an empty database reads as one without payments, and stays empty", async () => {
    const url = await newDatabase();
    const store = openPostgresStoreForReading(url);
    expect(await store.read(() => findByReference("PAY-1"))).toBeUndefined();
    await store.close();
    expect(await query(url, "select 1 from pg_namespace where nspname = 'paydrop'")).toEqual([]);
  });

  test("sees what others commit, and writes nothing", async () => {
    const url = await newDatabase();
    await opened(url).write(() => addLane("a"));
    const store = openPostgresStoreForReading(url);
    onTestFinished(() => store.close());
    expect(await lanesOf(store)).toEqual(["a"]);
    await expect(store.write(() => addLane("b"))).rejects.toMatchObject({
      problem: {
        code: "DATABASE_REFUSED",
        next: "correct-usage",
        message: expect.stringContaining("read-only"),
      },
    });
  });

  test.each([
    ["DATABASE_VERSION_UNKNOWN", (url: string) => query(url, "update paydrop.version set applied = 99")],
    ["DATABASE_OUTDATED", () => addUpgrade({ layout: "" })],
  ])("a database of another version is refused: %s", async (code, make) => {
    const url = await newDatabase();
    await opened(url).write(() => addLane("a"));
    await make(url);
    const store = openPostgresStoreForReading(url);
    await expect(lanesOf(store)).rejects.toMatchObject({ problem: { code } });
  });
});

test("a newer Paydrop's database is refused before anything of it is changed", async () => {
  const url = await newDatabase();
  await opened(url).write(() => addLane("a"));
  await query(url, "update paydrop.version set applied = 99");
  await expect(opened(url).write(() => addLane("b"))).rejects.toMatchObject({
    problem: { code: "DATABASE_VERSION_UNKNOWN" },
  });
  expect(await query(url, "select key_id from paydrop.lane")).toEqual([{ key_id: "a" }]);
});

test("a machine whose database a newer Paydrop migrates meanwhile does nothing more with it", async () => {
  const url = await newDatabase();
  const store = opened(url);
  await store.write(() => addLane("a"));
  await query(url, "update paydrop.version set applied = 99");
  const unknown = { problem: { code: "DATABASE_VERSION_UNKNOWN" } };
  await expect(store.write(() => addLane("b"))).rejects.toMatchObject(unknown);
  await expect(lanesOf(store)).rejects.toMatchObject(unknown);
  expect(await query(url, "select key_id from paydrop.lane")).toEqual([{ key_id: "a" }]);
});

test("text is in the same order as in SQLite", async () => {
  const references = ["a", "B", "Z", "é", "_", "ä", "10", "9", "a b", "ab"];
  const rows = drafts(references.length, (row) => ({ reference: references[row - 1] ?? "" }));
  const sorted = async (store: Store) => {
    onTestFinished(() => store.close());
    await storeApproved(store, rows);
    return store.read(() =>
      all<{ reference: string }>(sql`select reference from instruction order by reference`),
    );
  };
  const inSqlite = await sorted(openSqliteStore(join(temporaryFolder(), "paydrop.sqlite")));
  expect(await sorted(openPostgresStore(await newDatabase()))).toEqual(inSqlite);
});

test("an older version's database is brought to this one's layout, with what it has seen", async () => {
  const url = await newDatabase();
  const older = opened(url);
  const said = { callbackUrl: "https://hook/1", customerId: "a\0b" };
  await older.write(() =>
    recordSightings("payout", [{ id: "p-1", state: "SENT", raw: JSON.stringify(said) }], NOW),
  );
  await older.close();
  // The functions of the older version could not read JSON with a NUL.
  await query(
    url,
    `set search_path = paydrop;
    create or replace function json_extract(document text, path text) returns text language sql immutable as
      $$ select document::json #>> string_to_array(substr(path, 3), '.') $$;
    drop function readable_json cascade`,
  );
  addUpgrade({
    layout: "create table hook (id integer primary key, url text not null) strict;",
    contents: "insert into hook (url) select json_extract(raw, '$.callbackUrl') from history",
  });
  const newer = opened(url);
  expect(await newer.read(() => all(sql`select url from hook`))).toEqual([{ url: "https://hook/1" }]);
});

test.each(["LATIN1", "SQL_ASCII"])(
  "a database that cannot keep every character is left as it is: %s",
  async (encoding) => {
    const url = await newDatabase();
    const name = `${nameIn(url)}_${encoding.toLowerCase()}`;
    await query(url, `create database ${name} encoding '${encoding}' template template0`);
    const itsUrl = url.replace(nameIn(url), name);
    await expect(opened(itsUrl).write(() => addLane("a"))).rejects.toMatchObject({
      problem: { code: "DATABASE_REFUSED", message: expect.stringContaining(encoding) },
    });
    expect(await query(itsUrl, "select 1 from pg_namespace where nspname = 'paydrop'")).toEqual([]);
  },
);

test("a NUL in what a service says is kept as its symbol", async () => {
  const store = opened(await newDatabase());
  await store.write(() => run(sql`insert into lane (key_id, last_nonce) values (${"a\0b"}, '1')`));
  expect(await lanesOf(store)).toEqual(["a\u2400b"]);
});

test.each(["\0", "\ud83d", "\\u0000", "a\0\0b \udc00\ud800", "😀"])(
  "what a service says with %j in it keeps no other payout from being found, nor itself",
  async (said) => {
    const store = opened(await newDatabase());
    const payout = (id: string, callbackUrl: string, reference: string) => ({
      id,
      reference,
      callbackUrl,
      state: "CREATED",
      raw: JSON.stringify({ reference, callbackUrl, last: said }),
    });
    const sightings = [payout("p-1", "https://a", said), payout("p-2", "https://b", "PAY-2")];
    await store.write(() => recordSightings("payout", sightings, NOW));
    expect(await store.write(() => recordSightings("payout", sightings, NOW))).toEqual([]);
    for (const name of ["https://a", "https://b", "PAY-2", said])
      expect(await store.read(() => listPayoutsNamed([name]))).toHaveLength(1);
  },
);

test("a payout is kept and found however long the service calls it", async () => {
  const store = opened(await newDatabase());
  const name = randomBytes(20_000).toString("base64url");
  const sighting = (id: string, reference: string) => ({ id, reference, state: "CREATED", raw: "{}" });
  const sightings = [sighting("p-1", name), sighting("p-2", `${name}.`), sighting("p-3", "PAY-3")];
  await store.write(() => recordSightings("payout", sightings, NOW));
  const found = await store.read(() => listPayoutsNamed([name, "PAY-3"]));
  expect(found.map((one) => [one.id, one.name])).toEqual([
    ["p-1", name],
    ["p-3", "PAY-3"],
  ]);
});

test("a database that was restored from a backup is behind its anchor, and its anchor stays", async () => {
  const path = join(temporaryFolder(), "paydrop.anchor");
  const said = { at: NOW, person: "ann", action: "approve", subject: "B-000001", detail: {} };
  const newer = opened(await newDatabase(), new Anchor(path));
  await newer.write(() => appendAudit(said, said));
  const anchored = new Anchor(path).read();
  expect(anchored).toMatchObject({ auditSeq: 2 });
  const restored = opened(await newDatabase(), new Anchor(path));
  await restored.write(() => appendAudit(said));
  expect(new Anchor(path).read()).toEqual(anchored);
});

test("a database read while another process moves the anchor is not behind it", async () => {
  const url = await newDatabase();
  const folder = temporaryFolder();
  const anchor = () => new Anchor(join(folder, "paydrop.anchor"));
  const other = opened(url, anchor());
  await other.write(() => allocateNonce("key-1", NOW, 0n));
  const proxy = await proxyTo(url);
  const store = opened(proxy.url);
  await lanesOf(store);
  proxy.beforeAnswerTo("read only", () => other.write(() => allocateNonce("key-1", NOW, 0n)));
  await store.read(checkAnchor(anchor()));
});

test("an anchor that cannot be written stops what comes after it, and not what was committed", async () => {
  const store = opened(await newDatabase(), new Anchor(join(temporaryFolder(), "gone", "paydrop.anchor")));
  await store.write(() => addLane("a"));
  await expect(store.write(() => addLane("b"))).rejects.toMatchObject({
    problem: { code: "DATABASE_UNUSABLE", message: expect.stringContaining("paydrop.anchor") },
  });
  expect(await lanesOf(store)).toEqual(["a"]);
});

test("a wrong statement of one transaction is reported, and the connection continues", async () => {
  const store = opened(await newDatabase());
  await expect(tamper(store, "select no such thing")).rejects.toMatchObject({
    problem: { code: "DATABASE_UNUSABLE", next: "stopped" },
  });
  await store.write(() => addLane("a"));
  expect(await lanesOf(store)).toEqual(["a"]);
});

/**
 * Accepts the request for TLS like a PostgreSQL server, and shows a self-signed certificate; returns its port.
 * `url`: the server to which it passes everything on.
 */
async function selfSignedServer(url?: string): Promise<number> {
  const certificate = {
    key: readFileSync(new URL("../gateway/certificate/localhost.key.pem", import.meta.url)),
    cert: readFileSync(new URL("../gateway/certificate/localhost.pem", import.meta.url)),
  };
  const server = createServer((socket) => {
    // The client hangs up.
    socket.on("error", () => socket.destroy());
    const passOn = (plain: Socket) => {
      const folder = new URL(url?.replace("@/", "@host/") ?? "http://none").searchParams.get("host");
      if (folder === null) return;
      const behind = connectTo(join(folder, ".s.PGSQL.5432"));
      plain.pipe(behind).pipe(plain);
      endTogether(plain, behind);
    };
    socket.once("data", (bytes) => {
      if (!bytes.equals(REQUEST_FOR_TLS)) {
        socket.unshift(bytes);
        return passOn(socket);
      }
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, ...certificate });
      secure.on("error", () => socket.destroy());
      passOn(secure);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const REQUEST_FOR_TLS = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

function nameIn(url: string): string {
  return /@\/(\w+)/.exec(url)?.[1] ?? "";
}
