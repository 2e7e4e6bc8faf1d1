/** The first rows of the sample file, approved, at a workplace that reaches its service through a proxy below HTTP. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type TestContext } from "vitest";
import { approveStep, submitFile } from "../../src/index.ts";
import { demoSeed, startSandbox } from "../../src/sandbox/index.ts";
import { SAMPLES, SANDBOX_SECRETS } from "../cli/program.ts";
import { type Passage, startTcpProxy } from "../tcp-proxy.ts";
import { openPlace } from "./workplace.ts";

export async function openBehindProxy(
  nonceRule: "unknown" | "unique" | "increasing",
  openPassage: () => Passage,
  context: TestContext,
  rows = 40,
) {
  const serviceRule = nonceRule === "increasing" ? nonceRule : "unique";
  const sandbox = await startSandbox({ seed: demoSeed, stepMs: 3_600_000, nonce: { rule: serviceRule } });
  context.onTestFinished(() => sandbox.close());
  const { workplace, folder } = openPlace({
    ...SANDBOX_SECRETS,
    PAYDROP_SERVICE_BASE_URL: await startTcpProxy(sandbox.url, openPassage, context),
    PAYDROP_NONCE_RULE: nonceRule,
    PAYDROP_OTP_SINGLE_USE: "false",
    PAYDROP_HTTP_TIMEOUT_MS: "600",
    PAYDROP_HTTP_RATE_PER_SECOND: "10000",
  });
  const sample = readFileSync(join(SAMPLES, "payouts.csv"), "utf8");
  // A cell of the sample contains a line break.
  const end = sample.indexOf(`PAY-2026-${String(rows + 1).padStart(4, "0")}`);
  writeFileSync(join(folder, "payouts.csv"), end === -1 ? sample : sample.slice(0, end));
  const { digest = "" } = await submitFile(workplace, join(folder, "payouts.csv"), "alice");
  await approveStep(workplace, digest, "bob");
  const { released } = await approveStep(workplace, digest, "carol");
  expect(released).toBe(rows);
  return { workplace, sandbox };
}
