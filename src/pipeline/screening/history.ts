/**
 * Compares a file's references and payments with earlier batches. For a short file the database is asked about each
 * row. For a long one the whole history is read once into Bloom filters, and only possible matches are looked up.
 */
import type { MadeBefore, PaidLookAlikes, Payment } from "../../initiation/index.ts";
import {
  type BatchId,
  DAY_MS,
  dayIn,
  endsOf,
  endsText,
  type Instant,
  type Instruction,
  ownText,
  payoutStateMeaning,
  shifted,
} from "../../model/index.ts";
import { knownByIds } from "../../observation/index.ts";
import {
  findEarlierPayments,
  findPaidLookAlikes,
  listPaidDestinations,
  UNDECIDED,
} from "../../store/destinations.ts";
import {
  BEFORE_ALL,
  countPast,
  type ListPast,
  listPastPaid,
  listPastPayments,
  listPastReferences,
  listPastStanding,
  type PastText,
} from "../../store/history.ts";
import { findUses, type ReferenceUse } from "../../store/references.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { BloomFilter } from "./bloom-filter.ts";

/** Call each method with some hundreds of items at a time. */
export interface History {
  /** The earlier uses of these references, each with its words. */
  earlierUses(
    references: readonly string[],
  ): Promise<readonly (ReferenceUse & { readonly inWords: string })[]>;
  /** The destinations (in comparable form) that were paid before. */
  paidBefore(destinations: readonly string[]): Promise<ReadonlySet<string>>;
  readonly paidLookAlikes: PaidLookAlikes;
  /** By reference, the most recent repeat of the same payment within the look-back window, or undecided since. */
  madeBefore(payments: readonly Payment[]): Promise<ReadonlyMap<string, MadeBefore>>;
}

/**
 * For a stored `batch`, its own payments and those of later unapproved batches do not count as history, nor those of later
 * batches that were approved after `asOf`: their approvers were shown this one's.
 */
export function openHistory(workplace: Workplace, batch?: BatchId, asOf?: Instant): History {
  const { config, context, store } = workplace;
  const { lookBackDays } = config.repeats;
  const since = shifted(context.clock.now(), -lookBackDays * DAY_MS);
  const sift = sieveOf(store, since);
  const paidAmong = rememberingPaid(store);
  return {
    earlierUses: async (references) => {
      const possible = await sift("references", references, (reference) => reference);
      const uses = possible.length === 0 ? [] : await store.read(() => findUses(possible));
      const words = await usesInWords(
        store,
        uses.map(({ instruction }) => instruction),
      );
      return uses.map((use, index) => ({ ...use, inWords: words[index] ?? "" }));
    },
    paidBefore: async (destinations) =>
      paidAmong(await sift("paid", destinations, (destination) => destination)),
    paidLookAlikes: async (destinations) => {
      const sifted = await sift("paidEnds", destinations, endsText);
      if (sifted.length === 0) return new Map();
      const paid = await store.read(() => findPaidLookAlikes(sifted));
      const words = await usesInWords(store, [...paid.values()]);
      return new Map(
        [...paid].map(([asked, { destination }], index) => [
          asked,
          { destination, where: `known from ${words[index]}` },
        ]),
      );
    },
    madeBefore: async (payments) => {
      const textOf = ({ destination, amount }: Payment) => `${destination} ${amount}`;
      const sifted = await sift("payments", payments, textOf);
      if (sifted.length === 0) return new Map();
      const compared = sifted.map(({ draft: { fields }, destination }) => ({
        reference: fields.reference,
        destination,
        amount: fields.amount,
      }));
      const found = await store.read(() => findEarlierPayments(compared, { since, before: batch, asOf }));
      const words = await usesInWords(store, [...found.values()]);
      return new Map(
        [...found].map(([reference, { submittedAt, batchId, row }], index) => {
          const day = dayIn(config.ledger.timeZone, submittedAt);
          return [reference, { day, payment: `batch ${batchId}, row ${row}`, earlier: words[index] ?? "" }];
        }),
      );
    },
  };
}

/**
 * Finds the paid ones among destinations; a destination that a file repeats is looked up once. Where it was never paid, that
 * goes through all its payments.
 */
