/** Looks by reference or by id: the only evidence from which execution concludes anything. */
import pLimit from "p-limit";
import { type FindFilter, findDeposits, findPayouts, type Reading } from "../gateway/index.ts";
import type { Instant, ObservedPayout } from "../model/index.ts";
import type { Deposit, Payout } from "../wire/index.ts";
import { payoutFromWire } from "./from-wire.ts";
import { keepDeposits, keepPayouts, type StateChange } from "./keep.ts";
import type { ObservationTools } from "./tools.ts";

/**
 * What a look by reference saw. An incomplete look says nothing about what it did not see; one that was answered with other
 * references than it asked for is incomplete, because the service then keeps or compares references in a way of its own.
 */
export interface ReferenceLook {
  /** Every payout found, by its reference as the service keeps it. */
  readonly byReference: ReadonlyMap<string, readonly ObservedPayout[]>;
  readonly complete: boolean;
  /** Why it is incomplete, in words; empty when complete. */
  readonly doubts: readonly string[];
}

/** Asks for payouts by reference, many per request. Throws a SERVICE_ fault when a request stays unanswered. */
export async function lookByReferences(
  tools: ObservationTools,
  references: readonly string[],
): Promise<ReferenceLook> {
  const byReference = new Map<string, ObservedPayout[]>();
  const doubts: string[] = [];
  for (const { chunk, reading, at } of await readChunks(tools, references)) {
    doubts.push(...reading.doubts);
    for (const { element } of reading.found) {
      const { reference = "", payoutId } = element;
      if (!chunk.includes(reference))
        doubts.push(
          `it shows payout ${payoutId} under ${JSON.stringify(reference)}, which was not asked for`,
        );
      byReference.set(reference, [...(byReference.get(reference) ?? []), payoutFromWire(element, at)]);
    }
  }
  return { byReference, complete: doubts.length === 0, doubts };
}

interface ReadChunk {
  readonly chunk: readonly string[];
  readonly reading: Reading<Payout>;
  readonly at: Instant;
}

/** Several requests at a time; when one fails the others are awaited too, so that nothing goes on behind the caller's back. */
async function readChunks(tools: ObservationTools, references: readonly string[]): Promise<ReadChunk[]> {
  const { gateway, context, paging, store } = tools;
  const limit = pLimit(paging.concurrency ?? 1);
  const readChunk = async (chunk: readonly string[]) => {
    const at = context.clock.now();
    const reading = await findPayouts(gateway, context.clock, { references: chunk }, paging);
    await keepPayouts(store, reading, at);
    return { chunk, reading, at };
  };
  const asked = [...chunks(references, paging.idsPerRequest)].map((chunk) => limit(readChunk, chunk));
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

/** Asks for payouts by id and stores what is seen. Throws a SERVICE_ fault when a request stays unanswered. */
export async function lookByIds(
  { gateway, context, store, paging }: ObservationTools,
  payoutIds: readonly string[],
): Promise<ObservedPayout[]> {
  const at = context.clock.now();
  const reading = await findPayouts(gateway, context.clock, { ids: payoutIds }, paging);
  await keepPayouts(store, reading, at);
  return reading.found.map(({ element }) => payoutFromWire(element, at));
}

/** Asks for deposits by reference or by id and stores what is seen. Throws a SERVICE_ fault when a request stays unanswered. */
export async function lookForDeposits(
  { gateway, context, store, paging }: ObservationTools,
  filter: FindFilter,
): Promise<Reading<Deposit>> {
  const at = context.clock.now();
  const reading = await findDeposits(gateway, context.clock, filter, paging);
  await keepDeposits(store, reading, at);
  return reading;
}

/** Asks for payouts by id and stores what is seen; returns the states that changed. */
export function trackPayouts(tools: ObservationTools, payoutIds: readonly string[]): Promise<StateChange[]> {
  return track(tools, payoutIds, async (filter, at) => {
    const reading = await findPayouts(tools.gateway, tools.context.clock, filter, tools.paging);
    return keepPayouts(tools.store, reading, at);
  });
}

/** Asks for deposits by id and stores what is seen; returns the states that changed. */
export function trackDeposits(
  tools: ObservationTools,
  depositIds: readonly string[],
): Promise<StateChange[]> {
  return track(tools, depositIds, async (filter, at) => {
    const reading = await findDeposits(tools.gateway, tools.context.clock, filter, tools.paging);
    return keepDeposits(tools.store, reading, at);
  });
}

async function track(
  tools: ObservationTools,
  ids: readonly string[],
  look: (filter: FindFilter, at: string) => Promise<StateChange[]>,
): Promise<StateChange[]> {
  const changes: StateChange[] = [];
  for (const chunk of chunks(ids, tools.paging.idsPerRequest)) {
    changes.push(...(await look({ ids: chunk }, tools.context.clock.now())));
  }
  return changes;
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
