/** Each payment is made once and told rightly, however the service frames the answers to its creations. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approveStep } from "../../src/pipeline/approve-step.ts";
import { payStep } from "../../src/pipeline/pay-step.ts";
import { submitFile } from "../../src/pipeline/submit-step.ts";
import { demoSeed, startSandbox } from "../../src/sandbox/index.ts";
import { SAMPLES, SANDBOX_SECRETS } from "../cli/program.ts";
import { listInstructions } from "../read-all.ts";
import { type Passage, startTcpProxy } from "../tcp-proxy.ts";
import { FRAMINGS, type Framing } from "./framings.ts";
import { settled } from "./service.ts";
import { contradictions, followAdvice, orFault } from "./service-ledger.ts";
import { openPlace } from "./workplace.ts";

// They spend most of their time waiting.
describe.concurrent("the answers to creations, framed", () => {
  test.for(Object.entries(FRAMINGS))("%s", async ([, frame], context) => {
    const sandbox = await startSandbox({ seed: demoSeed, stepMs: 3_600_000, nonce: { rule: "unique" } });
    context.onTestFinished(() => sandbox.close());
    const way = { isOdd: true, framed: 0 };
    const url = await startTcpProxy(sandbox.url, () => framingCreations(frame, way), context);
    const { workplace } = openPlace({
      ...SANDBOX_SECRETS,
      PAYDROP_SERVICE_BASE_URL: url,
      PAYDROP_NONCE_RULE: "unique",
      PAYDROP_OTP_SINGLE_USE: "false",
      PAYDROP_HTTP_TIMEOUT_MS: "300",
      PAYDROP_HTTP_RATE_PER_SECOND: "10000",
    });
    const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.csv"), "alice");
    for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
    await orFault(payStep(workplace));
    expect(way.framed).toBeGreaterThan(0);
    way.isOdd = false;
    for (let run = 0; run < 2; run += 1) await orFault(payStep(workplace));
    await followAdvice(workplace);
    expect(await contradictions(settled(workplace), sandbox)).toEqual([]);
    const rows = await workplace.store.read(() => listInstructions());
    expect(rows.map(({ standing }) => standing)).toEqual(rows.map(() => "accepted"));
    expect(sandbox.creations().map(({ reference }) => reference)).toHaveLength(rows.length);
  });
});

/** The sandbox writes each answer at once, and the gateway has one request on a connection at a time. */
function framingCreations(frame: Framing, way: { readonly isOdd: boolean; framed: number }): Passage {
  let isCreation = false;
  return {
    asked: (bytes, _client, service) => {
      const [, method, path] = /^(GET|POST|PUT) (\S+) HTTP/.exec(bytes.toString("latin1")) ?? [];
      if (method !== undefined) isCreation = method === "POST" && path?.includes("find") === false;
      service.write(bytes);
    },
    answered: (bytes, client) => {
      if (!way.isOdd || !isCreation) return void client.write(bytes);
      way.framed += 1;
      frame(bytes, client);
    },
  };
}
