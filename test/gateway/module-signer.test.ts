/**
 * Signing by the user's own module: a real file, loaded as the program loads it. If the module fails in any way,
 * nothing is sent.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import {
  failureOf,
  type GatewaySettings,
  lookUp,
  moduleSigner,
  problemOf,
  type Signer,
} from "../../src/gateway/index.ts";
import { virtualClock } from "../context/virtual-clock.ts";
import { gatewayTo } from "./trial-gateway.ts";
import { startWrittenService } from "./written-service.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-signer-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

/** Signing gets real time, since loading a module takes some. */
async function startSignedBy(signer: Signer, settings: Partial<GatewaySettings> = {}) {
  const { url, arrivals } = await startWrittenService({ status: 202 });
  return { arrivals, gateway: gatewayTo(url, { signer, ...settings }) };
}

/** Each file has its own name, because Node loads a module only once. */
function moduleOf(source: string): string {
  files += 1;
  const path = join(folder, `signer-${files}.mjs`);
  writeFileSync(path, source);
  return path;
}

const INPUT = { method: "POST", path: "/payouts/void", body: Buffer.from('{"nonce":1}') } as const;

const DIGEST = `
import { createHash } from "node:crypto";
const digest = ({ method, path, body, key, secret }) =>
  createHash("sha512").update(key + "|" + secret + "|" + method + "|" + path + "|").update(body).digest("base64");
`;

const digestOf = (method: string, path: string, body: string) =>
  createHash("sha512").update(`my-key|my-secret|${method}|${path}|`).update(body).digest("base64");

describe("a module's headers", () => {
  test.each([
    ["at once", "export default (input) => ({ key: input.key, signature: digest(input) });"],
    ["later", "export default async (input) => ({ key: input.key, signature: digest(input) });"],
    [
      "from a named function",
      "export default function sign(input) { return { key: input.key, signature: digest(input) } }",
    ],
  ])("are taken when it returns them %s", async (_when, source) => {
    const sign = moduleSigner(moduleOf(`${DIGEST}${source}`), "my-key", "my-secret");
    const signature = digestOf("POST", "/payouts/void", '{"nonce":1}');
    expect(await sign(INPUT)).toEqual({ key: "my-key", signature });
  });

  test("arrive with every request, made from the bytes that arrive, further ones too", async () => {
    const source = `${DIGEST}
      let requests = 0;
      export default async (input) => {
        requests += 1;
        return { Key: input.key, SIGNATURE: digest(input), "X-Nth": String(requests) };
      };`;
    const signer = moduleSigner(moduleOf(source), "my-key", "my-secret");
    const routes = { voidPayoutPathless: { method: "DELETE", path: "/p/{payoutId}" } } as const;
    const { gateway, arrivals } = await startSignedBy(signer, { routes });
    await gateway.call("voidPayout", { payoutId: "ü", nonce: 9_223_372_036_854_775_807n });
    await gateway.call("voidPayoutPathless", { payoutId: "ü", nonce: 2n });
    expect(arrivals).toMatchObject([
      {
        path: "/payouts/void",
        body: '{"payoutId":"ü","nonce":9223372036854775807}',
        headers: { "x-nth": "1" },
      },
      { path: "/p/%C3%BC?nonce=2", body: "", headers: { "x-nth": "2" } },
    ]);
    for (const { method, path, body, headers } of arrivals)
      expect(headers).toMatchObject({ key: "my-key", signature: digestOf(method, path, body) });
  });

  test("are all that the module can change: the body leaves as it was", async () => {
    const source = 'export default ({ body, key }) => { body.fill(0); return { key, signature: "s" }; };';
    const signer = moduleSigner(moduleOf(source), "my-key", undefined);
    const { gateway, arrivals } = await startSignedBy(signer);
    await gateway.call("voidPayout", { payoutId: "1", nonce: 7n });
    expect(arrivals).toMatchObject([{ body: '{"payoutId":"1","nonce":7}' }]);
  });

  test("need no secret, and the module is told that there is none", async () => {
    const source = "export default ({ key, secret }) => ({ key, signature: typeof secret });";
    expect(await moduleSigner(moduleOf(source), "my-key", undefined)(INPUT)).toEqual({
      key: "my-key",
      signature: "undefined",
    });
  });
});

