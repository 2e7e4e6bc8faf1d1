/**
 * Destinations: to which nothing was paid before, what they might be mistaken for, and whose names were paid at them, in
 * the file, in history, and on the list of destinations.
 */
import { fault, type Problem, problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import { type Line, textOf } from "../../model/grid.ts";
import {
  type AddressEnds,
  type ControlTotal,
  comparableDestination,
  comparedName,
  controlTotals,
  type DraftInstruction,
  destinationField,
  endsOf,
  endsText,
  isUuid,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { looksLikePrivateKey } from "../../model/private-key.ts";
import { escapedText, shownText } from "../../model/shown-text.ts";
import { type Amount, Decimal } from "../../money/index.ts";
import { recognizeAddress } from "../address.ts";

export interface ScreenedDraft extends DraftInstruction {
  /** Its line in the file; a stored batch knows only its row. */
  readonly line?: number;
}

export interface Payment {
  readonly draft: ScreenedDraft;
  /** In comparable form. */
  readonly destination: string;
  /** As written in the file. */
  readonly shown: string;
}

export function paymentOf(draft: ScreenedDraft): Payment {
  const shown = draft.fields[destinationField(draft.fields)] ?? "";
  return { draft, destination: comparableDestination(shown), shown };
}

/** Where people find another payment of the same file or batch. */
export function placeText({ draft: { line, row } }: Payment): string {
  return line === undefined ? `row ${row} of this batch` : `line ${line} of this file`;
}

export interface NewDestination {
  /** As written in the file. */
  readonly destination: string;
  /** Its name on the allow list. */
  readonly name?: string;
  /** The first row that pays it, with its reference and the payee that it names. */
  readonly row: number;
  readonly reference: string;
  readonly payee?: string;
  readonly totals: readonly ControlTotal[];
}

export interface NewDestinations {
  /** The sums over all first-time destinations. */
  readonly totals: readonly ControlTotal[];
  /** How many there are. */
  readonly count: number;
  /** The largest, by currency, and of those equal in file order. */
  readonly destinations: readonly NewDestination[];
}

/** Nobody reads a longer list. */
const LISTED_MAX = 1000;

/** The first-time destinations of these payments, for the approver; `names`: those on the list of destinations. */
export function newDestinations(
  payments: readonly Payment[],
  names: ReadonlyMap<string, string>,
): NewDestinations {
  const totalsOf = (some: readonly Payment[]) => controlTotals(some.map(({ draft }) => draft.fields.amount));
  const groups = [...Map.groupBy(payments, ({ destination }) => destination).values()];
  const destinations = largest(groups).flatMap((group) =>
    group.slice(0, 1).map(({ destination, shown, draft: { row, fields } }) => {
      const { reference, customerId } = fields;
      const name = names.get(destination) || undefined;
      const payee = customerId === undefined ? undefined : shownText(customerId);
      return { destination: shown, ...present({ name, payee }), row, reference, totals: totalsOf(group) };
    }),
  );
  return { totals: totalsOf(payments), count: groups.length, destinations };
}

/** The largest sums first. Sorts only what may be among them: a file may have a hundred thousand. */
function largest(groups: readonly (readonly Payment[])[]): readonly (readonly Payment[])[] {
  const bySum = (one: Sum, other: Sum) => {
    if (one.currency !== other.currency) return one.currency < other.currency ? -1 : 1;
    return other.value.compare(one.value);
  };
  let found: Sum[] = [];
  let least: Sum | undefined;
  for (const group of groups) {
    const sum = { group, ...sumOf(group) };
    if (least !== undefined && bySum(least, sum) <= 0) continue;
    found.push(sum);
    if (found.length < 2 * LISTED_MAX) continue;
    found = found.toSorted(bySum).slice(0, LISTED_MAX);
    least = found.at(-1);
  }
  return found
    .toSorted(bySum)
    .slice(0, LISTED_MAX)
    .map(({ group }) => group);
}

interface Sum extends Amount {
  readonly group: readonly Payment[];
}

/** In the first of its currencies, which is nearly always the only one. */
function sumOf(group: readonly Payment[]): Amount {
  const [first, another] = group;
  if (first !== undefined && another === undefined) return first.draft.fields.amount;
  const [total] = controlTotals(group.map(({ draft }) => draft.fields.amount));
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
  /** Where it is known from, as a clause: "known from batch B-000003, row 4, paid as 1b2c...". */
  readonly where: string;
}

/** For each of the destinations, one that was paid before and has the same beginning and end. */
export type PaidLookAlikes = (
  destinations: readonly (AddressEnds & { readonly destination: string })[],
) => Promise<ReadonlyMap<string, LookAlike>>;

/**
 * By first-time destination, a different one that begins and ends like it: one that was paid before, is `listed`, or
 * stands earlier in the file.
 */
export async function lookAlikes(
  payments: readonly Payment[],
  listed: Iterable<string>,
  paidLookAlikes: PaidLookAlikes,
): Promise<ReadonlyMap<string, LookAlike>> {
  const byEnds = new Map<string, LookAlike>();
  const keep = (ends: AddressEnds, destination: string, where: string) => {
    const key = endsText(ends);
    const known = byEnds.get(key);
    if (known === undefined) byEnds.set(key, { destination, where });
    return known?.destination === destination ? undefined : known;
  };
  const withEnds = <Rest>(destination: string, rest: Rest) => {
    const ends = endsOf(destination);
    return ends === undefined ? [] : [{ ...ends, destination, rest }];
  };
  for (const destination of listed)
    for (const ends of withEnds(destination, ON_THE_LIST)) keep(ends, destination, ends.rest);
  const firsts = new Map<string, Payment>();
  for (const payment of payments)
    if (!firsts.has(payment.destination)) firsts.set(payment.destination, payment);
  const asked = [...firsts].flatMap(([destination, payment]) => withEnds(destination, payment));
  const paid = await paidLookAlikes(asked);
  const found = new Map<string, LookAlike>();
  for (const each of asked) {
    const before = keep(each, each.destination, `in ${placeText(each.rest)}`);
    const lookAlike = paid.get(each.destination) ?? before;
    if (lookAlike !== undefined) found.set(each.destination, lookAlike);
  }
  return found;
}

/** A payee's name as compared, and a destination in comparable form. */
export interface PayeeAt {
  readonly payee: string;
  readonly destination: string;
}

export interface PaidOtherwise {
  /** Another address at which the payee was paid at least twice. */
  readonly usual?: string;
  /** Another name, as shown, under which the address was paid, and where: "in batch B-000003, row 4". */
  readonly other?: { readonly name: string; readonly where: string };
}

/**
 * What was paid otherwise, by each of these whose payee was never paid at its destination; `paid`: the destinations to
 * which anything was paid.
 */
export type NeverPaidAt = (
  named: readonly PayeeAt[],
  paid: ReadonlySet<string>,
) => Promise<ReadonlyMap<PayeeAt, PaidOtherwise>>;

/** The first payment of the file with this name and destination. */
interface Named extends PayeeAt {
  readonly name: string;
  readonly payment: Payment;
}

/** What is found, and what the payment is compared with: an address in comparable form, or other payments in words. */
export interface Compared {
  readonly what: Problem;
  readonly address?: string;
  readonly where?: string;
}

/**
 * What is found about each payment; `listed`: the names on the list of destinations. A name and an address that were paid
 * together before are not asked about again.
 */
export async function comparePayees(
  payments: readonly Payment[],
  paid: ReadonlySet<string>,
  listed: ReadonlyMap<string, string>,
  neverPaidAt: NeverPaidAt,
): Promise<ReadonlyMap<Payment, readonly Compared[]>> {
  const names = new Map<string, string | undefined>();
  const pairs = new Map<string, Map<string, Named>>();
  const named: (readonly [Payment, Named])[] = [];
  for (const payment of payments) {
    const { customerId: name } = payment.draft.fields;
    if (name === undefined) continue;
    if (!names.has(name)) names.set(name, comparedName(name));
    const payee = names.get(name);
    if (payee === undefined) continue;
    const { destination } = payment;
    const atDestination = pairs.get(destination) ?? new Map<string, Named>();
    const pair = atDestination.get(payee) ?? { payee, destination, name, payment };
    pairs.set(destination, atDestination.set(payee, pair));
    named.push([payment, pair]);
  }
  const distinct = [...pairs.values()].flatMap((some) => [...some.values()]);
  const unknown = await neverPaidAt(distinct, paid);
  const found = new Map<Payment, readonly Compared[]>();
  for (const [payment, pair] of named) {
    const otherwise = unknown.get(pair);
    if (otherwise === undefined) continue;
    const [first = pair] = pairs.get(pair.destination)?.values() ?? [];
    const inFile = { name: shownText(first.name), where: `in ${placeText(first.payment)}` };
    const onList = listed.get(pair.destination) ?? "";
    const isOther = onList !== "" && ![undefined, pair.payee].includes(comparedName(onList));
    const listedName = isOther ? { name: shownText(onList), where: ON_THE_LIST } : undefined;
    const { usual, other = listedName } = otherwise;
    const another = first === pair ? other : inFile;
    if (usual === undefined && another === undefined) continue;
    const params = { payee: shownText(payment.draft.fields.customerId ?? ""), destination: payment.shown };
    const compared = applying<Compared>(
      usual !== undefined && {
        what: problem("DESTINATION_NOT_USUAL", { ...params, usual }),
        address: usual,
      },
      another && {
        what: problem("DESTINATION_OF_ANOTHER", { ...params, other: another.name, where: another.where }),
        where: `${another.name}, ${another.where}`,
      },
    );
    found.set(payment, compared);
  }
  return found;
}

/** The allow list: a table with columns `address` and, for people, `name`. One invalid line refuses it all. */
export interface AllowList {
  /** The file's name, for messages. */
  readonly file: string;
  /** Names by destination (in comparable form); "" if the list gives none. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * From the line that names a column `address` on. Throws ALLOW_LIST_INVALID without such a line, and at the first line
 * below it without a destination.
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
