/** Opens payout files in their senders' layouts, and gathers the rules by which their rows are read. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fault } from "../../faults/index.ts";
import { type InitiationPolicy, markControlTotals, payoutTableSigns } from "../../initiation/index.ts";
import { openTable, type TableLayout } from "../../intake/index.ts";
import { type Batch, type BatchId, dayIn, type Table } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { type History, openHistory } from "../screening/history.ts";
import { custodyAccountsOf } from "../workplace/custody-accounts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type FileLayout, fileLimitsOf, layoutOf } from "./sender-layout.ts";
import { sha256Of } from "./sha256-of.ts";

export function openPayoutTable(path: string, layout: FileLayout): Promise<Table> {
  return openTable(path, tableLayout(layout));
}

/** Opens a file again to write an answer beside its rows. `name`: the sender's name for it. */
export async function reopenTable(workplace: Workplace, path: string, name: string): Promise<Table> {
  const layout = layoutOf(workplace.config, name);
  return markControlTotals(
    await openPayoutTable(path, layout),
    initiationPolicy(workplace, layout, openHistory(workplace)),
  );
}

/**
 * Opens the archived file of a batch if it is unchanged: answers beside another file's rows would mislead. Throws
 * ARCHIVED_FILE_MISSING, or what reading it throws.
 */
export async function openArchivedTable(workplace: Workplace, batch: Batch): Promise<Table> {
  return reopenTable(workplace, await archivedPath(workplace, batch), batch.fileName);
}

/** The path where it was archived, otherwise in the present archive folder, which may have been moved. */
async function archivedPath(
  { config }: Workplace,
  { id, fileName, fileSha256, archivedAs }: Batch,
): Promise<string> {
  const inPresentArchive = join(config.folders.archive, basename(archivedAs));
  for (const path of [archivedAs, inPresentArchive])
    if (existsSync(path) && (await sha256Of(path)) === fileSha256) return path;
  throw fault("ARCHIVED_FILE_MISSING", { batch: id, path: inPresentArchive }, { file: fileName });
}

function tableLayout(layout: FileLayout): TableLayout {
  const { columns, sheet, encoding } = layout;
  const { showsMissingCell, ...signs } = payoutTableSigns(columns);
  return {
    ...signs,
    // Where a text with a line break lacks its quotes, only the rest on the next line is sure to be refused.
    mayEndAt: (name) => layout.onBadRow === "reject-file" && showsMissingCell(name),
    needed: "reference, amount, destinationAddress",
    ...present({ sheet, encoding }),
    limits: fileLimitsOf(layout),
  };
}

/** `corrected`: the batches that the file corrects. */
export function initiationPolicy(
  workplace: Workplace,
  layout: FileLayout,
  history: History,
  corrected: ReadonlySet<BatchId> = new Set(),
): InitiationPolicy {
  const { config, context, scales } = workplace;
  const { service, reference, limits, ledger } = config;
  return {
    custodyAccounts: custodyAccountsOf(config),
    defaults: { username: service.username, callbackUrl: service.callbackUrl, ...layout.defaults },
    network: service.network,
    numberFormat: layout.numberFormat,
    columns: layout.columns,
    scales,
    limits,
    referencePattern: { maxLength: reference.maxLength, allowed: reference.pattern },
    today: dayIn(ledger.timeZone, context.clock.now()),
    earlierUses: async (references) => {
      const used = await history.earlierUses(references);
      return new Map(
        used.map(({ instruction, isFree, inWords }) => {
          // What was withdrawn from the file that this one corrects stays withdrawn: its sender may not know that it was.
          const use = corrected.has(instruction.batchId)
            ? { inWords, isFree: false, corrected: instruction.fields }
            : { inWords, isFree };
          return [instruction.fields.reference, use];
        }),
      );
    },
    controlTotals: layout.controlTotals,
    onBadRow: layout.onBadRow,
  };
}
