/** The payments of a file or batch as screening compares them, and what it keeps of each destination. */
import {
  comparableDestination,
  comparedName,
  type DraftInstruction,
  destinationField,
} from "../../../model/index.ts";
import type { Decimal } from "../../../money/index.ts";

export interface ScreenedDraft extends DraftInstruction {
  /** Its line in the file; a stored batch knows only its row. */
  readonly line?: number;
}

/**
 * The place of a payment as one number, because a long file keeps many of them: its line or, in a stored batch,
 * minus its row.
 */
export type Place = number;

export interface Payment {
  readonly draft: ScreenedDraft;
  readonly place: Place;
  /** In comparable form. */
  readonly destination: string;
  /** The payee's name in comparable form; undefined if it has none. */
  readonly payee: string | undefined;
  /** As written in the file. */
  readonly shown: string;
  /** What is kept of its destination. */
  readonly seen: SeenDestination;
}

/** `destinations`: those of the file or batch so far. */
export function paymentOf(draft: ScreenedDraft, destinations: SeenDestinations): Payment {
  const { row, line } = draft;
  const { customerId } = draft.fields;
  const shown = draft.fields[destinationField(draft.fields)] ?? "";
  const payee = customerId === undefined ? undefined : comparedName(customerId);
  const destination = comparableDestination(shown);
  return { draft, place: line ?? -row, destination, payee, shown, seen: destinations.at(destination) };
}

/** Says where people find another payment of the same file or batch. */
export function placeText(place: Place): string {
  return place < 0 ? `row ${-place} of this batch` : `line ${place} of this file`;
}

/** A payee's name as compared, and a destination in comparable form. */
export interface PayeeAt {
  readonly payee: string;
  readonly destination: string;
}

/** A name at a destination, as the file's first such payment has it. */
export interface Named extends PayeeAt {
  readonly name: string;
  readonly place: Place;
  /** In another currency a payee always has another address. */
  readonly currency: string;
}

/** The destinations to which anything was paid, in comparable form. */
export type PaidDestinations = Pick<ReadonlySet<string>, "has">;

/**
 * The stored facts about a destination: whether it was paid before, the payees' names there, and the place where
 * each amount is first paid to it.
 */
export class SeenDestination {
  /** Undefined until history was asked. */
  isPaid: boolean | undefined = undefined;
  /** The first name there. */
  first: Named | undefined = undefined;
  /** Further names, at the few destinations that have several. */
  private others: Map<string, Named> | undefined = undefined;
  private value: Decimal | undefined = undefined;
  private currency = "";
  private place: Place = 0;
  /** By amount, for the few destinations that are paid several amounts. */
  private amounts: Map<string, Place> | undefined = undefined;

  named(payee: string): Named | undefined {
    return this.first?.payee === payee ? this.first : this.others?.get(payee);
  }

  addName(named: Named): void {
    if (this.first === undefined) this.first = named;
    else {
      this.others ??= new Map();
      this.others.set(named.payee, named);
    }
  }

  /** The place where the same amount was paid to it before; undefined for the first payment of the amount. */
  firstAlike({ draft, place }: Payment): Place | undefined {
    const { value, currency } = draft.fields.amount;
    if (this.value === undefined) {
      this.value = value;
      this.currency = currency;
      this.place = place;
      return undefined;
    }
    if (this.currency === currency && this.value.equals(value)) return this.place;
    const key = `${value} ${currency}`;
    this.amounts ??= new Map();
    const first = this.amounts.get(key);
    if (first === undefined) this.amounts.set(key, place);
    return first;
  }
}

/** The destinations of a file or batch so far, by their comparable form. */
export class SeenDestinations implements PaidDestinations {
  private readonly byText = new Map<string, SeenDestination>();

  at(destination: string): SeenDestination {
    const known = this.byText.get(destination);
    if (known !== undefined) return known;
    const seen = new SeenDestination();
    this.byText.set(destination, seen);
    return seen;
  }

  /** Whether anything was paid to it before. */
  has(destination: string): boolean {
    return this.byText.get(destination)?.isPaid === true;
  }
}