function rememberingPaid(store: Workplace["store"]) {
  const known = new Map<string, boolean>();
  return async (destinations: readonly string[]): Promise<ReadonlySet<string>> => {
    if (destinations.length === 0) return new Set();
    const unknown = [...new Set(destinations)].filter((destination) => !known.has(destination));
    const paid = new Set(destinations.filter((destination) => known.get(destination) === true));
    if (unknown.length === 0) return paid;
    for (const destination of await store.read(() => listPaidDestinations(unknown))) paid.add(destination);
    for (const destination of unknown)
      if (known.size < KNOWN_PAID_MAX) known.set(ownText(destination), paid.has(destination));
    return paid;
  };
}

type Use = Pick<Instruction, "batchId" | "row" | "standing" | "payoutId">;

/** "batch B-000003, row 4, paid as 1b2c..."; "..., abandoned (may have been paid)"; a payout that failed is not called paid. */
async function usesInWords(store: Store, uses: readonly Use[]): Promise<string[]> {
  // Of most windows of a file.
  if (uses.length === 0) return [];
  const payouts = await store.read(() => knownByIds(uses.flatMap(({ payoutId }) => payoutId ?? [])));
  return uses.map(({ batchId, row, standing, payoutId }) => {
    const isUndecided = UNDECIDED.some((undecided) => undecided === standing);
    const course = isUndecided ? `${standing} (may have been paid)` : standing;
    const words =
      payoutId === undefined ? course : payoutInWords(payoutId, payouts.get(payoutId)?.state ?? "");
    return `batch ${batchId}, row ${row}, ${words}`;
  });
}

function payoutInWords(payoutId: string, state: string): string {
  switch (payoutStateMeaning(state)) {
    case "failed":
      return `accepted as payout ${payoutId}, which ended ${state}`;
    case "unknown":
      return `accepted as payout ${payoutId}, which is ${state} (may have been paid)`;
    default:
      return `paid as ${payoutId}`;
  }
}

const KNOWN_PAID_MAX = 10_000;

type FilterName = "references" | "paid" | "paidEnds" | "payments";

type Sieve = <Item>(
  name: FilterName,
  items: readonly Item[],
  textOf: (item: Item) => string,
) => Promise<readonly Item[]>;

/**
 * Returns the items that may occur in history; all items while there are no filters. The filters are filled once, when so
 * many items were asked about that reading the whole history would have been faster. They miss what other processes take
 * in afterwards. That does no harm: the transaction that stores a batch checks its references again, and approval compares
 * all its payments.
 */
function sieveOf(store: Store, since: string): Sieve {
  let filters: Readonly<Record<FilterName, BloomFilter>> | undefined;
  let asked = 0;
  let pastCount: number | undefined;
  return async (name, items, textOf) => {
    asked += items.length;
    if (filters === undefined && asked > ASKED_MIN) {
      pastCount ??= await store.read(countPast);
      if (asked * ASKING_COST > pastCount) filters = await filledFilters(store, since, pastCount);
    }
    const filter = filters?.[name];
    if (filter === undefined) return items;
    return filter.isEmpty ? [] : items.filter((item) => filter.mayHold(textOf(item)));
  };
}

async function filledFilters(store: Store, since: string, capacity: number) {
  const filters = {
    references: new BloomFilter(capacity),
    paid: new BloomFilter(capacity),
    paidEnds: new BloomFilter(capacity),
    payments: new BloomFilter(capacity),
  };
  const goThrough = async (list: ListPast, take: (text: string) => void) => {
    const past = inWindows<PastText>(store, (last = BEFORE_ALL) => list(last, PAST_PER_READ));
    for await (const window of past) for (const { text } of window) take(text);
  };
  await goThrough(listPastReferences, (reference) => filters.references.add(reference));
  await goThrough(listPastPaid, (destination) => {
    filters.paid.add(destination);
    const ends = endsOf(destination);
    if (ends !== undefined) filters.paidEnds.add(endsText(ends));
  });
  for (const list of [listPastPayments(since), ...UNDECIDED.map(listPastStanding)])
    await goThrough(list, (payment) => filters.payments.add(payment));
  return filters;
}

/** Filters do not pay off for fewer items. */
const ASKED_MIN = 3000;

/** Looking up one item costs about as much as reading this many payments of history (a rule of thumb). */
const ASKING_COST = 12;

/** With larger windows V8 sometimes retains what was read until the heap has grown by a hundred megabytes. */
const PAST_PER_READ = 250;
