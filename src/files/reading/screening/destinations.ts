/**
 * Destinations: which were never paid before, which could be confused with another, and the names of the payees
 * paid at them, in the file, in history, and on the list of destinations.
 */
import { fault, type Problem, problem } from "../../../faults/index.ts";
import { applying } from "../../../model/applying.ts";
import { type Line, textOf } from "../../../model/grid.ts";
import {
  type AddressEnds,
  type ControlTotal,
  comparableDestination,
  comparedName,
  type DraftInstruction,
  destinationOf,
  endsOf,
  endsText,
  isUuid,
  RunningTotals,
} from "../../../model/index.ts";
import { present } from "../../../model/present.ts";
import { looksLikePrivateKey } from "../../../model/private-key.ts";
import { escapedText, shownText } from "../../../model/shown-text.ts";
import { type Amount, Decimal } from "../../../money/index.ts";
import { recognizeAddress } from "../../../readers/address.ts";
import {
  type Named,
  type PaidDestinations,
  type PayeeAt,
  type Payment,
  placeText,
  type SeenDestination,
} from "./screened-payment.ts";

export interface NewDestination {
  /** As written in the file. */
  readonly destination: string;
  /** Its name on the allow list. */
  readonly name?: string;
  /** The first row that pays it, with its reference and payee. */
  readonly row: number;
  readonly reference: string;
  readonly payee?: string;
  readonly totals: readonly ControlTotal[];
}

export interface NewDestinations {
  /** The sums over all first-time destinations. */
  readonly totals: readonly ControlTotal[];
  /** How many first-time destinations there are. */
  readonly count: number;
  /** The largest by currency; equal ones in file order. */
  readonly destinations: readonly NewDestination[];
}

/** Nobody reads a longer list. */
const LISTED_MAX = 1000;

/** A first-time destination with its first payment and its sums. */
interface FirstTime {
  readonly shown: string;
  readonly row: number;
  readonly reference: string;
  readonly customerId: string | undefined;
  readonly totals: RunningTotals;
}

/**
 * Adds up the first-time destinations for the approver. Memory grows with their number, not with that of the
 * payments.
 */
export class FirstTimeDestinations {
  private readonly totals = new RunningTotals();
  private readonly byDestination = new Map<string, FirstTime>();

  add({ destination, shown, draft: { row, fields } }: Payment): void {
    const { reference, customerId, amount } = fields;
    const known = this.byDestination.get(destination);
    const first = known ?? { shown, row, reference, customerId, totals: new RunningTotals() };
    if (known === undefined) this.byDestination.set(destination, first);
    first.totals.add(amount);
    this.totals.add(amount);
  }

  /** `names`: the names on the list of destinations. */
  listed(names: ReadonlyMap<string, string>): NewDestinations {
    const destinations = largest(this.byDestination).map(([destination, first]) => {
      const { shown, row, reference, customerId, totals } = first;
      const name = names.get(destination) || undefined;
      const payee = customerId === undefined ? undefined : shownText(customerId);
      return { destination: shown, ...present({ name, payee }), row, reference, totals: totals.totals() };
    });
    return { totals: this.totals.totals(), count: this.byDestination.size, destinations };
  }
}

type OfDestination = readonly [destination: string, first: FirstTime];

/**
 * The largest sums first. Sorts only candidates for the list, because a file may have a hundred thousand
 * destinations.
 */
function largest(all: Iterable<OfDestination>): readonly OfDestination[] {
  const bySum = (one: Sum, other: Sum) => {
    if (one.currency !== other.currency) return one.currency < other.currency ? -1 : 1;
    return other.value.compare(one.value);
  };
  let found: Sum[] = [];
  let least: Sum | undefined;
  for (const each of all) {
    const sum = { each, ...sumOf(each) };
    if (least !== undefined && bySum(least, sum) <= 0) continue;
    found.push(sum);
    if (found.length < 2 * LISTED_MAX) continue;
    found = found.toSorted(bySum).slice(0, LISTED_MAX);
    least = found.at(-1);
  }
  return found
    .toSorted(bySum)
    .slice(0, LISTED_MAX)
    .map(({ each }) => each);
}

