/** Looks by reference or by id: the only evidence from which execution draws conclusions. */
import pLimit from "p-limit";
import type { Problem } from "../faults/index.ts";
import {
  type FindFilter,
  type Found,
  findDeposits,
  findPayouts,
  type PagingReport,
  type Reading,
  ServiceFault,
} from "../gateway/index.ts";
import { chunks } from "../model/chunks.ts";
import type { Instant, ObservedPayout } from "../model/index.ts";
import type { Deposit } from "../wire/index.ts";
import { payoutFromWire } from "./from-wire.ts";
import { DEPOSITS, type Observed, PAYOUTS, record, type StateChange } from "./record.ts";
import type { ObservationTools } from "./tools.ts";

/**
 * The result of a look by reference. An incomplete look proves nothing about payouts that it does not show. A look
 * that returns references it did not ask for counts as incomplete, because the service then stores or compares
 * references in its own way.
 */
export interface ReferenceLook {
  /** Every payout found, by the reference that the service shows. */
  readonly byReference: ReadonlyMap<string, readonly ObservedPayout[]>;
  readonly complete: boolean;
  /** Why the look is incomplete, as text; empty when complete. */
  readonly doubts: readonly string[];
  /** One for each payout that was shown and could not be read. */
  readonly problems: readonly Problem[];
}

/** Asks for payouts by reference, many per request. Throws a SERVICE_ fault when a request stays unanswered. */
export async function lookByReferences(
  tools: ObservationTools,
  references: readonly string[],
): Promise<ReferenceLook> {
  return mergeLooks(await looksByReferences(tools, references));
}

/** As `lookByReferences`, with one result per request; each request also asks for `beside`. */
export function looksByReferences(
  tools: ObservationTools,
  references: readonly string[],
  beside: readonly string[] = [],
): Promise<ReferenceLook[]> {
  const ask = (chunk: readonly string[]) => lookOnce(tools, [...new Set([...chunk, ...beside])]);
  return inChunks(tools, references, ask, beside.length);
}

/** Merges several looks; a payout seen by several of them appears once. */
export function mergeLooks(looks: readonly ReferenceLook[]): ReferenceLook {
  const byReference = new Map<string, readonly ObservedPayout[]>();
  for (const look of looks)
    for (const [reference, payouts] of look.byReference) {
      const known = byReference.get(reference) ?? [];
      const isKnown = new Set(known.map(({ payoutId }) => payoutId));
      byReference.set(reference, [...known, ...payouts.filter(({ payoutId }) => !isKnown.has(payoutId))]);
    }
  const doubts = looks.flatMap((look) => look.doubts);
  const problems = looks.flatMap((look) => look.problems);
  return { byReference, complete: doubts.length === 0, doubts, problems };
}

async function lookOnce(tools: ObservationTools, references: readonly string[]): Promise<ReferenceLook> {
  const { gateway, context, paging } = tools;
  const at = context.clock.now();
  const reading = await findPayouts(gateway, context.clock, { references }, paging);
  await record(tools, PAYOUTS, reading.found, at);
  const asked = new Set(references);
  const doubts = [...reading.doubts];
  for (const { element } of reading.found) {
    const { reference = "", payoutId } = element;
    if (!asked.has(reference))
      doubts.push(`it shows payout ${payoutId} under ${JSON.stringify(reference)}, which was not asked for`);
  }
  const payouts = reading.found.map(({ element }) => payoutFromWire(element, at));
  const byReference = Map.groupBy(payouts, ({ reference = "" }) => reference);
  // If the pages themselves disagreed, `findPayouts` has done so already.
  if (doubts.length > reading.doubts.length) gateway.renewConnections();
  return { byReference, complete: doubts.length === 0, doubts, problems: reading.problems };
}

/** Asks for payouts by id and stores the answers. Throws a SERVICE_ fault when a request stays unanswered. */
export async function lookByIds(
  tools: ObservationTools,
  payoutIds: readonly string[],
): Promise<ObservedPayout[]> {
  const kept = await inChunks(tools, payoutIds, (chunk) => recordTogether(tools, PAYOUTS, chunk));
  return kept.flatMap(({ found, at }) => found.map(({ element }) => payoutFromWire(element, at)));
}

