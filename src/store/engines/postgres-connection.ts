/**
 * The one connection to a PostgreSQL database: opened with the settings that the store counts on, and the layout brought to this
 * version. Once it is lost it stays so.
 */
import type { Client } from "pg";
import { every } from "../../context/clock.ts";
import { systemRandom } from "../../context/random.ts";
import { type Fault, fault } from "../../faults/index.ts";
import { migrations } from "../migrations.ts";
import type { SqlRow, Statement } from "../sql.ts";
import type { KnownServer } from "./known-server.ts";
import { explainedPostgres, isServersAnswer, postgresClient } from "./postgres-client.ts";
import { postgresLayout, postgresStatement, SQLITE_FUNCTIONS } from "./postgres-dialect.ts";
import { isSessionShared } from "./postgres-pooler.ts";
import { type Purpose, prepareSession, serverIdOf } from "./postgres-session.ts";

/** A statement that takes longer has lost its server: whether it was carried out is not known. */
const ANSWER_TIMEOUT_MS = 60_000;
/** For a process that was told to stop: one that has not heard from the server for so long has lost its lane as well (lane-lease.ts). */
const ANSWER_TO_STOPPED_TIMEOUT_MS = 15_000;
/** Bringing a large database to a new layout takes what it takes; a server that has gone is noticed all the same (keepAlive). */
const MIGRATION_TIMEOUT_MS = 86_400_000;
/** A server that is gone does not answer a goodbye. */
const LEAVE_TIMEOUT_MS = 1_000;

/**
 * Serialises writers of all machines: each transaction sees what the one before it has committed, as in SQLite. Whatever the database's
 * own default is, a statement sees what was committed when it begins, and not when the lock was asked for.
 */
const BEGIN_WRITING = `begin isolation level read committed;
  select pg_advisory_xact_lock(hashtext('paydrop'), hashtext(current_database()))`;
const BEGIN_READING = "begin isolation level repeatable read read only";

export class PostgresConnection {
  /** Host, port and database, for messages. */
  readonly name: string;
  private readonly client: Client;
  /** Set on the server's session, so that another session that a pooler has put in its place is noticed. */
  private readonly mark = systemRandom.uuid();
  private readonly texts = new Map<string, { readonly name: string; readonly text: string }>();
  private readonly stop: AbortSignal | undefined;
  private isLost = false;
  private serverId: string | undefined;
  private isReplicated = false;
  private warning: string | undefined;

  private constructor(client: Client, stop?: AbortSignal) {
    this.client = client;
    this.stop = stop;
    this.name = `${client.host}:${client.port}/${client.database}`;
    // An idle connection that ends is noticed when it is used next.
    client.on("error", () => {
      this.isLost = true;
    });
    // How severe it is a server says in its administrator's language; the class of its code is 00 for what is no warning.
    client.on("notice", ({ code, message }) => {
      if (code?.startsWith("00") !== true) this.warning = message;
    });
  }

  /**
   * Opens it and brings it to this version. Once `stop` has aborted, a server that says nothing is waited for less long. Throws
   * DATABASE_UNREACHABLE, _REFUSED, _POOLED, _URL_INVALID or _VERSION_UNKNOWN.
   */
  static async open(url: string, stop?: AbortSignal): Promise<PostgresConnection> {
    const connection = new PostgresConnection(await postgresClient(url, ANSWER_TIMEOUT_MS), stop);
    await connection.opened(url, "writing", async () => {
      await connection.migrate();
      connection.serverId = await serverIdOf((text) => connection.ask(text));
    });
    return connection;
  }

  /** Changes nothing; undefined where nothing was ever stored. Throws as `open`, or DATABASE_OUTDATED. */
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

  /** False once the server has gone: nothing of an open transaction was committed, unless it was about to be. */
  get isUsable(): boolean {
    return !this.isLost;
  }

  /** Each text is planned once. */
  async execute({ text, values }: Statement): Promise<readonly SqlRow[]> {
    let known = this.texts.get(text);
    if (known === undefined) {
      // Never the name of another text: behind a pooler another client may have given it to this very session.
      known = { name: `${this.mark}-${this.texts.size}`, text: postgresStatement(text) };
      this.texts.set(text, known);
    }
    const result = await this.query({ ...known, values: values.map(storable) });
    return result.fields.length > 0 ? (result.rows as SqlRow[]) : [{ changed: result.rowCount ?? 0 }];
  }

  /** A command of the session or the transaction. */
  async command(text: string): Promise<void> {
    await this.query({ text });
  }