interface Sum extends Amount {
  readonly each: OfDestination;
}

/** The sum in the first of its currencies, which is nearly always the only one. */
function sumOf([, { totals }]: OfDestination): Amount {
  const [total] = totals.totals();
  return { currency: total?.currency ?? "", value: total?.amount ?? Decimal.zero };
}

/** `INV-7 for "Example Ltd"` */
export function firstPaymentText({ reference, payee }: NewDestination): string {
  return payee === undefined ? reference : `${reference} for "${payee}"`;
}

const ON_THE_LIST = "on the list of allowed destinations";

/** The destination that a first-time one looks like. */
export interface LookAlike {
  /** In comparable form. */
  readonly destination: string;
  /** How it is known, as a clause: "known from batch B-000003, row 4, paid as 1b2c...". */
  readonly where: string;
}

/** By destination, one that was paid before and has the same beginning and end. */
export type PaidLookAlikes = (
  destinations: readonly (AddressEnds & { readonly destination: string })[],
) => Promise<ReadonlyMap<string, LookAlike>>;

/**
 * By first-time destination, a different one that begins and ends like it: one that was paid before, is on the
 * list, or occurs earlier in the file. Stores only each destination's ends and its look-alike, so the file may come
 * in parts.
 */
export class LookAlikes {
  private readonly byEnds = new Map<string, LookAlike>();
  private readonly found = new Map<string, LookAlike>();
  private readonly compared = new Set<string>();
  private readonly paidLookAlikes: PaidLookAlikes;

  constructor(listed: Iterable<string>, paidLookAlikes: PaidLookAlikes) {
    this.paidLookAlikes = paidLookAlikes;
    for (const destination of listed) {
      const ends = endsOf(destination);
      if (ends !== undefined) this.keep(ends, destination, ON_THE_LIST);
    }
  }

  /** Asks history only about destinations that are new in this part. */
  async compare(payments: readonly Payment[]): Promise<void> {
    const asked = payments.flatMap(({ destination, place }) => {
      if (this.compared.has(destination)) return [];
      this.compared.add(destination);
      const ends = endsOf(destination);
      return ends === undefined ? [] : [{ ...ends, destination, place }];
    });
    const paid = await this.paidLookAlikes(asked);
    for (const each of asked) {
      const before = this.keep(each, each.destination, `in ${placeText(each.place)}`);
      const lookAlike = paid.get(each.destination) ?? before;
      if (lookAlike !== undefined) this.found.set(each.destination, lookAlike);
    }
  }

  of(destination: string): LookAlike | undefined {
    return this.found.get(destination);
  }

  /** The different destination that already has these ends, if any. */
  private keep(ends: AddressEnds, destination: string, where: string): LookAlike | undefined {
    const key = endsText(ends);
    const known = this.byEnds.get(key);
    if (known === undefined) this.byEnds.set(key, { destination, where });
    return known?.destination === destination ? undefined : known;
  }
}

/**
 * Facts about the payee or the address from payments that wait, were approved, or were paid: another address of the
 * payee, another name of the address.
 */
export interface KnownOtherwise {
  /**
   * The latest of the payee's other addresses: "batch B-000003, row 4, paid as ...", "its 4th address in 4 months".
   */
  readonly elsewhere?: { readonly address: string; readonly where: string; readonly times: string };
  /** Another name of the address, as shown, and where: "in batch B-000003, row 4". */
  readonly other?: { readonly name: string; readonly where: string };
}

/** Those of the pairs without an approved payment of the payee to the destination, with other facts about them. */
export type NeverApprovedAt = (
  named: readonly PayeeAt[],
  paid: PaidDestinations,
) => Promise<ReadonlyMap<PayeeAt, KnownOtherwise>>;

/** Those of the pairs whose payee has no payment to the destination that the service accepted. */
export type NeverPaidAt = <Pair extends PayeeAt>(named: readonly Pair[]) => Promise<readonly Pair[]>;

