/**
 * The shape of a break kind: what it is called, how grave it is, how it is detected and how it is told.
 * A kind looks at the whole scene, so that all kinds are one list and a new kind is one new file.
 */
import type {
  BalanceProofRow,
  Break,
  BreakKind,
  BreakSeverity,
  Instant,
  Instruction,
  InstructionId,
  ObservedDeposit,
  ObservedPayout,
  PayoutId,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import type { Duplicate, Unexpected } from "./match.ts";
import type { Match, ReconciliationPolicy } from "./reconciliation.ts";

/** All that can be compared, after matching. Payouts and deposits from before the baseline are not in it. */
export interface Scene {
  readonly matches: readonly Match[];
  readonly missing: readonly Instruction[];
  readonly duplicates: readonly Duplicate[];
  readonly unexpected: readonly Unexpected[];
  readonly deposits: readonly ObservedDeposit[];
  readonly balanceProof: readonly BalanceProofRow[];
  /** Of payouts that are said to have failed, and were seen to have left before: when and how, in words. */
  readonly departures: ReadonlyMap<PayoutId, string>;
  /** What a whole sweep does not show any more, by payoutId or depositId: when it was seen last. */
  readonly notShown: ReadonlyMap<string, Instant>;
  /** Payments that are paid again: the references of those which pay them, and have left or may have. */
  readonly paidAgain: ReadonlyMap<InstructionId, readonly string[]>;
  readonly policy: ReconciliationPolicy;
}

/** One occurrence. `key` names what it is about and is the same every night; kinds add what their sentence needs. */
export interface Finding
  extends Pick<
    Break,
    "reference" | "payoutId" | "depositId" | "custodyAccountId" | "field" | "expected" | "found"
  > {
  readonly key: string;
}

export interface BreakRule<Found extends Finding> {
  readonly kind: BreakKind;
  readonly severity: BreakSeverity | ((finding: Found) => BreakSeverity);
  detect(scene: Scene): Iterable<Found>;
  sentence(finding: Found): string;
}

export interface BreakDetector {
  readonly kind: BreakKind;
  breaksIn(scene: Scene): Break[];
}

export function breakKind<Found extends Finding>(rule: BreakRule<Found>): BreakDetector {
  return {
    kind: rule.kind,
    breaksIn: (scene) => [...rule.detect(scene)].map((finding) => breakOf(rule, finding)),
  };
}

function breakOf<Found extends Finding>(rule: BreakRule<Found>, finding: Found): Break {
  const { reference, payoutId, depositId, custodyAccountId, field, expected, found } = finding;
  return {
    id: `${rule.kind}:${finding.key}`,
    kind: rule.kind,
    severity: typeof rule.severity === "function" ? rule.severity(finding) : rule.severity,
    sentence: rule.sentence(finding),
    ...present({ reference, payoutId, depositId, custodyAccountId, field, expected, found }),
  };
}

/** Those whose payout is compared with what was asked for: one that is another payment's differs in everything. */
export function comparable(matches: readonly Match[]): readonly Match[] {
  return matches.filter(({ mixedUpWith }) => mixedUpWith === undefined);
}

/** The finding's part that says which payout it is about. */
export function aboutPayout(payout: ObservedPayout, instruction?: Instruction): Finding {
  const reference = instruction?.fields.reference ?? payout.reference;
  return {
    key: `payout:${payout.payoutId}`,
    payoutId: payout.payoutId,
    custodyAccountId: payout.custodyAccountId,
    ...present({ reference }),
  };
}

export function aboutDeposit(deposit: ObservedDeposit): Finding {
  return {
    key: `deposit:${deposit.depositId}`,
    depositId: deposit.depositId,
    custodyAccountId: deposit.custodyAccountId,
    ...present({ reference: deposit.reference }),
  };
}
