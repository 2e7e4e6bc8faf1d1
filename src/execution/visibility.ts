/**
 * How soon, and how faithfully, the service shows what it accepted. Every acceptance is looked for by its reference, as a doubt
 * would be: what that shows says how much the absence of a doubted payout is worth.
 */
import { type Problem, problem } from "../faults/index.ts";
import { elapsedMs, type Instruction } from "../model/index.ts";
import { lookByReferences } from "../observation/index.ts";
import { findInstruction } from "../store/instructions.ts";
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
  const unseen = await listNextUnseen(tools, after);
  const last = unseen.at(-1);
  if (last === undefined) return undefined;
  return { problems: await lookForThese(tools, unseen), after: last.acceptance.id };
}

function listNextUnseen({ store, policy }: ExecutionTools, after: number): Promise<Unseen[]> {
  return store.read(function* (): Transaction<Unseen[]> {
    const found: Unseen[] = [];
    for (const acceptance of yield* listUnseen(policy.keyId, after, LOOKED_FOR_AT_ONCE)) {
      found.push({ acceptance, instruction: yield* findInstruction(acceptance.instructionId) });
    }
    return found;
  });
}

async function lookForThese(tools: ExecutionTools, unseen: readonly Unseen[]): Promise<Problem[]> {
  const { store, context, policy } = tools;
  const askedMs = context.clock.monotonicMs();
  const references = unseen.map(({ instruction }) => instruction.fields.reference);
  const look = await lookByReferences(tools, references);
  return store.write(function* (): Transaction<Problem[]> {
    const problems: Problem[] = [];
    for (const { acceptance, instruction } of unseen) {
      const { reference } = instruction.fields;
      const afterMs = elapsedMs(acceptance.endedMonotonicMs, askedMs);
      const candidates = look.byReference.get(reference) ?? [];
      const shown = candidates.find(({ payoutId }) => payoutId === acceptance.payoutId);
      if (shown !== undefined) {
        yield* recordSeen(acceptance.id, afterMs);
        const unlike = differences(instruction, "", shown, policy.recognition);
        if (unlike.length > 0) problems.push(changed(reference, unlike));
      } else if (look.complete) {
        yield* recordAbsent(acceptance.id, afterMs);
      }
    }
    return problems;
  });
}

interface Unseen {
  readonly acceptance: UnseenAcceptance;
  readonly instruction: Instruction;
}

function changed(reference: string, unlike: readonly string[]): Problem {
  return problem("PAYOUT_SHOWN_CHANGED", { what: unlike.join(", ") }, { reference });
}
