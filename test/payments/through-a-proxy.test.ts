/**
 * A company's only way out is a proxy that hangs up at will: each payment is made once, and nothing bypasses the proxy.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveStep, payStep, statusOfBatches, submitFile, trackStep } from "../../src/index.ts";
import { SAMPLES } from "../cli/program.ts";
import { openProxy, tunnelTo } from "../http-proxy.ts";
import { openSite } from "../site/service.ts";

test("a proxy that asks who it is, and breaks tunnels while payments are made", async () => {
  let opened = 0;
  let broken = 0;
  let port = 0;
  const proxy = await openProxy((client) => {
    opened += 1;
    const bytesMax = opened % 2 === 1 ? 6_000 : Number.POSITIVE_INFINITY;
    tunnelTo(port)(client);
    client.on("data", () => {
      if (client.bytesRead <= bytesMax) return;
      broken += 1;
      client.destroy();
    });
  });
  const { workplace, sandbox } = await openSite(
    {},
    {
      PAYDROP_SERVICE_BASE_URL: "http://payments.example.com:8443",
      PAYDROP_SERVICE_ALLOW_PLAIN_HTTP: "true",
      PAYDROP_HTTP_PROXY: proxy.url,
      PAYDROP_PROXY_CREDENTIALS: "treasury:canary-5b1e",
    },
  );
  port = Number(new URL(sandbox.url).port);
  const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.csv"), "alice");
  for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
  const standings = async () => (await statusOfBatches(workplace)).flatMap((one) => one.standings);
  const isOpen = async () => (await standings()).some(({ standing }) => standing !== "accepted");
  while (await isOpen()) await payStep(workplace);
  expect(await standings()).toMatchObject([{ standing: "accepted", totals: [{ count: 40 }] }]);
  expect(sandbox.creations()).toHaveLength(40);
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  expect(broken).toBeGreaterThan(0);
  const authorization = `Basic ${Buffer.from("treasury:canary-5b1e").toString("base64")}`;
  for (const asked of proxy.asked)
    expect(asked).toEqual({ host: "payments.example.com:8443", authorization });
});

test("nothing goes unencrypted to another machine, unless the configuration permits it", async () => {
  const proxy = await openProxy((client) => client.destroy());
  const { workplace } = await openSite(
    {},
    { PAYDROP_SERVICE_BASE_URL: "http://payments.example.com:8443", PAYDROP_HTTP_PROXY: proxy.url },
  );
  const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.csv"), "alice");
  for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
  const refused = { problem: { code: "SERVICE_NOT_ENCRYPTED", key: "service.baseUrl" } };
  for (const step of [payStep, trackStep]) await expect(step(workplace)).rejects.toMatchObject(refused);
  expect(proxy.asked).toEqual([]);
});
