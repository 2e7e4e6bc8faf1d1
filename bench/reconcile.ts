/**
 * What a night costs: CPU of the process that compares, less its start, as a multiple of plain paging (undici and
 * JSON.parse, nothing kept) of the same answers, and of a durable floor (the same, with each text inserted twice).
 * A first comparison, one with nothing changed, one after which only confirmations have counted on, and one with a
 * hundredth changed; of each also the looking alone. Then a short night with a hundredth changed, where all but a
 * twentieth ended longer ago than is watched. `node bench/reconcile.ts [PAYOUTS]`, with a fifth as many deposits;
 * default 100,000.
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { request } from "undici";
import { openWorkplace, stderrLog } from "../src/index.ts";
import { custodyAccountId } from "../src/model/index.ts";
import { amountOf } from "../src/money/index.ts";
import { reconcileStep } from "../src/nights/index.ts";
import { sweepKeys } from "../src/nights/sweep-keys.ts";
import { recordBalance } from "../src/store/balances.ts";
import { openSqliteStore } from "../src/store/engines/sqlite-store.ts";
import { type HistoryOptions, writeHistory } from "./history.ts";
import { conclude, median, peakMb, print, rounded, startChild, tell } from "./measuring.ts";
import {
  FIND,
  LATE,
  LEDGER_NAME,
  NIGHT_PATH,
  type Night,
  OPENING_BALANCE,
  serveNights,
} from "./night-service.ts";

const PAYOUTS = 100_000;
const PAYOUTS_PER_DEPOSIT = 5;
const PAGE_SIZE = 500;
const YARDSTICK_ROUNDS = 3;
const LIMITS = { first: 12, unchanged: 3, confirmations: 4, short: 1.2, durable: 3.5, growth: 2.2 };
const PEAK_MB_MAX = 250;

const KEY = "bench-key";
const CUSTODY_ACCOUNT = custodyAccountId("00000000-0000-4000-8000-00000000000a");
const CALLBACK_URL = "https://pay.example.com/hook";
const UNTIL_DAYS_AGO = 60;
const DAY_MS = 86_400_000;

const NIGHTS = {
  first: { confirmations: 0, changedEvery: 0 },
  unchanged: { confirmations: 0, changedEvery: 0 },
  confirmations: { confirmations: 144, changedEvery: 0 },
  changed: { confirmations: 144, changedEvery: 100 },
} as const satisfies Readonly<Record<string, Night>>;
/** After the others: what had ended then has grown old. */
const SHORT: Night = { confirmations: 144, changedEvery: 100, isLateChanged: true };
const ENDED_DAYS_AGO = 100;
const NAMES = ["first", "unchanged", "confirmations", "changed"] as const;

