/** Drafts the files of an export batch, in every configured format, part by part. */
import { join } from "node:path";
import { unlessStopped } from "../../context/context.ts";
import { Draft } from "../../context/files.ts";
import { questionsCsv } from "../../exports/exceptions-csv.ts";
import { hledgerJournal } from "../../exports/hledger-journal.ts";
import { ledgerCsv } from "../../exports/ledger-csv.ts";
import { ledgerTable } from "../../exports/ledger-table.ts";
import { inOneFile, type Piece, type Rendering } from "../../exports/rendering.ts";
import { trialBalanceCsv } from "../../exports/trial-balance-csv.ts";
import type { TrialBalance } from "../../ledger/index.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { inOrder, type Journal } from "./journal.ts";

/**
 * Writes the files under temporary names; the caller places or drops them. Throws OUTPUT_UNWRITABLE; INTERRUPTED;
 * LEDGER_UNBALANCED; LEDGER_CELL_TOO_LONG or LEDGER_ENTRY_TOO_LONG if an ERP's table cannot hold an entry.
 */
export async function draftLedgerFiles(
  workplace: Workplace,
  number: number,
  journal: Journal,
): Promise<readonly Draft[]> {
  const exportNumber = String(number).padStart(6, "0");
  const { folders } = workplace.config;
  const renderings = renderingsOf(workplace, exportNumber, journal.balance).map((rendering) => ({
    rendering,
    drafts: new Map<string, Draft>(),
  }));
  const append = async (drafts: Map<string, Draft>, pieces: readonly Piece[]) => {
    for (const { name, text } of pieces) {
      const draft = drafts.get(name) ?? new Draft(join(folders.ledger, `${exportNumber}-${name}`));
      drafts.set(name, draft);
      await draft.append(text);
    }
  };
  const all = () => renderings.flatMap(({ drafts }) => [...drafts.values()]);
  try {
    for (const { rendering, drafts } of renderings) await append(drafts, rendering.begin());
    for await (const entries of inOrder(workplace.store, journal)) {
      unlessStopped(workplace.context);
      for (const { rendering, drafts } of renderings) await append(drafts, rendering.add(entries));
    }
    return all();
  } catch (error) {
    await dropAll(all());
    throw error;
  }
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
