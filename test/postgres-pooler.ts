/**
 * A pooler in front of the run's PostgreSQL server with a single session for all its clients. It gives the session
 * from one transaction to the next, or refuses transactions as PgBouncer's `pool_mode = statement` does.
 */
import { connect as connectTo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./store/stored-batch.ts";

/** The beginning of the message that tells a client its session's number. */
const KEY_DATA = Buffer.from("K\0\0\0\x0c", "latin1");

/** The end of a server's answer while a transaction is open. */
const IN_TRANSACTION = ["T", "E"].map(ready);
const READY = ready("I");
/** A client's goodbye. The client leaves alone; the session stays. */
const GOODBYE = message("X", "");

/** Returns the URL through the pooler. */
export async function poolerTo(
  url: string,
  mode: "transaction" | "statement" = "transaction",
): Promise<string> {
  const target = join(new URL(url.replace("@/", "@host/")).searchParams.get("host") ?? "", ".s.PGSQL.5432");
  const folder = temporaryFolder();
  const session = connectTo(target);
  const clients: Socket[] = [];
  let current: Socket | undefined;
  let welcome: Buffer | undefined;
  let isRollingBack = false;
  session.on("data", (arrived) => {
    // The pooler sent the rollback itself, so no client gets its answer.
    const bytes = isRollingBack ? arrived.subarray(arrived.indexOf(READY) + READY.length) : arrived;
    isRollingBack = false;
    if (bytes.length === 0) return;
    if (mode === "statement" && IN_TRANSACTION.some((end) => bytes.subarray(-end.length).equals(end))) {
      current?.end(
        message("E", "SFATAL\0C08P01\0Mtransaction blocks not allowed in statement pooling mode\0\0"),
      );
      current = undefined;
      isRollingBack = true;
      session.write(message("Q", "rollback\0"));
      return;
    }
    const isWelcome = welcome === undefined;
    welcome ??= withMadeUpNumber(bytes);
    current?.write(isWelcome ? welcome : bytes);
  });
  session.on("error", () => session.destroy());
  const server = createServer((client) => {
    clients.push(client);
    let isGreeted = false;
    client.on("data", (bytes) => {
      if (bytes.equals(GOODBYE)) return;
      current = client;
      if (isGreeted || welcome === undefined) session.write(bytes);
      else client.write(welcome);
      isGreeted = true;
    });
    // When a client leaves, the session goes to the next client without a message.
    client.on("error", () => client.destroy());
    client.on("close", () => {
      if (client === current) current = undefined;
    });
  });
  await new Promise<void>((listening) => server.listen(join(folder, ".s.PGSQL.5432"), listening));
  onTestFinished(() => {
    for (const socket of [session, ...clients]) socket.destroy();
    server.close();
  });
  return url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`);
}

function ready(status: string): Buffer {
  return message("Z", status);
}

function message(kind: string, content: string): Buffer {
  const bytes = Buffer.from(`${kind}\0\0\0\0${content}`, "latin1");
  bytes.writeUInt32BE(content.length + 4, 1);
  return bytes;
}

function withMadeUpNumber(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const at = changed.indexOf(KEY_DATA);
  if (at >= 0) changed.writeUInt32BE(0, at + KEY_DATA.length);
  return changed;
}
