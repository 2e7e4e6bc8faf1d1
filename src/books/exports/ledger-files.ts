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
  const all = target.renderings({ exportNumber, issuedAt: batch.issuedAt }, journal.balance).map(
    (rendering): Files => ({
      rendering,
      encode: encoderFor(rendering.encoding ?? "utf-8"),
      drafts: new Map<string, Draft>(),
    }),
  );
  const nameDraft = (name: string) => new Draft(join(folders.ledger, `${exportNumber}-${name}`));
  const append = async ({ encode, drafts }: Files, pieces: readonly Piece[]) => {
    for (const { name, content } of pieces) {
      const draft = drafts.get(name) ?? nameDraft(name);
      drafts.set(name, draft);
      await draft.append(typeof content === "string" ? encode(content) : await content);
    }
  };
  const drafts: Draft[] = [];
  const drafted = () => all.flatMap((files) => [...files.drafts.values()]);
  try {
    for (const files of all) await append(files, files.rendering.begin());
    for await (const entries of entriesInOrder(workplace.store, journal)) {
      unlessStopped(workplace.context);
      for (const files of all) await append(files, files.rendering.add(entries));
    }
    for (const files of all) await append(files, files.rendering.end?.() ?? []);
    drafts.push(...drafted());
    const files: Required<IssuedFile>[] = [];
    for (const draft of drafts) files.push(await hashedFile(draft));
    const { functionalCurrency } = ledger;
    const manifest = nameDraft(`${target.name}.manifest.json`);
    drafts.push(manifest);
    const { seqs, lines, balance } = journal;
    const counts = { entries: seqs.length, lines, balance };
    await manifest.append(
      Buffer.from(manifestText({ ...batch, ...counts, ...target, files, functionalCurrency })),
    );
    return { drafts, files: [...files, await hashedFile(manifest)] };
  } catch (error) {
    await dropAll([...drafted(), ...drafts]);
    throw error;
  }
}

/** The files of one rendering, by name. */
interface Files {
  readonly rendering: Rendering;
  readonly encode: (text: string) => Buffer;
  readonly drafts: Map<string, Draft>;
}

export async function dropAll(drafts: readonly Draft[]): Promise<void> {
  for (const draft of drafts) await draft.drop();
}
