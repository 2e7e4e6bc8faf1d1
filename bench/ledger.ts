/**
 * What the books cost: CPU of the process that posts and exports, less its start. A first posting and export of so
 * many entries as a multiple of a yardstick (the same rows once through csv-stringify and once into a bare table, a
 * thousand to a transaction); a night with nothing new, and one with a fiftieth of the entries changed, in seconds;
 * and half as many entries with a chart of 3,000 lines against the sample's. `node bench/ledger.ts [ENTRIES]`, default
 * 200,000: of each seven entries five book payouts, and two a deposit's receipt and its settlement. Of a million,
 * only the first posting and the night with nothing new are measured, with a peak of their own.
 */
import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { stringify } from "csv-stringify/sync";
import { request } from "undici";
import { ledgerExportStep } from "../src/books/index.ts";
import { openWorkplace, stderrLog } from "../src/index.ts";
import { conclude, median, peakMb, print, rounded, startChild, tell } from "./measuring.ts";
import { LEDGER_NAME, NIGHT_PATH } from "./night-service.ts";

const ENTRIES = 200_000;
const MILLION = 1_000_000;
const PAYOUTS_OF_FIVE = 5 / 7;
const ROUNDS = 3;
const TOGETHER = 1_000;
const UNTIL_DAYS_AGO = 60;
const DAY_MS = 86_400_000;
const LIMITS = {
  first: 5,
  nothingSeconds: 0.3,
  changedSeconds: 1.5,
  growth: 2.2,
  longChart: 1.15,
  peakMb: 250,
};
const LIMITS_OF_MILLION = { first: 5, nothingSeconds: 0.3, peakMb: 300 };
const CHART_LINES = 3_000;
const CHANGED = { confirmations: 144, changedEvery: 100 };
const NIGHTS = join(import.meta.dirname, "reconcile.ts");

interface Cost {
  readonly cpuSeconds: number;
  readonly megabytes: number;
  readonly entries: number;
}

const [role = "", folder = ""] = process.argv.slice(2);

if (role === "post") tell(await inWorkplace(folder));
else if (role === "yardstick") tell(await yardstick(folder));
else {
  const entries = Number.parseInt(role, 10) || ENTRIES;
  process.exitCode = entries < MILLION ? await measureAll(entries) : await measureMillion(entries);
}

async function measureMillion(entries: number): Promise<number> {
  const { first, yardstick, nights } = await measure(entries, ["nothing"]);
  const ratios = {
    first: rounded(first.cpuSeconds / yardstick),
    nothingSeconds: rounded(nights[0]?.cpuSeconds ?? Number.NaN),
    peakMb: Math.round(first.megabytes),
  };
  return conclude("ledger", ratios, LIMITS_OF_MILLION, holdsAll(ratios, LIMITS_OF_MILLION));
}

async function measureAll(entries: number): Promise<number> {
  const half = await measure(entries / 2, [], true);
  const whole = await measure(entries, ["nothing", "changed"]);
  const [nothing, changed] = whole.nights;
  const ratios = {
    first: rounded(whole.first.cpuSeconds / whole.yardstick),
    nothingSeconds: rounded(nothing?.cpuSeconds ?? Number.NaN),
    changedSeconds: rounded(changed?.cpuSeconds ?? Number.NaN),
    growth: rounded(whole.first.cpuSeconds / half.first.cpuSeconds),
    longChart: rounded((half.longChart?.cpuSeconds ?? Number.NaN) / half.first.cpuSeconds),
    peakMb: Math.round(Math.max(whole.first.megabytes, ...whole.nights.map(({ megabytes }) => megabytes))),
  };
  return conclude("ledger", ratios, LIMITS, holdsAll(ratios, LIMITS));
}

function holdsAll<Name extends string>(ratios: Record<Name, number>, limits: Record<Name, number>): boolean {
  return (Object.keys(limits) as Name[]).every((name) => ratios[name] <= limits[name]);
}

