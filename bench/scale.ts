/**
 * Throughput of 1, 2 and 4 processes on as many client keys, at a service that answers in 50 ms and on one PostgreSQL
 * database, relative to linear. The yardstick is the minimal program (minimal-sender.ts), of which as many processes
 * send to the same service, each into a file of its own: what it loses is lost to the machine and the service. Also
 * says what a payout costs the machine, and whether the cores are the limit, because they are busy or because linear
 * throughput would need more of them than there are; then the figures say little about the database. Each process pays
 * for about ten seconds: in the first of them it still warms up.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { approveStep, openWorkplace, stderrLog, submitFile, type Workplace } from "../src/index.ts";
import { present } from "../src/model/present.ts";
import { paySharedStep } from "../src/payments/pay-step.ts";
import { startSandbox } from "../src/sandbox/index.ts";
import startPostgres from "../test/postgres-server.ts";
import { addressOf, payeeOf } from "./history.ts";
import { conclude, print, rounded, secondsOf, startChild, tell, toldToGoOn } from "./measuring.ts";
import { minimalSender, type Payment, writePayments } from "./minimal-sender.ts";

/** The throughput that is asked of several processes, relative to linear; not where the cores are the limit. */
const ASKED = 0.9;
const LIMITS = { at2: ASKED, at4: ASKED };

const PROCESSES = [1, 2, 4];
const LATENCY_MS = 50;
const CONCURRENCY = 8;
const PAYOUTS = 1000;
/** Above this share of the cores, used by Paydrop or by the yardstick or needed for what is asked, they are the limit. */
const BUSY = 0.9;

const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

interface Measured {
  readonly perSecond: number;
  readonly busy: number;
  /** CPU milliseconds a payout, of everything that runs on the machine. */
  readonly cpuMs: number;
}

const [role, first = "", second = "0", third = "0", fourth = "0"] = process.argv.slice(2);
switch (role) {
  case "serve":
    tell(await serve(Number(first)));
    break;
  case "prepare":
    await prepare(first, second, Number(third), fourth);
    tell("prepared");
    break;
  case "pay":
    await pay(first, Number(second), Number(third));
    tell("paid");
    break;
  case "minimal":
    await payMinimally(first, Number(second));
    tell("paid");
    break;
  default:
    process.exitCode = await compare();
}

async function compare(): Promise<number> {
  const stop = await startPostgres();
  if (stop === undefined) throw new Error(process.env["TEST_POSTGRES_FAILURE"]);
  try {
    const all = { Paydrop: [] as Measured[], minimal: [] as Measured[] };
    for (const count of PROCESSES)
      for (const how of ["minimal", "Paydrop"] as const) {
        const one = await measured(how, count);
        all[how].push(one);
        const linear = one.perSecond / (count * (all[how][0]?.perSecond ?? 0));
        print(
          `${how}: ${count} ${count === 1 ? "process" : "processes"}: ${Math.round(one.perSecond)}/s, ` +
            `${rounded(linear)} of linear, ${rounded(one.cpuMs)} ms of CPU a payout, ` +
            `the ${availableParallelism()} cores ${Math.round(100 * one.busy)} % busy`,
        );
      }
    const relative = (at: number) => share(all.Paydrop, at) / Math.min(1, share(all.minimal, at));
    const isAtCores = (at: number) =>
      [all.Paydrop, all.minimal].some((how) => (how[at]?.busy ?? 0) > BUSY) || needed(all.Paydrop, at) > BUSY;
    for (const at of [1, 2])
      print(
        `With ${PROCESSES[at]} processes the cores ` +
          (isAtCores(at) ? "are the limit" : "are not the limit: what is lost waits for the database") +
          `; ${ASKED} of linear needs ${Math.round(100 * needed(all.Paydrop, at))} % of them.`,
      );
    const ratios = { at2: rounded(relative(1)), at4: rounded(relative(2)) };
    const holds = (isAtCores(1) || ratios.at2 >= LIMITS.at2) && (isAtCores(2) || ratios.at4 >= LIMITS.at4);
    return conclude("scale", ratios, LIMITS, holds);
  } finally {
    await stop();
  }
}

