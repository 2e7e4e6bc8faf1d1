/**
 * How the transport reports failed requests, against servers that speak raw TCP: whether the head can have left decides
 * whether a payout may be sent again.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { type HttpRequest, type Transport, undiciTransport } from "../../src/index.ts";

/** Nothing here is timed; a busy machine may need a while. */
const PATIENT = { timeout: 20_000 };

const transports: Transport[] = [];
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
  for (const server of servers.splice(0)) server.close();
});

function open(limits = { connections: 4, answerBytesMax: 1000 }): Transport {
  const transport = undiciTransport(limits);
  transports.push(transport);
  return transport;
}

interface RawService {
  readonly url: string;
  /** Everything received, over all connections. */
  received(): string;
}

/** Calls `play` once per connection, with its first bytes. */
function serve(play: (socket: Socket, sent: string) => void): Promise<RawService> {
  let received = "";
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
      play(socket, bytes.toString("latin1"));
    });
  });
  servers.push(server);
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" ? address?.port : undefined;
      resolve({ url: `http://127.0.0.1:${port}/payouts/v2/create`, received: () => received });
    }),
  );
}

function request(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: "POST",
    url,
    headers: { "content-type": "application/json" },
    body: Buffer.from("{}"),
    timeoutMs: 5000,
    ...more,
  };
}

