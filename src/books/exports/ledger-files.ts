/** Drafts the files of an export batch, part by part, with a manifest that lists their contents. */
import { join } from "node:path";
import { unlessStopped } from "../../context/context.ts";
import { Draft } from "../../context/files.ts";
import { exportNumberText } from "../../model/ledger-table.ts";
import type { ExportBatch, IssuedFile } from "../../store/export-batches.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { encoderFor } from "../../writing/encoder.ts";
import { manifestText } from "../formats/manifest.ts";
import type { Piece, Rendering } from "../formats/rendering.ts";
import { entriesInOrder, type Journal } from "./journal.ts";
import { hashedFile } from "./kept-files.ts";
import type { ExportTarget } from "./targets.ts";

/** Drafts, and their hashes and sizes in the same order. */
export interface DraftedFiles {
  readonly drafts: readonly Draft[];
  readonly files: readonly Required<IssuedFile>[];
}

/**
 * Writes the files under temporary names; the caller places or drops them. Throws OUTPUT_UNWRITABLE; INTERRUPTED;
 * INVARIANT_BROKEN; LEDGER_CELL_TOO_LONG, LEDGER_CELL_UNWRITABLE or LEDGER_ENTRY_TOO_LONG if the target's files
 * cannot hold an entry.
 */
export async function draftLedgerFiles(
  workplace: Workplace,
  target: ExportTarget,
  batch: Omit<ExportBatch, "id">,
  journal: Journal,
): Promise<DraftedFiles> {
  const { folders, ledger } = workplace.config;
  const exportNumber = exportNumberText(batch.number);
  const { seqs, lines, balance } = journal;
  const renderings = target.renderings({ exportNumber, issuedAt: batch.issuedAt }, balance);
  const drafts = new Map<string, Draft>();
  const draftOf = (name: string) => {
    const draft = drafts.get(name) ?? new Draft(join(folders.ledger, `${exportNumber}-${name}`));
    drafts.set(name, draft);
    return draft;
  };
  const append = async (piecesOf: (rendering: Rendering) => readonly Piece[]) => {
    for (const rendering of renderings) {
      const encode = encoderFor(rendering.encoding ?? "utf-8");
      for (const { name, content } of piecesOf(rendering))
        await draftOf(name).append(typeof content === "string" ? encode(content) : await content);
    }
  };
  try {
    await append((rendering) => rendering.begin());
    for await (const entries of entriesInOrder(workplace.store, journal)) {
      unlessStopped(workplace.context);
      await append((rendering) => rendering.add(entries));
    }
    await append((rendering) => rendering.end?.() ?? []);
    const files: Required<IssuedFile>[] = [];
    for (const draft of drafts.values()) files.push(await hashedFile(draft));
    const contents = { entries: seqs.length, lines, balance, files };
    const text = manifestText({
      ...batch,
      ...target,
      ...contents,
      functionalCurrency: ledger.functionalCurrency,
    });
    const manifest = draftOf(`${target.name}.manifest.json`);
    await manifest.append(Buffer.from(text));
    return { drafts: [...drafts.values()], files: [...files, await hashedFile(manifest)] };
  } catch (error) {
    await dropAll([...drafts.values()]);
    throw error;
  }
}

export async function dropAll(drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) await draft.drop();
}
