/**
 * Looking before sending: what the service already has under one of our references is held, not sent; so is what pays another payment
 * again that turns out to have been paid.
 */
import { type Problem, problem } from "../faults/index.ts";
import type { Instruction, InstructionId, ObservedPayout } from "../model/index.ts";
import { knownForInstructions, lookByReferences } from "../observation/index.ts";
import { listEarlier } from "../store/again.ts";
import type { Transaction } from "../store/sql.ts";
import { listAttempts } from "../store/submissions.ts";
import { whyPaidAlready } from "./refused-appears.ts";
import { hold } from "./settle.ts";
import type { ExecutionTools } from "./tools.ts";

/** Looks are repeated when pages moved under them, so often at most. */
const LOOKS_MAX = 3;

const WINDOW_MAX = 100;
const WINDOW_MIN = 10;

/** How many instructions are looked up together: bounds memory, and how old a look is when its payout leaves. */
export function lookedUpTogether(concurrency: number): number {
  return Math.max(WINDOW_MIN, Math.min(WINDOW_MAX, concurrency * 4));
}

export interface LookBefore {
  /** What the service does not have: it may be sent. */
  readonly unknown: readonly Instruction[];
  /** A problem for each that was held. */
  readonly held: readonly Problem[];
  /** What is not sent now: looks for it do not become complete. */
  readonly postponed: readonly { readonly instruction: Instruction; readonly problem: Problem }[];
  /** Of several payments none could be looked for completely: then it is the service, and nothing may be sent. */
  readonly unstable?: Problem;
}

/** Throws a SERVICE_ fault when the service cannot be asked. */
export async function lookBefore(tools: ExecutionTools, window: readonly Instruction[]): Promise<LookBefore> {
  const earlier = await tools.store.read(() => listEarlier(window.map(({ fields }) => fields.reference)));
  const look = (some: readonly Instruction[]) => lookByReferences(tools, referencesOf(some, earlier));
  let together = await look(window);
  for (let looks = 1; !together.complete && looks < LOOKS_MAX; looks += 1) together = await look(window);
  if (together.complete)
    return { ...(await judge(tools, window, earlier, together.byReference)), postponed: [] };
  // One reference that the service takes for others as well must not keep every other payment waiting.
  const unknown: Instruction[] = [];
  const held: Problem[] = [];
  const postponed: LookBefore["postponed"][number][] = [];
  for (const instruction of window) {
    const { complete, byReference, doubts } = await look([instruction]);
    if (complete) {
      const judged = await judge(tools, [instruction], earlier, byReference);
      unknown.push(...judged.unknown);
      held.push(...judged.held);
    } else postponed.push({ instruction, problem: incompleteFor(instruction, doubts) });
  }
  if (postponed.length < Math.max(window.length, 2)) return { unknown, held, postponed };
  const operation = "findPayoutFilteredV2";
  const reason = `the look before sending was incomplete: ${together.doubts[0]}`;
  const unstable = problem("PAGING_UNSTABLE", { operation, reason }, { operation });
  return { unknown: [], held: [], postponed: [], unstable };
}

/** Theirs, and those of the payments that they pay again. */
function referencesOf(
  some: readonly Instruction[],
  earlier: ReadonlyMap<string, readonly Instruction[]>,
): string[] {
  return some
    .flatMap((one) => [one, ...(earlier.get(one.fields.reference) ?? [])])
    .map(({ fields }) => fields.reference);
}

/** What may be sent of what was looked for, and what is held. */
async function judge(
  tools: ExecutionTools,
  looked: readonly Instruction[],
  earlier: ReadonlyMap<string, readonly Instruction[]>,
  byReference: ReadonlyMap<string, readonly ObservedPayout[]>,
): Promise<Pick<LookBefore, "unknown" | "held">> {
  const known = await tools.store.read(() => knownOfAttempted(looked));
  const paid = await tools.store.read(() => paidAlready(tools, earlier));
  const unknown: Instruction[] = [];
  const held: Problem[] = [];
  for (const instruction of looked) {
    const { reference } = instruction.fields;
    const [found] = byReference.get(reference) ?? [];
    const [before] = known.get(instruction.id) ?? [];
    const reason =
      before !== undefined
        ? `the service has shown payout ${before.payoutId} for it`
        : found !== undefined
          ? `the service already had payout ${found.payoutId} under this reference before anything was sent`
          : paid.get(reference);
    if (reason === undefined) unknown.push(instruction);
    else held.push(await holdShown(tools, instruction, reason));
  }
  return { unknown, held };
}

function incompleteFor({ fields: { reference } }: Instruction, doubts: readonly string[]): Problem {
  return problem("LOOK_INCOMPLETE", { reason: doubts[0] ?? "it was not answered" }, { reference });
}

/** A refusal may have been none: of what has an earlier attempt every look that was ever made counts, not only the last one. */
function* knownOfAttempted(
  window: readonly Instruction[],
): Transaction<ReadonlyMap<InstructionId, readonly ObservedPayout[]>> {
  const attempts = yield* listAttempts(window.map(({ id }) => id));
  return yield* knownForInstructions(window.filter(({ id }) => attempts.has(id)));
}

/** Why the payments of some references must not leave, whose `earlier` ones they pay again; nothing for those that may. */
function* paidAlready(
  { policy }: ExecutionTools,
  earlier: ReadonlyMap<string, readonly Instruction[]>,
): Transaction<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>();
  for (const [reference, payments] of earlier)
    for (const payment of payments) {
      const reason = yield* whyPaidAlready(payment, policy.recognition);
      if (reason !== undefined) reasons.set(reference, reason);
    }
  return reasons;
}

async function holdShown(
  { store, context }: ExecutionTools,
  { id, fields: { reference } }: Instruction,
  reason: string,
): Promise<Problem> {
  await store.write(() => hold(id, reference, reason, context.clock.now()));
  return problem("PAYOUT_HELD", { reason }, { reference });
}
