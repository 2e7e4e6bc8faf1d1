/** What every break rule is: a kind of break, how grave it is, and how it is found and told in all that can be compared. */
import type {
  BalanceProofRow,
  Break,
  BreakKind,
  BreakSeverity,
  Instruction,
  ObservedDeposit,
  ObservedPayout,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { Matching } from "../match.ts";
import type {
  ComparisonGround,
  Departures,
  Match,
  NotShown,
  ReconciliationPolicy,
} from "../reconciliation.ts";

/** All that can be compared, after matching. Payouts and deposits from before the baseline are not in it. */
export interface Scene
  extends Pick<Matching, "matches" | "missing" | "duplicates" | "unexpected">,
    Required<Pick<ComparisonGround, "paidAgain">> {
  readonly departures: Departures;
  readonly notShown: NotShown;
  readonly deposits: readonly ObservedDeposit[];
  readonly balanceProof: readonly BalanceProofRow[];
  readonly policy: ReconciliationPolicy;
}

/** One occurrence. `severity` where it is another than its rule's. */
export interface Finding extends Omit<Break, "id" | "kind" | "severity"> {
  /** What it is about, the same every night: "payout:<id>". */
  readonly key: string;
  readonly severity?: BreakSeverity;
}

export interface BreakRule {
  readonly kind: BreakKind;
  readonly severity: BreakSeverity;
  find(scene: Scene): Iterable<Finding>;
}

export function breaksOf({ kind, severity, find }: BreakRule, scene: Scene): Break[] {
  return [...find(scene)].map(({ key, ...finding }) => ({
    id: `${kind}:${key}`,
    kind,
    severity,
    ...finding,
  }));
}

/** What differs, and the sentence that tells it. */
export interface Difference extends Pick<Finding, "sentence" | "field" | "expected" | "found" | "severity"> {
  /** Which one, where a payout can differ in several ways of one kind. */
  readonly part?: string;
}

export function aboutPayout(
  payout: ObservedPayout,
  instruction: Instruction | undefined,
  { part, ...difference }: Difference,
): Finding {
  return {
    key: part === undefined ? `payout:${payout.payoutId}` : `payout:${payout.payoutId}:${part}`,
    payoutId: payout.payoutId,
    custodyAccountId: payout.custodyAccountId,
    ...present({ reference: instruction?.fields.reference ?? payout.reference }),
    ...difference,
  };
}

export function aboutDeposit(deposit: ObservedDeposit, difference: Omit<Difference, "part">): Finding {
  return {
    key: `deposit:${deposit.depositId}`,
    depositId: deposit.depositId,
    custodyAccountId: deposit.custodyAccountId,
    ...present({ reference: deposit.reference }),
    ...difference,
  };
}

/** Looks at each payout beside its instruction. */
export function inMatches(
  differencesIn: (match: Match, scene: Scene) => readonly Difference[],
): BreakRule["find"] {
  return (scene) =>
    scene.matches.flatMap((match) =>
      differencesIn(match, scene).map((one) => aboutPayout(match.payout, match.instruction, one)),
    );
}

/** Looks at each deposit. */
export function inDeposits(
  differencesIn: (deposit: ObservedDeposit, scene: Scene) => readonly Difference[],
): BreakRule["find"] {
  return (scene) =>
    scene.deposits.flatMap((deposit) =>
      differencesIn(deposit, scene).map((one) => aboutDeposit(deposit, one)),
    );
}
