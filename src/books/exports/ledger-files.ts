/** Drafts the files of an export batch, in every configured format, part by part. */
import { join } from "node:path";
import { unlessStopped } from "../../context/context.ts";
import { Draft } from "../../context/files.ts";
import { encoderFor } from "../../exports/encoder.ts";
import type { Workplace } from "../../pipeline/workplace/workplace.ts";
import { questionsCsv } from "../formats/exceptions-csv.ts";
import { hledgerJournal } from "../formats/hledger-journal.ts";
import { ledgerCsv, trialBalanceCsv } from "../formats/ledger-csv.ts";
import { ledgerTable } from "../formats/ledger-table.ts";
import { inOneFile, type Piece, type Rendering } from "../formats/rendering.ts";
import type { TrialBalance } from "../rules/trial-balance.ts";
import { inOrder, type Journal } from "./journal.ts";

/**
 * Writes the files under temporary names; the caller places or drops them. Throws OUTPUT_UNWRITABLE; INTERRUPTED;
 * INVARIANT_BROKEN; LEDGER_CELL_TOO_LONG, LEDGER_CELL_UNWRITABLE or LEDGER_ENTRY_TOO_LONG if an ERP's table cannot hold an
 * entry.
 */
export async function draftLedgerFiles(
  workplace: Workplace,
  number: number,
  journal: Journal,
): Promise<readonly Draft[]> {
  const exportNumber = String(number).padStart(6, "0");
  const { folders } = workplace.config;
  const all = renderingsOf(workplace, exportNumber, journal.balance).map(
    (rendering): Files => ({
      rendering,
      encode: encoderFor(rendering.encoding ?? "utf-8"),
      drafts: new Map<string, Draft>(),
    }),
  );
  const append = async ({ encode, drafts }: Files, pieces: readonly Piece[]) => {
    for (const { name, text } of pieces) {
      const draft = drafts.get(name) ?? new Draft(join(folders.ledger, `${exportNumber}-${name}`));
      drafts.set(name, draft);
      await draft.append(encode(text));
    }
  };
  const drafted = () => all.flatMap(({ drafts }) => [...drafts.values()]);
  try {
    for (const files of all) await append(files, files.rendering.begin());
    for await (const entries of inOrder(workplace.store, journal)) {
      unlessStopped(workplace.context);
      for (const files of all) await append(files, files.rendering.add(entries));
    }
    return drafted();
  } catch (error) {
    await dropAll(drafted());
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

function renderingsOf(
  { config, scales }: Workplace,
  exportNumber: string,
  balance: TrialBalance,
): readonly Rendering[] {
  const format = { functionalCurrency: config.ledger.functionalCurrency, scales };
  return [
    ledgerCsv(format),
    hledgerJournal(balance, format),
    inOneFile("trial-balance.csv", trialBalanceCsv(balance, format), () => ""),
    questionsCsv(),
    ...config.ledger.exports.map((table) => ledgerTable(table, exportNumber, format)),
  ];
}
