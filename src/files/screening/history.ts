/** Compares a file's references and payments with earlier batches, some thousands at a time. */

import { giveWay } from "../../context/context.ts";
import { chunks } from "../../model/chunks.ts";
import {
  type BatchId,
  courseOf,
  courseWords,
  DAY_MS,
  dayIn,
  type EarlierCourse,
  type Instant,
  type Instruction,
  payoutStateMeaning,
  STANDING_WORDS,
  shifted,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { shownText } from "../../model/shown-text.ts";
import { knownByIds } from "../../observation/index.ts";
import { listSubmittedAt } from "../../store/batches.ts";
import {
  ADDRESSES_MAX,
  findAddressesOf,
  findEarlierPayments,
  findPaidLookAlikes,
  findTwoPayeesAt,
  type KnownAddress,
  listKnownPayees,
  listNamedDestinations,
  listNeverApprovedAt,
  listNeverPaidAt,
  listPaidDestinations,
  listUses,
  type OtherBatches,
  UNDECIDED,
} from "../../store/destinations.ts";
import { findUses, type ReferenceUse } from "../../store/references.ts";
import type { Transaction } from "../../store/sql.ts";
import type { Store } from "../../store/store.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import type { KnownOtherwise, PayeeAt, ScreeningPolicy } from "../reading/index.ts";

type PastCourse = Omit<EarlierCourse, "batchId">;

export interface History
  extends Pick<
    ScreeningPolicy,
    "neverPaidAt" | "paidBefore" | "paidLookAlikes" | "neverApprovedAt" | "madeBefore"
  > {
  /** The earlier uses of these references, each with its words. */
  earlierUses(
    references: readonly string[],
  ): Promise<readonly (ReferenceUse & PastCourse & { readonly inWords: string })[]>;
}

export interface HistoryScope {
  /**
   * The stored batch that is compared; a new file without it. The batch's own payments and those of later unapproved
   * batches do not count.
   */
  readonly before?: BatchId;
  /** Later batches that were approved after it do not count either: their approvers were shown this one's. */
  readonly asOf?: Instant | undefined;
  /** Whether repeats are reported however old they are, and not only within the look-back window. */
  readonly isOfEver?: boolean;
}

/** Of repeats of a payment, reports the most recent one that lies in the scope or is still undecided. */
export function openHistory(
  place: Workplace,
  { before, asOf, isOfEver = false }: HistoryScope = {},
): History {
  const { config, context, store } = place;
  const since = isOfEver ? "" : shifted(context.clock.now(), -config.repeats.lookBackDays * DAY_MS);
  return {
    earlierUses: async (references) => {
      // In the order of their index, so that each of its pages is read once: in any other order nearly every
      // reference of a long file needs another page.
      const uses = await inParts(place, references.toSorted(), findUses);
      const courses = await coursesOf(
        store,
        uses.map(({ instruction }) => instruction),
        config.ledger.timeZone,
      );
      return uses.map((use, index) => {
        const { batchId, row, standing } = use.instruction;
        const course: PastCourse = courses[index] ?? { course: courseOf(standing, undefined) };
        return { ...use, ...course, inWords: `${courseWords(course)} as ${batchId}, row ${row}` };
      });
    },
    neverPaidAt: (named) => inParts(place, named, (some) => listNeverPaidAt(some, { than: before })),
    paidBefore: async (destinations) => new Set(await inParts(place, destinations, listPaidDestinations)),
    paidLookAlikes: async (destinations) => {
      const asked = destinations.map(({ destination }) => destination);
      const paid = await inParts(place, asked, findPaidLookAlikes);
      const words = await usesInWords(store, paid, ([, use]) => use);
      const where = (index: number) => `known from ${words[index]}`;
      return new Map(
        paid.map(([asked, { destination }], index) => [asked, { destination, where: where(index) }]),
      );
    },
    neverApprovedAt: async (named, paid) => {
      const payees = distinct(named.map(({ payee }) => payee));
      const known = new Set(await inParts(place, payees, listKnownPayees));
      const isSeen = ({ payee, destination }: PayeeAt) => known.has(payee) || paid.has(destination);
      const unseen = distinct(named.filter((each) => !isSeen(each)).map(({ destination }) => destination));
      const atNamed = new Set(await inParts(place, unseen, listNamedDestinations));
      const isKnown = (each: PayeeAt) => isSeen(each) || atNamed.has(each.destination);
      // Leaves out later payments, because the approvers of a stored batch may not have been shown payments that
      // were approved later.
      const others = { than: before, onlyEarlier: asOf !== undefined };
      return knownOtherwise(place, Map.groupBy(named, isKnown), others);
    },
    madeBefore: async (payments) => {
      const compared = payments.map(({ draft: { fields }, destination }) => {
        return { reference: fields.reference, destination, amount: fields.amount };
      });
      const made = await inParts(place, compared, (some) =>
        findEarlierPayments(some, { since, before, asOf }),
      );
      const words = await usesInWords(store, made, ([, use]) => use);
      return new Map(
        made.map(([reference, { submittedAt, batchId, row }], index) => {
          const day = dayIn(config.ledger.timeZone, submittedAt);
          return [reference, { day, payment: `batch ${batchId}, row ${row}`, earlier: words[index] ?? "" }];
        }),
      );
    },
  };
}

/** Works in parts, so that other transactions can run between them. Throws INTERRUPTED. */
async function inParts<Item, Found>(
  { store, context }: Place,
  items: readonly Item[],
  find: (some: readonly Item[]) => Transaction<Iterable<Found>>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const some of chunks(items, ASKED_TOGETHER)) {
    await giveWay(context);
    found.push(...(await store.read(() => find(some))));
  }
  return found;
}

