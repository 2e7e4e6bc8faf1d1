/**
 * Durable payouts per second through the whole execution stage, against a bare undici Pool that posts the same bodies to the same
 * sandbox at the same concurrency, in turn, each in a process of its own; once as fast as it goes, once with answers that take
 * 100 ms, and the memory of a hundred thousand payouts. Medians count.
 */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { generateSync } from "otplib";
import { Pool } from "undici";
import {
  addPersonStep,
  approveStep,
  type Batch,
  Decimal,
  openWorkplace,
  payStep,
  type Sign,
  stderrLog,
  submitFile,
  type Workplace,
  writeJson,
} from "../src/index.ts";
import { startSandbox } from "../src/sandbox/index.ts";
import { conclude, median, peakMb, print, rounded, startChild, tell } from "./measuring.ts";

const LIMITS = { throughput: 0.85, throughputAt100Ms: 0.95, memoryMbAboveBare: 40 };

const CONCURRENCY = 32;
const ROUNDS = 3;
const WARM_UP = 500;
const PAYOUTS = { throughput: 10_000, throughputAt100Ms: 10_000, memory: 100_000 };

const KEY = "bench-key";
const SECRET = "bench-secret";
const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const CUSTODY_ACCOUNT = "00000000-0000-4000-8000-00000000000a";
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const CREATE = "/payouts/v2/create";

interface Measured {
  readonly perSecond: number;
  readonly peakMb: number;
}

const [role, first = "", second = "0", third = ""] = process.argv.slice(2);
switch (role) {
  case "serve":
    tell(await serve(Number.parseInt(first, 10)));
    break;
  case "bare":
    tell(await postBarely(first, Number.parseInt(second, 10)));
    break;
  case "prepare":
    tell(await prepare(first, Number.parseInt(second, 10)));
    break;
  case "pay":
    tell(await pay(first, Number.parseInt(second, 10), third as Batch["id"]));
    break;
  default:
    process.exitCode = await compare();
}

async function compare(): Promise<number> {
  const fast = await ratios(PAYOUTS.throughput, 0, ROUNDS);
  const slow = await ratios(PAYOUTS.throughputAt100Ms, 100, 1);
  const long = await ratios(PAYOUTS.memory, 0, 1);
  const measured = {
    throughput: fast.throughput,
    throughputAt100Ms: slow.throughput,
    memoryMbAboveBare: long.memoryMbAboveBare,
  };
  const holds =
    measured.throughput >= LIMITS.throughput &&
    measured.throughputAt100Ms >= LIMITS.throughputAt100Ms &&
    measured.memoryMbAboveBare <= LIMITS.memoryMbAboveBare;
  return conclude("execution", measured, LIMITS, holds);
}

async function ratios(payouts: number, latencyMs: number, rounds: number) {
  const bare: Measured[] = [];
  const own: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measure("bare", payouts, latencyMs));
    own.push(await measure("pay", payouts, latencyMs));
  }
  const rate = {
    bare: median(bare.map((one) => one.perSecond)),
    own: median(own.map((one) => one.perSecond)),
  };
  const peak = { bare: median(bare.map((one) => one.peakMb)), own: median(own.map((one) => one.peakMb)) };
  print(
    `${payouts} payouts, answers after ${latencyMs} ms: bare ${Math.round(rate.bare)}/s in ${Math.round(peak.bare)} MB, ` +
      `execution ${Math.round(rate.own)}/s in ${Math.round(peak.own)} MB`,
  );
  return {
    throughput: rounded(rate.own / rate.bare),
    memoryMbAboveBare: Math.round(peak.own - peak.bare),
  };
}

