/**
 * Tries a backup: restores it in a separate folder, verifies its contents there, and removes the folder. The copy
 * is opened for reading only and without the service, so that nothing in it can be sent. Its anchor is missing,
 * which marks every restored database.
 */
import { existsSync } from "node:fs";
import { copyFile, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { ledgerSumsOff } from "../books/index.ts";
import type { Config } from "../config/index.ts";
import type { Context } from "../context/context.ts";
import { inTemporaryFolder, listFolder, unlessGone } from "../context/files.ts";
import { Fault, fault, isProblem, orProblem, type Problem, problem } from "../faults/index.ts";
import { applying } from "../model/applying.ts";
import { DAY_MS, type Day, dayIn, type Instant, type NightProofRow, shifted } from "../model/index.ts";
import { present } from "../model/present.ts";
import { Decimal } from "../money/index.ts";
import { sha256Of } from "../readers/index.ts";
import { listEntriesBetween, type RecordedEntry, verifyAudit } from "../store/audit.ts";
import { examineCopy } from "../store/engines/sqlite-database.ts";
import { openSqliteCopy } from "../store/engines/sqlite-store.ts";
import { countEntries } from "../store/ledger-entries.ts";
import { lastNight, nightNumbered, type StoredNight } from "../store/nights.ts";
import { isOwnedBy } from "../store/roster-root.ts";
import type { Store } from "../store/store.ts";
import { presentVersion } from "../store/upgrades.ts";
import { ownerIn } from "../workplace/root.ts";
import { HASH_ENDING, hashPath } from "./backup-step.ts";

export interface BackupVerified {
  readonly path: string;
  readonly bytes: number;
  /** When the file was written. */
  readonly madeAt: Instant;
  /** Whether the bytes match the hash in `FILE.sha256`. */
  readonly isSealed: boolean;
  /** Whether the backup was compared with the database in use. */
  readonly isCompared: boolean;
  /** The record's length and the hash of its last entry; absent if it does not verify. */
  readonly record?: { readonly entries: number; readonly head: string };
  /** The last night in the backup; absent before the first, and if it was not read. */
  readonly night?: { readonly number: number; readonly day: Day; readonly ties: boolean };
  /** How many journal entries were compared with the stored sums; absent if they were not read. */
  readonly journalEntries?: number;
  /** Each problem has a sentence; none for a good backup. */
  readonly problems: readonly Problem[];
}

interface Trying {
  readonly config: Config;
  readonly context: Pick<Context, "clock">;
  /** The database in use; absent if it cannot be read. */
  readonly live?: Pick<Store, "read"> | undefined;
}

/** The newest file in `backup.folder`. Throws BACKUP_MISSING if there is none. */
export async function newestBackup(folder: string): Promise<string> {
  let newest: { readonly path: string; readonly writtenMs: number } | undefined;
  for (const entry of existsSync(folder) ? await listFolder(folder) : []) {
    if (!entry.isFile() || NO_BACKUP.test(entry.name)) continue;
    const path = join(folder, entry.name);
    const writtenMs = (await unlessGone(stat(path)))?.mtimeMs ?? 0;
    if (newest === undefined || writtenMs > newest.writtenMs) newest = { path, writtenMs };
  }
  if (newest === undefined) throw fault("BACKUP_MISSING", { folder }, { key: "backup.folder" });
  return newest.path;
}

/** Files beside a database or a backup, and files still being written. */
const NO_BACKUP = new RegExp(`^\\.|(?:\\${HASH_ENDING}|-wal|-shm|-journal|\\.anchor|\\.stop)$`);

/** Throws FILE_NOT_FOUND. Defects of the backup are returned in `problems`. */
export async function backupVerifyStep(trying: Trying, path: string): Promise<BackupVerified> {
  const stats = await unlessGone(stat(path));
  if (stats === undefined) throw fault("FILE_NOT_FOUND", { path }, { file: path });
  const about = { path, bytes: stats.size, madeAt: stats.mtime.toISOString() };
  return inTemporaryFolder("backup", async (folder) => {
    const copy = join(folder, "copy");
    await copyFile(path, copy);
    return verifyCopy(trying, about, copy);
  });
}

type About = Pick<BackupVerified, "path" | "bytes" | "madeAt">;

async function verifyCopy(trying: Trying, about: About, copy: string): Promise<BackupVerified> {
  const { path } = about;
  const damaged = (what: string) => problem("BACKUP_DAMAGED", { path, what }, { file: path });
  const stale = staleSince(trying, path, about.madeAt);
  const failing = (what: string, isSealed = false) => ({
    ...about,
    isSealed,
    isCompared: false,
    problems: [damaged(what), ...stale],
  });
  const seal = hashPath(path);
  const written = existsSync(seal) ? (await readFile(seal, "utf8")).slice(0, 64) : undefined;
  const isSealed = written !== undefined && written === (await sha256Of(copy));
  if (written !== undefined && !isSealed)
    return failing(`its bytes are not those of which ${basename(seal)} has the hash`);
  const examined = await orProblem(async () => examineCopy(copy, !isSealed));
  if (isProblem(examined)) return failing("it cannot be read as a database");
  if (examined.version === 0) return failing("there is no database in it");
  if (examined.version > presentVersion())
    return failing(
      `it has version ${examined.version}, and this Paydrop knows ${presentVersion()}`,
      isSealed,
    );
  if (examined.damage !== undefined) return failing("its pages do not fit together");
  const store = openSqliteCopy(copy);
  try {
    const isOlder = examined.version < presentVersion();
    const { staleByRecord, ...found } = await verifyStore(trying, path, store, isOlder);
    const problems = [...found.problems, ...(stale.length > 0 ? stale : staleByRecord)];
    return { ...about, isSealed, ...found, problems };
  } catch (error) {
    const isOfCopy = error instanceof Fault && UNREADABLE.has(error.problem.code);
    if (!isOfCopy) throw error;
    return failing(`it cannot be read to its end: ${error.problem.message}`, isSealed);
  } finally {
    await store.close();
  }
}

const UNREADABLE: ReadonlySet<string> = new Set(["DATABASE_UNUSABLE", "INVARIANT_BROKEN"]);

interface FoundInCopy extends Pick<BackupVerified, "record" | "night" | "journalEntries" | "problems"> {
  readonly isCompared: boolean;
  /** Problems that the database in use has newer entries that the backup has lacked for too long. */
  readonly staleByRecord: readonly Problem[];
}

async function verifyStore(
  trying: Trying,
  path: string,
  store: Store,
  isOlder: boolean,
): Promise<FoundInCopy> {
  const { config, live } = trying;
  const where = { file: path };
  const problems: Problem[] = [];
  const last = isOlder ? undefined : await store.read(() => lastNight());
  const night = last && nightIn(last);
  const seen: { newest?: RecordedEntry; atNight?: RecordedEntry } = {};
  const verified = await orProblem(() =>
    verifyAudit(store, (entry) => {
      seen.newest = entry;
      if (entry.seq === night?.audit.entries) seen.atNight = entry;
    }),
  );
  if (isProblem(verified)) {
    const damaged = problem("BACKUP_DAMAGED", { path, what: verified.message }, where);
    return { isCompared: false, problems: [damaged], staleByRecord: [] };
  }
  const foreign = (what: string) => problem("BACKUP_OF_ANOTHER", { path, what }, where);
  if (!isOlder) {
    const owned = await orProblem(() => store.read(() => isOwnedBy(ownerIn(config))));
    if (isProblem(owned)) problems.push(foreign(owned.message));
  }
  const compared = await comparedWithLive(live, seen.newest);
  if (compared === "other") problems.push(foreign("the record of the database in use is another one"));
  const record = { entries: seen.newest?.seq ?? 0, head: verified };
  const next = compared === "other" ? undefined : compared?.next;
  // A copied file has the date of its copying, so the record decides: the entries that it lacks must not be old.
  const staleByRecord = next === undefined ? [] : staleSince(trying, path, next.at);
  const about = { isCompared: compared !== undefined, record, staleByRecord };
  if (isOlder) return { ...about, problems: [...problems, problem("BACKUP_OLDER_VERSION", { path }, where)] };
  const kept = last && (await live?.read(() => nightNumbered(last.number)));
  const off = [
    ...(night === undefined ? [] : proofOff(night, seen.atNight?.hash)),
    ...applying(
      compared !== "other" &&
        kept !== undefined &&
        kept.document !== last?.document &&
        `night ${kept.number} is not as in the database in use`,
    ),
    ...(await ledgerSumsOff(store, config.ledger.functionalCurrency)),
  ];
  if (off.length > 0) problems.push(problem("BACKUP_NOT_TYING", { path, what: some(off) }, where));
  return {
    ...about,
    ...present({ night: night && { number: night.number, day: night.day, ties: night.ties } }),
    journalEntries: await store.read(() => countEntries()),
    problems,
  };
}

const SENTENCES_MAX = 3;

function some(sentences: readonly string[]): string {
  const more = sentences.length - SENTENCES_MAX;
  const listed = sentences.slice(0, SENTENCES_MAX).map((sentence) => sentence.replace(/\.$/, ""));
  return `${listed.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** The verified parts of a night's document. */
interface NightKept {
  readonly number: number;
  readonly day: Day;
  /** Whether the balances agreed in that night. */
  readonly ties: boolean;
  readonly proof: readonly NightProofRow[];
  readonly audit: { readonly entries: number; readonly head: string };
}

function nightIn({ number, day, document }: StoredNight): NightKept {
  const { proof, audit } = JSON.parse(document) as Pick<NightKept, "proof" | "audit">;
  return { number, day, ties: proof.every(({ ties }) => ties), proof, audit };
}

/**
 * Why the balance proof of a night does not add up, or belongs to another record. `head`: the head of the record at
 * that night.
 */
function proofOff({ number, proof, audit }: NightKept, head: string | undefined): string[] {
  const off = proof.flatMap(
    ({ account, opening, received, transferredIn, sent, fees, expected, found, ...row }) => {
      if (opening === undefined || expected === undefined) return [];
      const sum = [received, transferredIn].reduce(
        (total, each) => total.plus(Decimal.of(each)),
        Decimal.of(opening),
      );
      const left = [sent, fees].reduce((total, each) => total.minus(Decimal.of(each)), sum);
      const isRight =
        left.equals(Decimal.of(expected)) &&
        (found === undefined ||
          row.difference === undefined ||
          Decimal.of(found).minus(left).equals(Decimal.of(row.difference)));
      return isRight ? [] : [`the balance proof of ${account} in night ${number} does not add up`];
    },
  );
  const isOfRecord = audit.entries === 0 || audit.head === head;
  return isOfRecord ? off : [...off, `night ${number} names another record`];
}

/**
 * The first entry after the backup in the database in use, or undefined if there is none; "other" for another
 * record.
 */
type Compared = { readonly next: RecordedEntry | undefined } | "other" | undefined;

async function comparedWithLive(live: Trying["live"], newest: RecordedEntry | undefined): Promise<Compared> {
  if (live === undefined) return undefined;
  const seq = newest?.seq ?? 0;
  const entries = await live.read(() => listEntriesBetween(seq - 1, seq + 1, 2));
  if (entries.length === 0) return undefined;
  const same = entries.find((entry) => entry.seq === seq);
  if (newest !== undefined && same?.hash !== newest.hash) return "other";
  return { next: entries.find((entry) => entry.seq === seq + 1) };
}

function staleSince({ config, context }: Trying, path: string, madeAt: Instant): Problem[] {
  const days = config.backup?.staleAfterDays ?? STALE_AFTER_DAYS;
  if (madeAt >= shifted(context.clock.now(), -days * DAY_MS)) return [];
  const day = dayIn(config.ledger.timeZone, madeAt);
  return [problem("BACKUP_STALE", { path, day, days }, { file: path })];
}

/** The default if `backup` is not configured. */
const STALE_AFTER_DAYS = 8;
