/** A pooler in front of the run's PostgreSQL server with a single session for all its clients. */
import { connect as connectTo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./store/stored-batch.ts";

/** The message that tells a client the number of its session, up to that number. */
const KEY_DATA = Buffer.from("K\0\0\0\x0c", "latin1");

/** Returns the URL through it. */
export async function poolerTo(url: string): Promise<string> {
  const target = join(new URL(url.replace("@/", "@host/")).searchParams.get("host") ?? "", ".s.PGSQL.5432");
  const folder = temporaryFolder();
  const session = connectTo(target);
  const clients: Socket[] = [];
  let current: Socket | undefined;
  let welcome: Buffer | undefined;
  session.on("data", (bytes) => {
    const isWelcome = welcome === undefined;
    welcome ??= withMadeUpNumber(bytes);
    current?.write(isWelcome ? welcome : bytes);
  });
  session.on("error", () => session.destroy());
  const server = createServer((client) => {
    clients.push(client);
    let isGreeted = false;
    client.on("data", (bytes) => {
      current = client;
      if (isGreeted || welcome === undefined) session.write(bytes);
      else client.write(welcome);
      isGreeted = true;
    });
    // When a client leaves, the session is not told; it goes to the next client.
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

function withMadeUpNumber(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const at = changed.indexOf(KEY_DATA);
  if (at >= 0) changed.writeUInt32BE(0, at + KEY_DATA.length);
  return changed;
}
