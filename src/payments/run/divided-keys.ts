/**
 * Divides the client keys among the machines that share a database, so that each pays under some of them at the
 * same time. The division is only a hint; the lane of each key decides. A machine pays under the other machines'
 * keys after its own, so that the keys of a machine that died or does not pay are not left out.
 */
import { sleepUnlessAborted } from "../../context/clock.ts";
import { Fault } from "../../faults/index.ts";
import { compareText } from "../../model/compare-text.ts";
import { keyNames } from "../../workplace/custody-accounts.ts";
import type { Workplace } from "../../workplace/workplace.ts";

/** Machines start a slot in the same second. After this time each has certainly taken the lanes of its own keys. */
const OTHERS_FIRST_MS = 2_000;

/** The keys of this machine, and those of the others; each key as one of `workplace.underKeys`. */
export interface DividedKeys {
  readonly own: readonly Workplace[];
  readonly others: readonly Workplace[];
}

/** All keys are this machine's own if it is the only one or does not know the others. */
export async function divideKeys(workplace: Workplace): Promise<DividedKeys> {
  const { underKeys, machines, config } = workplace;
  const place = await machines?.place();
  if (place === undefined) return { own: underKeys, others: [] };
  const names = keyNames(config).map((name = "") => name);
  const inOrder = names.toSorted(compareText);
  const isOwn = (index: number) => inOrder.indexOf(names[index] ?? "") % place.count === place.position;
  return {
    own: underKeys.filter((_, index) => isOwn(index)),
    others: underKeys.filter((_, index) => !isOwn(index)),
  };
}

/**
 * Pays under the machine's own keys at once. Meanwhile tries each of the others' keys, at least once unless
 * `isWoken`, and pays under those that are free. Leaves out the reports of keys with which another machine pays, if
 * there is any other report.
 */
export async function payDivided<Report>(
  { own, others }: DividedKeys,
  { clock }: Workplace["context"],
  { signal, isWoken }: { readonly signal: AbortSignal; readonly isWoken: boolean },
  pay: (view: Workplace) => Promise<Report>,
): Promise<PromiseSettledResult<Report>[]> {
  const ownEnded = new AbortController();
  const payingOwn = Promise.allSettled(own.map(pay)).finally(() => ownEnded.abort());
  const untilEnd = AbortSignal.any([signal, ownEnded.signal]);
  const payOnceFree = async (view: Workplace): Promise<Report | undefined> => {
    if (!(await sleepUnlessAborted(clock, OTHERS_FIRST_MS, isWoken ? untilEnd : signal))) return undefined;
    for (;;) {
      try {
        return await pay(view);
      } catch (error) {
        if (!isLaneTaken(error)) throw error;
        if (!(await sleepUnlessAborted(clock, OTHERS_FIRST_MS, untilEnd))) return undefined;
      }
    }
  };
  const payingOthers = await Promise.allSettled(others.map(payOnceFree));
  const ended = [...(await payingOwn), ...payingOthers.flatMap((run) => (isDone(run) ? [run] : []))];
  const here = ended.filter((run) => run.status === "fulfilled" || !isLaneTaken(run.reason));
  return here.length > 0 ? here : ended;
}

/** False for a key that was left to another machine. */
function isDone<Report>(run: PromiseSettledResult<Report | undefined>): run is PromiseSettledResult<Report> {
  return run.status === "rejected" || run.value !== undefined;
}

function isLaneTaken(error: unknown): boolean {
  return error instanceof Fault && error.problem.code === "LANE_TAKEN";
}
