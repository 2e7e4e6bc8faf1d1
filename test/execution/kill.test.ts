/**
 * `paydrop pay` as a real process, killed with SIGKILL at random moments and started again until nothing is due. The sandbox's
 * own count is the judge. KILL_RUNS and KILL_FIRST_SEED choose the runs; a failure's title names the seed. A seed fixes the
 * file, the policies and after how many arrivals each life ends, but not the scheduling of two processes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Standing } from "../../src/model/index.ts";
import { approveStep } from "../../src/pipeline/approve-step.ts";
import { payStep } from "../../src/pipeline/pay-step.ts";
import { statusOfBatches } from "../../src/pipeline/status.ts";
import { submitFile } from "../../src/pipeline/submit-file.ts";
import { openWorkplace, type Workplace } from "../../src/pipeline/workplace.ts";
import type { RunningSandbox } from "../../src/sandbox/index.ts";
import { verifyAudit } from "../../src/store/audit.ts";
import { listInstructions } from "../../src/store/instructions.ts";
import { temporaryFolder } from "../store/stored-batch.ts";
import { creationArrivals, OTP_SECRET, sandbox } from "./lane.ts";

const RUNS = Number.parseInt(process.env["KILL_RUNS"] ?? "6", 10);
const FIRST_SEED = Number.parseInt(process.env["KILL_FIRST_SEED"] ?? "1", 10);
const ROWS = 24;
const PROGRAM = fileURLToPath(new URL("../../src/cli/bin.ts", import.meta.url));
const SAMPLES = fileURLToPath(new URL("../../samples/", import.meta.url));
const ADDRESSES = ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"];

interface Row {
  readonly reference: string;
  readonly amount: string;
  readonly destinationAddress: string;
}

interface Life {
  readonly rows: readonly Row[];
  readonly nonceRule: string;
  readonly latencyMs: number;
  /** After how many further creations have arrived each life is killed, and how many milliseconds later. */
  readonly kills: readonly { readonly arrivals: number; readonly laterMs: number }[];
}

describe("killed at any moment, and started again, it", () => {
  const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index);
  test.each(seeds)("pays no row twice and loses none (KILL_FIRST_SEED=%i)", async (seed) => {
    const life = lifeOf(seed);
    const service = await sandbox({ latencyMs: life.latencyMs, stepMs: 20 });
    const { workplace, environment, folder } = await approvedFile(life, service.url);
    let output = "";
    for (const kill of life.kills) {
      const child = startPaying(folder, environment);
      const text = outputOf(child);
      await killAfter(child, service, kill);
      output += await text;
      if (kill === life.kills[0]) expect(child.signalCode, "the first life was not cut off").toBe("SIGKILL");
    }
    output += await payUntilNothingGoesOut(workplace, folder, environment);

    const standings = await standingsOf(workplace);
    checkAgainst(service, life, standings);
    await statusOfBatches(workplace); // throws when the standings do not add up to the file
    await workplace.store.read(() => verifyAudit());
    const arrived = creationArrivals(service);
    await payStep(workplace);
    expect(creationArrivals(service)).toBe(arrived);
    checkSecrets(folder, output);
  });
});

/** What the seed says. */
function lifeOf(seed: number): Life {
  const random = randomOf(seed);
  const upTo = (max: number) => Math.floor(random() * max);
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    reference: `PAY-${seed}-${index + 1}`,
    // The file's digits are sent without trailing zeros, so none ends in one.
    amount: `0.00${String(upTo(100_000)).padStart(5, "0")}${1 + upTo(9)}`,
    destinationAddress: ADDRESSES[upTo(2)] ?? "",
  }));
  return {
    rows,
    nonceRule: ["unique", "unknown", "increasing"][(seed - 1) % 3] ?? "unknown",
    latencyMs: upTo(15),
    kills: Array.from({ length: 1 + upTo(2) }, () => ({ arrivals: 1 + upTo(ROWS / 2), laterMs: upTo(10) })),
  };
}

