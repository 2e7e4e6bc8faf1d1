/**
 * The anchor: a small file beside the database that records how far the database had come and which file it was. A
 * database that is behind its anchor, or is not the file that the anchor names, was restored, swapped or copied: it
 * does not know everything that was paid, so nothing may be sent. Leave the anchor out of backups.
 */
import { hash } from "node:crypto";
import { closeSync, existsSync, readFileSync, statSync, writeSync } from "node:fs";
import type { Config } from "../config/index.ts";
import { type Fault, fault, readFailure } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { auditHead } from "./audit.ts";
import { openBeside } from "./engines/private-file.ts";
import { type Moved, movedFault } from "./moved.ts";
import { lastNonce } from "./nonces.ts";
import { all, finds, single, sql, type Transaction } from "./sql.ts";
import { isChangeThere, newestChange, type RosterHead } from "./statements.ts";

/** How far a database has come. Each figure only grows. */
export interface AnchorPoint {
  readonly auditSeq: number;
  readonly auditHash: string;
  /** The last nonce of each of the keys used last, by the key's fingerprint. */
  readonly lastNonces: Readonly<Record<string, string>>;
  readonly lastBatch: string;
  /** The newest change of the roster. */
  readonly roster?: RosterHead;
  /** The database file's inode number and birth time; absent for a database on a server. */
  readonly file?: string;
  /** The server to which the database moved, if it did. */
  readonly moved?: Moved;
}

const SLOT_BYTES = 4096;

/** Limits the lanes to what fits into a slot: keys are exchanged, and the database keeps every lane. */
const LANES_ANCHORED = 64;

/**
 * Two slots, each with a checksum, are written in turn, so that one stays intact if the machine stops. They are not
 * flushed: an anchor older than its database does no harm.
 */
export class Anchor {
  readonly path: string;
  private descriptor: number | undefined;
  private writes = 0;
  private written = "";
  /** Undefined for a database on a server. */
  readonly databasePath: string | undefined;
  private knownFile: string | undefined;

  constructor(path: string, databasePath?: string) {
    this.path = path;
    this.databasePath = databasePath;
  }

  /** Identity of the database file; undefined where there is none yet, and for a database on a server. */
  get databaseFile(): string | undefined {
    if (this.databasePath === undefined) return undefined;
    this.knownFile ??= fileIdentity(this.databasePath);
    return this.knownFile;
  }

  /** Whether the anchor file exists; a person may have removed it. */
  get isThere(): boolean {
    return existsSync(this.path);
  }

  write(point: AnchorPoint): void {
    const text = JSON.stringify({ ...point, ...present({ file: this.databaseFile }) });
    if (text === this.written) return;
    this.descriptor ??= openBeside(this.databasePath, this.path, this.isThere ? "r+" : "w+");
    const record = `${checksum(text)} ${text}\n`.padEnd(SLOT_BYTES - 1, " ").concat("\n");
    writeSync(this.descriptor, record, (this.writes % 2) * SLOT_BYTES);
    this.writes += 1;
    this.written = text;
  }

  /**
   * The furthest point of all intact slots; undefined without an anchor. Throws ANCHOR_UNREADABLE or
   * DATABASE_UNUSABLE.
   */
  read(): AnchorPoint | undefined {
    if (!this.isThere) return undefined;
    const text = this.readText();
    if (text === "") return undefined;
    const [point, ...others] = [text.slice(0, SLOT_BYTES), text.slice(SLOT_BYTES)].flatMap(readSlot);
    if (point === undefined) throw fault("ANCHOR_UNREADABLE", { path: this.path });
    return others.reduce(furthest, point);
  }

