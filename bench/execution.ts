/**
 * What a payout costs through the whole execution stage, against a minimal durable program (minimal-sender.ts) that
 * sends the same payments to the same sandbox at the same concurrency, in turn, each in a process of its own: CPU
 * time; payouts per second with answers that take 100 ms; and how cost and memory grow with ten times as many
 * payouts. Medians count. Before, Paydrop's database holds a history of accepted payments to the same payees.
 */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  addPersonStep,
  approveStep,
  type Batch,
  openWorkplace,
  payStep,
  type Sign,
  stderrLog,
  submitFile,
  type Workplace,
} from "../src/index.ts";
import { custodyAccountId } from "../src/model/index.ts";
import { present } from "../src/model/present.ts";
import { startSandbox } from "../src/sandbox/index.ts";
import { fingerprintOf } from "../src/workplace/service.ts";
import { addressOf, payeeOf, writeHistory } from "./history.ts";
import { conclude, median, peakMb, print, rounded, startChild, tell } from "./measuring.ts";
import { type Client, minimalSender, type Payment, writePayments } from "./minimal-sender.ts";

/** At least, but for memory. */
const LIMITS = { cpu: 0.5, throughputAt100Ms: 0.95, cpuAtTenTimes: 0.9, memoryMbMax: 250 };

const CONCURRENCY = 32;
const ROUNDS = 3;
/** Until V8 has compiled what runs often, which belongs to the start. */
const WARM_UP = 2_000;
const PAYOUTS = 10_000;
const HISTORY = 100_000;
/** Payees of the history that are paid again. */
const PAYEES = 10_000;
/** A prime, so that no payee is paid the same amount twice. */
const AMOUNTS = 3_001;

const KEY = "bench-key";
const SECRET = "bench-secret";
const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const CUSTODY_ACCOUNT = "00000000-0000-4000-8000-00000000000a";
const CALLBACK_URL = "https://pay.example.com/hook";
const CLIENT: Client = {
  key: KEY,
  secret: SECRET,
  otpSecret: OTP_SECRET,
  custodyAccount: CUSTODY_ACCOUNT,
  concurrency: CONCURRENCY,
};

interface Measured {
  readonly perSecond: number;
  /** CPU time of the process, without its start and the warm-up. */
  readonly microsecondsEach: number;
  readonly peakMb: number;
}

const [role, first = "", second = "0", third = "", fourth = ""] = process.argv.slice(2);
switch (role) {
  case "serve":
    tell(await serve(Number.parseInt(first, 10), Number.parseInt(second, 10)));
    break;
  case "history":
    tell(await prepareHistory(first, second));
    break;
  case "minimal":
    tell(await payMinimally(first, Number.parseInt(second, 10)));
    break;
  case "prepare":
    tell(await prepare(first, Number.parseInt(second, 10), third, fourth));
    break;
  case "pay":
    tell(await pay(first, Number.parseInt(second, 10), third as Batch["id"]));
    break;
  default:
    process.exitCode = await compare();
}

async function compare(): Promise<number> {
  const site = await makeSite();
  try {
    return await compareAt(site);
  } finally {
    rmSync(site.folder, { recursive: true });
  }
}

/** What all measurements have in common. */
interface Site {
  readonly folder: string;
  /** Of the sandbox, which each of them starts anew: a database belongs to one address. */
  readonly address: string;
  readonly history: string;
}

async function makeSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-bench-"));
  const history = join(folder, "history.sqlite");
  const server = startChild<string>(import.meta.filename, "serve", 0, 0);
  const address = await server.answer;
  server.stop();
  await startChild(import.meta.filename, "history", history, address).answer;
  return { folder, address, history };
}

async function compareAt(site: Site): Promise<number> {
  const fast = await inTurn(site, PAYOUTS, 0, ROUNDS);
  const slow = await inTurn(site, PAYOUTS, 100, 1);
  const long = await measured(site, "pay", 10 * PAYOUTS, 0);
  const ratios = {
    cpu: rounded(fast.minimal.microsecondsEach / fast.pay.microsecondsEach),
    throughputAt100Ms: rounded(slow.pay.perSecond / slow.minimal.perSecond),
    cpuAtTenTimes: rounded(fast.pay.microsecondsEach / long.microsecondsEach),
    memoryMbMax: Math.round(long.peakMb),
  };
  const holds =
    ratios.cpu >= LIMITS.cpu &&
    ratios.throughputAt100Ms >= LIMITS.throughputAt100Ms &&
    ratios.cpuAtTenTimes >= LIMITS.cpuAtTenTimes &&
    ratios.memoryMbMax <= LIMITS.memoryMbMax;
  return conclude("execution", ratios, LIMITS, holds);
}

type How = "minimal" | "pay";

/** The medians of so many rounds. */
async function inTurn(
  site: Site,
  payouts: number,
  latencyMs: number,
  rounds: number,
): Promise<Readonly<Record<How, Measured>>> {
  const all = { minimal: [] as Measured[], pay: [] as Measured[] };
  for (let round = 0; round < rounds; round += 1)
    for (const how of ["minimal", "pay"] as const)
      all[how].push(await measured(site, how, payouts, latencyMs));
  const medianOf = (how: How): Measured => ({
    perSecond: median(all[how].map(({ perSecond }) => perSecond)),
    microsecondsEach: median(all[how].map(({ microsecondsEach }) => microsecondsEach)),
    peakMb: median(all[how].map((one) => one.peakMb)),
  });
  return { minimal: medianOf("minimal"), pay: medianOf("pay") };
}