type Place = Pick<Workplace, "store" | "context">;

/** Each statement, and each list of JSON in it, has a cost of its own. */
const ASKED_TOGETHER = 2_000;

/** Other facts about each pair without an approved payment. Looks each payee up once. */
async function knownOtherwise(
  place: Workplace,
  named: ReadonlyMap<boolean, readonly PayeeAt[]>,
  others: OtherBatches,
): Promise<ReadonlyMap<PayeeAt, KnownOtherwise>> {
  const never = await inParts(place, named.get(true) ?? [], (some) => listNeverApprovedAt(some, others));
  const payees = distinct(never.map(({ payee }) => payee));
  const addresses = new Map(await inParts(place, payees, (some) => findAddressesOf(some, others)));
  const destinations = distinct(never.map(({ destination }) => destination));
  const payeesAt = new Map(await inParts(place, destinations, (some) => findTwoPayeesAt(some, others)));
  const moved = new Map(
    never.flatMap((each): (readonly [PayeeAt, MovedFrom])[] => {
      const elsewhere = addresses
        .get(each.payee)
        ?.filter(({ destination }) => destination !== each.destination);
      const [last] = elsewhere ?? [];
      if (elsewhere === undefined || last === undefined) return [];
      return [[each, { last, approved: elsewhere.filter(({ isApproved }) => isApproved) }]];
    }),
  );
  const inWords = await movedInWords(place, moved);
  const otherwise = new Map<PayeeAt, KnownOtherwise>();
  for (const each of named.get(false) ?? []) otherwise.set(each, {});
  for (const each of never) {
    const other = payeesAt.get(each.destination)?.find(({ payee }) => payee !== each.payee);
    const known = other && {
      name: shownText(other.name),
      where: `in batch ${other.batchId}, row ${other.row}`,
    };
    otherwise.set(each, present({ elsewhere: inWords.get(each), other: known }));
  }
  return otherwise;
}

/** Another address of a payee. */
interface MovedFrom {
  readonly last: KnownAddress;
  /** The newest first. */
  readonly approved: readonly KnownAddress[];
}