/** Each entry books a payout, or the receipt or the settlement of a deposit. */
async function measure(entries: number, nights: readonly ("nothing" | "changed")[], hasLongChart = false) {
  const payouts = Math.round((entries * PAYOUTS_OF_FIVE) / 5) * 5;
  const about = [payouts, new Date(Date.now() - UNTIL_DAYS_AGO * DAY_MS).toISOString()];
  const server = startChild<string>(NIGHTS, "serve", ...about);
  const place = mkdtempSync(join(tmpdir(), "bench-ledger-"));
  const copy = mkdtempSync(join(tmpdir(), "bench-ledger-"));
  try {
    const address = await server.answer;
    const look = (what: string) => startChild<unknown>(NIGHTS, what, ...about, address, place).answer;
    const own = (what: string, where = place) => startChild<Cost>(import.meta.filename, what, where).answer;
    await look("prepare");
    appendFileSync(join(place, "chart-of-accounts.csv"), `gl,${LEDGER_NAME},,,,5100,expenses:suppliers\n`);
    await look("look");
    if (hasLongChart) copyWithLongChart(place, copy);
    const first = await own("post");
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push((await own("yardstick")).cpuSeconds);
    print(`${first.entries} entries: yardstick ${median(rounds).toFixed(2)} s`);
    printCost("first", first);
    const longChart = hasLongChart ? await own("post", copy) : undefined;
    if (longChart !== undefined) printCost(`chart of ${CHART_LINES}`, longChart);
    const costs: Cost[] = [];
    for (const night of nights) {
      if (night === "changed") {
        await request(`${address}${NIGHT_PATH}`, { method: "POST", body: JSON.stringify(CHANGED) });
        await look("look");
      }
      const cost = await own("post");
      printCost(night, cost);
      costs.push(cost);
    }
    return { first, yardstick: median(rounds), nights: costs, longChart };
  } finally {
    server.stop();
    for (const folder of [place, copy]) rmSync(folder, { recursive: true });
  }
}

function copyWithLongChart(place: string, copy: string): void {
  cpSync(place, copy, { recursive: true });
  // It names the database of the other folder.
  rmSync(join(copy, "paydrop.sqlite.anchor"), { force: true });
  const lines = Array.from({ length: CHART_LINES }, (_, number) =>
    number % 2 === 0
      ? `gl,Ledger ${number},,,,${20_000 + number},expenses:ledger ${number}\n`
      : `receivable,customer ${number},,,,${20_000 + number},assets:customer ${number}\n`,
  );
  appendFileSync(join(copy, "chart-of-accounts.csv"), lines.join(""));
}

function printCost(name: string, { cpuSeconds, megabytes, entries }: Cost): void {
  print(`  ${name.padEnd(13)} ${cpuSeconds.toFixed(2)} s, ${Math.round(megabytes)} MB, ${entries} entries`);
}

/** The process's CPU, all threads together. */
async function costOf(work: () => Promise<number>): Promise<Cost> {
  const before = process.cpuUsage();
  const entries = await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, megabytes: peakMb(), entries };
}

async function inWorkplace(place: string): Promise<Cost> {
  const secrets = {
    PAYDROP_KEY: "bench-key",
    PAYDROP_SIGNING_SECRET: "bench-secret",
    PAYDROP_OTP_SECRET: "GEZDGNBV",
  };
  const workplace = openWorkplace(join(place, "paydrop.yaml"), secrets, stderrLog("silent"));
  try {
    return await costOf(async () => {
      const { ledger } = await ledgerExportStep(workplace);
      if (ledger.problems.length > 0) throw new Error(JSON.stringify(ledger.problems.slice(0, 3)));
      return ledger.posted;
    });
  } finally {
    await workplace.close();
  }
}

/** The entries' own rows: into one bare table, and as lines of CSV. */
function yardstick(place: string): Promise<Cost> {
  const posted = new Database(join(place, "paydrop.sqlite"), { readonly: true });
  const bare = new Database(join(place, "yardstick.sqlite"));
  bare.pragma("journal_mode = WAL");
  bare.exec("drop table if exists entry; create table entry (id text primary key, body text)");
  const insert = bare.prepare("insert into entry values (?, ?)");
  const insertAll = bare.transaction((rows: readonly [string, string][]) => {
    for (const row of rows) insert.run(row);
  });
  const entries = posted.prepare("select seq, id, body from entry where seq > ? order by seq limit ?");
  return costOf(async () => {
    let count = 0;
    for (let last = 0; ; ) {
      const rows = entries.all(last, TOGETHER) as { seq: number; id: string; body: string }[];
      const end = rows.at(-1);
      if (end === undefined) break;
      last = end.seq;
      count += rows.length;
      insertAll(rows.map(({ id, body }) => [id, body]));
      stringify(rows.flatMap(({ id, body }) => linesOf(id, body)));
    }
    bare.close();
    posted.close();
    return count;
  });
}

interface Line {
  readonly account: { readonly code: string; readonly name: string };
  readonly debit?: string;
  readonly credit?: string;
}

function linesOf(id: string, body: string): string[][] {
  const { bookDay, reference, narration, lines } = JSON.parse(body) as {
    readonly bookDay: string;
    readonly reference?: string;
    readonly narration: string;
    readonly lines: readonly Line[];
  };
  return lines.map(({ account, debit, credit }) => [
    ...[id, bookDay, reference ?? "", narration, account.code, account.name],
    ...[JSON.stringify(debit ?? ""), JSON.stringify(credit ?? "")],
  ]);
}