/** Throughput relative to as many times that of one process. */
function share(all: readonly Measured[], at: number): number {
  return (all[at]?.perSecond ?? 0) / ((PROCESSES[at] ?? 1) * (all[0]?.perSecond ?? 1));
}

/** The share of the cores that the throughput asked of several processes would need. */
function needed(all: readonly Measured[], at: number): number {
  const perSecond = ASKED * (PROCESSES[at] ?? 1) * (all[0]?.perSecond ?? 0);
  return (perSecond * (all[at]?.cpuMs ?? 0)) / 1000 / availableParallelism();
}

async function measured(how: "Paydrop" | "minimal", count: number): Promise<Measured> {
  const program = import.meta.filename;
  const folder = mkdtempSync(join(tmpdir(), "paydrop-bench-"));
  const server = startChild<string>(program, "serve", count);
  try {
    const address = await server.answer;
    if (how === "Paydrop")
      await startChild(program, "prepare", folder, address, count, await newDatabase(`scale_${count}`))
        .answer;
    const children = Array.from({ length: count }, (_, index) =>
      how === "Paydrop"
        ? startChild(program, "pay", folder, index, count)
        : startChild(program, "minimal", address, index),
    );
    await Promise.all(children.map(({ answer }) => answer));
    const before = coreTimes();
    const seconds = await secondsOf(() => Promise.all(children.map(({ goOn }) => goOn())));
    const after = coreTimes();
    const allMs = after.allMs - before.allMs;
    const busyMs = allMs - (after.idleMs - before.idleMs);
    const payouts = count * PAYOUTS;
    return { perSecond: payouts / seconds, busy: busyMs / allMs, cpuMs: busyMs / payouts };
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Of all cores together, whoever uses them. */
function coreTimes(): { readonly idleMs: number; readonly allMs: number } {
  const times = cpus().map((core) => core.times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    idleMs: sum(times.map(({ idle }) => idle)),
    allMs: sum(times.flatMap((time) => Object.values(time))),
  };
}

async function newDatabase(name: string): Promise<string> {
  const urlOf = (database: string) =>
    `postgresql://paydrop@/${database}?host=${encodeURIComponent(process.env["TEST_POSTGRES"] ?? "")}`;
  const client = new pg.Client({ connectionString: urlOf("postgres") });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return urlOf(name);
}

/** The name of a key in the configuration; empty for the first. */
function nameOf(index: number): string {
  return index === 0 ? "" : `k${index}`;
}

function clientOf(index: number) {
  return {
    key: `bench-key-${index}`,
    secret: `bench-secret-${index}`,
    otpSecret: OTP_SECRET,
    custodyAccount: `00000000-0000-4000-8000-0000000000a${index}`,
    concurrency: CONCURRENCY,
  };
}

async function serve(count: number): Promise<string> {
  const clients = Array.from({ length: count }, (_, index) => clientOf(index));
  const { url } = await startSandbox({
    stepMs: 3_600_000,
    latencyMs: LATENCY_MS,
    seed: {
      clients: clients.map(({ key, secret }, index) => ({
        ...{ key, secret },
        users: [{ username: index === 0 ? "treasury-bot" : `bot-${index}`, otpSecret: OTP_SECRET }],
      })),
      accounts: clients.map(({ custodyAccount: accountId }) => ({ accountId, openingBalance: "1000000" })),
    },
  });
  return url;
}

/** One file with as many payments of each key, submitted and approved. */
async function prepare(folder: string, baseUrl: string, count: number, url: string): Promise<void> {
  const clients = Array.from({ length: count }, (_, index) => clientOf(index));
  const secrets = clients.flatMap(({ key, secret }, index) => {
    const ending = index === 0 ? "" : `_${nameOf(index).toUpperCase()}`;
    return [
      [`PAYDROP_KEY${ending}`, key],
      [`PAYDROP_SIGNING_SECRET${ending}`, secret],
      [`PAYDROP_OTP_SECRET${ending}`, OTP_SECRET],
    ];
  });
  writeFileSync(
    join(folder, "environment.json"),
    JSON.stringify({ ...Object.fromEntries(secrets), DATABASE_URL: url }),
  );
  const configuration = {
    service: { baseUrl, username: "treasury-bot", callbackUrl: "https://pay.example.com/hook" },
    nonce: { rule: "unique" },
    otp: { source: "totp", singleUse: false },
    http: { concurrency: CONCURRENCY, ratePerSecond: 1_000_000, timeoutMs: 60_000 },
    database: "postgresql",
    keys: clients.slice(1).map((_, index) => ({ name: nameOf(index + 1) })),
    custodyAccounts: clients.map(({ custodyAccount }, index) => ({
      name: `account${index}`,
      id: custodyAccount,
      currency: "BTC",
      ...present({ key: index === 0 ? undefined : nameOf(index) }),
    })),
    limits: { perRow: { BTC: "1" }, perFile: { BTC: "100000" }, perDay: { BTC: "100000" } },
    approval: { rules: [{ people: 1 }] },
    people: { trialKeys: "trial-keys" },
    ledger: { functionalCurrency: "EUR", timeZone: "Europe/Madrid", chart: "chart-of-accounts.csv" },
  };
  // JSON is YAML.
  writeFileSync(join(folder, "paydrop.yaml"), JSON.stringify(configuration));
  const rows = clients.flatMap((_, index) =>
    payments(index).map(
      ({ number, reference, amount, destination }) =>
        `${reference},${amount},${destination},${payeeOf(number)},account${index},${index === 0 ? "treasury-bot" : `bot-${index}`}`,
    ),
  );
  const path = join(folder, "load.csv");
  const header = "reference,amount,destinationAddress,customerId,custodyAccount,username";
  writeFileSync(path, `${header}\n${rows.join("\n")}\n`);
  const workplace = openIn(folder);
  const { digest, problems, reading } = await submitFile(workplace, path, "ann");
  if (digest === undefined) throw new Error(JSON.stringify(problems.slice(0, 3)));
  await approveStep(workplace, digest, "ben", present({ acceptReading: reading?.questions.length }));
  await workplace.close();
}

/** To payees that no other key pays. */
function payments(key: number): Payment[] {
  return Array.from({ length: PAYOUTS }, (_, index) => {
    const number = key * PAYOUTS + index;
    const destination = addressOf(number);
    return {
      number,
      reference: `LOAD-${number}`,
      amount: `0.${String(number).padStart(6, "0")}7`,
      destination,
    };
  });
}

/** Pays under its share of the keys, as `serve` does. */
async function pay(folder: string, position: number, count: number): Promise<void> {
  const workplace = {
    ...openIn(folder),
    machines: { place: async () => ({ position, count }), leave: async () => undefined },
  };
  await workplace.store.read(function* () {
    // Connects.
  });
  await toldToGoOn();
  const { accepted, stopped } = await paySharedStep(workplace, new AbortController().signal, true);
  if (accepted !== PAYOUTS) throw new Error(`accepted ${accepted}: ${JSON.stringify(stopped)}`);
  await workplace.close();
}

async function payMinimally(address: string, index: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-bench-"));
  try {
    const path = join(folder, "minimal.sqlite");
    writePayments(path, payments(index));
    const username = index === 0 ? "treasury-bot" : `bot-${index}`;
    const send = minimalSender(path, address, { ...clientOf(index), username });
    await toldToGoOn();
    await send(PAYOUTS);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function openIn(folder: string): Workplace {
  const environment = JSON.parse(readFileSync(join(folder, "environment.json"), "utf8"));
  return openWorkplace(join(folder, "paydrop.yaml"), environment, stderrLog("silent"));
}
