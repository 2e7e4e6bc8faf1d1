/**
 * What a page of the desk costs after a million accepted payments, where 100,000 more wait for an approval, and
 * then to be paid: the server's CPU, the first time and as the median of later ones, and the size. The yardstick is
 * the same page where 100 payments do and none were accepted. And the memory that the desk adds to a process that
 * has the workplace open, after each page was shown.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { deskServer } from "../src/desk/index.ts";
import { approveStep, openWorkplace, stderrLog, submitFile, type Workplace } from "../src/index.ts";
import type { Batch } from "../src/model/index.ts";
import { listBatches } from "../src/store/batches.ts";
import { batchFindings } from "../src/views/batch-step.ts";
import { agreeBeforeSending } from "../src/workplace/agreement.ts";
import { openDeskWorkplace } from "../src/workplace/workplace.ts";
import { cookieOfAnn } from "../test/desk/trial.ts";
import { writeConfiguration, writeCsv, writeFilesHistory } from "./files-inputs.ts";
import { conclude, median, print, rounded, startChild, tell } from "./measuring.ts";

const LIMITS = { cpuMs: 100, kilobytes: 150, memoryMb: 40 };
const ORIGIN = "http://localhost:8080";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const VISITS = 5;
/** After this long `serve` has done what it does at its start, and collected what is no longer used. */
const SETTLE_MS = 5_000;
const MANY = 100_000;
const PAYMENTS_BEFORE = 1_000_000;

/** `find`: of the file's texts, one that many rows have and one that none has. */
const BATCH_PAGES = ["", "?order=file&skip=90", "?order=payee", "?find=Supplier+77", "?find=nowhere"];
const PAGES = [
  "/",
  "/files",
  "/payments",
  "/payments?standing=received",
  "/payments?q=Supplier+7",
  "/doubts",
  "/nights",
  "/books",
  "/jobs",
  "/people",
];

interface Cost {
  readonly firstMs: number;
  readonly laterMs: number;
  readonly kilobytes: number;
}

type Costs = Readonly<Record<string, Cost>>;

const [role, folder = "", rows = "0"] = process.argv.slice(2);
switch (role) {
  case "submit":
    tell(await submit(folder, Number.parseInt(rows, 10)));
    break;
  case "approve":
    tell(await approve(folder));
    break;
  case "visit":
    tell(await visit(folder));
    break;
  case "memory":
    tell(await memory(folder));
    break;
  default:
    process.exitCode = await compare();
}

async function compare(): Promise<number> {
  const folders = [MANY, 100].map((rows) => {
    return { rows, folder: mkdtempSync(join(tmpdir(), "bench-desk-")) };
  });
  try {
    for (const { rows, folder } of folders) await inChild("submit", folder, rows);
    const waiting = await both(folders, "waits for an approval");
    for (const { folder } of folders) await inChild("approve", folder);
    const approved = await both(folders, "is approved");
    const small = folders.at(-1)?.folder ?? "";
    const memoryMb = await inChild<number>("memory", small);
    print(`the desk adds ${memoryMb} MB`);
    const all = [...Object.values(waiting), ...Object.values(approved)];
    const most = (of: (cost: Cost) => number) => Math.max(...all.map(of));
    const found = {
      cpuMs: most(({ laterMs }) => laterMs),
      kilobytes: most(({ kilobytes }) => kilobytes),
      memoryMb,
    };
    const holds = Object.entries(LIMITS).every(
      ([name, limit]) => found[name as keyof typeof LIMITS] <= limit,
    );
    return conclude("desk", found, LIMITS, holds);
  } finally {
    for (const { folder } of folders) rmSync(folder, { recursive: true });
  }
}

/** The costs where there are many payments; prints them with those where there are few. */
async function both(folders: readonly { readonly folder: string }[], what: string): Promise<Costs> {
  const [many = {}, few = {}] = [await visited(folders[0]), await visited(folders[1])];
  print(`what ${what}: first visit, later ones; of 100,000 payments, and of 100`);
  for (const [page, { firstMs, laterMs, kilobytes }] of Object.entries(many))
    print(
      `${page.padEnd(40)} ${firstMs} ms, ${laterMs} ms, ${kilobytes} KB; ${few[page]?.firstMs} ms, ${few[page]?.laterMs} ms, ${few[page]?.kilobytes} KB`,
    );
  return many;
}

function visited(folder: { readonly folder: string } | undefined): Promise<Costs> {
  return inChild<Costs>("visit", folder?.folder ?? "");
}

function inChild<Answer>(task: string, folder: string, rows = 0): Promise<Answer> {
  return startChild<Answer>(import.meta.filename, task, folder, rows).answer;
}

function open(folder: string): Workplace {
  return openDeskWorkplace(join(folder, "paydrop.yaml"), {}, stderrLog("silent"));
}

