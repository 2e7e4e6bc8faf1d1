/** `paydrop desk` in a process of its own, as people start it. */
import { once } from "node:events";
import { request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { endOf, SANDBOX_SECRETS, startPaydrop, workFolder } from "../cli/program.ts";
import { openCountedService } from "./counted-service.ts";
import { unlessNotListening, writeCertificate } from "./real-server.ts";
import { freePort } from "./trial.ts";

test("it works without a secret of the service, says so if it has any, and never connects to it", async () => {
  const { baseUrl, connections } = await openCountedService();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const folder = await workFolder();
  const desk = startPaydrop(folder, ["desk"], {
    // The desk must not use these secrets, even if they are there by mistake.
    ...SANDBOX_SECRETS,
    PAYDROP_SERVICE_BASE_URL: baseUrl,
    PAYDROP_DESK: JSON.stringify({ listen: `127.0.0.1:${port}`, origin }),
  });
  const ended = endOf(desk);
  await expect
    .poll(() =>
      fetch(`${origin}/sign-in`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
  const signedIn = await fetch(`${origin}/sign-in`, {
    method: "POST",
    headers,
    body: "name=ann",
    redirect: "manual",
  });
  const cookie = (signedIn.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  for (const path of ["/", "/jobs", "/people"])
    expect((await fetch(`${origin}${path}`, { headers: { cookie } })).status).toBe(200);
  desk.kill("SIGTERM");
  const { exitCode, stdout, stderr } = await ended;
  expect([exitCode, stdout]).toEqual([143, expect.stringContaining(`The desk is open at ${origin}`)]);
  expect(stderr).toContain("(PAYDROP_KEY, PAYDROP_OTP_SECRET, PAYDROP_SIGNING_SECRET). The desk needs none");
  expect(connections()).toBe(0);
});

test("`serve` serves it as well, by its own certificate", async () => {
  const port = await freePort();
  const origin = `https://localhost:${port}`;
  const folder = await workFolder();
  writeCertificate("localhost", { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") });
  const serve = startPaydrop(folder, ["serve"], {
    ...SANDBOX_SECRETS,
    PAYDROP_SERVICE_BASE_URL: "http://127.0.0.1:9",
    PAYDROP_DESK: JSON.stringify({
      listen: `127.0.0.1:${port}`,
      origin,
      tls: { key: "key.pem", cert: "cert.pem" },
    }),
  });
  const ended = endOf(serve);
  const ask = async (): Promise<{ status: number | undefined; hsts: unknown; page: string }> => {
    const asked = request(`${origin}/sign-in`, { rejectUnauthorized: false });
    const answered = once(asked.end(), "response");
    const [response] = await answered;
    return {
      status: response.statusCode,
      hsts: response.headers["strict-transport-security"],
      page: await text(response),
    };
  };
  await expect
    .poll(() => ask().catch(unlessNotListening))
    .toMatchObject({
      status: 200,
      hsts: "max-age=31536000",
      page: expect.stringContaining("Who are you?"),
    });
  serve.kill("SIGTERM");
  expect((await ended).stdout).toContain(`the desk is open at ${origin}`);
});
