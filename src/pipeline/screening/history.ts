/** Compares a file's references and payments with earlier batches, some hundreds at a time. */
import type {
  MadeBefore,
  NeverPaidAt,
  PaidLookAlikes,
  PaidOtherwise,
  Payment,
} from "../../initiation/index.ts";
import { chunks } from "../../model/chunks.ts";
import {
  type BatchId,
  DAY_MS,
  dayIn,
  type Instant,
  type Instruction,
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
import type { Transaction } from "../../store/sql.ts";
import type { Store } from "../../store/store.ts";
import type { Workplace } from "../workplace/workplace.ts";

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
  return {
    earlierUses: async (references) => {
      const uses = await inParts(store, references, findUses);
      const words = await usesInWords(
        store,
        uses.map(({ instruction }) => instruction),
      );
      return uses.map((use, index) => ({ ...use, inWords: words[index] ?? "" }));
    },
    paidBefore: async (destinations) => new Set(await inParts(store, destinations, listPaidDestinations)),
    paidLookAlikes: async (destinations) => {
      const paid = await inParts(store, destinations, findPaidLookAlikes);
      const words = await usesInWords(
        store,
        paid.map(([, use]) => use),
      );
      return new Map(
        paid.map(([asked, { destination }], index) => [
          asked,
          { destination, where: `known from ${words[index]}` },
        ]),
      );
    },
    neverPaidAt: async (named) => {
      const found = await inParts(store, named, (some) => findPayeesNeverPaidAt(some, batch));
      const byPair = new Map(found.map((each) => [pairText(each), otherwise(each)]));
      return new Map(
        named.flatMap((each) => {
          const paid = byPair.get(pairText(each));
          return paid === undefined ? [] : [[each, paid]];
        }),
      );
    },
    madeBefore: async (payments) => {
      const compared = payments.map(({ draft: { fields }, destination }) => ({
        reference: fields.reference,
        destination,
        amount: fields.amount,
      }));
      const found = await inParts(store, compared, (some) =>
        findEarlierPayments(some, { since, before: batch, asOf }),
      );
      const words = await usesInWords(
        store,
        found.map(([, use]) => use),
      );
      return new Map(
        found.map(([reference, { submittedAt, batchId, row }], index) => {
          const day = dayIn(config.ledger.timeZone, submittedAt);
          return [reference, { day, payment: `batch ${batchId}, row ${row}`, earlier: words[index] ?? "" }];
        }),
      );
    },
  };
}

/** Other transactions are done between the parts of a large file. */
async function inParts<Item, Found>(
  store: Store,
  items: readonly Item[],
  find: (some: readonly Item[]) => Transaction<Iterable<Found>>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const some of chunks(items, ASKED_TOGETHER)) found.push(...(await store.read(() => find(some))));
  return found;
}

const ASKED_TOGETHER = 500;

function pairText({ payee, destination }: Pick<PayeeHistory, "payee" | "destination">): string {
  return JSON.stringify([payee, destination]);
}

function otherwise({ usual, otherName, otherBatch, otherRow }: PayeeHistory): PaidOtherwise {
  const where = `in batch ${otherBatch}, row ${otherRow}`;
  return present({
    usual,
    other: otherName === undefined ? undefined : { name: shownText(otherName), where },
  });
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
