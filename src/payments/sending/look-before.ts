/**
 * Looks before sending. A payment is held instead of sent if the service has a payout under its reference, if any
 * earlier look or sweep has shown a payout for it, or if the payment that it pays again may have been paid.
 */
import { type Problem, problem } from "../../faults/index.ts";
import type { Instant, Instruction, ObservedPayout } from "../../model/index.ts";
import {
  knownForInstructions,
  lookByReferences,
  mergeLooks,
  type ReferenceLook,
} from "../../observation/index.ts";
import { listEarlier } from "../../store/pay-again.ts";
import type { Transaction } from "../../store/sql.ts";
import { listAttempts } from "../../store/submissions.ts";
import { isPaidBy, whyPaidAlready } from "./pay-again-looks.ts";
import { hold } from "./settle.ts";
import type { ExecutionTools } from "./tools.ts";

/** How often an incomplete look is made: its pages may have moved while they were read. */
const LOOKS_MAX = 3;

const WINDOW_MAX = 100;
const WINDOW_MIN = 10;

/** How many instructions are looked up together; bounds memory and the age of a look when its payout leaves. */
export function lookedUpTogether(concurrency: number): number {
  return Math.max(WINDOW_MIN, Math.min(WINDOW_MAX, concurrency * 4));
}

export interface LookBefore {
  /** Payments that the service does not have: they may be sent. */
  readonly sendable: readonly Instruction[];
  /** One problem per payment that was held. */
  readonly held: readonly Problem[];
  /** Payments not sent now, because no look for them was complete. */
  readonly postponed: readonly { readonly instruction: Instruction; readonly problem: Problem }[];
  /** Present if no look was complete for any of several payments; then nothing may be sent. */
  readonly unstable?: Problem;
}

/** Looks up a window of due payments. Throws a SERVICE_ fault when the service cannot be asked. */
export async function lookBefore(tools: ExecutionTools, window: readonly Instruction[]): Promise<LookBefore> {
  const earlier = await tools.store.read(() => listEarlier(window.map(({ fields }) => fields.reference)));
  const look = (some: readonly Instruction[]) => lookByReferences(tools, referencesOf(some, earlier));
  let whole = await look(window);
  for (let looks = 1; !whole.complete && looks < LOOKS_MAX; looks += 1) whole = await look(window);
  if (whole.complete) {
    const { byReference } = whole;
    return { ...(await judge(tools, { looked: window, byReference, earlier })), postponed: [] };
  }
  const { looked, byReference, postponed } = await lookOneByOne(window, look);
  if (looked.length > 0 || window.length === 1)
    return { ...(await judge(tools, { looked, byReference, earlier })), postponed };
  const operation = "findPayoutFilteredV2";
  const reason = `the look before sending was incomplete: ${whole.doubts[0]}`;
  const unstable = problem("PAGING_UNSTABLE", { operation, reason }, { operation });
  return { sendable: [], held: [], postponed: [], unstable };
}

/** Looks up each payment separately, so that a reference whose looks stay incomplete does not block the others. */
async function lookOneByOne(
  window: readonly Instruction[],
  look: (some: readonly Instruction[]) => Promise<ReferenceLook>,
) {
  const looked: Instruction[] = [];
  const looks: ReferenceLook[] = [];
  const postponed: LookBefore["postponed"][number][] = [];
  for (const instruction of window) {
    const single = await look([instruction]);
    if (single.complete) {
      looked.push(instruction);
      looks.push(single);
    } else {
      const { reference } = instruction.fields;
      const reason = single.doubts[0] ?? "it was not answered";
      postponed.push({ instruction, problem: problem("LOOK_INCOMPLETE", { reason }, { reference }) });
    }
  }
  return { looked, byReference: mergeLooks(looks).byReference, postponed };
}

/** The references of the payments, and of the earlier payments that they pay again. */
function referencesOf(
  some: readonly Instruction[],
  earlier: ReadonlyMap<string, readonly Instruction[]>,
): string[] {
  return some
    .flatMap((instruction) => [instruction, ...(earlier.get(instruction.fields.reference) ?? [])])
    .map(({ fields }) => fields.reference);
}

interface Looked {
  readonly looked: readonly Instruction[];
  readonly byReference: ReadonlyMap<string, readonly ObservedPayout[]>;
  /** By reference of the later payment: the earlier payments that it pays again. */
  readonly earlier: ReadonlyMap<string, readonly Instruction[]>;
}

/** Splits the payments that were looked up into those that may be sent and those that are held. */
async function judge(
  tools: ExecutionTools,
  { looked, byReference, earlier }: Looked,
): Promise<Pick<LookBefore, "sendable" | "held">> {
  const { known, attempts, paid } = await tools.store.read(function* () {
    const shown = yield* knownForInstructions(looked);
    return {
      known: shown,
      attempts: yield* listAttempts([...shown.keys()]),
      paid: yield* paidAlready(earlier),
    };
  });
  const sendable: Instruction[] = [];
  const held: Held[] = [];
  for (const instruction of looked) {
    const { reference } = instruction.fields;
    const wasSent = attempts.has(instruction.id);
    const shown = known.get(instruction.id) ?? [];
    const reason =
      whyMadeAlready(instruction, wasSent, shown, byReference.get(reference) ?? []) ?? paid.get(reference);
    if (reason === undefined) sendable.push(instruction);
    else held.push({ instruction, reason });
  }
  if (held.length > 0) await tools.store.write(() => holdAll(held, tools.context.clock.now()));
  const problems = held.map(({ instruction: { fields }, reason }) =>
    problem("PAYOUT_HELD", { reason }, { reference: fields.reference }),
  );
  return { sendable, held: problems };
}

/** `shown`: by any look, for the payment. `found`: by this look, under its reference. */
function whyMadeAlready(
  instruction: Instruction,
  wasSent: boolean,
  shown: readonly ObservedPayout[],
  [found]: readonly ObservedPayout[],
): string | undefined {
  // A refused payment may have been made after all, and a lost database may have sent one that ours never sent.
  const own = shown.find((payout) => wasSent || isPaidBy(instruction, payout));
  if (own !== undefined && (wasSent || found === undefined))
    return `the service has shown payout ${own.payoutId} for it`;
  return (
    found && `the service already had payout ${found.payoutId} under this reference before anything was sent`
  );
}

interface Held {
  readonly instruction: Instruction;
  readonly reason: string;
}

function* holdAll(held: readonly Held[], at: Instant): Transaction<void> {
  for (const { instruction, reason } of held)
    yield* hold(instruction.id, instruction.fields.reference, reason, at);
}

/** By the later payment's reference: why it must not be sent, because an earlier one may have been paid. */
function* paidAlready(
  earlier: ReadonlyMap<string, readonly Instruction[]>,
): Transaction<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>();
  for (const [reference, payments] of earlier)
    for (const payment of payments) {
      const reason = yield* whyPaidAlready(payment);
      if (reason !== undefined) reasons.set(reference, reason);
    }
  return reasons;
}