function answer(body: string, head = "HTTP/1.1 200 OK\r\n"): string {
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/**
 * Runs in a thread of its own. Posts its port, and then that a request has arrived; answers that in step 1, which
 * makes it step 2.
 */
const ANSWERING_SERVICE = `
  const { parentPort, workerData: step } = require("node:worker_threads");
  const server = require("node:net").createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => {
      parentPort.postMessage("arrived");
      Atomics.wait(step, 0, 0, 10_000);
      socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}", () => {
        Atomics.store(step, 0, 2);
        Atomics.notify(step, 0);
      });
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

describe("nothing was written", () => {
  test("when the name is not found", async () => {
    const exchange = await open().send(request("http://payments.invalid/payouts/v2/create"));
    expect(exchange).toMatchObject({ kind: "unanswered", headWritten: false });
  });

  test("when the connection is refused", async () => {
    const { url } = await serve((socket) => socket.end());
    for (const server of servers.splice(0)) server.close();
    const exchange = await open().send(request(url));
    expect(exchange).toMatchObject({
      kind: "unanswered",
      headWritten: false,
      reason: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("when the other side does not speak TLS", async () => {
    const { url } = await serve((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const exchange = await open().send(request(url.replace("http:", "https:")));
    expect(exchange).toMatchObject({ kind: "unanswered", headWritten: false });
  });

  test("when the caller stops it right before the first byte", async () => {
    const { url, received } = await serve((socket) => socket.end(answer("{}")));
    const transport = open();
    const exchange = await transport.send(request(url, { stopBeforeWrite: () => "the run was stopped" }));
    expect(exchange).toMatchObject({ kind: "unanswered", headWritten: false, reason: "the run was stopped" });
    await transport.send(request(url, { headers: { marked: "second" } }));
    expect(received().match(/POST/g)).toHaveLength(1);
    expect(received()).toContain("second");
  });

  test("when its time was up before a connection was free, and it is not written later", async () => {
    const held: Socket[] = [];
    const { url, received } = await serve((socket) => held.push(socket));
    const transport = open({ connections: 1, answerBytesMax: 1000 });
    const first = transport.send(request(url, { headers: { marked: "first" } }));
    await expect.poll(() => held, PATIENT).toHaveLength(1);
    const second = await transport.send(request(url, { headers: { marked: "second" }, timeoutMs: 30 }));
    expect(second).toMatchObject({ kind: "unanswered", headWritten: false, timedOut: true });
    held[0]?.write(answer("{}"));
    expect(await first).toMatchObject({ kind: "answered", status: 200 });
    const third = transport.send(request(url, { headers: { marked: "third" } }));
    await expect.poll(() => received(), PATIENT).toContain("third");
    held.at(-1)?.write(answer("{}"));
    await third;
    expect(received()).not.toContain("second");
  });

  test("when a header cannot be written at all", async () => {
    const { url, received } = await serve((socket) => socket.end());
    const exchange = await open().send(request(url, { headers: { key: "two\nlines" } }));
    expect(exchange).toMatchObject({ kind: "unanswered", headWritten: false });
    expect(received()).toBe("");
  });

  test("when the transport was closed before", async () => {
    const { url } = await serve((socket) => socket.end(answer("{}")));
    const transport = open();
    await transport.send(request(url));
    await transport.close();
    expect(await transport.send(request(url))).toMatchObject({ kind: "unanswered", headWritten: false });
  });
});

describe("something may have been written", () => {
  test.each([
    ["closed without an answer", (socket: Socket) => socket.end()],
    ["reset", (socket: Socket) => socket.resetAndDestroy()],
    ["cut in the middle of the head", (socket: Socket) => socket.end("HTTP/1.1 202 Acc")],
    [
      "cut in the middle of the body",
      (socket: Socket) => socket.end(answer('{"payoutId":"').replace("13", "60")),
    ],
    ["answered in no HTTP", (socket: Socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n")],
    [
      "ended by an upgrade nobody asked for",
      (socket: Socket) =>
        socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ],
  ])("when the connection is %s, and it is sent only once", async (_how, play) => {
    const { url, received } = await serve(play);
    const exchange = await open().send(request(url));
    expect(exchange).toMatchObject({ kind: "unanswered", headWritten: true });
    expect(received().match(/POST/g)).toHaveLength(1);
  });

  test("when no answer comes within the deadline", async () => {
    const { url } = await serve(() => undefined);
    const exchange = await open().send(request(url, { timeoutMs: 50 }));
    expect(exchange).toMatchObject({ kind: "unanswered", headWritten: true, timedOut: true });
  });

  test("when the answer drips on beyond the deadline, however steadily", async () => {
    const { url } = await serve((socket) => {
      socket.write("HTTP/1.1 202 Accepted\r\ncontent-length: 900\r\n\r\n");
      const drip = setInterval(() => socket.write(" "), 5);
      socket.on("close", () => clearInterval(drip));
    });
    const exchange = await open().send(request(url, { timeoutMs: 100 }));
    expect(exchange).toMatchObject({ kind: "unanswered", headWritten: true, timedOut: true });
  });

  test("when the answer stops in its middle for longer than it may be silent", async () => {
    const { url } = await serve((socket) => {
      socket.write("HTTP/1.1 202 Accepted\r\ncontent-length: 900\r\n\r\n{");
    });
    expect(await open().send(request(url, { idleTimeoutMs: 50 }))).toMatchObject({
      kind: "unanswered",
      headWritten: true,
      timedOut: true,
      reason: "the answer began and then stood still for 50 ms",
    });
  });

  test("when the answer is larger than it may be", async () => {
    const { url } = await serve((socket) => socket.end(answer("x".repeat(1001))));
    expect(await open().send(request(url))).toMatchObject({
      kind: "unanswered",
      headWritten: true,
      timedOut: false,
      reason: "the answer has more than 1000 bytes",
    });
    const whole = await serve((socket) => socket.end(answer("x".repeat(1000))));
    expect(await open().send(request(whole.url))).toMatchObject({ kind: "answered" });
  });

  test("when the transport is closed while it waits", async () => {
    const { url, received } = await serve(() => undefined);
    const transport = open();
    const waiting = transport.send(request(url));
    await expect.poll(() => received(), PATIENT).toContain("POST");
    await transport.close();
    expect(await waiting).toMatchObject({ kind: "unanswered", headWritten: true });
  });
});

describe("an answer", () => {
  test("that comes slowly but never stands still is waited for", async () => {
    const { url } = await serve((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n");
      let sent = 0;
      const drip = setInterval(() => {
        sent += 1;
        socket.write("x");
        if (sent === 5) clearInterval(drip);
      }, 30);
    });
    expect(await open().send(request(url, { idleTimeoutMs: 2000 }))).toMatchObject({ text: "xxxxx" });
  });

  test("to a GET comes as well, and the GET carries no body", async () => {
    const { url, received } = await serve((socket) => socket.end(answer("{}")));
    await open().send(request(`${url}?page=0`, { method: "GET", body: Buffer.alloc(0), headers: {} }));
    expect(received()).toMatch(/^GET \/payouts\/v2\/create\?page=0 HTTP\/1\.1/);
    expect(received()).not.toMatch(/content-length|transfer-encoding/i);
  });

  test("comes as it was sent: status, headers, text", async () => {
    const { url } = await serve((socket) =>
      socket.end(answer("Zoë ✓", "HTTP/1.1 429 Slow\r\nretry-after: 7\r\n")),
    );
    expect(await open().send(request(url))).toMatchObject({
      kind: "answered",
      status: 429,
      headers: { "retry-after": "7" },
      text: "Zoë ✓",
    });
  });

  test("that redirects is returned and not followed", async () => {
    const { url, received } = await serve((socket) =>
      socket.end(answer("", "HTTP/1.1 307 Temporary Redirect\r\nlocation: /elsewhere\r\n")),
    );
    expect(await open().send(request(url))).toMatchObject({ kind: "answered", status: 307 });
    expect(received().match(/POST/g)).toHaveLength(1);
  });

  test("after an early hint is the answer, not the hint", async () => {
    const { url } = await serve((socket) => socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${answer("{}")}`));
    expect(await open().send(request(url))).toMatchObject({ kind: "answered", status: 200, text: "{}" });
  });

  test("that arrived while this process stood still beyond the deadline is read, and not taken for silence", async () => {
    const step = new Int32Array(new SharedArrayBuffer(4));
    const service = new Worker(ANSWERING_SERVICE, { eval: true, workerData: step });
    onTestFinished(() => void service.terminate());
    const [port] = (await once(service, "message")) as [number];
    const arrived = once(service, "message");
    const transport = open({ connections: 1, answerBytesMax: 1000 });
    const url = `http://127.0.0.1:${port}/`;
    const sending = transport.send(request(url, { timeoutMs: 2000 }));
    await arrived;
    const waiting = transport.send(request(url, { timeoutMs: 1000 }));
    await new Promise(setImmediate);
    Atomics.store(step, 0, 1);
    Atomics.notify(step, 0);
    // No code of this process runs until the system has the answer and the deadline has passed.
    Atomics.wait(step, 0, 1, 10_000);
    Atomics.wait(step, 0, 2, 2100);
    expect(await sending).toMatchObject({ kind: "answered", status: 200, text: "{}" });
    // The connection is free in the same turn, but the request that waited for it is still too late.
    expect(await waiting).toMatchObject({ kind: "unanswered", headWritten: false });
  });

  test("is waited for after a word that it is being worked on, which is no answer that stands still", async () => {
    const { url } = await serve((socket) => {
      socket.write("HTTP/1.1 102 Processing\r\n\r\n");
      setTimeout(() => socket.end(answer("{}")), 300);
    });
    const exchange = await open().send(request(url, { idleTimeoutMs: 50 }));
    expect(exchange).toMatchObject({ kind: "answered", status: 200, text: "{}" });
  });
});