  /** Throws where it is not certain that the transaction has happened and will be kept. */
  async commit(): Promise<void> {
    this.warning = undefined;
    const { command } = await this.query({ text: "commit" });
    // PostgreSQL ends a transaction that has failed with this answer, and no error.
    if (command !== "COMMIT") throw this.unusable(`a commit was answered ${command}`);
    // And this is all it says when somebody has ended the wait for its standby.
    if (this.warning !== undefined) throw this.unusable(this.warning);
  }

  /**
   * Begins a transaction that writes, as the only one of all machines, or one that only reads. Throws DATABASE_POOLED, and
   * DATABASE_VERSION_UNKNOWN where a newer Paydrop has changed the layout meanwhile.
   */
  async begin(purpose: Purpose): Promise<void> {
    const { applied, standbys } = await this.beginAsking(
      purpose,
      "(select applied from paydrop.version) as applied, current_setting('synchronous_standby_names') as standbys",
    );
    this.checkVersion(Number(applied));
    this.isReplicated = standbys !== "";
  }

  /** As of the last `begin`; undefined of a connection that only reads. */
  get server(): KnownServer | undefined {
    const { serverId: id, isReplicated } = this;
    return id === undefined ? undefined : { id, isReplicated };
  }

  /** In words for a user; an error that is not the database's is returned as it is. */
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
      if (whyUnusable !== undefined) throw this.unusable(whyUnusable);
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
      // The server has answered an error of its own; anything else leaves the connection in a state that nobody knows.
      if (!isServersAnswer(error)) this.lose();
      throw error;
    } finally {
      stopWatching();
    }
  }

  /** Gives a query up that is not answered in time after the signal; returns what ends the watch. */
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

  /** Its server rolls back what is open, as soon as it hears of it. */
  private lose(reason?: string): void {
    this.isLost = true;
    this.client.connection.stream.destroy(reason === undefined ? undefined : new Error(reason));
  }

  private async ask(text: string): Promise<readonly SqlRow[]> {
    return (await this.query({ text })).rows as SqlRow[];
  }

  /** The answer to a question that is asked in the transaction it begins. */
  private async beginAsking(purpose: Purpose, question: string): Promise<SqlRow> {
    const begin = purpose === "writing" ? BEGIN_WRITING : BEGIN_READING;
    const text = `${begin}; select current_setting('paydrop.session', true) as mark, ${question}`;
    // A text of several commands is answered by a result for each.
    const results = (await this.query({ text })) as unknown as readonly { rows: SqlRow[] }[];
    const [row = {}] = results.at(-1)?.rows ?? [];
    if (row["mark"] !== this.mark) throw fault("DATABASE_POOLED", { path: this.name });
    return row;
  }

  private async migrate(): Promise<void> {
    // Nothing can be asked of a table that may not be there yet.
    await this.beginAsking("writing", "1");
    await this.command("set local statement_timeout = 0");
    const found = await this.version();
    if (found === 0) {
      await this.createSchema();
      await this.command("create table version (applied integer not null)");
      await this.command("insert into version values (0)");
    }
    if (found > migrations.length) this.checkVersion(found);
    // First, since the steps use them: an older version's may refuse what this one reads.
    if (found < migrations.length) await this.command(SQLITE_FUNCTIONS);
    for (const { layout, contents } of migrations.slice(found)) {
      await this.query({ text: postgresLayout(layout), query_timeout: MIGRATION_TIMEOUT_MS });
      if (found > 0 && contents !== undefined)
        await this.query({ text: contents, query_timeout: MIGRATION_TIMEOUT_MS });
    }
    if (found < migrations.length) await this.command(`update version set applied = ${migrations.length}`);
    await this.commit();
  }

  /** An administrator may have made it for a user who may not. */
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
    const known = migrations.length;
    if (found === known) return;
    const code = found > known ? "DATABASE_VERSION_UNKNOWN" : "DATABASE_OUTDATED";
    throw fault(code, { path: this.name, found, known });
  }

  /** Zero before the first. */
  private async version(): Promise<number> {
    const there = await this.query({ text: `select to_regclass('paydrop.version') as name` });
    if ((there.rows[0] as { name: string | null }).name === null) return 0;
    const { rows } = await this.query({ text: "select applied from version" });
    return (rows[0] as { applied: number } | undefined)?.applied ?? 0;
  }

  private unusable(reason: string): Fault {
    return fault("DATABASE_REFUSED", { path: this.name, reason });
  }
}

const SAID_NOTHING = `it has said nothing for ${ANSWER_TO_STOPPED_TIMEOUT_MS / 1000} s, and a signal asked to stop`;

/** PostgreSQL keeps no NUL in its text. */
function storable(value: Statement["values"][number]): Statement["values"][number] {
  return typeof value === "string" ? value.replaceAll("\0", "\u2400") : value;
}
