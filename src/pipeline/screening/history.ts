/** Compares a file's references and payments with earlier batches, some hundreds at a time. */
import type {
  MadeBefore,
  NeverPaidAt,
  PaidLookAlikes,
  PaidOtherwise,
  Payment,
} from "../../initiation/index.ts";
import {
  type BatchId,
  DAY_MS,
  dayIn,
  type Instant,
  type Instruction,
  ownText,
  payoutStateMeaning,
  shifted,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { shownText } from "../../model/shown-text.ts";
import { knownByIds } from "../../observation/index.ts";
import {
  findEarlierPayments,
  findPaidLookAlikes,
  findPayeesNeverPaidAt,
  listPaidDestinations,
  type PayeeHistory,
  UNDECIDED,
} from "../../store/destinations.ts";
import { findUses, type ReferenceUse } from "../../store/references.ts";
import type { Store } from "../../store/store.ts";
import type { Workplace } from "../workplace/workplace.ts";

/** Call each method with some hundreds of items at a time. */
export interface History {
  /** The earlier uses of these references, each with its words. */
  earlierUses(
    references: readonly string[],
  ): Promise<readonly (ReferenceUse & { readonly inWords: string })[]>;
  /** The destinations (in comparable form) that were paid before. */
  paidBefore(destinations: readonly string[]): Promise<ReadonlySet<string>>;
  readonly paidLookAlikes: PaidLookAlikes;
  readonly neverPaidAt: NeverPaidAt;
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
  const paidAmong = rememberingPaid(store);
  return {
    earlierUses: async (references) => {
      const uses = references.length === 0 ? [] : await store.read(() => findUses(references));
      const words = await usesInWords(
        store,
        uses.map(({ instruction }) => instruction),
      );
      return uses.map((use, index) => ({ ...use, inWords: words[index] ?? "" }));
    },
    paidBefore: paidAmong,
    paidLookAlikes: async (destinations) => {
      if (destinations.length === 0) return new Map();
      const paid = await store.read(() => findPaidLookAlikes(destinations));
      const words = await usesInWords(store, [...paid.values()]);
      return new Map(
        [...paid].map(([asked, { destination }], index) => [
          asked,
          { destination, where: `known from ${words[index]}` },
        ]),
      );
    },
    neverPaidAt: async (named) => {
      const found = named.length === 0 ? [] : await store.read(() => findPayeesNeverPaidAt(named, batch));
      const byPair = new Map(found.map((each) => [JSON.stringify([each.payee, each.destination]), each]));
      const pairs = named.map(
        (each) => [each, byPair.get(JSON.stringify([each.payee, each.destination]))] as const,
      );
      return new Map(
        pairs.flatMap(([each, history]) => (history === undefined ? [] : [[each, otherwise(history)]])),
      );
    },
    madeBefore: async (payments) => {
      if (payments.length === 0) return new Map();
      const compared = payments.map(({ draft: { fields }, destination }) => ({
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

function otherwise({ usual, otherName, otherBatch, otherRow }: PayeeHistory): PaidOtherwise {
  const where = `in batch ${otherBatch}, row ${otherRow}`;
  return present({
    usual,
    other: otherName === undefined ? undefined : { name: shownText(otherName), where },
  });
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