describe("renewed connections", () => {
  /** Each connection answers with its number; requests marked slow get no answer. */
  async function numbered() {
    const sockets: Socket[] = [];
    const { url, received } = await serve((socket, sent) => {
      if (!sockets.includes(socket)) sockets.push(socket);
      if (!sent.includes("slow")) socket.write(answer(String(sockets.indexOf(socket))));
    });
    return { sockets, url, received, transport: open({ connections: 1, answerBytesMax: 1000 }) };
  }

  test("carry what is sent later, while what was on its way is answered over the old ones", async () => {
    const { sockets, url, received, transport } = await numbered();
    expect(await transport.send(request(url))).toMatchObject({ text: "0" });
    const slow = transport.send(request(url, { headers: { marked: "slow" } }));
    await expect.poll(() => received(), PATIENT).toContain("slow");
    transport.renewConnections();
    expect(await transport.send(request(url))).toMatchObject({ text: "1" });
    expect(await transport.send(request(url))).toMatchObject({ text: "1" });
    sockets[0]?.write(answer("late"));
    expect(await slow).toMatchObject({ text: "late" });
    await expect.poll(() => sockets[0]?.destroyed, PATIENT).toBe(true);
  });

  test("carry what waits for a connection, too, and asks once more whether it may be written", async () => {
    const { sockets, url, received, transport } = await numbered();
    const slow = transport.send(request(url, { headers: { marked: "slow" } }));
    await expect.poll(() => received(), PATIENT).toContain("slow");
    const [waiting, stopped] = [undefined, "stopped"].map((why) =>
      transport.send(request(url, { headers: { marked: why ?? "free" }, stopBeforeWrite: () => why })),
    );
    // Both wait after the slow one.
    await new Promise(setImmediate);
    transport.renewConnections();
    sockets[0]?.write(answer("late"));
    expect(await slow).toMatchObject({ text: "late" });
    expect(await waiting).toMatchObject({ kind: "answered", text: "1" });
    expect(await stopped).toEqual({
      kind: "unanswered",
      headWritten: false,
      timedOut: false,
      reason: "stopped",
    });
    expect(received().match(/marked: free/g)).toHaveLength(1);
  });

  test("and old ones that still wait end when the transport is closed", async () => {
    const { url, received } = await serve(() => undefined);
    const transport = open();
    const waiting = transport.send(request(url));
    await expect.poll(() => received(), PATIENT).toContain("POST");
    transport.renewConnections();
    await transport.close();
    expect(await waiting).toMatchObject({ kind: "unanswered", headWritten: true });
  });
});
