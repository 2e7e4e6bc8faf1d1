/** An insecure connection is reported in one sentence with a fix, before anything is sent. */
import { readFileSync } from "node:fs";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { connect } from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { tlsFailureOf } from "../../src/context/tls-failure.ts";
import { lookUp } from "../../src/gateway/index.ts";
import { systemClock } from "../../src/index.ts";
import { gatewayTo } from "./trial-gateway.ts";

const FOLDER = new URL("./certificate/", import.meta.url);

/** For localhost, self-signed, valid for a hundred years; made by `openssl req -x509`, and its key protects nothing. */
const CERTIFICATE = {
  key: readFileSync(new URL("localhost.key.pem", FOLDER)),
  cert: readFileSync(new URL("localhost.pem", FOLDER)),
};

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function problemAt(baseUrl: string): Promise<unknown> {
  return lookUp(gatewayTo(baseUrl), systemClock, "findPayoutFilteredV2", { page: 0, size: 1 }).catch(
    (error) => error.problem,
  );
}

test("https to a port for http names the port", async () => {
  const port = await portOf(createPlainServer());
  expect(await problemAt(`https://127.0.0.1:${port}`)).toMatchObject({
    code: "SERVICE_TLS",
    message: expect.stringMatching(/does not speak TLS \(\w+\)$/),
    fix: expect.stringContaining("its port is one for http"),
  });
});

test("a certificate that signs itself names the variable for its authority, and is never accepted", async () => {
  const port = await portOf(createServer(CERTIFICATE, (_request, response) => response.end("{}")));
  expect(await problemAt(`https://localhost:${port}`)).toMatchObject({
    code: "SERVICE_TLS",
    fix: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
  });
});

test("a certificate that nobody signed is not accepted either where the environment says that any will do", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  const keys: unknown[] = [];
  const port = await portOf(
    createServer(CERTIFICATE, ({ headers }, response) => {
      keys.push(headers["key"]);
      response.end("{}");
    }),
  );
  expect(await problemAt(`https://localhost:${port}`)).toMatchObject({
    code: "SERVICE_TLS",
  });
  expect(keys).toEqual([]);
});

test("a certificate of another host is told apart from one that nobody signed", async () => {
  const port = await portOf(createServer(CERTIFICATE));
  const error = await new Promise<Error>((resolve) => {
    connect({ host: "127.0.0.1", port, ca: CERTIFICATE.cert }).on("error", resolve);
  });
  expect(tlsFailureOf(error)).toMatchObject({ tls: "certificate of another host" });
});

test("http to a port for https, which only hangs up, suggests to check which one it is", async () => {
  const port = await portOf(createServer(CERTIFICATE));
  expect(await problemAt(`http://127.0.0.1:${port}`)).toMatchObject({
    code: "SERVICE_UNREACHABLE",
    fix: expect.stringContaining("https or http"),
  });
});