async function movedInWords(
  place: Workplace,
  moved: ReadonlyMap<PayeeAt, MovedFrom>,
): Promise<ReadonlyMap<PayeeAt, NonNullable<KnownOtherwise["elsewhere"]>>> {
  const shown = [...new Map([...moved.values()].map(({ last: { id } }) => [id, id])).keys()];
  const uses = await inParts(place, shown, listUses);
  const words = await usesInWords(place.store, uses, (use) => use);
  const whereOf = new Map(uses.map(({ id }, index) => [id, words[index] ?? ""]));
  const firsts = [...moved.values()].flatMap(({ approved }) => approved.at(-1)?.batchId ?? []);
  const since = new Map(await inParts(place, distinct(firsts), listSubmittedAt));
  const now = place.context.clock.now();
  const inWords = [...moved].map(([each, { last, approved }]) => {
    const first = approved.at(-1);
    const times = timesText(approved.length, first && since.get(first.batchId), now);
    return [each, { address: last.destination, where: whereOf.get(last.id) ?? "", times }] as const;
  });
  return new Map(inWords);
}

/** "its 4th address in 4 months", including the one that the question is about. */
function timesText(approved: number, since: Instant | undefined, now: Instant): string {
  if (since === undefined) return "an address that nobody has approved";
  const months = Math.max(1, Math.ceil((Date.parse(now) - Date.parse(since)) / (30.44 * DAY_MS)));
  const isAll = approved < ADDRESSES_MAX - 1;
  const count = isAll ? `its ${ordinal(approved + 1)} address` : `one of more than ${approved} addresses`;
  return `${count} in ${months === 1 ? "1 month" : `${months} months`}`;
}

function ordinal(count: number): string {
  const ending = ORDINALS[new Intl.PluralRules("en", { type: "ordinal" }).select(count)] ?? "th";
  return `${count}${ending}`;
}

const ORDINALS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };

function distinct<Text extends string>(texts: readonly Text[]): readonly Text[] {
  return [...new Set(texts)];
}

/** The outcomes of payments; if the service accepted one, since when. */
export async function coursesOf(
  store: Store,
  payments: readonly Pick<Instruction, "standing" | "payoutId">[],
  timeZone: string,
): Promise<readonly PastCourse[]> {
  if (payments.length === 0) return [];
  const payouts = await store.read(() => knownByIds(payments.flatMap(({ payoutId }) => payoutId ?? [])));
  return payments.map(({ standing, payoutId }): PastCourse => {
    const payout = payoutId && payouts.get(payoutId);
    if (standing !== "accepted" || !payout) return { course: courseOf(standing, undefined) };
    const { state, sentFunds, createdAt, stateSeenAt } = payout;
    const course = courseOf(standing, payoutStateMeaning(state));
    const paidAt = sentFunds.at(-1)?.confirmedAt ?? stateSeenAt;
    return { course, day: dayIn(timeZone, course === "paid" ? paidAt : (createdAt ?? stateSeenAt)) };
  });
}

type Use = Pick<Instruction, "batchId" | "row" | "standing" | "payoutId">;

/**
 * "batch B-000003, row 4, paid as 1b2c..."; "..., abandoned (may have been paid)". Does not describe a failed
 * payout as paid.
 */
async function usesInWords<Found>(
  store: Store,
  found: readonly Found[],
  useIn: (each: Found) => Use,
): Promise<string[]> {
  // True for most windows of a file.
  if (found.length === 0) return [];
  const uses = found.map(useIn);
  const payouts = await store.read(() => knownByIds(uses.flatMap(({ payoutId }) => payoutId ?? [])));
  return uses.map(({ batchId, row, standing, payoutId }) => {
    const isUndecided = UNDECIDED.some((undecided) => undecided === standing);
    const stands = STANDING_WORDS[standing];
    const course = isUndecided ? `${stands} (may have been paid)` : stands;
    const words =
      payoutId === undefined ? course : payoutInWords(payoutId, payouts.get(payoutId)?.state ?? "");
    return `batch ${batchId}, row ${row}, ${words}`;
  });
}

function payoutInWords(payoutId: string, state: string): string {
  const meaning = payoutStateMeaning(state);
  if (meaning === "failed") return `sent as payout ${payoutId}, which failed (${state})`;
  if (meaning === "unknown") return `sent as payout ${payoutId}, which is ${state} (may have been paid)`;
  return `paid as ${payoutId}`;
}
