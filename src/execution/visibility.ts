/**
 * How soon, and how faithfully, the service shows what it accepted. Every acceptance is looked for by its reference, as a doubt
 * would be: what that shows says how much the absence of a doubted payout is worth.
 */
import { type Problem, problem } from "../faults/index.ts";
import { elapsedMs } from "../model/index.ts";
import { lookByReferences } from "../observation/index.ts";
import type { Transaction } from "../store/sql.ts";
import { listUnseen, recordAbsent, recordSeen, type UnseenAcceptance } from "../store/visibility.ts";
import { differences } from "./recognise.ts";
import type { ExecutionTools } from "./tools.ts";

/** Acceptances that are looked for together; bounds memory. */
const LOOKED_FOR_AT_ONCE = 500;

/** Looks for everything that was accepted and that no look has shown yet. Throws a SERVICE_ fault when the service cannot be asked. */
export async function lookForAccepted(tools: ExecutionTools): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (let after = 0; ; ) {
    const looked = await lookForSome(tools, after);
    if (looked === undefined) return problems;
    problems.push(...looked.problems);
    after = looked.after;
  }
}

export interface LookedFor {
  /** One for each payout that came back changed. */
  readonly problems: readonly Problem[];
  /** Where to go on. */
  readonly after: number;
}

/** Looks for some of those accepted behind `after`; undefined where there are none. */
export async function lookForSome(tools: ExecutionTools, after: number): Promise<LookedFor | undefined> {
  const unseen = await tools.store.read(() => listUnseen(tools.policy.keyId, after, LOOKED_FOR_AT_ONCE));
  const last = unseen.at(-1);
  if (last === undefined) return undefined;
  return { problems: await lookForThese(tools, unseen), after: last.submissionId };
}

async function lookForThese(tools: ExecutionTools, unseen: readonly UnseenAcceptance[]): Promise<Problem[]> {
  const { store, context, policy } = tools;
  const askedMs = context.clock.monotonicMs();
  const references = unseen.map(({ instruction }) => instruction.fields.reference);
  const look = await lookByReferences(tools, references);
  return store.write(function* (): Transaction<Problem[]> {
    const problems: Problem[] = [];
    for (const { submissionId, instruction, payoutId, endedMonotonicMs } of unseen) {
      const { reference } = instruction.fields;
      const afterMs = elapsedMs(endedMonotonicMs, askedMs);
      const candidates = look.byReference.get(reference) ?? [];
      const shown = candidates.find((candidate) => candidate.payoutId === payoutId);
      if (shown !== undefined) {
        yield* recordSeen(submissionId, afterMs);
        const unlike = differences(instruction, "", shown, policy.recognition);
        if (unlike.length > 0) problems.push(changed(reference, unlike));
      } else if (look.complete) {
        yield* recordAbsent(submissionId, afterMs);
      }
    }
    return problems;
  });
}

function changed(reference: string, unlike: readonly string[]): Problem {
  return problem("PAYOUT_SHOWN_CHANGED", { what: unlike.join(", ") }, { reference });
}