/** The most addresses that a column of payees may have beyond two per name. */
const FEW_NAMES = 3;

/**
 * Whether a column names payees, rather than clients or departments. Compares the number of names in each currency
 * with the number of pairs of name and address: with more than two addresses a name, it does not.
 */
export function namesPayees({ names, pairs }: { readonly names: number; readonly pairs: number }): boolean {
  return pairs - names <= names + FEW_NAMES;
}

/** Counts the names of these payments, and the pairs of name and address. */
export function countNames(drafts: Iterable<DraftInstruction>): Parameters<typeof namesPayees>[0] {
  const names = new Set<string>();
  const pairs = new Set<string>();
  for (const { fields } of drafts) {
    const payee = comparedName(fields.customerId ?? "");
    if (payee === undefined) continue;
    const { currency } = fields.amount;
    names.add(`${currency} ${payee}`);
    pairs.add(`${currency} ${payee} at ${destinationOf(fields)}`);
  }
  return { names: names.size, pairs: pairs.size };
}

/**
 * A finding, and the values that the payment is compared with: an address in comparable form, or other payments in
 * words.
 */
export interface Compared {
  readonly what: Problem;
  readonly address?: string;
  readonly where?: string;
}

/** Stores each name at each destination of a file, which may come in parts. */
export class ComparedPayees {
  /** By currency and payee, its first address. */
  private readonly homes = new Map<string, Map<string, Named>>();
  private hasPayees: boolean | undefined;
  private readonly unknown = new Map<PayeeAt, KnownOtherwise>();
  private readonly listed: ReadonlyMap<string, string>;
  private readonly neverApprovedAt: NeverApprovedAt;
  private readonly namesPayees: () => Promise<boolean>;

  /**
   * `listed`: the names on the list of destinations; `namesPayees`: whether the whole file or batch names payees.
   */
  constructor(
    listed: ReadonlyMap<string, string>,
    neverApprovedAt: NeverApprovedAt,
    namesPayees: () => Promise<boolean>,
  ) {
    this.listed = listed;
    this.neverApprovedAt = neverApprovedAt;
    this.namesPayees = namesPayees;
  }

  /** The pairs of these payments that were not compared yet, each with its payment. */
  fresh(payments: readonly Payment[]): readonly (PayeeAt & { readonly payment: Payment })[] {
    const fresh: (PayeeAt & { readonly payment: Payment })[] = [];
    for (const payment of payments) {
      const { destination, payee, seen } = payment;
      if (payee !== undefined && seen.named(payee) === undefined) fresh.push({ payee, destination, payment });
    }
    return fresh;
  }

  /**
   * The findings about each payment. Does not ask again about a name and an address that were approved together.
   * The sender may read the message, so the payee's known address is only in `address`, which approvers see.
   * `paidAlike`: the payments whose payee was paid at the same destination before, and so with approval.
   */
  async compare(
    payments: readonly Payment[],
    paid: PaidDestinations,
    paidAlike: ReadonlySet<Payment>,
  ): Promise<ReadonlyMap<Payment, readonly Compared[]>> {
    const fresh: Named[] = [];
    for (const payment of payments) {
      const { destination, payee, place, seen } = payment;
      if (payee === undefined || seen.named(payee) !== undefined) continue;
      const { customerId: name = "", amount } = payment.draft.fields;
      const pair = { payee, destination, name, place, currency: amount.currency };
      this.keep(pair, seen);
      if (!paidAlike.has(payment)) fresh.push(pair);
    }
    for (const [pair, otherwise] of await this.neverApprovedAt(fresh, paid))
      this.unknown.set(pair, otherwise);
    if (fresh.some((pair) => this.homeOf(pair) !== pair)) this.hasPayees ??= await this.namesPayees();
    const found = new Map<Payment, readonly Compared[]>();
    for (const payment of this.unknown.size === 0 ? [] : payments) {
      const pair = payment.payee === undefined ? undefined : payment.seen.named(payment.payee);
      const compared = pair === undefined ? [] : this.compared(payment, pair);
      if (compared.length > 0) found.set(payment, compared);
    }
    return found;
  }

