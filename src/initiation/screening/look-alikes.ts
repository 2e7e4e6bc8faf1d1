/**
 * Finds first-time destinations that begin and end like a different one: one that was paid before, is on the allow
 * list, or occurs in the same file. Memory stays bounded for hostile files.
 */
import { type AddressEnds, endsOf, endsText, ownText } from "../../model/index.ts";
import { type Payment, placeOf, placeText } from "./screened-payment.ts";

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

/** `listed`: the destinations of the allow list. */
export function lookAlikeFinder(paidLookAlikes: PaidLookAlikes, listed: Iterable<string>) {
  const byEnds = new Map<string, string>();
  for (const destination of listed) {
    const ends = endsOf(destination);
    if (ends !== undefined) byEnds.set(endsText(ends), destination);
  }
  const firsts = new Map<string, First>();
  return { find };

  /** By destination: what these payments to first-time destinations, in file order, might have been meant for. */
  async function find(payments: readonly Payment[]): Promise<ReadonlyMap<string, LookAlike>> {
    const found = new Map<string, LookAlike>();
    const questions: Asked[] = [];
    for (const { destination, draft } of payments) {
      const ends = endsOf(destination);
      if (ends === undefined) continue;
      const { start, end } = ends;
      const key = endsText(ends);
      const first = firsts.get(key);
      if (first?.destination !== destination)
        questions.push({ destination, start, end, key, place: placeText(draft, placeOf(draft)) });
      else if (first.lookAlike !== undefined) found.set(destination, first.lookAlike);
    }
    if (questions.length === 0) return found;
    const paid = await paidLookAlikes(questions);
    for (const question of questions) {
      const lookAlike = paid.get(question.destination) ?? besidesHistory(question);
      if (lookAlike !== undefined) found.set(question.destination, lookAlike);
      keep(question, lookAlike);
    }
    return found;
  }

  function besidesHistory({ destination, key }: Asked): LookAlike | undefined {
    const onList = byEnds.get(key);
    if (onList !== undefined) return { destination: onList, where: "on the list of allowed destinations" };
    const first = firsts.get(key);
    if (first === undefined || first.destination === destination) return undefined;
    return { destination: first.destination, where: `in ${first.place}` };
  }

  function keep({ destination, key, place }: Asked, lookAlike: LookAlike | undefined): void {
    if (firsts.size >= KEPT_MAX || firsts.has(key)) return;
    firsts.set(key, { destination: ownText(destination), place, lookAlike });
  }
}

/** The file's first destination with a given beginning and end. */
interface First {
  readonly destination: string;
  /** In words. */
  readonly place: string;
  readonly lookAlike: LookAlike | undefined;
}

interface Asked extends AddressEnds {
  readonly destination: string;
  readonly key: string;
  readonly place: string;
}

/** How many of a file's destinations are compared with each other; with history and the allow list, all are. */
const KEPT_MAX = 10_000;
