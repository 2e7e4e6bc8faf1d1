/** The payments of a file or batch as screening compares them, and what it keeps of each destination. */
import { Column } from "../../../model/column.ts";
import {
  comparableDestination,
  comparedName,
  type DraftInstruction,
  destinationField,
} from "../../../model/index.ts";
import { DecimalColumn } from "../../../money/index.ts";

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
 * The destinations of a file or batch so far, by their comparable form: whether each was paid before, the payees'
 * names there, and the place where each amount is first paid to it. Stored by columns, in a quarter of the memory
 * that objects would take.
 */
export class SeenDestinations implements PaidDestinations {
  private readonly indexOf = new Map<string, number>();
  private readonly columns = new SeenColumns();

  at(destination: string): SeenDestination {
    const known = this.indexOf.get(destination);
    const index = known ?? this.columns.addDestination();
    if (known === undefined) this.indexOf.set(destination, index);
    return new SeenDestination(this.columns, index);
  }

  /** Whether anything was paid to it before. */
  has(destination: string): boolean {
    return this.columns.isPaid[this.indexOf.get(destination) ?? -1] === true;
  }
}

/** By the index of a destination. */
class SeenColumns {
  readonly isPaid: (boolean | undefined)[] = [];
  readonly firstNames: (Named | undefined)[] = [];
  /** By payee, the further names at the few destinations that have several. */
  readonly otherNames = new Map<number, Map<string, Named>>();
  readonly firstPayments: (number | undefined)[] = [];
  /** By amount, the places at the few destinations that are paid several amounts. */
  readonly otherAmounts = new Map<number, Map<string, Place>>();
  /** By the index of a first payment. */
  readonly values = new DecimalColumn();
  readonly currencies = new Column<string>();
  readonly places: Place[] = [];

  addDestination(): number {
    this.firstNames.push(undefined);
    this.firstPayments.push(undefined);
    return this.isPaid.push(undefined) - 1;
  }
}

/** What is stored about one destination. */
export class SeenDestination {
  private readonly columns: SeenColumns;
  private readonly index: number;

  constructor(columns: SeenColumns, index: number) {
    this.columns = columns;
    this.index = index;
  }

  /** Undefined until history was asked. */
  get isPaid(): boolean | undefined {
    return this.columns.isPaid[this.index];
  }

  set isPaid(isPaid: boolean) {
    this.columns.isPaid[this.index] = isPaid;
  }

  /** The first name there. */
  get first(): Named | undefined {
    return this.columns.firstNames[this.index];
  }

  named(payee: string): Named | undefined {
    const { first } = this;
    return first?.payee === payee ? first : this.columns.otherNames.get(this.index)?.get(payee);
  }

  addName(named: Named): void {
    const { firstNames, otherNames } = this.columns;
    if (this.first === undefined) firstNames[this.index] = named;
    else listedIn(otherNames, this.index).set(named.payee, named);
  }

  /** The place where the same amount was paid to it before; undefined for the first payment of the amount. */
  firstAlike({ draft, place }: Payment): Place | undefined {
    const { firstPayments, otherAmounts, values, currencies, places } = this.columns;
    const { value, currency } = draft.fields.amount;
    const first = firstPayments[this.index];
    if (first === undefined) {
      firstPayments[this.index] = values.add(value);
      currencies.add(currency);
      places.push(place);
      return undefined;
    }
    if (currencies.at(first) === currency && values.at(first).equals(value)) return places[first];
    const others = listedIn(otherAmounts, this.index);
    const key = `${value} ${currency}`;
    const known = others.get(key);
    if (known === undefined) others.set(key, place);
    return known;
  }
}

function listedIn<Value>(lists: Map<number, Map<string, Value>>, index: number): Map<string, Value> {
  const known = lists.get(index);
  const list = known ?? new Map<string, Value>();
  if (known === undefined) lists.set(index, list);
  return list;
}
