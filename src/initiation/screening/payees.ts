/**
 * Compares the names of payees with the addresses that they, and others, were paid at: in the file, in history, and on the
 * list of destinations. A name and an address that were paid together before are not asked about again.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import { comparedName } from "../../model/index.ts";
import { shownText } from "../../model/shown-text.ts";
import { type Payment, placeText } from "./payment.ts";

export interface PaidOtherwise {
  /** Another address at which the payee was paid at least twice. */
  readonly usual?: string;
  /** Another name under which the address was paid. */
  readonly other?: OtherName;
}

interface OtherName {
  /** As shown. */
  readonly name: string;
  /** "in batch B-000003, row 4" */
  readonly where: string;
}

/** A payee's name as compared, and a destination in comparable form. */
interface Named {
  readonly payee: string;
  readonly destination: string;
}

/** What was paid otherwise, of those whose payee was never paid at their destination. */
export type NeverPaidAt = <Each extends Named>(
  named: readonly Each[],
) => Promise<ReadonlyMap<Each, PaidOtherwise>>;

/** What is found about each payment; `listed`: the names on the list of destinations. */
export async function comparePayees(
  payments: readonly Payment[],
  listed: ReadonlyMap<string, string>,
  neverPaidAt: NeverPaidAt,
): Promise<ReadonlyMap<Payment, readonly Problem[]>> {
  const named = payments.flatMap((payment) => {
    const { destination, draft } = payment;
    const name = draft.fields.customerId ?? "";
    const payee = comparedName(name);
    return payee === undefined ? [] : [{ payment, payee, destination, name: shownText(name) }];
  });
  const unknown = await neverPaidAt(named);
  const firsts = new Map<string, (typeof named)[number]>();
  const found = new Map<Payment, readonly Problem[]>();
  for (const each of named) {
    const { payment, payee, destination, name } = each;
    const first = firsts.get(destination) ?? each;
    firsts.set(destination, first);
    const otherwise = unknown.get(each);
    if (otherwise === undefined) continue;
    const { usual, other = nameOnList(each, listed) } = otherwise;
    const inFile = { name: first.name, where: `in ${placeText(first.payment)}` };
    const another = first.payee === payee ? other : inFile;
    const params = { payee: name, destination: payment.shown };
    const problems = applying(
      usual !== undefined && problem("DESTINATION_NOT_USUAL", { ...params, usual }),
      another && problem("DESTINATION_OF_ANOTHER", { ...params, other: another.name, where: another.where }),
    );
    found.set(payment, problems);
  }
  return found;
}

function nameOnList(
  { payee, destination }: Named,
  listed: ReadonlyMap<string, string>,
): OtherName | undefined {
  const name = listed.get(destination) ?? "";
  const compared = comparedName(name);
  if (compared === undefined || compared === payee) return undefined;
  return { name: shownText(name), where: "on the list of allowed destinations" };
}