/** Mulberry32: small, seeded, good enough to choose moments. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function approvedFile({ rows, nonceRule }: Life, serviceUrl: string) {
  const folder = temporaryFolder();
  for (const name of ["paydrop.yaml", "chart-of-accounts.csv"])
    cpSync(join(SAMPLES, name), join(folder, name));
  const lines = rows.map(
    (row) => `${row.reference},treasury-btc,BTC,${row.amount},${row.destinationAddress}`,
  );
  const file = join(folder, "payroll.csv");
  writeFileSync(file, `reference,accountId,currency,amount,destinationAddress\n${lines.join("\n")}\n`);
  const environment = {
    PATH: process.env["PATH"],
    PAYDROP_SERVICE_BASE_URL: serviceUrl,
    PAYDROP_NONCE_RULE: nonceRule,
    PAYDROP_KEY: "demo-key",
    PAYDROP_SIGNING_SECRET: "demo-signing-secret-0001",
    PAYDROP_OTP_SECRET: OTP_SECRET,
  };
  const workplace = openWorkplace(join(folder, "paydrop.yaml"), environment);
  onTestFinished(() => workplace.close());
  const { digest, problems } = await submitFile(workplace, file, "ann");
  expect(problems).toEqual([]);
  await approveStep(workplace, digest ?? "", "bob");
  return { workplace, environment, folder };
}

function startPaying(folder: string, environment: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, "--json", "pay"], { cwd: folder, env: environment });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

/** Everything a process prints, when it has ended. */
async function outputOf(child: ChildProcess): Promise<string> {
  let output = "";
  const keep = (bytes: Buffer) => {
    output += bytes.toString("utf8");
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  await once(child, "close");
  return output;
}

async function killAfter(
  child: ChildProcess,
  service: RunningSandbox,
  { arrivals, laterMs }: Life["kills"][number],
): Promise<void> {
  const enough = creationArrivals(service) + arrivals;
  while (child.exitCode === null && creationArrivals(service) < enough) await wait(1);
  await wait(laterMs);
  child.kill("SIGKILL");
}

/** Runs `paydrop pay` to its end, again and again while that changes how many rows still wait. */
async function payUntilNothingGoesOut(
  workplace: Workplace,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  let output = "";
  for (let waiting = -1; ; ) {
    output += await outputOf(startPaying(folder, environment));
    const standings = await standingsOf(workplace);
    const stillWaiting = [...standings.values()].filter((standing) => standing === "approved").length;
    if (stillWaiting === 0 || stillWaiting === waiting) return output;
    waiting = stillWaiting;
  }
}

async function standingsOf({ store }: Workplace): Promise<Map<string, Standing>> {
  const instructions = await store.read(() => listInstructions());
  return new Map(instructions.map(({ fields, standing }) => [fields.reference, standing]));
}

function checkAgainst(
  service: RunningSandbox,
  { rows, nonceRule }: Life,
  standings: Map<string, Standing>,
): void {
  const creations = service.creations();
  const byReference = new Map(creations.map((creation) => [creation.reference, creation]));
  expect(byReference.size, "a reference was created twice").toBe(creations.length);
  expect(new Set(creations.map(({ nonce }) => nonce)).size).toBe(creations.length);
  expect([...standings.keys()].toSorted()).toEqual(rows.map(({ reference }) => reference).toSorted());

  const allowed: readonly Standing[] =
    nonceRule === "increasing" ? ["accepted", "in doubt", "approved"] : ["accepted", "in doubt"];
  for (const { reference, amount, destinationAddress } of rows) {
    const standing = standings.get(reference);
    expect(allowed, reference).toContain(standing);
    const body = byReference.get(reference)?.body;
    expect(body !== undefined, `${reference} is ${standing}`).toBe(standing === "accepted");
    if (body === undefined) continue;
    expect(body).toContain(`"requestedAmount":{"currency":"BTC","amount":${amount}}`);
    expect(body).toContain(`"destinationAddress":"${destinationAddress}"`);
  }
}

function checkSecrets(folder: string, output: string): void {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  );
  const written = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  for (const secret of ["demo-key", "demo-signing-secret-0001", OTP_SECRET])
    expect([output, ...written].some((text) => text.includes(secret))).toBe(false);
}
