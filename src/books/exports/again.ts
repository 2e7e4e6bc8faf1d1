/** Writes issued files again from the bytes in the database. The present configuration does not matter. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Draft } from "../../context/files.ts";
import { fault, type Problem, problem } from "../../faults/index.ts";
import { findBatches, isKept, listIssuedFiles } from "../../store/export-batches.ts";
import { refuseRemoved } from "../../store/retention.ts";
import { openFolders } from "../../workplace/folders.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { draftKept, hashOf } from "./kept-files.ts";
import { dropAll } from "./ledger-files.ts";
import { targetNamesIn } from "./targets.ts";

export interface AgainReport {
  readonly number: number;
  readonly targets: readonly string[];
  /** Absolute paths of the files that were missing. */
  readonly files: readonly string[];
  /** Files that exist with other bytes than were issued. They are left as they are. */
  readonly problems: readonly Problem[];
}

/**
 * Writes the missing files of the batches with this number, of every target or of one. Throws NAME_UNKNOWN,
 * REMOVED_BY_RETENTION and EXPORT_BYTES_NOT_KEPT before anything is written, and OUTPUT_UNWRITABLE.
 */
export async function writeAgain(
  workplace: Workplace,
  number: number,
  target?: string,
): Promise<AgainReport> {
  const { store, config } = workplace;
  const batches = await store.read(() => findBatches(number, target));
  if (batches.length === 0) throw unknownBatch(workplace, number, target);
  for (const batch of batches)
    if (!(await store.read(() => isKept(batch.id))))
      throw fault("EXPORT_BYTES_NOT_KEPT", { number, target: batch.target });
  await openFolders(workplace, "ledger");
  const drafts: Draft[] = [];
  const problems: Problem[] = [];
  try {
    for (const { id, target: of } of batches) {
      const what = `what the database kept of export batch ${number} of ${of}`;
      const wanted = { kind: "exports", about: String(id), what, timeZone: config.ledger.timeZone } as const;
      for (const [index, file] of (await store.read(() => listIssuedFiles(id))).entries()) {
        const path = join(config.folders.ledger, basename(file.path));
        if (!existsSync(path)) {
          await store.read(() => refuseRemoved(wanted));
          drafts.push(await draftKept(store, id, index, file, path));
        } else if ((await hashOf(path)).sha256 !== file.sha256)
          problems.push(problem("EXPORT_FILE_ALTERED", { file: path }));
      }
    }
    for (const draft of drafts) await draft.placeOnce();
  } catch (error) {
    await dropAll(drafts);
    throw error;
  }
  const targets = batches.map((batch) => batch.target);
  return { number, targets, files: drafts.map(({ path }) => path), problems };
}

function unknownBatch(workplace: Workplace, number: number, target: string | undefined) {
  const names = targetNamesIn(workplace.config);
  const how =
    `Name a batch by the number that its files begin with: 42 for \`000042-journal.csv\`. The targets ` +
    `are ${names.join(", ")}.`;
  const what = `issued export batch ${number}${target === undefined ? "" : ` of ${target}`}`;
  return fault("NAME_UNKNOWN", { what, how });
}
