/**
 * Measures how soon the service shows the payouts that it accepted, and whether it changes them. Every accepted payout
 * is looked up by its reference, as a payout in doubt would be. So one knows how much an absence proves.
 */
import { type Problem, problem } from "../../../faults/index.ts";
import { elapsedMs, type ObservedPayout } from "../../../model/index.ts";
import { lookByIds, lookByReferences } from "../../../observation/index.ts";
import type { Transaction } from "../../../store/sql.ts";
import { listUnseen, recordAbsent, recordSeen, type UnseenAcceptance } from "../../../store/visibility.ts";
import type { ExecutionTools } from "../tools.ts";
import { differences } from "./recognise.ts";

/** Accepted payouts looked up together; bounds memory. */
const LOOKED_FOR_AT_ONCE = 500;

/**
 * Looks up every accepted payout that no look has shown yet. One request's worth of those not found by reference is
 * also looked up by id, to detect a service that rewrites references. Throws a SERVICE_ fault when the service
 * cannot be asked.
 */
export async function lookForAccepted(tools: ExecutionTools): Promise<Problem[]> {
  const problems: Problem[] = [];
  let unreadable: Problem | undefined;
  let byIdMax = tools.paging.idsPerRequest;
  for (let after = 0; ; ) {
    const looked = await lookForNextAccepted(tools, after, byIdMax);
    // Unreadable payouts mostly share one cause, so only the first is reported.
    if (looked === undefined) return unreadable === undefined ? problems : [...problems, unreadable];
    problems.push(...looked.problems);
    unreadable ??= looked.unreadable;
    after = looked.after;
    byIdMax = 0;
  }
}

export interface LookedFor {
  /** One per payout that is shown changed, or beside another payout under its reference. */
  readonly problems: readonly Problem[];
  /** The first payout that was shown but could not be parsed. */
  readonly unreadable: Problem | undefined;
  /** The submission after which the next call continues. */
  readonly after: number;
}

/** Looks up the next ones after submission `after`, at most `byIdMax` also by id; undefined if there are none. */
export async function lookForNextAccepted(
  tools: ExecutionTools,
  after: number,
  byIdMax = 0,
): Promise<LookedFor | undefined> {
  const unseen = await tools.store.read(() => listUnseen(tools.policy.keyId, after, LOOKED_FOR_AT_ONCE));
  const last = unseen.at(-1);
  if (last === undefined) return undefined;
  return { ...(await lookForAll(tools, unseen, byIdMax)), after: last.submissionId };
}

async function lookForAll(
  tools: ExecutionTools,
  unseen: readonly UnseenAcceptance[],
  byIdMax: number,
): Promise<Omit<LookedFor, "after">> {
  const { store, context } = tools;
  const askedMs = context.clock.monotonicMs();
  const look = await lookByReferences(
    tools,
    unseen.map(({ instruction }) => instruction.fields.reference),
  );
  const under = ({ instruction }: UnseenAcceptance) =>
    look.byReference.get(instruction.fields.reference) ?? [];
  const absent = unseen.filter(
    (acceptance) => !under(acceptance).some(({ payoutId }) => payoutId === acceptance.payoutId),
  );
  const byId = await changedById(tools, absent.slice(0, byIdMax));
  const [unreadable] = look.problems;
  return store.write(function* (): Transaction<Omit<LookedFor, "after">> {
    const problems: Problem[] = [];
    for (const acceptance of unseen) {
      const { submissionId, payoutId, endedMonotonicMs } = acceptance;
      const afterMs = elapsedMs(endedMonotonicMs, askedMs);
      const candidates = under(acceptance);
      const others = candidates.filter((candidate) => candidate.payoutId !== payoutId);
      if (others.length > 0) problems.push(anotherShown(acceptance, others));
      const shown = candidates.find((candidate) => candidate.payoutId === payoutId) ?? byId.get(payoutId);
      if (shown !== undefined) {
        const unlike = differences(acceptance.instruction, "", shown, tools.policy.recognition);
        yield* recordSeen(submissionId, afterMs, unlike.length > 0 ? "changed" : "equal");
        if (unlike.length > 0) problems.push(shownChanged(acceptance, unlike));
      } else if (look.complete) {
        yield* recordAbsent(submissionId, afterMs);
      }
    }
    return { problems, unreadable };
  });
}

/** Of `absent`, those that the service shows by id with another reference than was sent. */
async function changedById(
  tools: ExecutionTools,
  absent: readonly UnseenAcceptance[],
): Promise<ReadonlyMap<string, ObservedPayout>> {
  if (absent.length === 0) return new Map();
  const sent = new Map(absent.map(({ payoutId, instruction }) => [payoutId, instruction.fields.reference]));
  const shown = await lookByIds(tools, [...sent.keys()]);
  const renamed = shown.filter(
    ({ payoutId, reference }) => sent.has(payoutId) && sent.get(payoutId) !== reference,
  );
  return new Map(renamed.map((payout) => [payout.payoutId, payout]));
}

function shownChanged({ instruction, payoutId }: UnseenAcceptance, unlike: readonly string[]): Problem {
  const { reference } = instruction.fields;
  return problem("PAYOUT_SHOWN_CHANGED", { what: unlike.join(", ") }, { reference, payoutId });
}

function anotherShown(
  { instruction, payoutId }: UnseenAcceptance,
  others: readonly ObservedPayout[],
): Problem {
  const { reference } = instruction.fields;
  const shown = others.map((other) => other.payoutId).join(", ");
  return problem("ANOTHER_PAYOUT_SHOWN", { payoutId, others: shown }, { reference, payoutId });
}