interface Cost {
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

const [role = "", ...given] = process.argv.slice(2);
const [size = "0", until = "", baseUrl = "", folder = ""] = given;
const shown = {
  ...{ payments: Number.parseInt(size, 10), until: new Date(until || 0), custodyAccount: CUSTODY_ACCOUNT },
  ...{ key: KEY, callbackUrl: CALLBACK_URL, baseUrl, seen: false, generalLedgerName: LEDGER_NAME },
} satisfies HistoryOptions;

if (role === "serve") tell(await serveNights({ ...shown, deposits: shown.payments / PAYOUTS_PER_DEPOSIT }));
else if (role === "prepare") tell(await prepare());
else if (role === "plain") tell(await costOf(() => pagesPlainly(() => undefined)));
else if (role === "durable") tell(await durable());
else if (role === "grow-old") tell(growOld());
else if (role === "compare" || role === "look" || role === "short") tell(await inWorkplace(role));
else process.exitCode = await measureAll(Number.parseInt(role, 10) || PAYOUTS);

async function measureAll(payouts: number): Promise<number> {
  const whole = await measure(payouts);
  const half = await measure(payouts / 2, ["first"]);
  const ratios: Record<string, number> = {};
  let peak = 0;
  for (const name of NAMES) {
    const { compare, look } = whole.of(name);
    ratios[name] = rounded(compare.cpuSeconds / whole.plain);
    ratios[`${name}, looking`] = rounded(look.cpuSeconds / whole.plain);
    peak = Math.max(peak, compare.megabytes);
  }
  ratios["short"] = rounded(whole.short / whole.plain);
  const { compare: first } = whole.of("first");
  ratios["durable"] = rounded(first.cpuSeconds / whole.durable);
  ratios["growth"] = rounded(first.cpuSeconds / half.of("first").compare.cpuSeconds);
  ratios["peakMb"] = Math.round(peak);
  const limits = { ...LIMITS, peakMb: PEAK_MB_MAX };
  const holds = Object.entries(limits).every(([name, most]) => (ratios[name] ?? Number.NaN) <= most);
  return conclude("reconcile", ratios, limits, holds);
}

async function measure(payouts: number, names: readonly (keyof typeof NIGHTS)[] = NAMES) {
  const about = [payouts, new Date(Date.now() - UNTIL_DAYS_AGO * DAY_MS).toISOString()];
  const server = startChild<string>(import.meta.filename, "serve", ...about);
  const [compared, looked] = [
    mkdtempSync(join(tmpdir(), "bench-night-")),
    mkdtempSync(join(tmpdir(), "bench-look-")),
  ];
  try {
    const address = await server.answer;
    const child = <Answer>(what: string, place = compared) =>
      startChild<Answer>(import.meta.filename, what, ...about, address, place).answer;
    await child<boolean>("prepare");
    for (const file of ["paydrop.sqlite", "paydrop.yaml", "chart-of-accounts.csv"])
      copyFileSync(join(compared, file), join(looked, file));
    const plain: number[] = [];
    for (let round = 0; round < YARDSTICK_ROUNDS; round += 1)
      plain.push((await child<Cost>("plain")).cpuSeconds);
    const floor = (await child<Cost>("durable")).cpuSeconds;
    print(
      `${payouts} payouts: plain paging ${median(plain).toFixed(2)} s, durable floor ${floor.toFixed(2)} s`,
    );
    const costs = new Map<string, { readonly compare: Cost; readonly look: Cost }>();
    for (const name of names) {
      await request(`${address}${NIGHT_PATH}`, { method: "POST", body: JSON.stringify(NIGHTS[name]) });
      const look = await child<Cost>("look", looked);
      const compare = await child<Cost>("compare");
      const figures = [compare, look].map(
        ({ cpuSeconds, megabytes }) => `${cpuSeconds.toFixed(2)} s, ${Math.round(megabytes)} MB`,
      );
      print(`  ${name.padEnd(13)} ${figures.join("; looking alone ")}`);
      costs.set(name, { look, compare });
    }
    let short = Number.NaN;
    if (names === NAMES) {
      await request(`${address}${NIGHT_PATH}`, { method: "POST", body: JSON.stringify(SHORT) });
      await child<boolean>("grow-old");
      const { cpuSeconds, megabytes } = await child<Cost>("short");
      short = cpuSeconds;
      print(`  ${"short".padEnd(13)} ${cpuSeconds.toFixed(2)} s, ${Math.round(megabytes)} MB`);
    }
    const of = (name: string) => costs.get(name) ?? fail(`${name} was not measured`);
    return { plain: median(plain), durable: floor, short, of };
  } finally {
    server.stop();
    for (const place of [compared, looked]) rmSync(place, { recursive: true });
  }
}

function fail(message: string): never {
  throw new Error(message);
}

/** The process's CPU, all threads together. */
async function costOf(work: () => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, megabytes: peakMb() };
}

async function pagesPlainly(take: (element: unknown) => void): Promise<void> {
  for (const path of Object.values(FIND))
    for (let page = 0, pages = 1; page < pages; page += 1) {
      const asked = JSON.stringify({ page, size: PAGE_SIZE, sort: { createdDate: "ASC" } });
      const { body } = await request(`${baseUrl}${path}`, { method: "POST", body: asked });
      const { results } = JSON.parse(await body.text());
      pages = results.totalPages;
      for (const element of results.content) take(element);
    }
}