  private keep(pair: Named, seen: SeenDestination): void {
    seen.addName(pair);
    const { payee } = pair;
    const homes = this.homes.get(pair.currency) ?? new Map<string, Named>();
    this.homes.set(pair.currency, homes);
    if (!homes.has(payee)) homes.set(payee, pair);
  }

  private homeOf({ currency, payee }: Named): Named | undefined {
    return this.homes.get(currency)?.get(payee);
  }

  /** Another address that the file has for the payee, if it came first. */
  private elsewhereInFile(pair: Named): KnownOtherwise["elsewhere"] {
    const home = this.homeOf(pair);
    if (home === undefined || home === pair || this.hasPayees !== true) return undefined;
    return { address: home.destination, where: placeText(home.place), times: "one more in the same file" };
  }

  private compared({ draft, shown, seen }: Payment, pair: Named): readonly Compared[] {
    const otherwise = this.unknown.get(pair);
    if (otherwise === undefined) return [];
    const first = seen.first ?? pair;
    const inFile = { name: shownText(first.name), where: `in ${placeText(first.place)}` };
    const onList = this.listed.get(pair.destination) ?? "";
    const isOther = onList !== "" && ![undefined, pair.payee].includes(comparedName(onList));
    const listedName = isOther ? { name: shownText(onList), where: ON_THE_LIST } : undefined;
    const { elsewhere = this.elsewhereInFile(pair), other = listedName } = otherwise;
    const another = first === pair ? other : inFile;
    const params = { payee: shownText(draft.fields.customerId ?? ""), destination: shown };
    return applying<Compared>(
      elsewhere && {
        what: problem("DESTINATION_NOT_USUAL", {
          ...params,
          where: elsewhere.where,
          times: elsewhere.times,
        }),
        address: elsewhere.address,
        where: `${elsewhere.where}; this is ${elsewhere.times}`,
      },
      another && {
        what: problem("DESTINATION_OF_ANOTHER", { ...params, other: another.name, where: another.where }),
        where: `${another.name}, ${another.where}`,
      },
    );
  }
}

/** The allow list: a table with columns `address` and, for people, `name`. One invalid line refuses it all. */
export interface AllowList {
  /** The file's name, for messages. */
  readonly file: string;
  /** Names by destination (in comparable form); "" if the list gives none. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Reads the list from the line that names a column `address` on. Throws ALLOW_LIST_INVALID without such a line, and
 * at the first line below it without a destination.
 */
export function readAllowList(lines: readonly Line[], file: string): AllowList {
  const names = new Map<string, string>();
  const texts = lines.map(({ cells }) => cells.map((cell) => textOf(cell).trim()));
  const words = texts.map((line) => line.map((text) => text.toLowerCase()));
  const at = words.findIndex((line) => line.includes("address"));
  const header = words[at];
  if (header === undefined)
    throw fault("ALLOW_LIST_INVALID", { reason: "no line names a column `address`" }, { file });
  for (const [index, line] of lines.entries()) {
    if (index <= at) continue;
    const text = texts[index]?.[header.indexOf("address")] ?? "";
    const wrong = wrongAddress(text);
    if (wrong !== undefined) {
      const where = { file, line: line.line, key: "destinations.allowList" };
      throw fault("ALLOW_LIST_INVALID", { reason: wrong.message }, where);
    }
    names.set(comparableDestination(text), texts[index]?.[header.indexOf("name")] ?? "");
  }
  return { file, names };
}

function wrongAddress(text: string): Problem | undefined {
  const recognized = recognizeAddress(text);
  if (isUuid(text) || !("malformed" in recognized)) return undefined;
  if (looksLikePrivateKey(text)) return problem("ADDRESS_IS_SECRET", {});
  const reason = text === "" ? "the cell is empty" : recognized.malformed;
  return problem("ADDRESS_MALFORMED", { text: escapedText(text), network: "known", reason });
}
