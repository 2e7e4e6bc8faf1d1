/**
 * The part of the audit record that concerns a batch, and the chain of hashes from it to a head that an auditor
 * knows.
 */

import { invariant } from "../../faults/index.ts";
import type { BatchId, Instant } from "../../model/index.ts";
import { chainLine, EVIDENCE, isAbout } from "../../proof/rules/evidence.ts";
import {
  appendAudit,
  auditHead,
  listEntriesBetween,
  type RecordedEntry,
  verifyAudit,
} from "../../store/audit.ts";
import type { Transaction } from "../../store/sql.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";
import type { PackedFile } from "../../writing/zip.ts";

export interface About {
  /** The entry subjects that concern the batch: its number, its file, its payments and their payouts. */
  readonly names: ReadonlySet<string>;
  /** The hashes of the statements about the batch. */
  readonly statements: ReadonlySet<string>;
}

/** The chain from the first entry about the batch to the newest entry that is not about evidence. */
interface Way {
  readonly first: number;
  /** The hash of the entry before the first one. */
  readonly before: string;
  readonly last: number;
}

export interface RecordPart {
  readonly files: readonly PackedFile[];
  /** The number of the newest packed entry; known once the files have been packed. */
  packedUpTo(): number;
}

/** Packing throws AUDIT_CHAIN_BROKEN if an entry does not verify. */
export function recordPart(store: Store, about: About): RecordPart {
  let found: Promise<Way> | undefined;
  let last = 0;
  const way = async () => {
    found ??= wayOf(store, about);
    const known = await found;
    last = known.last;
    return known;
  };
  return {
    files: [
      {
        name: "record/entries.jsonl",
        content: async function* () {
          yield* entryLines(store, about, await way());
        },
      },
      {
        name: "record/path.jsonl",
        content: async function* () {
          yield* pathLines(store, await way());
        },
      },
    ],
    packedUpTo: () => last,
  };
}

/**
 * Giving out evidence is itself recorded. The chain ends before such entries, so that evidence requested again is
 * the same as long as nothing else has happened.
 */
async function wayOf(store: Store, { names, statements }: About): Promise<Way> {
  let [before, first, last, newest] = ["", 0, 0, ""];
  await verifyAudit(store, (entry) => {
    if (first === 0 && isAbout(entry, names, statements)) [first, before] = [entry.seq, newest];
    newest = entry.hash;
    if (entry.action !== EVIDENCE) last = entry.seq;
  });
  invariant(first > 0, "a batch has an entry of its submission");
  return { first, before: before === "" ? BEFORE_THE_FIRST : before, last };
}

const BEFORE_THE_FIRST = "0".repeat(64);
const ENTRIES_TOGETHER = 1_000;

function windowsOf(store: Store, { first, last }: Way): AsyncGenerator<readonly RecordedEntry[]> {
  return inWindows<RecordedEntry>(store, (entry) =>
    listEntriesBetween(entry?.seq ?? first - 1, last, ENTRIES_TOGETHER),
  );
}

async function* entryLines(store: Store, { names, statements }: About, way: Way): AsyncGenerator<string> {
  for await (const window of windowsOf(store, way))
    for (const entry of window) if (isAbout(entry, names, statements)) yield chainLine(entry);
}

async function* pathLines(store: Store, way: Way): AsyncGenerator<string> {
  yield `${JSON.stringify({ before: way.before })}\n`;
  for await (const window of windowsOf(store, way)) yield window.map(chainLine).join("");
}

export interface Seal {
  /** The entries after the newest packed one, up to the entry with the manifest's hash. */
  readonly lines: string;
  readonly seq: number;
  /** The hash of that last entry, which an auditor must get from another source. */
  readonly head: string;
}

/** Records the hash of a manifest, unless it is recorded already and only evidence was recorded since. */
export function* seal(
  { batch, person, at }: { readonly batch: BatchId; readonly person: string; readonly at: Instant },
  manifest: string,
  packedUpTo: number,
): Transaction<Seal> {
  const isOfIt = ({ action, subject, detail }: RecordedEntry) =>
    action === EVIDENCE && subject === batch && detail.includes(`"${manifest}"`);
  const known = yield* since(packedUpTo);
  const sealed = known.findIndex(isOfIt);
  if (sealed >= 0) return sealOf(known.slice(0, sealed + 1));
  yield* appendAudit({ at, person, action: EVIDENCE, subject: batch, detail: { manifest } });
  return sealOf(yield* since(packedUpTo));
}

function* since(seq: number): Transaction<readonly RecordedEntry[]> {
  const head = yield* auditHead();
  return yield* listEntriesBetween(seq, head?.seq ?? 0, Number.MAX_SAFE_INTEGER);
}

function sealOf(entries: readonly RecordedEntry[]): Seal {
  const last = entries.at(-1);
  invariant(last !== undefined, "evidence has an entry of its own");
  return { lines: entries.map(chainLine).join(""), seq: last.seq, head: last.hash };
}
