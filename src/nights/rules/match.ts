/** Matches instructions and payouts by id or correlation. The break rules compare their fields. */
import {
  compareText,
  correlatedCallbackUrl,
  type Instruction,
  type ObservedPayout,
  type PayoutId,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { Correlation, Match, NotShown } from "./reconciliation.ts";

/** Another payout for an instruction that already has one. */
export interface Duplicate {
  readonly payout: ObservedPayout;
  readonly instruction: Instruction;
  readonly firstPayoutId: PayoutId;
  readonly firstIsShown: boolean;
}

/** A payout without an instruction; `namesake`: an instruction with the same reference. */
export interface Unexpected {
  readonly payout: ObservedPayout;
  readonly namesake?: Instruction;
}

export interface Matching {
  readonly matches: readonly Match[];
  /** Instructions whose payout must exist. */
  readonly accepted: readonly Instruction[];
  readonly missing: readonly Instruction[];
  readonly duplicates: readonly Duplicate[];
  readonly unexpected: readonly Unexpected[];
  /** Number of payouts set aside because they existed before the baseline. */
  readonly beforeBaseline: number;
  readonly seen: number;
}

interface ToMatch {
  readonly instructions: readonly Instruction[];
  readonly payouts: readonly ObservedPayout[];
  /** Payouts that existed before the baseline and need no instruction. */
  readonly ignoredPayoutIds: ReadonlySet<PayoutId>;
  readonly notShown: NotShown;
}

/**
 * Matches by stored payoutId first, otherwise by the correlation. Of several payouts with one correlation, the
 * earliest is the match and the others are duplicates.
 */
export function matchPayouts(input: ToMatch, correlation: Correlation): Matching {
  const { instructions, ignoredPayoutIds } = input;
  const byPayoutId = new Map(input.payouts.map((payout) => [payout.payoutId, payout]));
  const pairs = new Pairs();
  for (const instruction of instructions) {
    const payout = instruction.payoutId === undefined ? undefined : byPayoutId.get(instruction.payoutId);
    if (payout !== undefined && !pairs.isTaken(payout)) pairs.add(instruction, payout);
  }
  const owners = ownersByCorrelation(instructions, correlation);
  const ownerOf: OwnerOf = (payout) => owners.get(correlationOf(payout, correlation) ?? "");
  // A reference may equal an old payout's; the end of a callbackUrl cannot.
  const mayCorrelate = (payout: ObservedPayout) =>
    correlation === "callbackUrl" || !ignoredPayoutIds.has(payout.payoutId);
  const untaken = [...byPayoutId.values()].filter((payout) => !pairs.isTaken(payout)).sort(byCreation);
  for (const payout of untaken) {
    const owner = ownerOf(payout);
    if (owner !== undefined && pairs.payoutIdOf(owner) === undefined && mayCorrelate(payout))
      pairs.add(owner, payout);
  }
  const left = untaken.filter((payout) => !pairs.isTaken(payout));
  const accepted = instructions.filter(({ standing }) => standing === "accepted");
  return {
    matches: instructions.flatMap((instruction) => {
      const payout = pairs.payoutOf(instruction);
      if (payout === undefined) return [];
      const named = correlation === "callbackUrl" ? ownerOf(payout) : undefined;
      return [
        { instruction, payout, ...present({ mixedUpWith: named === instruction ? undefined : named }) },
      ];
    }),
    accepted,
    missing: accepted.filter((instruction) => pairs.payoutOf(instruction) === undefined),
    ...withoutInstruction(left, { ...input, correlation, ownerOf, pairs }),
    seen: byPayoutId.size,
  };
}

type OwnerOf = (payout: ObservedPayout) => Instruction | undefined;

class Pairs {
  private readonly found = new Map<Instruction, ObservedPayout>();
  private readonly taken = new Set<PayoutId>();

  add(instruction: Instruction, payout: ObservedPayout): void {
    this.found.set(instruction, payout);
    this.taken.add(payout.payoutId);
  }

  isTaken({ payoutId }: ObservedPayout): boolean {
    return this.taken.has(payoutId);
  }

  payoutOf(instruction: Instruction): ObservedPayout | undefined {
    return this.found.get(instruction);
  }

  /** The stored payoutId, even if that payout was never seen. */
  payoutIdOf(instruction: Instruction): PayoutId | undefined {
    return instruction.payoutId ?? this.found.get(instruction)?.payoutId;
  }
}

interface Around extends ToMatch {
  readonly correlation: Correlation;
  readonly ownerOf: OwnerOf;
  readonly pairs: Pairs;
}

/** Classifies the payouts that belong to no instruction. */
function withoutInstruction(
  left: readonly ObservedPayout[],
  { instructions, ignoredPayoutIds, notShown, correlation, ownerOf, pairs }: Around,
): Pick<Matching, "duplicates" | "unexpected" | "beforeBaseline"> {
  const namesakes = ownersByCorrelation(instructions, "reference");
  const duplicates: Duplicate[] = [];
  const unexpected: Unexpected[] = [];
  let beforeBaseline = 0;
  for (const payout of left) {
    // Our second payout stays a duplicate even after a later baseline, as long as the service shows it.
    const isOurs =
      correlation === "callbackUrl" && ownerOf(payout) !== undefined && !notShown.has(payout.payoutId);
    if (ignoredPayoutIds.has(payout.payoutId) && !isOurs) {
      beforeBaseline += 1;
      continue;
    }
    const namesake = ownerOf(payout) ?? namesakes.get(payout.reference ?? "");
    const firstPayoutId = namesake && pairs.payoutIdOf(namesake);
    if (namesake === undefined) unexpected.push({ payout });
    else if (firstPayoutId === undefined) unexpected.push({ payout, namesake });
    else {
      const firstIsShown = pairs.payoutOf(namesake) !== undefined;
      duplicates.push({ payout, instruction: namesake, firstPayoutId, firstIsShown });
    }
  }
  return { duplicates, unexpected, beforeBaseline };
}

function ownersByCorrelation(
  instructions: readonly Instruction[],
  correlation: Correlation,
): ReadonlyMap<string, Instruction> {
  return new Map(
    instructions.map((instruction) => [
      correlation === "callbackUrl" ? correlatedCallbackUrl(instruction) : instruction.fields.reference,
      instruction,
    ]),
  );
}

function correlationOf(payout: ObservedPayout, correlation: Correlation): string | undefined {
  return correlation === "callbackUrl" ? payout.callbackUrl : payout.reference;
}

function byCreation(left: ObservedPayout, right: ObservedPayout): number {
  return (
    compareText(left.createdAt ?? "", right.createdAt ?? "") || compareText(left.payoutId, right.payoutId)
  );
}
