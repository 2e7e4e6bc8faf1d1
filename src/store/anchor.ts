/**
 * The anchor: a small file beside the database that remembers how far it had come, and which file it was. A database that was restored from
 * a backup, or swapped, is behind its anchor or another file, and then nothing may be sent: it does not know what was paid since, or what
 * the one pays that it was copied from. Leave it out of backups.
 */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import type { Config } from "../config/index.ts";
import { fault } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { all, first, sql, type Transaction } from "./sql.ts";

/** How far a database has come. */
export interface AnchorPoint {
  readonly auditSeq: number;
  readonly auditHash: string;
  /** The last nonce of each key, by its fingerprint. */
  readonly lastNonces: Readonly<Record<string, string>>;
  readonly lastBatch: string;
  /** Which file the database was: its number on the disk and its birth. Absent of a server's database. */
  readonly file?: string;
}

const SLOT_BYTES = 4096;

/**
 * Two slots are written in turn, each with a checksum, so that one of them is whole whenever the machine stops. It is not flushed:
 * an anchor that is older than its database does no harm.
 */
export class Anchor {
  readonly path: string;
  private descriptor: number | undefined;
  private writes = 0;
  private written = "";
  private readonly databasePath: string | undefined;
  private knownFile: string | undefined;

  /** `databasePath`: of a database that is a file. */
  constructor(path: string, databasePath?: string) {
    this.path = path;
    this.databasePath = databasePath;
  }

  /** Undefined where there is none yet, and of a server's database. */
  get databaseFile(): string | undefined {
    if (this.databasePath === undefined) return undefined;
    this.knownFile ??= fileIdentity(this.databasePath);
    return this.knownFile;
  }

  /** False once a person has removed it. */
  get isThere(): boolean {
    return existsSync(this.path);
  }

  write(point: AnchorPoint): void {
    const text = JSON.stringify({ ...point, ...present({ file: this.databaseFile }) });
    if (text === this.written) return;
    this.descriptor ??= openSync(this.path, existsSync(this.path) ? "r+" : "w+");
    const record = `${checksum(text)} ${text}\n`.padEnd(SLOT_BYTES - 1, " ").concat("\n");
    writeSync(this.descriptor, record, (this.writes % 2) * SLOT_BYTES);
    this.writes += 1;
    this.written = text;
  }

  /** The furthest point of all whole slots; undefined where there is no anchor yet. Throws ANCHOR_UNREADABLE where no slot is whole. */
  read(): AnchorPoint | undefined {
    if (!existsSync(this.path)) return undefined;
    const text = readFileSync(this.path, "latin1");
    if (text === "") return undefined;
    const [point, ...others] = [text.slice(0, SLOT_BYTES), text.slice(SLOT_BYTES)].flatMap(readSlot);
    if (point === undefined) throw fault("ANCHOR_UNREADABLE", { path: this.path });
    return others.reduce(furthest, point);
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }
}

export function* anchorPoint(): Transaction<AnchorPoint> {
  const head = yield* first<{ seq: number; hash: string }>(
    sql`select seq, hash from audit order by seq desc limit 1`,
  );
  const lanes = yield* all<{ key_id: string; last_nonce: string }>(sql`select key_id, last_nonce from lane`);
  const batch = yield* first<{ id: string | null }>(sql`select max(id) as id from batch`);
  return {
    auditSeq: head?.seq ?? 0,
    auditHash: head?.hash ?? "",
    lastNonces: Object.fromEntries(lanes.map((lane) => [lane.key_id, lane.last_nonce])),
    lastBatch: batch?.id ?? "",
  };
}

/**
 * Reads the anchor at once (throws ANCHOR_UNREADABLE), and returns the transaction that compares the database with it. In this order, because
 * another process writes the anchor after its commits, and a snapshot that is older than the anchor would look like a loss. The
 * transaction throws DATABASE_BEHIND_ANCHOR for a database that is older than the anchor, or another one, and DATABASE_COPIED for one that
 * came here as a copy with it.
 */
export function checkAnchor(anchor: Anchor): () => Transaction<void> {
  const anchored = anchor.read();
  return function* () {
    if (anchored === undefined) return;
    const { auditSeq, auditHash, lastNonces, lastBatch, file } = anchored;
    const row = yield* first<{ hash: string }>(sql`select hash from audit where seq = ${auditSeq}`);
    const now = yield* anchorPoint();
    const isBehind =
      (auditSeq > 0 && row?.hash !== auditHash) ||
      lastBatch > now.lastBatch ||
      Object.entries(lastNonces).some(
        ([keyId, nonce]) => BigInt(nonce) > BigInt(now.lastNonces[keyId] ?? "0"),
      );
    if (!isBehind && isCopy(file, anchor.databaseFile)) throw fault("DATABASE_COPIED", { path: anchor.path });
    if (!isBehind) return;
    const nonce = Object.values(lastNonces).reduce(
      (left, right) => (BigInt(left) > BigInt(right) ? left : right),
      "0",
    );
    throw fault("DATABASE_BEHIND_ANCHOR", { path: anchor.path, nonce });
  };
}

/** Where a configuration has its state. */
export type AnchoredPlace = Pick<Config, "databaseEngine" | "databasePath" | "anchorPath">;

/** Of the database that a configuration names. */
export function anchorOf({ anchorPath, databaseEngine, databasePath }: AnchoredPlace): Anchor {
  return new Anchor(anchorPath, databaseEngine === "postgresql" ? undefined : databasePath);
}

/** The maximum of each member by itself: most commits take nonces and write no audit. */
function furthest(left: AnchorPoint, right: AnchorPoint): AnchorPoint {
  const lastNonces: Record<string, string> = { ...left.lastNonces };
  for (const [keyId, nonce] of Object.entries(right.lastNonces))
    if (BigInt(nonce) > BigInt(lastNonces[keyId] ?? "0")) lastNonces[keyId] = nonce;
  const { auditSeq, auditHash } = right.auditSeq > left.auditSeq ? right : left;
  const lastBatch = right.lastBatch > left.lastBatch ? right.lastBatch : left.lastBatch;
  return { auditSeq, auditHash, lastNonces, lastBatch, ...present({ file: right.file ?? left.file }) };
}

/** "4245362 1795376408892208866" */
function fileIdentity(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false });
  return status && `${status.ino} ${status.birthtimeNs}`;
}

/** Both differ: some file systems number their files anew when they are mounted. Where births are not known all are alike (0), and no copy is told. */
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
  return createHash("sha256").update(text).digest("hex");
}
