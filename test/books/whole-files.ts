/** The ledger files as whole texts, rendered in one part or in many. */

import { hledgerJournal as hledgerRendering } from "../../src/books/formats/hledger-journal.ts";
import { ledgerCsv as csvRendering } from "../../src/books/formats/ledger-csv.ts";
import { ledgerTable } from "../../src/books/formats/ledger-table.ts";
import type { Rendering } from "../../src/books/formats/rendering.ts";
import { inJournalOrder, LedgerSums, type TrialBalance } from "../../src/books/index.ts";
import type { JournalEntry, LedgerTable } from "../../src/model/index.ts";
import type { JournalFormat } from "../../src/writing/cell-text.ts";
import { encoderFor } from "../../src/writing/encoder.ts";

export function ledgerCsv(entries: readonly JournalEntry[], format: JournalFormat): string {
  return filesOf(csvRendering(format), entries)[0] ?? "";
}

export function hledgerJournal(entries: readonly JournalEntry[], format: JournalFormat): string {
  return filesOf(hledgerRendering(trialBalance(entries), format), entries)[0] ?? "";
}

export function ledgerTables(
  entries: readonly JournalEntry[],
  table: LedgerTable,
  exportNumber: string,
  format: JournalFormat,
): string[] {
  return filesOf(
    ledgerTable(table, { exportNumber, issuedAt: "2026-11-21T02:30:00.000Z" }, format),
    entries,
  ).map((text) => text.replace(/^\uFEFF/, ""));
}

/** The files of a table, byte for byte. */
export function ledgerFiles(
  entries: readonly JournalEntry[],
  table: LedgerTable,
  exportNumber: string,
  format: JournalFormat,
): Buffer[] {
  const rendering = ledgerTable(table, { exportNumber, issuedAt: "2026-11-21T02:30:00.000Z" }, format);
  return filesOf(rendering, entries).map(encoderFor(rendering.encoding ?? "utf-8"));
}

export function trialBalance(entries: readonly JournalEntry[]): TrialBalance {
  const sums = new LedgerSums(entries[0]?.currency ?? "EUR");
  sums.add(entries);
  return sums.trialBalance();
}

/** The texts of the files, in order. `partLength`: how many entries are rendered at once. */
export function filesOf(
  rendering: Rendering,
  entries: readonly JournalEntry[],
  partLength = Number.POSITIVE_INFINITY,
): string[] {
  const ordered = inJournalOrder(entries);
  const pieces = [...rendering.begin()];
  for (let from = 0; from < ordered.length; from += partLength)
    pieces.push(...rendering.add(ordered.slice(from, from + partLength)));
  const files = Map.groupBy(pieces, ({ name }) => name);
  return [...files.values()].map((texts) => texts.map(({ content }) => content).join(""));
}