async function submit(folder: string, rows: number): Promise<string> {
  writeConfiguration(folder);
  if (rows === MANY) await writeFilesHistory(folder, PAYMENTS_BEFORE);
  const file = join(folder, "payouts.csv");
  await writeCsv(file, rows);
  // An approval names the sending machine's key, which is known from its runs.
  const sender = openWorkplace(join(folder, "paydrop.yaml"), { PAYDROP_KEY: "key" }, stderrLog("silent"));
  await agreeBeforeSending(sender);
  await sender.close();
  const workplace = open(folder);
  const { batchId = "", problems } = await submitFile(workplace, file, "ann");
  await workplace.close();
  if (batchId === "") throw new Error(`the file was not taken in: ${problems[0]?.message}`);
  return batchId;
}

async function batchIn({ store }: Workplace): Promise<Batch> {
  const batch = (await store.read(() => listBatches())).at(-1);
  if (batch === undefined) throw new Error("there is no batch");
  return batch;
}

async function approve(folder: string): Promise<number> {
  const environment = { PAYDROP_KEY: "key" };
  const workplace = openWorkplace(join(folder, "paydrop.yaml"), environment, stderrLog("silent"));
  const batch = await batchIn(workplace);
  const { asked, repeatedRows, lookAlikeRows } = await batchFindings(workplace, batch);
  const { released } = await approveStep(workplace, batch.id, "ben", {
    acceptReading: asked.open.length,
    acceptRepeats: repeatedRows.length,
    acceptLookAlikes: lookAlikeRows.length,
  });
  await workplace.close();
  return released;
}

async function visit(folder: string): Promise<Costs> {
  const workplace = open(folder);
  const page = await visitor(workplace);
  // What the first visit of a large batch begins is not the page's.
  const batch = await batchIn(workplace);
  const itsPage = `/batches/${batch.id}`;
  await page(itsPage);
  await batchFindings(workplace, batch);
  const costs: Record<string, Cost> = {};
  const ofBatch = BATCH_PAGES.map((query) => [`batch${query}`, `${itsPage}${query}`] as const);
  const others = PAGES.map((path) => [path, path] as const);
  for (const [name, path] of [...ofBatch, ...others]) {
    const first = await page(path);
    const later: number[] = [];
    for (let visits = 0; visits < VISITS; visits += 1) later.push((await page(path)).ms);
    costs[name] = { firstMs: first.ms, laterMs: median(later), kilobytes: first.kilobytes };
  }
  await workplace.close();
  return costs;
}

/** Gets pages as a person who is signed in. */
async function visitor(workplace: Workplace) {
  const app = await deskServer(workplace, ORIGIN);
  const signIn = await app.inject({
    method: "POST",
    url: "/sign-in",
    headers: { origin: ORIGIN, ...FORM },
    payload: "name=carol",
  });
  const cookie = signIn.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return async (url: string) => {
    const before = process.cpuUsage();
    const { statusCode, rawPayload } = await app.inject({ url, headers: { cookie } });
    const { user, system } = process.cpuUsage(before);
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`);
    // The allowance of a session is not what is measured.
    await wait(100);
    return { ms: Math.round((user + system) / 1000), kilobytes: Math.round(rawPayload.length / 1024) };
  };
}

/** Megabytes of `paydrop serve` (as built), once each page was shown, besides those that it has without a desk. */
async function memory(folder: string): Promise<number> {
  const without = await residentMb(folder);
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const origin = `http://localhost:${port}`;
  const withDesk = await residentMb(folder, { listen: `localhost:${port}`, origin });
  return rounded(withDesk - without);
}

async function residentMb(
  folder: string,
  desk?: Readonly<Record<"listen" | "origin", string>>,
): Promise<number> {
  const env = {
    ...process.env,
    PAYDROP_KEY: "key",
    PAYDROP_SIGNING_SECRET: "not-a-secret",
    PAYDROP_OTP_SECRET: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    ...(desk !== undefined && { PAYDROP_DESK: JSON.stringify(desk) }),
  };
  const program = ["dist/src/cli/bin.js", "--config", join(folder, "paydrop.yaml"), "serve"];
  const child = spawn(process.execPath, program, { env, stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  if (desk !== undefined) await visitAt(desk.origin);
  await wait(SETTLE_MS);
  const [, kilobytes = ""] =
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
  child.kill("SIGTERM");
  await once(child, "exit");
  return Number.parseInt(kilobytes, 10) / 1024;
}

async function visitAt(origin: string): Promise<void> {
  const cookie = await cookieOfAnn(origin);
  for (const path of [...BATCH_PAGES.map((query) => `/batches/B-000001${query}`), ...PAGES]) {
    const { status } = await fetch(`${origin}${path}`, { headers: { cookie } });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  }
}
