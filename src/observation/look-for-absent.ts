/**
 * Asks by id for elements that the pages of a sweep did not show: rows move between pages, and a service may count
 * wrongly.
 */
import { problem } from "../faults/index.ts";
import { type ReadingByIds, recordShownByIds } from "./look.ts";
import type { Observed } from "./record.ts";
import type { Sweep } from "./sweep.ts";
import type { ObservationTools } from "./tools.ts";

export interface AbsenceLook extends Omit<Sweep, "shownId"> {
  /** Ids that the service provably does not show when asked for them. */
  readonly absent: readonly string[];
  /** Ids whose absence is not proven. Empty after a complete look. */
  readonly undecided: readonly string[];
}

/**
 * Inconsistent ids are asked for this often together, then at most this many alone, because one may hide the
 * others.
 */
const TOGETHER_MAX = 3;
const ALONE_MAX = 100;

/**
 * Asks and stores the answers. An answer proves an absence if it is consistent, or if its count is off by as much
 * as in the answer about `shownId`, which the service has just shown. Throws a SERVICE_ fault.
 */
export async function lookForAbsent<Element>(
  tools: ObservationTools,
  observed: Observed<Element>,
  ids: readonly string[],
  shownId: string | undefined,
): Promise<AbsenceLook> {
  const absent: string[] = [];
  const readings: ReadingByIds<Element>[] = [];
  const ask = async (some: readonly string[]) => {
    const left: string[] = [];
    for (const reading of await recordShownByIds(tools, observed, some)) {
      readings.push(reading);
      const { notShown, miscount } = evidenceOf(observed, reading, shownId);
      const isProof = miscount === 0 || (miscount !== undefined && miscount === (await usualMiscount()));
      (isProof ? absent : left).push(...notShown);
    }
    return left;
  };
  const usualMiscount = async () => {
    const [reading] = shownId === undefined ? [] : await recordShownByIds(tools, observed, [shownId]);
    const evidence = reading && evidenceOf(observed, reading, shownId);
    return evidence?.notShown.length === 0 ? evidence.miscount : undefined;
  };
  let undecided = [...ids];
  for (let time = 0; time < TOGETHER_MAX && undecided.length > 0; time += 1) undecided = await ask(undecided);
  for (const id of undecided.splice(0, ALONE_MAX)) undecided.push(...(await ask([id])));
  const { operation } = observed;
  const doubts = readings.at(-1)?.doubts.join(", ");
  const reason = `${undecided.length} that they do not show were asked for by id, without a clear answer: ${doubts}`;
  const changes = readings.flatMap((reading) => reading.changes);
  return {
    begunAt: readings.map(({ at }) => at),
    elementsSeen: 0,
    pagesRead: 0,
    complete: undecided.length === 0,
    changesCount: changes.length,
    changes,
    problems: undecided.length > 0 ? [problem("PAGING_UNSTABLE", { operation, reason }, { operation })] : [],
    absent,
    undecided,
  };
}

/**
 * `miscount`: undefined if the answer proves nothing. An answer that shows other elements may belong to another
 * request. If it shows `shownId` too, the service ignores the filter and shows everything.
 */
function evidenceOf<Element>(
  { sightingOf }: Observed<Element>,
  { asked, found, miscount }: ReadingByIds<Element>,
  shownId: string | undefined,
) {
  const shown = new Set(found.map(({ element }) => sightingOf(element).id));
  const notShown = asked.filter((id) => !shown.has(id));
  const mayBeAnothers = shown.size > asked.length - notShown.length && !shown.has(shownId ?? "");
  return { notShown, miscount: mayBeAnothers ? undefined : miscount };
}