test("a module is found by a path with blanks, umlauts and characters with a meaning in URLs", async () => {
  const path = join(folder, "a b #ü%20?.mjs");
  writeFileSync(path, 'export default ({ key }) => ({ key, signature: "s" });');
  // In a separate process: the test runner resolves such addresses differently from Node.
  const program = `
    const { moduleSigner } = await import(process.argv[1]);
    const sign = moduleSigner(process.argv[2], "my-key", undefined);
    process.stdout.write(JSON.stringify(await sign({ method: "GET", path: "/", body: Buffer.alloc(0) })));`;
  const signing = new URL("../../src/gateway/module-signer.ts", import.meta.url).href;
  const flags = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, signing, path]);
  expect(JSON.parse(stdout)).toEqual({ key: "my-key", signature: "s" });
});

const returning = (value: string) => `export default () => (${value});`;

const WRONG: readonly [what: string, source: string, reason: string][] = [
  ["throws", 'export default () => { throw new Error("no card in the reader"); };', "no card in the reader"],
  ["rejects", 'export default async () => { throw new Error("HSM is away"); };', "HSM is away"],
  ["throws what is no error", 'export default () => { throw "just words"; };', "just words"],
  ["fails while it is loaded", 'throw new Error("no library");', "no library"],
  // The message is the loader's.
  ["is no JavaScript", "export default (", ".mjs: "],
  ["exports nothing by default", "export const sign = () => ({});", "no function as its default export"],
  [
    "exports no function",
    'export default { key: "k", signature: "s" };',
    "no function as its default export",
  ],
  ["returns nothing", "export default () => {};", "it returned no headers"],
  ["returns null", returning("null"), "it returned no headers"],
  ["returns a text", returning('"signature"'), "it returned no headers"],
  ["returns a list", returning('["k", "s"]'), "the header key is missing"],
  ["returns a map", returning('new Map([["key", "k"]])'), "the header key is missing"],
  ["returns no key", returning('{ signature: "s" }'), "the header key is missing"],
  ["returns no signature", returning('{ key: "k" }'), "the header signature is missing"],
  ["returns a number", returning('{ key: "k", signature: 7 }'), "the header signature is not a text"],
  [
    "returns undefined",
    returning('{ key: "k", signature: undefined }'),
    "the header signature is not a text",
  ],
  [
    "returns a list of texts",
    returning('{ key: "k", signature: ["s"] }'),
    "the header signature is not a text",
  ],
  [
    "returns a line feed behind the signature",
    returning('{ key: "k", signature: "s\\n" }'),
    "the header signature has a line feed or another character that no header can have",
  ],
  [
    "returns a character beyond Latin-1",
    returning('{ key: "k", signature: "✓" }'),
    "the header signature has a line feed or another character that no header can have",
  ],
  [
    "returns a name that is none",
    returning('{ key: "k", signature: "s", "x y": "1" }'),
    '"x y" is not the name of a header',
  ],
  ...[
    "connection",
    "Content-Length",
    "content-type",
    "Expect",
    "HOST",
    "keep-alive",
    "Transfer-Encoding",
    "upgrade",
  ].map((name): [string, string, string] => [
    `returns ${name}`,
    returning(`{ key: "k", signature: "s", "${name}": "1" }`),
    `the header ${name} is not its own to set`,
  ]),
];