/** Each measurement has a sandbox of its own, so that none finds a fuller one. */
async function measured(
  { address, history }: Site,
  how: How,
  payouts: number,
  latencyMs: number,
): Promise<Measured> {
  const program = import.meta.filename;
  const server = startChild<string>(program, "serve", latencyMs, new URL(address).port);
  const folder = mkdtempSync(join(tmpdir(), "paydrop-bench-"));
  try {
    await server.answer;
    // In a process of its own, so that what a file needs is not counted as what paying needs.
    const prepare = () =>
      startChild<Batch["id"]>(program, "prepare", folder, payouts, address, history).answer;
    const args = how === "pay" ? [folder, payouts, await prepare()] : [address, payouts];
    const one = await startChild<Measured>(program, how, ...args).answer;
    print(
      `${how === "pay" ? "Paydrop" : "minimal"}: ${payouts} payouts, answers after ${latencyMs} ms: ` +
        `${Math.round(one.microsecondsEach)} us of CPU each, ${Math.round(one.perSecond)}/s, ${Math.round(one.peakMb)} MB`,
    );
    return one;
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function serve(latencyMs: number, port: number): Promise<string> {
  const { url } = await startSandbox({
    port,
    stepMs: 3_600_000,
    latencyMs,
    seed: {
      clients: [{ key: KEY, secret: SECRET, users: [{ username: "treasury-bot", otpSecret: OTP_SECRET }] }],
      accounts: [{ accountId: CUSTODY_ACCOUNT, openingBalance: "1000000" }],
    },
  });
  return url;
}

async function payMinimally(address: string, payouts: number): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-bench-"));
  try {
    const path = join(folder, "minimal.sqlite");
    writePayments(path, payments(0, WARM_UP + payouts));
    const send = minimalSender(path, address, CLIENT);
    await send(WARM_UP);
    return await measuring(payouts, () => send(payouts));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function prepareHistory(path: string, baseUrl: string): Promise<string> {
  await writeHistory(path, {
    payments: HISTORY,
    custodyAccount: custodyAccountId(CUSTODY_ACCOUNT),
    key: fingerprintOf(KEY),
    callbackUrl: CALLBACK_URL,
    baseUrl,
  });
  return path;
}

function writeConfiguration(folder: string, address: string): void {
  const configuration = {
    service: { baseUrl: address, username: "treasury-bot", callbackUrl: CALLBACK_URL },
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
async function prepare(
  folder: string,
  payouts: number,
  address: string,
  history: string,
): Promise<Batch["id"]> {
  writeConfiguration(folder, address);
  copyFileSync(history, join(folder, "paydrop.sqlite"));
  const workplace = openIn(folder);
  const credential = { key: readFileSync(join(folder, "key.pub"), "utf8").trim() };
  const second = { key: readFileSync(join(folder, "second.pub"), "utf8").trim() };
  await addPersonStep(workplace, { name: "ben", roles: ["admin", "approver"], credential, person: "ben" });
  await addPersonStep(workplace, { name: "ann", roles: ["submitter"], credential: second, person: "ben" });
  const warmUp = await prepareFile(workplace, join(folder, "warm-up.csv"), payments(0, WARM_UP));
  await prepareFile(workplace, join(folder, "load.csv"), payments(WARM_UP, payouts));
  await workplace.close();
  return warmUp.id;
}

async function prepareFile(workplace: Workplace, path: string, some: readonly Payment[]): Promise<Batch> {
  const rows = some.map(
    ({ number, reference, amount, destination }) =>
      `${reference},${amount},${destination},${payeeOf(number % PAYEES)}`,
  );
  writeFileSync(path, `reference,amount,destinationAddress,customerId\n${rows.join("\n")}\n`);
  const { digest, problems, reading } = await submitFile(workplace, path, "ann");
  if (digest === undefined) throw new Error(JSON.stringify(problems.slice(0, 3)));
  const acceptReading = reading?.questions.length;
  const { batch } = await approveStep(workplace, digest, "ben", present({ acceptReading }));
  return batch;
}

/**
 * From a number on; to payees of the history, and none like another. The amounts stay within what was paid before: each
 * that is much larger would be a question of its own.
 */
function payments(first: number, count: number): Payment[] {
  return Array.from({ length: count }, (_, index) => ({
    number: first + index,
    reference: `LOAD-${first + index}`,
    amount: `0.00${String((first + index) % AMOUNTS).padStart(4, "0")}7`,
    destination: addressOf((first + index) % PAYEES),
  }));
}

async function pay(folder: string, payouts: number, warmUp: Batch["id"]): Promise<Measured> {
  const workplace = openIn(folder);
  await payStep(workplace, { batch: warmUp });
  const measured = await measuring(payouts, async () => {
    const { accepted, stopped } = await payStep(workplace);
    if (accepted !== payouts) throw new Error(`accepted ${accepted}: ${JSON.stringify(stopped)}`);
  });
  await workplace.close();
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

async function measuring(payouts: number, work: () => Promise<void>): Promise<Measured> {
  const [startMs, startCpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(startCpu);
  const seconds = (performance.now() - startMs) / 1000;
  return { perSecond: payouts / seconds, microsecondsEach: (user + system) / payouts, peakMb: peakMb() };
}
