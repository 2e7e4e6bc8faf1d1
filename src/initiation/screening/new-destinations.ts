/** Lists a file's first-time destinations for the approver, each with its first row and the sums it receives. */
import { type ControlTotal, ownText, RunningTotals } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { shownText } from "../../model/shown-text.ts";
import type { Payment } from "./screened-payment.ts";

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

/** The first payment to it, in words: `INV-7 for "Example Ltd"`. */
export function firstPaymentText({ reference, payee }: NewDestination): string {
  return payee === undefined ? reference : `${reference} for "${payee}"`;
}

/** Nobody reads a longer list, and a large file must not fill memory with one. */
const LISTED_MAX = 1000;

interface Listed extends Omit<NewDestination, "totals"> {
  readonly sums: RunningTotals;
}

export class NewDestinationList {
  private readonly listed = new Map<string, Listed>();
  private readonly sums = new RunningTotals();
  private isCut = false;

  /** `name`: the destination's name on the allow list. */
  add(payment: Payment, name: string | undefined): void {
    const { draft, destination, shown } = payment;
    const { amount, reference, customerId } = draft.fields;
    this.sums.add(amount);
    const known = this.listed.get(destination);
    if (known !== undefined) {
      known.sums.add(amount);
    } else if (this.listed.size < LISTED_MAX) {
      const sums = new RunningTotals();
      sums.add(amount);
      // Copies the texts: holding on to part of a payment would keep much more of its file in memory.
      const payee = customerId === undefined ? undefined : ownText(shownText(customerId));
      this.listed.set(ownText(destination), {
        destination: ownText(shown),
        ...present({ name: name === "" ? undefined : name, payee }),
        row: draft.row,
        reference: ownText(reference),
        sums,
      });
    } else {
      this.isCut = true;
    }
  }

  report(): NewDestinations {
    const destinations = [...this.listed.values()].map(({ sums, ...listed }) => ({
      ...listed,
      totals: sums.totals(),
    }));
    return { totals: this.sums.totals(), destinations, isCut: this.isCut };
  }
}
