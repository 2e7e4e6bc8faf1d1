/**
 * The books' commands in processes that are stopped between two writes, each in a copy of the same place; what is left
 * in the database and in the ledger's folder.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Fault } from "../../src/faults/index.ts";
import type { Workplace } from "../../src/index.ts";
import { type Instant, shifted } from "../../src/model/index.ts";
import { listIssuedFiles, listUnplacedBatches } from "../../src/store/export-batches.ts";
import { all, type SqlRow } from "../../src/store/sql.ts";
import { Stopped, stoppedAt, type WriteSteps } from "../site/meanwhile.ts";
import { byClock } from "../site/service.ts";
import { openOther, type Place } from "../site/workplace.ts";

/** What a job or a person does in a process of its own. */
export type Command = (workplace: Workplace) => Promise<unknown>;

export interface Scene extends Place {
  readonly now: Instant;
  readonly commands: readonly Command[];
}

type Through = (workplace: Workplace) => Workplace;

/** Everything that the books have stored and written, by table and file. */
export type LeftBehind = Readonly<Record<string, unknown>>;

/** The commands one after another. One that is stopped is given once more, as its job or person would. */
export async function carriedOut(
  { folder, environment, now, commands }: Scene,
  steps: WriteSteps,
  through: Through,
): Promise<LeftBehind> {
  const copy = copyOf(folder);
  const later = shifted(now, LATER_MS);
  let workplace = openOther(copy, environment);
  const view = (at: Instant) =>
    through(
      stoppedAt(
        byClock(workplace, () => at),
        steps,
      ),
    );
  try {
    let here = view(now);
    for (const command of commands)
      try {
        await command(here);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        await workplace.close();
        workplace = openOther(copy, environment);
        here = view(now);
        await loseLastFile(here);
        await unlessDone(() => command(view(later)));
      }
    const plain = (text: string) => text.replaceAll(basename(copy), "FOLDER").replaceAll(later, now);
    return await leftBehind(here, plain);
  } finally {
    await workplace.close();
    rmSync(copy, { recursive: true });
  }
}

/** Nobody signs twice within the same millisecond. */
const LATER_MS = 1_000;

let copies = 0;

/** A copy of the database would be refused beside the anchor of the first one. */
function copyOf(folder: string): string {
  copies += 1;
  const copy = `${folder}-${copies}`;
  cpSync(folder, copy, { recursive: true, filter: (path) => !/\.anchor$|\.lane-|-shm$/.test(path) });
  return copy;
}

/** A process may die while the files of a batch get their names one by one. */
async function loseLastFile({ store }: Workplace): Promise<void> {
  for (const { id } of await store.read(() => listUnplacedBatches())) {
    const { path } = (await store.read(() => listIssuedFiles(id))).at(-1) ?? {};
    if (path !== undefined && existsSync(path)) rmSync(path);
  }
}

/** Whoever repeats what was done before the process stopped is told so. */
async function unlessDone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isDone = error instanceof Fault && ["USAGE", "NAME_UNKNOWN"].includes(error.problem.code);
    if (!isDone) throw error;
  }
}

/** By table; the record, and how often files were tried, tell that there was more than one process. */
const TABLES = [
  "entry",
  "ledger_sum",
  "held",
  "not_booked",
  "own_transfer",
  "unowned_payout",
  "receiving_address",
  "unposted",
  "posted_so_far",
  "export_batch",
  "issued_file",
  "exported_entry",
  "exported_until",
  "erp_answer",
  "closed_period",
];

async function leftBehind(
  { store, config }: Workplace,
  plain: (text: string) => string,
): Promise<LeftBehind> {
  const tables: Record<string, unknown> = {};
  for (const table of TABLES) {
    const rows = await store.read(() => all<SqlRow>({ text: `select * from ${table}`, values: [] }));
    tables[table] = rows.map((row) => plain(textOf(row))).sort();
  }
  const names = readdirSync(config.folders.ledger).filter((name) => !name.startsWith("."));
  const files = names.map((name) => [name, plain(readFileSync(join(config.folders.ledger, name), "utf8"))]);
  return { ...tables, ...Object.fromEntries(files) };
}

/** Without hashes: manifests say when they were issued. The files themselves are compared. */
function textOf({ attempt: _, sha256: _hash, ...row }: SqlRow): string {
  return JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? String(value) : value));
}
