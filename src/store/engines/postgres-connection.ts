/** One connection to a PostgreSQL database, with its settings and layout. Once lost, it stays lost. */
import type { Client } from "pg";
import { every } from "../../context/clock.ts";
import { systemRandom } from "../../context/random.ts";
import { type Fault, fault } from "../../faults/index.ts";
import type { SqlRow, Statement } from "../sql.ts";
import { presentVersion, refuseTooOld, stepsFrom } from "../upgrades.ts";
import type { KnownServer } from "./known-server.ts";
import { explainedPostgres, isServersAnswer, nameOf, postgresClient } from "./postgres-client.ts";
import {
  type PostgresStatement,
  postgresLayout,
  postgresStatement,
  postgresValues,
  SQLITE_FUNCTIONS,
} from "./postgres-dialect.ts";
import { isSessionShared, type Purpose, prepareSession, serverIdOf } from "./postgres-session.ts";

/** After this the server counts as lost, and whether it carried the statement out is unknown. */
const ANSWER_TIMEOUT_MS = 60_000;
/** After the stop signal. A process that has had no answer for this long has lost its lane too (lane-lease.ts). */
const ANSWER_TO_STOPPED_TIMEOUT_MS = 15_000;
/** Migrating a large database may take very long; keepAlive still notices a server that has gone. */
const MIGRATION_TIMEOUT_MS = 86_400_000;
/** A server that has gone does not answer a goodbye. */
const LEAVE_TIMEOUT_MS = 1_000;

/**
 * Serialises the writers of all machines, so that each transaction sees the commits before it, as in SQLite. Sets
 * read committed, whatever the database's default: each statement must see what was committed when it begins, not
 * when the lock was requested.
 */
const BEGIN_WRITING = `begin isolation level read committed;
  select pg_advisory_xact_lock(hashtext('paydrop'), hashtext(current_database()))`;

/** As many as a large file has rows. */
const CHANGED_MANY = 10_000;

/** A reader blocks no other process, and may take long to work through a long answer. */
const BEGIN_READING = `begin isolation level repeatable read read only;
  set local idle_in_transaction_session_timeout = '10min'`;

export class PostgresConnection {
  /** Host, port and database, for messages. */
  readonly name: string;
  private readonly client: Client;
  /** Set on the server's session, to notice when a pooler has put another session in its place. */
  private readonly mark = systemRandom.uuid();
  private readonly texts = new Map<string, PostgresStatement & { readonly name: string }>();
  private readonly stop: AbortSignal | undefined;
  private isLost = false;
  private serverId: string | undefined;
  private isReplicated = false;
  private warning: string | undefined;
  /** Rows changed since the statistics were renewed. */
  private changedRows = 0;

  private constructor(client: Client, stop?: AbortSignal) {
    this.client = client;
    this.stop = stop;
    this.name = nameOf(client);
    // The next use of an idle connection notices that it has ended.
    client.on("error", () => {
      this.isLost = true;
    });
    // The severity text depends on the server's language, so the code decides; class 00 is no warning.
    client.on("notice", ({ code, message }) => {
      if (code?.startsWith("00") !== true) this.warning = message;
    });
  }

  /**
   * Opens the database and migrates it to this version. After `stop` aborts, waits less long for a silent server.
   * Throws DATABASE_UNREACHABLE, _REFUSED, _TLS, _POOLED, _URL_INVALID or _VERSION_UNKNOWN.
   */
  static async open(url: string, stop?: AbortSignal): Promise<PostgresConnection> {
    const connection = new PostgresConnection(await postgresClient(url, ANSWER_TIMEOUT_MS), stop);
    await connection.opened(url, "writing", async () => {
      await connection.migrate();
      connection.serverId = await serverIdOf((text) => connection.ask(text));
    });
    return connection;
  }

  /** Changes nothing; undefined if the database is empty. Throws like `open`, or DATABASE_OUTDATED. */
  static async openForReading(url: string, stop?: AbortSignal): Promise<PostgresConnection | undefined> {
    const connection = new PostgresConnection(await postgresClient(url, ANSWER_TIMEOUT_MS), stop);
    const isThere = await connection.opened(url, "reading", async () => {
      await connection.command("set default_transaction_read_only = on");
      return connection.hasLayout();
    });
    if (isThere) return connection;
    await connection.close();
    return undefined;
  }

