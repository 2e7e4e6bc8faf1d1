/** The form of every break rule: the kind of break, its severity, and how it is found and described. */
import {
  type BalanceProofRow,
  type Break,
  type BreakKind,
  type BreakSeverity,
  breakId,
  type Instruction,
  type ObservedDeposit,
  type ObservedPayout,
  payoutSubject,
} from "../../../model/index.ts";
import { present } from "../../../model/present.ts";
import type { Matching } from "../match.ts";
import type {
  ComparedDeposit,
  ComparisonInput,
  Departures,
  Match,
  NotShown,
  ReconciliationPolicy,
  StatesBefore,
} from "../reconciliation.ts";

/** Everything to compare, after matching; without payouts and deposits from before the baseline. */
export interface BreakContext
  extends Pick<Matching, "matches" | "missing" | "duplicates" | "unexpected">,
    Required<
      Pick<
        ComparisonInput,
        "paidAgain" | "submittedSince" | "settled" | "missingOrFailedDeposits" | "unreadable"
      >
    > {
  readonly departures: Departures;
  readonly statesBefore: StatesBefore;
  readonly notShown: NotShown;
  readonly deposits: readonly ComparedDeposit[];
  readonly balanceProof: readonly BalanceProofRow[];
  readonly policy: ReconciliationPolicy;
}

/** One occurrence. `severity` overrides the rule's. */
export interface Finding extends Omit<Break, "id" | "kind" | "severity"> {
  /** The subject, stable from night to night: "payout:<id>". */
  readonly key: string;
  readonly severity?: BreakSeverity;
}

export interface BreakRule {
  readonly kind: BreakKind;
  readonly severity: BreakSeverity;
  find(context: BreakContext): Iterable<Finding>;
}

export function breaksOf({ kind, severity, find }: BreakRule, context: BreakContext): Break[] {
  return [...find(context)].map(({ key, ...finding }) => ({
    id: breakId(kind, key),
    kind,
    severity,
    ...finding,
  }));
}

export interface Difference
  extends Pick<Finding, "sentence" | "field" | "expected" | "found" | "lastSeenAt" | "severity"> {
  /** Distinguishes several differences of one kind in one payout or deposit. */
  readonly part?: string;
}

export function aboutPayout(
  payout: ObservedPayout,
  instruction: Instruction | undefined,
  { part, ...difference }: Difference,
): Finding {
  const subject = payoutSubject(payout.payoutId);
  return {
    key: part === undefined ? subject : `${subject}:${part}`,
    payoutId: payout.payoutId,
    custodyAccountId: payout.custodyAccountId,
    ...present({ reference: instruction?.fields.reference ?? payout.reference }),
    ...difference,
  };
}

export function aboutDeposit(deposit: ObservedDeposit, { part, ...difference }: Difference): Finding {
  return {
    key: part === undefined ? `deposit:${deposit.depositId}` : `deposit:${deposit.depositId}:${part}`,
    depositId: deposit.depositId,
    custodyAccountId: deposit.custodyAccountId,
    ...present({ reference: deposit.reference }),
    ...difference,
  };
}

export function inMatches(
  differencesIn: (match: Match, context: BreakContext) => readonly Difference[],
): BreakRule["find"] {
  return (context) =>
    context.matches.flatMap((match) =>
      differencesIn(match, context).map((difference) =>
        aboutPayout(match.payout, match.instruction, difference),
      ),
    );
}

export function inDeposits(
  differencesIn: (deposit: ComparedDeposit, context: BreakContext) => readonly Difference[],
): BreakRule["find"] {
  return (context) =>
    context.deposits.flatMap((deposit) =>
      differencesIn(deposit, context).map((difference) => aboutDeposit(deposit, difference)),
    );
}
