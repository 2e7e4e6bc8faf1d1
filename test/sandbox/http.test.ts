/** The sandbox over real HTTP: exact bytes, and connections that break on command. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  type FaultEffect,
  type RunningSandbox,
  type ServerOptions,
  startSandbox,
} from "../../src/sandbox/index.ts";
import { creationText, QUERY_DATE, START_MS, seed, signedHeaders, trial } from "./trial.ts";

let running: RunningSandbox | undefined;
afterEach(() => running?.close());

async function start(options: ServerOptions = {}): Promise<RunningSandbox> {
  running = await startSandbox({ seed, clock: () => START_MS, ...options });
  return running;
}

async function post(
  path: string,
  body: string,
): Promise<{ status: number; text: string; type: string | null }> {
  const headers = signedHeaders("POST", path, body);
  const response = await fetch(`${running?.url}${path}`, { method: "POST", headers, body });
  return { status: response.status, text: await response.text(), type: response.headers.get("content-type") };
}

const CREATE = "/payouts/v2/create";
const FIND = "/payouts/v2/find";

describe("over HTTP", () => {
  test("an int64 nonce and an amount arrive digit for digit and come back as they were sent", async () => {
    const { creations, url } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const amount = '{"currency":"BTC","amount":0.10000001}';
    const created = await post(
      CREATE,
      creationText({ nonce: "9223372036854775807", requestedAmount: amount }),
    );
    expect(created).toMatchObject({ status: 202, type: expect.stringMatching(/^application\/json/) });
    expect(creations()[0]?.nonce).toBe(9223372036854775807n);
    expect((await post(FIND, `{${QUERY_DATE}}`)).text).toContain(`"requestedAmount":${amount}`);
  });

  test("the signature holds for a body with letters beyond ASCII and odd spacing", async () => {
    await start();
    const body = ` ${creationText({ reference: '"Überweisung ✓"' })}\n`;
    expect((await post(CREATE, body)).status).toBe(202);
  });

  test("a refusal is an array of error objects", async () => {
    await start();
    const refused = await post(CREATE, creationText({ callbackUrl: '"x"' }));
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toEqual([
      {
        error: "callbackUrl: malformed URL",
        code: "INVALID_PARAMETER",
        timestamp: "2026-03-02T09:00:00.000Z",
      },
    ]);
  });

  test("a query in the address does not change which operation it is", async () => {
    await start();
    const body = `{${QUERY_DATE}}`;
    expect((await post(`${FIND}?x=1`, body)).status).toBe(200);
    const headers = signedHeaders("POST", FIND, body); // the signature covers the query too
    const response = await fetch(`${running?.url}${FIND}?x=1`, { method: "POST", headers, body });
    expect(response.status).toBe(401);
  });

  test("a body above the limit is a 413 with an error array", async () => {
    await start();
    const { status, text } = await post(CREATE, creationText({ reference: `"${"x".repeat(1_100_000)}"` }));
    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject([{ code: "BODY_TOO_LARGE" }]);
  });

  test("every payout that was answered is in the file when the answer arrives", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandbox-"));
    const [database, copy] = [join(folder, "one.sqlite"), join(folder, "copy.sqlite")];
    const { creations } = await start({ database });
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await post(CREATE, creationText())).status),
    );
    for (const suffix of ["", "-wal"]) copyFileSync(database + suffix, copy + suffix); // as a killed process leaves it
    const after = trial({ database: copy });
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 202));
    expect(after.sandbox.creations()).toEqual(creations());
    after.sandbox.close();
    await running?.close();
    running = undefined;
    rmSync(folder, { recursive: true });
  });

  test("a taken port is reported instead of crashing", async () => {
    const { url } = await start();
    const port = Number.parseInt(new URL(url).port, 10);
    await expect(startSandbox({ seed, port })).rejects.toThrow(new RegExp(`cannot listen on port ${port}`));
  });
});

describe("on command", () => {
  const script = (effect: FaultEffect, nth = 1) => ({
    faults: [{ operation: "createPayoutV2", nth, effect }],
  });

  test("a connection cut before the request is read creates nothing", async () => {
    const { creations, arrivals } = await start(script({ kind: "cut-before-read" }));
    await expect(post(CREATE, creationText())).rejects.toThrow();
    expect(creations()).toEqual([]);
    expect(arrivals()).toEqual([{ operation: "createPayoutV2", statusCode: undefined }]);
    expect((await post(CREATE, creationText())).status).toBe(202);
  });

  test("a connection cut after the commit has created the payout", async () => {
    const { creations, arrivals } = await start(script({ kind: "cut-after-commit" }));
    await expect(post(CREATE, creationText({ reference: '"LOST"' }))).rejects.toThrow();
    expect(creations()).toMatchObject([{ reference: "LOST" }]);
    expect(arrivals()).toEqual([{ operation: "createPayoutV2", statusCode: 202 }]);
  });

  test("an answer that breaks off has created the payout", async () => {
    const { creations } = await start(script({ kind: "half-body" }));
    await expect(post(CREATE, creationText())).rejects.toThrow();
    expect(creations()).toHaveLength(1);
  });

  test.each([true, false])(
    "another status comes with or without the payout behind it (%s)",
    async (committed) => {
      const effect = {
        kind: "answer",
        statusCode: 502,
        body: "<html>bad gateway</html>",
        committed,
      } as const;
      const { creations } = await start(script(effect));
      expect(await post(CREATE, creationText())).toMatchObject({ status: 502, text: effect.body });
      expect(creations()).toHaveLength(committed ? 1 : 0);
    },
  );

  test("a request processed twice makes two payouts of one nonce", async () => {
    const { creations } = await start(script({ kind: "duplicate" }));
    await post(CREATE, creationText());
    const [first, second] = creations();
    expect(first?.nonce).toBe(second?.nonce);
    expect(first?.payoutId).not.toBe(second?.payoutId);
  });

  test("a payout can be hidden from look-ups although it was created", async () => {
    const { creations } = await start(script({ kind: "hide", visibilityLagMs: 60_000 }));
    await post(CREATE, creationText());
    expect(creations()).toHaveLength(1);
    expect(JSON.parse((await post(FIND, `{${QUERY_DATE}}`)).text)).toMatchObject({
      results: { totalElements: 0 },
    });
  });

  test("a delayed answer comes after the payout was created", async () => {
    const { creations } = await start(script({ kind: "delay", delayMs: 60_000, when: "after-commit" }));
    const body = creationText();
    const [caller, headers] = [new AbortController(), signedHeaders("POST", CREATE, body)];
    const { signal } = caller;
    const answer = fetch(`${running?.url}${CREATE}`, { method: "POST", headers, body, signal });
    await expect.poll(() => creations()).toHaveLength(1);
    caller.abort();
    await expect(answer).rejects.toThrow();
  });

  test("a request can be carried out late, whether or not its caller is still there", async () => {
    const { creations, arrivals } = await start(
      script({ kind: "delay", delayMs: 50, when: "before-commit" }),
    );
    const caller = new Socket().connect(Number.parseInt(new URL(running?.url ?? "").port, 10), "127.0.0.1");
    const body = creationText();
    const headers = { ...signedHeaders("POST", CREATE, body), "content-length": String(body.length) };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    caller.end(`POST ${CREATE} HTTP/1.1\r\nhost: x\r\n${head.join("")}\r\n${body}`);
    await expect.poll(() => creations()).toHaveLength(1);
    expect(arrivals()).toEqual([{ operation: "createPayoutV2", statusCode: 202 }]);
  });

  test("only the named operation's nth request is hit, counted anew when scripts are set", async () => {
    const { setFaults } = await start(
      script({ kind: "answer", statusCode: 503, body: "", committed: false }, 2),
    );
    const statuses = async () => {
      const seen: number[] = [];
      for (const body of [creationText(), creationText(), creationText()]) {
        await post(FIND, `{${QUERY_DATE}}`);
        seen.push((await post(CREATE, body)).status);
      }
      return seen;
    };
    expect(await statuses()).toEqual([202, 503, 202]);
    setFaults([
      { operation: "*", nth: 1, effect: { kind: "answer", statusCode: 503, body: "", committed: false } },
    ]);
    expect(await statuses()).toEqual([202, 202, 202]);
  });
});

describe("the control API", () => {
  test("is not served unless it is switched on", async () => {
    const { url } = await start();
    expect((await fetch(`${url}/control/creations`)).status).toBe(404);
  });

  test("reports the creations with their exact nonces, and accepts fault scripts", async () => {
    const { url } = await start({ control: true });
    await post(CREATE, creationText({ nonce: "9223372036854775807", reference: '"SEEN"' }));
    const creations = await (await fetch(`${url}/control/creations`)).text();
    expect(creations).toContain('"reference":"SEEN","nonce":9223372036854775807');
    const set = (body: string) => fetch(`${url}/control/faults`, { method: "PUT", body });
    expect((await set('[{"operation":"createPayoutV2","effect":{"kind":"cut-after-commit"}}]')).status).toBe(
      204,
    );
    await expect(post(CREATE, creationText())).rejects.toThrow();
    expect(JSON.parse(await (await fetch(`${url}/control/arrivals`)).text())).toHaveLength(2);
  });
});

test("payouts move on by themselves while nobody asks", async () => {
  const one = await start({ clock: Date.now, stepMs: 10 });
  await post(CREATE, creationText({}, Date.now()));
  await expect.poll(() => one.movements().some((movement) => movement.kind === "fee")).toBe(true);
});