  private readText(): string {
    try {
      return readFileSync(this.path, "latin1");
    } catch (cause) {
      throw fault("DATABASE_UNUSABLE", { path: this.path, reason: readFailure(cause) }, {}, { cause });
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }
}

export function* anchorPoint(): Transaction<AnchorPoint> {
  const head = yield* auditHead();
  // Nonces rise with time, so the highest are those of the keys used last; longer texts are higher.
  const lanes = yield* all<{ key_id: string; last_nonce: string }>(sql`select key_id, last_nonce from lane
    order by length(last_nonce) desc, last_nonce desc limit ${LANES_ANCHORED}`);
  const lastBatch = yield* single<string>(sql`select max(id) as id from batch`);
  return {
    auditSeq: head?.seq ?? 0,
    auditHash: head?.hash ?? "",
    lastNonces: Object.fromEntries(lanes.map((lane) => [lane.key_id, lane.last_nonce])),
    lastBatch: lastBatch ?? "",
    ...present({ roster: yield* newestChange() }),
  };
}

/**
 * As `checkNotBehind`; the transaction also throws DATABASE_COPIED for a database that was copied with its
 * anchor, and DATABASE_FROM_SERVER for a file with the backup of a database on a server.
 */
export function checkAnchor(anchor: Anchor): () => Transaction<void> {
  const check = checkNotBehind(anchor);
  return function* () {
    const file = yield* check();
    if (isCopy(file, anchor.databaseFile)) throw fault("DATABASE_COPIED", { path: anchor.path });
    // The anchor of the server's database is another file, so it does not reveal this one.
    if (anchor.databasePath !== undefined && (yield* finds(sql`select 1 from server`)))
      throw fault("DATABASE_FROM_SERVER", {});
  };
}

/**
 * Reads the anchor now (throws ANCHOR_UNREADABLE) and returns a transaction that compares the database with it. The
 * order matters: other processes write the anchor after their commits, so a snapshot older than the anchor would
 * look like a loss. The transaction throws DATABASE_MOVED for a file that moved, DATABASE_BEHIND_ANCHOR for a
 * database that is older than the anchor or a different one, or whose record was cut; it returns the file that the
 * anchor names.
 */
export function checkNotBehind(anchor: Anchor): () => Transaction<string | undefined> {
  const anchored = anchor.read();
  return function* () {
    if (anchored === undefined) return undefined;
    const { auditSeq, auditHash, lastNonces, lastBatch, roster, file, moved } = anchored;
    if (moved !== undefined && anchor.databasePath !== undefined)
      throw movedFault(anchor.databasePath, moved);
    const hashThere = yield* single<string>(sql`select hash from audit where seq = ${auditSeq}`);
    const now = yield* anchorPoint();
    let isBehind = (auditSeq > 0 && hashThere !== auditHash) || lastBatch > now.lastBatch;
    isBehind ||= roster !== undefined && !(yield* isChangeThere(roster));
    for (const [keyId, nonce] of Object.entries(lastNonces))
      isBehind ||= BigInt(nonce) > (yield* lastNonce(keyId));
    if (!isBehind) return file;
    const nonce = Object.values(lastNonces).reduce(
      (left, right) => (BigInt(left) > BigInt(right) ? left : right),
      "0",
    );
    throw fault("DATABASE_BEHIND_ANCHOR", { path: anchor.path, nonce });
  };
}

export type AnchoredPlace = Pick<Config, "databaseEngine" | "databasePath" | "anchorPath">;

export function anchorOf({ anchorPath, databaseEngine, databasePath }: AnchoredPlace): Anchor {
  return new Anchor(anchorPath, databaseEngine === "postgresql" ? undefined : databasePath);
}

/** The maximum of each member separately: most commits take nonces but write no audit. */
function furthest(left: AnchorPoint, right: AnchorPoint): AnchorPoint {
  const lastNonces: Record<string, string> = { ...left.lastNonces };
  for (const [keyId, nonce] of Object.entries(right.lastNonces))
    if (BigInt(nonce) > BigInt(lastNonces[keyId] ?? "0")) lastNonces[keyId] = nonce;
  // A change of the roster is in the audit record too, so both come from the same point.
  const { auditSeq, auditHash, roster } = right.auditSeq > left.auditSeq ? right : left;
  const lastBatch = right.lastBatch > left.lastBatch ? right.lastBatch : left.lastBatch;
  return {
    auditSeq,
    auditHash,
    lastNonces,
    lastBatch,
    ...present({ roster, file: right.file ?? left.file, moved: right.moved ?? left.moved }),
  };
}

/** "4245362 1795376408892208866" */
function fileIdentity(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status && `${status.ino} ${status.birthtimeNs}`;
}

/** A copy differs in inode and birth time (0 if unknown); some file systems renumber inodes when mounted. */
function isCopy(anchored = "", now = ""): boolean {
  if (anchored === "" || now === "") return false;
  const [number, birth] = now.split(" ");
  const [numberThen, birthThen] = anchored.split(" ");
  return number !== numberThen && birth !== birthThen;
}

function readSlot(slot: string): AnchorPoint[] {
  const [line = ""] = slot.split("\n");
  const written = line.trimEnd();
  const text = written.slice(65);
  return text !== "" && written.slice(0, 64) === checksum(text) ? [JSON.parse(text) as AnchorPoint] : [];
}

function checksum(text: string): string {
  return hash("sha256", text);
}

/**
 * Writes the anchor after each commit. An anchor that is ahead of its database is left alone until a person removes
 * it.
 */
export class AnchorKeeper {
  private readonly anchor: Anchor;
  /** False while the anchor is left alone: it must keep showing how far the lost database had come. */
  isKept: boolean;

  constructor(anchor: Anchor, isBehind: boolean) {
    this.anchor = anchor;
    this.isKept = !isBehind;
  }

  /**
   * Moves the anchor; call it after the flush, because an anchor ahead of its database would stop everything after
   * a crash. Returns the fault if it cannot be written: the commit is safe, but nothing more may be committed.
   */
  move(point: AnchorPoint): Fault | undefined {
    try {
      this.isKept ||= !this.anchor.isThere;
      if (this.isKept) this.anchor.write(point);
      return undefined;
    } catch (cause) {
      return fault(
        "DATABASE_UNUSABLE",
        { path: this.anchor.path, reason: readFailure(cause) },
        {},
        { cause },
      );
    }
  }

  close(): void {
    this.anchor.close();
  }
}
