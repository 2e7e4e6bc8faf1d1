/** First-time destinations: those to which nothing was paid before, and what they might be mistaken for. */
import { type AddressEnds, type ControlTotal, controlTotals, endsOf, endsText } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { shownText } from "../../model/shown-text.ts";
import { type Payment, placeText } from "./payment.ts";

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
  readonly destinations: readonly NewDestination[];
  /** Whether some are left out of the list. */
  readonly isCut: boolean;
}

/** Nobody reads a longer list. */
const LISTED_MAX = 1000;

/** The first-time destinations of these payments, for the approver; `names`: those on the list of destinations. */
export function newDestinations(
  payments: readonly Payment[],
  names: ReadonlyMap<string, string> = new Map(),
): NewDestinations {
  const totalsOf = (some: readonly Payment[]) => controlTotals(some.map(({ draft }) => draft.fields.amount));
  const groups = [...Map.groupBy(payments, ({ destination }) => destination).values()];
  const destinations = groups.slice(0, LISTED_MAX).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { draft, destination, shown } = first;
    const { reference, customerId } = draft.fields;
    const name = names.get(destination) || undefined;
    const payee = customerId === undefined ? undefined : shownText(customerId);
    return [
      {
        destination: shown,
        ...present({ name, payee }),
        row: draft.row,
        reference,
        totals: totalsOf(group),
      },
    ];
  });
  return { totals: totalsOf(payments), destinations, isCut: groups.length > LISTED_MAX };
}

/** The first payment to it, in words: `INV-7 for "Example Ltd"`. */
export function firstPaymentText({ reference, payee }: NewDestination): string {
  return payee === undefined ? reference : `${reference} for "${payee}"`;
}

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
  const keep = (destination: string, ends: AddressEnds | undefined, where: string) => {
    const key = ends === undefined ? "" : endsText(ends);
    const known = byEnds.get(key);
    if (known === undefined && ends !== undefined) byEnds.set(key, { destination, where });
    return known?.destination === destination ? undefined : known;
  };
  for (const destination of listed)
    keep(destination, endsOf(destination), "on the list of allowed destinations");
  const firsts = Map.groupBy(payments, ({ destination }) => destination);
  const asked = [...firsts].flatMap(([destination, [payment]]) => {
    const ends = endsOf(destination);
    return ends === undefined || payment === undefined ? [] : [{ ...ends, destination, payment }];
  });
  const paid = await paidLookAlikes(asked);
  const found = new Map<string, LookAlike>();
  for (const { start, end, destination, payment } of asked) {
    const before = keep(destination, { start, end }, `in ${placeText(payment)}`);
    const lookAlike = paid.get(destination) ?? before;
    if (lookAlike !== undefined) found.set(destination, lookAlike);
  }
  return found;
}
