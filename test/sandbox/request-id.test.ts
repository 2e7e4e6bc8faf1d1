/** Every answer identifies its request by a UUID, errors included. */
import { afterEach, expect, test } from "vitest";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { rawExchange } from "./raw-exchange.ts";
import { creationText, QUERY_DATE, START_MS, seed, signedHeaders } from "./trial.ts";

let running: RunningSandbox | undefined;
afterEach(() => running?.close());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FIND = "/payouts/v2/find";

async function start(options = {}): Promise<RunningSandbox> {
  running = await startSandbox({ seed, clock: () => START_MS, control: true, ...options });
  return running;
}

/** The answer as it came over the wire, so that an incomplete one can be read too. */
function exchange(method: string, path: string, body = "", headers: Record<string, string> = {}) {
  return rawExchange(running?.url ?? "", method, path, body, headers);
}

test.each<[string, number, string, string, string?, Record<string, string>?]>([
  ["a search", 200, "POST", FIND, `{${QUERY_DATE}}`, signedHeaders("POST", FIND, `{${QUERY_DATE}}`)],
  ["a refusal", 401, "POST", FIND, "{}", { key: "another" }],
  ["an unknown path", 404, "GET", "/nowhere"],
  ["an unknown method", 404, "PROPFIND", "/nowhere"],
  ["an address that cannot be read", 400, "GET", "/%zz"],
  ["a body above the limit", 413, "POST", FIND, "", { "content-length": "1100000" }],
  ["a command of the control API", 204, "POST", "/control/time", '{"durationMs":1}'],
  ["a refused command", 400, "POST", "/control/time", "{"],
  ["the document", 200, "GET", "/openapi.json"],
])("%s", async (_what, statusCode, method, path, body, headers) => {
  await start();
  const answer = await exchange(method, path, body, headers);
  expect(answer.statusCode).toBe(statusCode);
  expect(answer.headers["x-request-id"]).toMatch(UUID);
});

test("an answer that breaks off", async () => {
  const effect = { kind: "half-body" } as const;
  await start({ faults: [{ operation: "createPayoutV2", effect }] });
  const body = creationText();
  const answer = await exchange(
    "POST",
    "/payouts/v2/create",
    body,
    signedHeaders("POST", "/payouts/v2/create", body),
  );
  expect(answer.headers["x-request-id"]).toMatch(UUID);
});

test("is another one for each request, also under a random seed", async () => {
  await start({ randomSeed: 5 });
  const ids = await Promise.all(
    ["/a", "/a", "/a"].map(async (path) => (await exchange("GET", path)).headers),
  );
  expect(new Set(ids.map((headers) => headers["x-request-id"])).size).toBe(3);
});

test("does not change the identifiers that a random seed repeats", async () => {
  const payoutIdAfter = async (requests: number) => {
    const { creations, close } = await start({ randomSeed: 5 });
    for (let at = 0; at < requests; at += 1) await exchange("GET", "/nowhere");
    const body = creationText();
    await exchange("POST", "/payouts/v2/create", body, signedHeaders("POST", "/payouts/v2/create", body));
    const [created] = creations();
    await close();
    return created?.payoutId;
  };
  const payoutId = await payoutIdAfter(0);
  expect(payoutId).toMatch(UUID);
  expect(await payoutIdAfter(3)).toBe(payoutId);
});
