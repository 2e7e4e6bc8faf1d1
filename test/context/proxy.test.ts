/**
 * Through a proxy: what the proxy sees, what the service receives, and whether the request can have left if the
 * proxy fails.
 */
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HttpProxy } from "../../src/context/transport.ts";
import { undiciTransport } from "../../src/index.ts";
import { ESTABLISHED, openProxy, portOf, tunnelTo } from "../http-proxy.ts";

/** Not the tunnel's host, so that a request that bypasses the proxy is noticed. */
const SERVICE = "http://payments.example.com:8443";

/** Answers 202 to everything and records the request heads. */
async function openService() {
  const heads: IncomingMessage["headers"][] = [];
  const server = createServer((request, response) => {
    heads.push(request.headers);
    request.resume().on("end", () => response.writeHead(202).end("{}"));
  });
  return { heads, port: await portOf(server) };
}

function send(proxy: HttpProxy, timeoutMs = 5000) {
  const transport = undiciTransport({ connections: 2, answerBytesMax: 1000, proxy });
  onTestFinished(() => transport.close());
  const body = Buffer.from("{}");
  return transport.send({
    method: "POST",
    url: `${SERVICE}/payouts`,
    headers: { key: "k" },
    body,
    timeoutMs,
  });
}

test("a request goes through the tunnel, and the proxy's credentials to nobody but the proxy", async () => {
  const service = await openService();
  const proxy = await openProxy(tunnelTo(service.port));
  const exchange = await send({ url: proxy.url, credentials: "treasury:pässword" });
  expect(exchange).toMatchObject({ kind: "answered", status: 202, text: "{}" });
  const token = Buffer.from("treasury:pässword").toString("base64");
  expect(proxy.asked).toEqual([{ host: "payments.example.com:8443", authorization: `Basic ${token}` }]);
  expect(service.heads).toMatchObject([{ key: "k", host: "payments.example.com:8443" }]);
  expect(service.heads[0]).not.toHaveProperty("proxy-authorization");
});

describe("not one byte of the request has left where", () => {
  test.each([403, 407, 502])("the proxy answers %i, and it says so", async (status) => {
    const proxy = await openProxy((client) => client.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    expect(await send({ url: proxy.url })).toMatchObject({
      kind: "unanswered",
      headWritten: false,
      timedOut: false,
      reason: expect.stringContaining(`Proxy response (${status})`),
    });
  });

  test("the proxy says nothing", async () => {
    const proxy = await openProxy(() => undefined);
    expect(await send({ url: proxy.url }, 300)).toMatchObject({
      kind: "unanswered",
      headWritten: false,
      timedOut: true,
    });
  });

  test("the proxy hangs up", async () => {
    const proxy = await openProxy((client) => client.destroy());
    expect(await send({ url: proxy.url })).toMatchObject({ kind: "unanswered", headWritten: false });
  });

  test("nobody listens there", async () => {
    const port = await portOf(createTcpServer());
    expect(await send({ url: `http://127.0.0.1:${port + 1 > 65_535 ? 1 : port + 1}` }, 2000)).toMatchObject({
      kind: "unanswered",
      headWritten: false,
    });
  });
});

test("a tunnel that breaks behind the request leaves it open whether that arrived", async () => {
  const proxy = await openProxy((client) => {
    client.write(ESTABLISHED);
    client.once("data", () => client.destroy());
  });
  expect(await send({ url: proxy.url })).toMatchObject({ kind: "unanswered", headWritten: true });
});