  /** False once lost. A transaction that was open then was not committed, unless its commit was under way. */
  get isUsable(): boolean {
    return !this.isLost;
  }

  /** Prepares each text once. */
  async execute({ text, values }: Statement): Promise<readonly SqlRow[]> {
    let known = this.texts.get(text);
    if (known === undefined) {
      // Names must be unique across clients: behind a pooler, another client may have prepared a statement in this
      // session.
      known = { name: `${this.mark}-${this.texts.size}`, ...postgresStatement(text) };
      this.texts.set(text, known);
    }
    const { name, text: translated, lists } = known;
    const result = await this.query({ name, text: translated, values: postgresValues(values, lists) });
    if (result.fields.length > 0) return result.rows as SqlRow[];
    const changed = result.rowCount ?? 0;
    this.changedRows += changed;
    return [{ changed }];
  }

  /**
   * After many changed rows, makes the server count the growing tables. By these counts it chooses between an index
   * and a whole table. Autovacuum does this later, or never if it is switched off. Runs outside of transactions.
   */
  async renewStatistics(): Promise<void> {
    if (this.changedRows < CHANGED_MANY) return;
    this.changedRows = 0;
    await this.command("analyze batch, instruction, submission, observed, audit");
  }

  async command(text: string): Promise<void> {
    await this.query({ text });
  }

  /** Throws unless it is certain that the transaction was committed and will be kept. */
  async commit(): Promise<void> {
    this.warning = undefined;
    const { command } = await this.query({ text: "commit" });
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK, not with an error.
    if (command !== "COMMIT") throw this.unusable(`a commit was answered ${command}`);
    // If somebody cancels the wait for the standby, PostgreSQL sends only a warning.
    if (this.warning !== undefined) throw this.unusable(this.warning);
  }

  /**
   * Begins a transaction that only reads, or one that writes, as the only one of all machines. Throws
   * DATABASE_POOLED, and DATABASE_VERSION_UNKNOWN if a newer Paydrop has migrated the database meanwhile.
   */
  async begin(purpose: Purpose): Promise<void> {
    const { applied, standbys } = await this.beginAsking(
      purpose,
      "(select applied from paydrop.version) as applied, current_setting('synchronous_standby_names') as standbys",
    );
    this.checkVersion(Number(applied));
    this.isReplicated = standbys !== "";
  }

  /** As of the last `begin`; undefined for a connection that only reads. */
  get server(): KnownServer | undefined {
    const { serverId: id, isReplicated } = this;
    return id === undefined ? undefined : { id, isReplicated };
  }

  /** Turns the database's errors into faults that a user understands; returns all others unchanged. */
  explained(error: unknown): unknown {
    return explainedPostgres(error, this.name, this.isLost);
  }

  async close(): Promise<void> {
    this.isLost = true;
    const stopWaiting = every(LEAVE_TIMEOUT_MS, () => this.client.connection.stream.destroy());
    await this.client.end();
    stopWaiting();
  }

  private async opened<Result>(
    url: string,
    purpose: Purpose,
    prepare: () => Promise<Result>,
  ): Promise<Result> {
    try {
      await this.connect();
      const { sessionId, whyUnusable } = await prepareSession((text) => this.ask(text), this.mark, purpose);
      if (whyUnusable !== undefined)
        throw fault("DATABASE_REFUSED", { path: this.name, reason: whyUnusable });
      if (await isSessionShared(url, this.client, sessionId))
        throw fault("DATABASE_POOLED", { path: this.name });
      return await prepare();
    } catch (error) {
      const explanation = this.explained(error);
      await this.close();
      throw explanation;
    }
  }

  private async connect(): Promise<void> {
    try {
      await this.client.connect();
    } catch (error) {
      this.isLost = true;
      throw error;
    }
  }

  private async query(query: { text: string; name?: string; values?: unknown[]; query_timeout?: number }) {
    const stopWatching = this.loseWhenStopped();
    try {
      return await this.client.query(query);
    } catch (error) {
      // After an error that the server did not send, the connection's state is unknown.
      if (!isServersAnswer(error)) this.lose();
      throw error;
    } finally {
      stopWatching();
    }
  }

