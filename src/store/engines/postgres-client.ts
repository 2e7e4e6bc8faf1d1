/** The driver's client for a URL, and its errors explained. Only this file loads `pg`, once PostgreSQL is used. */
import type { Client, DatabaseError } from "pg";
import { isThisMachine } from "../../context/machine.ts";
import { tlsFailureOf } from "../../context/tls-failure.ts";
import { Fault, fault } from "../../faults/index.ts";

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * `answerTimeoutMs`: how long to wait for a statement. Throws DATABASE_URL_INVALID without repeating the URL, which
 * may contain a password.
 */
export async function postgresClient(url: string, answerTimeoutMs: number): Promise<Client> {
  if (!isUrl(url)) throw noUrl();
  const { Client, types } = (await import("pg")).default;
  const whole = (text: string): number => Number(text);
  try {
    const client = new Client({
      connectionString: withFixedTls(url),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: answerTimeoutMs,
      keepAlive: true,
      application_name: "paydrop",
      types: {
        // Counts, ids and milliseconds; amounts and nonces are stored as text.
        getTypeParser: (type, format) =>
          type === types.builtins.INT8 || type === types.builtins.NUMERIC
            ? whole
            : types.getTypeParser(type, format),
      },
    });
    verifyCertificates(client);
    return client;
  } catch (cause) {
    throw noUrl(cause);
  }
}

/** How a connected client's connection is encrypted: "TLSv1.3 with its certificate checked". */
export function encryptionOf({ host, connection }: Client): string {
  const { stream, ssl } = connection as {
    readonly stream: { getProtocol?(): string | null };
    readonly ssl?: { readonly rejectUnauthorized?: boolean };
  };
  const protocol = stream.getProtocol?.();
  if (!protocol) return host.startsWith("/") ? "on this machine without TLS" : "without TLS";
  return `${protocol} ${ssl?.rejectUnauthorized === false ? "without" : "with"} its certificate checked`;
}

/** "db.example.com:5432/paydrop", for messages. */
export function nameOf({ host, port, database }: Client): string {
  return `${host}:${port}/${database}`;
}

/** As `nameOf`. Throws DATABASE_URL_INVALID; connects to nothing. */
export async function placeOf(url: string): Promise<string> {
  return nameOf(await postgresClient(url, 0));
}

/**
 * The URL's host if it is another machine and the connection is not encrypted or its certificate is not checked.
 */
export async function unverifiedHost(url: string): Promise<string | undefined> {
  const { host, connection } = await postgresClient(url, 0);
  const { ssl } = connection as { ssl?: { rejectUnauthorized?: boolean; checkServerIdentity?: unknown } };
  const isVerified = ssl?.rejectUnauthorized === true && ssl.checkServerIdentity === undefined;
  return isVerified || host.startsWith("/") || isThisMachine(host) ? undefined : host;
}

/** Whether the server itself answered and the session continues. After any other error its state is unknown. */
export function isServersAnswer(error: unknown): boolean {
  const code = codeOf(error);
  const { severity } = error as Partial<DatabaseError>;
  // Class 57P: the server is shutting down, and this session with it.
  return code !== undefined && severity !== undefined && severity !== "FATAL" && !code.startsWith("57P");
}

/**
 * Turns the database's errors into faults that a user understands; returns all others unchanged. `path` names the
 * database, `isLost` says that its session has ended.
 */
export function explainedPostgres(error: unknown, path: string, isLost: boolean): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const tls = error.message === WITHOUT_TLS ? NO_TLS : tlsFailureOf(error)?.reason;
  if (tls !== undefined) return fault("DATABASE_TLS", { path, reason: tls }, {}, { cause: error });
  const about = { path, reason: error.message };
  if (WITHOUT_PASSWORD.test(error.message))
    return fault("DATABASE_REFUSED", { path, reason: "it asks for a password, and DATABASE_URL has none" });
  if (CONFIGURED.test(code ?? "") || error.message.startsWith("SASL: "))
    return fault("DATABASE_REFUSED", about, {}, { cause: error });
  if (isLost) return fault("DATABASE_UNREACHABLE", about, {}, { cause: error });
  if (PASSING.test(code ?? "")) return fault("DATABASE_BUSY", about, {}, { cause: error });
  return code === undefined ? error : fault("DATABASE_UNUSABLE", about, {}, { cause: error });
}

/** The driver's own words; these errors have no code. */
const WITHOUT_TLS = "The server does not support SSL connections";
const WITHOUT_PASSWORD = /^SASL.* client password must be/;

const NO_TLS = "the server does not speak TLS, so it must be switched on there first (`ssl = on`)";

/** SQLSTATE: rolled back because of other transactions, out of memory or connections, lock timeout, cancelled. */
const PASSING = /^(?:40|53[234]|55P03|57014)/;

/**
 * SQLSTATE: wrong user, password, database, schema or rights, or a server that only reads. Trying again does not
 * help.
 */
const CONFIGURED = /^(?:28|3[DF]|42501|25006)/;

/** Refuses an @ after the host: a password with a bare / or ? would be cut there and its rest shown. */
function isUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\/[^/?#]*(?:[/?#][^@]*)?$/.test(url);
}

/** Sets these modes explicitly: a later version of the driver would accept any certificate in them. */
function withFixedTls(url: string): string {
  return url.includes("uselibpqcompat=")
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

/**
 * Checks certificates unless the URL says `no-verify`: with a forgotten NODE_TLS_REJECT_UNAUTHORIZED, anybody could
 * read our password.
 */
function verifyCertificates({ connection }: { readonly connection: object }): void {
  const { ssl } = connection as { ssl?: boolean | { rejectUnauthorized?: boolean } };
  if (ssl === true) Object.assign(connection, { ssl: { rejectUnauthorized: true } });
  else if (typeof ssl === "object") ssl.rejectUnauthorized ??= true;
}

/** Leaves out the driver's message, which may repeat the URL, unless it is about an unreadable certificate file. */
function noUrl(cause?: unknown): Fault {
  const isAboutFile = cause instanceof Error && "syscall" in cause;
  const reason = isAboutFile ? cause.message : "it is no URL of a PostgreSQL database";
  return fault("DATABASE_URL_INVALID", { reason }, { key: "DATABASE_URL" }, { cause });
}

/** A SQLSTATE, or the code of a system error. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