/** Asks for deposits by reference or id and stores the answers. Throws a SERVICE_ fault. */
export async function lookForDeposits(
  tools: ObservationTools,
  filter: FindFilter,
): Promise<Reading<Deposit>> {
  const { gateway, context, paging } = tools;
  const at = context.clock.now();
  const reading = await paging.askingForLess(() => findDeposits(gateway, context.clock, filter, paging));
  await record(tools, DEPOSITS, reading.found, at);
  return reading;
}

export interface Tracked {
  readonly changes: readonly StateChange[];
  /** One for each element that was shown and could not be read. */
  readonly problems: readonly Problem[];
}

/** As `recordShownByIds`. */
export async function track<Element>(
  tools: ObservationTools,
  observed: Observed<Element>,
  ids: readonly string[],
): Promise<Tracked> {
  const kept = await recordShownByIds(tools, observed, ids);
  return {
    changes: kept.flatMap(({ changes }) => changes),
    problems: kept.flatMap(({ problems }) => problems),
  };
}

/** The answer to one request by ids. */
export interface ReadingByIds<Element>
  extends Pick<PagingReport, "complete" | "doubts" | "miscount" | "problems"> {
  readonly found: readonly Found<Element>[];
  readonly asked: readonly string[];
  readonly at: Instant;
  readonly changes: readonly StateChange[];
}

/**
 * Asks for payouts or deposits by id and stores the answers. If the service answers 404 because it does not have one
 * of them, asks for the others without it; the answer about that one proves nothing. Throws a SERVICE_ fault.
 */
export async function recordShownByIds<Element>(
  tools: ObservationTools,
  observed: Observed<Element>,
  ids: readonly string[],
): Promise<ReadingByIds<Element>[]> {
  const ask = async (chunk: readonly string[]): Promise<ReadingByIds<Element>[]> => {
    try {
      return [await recordTogether(tools, observed, chunk)];
    } catch (error) {
      if (!(error instanceof ServiceFault) || error.failure.condition !== "not found") throw error;
      if (chunk.length > 1) {
        const middle = chunk.length >> 1;
        return [...(await ask(chunk.slice(0, middle))), ...(await ask(chunk.slice(middle)))];
      }
      const doubts = [error.problem.message];
      const at = tools.context.clock.now();
      return [{ found: [], asked: chunk, at, changes: [], complete: false, doubts, problems: [] }];
    }
  };
  return (await inChunks(tools, ids, ask)).flat();
}

async function recordTogether<Element>(
  tools: ObservationTools,
  observed: Observed<Element>,
  asked: readonly string[],
): Promise<ReadingByIds<Element>> {
  const { gateway, context, paging } = tools;
  const at = context.clock.now();
  const reading = await observed.find(gateway, context.clock, { ids: asked }, paging);
  return { ...reading, asked, at, changes: await record(tools, observed, reading.found, at) };
}

/**
 * Asks for items in chunks, several requests at a time, leaving room for `beside` more items in each. After a
 * failure no more requests are started; those in flight are awaited before it is thrown. A chunk refused as too
 * large is split.
 */
async function inChunks<Result>(
  { paging }: ObservationTools,
  items: readonly string[],
  ask: (chunk: readonly string[]) => Promise<Result>,
  beside = 0,
): Promise<Result[]> {
  const limit = pLimit(paging.concurrency ?? 1);
  const sizeNow = () => Math.max(1, paging.idsPerRequest - beside);
  const failures: unknown[] = [];
  const askInParts = async (chunk: readonly string[]) => {
    const results: Result[] = [];
    for (const part of chunks(chunk, sizeNow())) results.push(await ask(part));
    return results;
  };
  const askUnlessFailed = async (chunk: readonly string[]) => {
    if (failures.length > 0) return [];
    try {
      return await paging.askingForLess(() => askInParts(chunk));
    } catch (error) {
      failures.push(error);
      return [];
    }
  };
  const asked = [...chunks(items, sizeNow())].map((chunk) => limit(askUnlessFailed, chunk));
  const results = await Promise.all(asked);
  if (failures.length > 0) throw failures[0];
  return results.flat();
}
