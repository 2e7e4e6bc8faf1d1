/**
 * The one connection to a PostgreSQL database: opened on first use with the settings that the store counts on, the layout brought to
 * this version, and its errors in words. `pg` is an optional dependency, loaded only here.
 */
import type { Client, DatabaseError } from "pg";
import { Fault, fault } from "../faults/index.ts";
import { migrations } from "./migrations.ts";
import { postgresLayout, postgresStatement, SQLITE_FUNCTIONS } from "./postgres-dialect.ts";
import type { SqlRow, Statement } from "./sql.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/** Another writer's transaction is over in far less. */
const LOCK_TIMEOUT_MS = 10_000;
/** A machine that stands still in a transaction keeps nobody else waiting: the server ends it before the others give up. */
const IDLE_TIMEOUT_MS = 5_000;
/** A statement that takes longer has lost its server: whether it was carried out is not known. */
const ANSWER_TIMEOUT_MS = 60_000;

/** Serialises writers of all machines: each transaction sees what the one before it has committed, as in SQLite. */
export const WRITER_LOCK = `select pg_advisory_xact_lock(hashtext('paydrop'), hashtext(current_database()))`;

export class PostgresConnection {
  /** Host, port and database, for messages. */
  readonly name: string;
  private readonly client: Client;
  private readonly texts = new Map<string, { readonly name: string; readonly text: string }>();
  private isLost = false;

  private constructor(client: Client) {
    this.client = client;
    this.name = `${client.host}:${client.port}/${client.database}`;
    // An idle connection that ends is noticed by whoever uses it next.
    client.on("error", () => {
      this.isLost = true;
    });
  }

  /** Opens it and brings it to this version. Throws DATABASE_UNUSABLE or DATABASE_VERSION_UNKNOWN. */
  static async open(url: string): Promise<PostgresConnection> {
    const connection = new PostgresConnection(await newClient(url));
    await connection.begin(() => connection.migrate());
    return connection;
  }

  /** Changes nothing; undefined where nothing was ever stored. Throws as `open`, or DATABASE_OUTDATED. */
  static async openForReading(url: string): Promise<PostgresConnection | undefined> {
    const connection = new PostgresConnection(await newClient(url));
    const isThere = await connection.begin(async () => {
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
      known = { name: `s${this.texts.size}`, text: postgresStatement(text) };
      this.texts.set(text, known);
    }
    const result = await this.query({ ...known, values: values.map(storable) });
    return result.fields.length > 0 ? (result.rows as SqlRow[]) : [{ changed: result.rowCount ?? 0 }];
  }

  /** A command of the session or the transaction. */
  async command(text: string): Promise<void> {
    const { command } = await this.query({ text });
    // PostgreSQL ends a transaction that has failed with this answer, and no error.
    if (text === "commit" && command !== "COMMIT") throw this.unusable(`a commit was answered ${command}`);
  }

  /** In words for a user; what is no database error is returned as it is. */
  explained(error: unknown): unknown {
    if (error instanceof Fault || !(error instanceof Error)) return error;
    if (codeOf(error) === "55P03") return fault("DATABASE_BUSY", { path: this.name }, {}, { cause: error });
    const about = { path: this.name, reason: error.message };
    if (this.isLost) return fault("DATABASE_UNREACHABLE", about, {}, { cause: error });
    return codeOf(error) === undefined ? error : fault("DATABASE_UNUSABLE", about, {}, { cause: error });
  }

  async close(): Promise<void> {
    this.isLost = true;
    await this.client.end();
  }

  private async begin<Result>(prepare: () => Promise<Result>): Promise<Result> {
    try {
      await this.connect();
      await this.prepareSession();
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

  private async query(query: { text: string; name?: string; values?: unknown[] }) {
    try {
      return await this.client.query(query);
    } catch (error) {
      // The server has answered an error of its own; anything else leaves the connection in a state that nobody knows.
      if (!isServersAnswer(error)) this.isLost = true;
      throw error;
    }
  }

  private async prepareSession(): Promise<void> {
    await this.command(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await this.command(`set idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`);
    await this.command("set search_path = paydrop");
    await this.command("set client_encoding = 'UTF8'");
    const { rows } = await this.query({
      text: `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
    });
    const [{ fsync, commit } = { fsync: "", commit: "" }] = rows as { fsync: string; commit: string }[];
    if (fsync !== "on") throw this.unusable("its setting fsync is off, so that a payment could be forgotten");
    if (commit === "off" || commit === "local") await this.command("set synchronous_commit = on");
  }

  private async migrate(): Promise<void> {
    await this.command("begin");
    await this.command(WRITER_LOCK);
    const found = await this.version();
    if (found === 0) {
      await this.createSchema();
      await this.command("create table version (applied integer not null)");
      await this.command("insert into version values (0)");
    }
    if (found > migrations.length)
      throw fault("DATABASE_VERSION_UNKNOWN", { path: this.name, found, known: migrations.length });
    for (const { layout } of migrations.slice(found)) await this.command(postgresLayout(layout));
    if (found < migrations.length) {
      await this.command(SQLITE_FUNCTIONS);
      await this.command(`update version set applied = ${migrations.length}`);
    }
    await this.command("commit");
  }

  /** An administrator may have made it for a user who may not. */
  private async createSchema(): Promise<void> {
    const { rows } = await this.query({ text: `select to_regnamespace('paydrop') as name` });
    const [{ name } = { name: null }] = rows as { name: string | null }[];
    if (name === null) await this.command("create schema paydrop");
  }

  private async hasLayout(): Promise<boolean> {
    const [found, known] = [await this.version(), migrations.length];
    if (found === known || found === 0) return found > 0;
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
    return fault("DATABASE_UNUSABLE", { path: this.name, reason });
  }
}

async function newClient(url: string): Promise<Client> {
  if (!/^postgres(?:ql)?:\/\//.test(url)) throw noUrl();
  const { Client, types } = await loadDriver();
  const whole = (text: string): number => Number(text);
  try {
    return new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      application_name: "paydrop",
      types: {
        // Counts, ids and milliseconds: amounts and nonces are text.
        getTypeParser: (type, format) =>
          type === types.builtins.INT8 || type === types.builtins.NUMERIC
            ? whole
            : types.getTypeParser(type, format),
      },
    });
  } catch (cause) {
    throw noUrl(cause);
  }
}

/** The URL may hold a password, and so may the words of whoever could not read it. */
function noUrl(cause?: unknown): Fault {
  const reason = "it is no URL of a PostgreSQL database";
  return fault("DATABASE_UNUSABLE", { path: "in DATABASE_URL", reason }, {}, { cause });
}

async function loadDriver(): Promise<Pick<typeof import("pg"), "Client" | "types">> {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    const reason = "the package `pg` is not installed; `npm install pg` adds it";
    throw fault("DATABASE_UNUSABLE", { path: "postgresql", reason }, {}, { cause });
  }
}

function isServersAnswer(error: unknown): boolean {
  const code = codeOf(error);
  const severity = (error as Partial<DatabaseError>).severity;
  // Class 57P: the server is going away, and this session with it.
  return code !== undefined && severity !== undefined && severity !== "FATAL" && !code.startsWith("57P");
}

/** SQLSTATE, or the system's code. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** PostgreSQL keeps no NUL in its text. */
function storable(value: Statement["values"][number]): Statement["values"][number] {
  return typeof value === "string" ? value.replaceAll("\0", "\u2400") : value;
}