  /** Gives up if a query is not answered in time after the stop signal. Returns a function that ends the watch. */
  private loseWhenStopped(): () => void {
    const { stop } = this;
    if (stop === undefined) return () => undefined;
    let stopWaiting: () => void = () => undefined;
    const wait = () => {
      stopWaiting = every(ANSWER_TO_STOPPED_TIMEOUT_MS, () => this.lose(SAID_NOTHING));
    };
    if (stop.aborted) wait();
    else stop.addEventListener("abort", wait);
    return () => {
      stop.removeEventListener("abort", wait);
      stopWaiting();
    };
  }

  /** The server rolls back the open transaction when it notices. */
  private lose(reason?: string): void {
    this.isLost = true;
    this.client.connection.stream.destroy(reason === undefined ? undefined : new Error(reason));
  }

  private async ask(text: string): Promise<readonly SqlRow[]> {
    return (await this.query({ text })).rows as SqlRow[];
  }

  /** Begins a transaction and asks a question in the same round trip. */
  private async beginAsking(purpose: Purpose, question: string): Promise<SqlRow> {
    const begin = purpose === "writing" ? BEGIN_WRITING : BEGIN_READING;
    const text = `${begin}; select current_setting('paydrop.session', true) as mark, ${question}`;
    // The answer to a text of several commands is one result per command.
    const results = (await this.query({ text })) as unknown as readonly { rows: SqlRow[] }[];
    const [row = {}] = results.at(-1)?.rows ?? [];
    if (row["mark"] !== this.mark) throw fault("DATABASE_POOLED", { path: this.name });
    return row;
  }

  private async migrate(): Promise<void> {
    // Asks a trivial question, because the tables may not exist yet.
    await this.beginAsking("writing", "1");
    await this.command("set local statement_timeout = 0");
    const found = await this.version();
    if (found === 0) {
      await this.createSchema();
      await this.command("create table version (applied integer not null)");
      await this.command("insert into version values (0)");
    }
    const version = presentVersion();
    if (found > version) this.checkVersion(found);
    refuseTooOld(this.name, found);
    // Comes before the steps, which use these functions.
    if (found < version) await this.command(SQLITE_FUNCTIONS);
    for (const { layout, contents } of stepsFrom(found)) {
      await this.query({ text: postgresLayout(layout), query_timeout: MIGRATION_TIMEOUT_MS });
      if (found > 0 && contents !== undefined)
        await this.query({ text: contents, query_timeout: MIGRATION_TIMEOUT_MS });
    }
    if (found < version) await this.command(`update version set applied = ${version}`);
    await this.commit();
  }

  /** An administrator may have created it for a user who must not create schemas. */
  private async createSchema(): Promise<void> {
    const { rows } = await this.query({ text: `select to_regnamespace('paydrop') as name` });
    const [{ name } = { name: null }] = rows as { name: string | null }[];
    if (name === null) await this.command("create schema paydrop");
  }

  private async hasLayout(): Promise<boolean> {
    const found = await this.version();
    if (found > 0) this.checkVersion(found);
    return found > 0;
  }

  private checkVersion(found: number): void {
    const known = presentVersion();
    if (found === known) return;
    const code = found > known ? "DATABASE_VERSION_UNKNOWN" : "DATABASE_OUTDATED";
    throw fault(code, { path: this.name, found, known });
  }

  /** 0 for a new database. */
  private async version(): Promise<number> {
    const there = await this.query({ text: `select to_regclass('paydrop.version') as name` });
    if ((there.rows[0] as { name: string | null }).name === null) return 0;
    const { rows } = await this.query({ text: "select applied from version" });
    return (rows[0] as { applied: number } | undefined)?.applied ?? 0;
  }

  private unusable(reason: string): Fault {
    return fault("DATABASE_UNUSABLE", { path: this.name, reason });
  }
}

const SAID_NOTHING = `it has said nothing for ${ANSWER_TO_STOPPED_TIMEOUT_MS / 1000} s, and a signal asked to stop`;