/** The least that keeps what was seen: each text inserted twice, a page's in one transaction. */
function durable(): Promise<Cost> {
  const database = new Database(join(folder, "floor.sqlite"));
  database.pragma("journal_mode = WAL");
  database.exec(
    "create table latest (id text primary key, raw text); create table history (id text, raw text); create index by_id on history (id)",
  );
  const latest = database.prepare("insert into latest values (?, ?)");
  const history = database.prepare("insert into history values (?, ?)");
  let waiting: [string, string][] = [];
  const insert = database.transaction(() => {
    for (const each of waiting) {
      latest.run(each);
      history.run(each);
    }
    waiting = [];
  });
  return costOf(async () => {
    await pagesPlainly((element) => {
      const { payoutId, depositId } = element as { payoutId?: string; depositId?: string };
      waiting.push([payoutId ?? depositId ?? "", JSON.stringify(element)]);
      if (waiting.length === PAGE_SIZE) insert();
    });
    insert();
    database.close();
  });
}

async function prepare(): Promise<boolean> {
  const chart = "chart-of-accounts.csv";
  const configuration = {
    service: { baseUrl, username: "treasury-bot", callbackUrl: CALLBACK_URL },
    nonce: { rule: "unique" },
    otp: { source: "totp", singleUse: false },
    http: { concurrency: 4, ratePerSecond: 1_000_000 },
    paging: { size: PAGE_SIZE },
    custodyAccounts: [{ name: "TREASURY", id: CUSTODY_ACCOUNT, currency: "BTC" }],
    approval: { rules: [{ people: 1 }] },
    ledger: { functionalCurrency: "EUR", timeZone: "Europe/Madrid", chart },
  };
  // JSON is YAML.
  writeFileSync(join(folder, "paydrop.yaml"), JSON.stringify(configuration));
  copyFileSync(`samples/${chart}`, join(folder, chart));
  const path = join(folder, "paydrop.sqlite");
  await writeHistory(path, shown);
  const store = openSqliteStore(path);
  const observedAt = new Date(shown.until.getTime() - 2 * 365 * DAY_MS).toISOString();
  const opening = { custodyAccountId: CUSTODY_ACCOUNT, total: amountOf(OPENING_BALANCE, "BTC"), observedAt };
  await store.write(() => recordBalance("opening", opening));
  await store.close();
  return true;
}

/** All but the last twentieth have been seen as they are for longer than they are watched. */
function growOld(): boolean {
  const database = new Database(join(folder, "paydrop.sqlite"));
  const at = new Date(Date.now() - ENDED_DAYS_AGO * DAY_MS).toISOString();
  for (const kind of ["payout", "deposit"]) {
    const inOrder = `select id from observed where kind = '${kind}' order by json_extract(raw, '$.createdDate'), substr(id, -12), id`;
    const { count } = database.prepare(`select count(*) as count from observed where kind = ?`).get(kind) as {
      count: number;
    };
    database
      .prepare(`update observed set first_seen_at = ?, state_seen_at = ?, said_at = ?
        where kind = ? and id in (${inOrder} limit ?)`)
      .run(at, at, at, kind, Math.floor(count * (1 - LATE)));
  }
  database.close();
  return true;
}

async function inWorkplace(what: "compare" | "look" | "short"): Promise<Cost> {
  const secrets = {
    PAYDROP_KEY: KEY,
    PAYDROP_SIGNING_SECRET: "bench-secret",
    PAYDROP_OTP_SECRET: "GEZDGNBV",
  };
  const workplace = openWorkplace(join(folder, "paydrop.yaml"), secrets, stderrLog("silent"));
  try {
    return await costOf(async () => {
      if (what === "look") {
        const { payoutSweep } = await sweepKeys(workplace);
        if (!payoutSweep.complete) throw new Error(JSON.stringify(payoutSweep.problems));
        return;
      }
      const { openBreaks, problems, balanceProof, look, payoutSweep } = await reconcileStep(workplace, {
        full: what === "compare",
      });
      const changed = Math.floor(shown.payments * LATE * 0.2);
      if (what === "short" && (look.kind !== "short" || payoutSweep.changesCount !== changed))
        throw new Error(JSON.stringify({ look, changes: payoutSweep.changesCount }));
      const ties = balanceProof.every((row) => row.ties);
      if (openBreaks.length + problems.length > 0 || !ties)
        throw new Error(JSON.stringify({ openBreaks: openBreaks.slice(0, 3), problems, balanceProof }));
    });
  } finally {
    await workplace.close();
  }
}
