/** Everything about a batch in one archive, which an auditor verifies without Paydrop (docs/evidence.md). */
import { createHash, hash } from "node:crypto";
import type { Readable } from "node:stream";
import { invariant, type Problem } from "../faults/index.ts";
import type { Batch } from "../model/index.ts";
import { present } from "../model/present.ts";
import { listProofs } from "../proof/recorded-decisions.ts";
import {
  isDecisionAbout,
  MANIFEST,
  type ManifestFile,
  manifestText,
  README,
  readmeText,
  SEAL,
} from "../proof/rules/evidence.ts";
import { listDecisions, listRosterChanges, type StoredStatement } from "../store/statements.ts";
import type { Store } from "../store/store.ts";
import { batchWindows } from "../store/windows.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { inChunks, type PackedFile, zipOf } from "../writing/zip.ts";
import { evidenceParts, removedSentFile, type SignedUnderRoot, textFile } from "./evidence/parts.ts";
import { type About, recordPart, type Seal, seal } from "./evidence/record.ts";
import { batchNamed } from "./named/named.ts";

export interface EvidenceArchive {
  readonly batch: Batch;
  /** A ZIP archive. Reading it fails with AUDIT_CHAIN_BROKEN if the record was changed. */
  readonly bytes: Readable;
  /** Set if retention has removed the sent file, so that it is not in the archive. */
  readonly removed?: Problem;
  /** The archive's entry in the record; known once the archive was read to its end. */
  sealed(): Seal & { readonly manifest: string; readonly files: number };
}

/**
 * Packs the evidence of a batch and records in `person`'s name that it was given out. The same state gives the same
 * bytes. Throws BATCH_UNKNOWN.
 */
export async function evidenceFileStep(
  workplace: Workplace,
  idOrDigest: string,
  person: string,
): Promise<EvidenceArchive> {
  const { store, context } = workplace;
  const batch = await store.read(() => batchNamed(idOrDigest));
  const names = await namesOf(store, batch);
  const signed = await signedAbout(store, batch, names);
  const removed = await removedSentFile(workplace, batch);
  const parts = await evidenceParts({ workplace, batch, signed, removed });
  const record = recordPart(store, { names, statements: hashesOf(signed) });
  const listed: ManifestFile[] = [];
  let sealed: ReturnType<EvidenceArchive["sealed"]> | undefined;
  const { id, fileName: file } = batch;
  const bytes = zipOf([
    textFile(README, async () => readmeText({ batch: id, file, roots: signed.length })),
    ...[...parts, ...record.files].map((part) => measured(part, listed)),
    textFile(MANIFEST, async () => manifestText(id, listed)),
    textFile(SEAL, async () => {
      const manifest = hash("sha256", manifestText(id, listed));
      const given = { batch: id, person, at: context.clock.now() };
      const found = await store.write(() => seal(given, manifest, record.packedUpTo()));
      sealed = { ...found, manifest, files: listed.length };
      return found.lines;
    }),
  ]);
  return {
    batch,
    bytes,
    ...present({ removed }),
    sealed() {
      invariant(sealed !== undefined, "the archive was not read to its end");
      return sealed;
    },
  };
}

/** Adds the file to `listed` once all of it has been read. */
function measured({ name, content }: PackedFile, listed: ManifestFile[]): PackedFile {
  return {
    name,
    async *content() {
      const digest = createHash("sha256");
      let size = 0;
      for await (const bytes of inChunks(content)) {
        digest.update(bytes);
        size += bytes.length;
        yield bytes;
      }
      listed.push({ name, size, sha256: digest.digest("hex") });
    },
  };
}

/**
 * The names by which entries of the record and decisions refer to the batch: its own, its file's, and those of its
 * payments and their payouts.
 */
async function namesOf(store: Store, { id, fileName, fileSha256 }: Batch): Promise<Set<string>> {
  const names = new Set<string>([id, `file ${fileName}`, fileSha256]);
  for await (const window of batchWindows(store, id))
    for (const { fields, payoutId } of window) {
      names.add(fields.reference);
      if (payoutId !== undefined) names.add(payoutId);
    }
  return names;
}

/** The statements about the batch by root, oldest root first. */
async function signedAbout(store: Store, batch: Batch, names: About["names"]): Promise<SignedUnderRoot[]> {
  const approvals = await store.read(() => listDecisions("approve", batch.id));
  const submissions = await store.read(() => listDecisions("submit", batch.fileSha256));
  const proofs = await store.read(() => listProofs());
  const decisions = [...proofs.values()]
    .filter(({ text }) => isDecisionAbout(text, names))
    .toSorted((one, other) => (one.at < other.at || (one.at === other.at && one.hash < other.hash) ? -1 : 1));
  const roots = [...new Set([...submissions, ...approvals, ...decisions].map(({ root }) => root))];
  return Promise.all(
    roots.map(async (root) => {
      const ofRoot = (all: readonly StoredStatement[]) => all.filter((each) => each.root === root);
      const changes = await store.read(() => listRosterChanges(root));
      const rest = { approvals: ofRoot(approvals), decisions: ofRoot(decisions) };
      return { root, changes, submissions: ofRoot(submissions), ...rest };
    }),
  );
}

function hashesOf(signed: readonly SignedUnderRoot[]): Set<string> {
  return new Set(
    signed.flatMap(({ submissions, approvals, decisions }) =>
      [...submissions, ...approvals, ...decisions].map(({ hash }) => hash),
    ),
  );
}
