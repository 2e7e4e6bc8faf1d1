/** The audit record for people: its entries by person, kind, day and subject, and as a file. */
import { type Day, type Instant, startOfDay } from "../model/index.ts";
import { dayEnd } from "../model/month.ts";
import { present } from "../model/present.ts";
import { ACTIONS_OF, type RecordKind } from "../model/record-kind.ts";
import { auditHead, listWanted, type RecordedEntry, type RecordQuery } from "../store/audit.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { csvOf, textCell } from "../writing/cell-text.ts";

export interface RecordFilter {
  /** Days of the company's time zone, both included. */
  readonly from?: Day;
  readonly to?: Day;
  readonly person?: string;
  /** A batch, which also selects its payments; or a part of a reference, a break or another subject. */
  readonly about?: string;
  readonly kind?: RecordKind;
}

export interface RecordPage {
  /** Newest first. */
  readonly entries: readonly RecordedEntry[];
  /** The number before which the next page begins; absent at the end. */
  readonly before?: number;
  /** The newest entry of the whole record, whose hash covers all earlier ones; absent if there is none. */
  readonly head?: { readonly seq: number; readonly hash: string };
}

/** At most `count` entries before the one with the number `before`. Verifies nothing. */
export async function recordStep(
  workplace: Workplace,
  filter: RecordFilter,
  before: number | undefined,
  count: number,
): Promise<RecordPage> {
  const head = await workplace.store.read(() => auditHead());
  const found: RecordedEntry[] = [];
  const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, (head?.seq ?? 0) + 1);
  for await (const window of wantedWindows(workplace, filter, end)) {
    found.push(...window);
    if (found.length > count) break;
  }
  const entries = found.slice(0, count);
  const next = found.length > count ? entries.at(-1)?.seq : undefined;
  return { entries, ...present({ before: next, head }) };
}

/** Entries read per transaction: reading a record of years at once would block the process. */
const LOOKED_THROUGH = 5_000;

async function* wantedWindows(
  { store, config }: Workplace,
  filter: RecordFilter,
  before: number,
): AsyncGenerator<readonly RecordedEntry[]> {
  const query = queryOf(filter, config.ledger.timeZone);
  for (let end = before - 1; end > 0; end -= LOOKED_THROUGH) {
    const begin = Math.max(1, end - LOOKED_THROUGH + 1);
    const window = await store.read(() => listWanted(query, { begin, end }, LOOKED_THROUGH));
    if (window.length > 0) yield window;
    await new Promise((resume) => setImmediate(resume));
  }
}

function queryOf({ from, to, person, about, kind }: RecordFilter, timeZone: string): RecordQuery {
  const instants: { readonly from?: Instant; readonly to?: Instant } = present({
    from: from === undefined ? undefined : startOfDay(timeZone, from),
    to: to === undefined ? undefined : dayEnd(timeZone, to),
  });
  return {
    ...instants,
    ...present({ person, about, actions: kind === undefined ? undefined : ACTIONS_OF[kind] }),
  };
}

export type RecordFormat = "csv" | "jsonl";

export const RECORD_FORMATS: readonly RecordFormat[] = ["csv", "jsonl"];

const TITLES = ["number", "when (UTC)", "who", "did", "about", "detail", "hash"];

/** All entries that match the filter, as the text of a file, newest first and in parts. */
export async function* recordTexts(
  workplace: Workplace,
  filter: RecordFilter,
  format: RecordFormat,
): AsyncGenerator<string> {
  const head = await workplace.store.read(() => auditHead());
  if (format === "csv") yield csvOf([TITLES]);
  for await (const window of wantedWindows(workplace, filter, (head?.seq ?? 0) + 1))
    yield format === "csv" ? csvOf(window.map(cellsOf)) : window.map(lineOf).join("");
}

function cellsOf({ seq, at, person, action, subject, detail, hash }: RecordedEntry): string[] {
  return [String(seq), at, textCell(person), textCell(action), textCell(subject), textCell(detail), hash];
}

function lineOf({ detail, ...entry }: RecordedEntry): string {
  return `${JSON.stringify({ ...entry, detail: JSON.parse(detail) })}\n`;
}
