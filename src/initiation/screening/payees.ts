/**
 * Compares the names of payees with the addresses that they, and others, were paid at: in the file, in history, and on the
 * list of destinations. A name and an address that were paid together before are not asked about again.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import { comparedName } from "../../model/index.ts";
import { shownText } from "../../model/shown-text.ts";
import { type Payment, placeOf, placeText } from "./screened-payment.ts";

export interface PaidOtherwise {
  /** Another address at which the payee was paid at least twice. */
  readonly usual?: string;
  /** Another name under which the address was paid. */
  readonly other?: OtherName;
}

interface OtherName {
  /** As written. */
  readonly name: string;
  /** "in batch B-000003, row 4" */
  readonly where: string;
}

/** By payment, what was paid otherwise; of those whose payee, as compared, was never paid at their address. */
export type NeverPaidAt = <Named extends { readonly payee: string; readonly destination: string }>(
  named: readonly Named[],
) => Promise<ReadonlyMap<Named, PaidOtherwise>>;

/** `listed`: the names on the list of destinations. Returns what is found about each payment, in file order. */
export function payeeComparison(neverPaidAt: NeverPaidAt, listed: ReadonlyMap<string, string> = new Map()) {
  const firsts = new Map<string, OtherName & { readonly payee: string }>();
  return async (payments: readonly Payment[]): Promise<ReadonlyMap<Payment, readonly Problem[]>> => {
    const named = payments.flatMap((payment) => {
      const { destination, draft } = payment;
      const name = draft.fields.customerId ?? "";
      const payee = comparedName(name);
      return payee === undefined ? [] : [{ payment, payee, destination, name: shownText(name) }];
    });
    const unknown = await neverPaidAt(named);
    const found = new Map<Payment, readonly Problem[]>();
    for (const each of named) {
      const { payment, payee, destination, name } = each;
      const first = firsts.get(destination);
      const where = `in ${placeText(payment.draft, placeOf(payment.draft))}`;
      if (first === undefined) firsts.set(destination, { payee, name, where });
      const otherwise = unknown.get(each);
      if (otherwise === undefined) continue;
      const { usual } = otherwise;
      const other =
        first !== undefined && first.payee !== payee ? first : (nameOnList(each) ?? otherwise.other);
      const what = applying(
        usual !== undefined &&
          problem("DESTINATION_NOT_USUAL", { payee: name, usual, destination: payment.shown }),
        other &&
          problem("DESTINATION_OF_ANOTHER", {
            payee: name,
            destination: payment.shown,
            other: other.name,
            where: other.where,
          }),
      );
      if (what.length > 0) found.set(payment, what);
    }
    return found;
  };

  function nameOnList({
    payee,
    destination,
  }: {
    readonly payee: string;
    readonly destination: string;
  }): OtherName | undefined {
    const name = listed.get(destination) ?? "";
    const compared = comparedName(name);
    if (compared === undefined || compared === payee) return undefined;
    return { name: shownText(name), where: "on the list of allowed destinations" };
  }
}
