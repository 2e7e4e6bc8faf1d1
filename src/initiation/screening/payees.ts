/**
 * Compares the names of payees with the addresses that they, and others, were paid at: in the file, in history, and on the
 * list of destinations. A name and an address that were paid together before are not asked about again.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import {
  comparableDestination,
  comparedName,
  type DraftInstruction,
  destinationField,
} from "../../model/index.ts";
import { shownText } from "../../model/shown-text.ts";

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
export interface PayeeAt {
  readonly payee: string;
  readonly destination: string;
}

/**
 * What was paid otherwise, by each of these whose payee was never paid at its destination; `paid`: the destinations to
 * which anything was paid.
 */
export type NeverPaidAt = (
  named: readonly PayeeAt[],
  paid: ReadonlySet<string>,
) => Promise<ReadonlyMap<PayeeAt, PaidOtherwise>>;

/** What is found about each payment; `listed`: the names on the list of destinations. */
export async function comparePayees(
  payments: readonly Payment[],
  paid: ReadonlySet<string>,
  listed: ReadonlyMap<string, string>,
  neverPaidAt: NeverPaidAt,
): Promise<ReadonlyMap<Payment, readonly Problem[]>> {
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
  const found = new Map<Payment, readonly Problem[]>();
  for (const [payment, pair] of named) {
    const otherwise = unknown.get(pair);
    if (otherwise === undefined) continue;
    const [first = pair] = pairs.get(pair.destination)?.values() ?? [];
    const { usual, other = nameOnList(pair, listed) } = otherwise;
    const another = first === pair ? other : inFile(first);
    if (usual === undefined && another === undefined) continue;
    const params = { payee: shownText(payment.draft.fields.customerId ?? ""), destination: payment.shown };
    const problems = applying(
      usual !== undefined && problem("DESTINATION_NOT_USUAL", { ...params, usual }),
      another && problem("DESTINATION_OF_ANOTHER", { ...params, other: another.name, where: another.where }),
    );
    found.set(payment, problems);
  }
  return found;
}

/** The first payment of the file with this name and destination. */
interface Named extends PayeeAt {
  readonly name: string;
  readonly payment: Payment;
}

function inFile({ name, payment }: Named): OtherName {
  return { name: shownText(name), where: `in ${placeText(payment)}` };
}

function nameOnList(
  { payee, destination }: PayeeAt,
  listed: ReadonlyMap<string, string>,
): OtherName | undefined {
  const name = listed.get(destination) ?? "";
  const compared = comparedName(name);
  if (compared === undefined || compared === payee) return undefined;
  return { name: shownText(name), where: "on the list of allowed destinations" };
}
