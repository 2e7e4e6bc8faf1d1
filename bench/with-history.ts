/**
 * What a row costs in a check, a submission, an approval, on the desk and when it is paid, where nothing, a hundred
 * thousand and a million payments were accepted before, a tenth of them to one destination: CPU of the process. The
 * yardstick is the cost where nothing was. Each measurement is taken in a process of its own, after a small file
 * for a warm-up.
 */
import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  addPersonStep,
  approveStep,
  openWorkplace,
  payStep,
  type Sign,
  stderrLog,
  submitFile,
  validateFile,
  type Workplace,
} from "../src/index.ts";
import { custodyAccountId } from "../src/model/index.ts";
import { startSandbox } from "../src/sandbox/index.ts";
import { listBatches } from "../src/store/batches.ts";
import { batchFindings, batchRows, batchStep } from "../src/views/batch-step.ts";
import { addressOf, amountAt, HEAVY_ADDRESS, payeeOf, writeHistory } from "./history.ts";
import { conclude, median, print, rounded, startChild, tell } from "./measuring.ts";

const HISTORIES = [0, 100_000, 1_000_000];
const ROUNDS = 3;
const ROWS = 5_000;
const WARM_UP_ROWS = 1_000;
const PAGE_VISITS = 20;
/** The destinations numbered below that were paid before, if any were. */
const PAID_BEFORE = 11_000;
/** Of the cost without history. */
const RATIO_MAX = 1.5;

const KEY = "bench-key";
const SECRET = "bench-secret";
const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const CUSTODY_ACCOUNT = custodyAccountId("00000000-0000-4000-8000-00000000000a");
const CALLBACK_URL = "https://pay.example.com/hook";

const PEOPLE = ["ben", "ann"] as const;

const STEPS = { validate, submit, desk, approve, pay } as const;
type Step = keyof typeof STEPS;
const NAMES = ["validate", "submit", "desk", "approve", "pay"] as const satisfies readonly Step[];

/** Milliseconds of CPU for each of the rows. */
type Costs = Readonly<Record<Step, number>>;

const [role = "", folder = "", about = "", address = ""] = process.argv.slice(2);
if (role === "serve") tell(await serve());
else if (role === "prepare") {
  await prepare(folder, Number.parseInt(about, 10), address);
  tell(true);
} else if (isStep(role)) tell(await inWorkplace(folder, (workplace) => STEPS[role](workplace, about)));
else process.exitCode = await compare();

function isStep(text: string): text is Step {
  return Object.hasOwn(STEPS, text);
}

async function compare(): Promise<number> {
  const costs: Costs[] = [];
  for (const payments of HISTORIES) costs.push(await costsAfter(payments));
  const [none, ...others] = costs;
  const ratios: Record<string, number> = {};
  for (const name of NAMES)
    ratios[name] = Math.max(...others.map((some) => rounded(some[name] / (none?.[name] ?? 0))));
  const limits = Object.fromEntries(NAMES.map((name) => [name, RATIO_MAX]));
  return conclude(
    "history",
    ratios,
    limits,
    Object.values(ratios).every((ratio) => ratio <= RATIO_MAX),
  );
}

async function costsAfter(payments: number): Promise<Costs> {
  const server = startChild<string>(import.meta.filename, "serve");
  const place = mkdtempSync(join(tmpdir(), "bench-history-"));
  try {
    const baseUrl = await server.answer;
    writeConfiguration(place, baseUrl);
    await startChild(import.meta.filename, "prepare", place, payments, baseUrl).answer;
    const rounds: Costs[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const measured: Partial<Record<Step, number>> = {};
      for (const name of NAMES)
        measured[name] = await startChild<number>(import.meta.filename, name, place, `round-${round}`).answer;
      rounds.push(measured as Costs);
    }
    const costs = Object.fromEntries(
      NAMES.map((name) => [name, median(rounds.map((round) => round[name]))]),
    ) as unknown as Costs;
    const shown = NAMES.map((name) => `${name} ${costs[name].toFixed(3)}`).join(", ");
    print(`${payments} accepted payments, ms of CPU a row: ${shown}`);
    return costs;
  } finally {
    server.stop();
    rmSync(place, { recursive: true });
  }
}

async function serve(): Promise<string> {
  const { url } = await startSandbox({
    stepMs: 3_600_000,
    seed: {
      clients: [{ key: KEY, secret: SECRET, users: [{ username: "treasury-bot", otpSecret: OTP_SECRET }] }],
      accounts: [{ accountId: CUSTODY_ACCOUNT, openingBalance: "1000000" }],
    },
  });
  return url;
}

function writeConfiguration(place: string, baseUrl: string): void {
  const limit = { BTC: "1000000" };
  const configuration = {
    service: { baseUrl, username: "treasury-bot", callbackUrl: CALLBACK_URL },
    nonce: { rule: "unique" },
    otp: { source: "totp", singleUse: false },
    http: { concurrency: 32, ratePerSecond: 1_000_000 },
    custodyAccounts: [{ name: "treasury-btc", id: CUSTODY_ACCOUNT, currency: "BTC" }],
    limits: { perRow: limit, perFile: limit, perDay: limit, perDestination: limit },
    // What is found is found; nobody is there to accept it.
    repeats: { onRepeat: "warn" },
    destinations: { onLookAlike: "warn" },
    approval: { rules: [{ people: 1 }] },
    people: { installation: "bench", root: [makeKeys(place)] },
    ledger: { functionalCurrency: "EUR", timeZone: "Europe/Madrid", chart: "chart-of-accounts.csv" },
  };
  // JSON is YAML.
  writeFileSync(join(place, "paydrop.yaml"), JSON.stringify(configuration));
  copyFileSync("samples/chart-of-accounts.csv", join(place, "chart-of-accounts.csv"));
}