/** Each measurement has a sandbox of its own, so that none finds a fuller one. */
async function measure(how: "bare" | "pay", payouts: number, latencyMs: number): Promise<Measured> {
  const program = import.meta.filename;
  const server = startChild<string>(program, "serve", latencyMs);
  const folder = mkdtempSync(join(tmpdir(), "paydrop-bench-"));
  try {
    const address = await server.answer;
    if (how === "bare") return await startChild<Measured>(program, "bare", address, payouts).answer;
    writeConfiguration(folder, address);
    // In a process of its own, so that what a file needs is not counted as what paying needs.
    const warmUp = await startChild<Batch["id"]>(program, "prepare", folder, payouts).answer;
    return await startChild<Measured>(program, "pay", folder, payouts, warmUp).answer;
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function serve(latencyMs: number): Promise<string> {
  const { url } = await startSandbox({
    stepMs: 3_600_000,
    latencyMs,
    seed: {
      clients: [{ key: KEY, secret: SECRET, users: [{ username: "treasury-bot", otpSecret: OTP_SECRET }] }],
      accounts: [{ accountId: CUSTODY_ACCOUNT, openingBalance: "1000000" }],
    },
  });
  return url;
}

async function postBarely(address: string, payouts: number): Promise<Measured> {
  const pool = new Pool(address, { connections: CONCURRENCY, pipelining: 1, allowH2: false });
  let made = { step: -1, code: "" };
  const codeNow = () => {
    const step = Math.floor(Date.now() / 30_000);
    if (made.step !== step) made = { step, code: generateSync({ secret: OTP_SECRET }) };
    return made.code;
  };
  let next = 0;
  const caller = async (last: number) => {
    while (next < last) {
      next += 1;
      const body = bodyOf(next, codeNow());
      const signature = createHmac("sha256", SECRET).update(`POST\n${CREATE}\n${body}`).digest("hex");
      const headers = { key: KEY, signature, "content-type": "application/json", accept: "application/json" };
      const answer = await pool.request({ method: "POST", path: CREATE, headers, body });
      await answer.body.text();
      if (answer.statusCode !== 202) throw new Error(`answered ${answer.statusCode}`);
    }
  };
  const post = (last: number) => Promise.all(Array.from({ length: CONCURRENCY }, () => caller(last)));
  await post(WARM_UP);
  const startMs = performance.now();
  await post(WARM_UP + payouts);
  return measuredSince(startMs, payouts);
}

function writeConfiguration(folder: string, address: string): void {
  const configuration = {
    service: { baseUrl: address, username: "treasury-bot", callbackUrl: "https://pay.example.com/hook" },
    nonce: { rule: "unique" },
    otp: { source: "totp", singleUse: false },
    http: { concurrency: CONCURRENCY, ratePerSecond: 1_000_000, timeoutMs: 60_000 },
    custodyAccounts: [{ name: "treasury-btc", id: CUSTODY_ACCOUNT, currency: "BTC" }],
    limits: { perRow: { BTC: "1" }, perFile: { BTC: "100000" }, perDay: { BTC: "100000" } },
    approval: { rules: [{ people: 1 }] },
    people: { installation: "bench", root: [fingerprintIn(folder)] },
    ledger: { functionalCurrency: "EUR", timeZone: "Europe/Madrid", chart: "chart-of-accounts.csv" },
  };
  // JSON is YAML.
  writeFileSync(join(folder, "paydrop.yaml"), JSON.stringify(configuration));
}

/** The way of two files: submitted and approved. Returns the first one's batch, which is the warm-up. */
async function prepare(folder: string, payouts: number): Promise<Batch["id"]> {
  const workplace = openIn(folder);
  const credential = { key: readFileSync(join(folder, "key.pub"), "utf8").trim() };
  const second = { key: readFileSync(join(folder, "second.pub"), "utf8").trim() };
  await addPersonStep(workplace, { name: "ben", roles: ["admin", "approver"], credential, person: "ben" });
  await addPersonStep(workplace, { name: "ann", roles: ["submitter"], credential: second, person: "ben" });
  const warmUp = await prepareFile(workplace, join(folder, "warm-up.csv"), WARM_UP, WARM_UP - 1);
  await prepareFile(workplace, join(folder, "load.csv"), payouts, payouts);
  await workplace.close();
  return warmUp.id;
}

/** All of them are the same payment, so that each but the very first repeats one. */
async function prepareFile(
  workplace: Workplace,
  path: string,
  payouts: number,
  acceptRepeats: number,
): Promise<Batch> {
  const name = basename(path, ".csv").toUpperCase();
  const rows = Array.from({ length: payouts }, (_, index) => `${name}-${index + 1},0.01000000,${ADDRESS}`);
  writeFileSync(path, `reference,amount,destinationAddress\n${rows.join("\n")}\n`);
  const { digest, problems } = await submitFile(workplace, path, "ann");
  if (digest === undefined) throw new Error(JSON.stringify(problems.slice(0, 3)));
  const { batch } = await approveStep(workplace, digest, "ben", { acceptRepeats });
  return batch;
}

async function pay(folder: string, payouts: number, warmUp: Batch["id"]): Promise<Measured> {
  const workplace = openIn(folder);
  await payStep(workplace, { batch: warmUp });
  const startMs = performance.now();
  const report = await payStep(workplace);
  const measured = measuredSince(startMs, payouts);
  await workplace.close();
  if (report.accepted !== payouts)
    throw new Error(`accepted ${report.accepted}: ${JSON.stringify(report.stopped)}`);
  return measured;
}

function openIn(folder: string): Workplace {
  const secrets = { PAYDROP_KEY: KEY, PAYDROP_SIGNING_SECRET: SECRET, PAYDROP_OTP_SECRET: OTP_SECRET };
  const configuration = join(folder, "paydrop.yaml");
  return openWorkplace(configuration, secrets, stderrLog("silent"), undefined, undefined, signBy(folder));
}

/** Makes the keys of two people; the fingerprint of the approver's. */
function fingerprintIn(folder: string): string {
  for (const name of ["key", "second"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", join(folder, name)]);
  const [, fingerprint = ""] = execFileSync("ssh-keygen", ["-lf", join(folder, "key")])
    .toString()
    .split(" ");
  return fingerprint;
}

function signBy(folder: string): Sign {
  return async ({ person, text }) => {
    const key = join(folder, person === "ben" ? "key" : "second");
    const options: ExecFileSyncOptions = { input: text, stdio: ["pipe", "pipe", "ignore"] };
    const args = ["-q", "-Y", "sign", "-n", "paydrop-approval", "-f", key];
    return { text, signature: execFileSync("ssh-keygen", args, options).toString() };
  };
}

function measuredSince(startMs: number, payouts: number): Measured {
  const seconds = (performance.now() - startMs) / 1000;
  return { perSecond: payouts / seconds, peakMb: peakMb() };
}

function bodyOf(number: number, otpCode: string): string {
  return writeJson({
    username: "treasury-bot",
    accountId: CUSTODY_ACCOUNT,
    reference: `LOAD-${number}`,
    callbackUrl: `https://pay.example.com/hook/${randomUUID()}`,
    requestedAmount: { currency: "BTC", amount: Decimal.of("0.01000000") },
    destinationAddress: ADDRESS,
    nonce: BigInt(number),
    otpCode,
  });
}
