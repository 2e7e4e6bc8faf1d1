/**
 * Who changed what in a file, with the old and the new text. The audit record has an entry for each repair, which
 * leads from one file to the next.
 */
import { type Fault, fault, type Reason } from "../../faults/index.ts";
import { correctedFile, type Instant } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { appendAudit, listAudit } from "../../store/audit.ts";
import { findFile, findFileByName, type TakenFile } from "../../store/batches.ts";
import type { Transaction } from "../../store/sql.ts";
import type { CellChange } from "./corrected-file.ts";

/** The history of a file before it was taken in. */
export interface Lineage {
  /** Oldest first; empty if it was not repaired at the desk. */
  readonly repairs: readonly Repair[];
  /** The file that was sent first; absent if it is no longer known. */
  readonly sent?: TakenFile;
}

/**
 * How a batch's file was repaired here or corrected elsewhere; undefined if it is as it was sent. `header`: its
 * column names.
 */
export function* lineageOf(file: NamedFile, header: readonly string[]): Transaction<Lineage | undefined> {
  const { repairs, first } = yield* pathTo(file);
  const corrects = correctedFile(header);
  if (repairs.length > 0) return { repairs, ...present({ sent: yield* findFile(first) }) };
  if (corrects === undefined) return undefined;
  return { repairs, ...present({ sent: yield* findFileByName(corrects, file.sha256) }) };
}

export interface Repair {
  readonly at: Instant;
  readonly person: string;
  readonly changes: readonly CellChange[];
}

/** A file as it is recorded. */
type NamedFile = Pick<TakenFile, "name" | "sha256">;

const REPAIR = "repair";

/**
 * `after`: SHA-256 of the corrected file. Throws FILE_NOT_REPAIRABLE if another person has repaired the file
 * meanwhile.
 */
export function* recordRepair(file: NamedFile, after: string, { changes, ...by }: Repair): Transaction<void> {
  const newest = yield* findFileByName(file.name, after);
  if (newest?.sha256 !== file.sha256) throw notRepairable(file, { reason: "newer" });
  const detail = { before: file.sha256, after, changes: JSON.stringify(changes) };
  yield* appendAudit({ ...by, action: REPAIR, subject: subjectOf(file), detail });
}

/** The repairs that led from the sent file to this one, oldest first. */
export function* repairsOf(file: NamedFile): Transaction<readonly Repair[]> {
  return (yield* pathTo(file)).repairs;
}

/** `first`: SHA-256 of the file that was sent. */
function* pathTo(
  file: NamedFile,
): Transaction<{ readonly repairs: readonly Repair[]; readonly first: string }> {
  const entries = (yield* listAudit([subjectOf(file)])).filter(({ action }) => action === REPAIR);
  const repairs: Repair[] = [];
  let current = file.sha256;
  for (const { at, person, detail } of entries.toReversed()) {
    if (detail["after"] !== current) continue;
    current = String(detail["before"]);
    const changes = JSON.parse(String(detail["changes"])) as readonly CellChange[];
    repairs.unshift({ at, person, changes });
  }
  return { repairs, first: current };
}

/** The last file that repairs made of this one; undefined if it was not repaired. */
export function* repairedInto(file: NamedFile): Transaction<TakenFile | undefined> {
  const entries = (yield* listAudit([subjectOf(file)])).filter(({ action }) => action === REPAIR);
  let last: string | undefined;
  for (const { detail } of entries)
    if (detail["before"] === (last ?? file.sha256)) last = String(detail["after"]);
  return last === undefined ? undefined : yield* findFile(last);
}

/** A subject that equals no reference and no batch number. */
function subjectOf({ name }: NamedFile): string {
  return `file ${name}`;
}

export function notRepairable({ name }: NamedFile, why: Reason<"FILE_NOT_REPAIRABLE">): Fault {
  return fault("FILE_NOT_REPAIRABLE", why, { file: name });
}
