/** A client that can reach a port of the daemon cannot use up the files that the process may open. */
import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type Hints, startCallbacks, startMonitoring } from "../../src/daemon/index.ts";
import { openPlace } from "../site/workplace.ts";

/** Silent connections, each of them either open or ended by the server. */
async function connections(url: string, count: number): Promise<readonly Socket[]> {
  const { port, hostname } = new URL(url);
  const opened = Array.from({ length: count }, () => connect(Number.parseInt(port, 10), hostname));
  onTestFinished(() => {
    for (const socket of opened) socket.destroy();
  });
  for (const socket of opened) socket.on("error", () => undefined).resume();
  await Promise.all(opened.map((socket) => (socket.connecting ? once(socket, "connect") : undefined)));
  return opened;
}

/** The address of one of the daemon's listeners, which ends with the test. */
async function listenerOf(which: string): Promise<string> {
  const { workplace } = openPlace(LISTENS);
  const hints: Hints = new EventEmitter();
  const listener = await (which === "monitoring"
    ? startMonitoring(workplace, "1.2.3")
    : startCallbacks(workplace, hints));
  onTestFinished(() => listener?.close());
  return listener?.url ?? "";
}

const LISTENS = { PAYDROP_MONITORING_LISTEN: "127.0.0.1:0", PAYDROP_CALLBACKS_LISTEN: "127.0.0.1:0" };

test.each(["monitoring", "callbacks"])(
  "silent connections beyond the 256th to %s are ended at once",
  async (which) => {
    const url = await listenerOf(which);
    const sockets = await connections(url, 300);
    await Promise.any(sockets.map((socket) => once(socket, "close")));
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await fetch(`${url}/health/live`)).status).toBeLessThan(500);
  },
);

test.each(["monitoring", "callbacks"])(
  "connections to %s that drip keep nobody from an answer, and are not waited for",
  async (which) => {
    const url = await listenerOf(which);
    const sockets = await connections(url, 256);
    for (const socket of sockets) socket.write("GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    for (let asked = 0; asked < 20; asked += 1) {
      for (const socket of sockets) socket.write("a");
      expect((await fetch(`${url}/health/live`)).status).toBeLessThan(500);
    }
    expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThan(200);
  },
);
