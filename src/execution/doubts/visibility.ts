/**
 * How soon, and how faithfully, the service shows what it accepted. Every acceptance is looked for by its reference, as a doubt
 * would be: what that shows says how much the absence of a doubted payout is worth.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { elapsedMs, type ObservedPayout } from "../../model/index.ts";
import { lookByIds, lookByReferences } from "../../observation/index.ts";
import type { Transaction } from "../../store/sql.ts";
import { listUnseen, recordAbsent, recordSeen, type UnseenAcceptance } from "../../store/visibility.ts";
import type { ExecutionTools } from "../tools.ts";
import { differences } from "./recognise.ts";

/** Acceptances that are looked for together; bounds memory. */
const LOOKED_FOR_AT_ONCE = 500;

/**
 * Looks for everything that was accepted and that no look has shown yet; what a look by reference does not show is looked for by its
 * id, as much as one request takes: a service that changes references shows it so. Throws a SERVICE_ fault when it cannot be asked.
 */
export async function lookForAccepted(tools: ExecutionTools): Promise<Problem[]> {
  const problems: Problem[] = [];
  let unreadable: Problem | undefined;
  let byIdMax = tools.paging.idsPerRequest;
  for (let after = 0; ; ) {
    const looked = await lookForSome(tools, after, byIdMax);
    // Payouts are mostly unreadable all for the same reason, so the first one is reported.
    if (looked === undefined) return unreadable === undefined ? problems : [...problems, unreadable];
    problems.push(...looked.problems);
    unreadable ??= looked.unreadable;
    after = looked.after;
    byIdMax = 0;
  }
}

export interface LookedFor {
  /** One for each payout that came back changed, or with another one under its reference. */
  readonly problems: readonly Problem[];
  /** The first one that was shown and could not be read. */
  readonly unreadable: Problem | undefined;
  /** Where to go on. */
  readonly after: number;
}

/** Looks for some of those accepted behind `after`; undefined where there are none. At most `byIdMax` are looked for by id too. */
export async function lookForSome(
  tools: ExecutionTools,
  after: number,
  byIdMax = 0,
): Promise<LookedFor | undefined> {
  const unseen = await tools.store.read(() => listUnseen(tools.policy.keyId, after, LOOKED_FOR_AT_ONCE));
  const last = unseen.at(-1);
  if (last === undefined) return undefined;
  return { ...(await lookForThese(tools, unseen, byIdMax)), after: last.submissionId };
}

async function lookForThese(
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
  const absent = unseen.filter((one) => !under(one).some(({ payoutId }) => payoutId === one.payoutId));
  const byId = await changedById(tools, absent.slice(0, byIdMax));
  const [unreadable] = look.problems;
  return store.write(function* (): Transaction<Omit<LookedFor, "after">> {
    const problems: Problem[] = [];
    for (const one of unseen) {
      const { submissionId, payoutId, endedMonotonicMs } = one;
      const afterMs = elapsedMs(endedMonotonicMs, askedMs);
      const candidates = under(one);
      const others = candidates.filter((candidate) => candidate.payoutId !== payoutId);
      if (others.length > 0) problems.push(anotherShown(one, others));
      const shown = candidates.find((candidate) => candidate.payoutId === payoutId) ?? byId.get(payoutId);
      if (shown !== undefined) {
        const unlike = differences(one.instruction, "", shown, tools.policy.recognition);
        yield* recordSeen(submissionId, afterMs, unlike.length > 0 ? "changed" : "equal");
        if (unlike.length > 0) problems.push(changed(one, unlike));
      } else if (look.complete) {
        yield* recordAbsent(submissionId, afterMs);
      }
    }
    return { problems, unreadable };
  });
}

/** Those of them that the service shows by their id, under another reference than they were sent with. */
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

function changed({ instruction, payoutId }: UnseenAcceptance, unlike: readonly string[]): Problem {
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