/** Of two people; returns the first one's fingerprint. */
function makeKeys(place: string): string {
  for (const name of PEOPLE)
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", join(place, name)]);
  const [, fingerprint = ""] = execFileSync("ssh-keygen", ["-lf", join(place, "ben")])
    .toString()
    .split(" ");
  return fingerprint;
}

function signIn(place: string): Sign {
  return async ({ person, text }) => {
    const options: ExecFileSyncOptions = { input: text, stdio: ["pipe", "pipe", "ignore"] };
    const args = ["-q", "-Y", "sign", "-n", "paydrop-approval", "-f", join(place, person)];
    return { text, signature: execFileSync("ssh-keygen", args, options).toString() };
  };
}

async function prepare(place: string, payments: number, baseUrl: string): Promise<void> {
  const about = { payments, custodyAccount: CUSTODY_ACCOUNT, key: KEY, callbackUrl: CALLBACK_URL, baseUrl };
  await writeHistory(join(place, "paydrop.sqlite"), about);
  await inWorkplace(place, async (workplace) => {
    for (const name of PEOPLE) {
      const credential = { key: readFileSync(join(place, `${name}.pub`), "utf8").trim() };
      const roles = name === "ben" ? (["admin", "approver"] as const) : (["submitter"] as const);
      await addPersonStep(workplace, { name, roles, credential, person: "ben" });
    }
  });
}

async function inWorkplace<Result>(
  place: string,
  work: (workplace: Workplace) => Promise<Result>,
): Promise<Result> {
  const secrets = { PAYDROP_KEY: KEY, PAYDROP_SIGNING_SECRET: SECRET, PAYDROP_OTP_SECRET: OTP_SECRET };
  const configuration = join(place, "paydrop.yaml");
  const workplace = openWorkplace(
    configuration,
    secrets,
    stderrLog("silent"),
    undefined,
    undefined,
    signIn(place),
  );
  try {
    return await work(workplace);
  } finally {
    await workplace.close();
  }
}

async function validate(workplace: Workplace, round: string): Promise<number> {
  await validateFile(workplace, fileOf(`check-${round}-small`, WARM_UP_ROWS));
  return perRow(() => validateFile(workplace, fileOf(`check-${round}`, ROWS)));
}

/** The small file waits and is paid with the other. */
async function submit(workplace: Workplace, round: string): Promise<number> {
  await accepted(workplace, fileOf(`${round}-small`, WARM_UP_ROWS));
  const path = fileOf(round, ROWS);
  return perRow(() => accepted(workplace, path));
}

async function accepted(workplace: Workplace, path: string): Promise<void> {
  const { batchId, problems } = await submitFile(workplace, path, "ann");
  if (batchId === undefined) throw new Error(JSON.stringify(problems.slice(0, 3)));
}

/** What a page of the batch shows: once its payments are looked through, and then as often as it is asked for. */
async function desk(workplace: Workplace): Promise<number> {
  const [small, large] = await newest(workplace);
  const visit = async (batch: typeof large) => {
    await batchFindings(workplace, batch);
    for (let visits = 0; visits < PAGE_VISITS; visits += 1) {
      await batchStep(workplace, batch.id, "ben");
      await batchRows(workplace, batch.id, { find: "", order: "largest", skip: 0, count: 30 });
    }
  };
  await visit(small);
  return perRow(() => visit(large));
}

async function approve(workplace: Workplace): Promise<number> {
  const [small, large] = await newest(workplace);
  await approveStep(workplace, small.id, "ben");
  return perRow(() => approveStep(workplace, large.id, "ben"));
}

async function pay(workplace: Workplace): Promise<number> {
  const [small, large] = await newest(workplace);
  await payStep(workplace, { batch: small.id });
  return perRow(async () => {
    const { accepted: paid, stopped } = await payStep(workplace, { batch: large.id });
    if (paid !== ROWS) throw new Error(`${paid} were accepted: ${JSON.stringify(stopped)}`);
  });
}

async function newest({ store }: Workplace) {
  const [small, large] = (await store.read(() => listBatches())).slice(-2);
  if (small === undefined || large === undefined) throw new Error("there are no two batches");
  return [small, large] as const;
}

/** Milliseconds of this process's CPU, all threads together, for each of the rows. */
async function perRow(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / ROWS;
}

/** Of ten rows one goes to the destination that is paid most, five to such as were paid before, four to new ones. */
function fileOf(name: string, rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const number = numberOf(name, index);
    const destination = index % 10 === 0 ? HEAVY_ADDRESS : addressOf(number);
    return `${name}-${index + 1},${amountAt(number)},${destination},${payeeOf(number)}`;
  });
  const path = join(folder, `${name}.csv`);
  writeFileSync(path, `reference,amount,destinationAddress,customerId\n${lines.join("\n")}\n`);
  return path;
}

/** Each file names others. */
function numberOf(name: string, index: number): number {
  const file = [...name].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000, 7);
  return index % 10 < 6 ? (file * 7_919 + index) % PAID_BEFORE : 10_000_000 + file * 100_000 + index;
}
