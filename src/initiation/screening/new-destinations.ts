/** First-time destinations of a file, for the person who approves it: each with its first row and what goes there. */
import { type ControlTotal, ownText, RunningTotals } from "../../model/index.ts";
import type { Payment } from "./screened-payment.ts";

export interface NewDestination {
  /** As the file has it. */
  readonly destination: string;
  /** By the list of allowed destinations. */
  readonly name?: string;
  /** The first row that pays it. */
  readonly row: number;
  readonly totals: readonly ControlTotal[];
}

export interface NewDestinations {
  /** Everything that goes to first-time destinations. */
  readonly totals: readonly ControlTotal[];
  readonly destinations: readonly NewDestination[];
  /** There are more than are listed. */
  readonly isCut: boolean;
}

/** A person reads no longer list, and a large file must not fill the memory with one. */
const LISTED_MAX = 1000;

interface Listed {
  readonly shown: string;
  readonly name: string | undefined;
  readonly row: number;
  readonly sums: RunningTotals;
}

export class NewDestinationList {
  private readonly listed = new Map<string, Listed>();
  private readonly sums = new RunningTotals();
  private isCut = false;

  /** `name` is what the list of allowed destinations calls it. */
  add(payment: Payment, name: string | undefined): void {
    const { draft, destination, shown } = payment;
    const { amount } = draft.fields;
    this.sums.add(amount);
    const known = this.listed.get(destination);
    if (known !== undefined) {
      known.sums.add(amount);
    } else if (this.listed.size < LISTED_MAX) {
      const sums = new RunningTotals();
      sums.add(amount);
      // No part of the payment is kept itself: what is held of a few rows makes the engine keep all like them for long.
      this.listed.set(ownText(destination), { shown: ownText(shown), name, row: draft.row, sums });
    } else {
      this.isCut = true;
    }
  }

  report(): NewDestinations {
    const destinations = [...this.listed.values()].map(({ shown, name, row, sums }) => ({
      destination: shown,
      ...(name === undefined || name === "" ? {} : { name }),
      row,
      totals: sums.totals(),
    }));
    return { totals: this.sums.totals(), destinations, isCut: this.isCut };
  }
}
