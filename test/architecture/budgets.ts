/**
 * What the house may hold. One in, one out: who adds something takes something out elsewhere, or says in DECISIONS.md why
 * not.
 */
import type { SourceFile } from "./source-files.ts";

/** Lines of a room, subfolders included unless these have their own budget. */
export const LINES: Readonly<Record<string, number>> = {
  jobs: 160,
  "src/approval": 440,
  "src/cli": 1_890,
  "src/cli/commands": 1_850,
  "src/cli/render": 1_720,
  "src/config": 1_740,
  "src/context": 790,
  "src/daemon": 820,
  "src/desk": 2_900,
  "src/execution": 2_760,
  "src/execution/doubts": 1_140,
  "src/exports": 900,
  "src/faults": 1_420,
  "src/gateway": 1_630,
  "src/index.ts": 170,
  "src/ledger": 2_220,
  "src/model": 2_590,
  "src/money": 250,
  "src/observation": 910,
  "src/people": 1_800,
  "src/pipeline": 5_580,
  "src/pipeline/people": 950,
  "src/pipeline/reconcile": 450,
  "src/pipeline/sending": 1_000,
  "src/pipeline/status": 860,
  "src/pipeline/workplace": 880,
  "src/reconciliation": 970,
  "src/reconciliation/breaks": 900,
  "src/sandbox": 3_470,
  "src/sandbox/operations": 1_050,
  "src/sandbox/state": 1_110,
  "src/store": 4_090,
  "src/store/engines": 1_880,
  "src/wire": 780,
};

/** The way of a file, from the inbox to its answer. */
export const FILE_ROOMS = {
  rooms: [
    "src/intake",
    "src/initiation",
    "src/exports/answers",
    "src/pipeline/files",
    "src/pipeline/screening",
  ],
  lines: 8_440,
};

export const LINES_TOGETHER = 60_370;
export const FAULTS = 241;
export const CONFIGURATION_KEYS = 213;
export const FUNCTION_LINES = 60;

/** Functions that were longer when the rule was made, and their lines. Each may only shrink; the list may not grow. */
export const LONG_FUNCTIONS: Readonly<Record<string, number>> = {
  "src/execution/due-windows.ts dueWindows": 99,
  "src/execution/submit.ts submitter": 138,
  "src/pipeline/sending/as-approved.ts approvedBatches": 86,
  "src/reconciliation/balance-proof.ts balanceProofOf": 90,
  "src/sandbox/state/rows.ts rowsIn": 69,
  "src/store/engines/lane-lease.ts leasedLane": 66,
  "src/store/engines/postgres-store.ts postgresStore": 110,
  "src/store/engines/sqlite-store.ts sqliteStore": 161,
};

/** Rooms with more lines than their budget, and files that are in no room with one. */
export function overspentRooms(
  files: readonly SourceFile[],
  budgets: Readonly<Record<string, number>>,
): string[] {
  const rooms = Map.groupBy(files, ({ path }) => roomWithBudget(path, budgets));
  return [...rooms].flatMap(([room, itsFiles]) => {
    if (room === undefined) return itsFiles.map(({ path }) => `${path} is in no room with a budget`);
    const [lines, most] = [linesOf(itsFiles), budgets[room] ?? 0];
    return lines > most ? [`${room} has ${lines} lines, of at most ${most}`] : [];
  });
}

/** The innermost. */
function roomWithBudget(path: string, budgets: Readonly<Record<string, number>>): string | undefined {
  const rooms = Object.keys(budgets).filter((room) => path === room || path.startsWith(`${room}/`));
  return rooms.toSorted((left, right) => right.length - left.length)[0];
}

export function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
}

/** Each difference from the list: a long function that is not on it, one that grew, and one that is short or gone. */
export function longFunctionsChanged(
  found: Readonly<Record<string, number>>,
  listed: Readonly<Record<string, number>>,
): string[] {
  const grown = Object.entries(found).filter(([name, lines]) => lines > (listed[name] ?? 0));
  const gone = Object.keys(listed).filter((name) => found[name] === undefined);
  return [
    ...grown.map(([name, lines]) => `${name} has ${lines} lines`),
    ...gone.map((name) => `${name} is no longer long: take it off the list`),
  ];
}

/** The keys that a JSON schema describes, at every depth. */
export function countKeys(schema: unknown): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const own = "properties" in schema ? Object.keys(schema.properties ?? {}).length : 0;
  return Object.values(schema).reduce((sum: number, part) => sum + countKeys(part), own);
}