describe("a module that", () => {
  test.each(WRONG)("%s lets nothing arrive, and is named with the reason", async (_what, source, reason) => {
    const path = moduleOf(source);
    const { gateway, arrivals } = await startSignedBy(moduleSigner(path, "my-key", "my-secret"));
    const answer = await gateway.call("createDeposit", { accountId: "1", nonce: 1n, reference: "A" });
    expect(arrivals).toEqual([]);
    if (answer.kind === "success") throw new Error("an unsigned creation was taken for a success");
    const failure = failureOf("createDeposit", answer);
    expect(failure).toMatchObject({
      condition: "not sent",
      consequence: "not sent",
      serviceText: expect.stringContaining(reason),
      mayPass: false,
    });
    expect(failure.serviceText.startsWith(`${path}: `)).toBe(true);
    expect(problemOf(failure, answer, gateway)).toMatchObject({
      code: "SIGNER_FAILED",
      operation: "createDeposit",
      next: "correct-usage",
      message: expect.stringContaining(reason),
      fix: expect.stringContaining("`signing.module`"),
    });
  });

  test("is not there is named, and looked for when a request is made", async () => {
    const path = join(folder, "nowhere.mjs");
    const signing = moduleSigner(path, "my-key", "my-secret")(INPUT);
    await expect(signing).rejects.toThrow(/nowhere\.mjs: Cannot find module/);
  });

  test("fails makes a look-up fail after one attempt, without a pause", async () => {
    let attempts = 0;
    const broken = moduleSigner(moduleOf('export default () => { throw new Error("no card"); };'), "k", "s");
    const signer: Signer = (input) => {
      attempts += 1;
      return broken(input);
    };
    const { gateway, arrivals } = await startSignedBy(signer);
    const pauses = virtualClock();
    await expect(lookUp(gateway, pauses, "getAccountsBalance", { accountIds: [] })).rejects.toMatchObject({
      failure: { condition: "not sent", consequence: "nothing" },
      problem: { code: "SIGNER_FAILED", message: expect.stringContaining("no card") },
    });
    expect([attempts, arrivals.length, pauses.sleeps.length]).toEqual([1, 0, 0]);
  });

  test("fails once is asked again for the next request", async () => {
    const source = `let fails = true;
      export default ({ key }) => {
        if (fails) { fails = false; throw new Error("not yet"); }
        return { key, signature: "s" };
      };`;
    const signer = moduleSigner(moduleOf(source), "my-key", "my-secret");
    const { gateway, arrivals } = await startSignedBy(signer);
    expect(await gateway.call("voidPayout", { payoutId: "1", nonce: 1n })).toMatchObject({
      unsigned: "SIGNER_FAILED",
    });
    expect(await gateway.call("voidPayout", { payoutId: "1", nonce: 1n })).toMatchObject({ kind: "success" });
    expect(arrivals).toHaveLength(1);
  });
});

describe("a module that never comes to an end", () => {
  test.each([
    ["signing", "export default () => new Promise(() => {});"],
    ["loading", "await new Promise(() => {}); export default ({ key }) => ({ key, signature: 's' });"],
  ])("%s does not hang the call: it is not sent, and says so", async (_when, source) => {
    const signer = moduleSigner(moduleOf(source), "my-key", undefined);
    const { gateway, arrivals } = await startSignedBy(signer, { signingTimeoutMs: 50 });
    const answer = await gateway.call("voidPayout", { payoutId: "1", nonce: 1n });
    expect(arrivals).toEqual([]);
    if (answer.kind === "success") throw new Error("an unsigned call was taken for a success");
    const failure = failureOf("voidPayout", answer);
    expect(failure).toMatchObject({ consequence: "not sent", mayPass: false });
    expect(problemOf(failure, answer, gateway)).toMatchObject({
      code: "SIGNER_TIMEOUT",
      message: expect.stringContaining("50 ms"),
      fix: expect.stringContaining("`signing.timeoutMs`"),
      next: "will-retry",
    });
  });

  test("or ends too late does not send the abandoned request", async () => {
    const source = `export default ({ key }) =>
      new Promise((resolve) => setTimeout(resolve, 60, { key, signature: "s" }));`;
    const signer = moduleSigner(moduleOf(source), "my-key", undefined);
    const signing = signer(INPUT);
    const { gateway, arrivals } = await startSignedBy(signer, { signingTimeoutMs: 20 });
    const given = await gateway.call("voidPayout", { payoutId: "1", nonce: 1n });
    await signing;
    await signer(INPUT);
    expect([given, arrivals]).toEqual([expect.objectContaining({ unsigned: "SIGNER_TIMEOUT" }), []]);
  });
});
