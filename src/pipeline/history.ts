/**
 * What the history of this workplace says about a file's references and payments. A file so long that asking for each of its rows
 * would take longer than going through all of history once has it gone through, and then asks only for what may be there.
 */
import type { PaidLookAlikes, Payment } from "../initiation/index.ts";
import {
  type BatchId,
  type Day,
  dayIn,
  endsOf,
  endsText,
  type Instruction,
  ownText,
} from "../model/index.ts";
import { findEarlierPayments, findPaidLookAlikes, listPaidDestinations } from "../store/destinations.ts";
import {
  BEFORE_ALL,
  countPast,
  type ListPast,
  listPastPaid,
  listPastPayments,
  listPastReferences,
} from "../store/history.ts";
import { findByReferences } from "../store/instructions.ts";
import { Sieve } from "./sieve.ts";
import type { Workplace } from "./workplace.ts";

/** Each is asked about some hundreds at a time. */
export interface History {
  /** The instructions that used these references before. */
  earlierUses(references: readonly string[]): Promise<readonly Instruction[]>;
  /** Which of the destinations, in comparable form, were paid before. */
  paidBefore(destinations: readonly string[]): Promise<ReadonlySet<string>>;
  readonly paidLookAlikes: PaidLookAlikes;
  /** By reference, when and where the same payment was made within the look-back window. */
  madeBefore(
    payments: readonly Payment[],
  ): Promise<ReadonlyMap<string, { readonly day: Day; readonly earlier: string }>>;
}

/** Of a stored `batch`, its own payments and those of later batches that nobody has approved are no history. */
export function openHistory(workplace: Workplace, batch?: BatchId): History {
  const { config, context, store } = workplace;
  const { lookBackDays } = config.repeats;
  const since = new Date(Date.parse(context.clock.now()) - lookBackDays * DAY_MS).toISOString();
  const sieves = new HistorySieves(workplace, since);
  const knownPaid = new Map<string, boolean>();
  return {
    earlierUses: async (references) => {
      const asked = await sieves.sift("references", references, (reference) => reference);
      return asked.length === 0 ? [] : store.read(() => findByReferences(asked));
    },
    paidBefore: async (destinations) => {
      const sifted = await sieves.sift("paid", destinations, (destination) => destination);
      // Those that a file names again and again are asked for once.
      const asked = sifted.filter((destination) => !knownPaid.has(destination));
      const paid = new Set(sifted.filter((destination) => knownPaid.get(destination) === true));
      if (asked.length === 0) return paid;
      for (const destination of await store.read(() => listPaidDestinations(asked))) paid.add(destination);
      for (const destination of asked)
        if (knownPaid.size < KNOWN_PAID_MAX) knownPaid.set(ownText(destination), paid.has(destination));
      return paid;
    },
    paidLookAlikes: async (asked) => {
      const sifted = await sieves.sift("paidEnds", asked, endsText);
      if (sifted.length === 0) return new Map();
      const paid = await store.read(() => findPaidLookAlikes(sifted));
      return new Map(
        [...paid].map(([destination, earlier]) => [
          destination,
          { destination: earlier.destination, where: `paid before: ${useInWords(earlier)}` },
        ]),
      );
    },
    madeBefore: async (payments) => {
      if (lookBackDays === 0) return new Map();
      const textOf = ({ destination, amount }: Payment) => `${destination} ${amount}`;
      const sifted = await sieves.sift("payments", payments, textOf);
      if (sifted.length === 0) return new Map();
      const asked = sifted.map(({ draft: { fields }, destination }) => ({
        reference: fields.reference,
        destination,
        amount: fields.amount,
      }));
      const earlier = await store.read(() => findEarlierPayments(asked, { since, before: batch }));
      return new Map(
        [...earlier].map(([reference, payment]) => [
          reference,
          { day: dayIn(config.ledger.timeZone, payment.submittedAt), earlier: useInWords(payment) },
        ]),
      );
    },
  };
}

/** "batch B-000003, row 4, paid as 1b2c..." */
export function useInWords({
  batchId,
  row,
  standing,
  payoutId,
}: Pick<Instruction, "batchId" | "row" | "standing"> & { readonly payoutId?: string }): string {
  return `batch ${batchId}, row ${row}, ${payoutId === undefined ? standing : `paid as ${payoutId}`}`;
}

const DAY_MS = 86_400_000;

const KNOWN_PAID_MAX = 10_000;

type SieveName = "references" | "paid" | "paidEnds" | "payments";

/**
 * Made once, when asking has taken as long as going through history takes. What another process takes in meanwhile is not in them:
 * the transaction that stores a batch asks for its references again, and approval compares all its payments.
 */
class HistorySieves {
  private readonly store: Workplace["store"];
  private readonly since: string;
  private sieves: Readonly<Record<SieveName, Sieve>> | undefined;
  private asked = 0;
  private pastCount: number | undefined;

  constructor({ store }: Workplace, since: string) {
    this.store = store;
    this.since = since;
  }

  /** Those that history may hold. */
  async sift<Item>(
    name: SieveName,
    items: readonly Item[],
    textOf: (item: Item) => string,
  ): Promise<readonly Item[]> {
    this.asked += items.length;
    if (this.sieves === undefined && this.asked > ASKED_MIN) {
      this.pastCount ??= await this.store.read(countPast);
      if (this.asked * ASKING_COST > this.pastCount) this.sieves = await this.fill(this.pastCount);
    }
    const sieve = this.sieves?.[name];
    if (sieve === undefined) return items;
    return sieve.isEmpty ? [] : items.filter((item) => sieve.letsThrough(textOf(item)));
  }

  private async fill(capacity: number): Promise<Readonly<Record<SieveName, Sieve>>> {
    const sieves = {
      references: new Sieve(capacity),
      paid: new Sieve(capacity),
      paidEnds: new Sieve(capacity),
      payments: new Sieve(capacity),
    };
    await this.goThrough(listPastReferences, (reference) => sieves.references.add(reference));
    await this.goThrough(listPastPaid, (destination) => {
      sieves.paid.add(destination);
      const ends = endsOf(destination);
      if (ends !== undefined) sieves.paidEnds.add(endsText(ends));
    });
    await this.goThrough(listPastPayments(this.since), (payment) => sieves.payments.add(payment));
    return sieves;
  }

  private async goThrough(list: ListPast, take: (text: string) => void): Promise<void> {
    for (let after = BEFORE_ALL; ; ) {
      const page = await this.store.read(() => list(after, PAST_PER_READ));
      for (const { text } of page) take(text);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }
}

/** Below it nothing is gained. */
const ASKED_MIN = 3000;

/** As a rule of thumb, history is gone through once as many questions were asked as it has payments in groups of so many. */
const ASKING_COST = 12;

/** More make V8, now and then, keep what is read among old objects until it has grown by a hundred megabytes. */
const PAST_PER_READ = 250;
