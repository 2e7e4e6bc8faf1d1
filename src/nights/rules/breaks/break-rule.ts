/** The form of every break rule: the kind of break, its severity, and how it is found and described. */
import {
  type BalanceProofRow,
  type Break,
  type BreakKind,
  type BreakSeverity,
  breakId,
  type Instruction,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  type PayoutId,
  payoutSubject,
  type TroubledAnswer,
  type UnansweredBatch,
} from "../../../model/index.ts";
import { present } from "../../../model/present.ts";
import { type Amount, Decimal } from "../../../money/index.ts";
import type { UntiedLedger } from "../books-tie.ts";
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

/** Everything to compare, after matching; from before the baseline only payouts of our payments. */
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
  /** The payouts that list a movement of another one, with the ids of the others. */
  readonly claimedPayouts: readonly ClaimedPayout[];
  readonly balanceProof: readonly BalanceProofRow[];
  readonly untiedLedger: readonly UntiedLedger[];
  readonly troubledAnswers: readonly TroubledAnswer[];
  readonly unanswered: readonly UnansweredBatch[];
  readonly policy: ReconciliationPolicy;
}

export interface ClaimedPayout {
  readonly payout: ObservedPayout;
  readonly others: readonly PayoutId[];
  /** Whether the opening balance includes it and another one, and it is not booked: then no balance decides. */
  readonly isInOpening: boolean;
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
  find(context: BreakContext): readonly Finding[];
}

export function breaksOf({ kind, severity, find }: BreakRule, context: BreakContext): Break[] {
  const breaks: Break[] = [];
  for (const { key, ...finding } of find(context))
    breaks.push({ id: breakId(kind, key), kind, severity, ...finding });
  return breaks;
}

export interface Difference
  extends Pick<Finding, "sentence" | "field" | "expected" | "found" | "lastSeenAt" | "severity"> {
  /** At stake. If left out, the amount of the payout or deposit; if undefined, no money. */
  readonly amount?: Amount | undefined;
  /** Distinguishes several differences of one kind in one payout or deposit. */
  readonly part?: string;
}

export function aboutPayout(
  payout: ObservedPayout,
  instruction: Instruction | undefined,
  difference: Difference,
): Finding {
  return {
    key: keyOf(payoutSubject(payout.payoutId), difference),
    payoutId: payout.payoutId,
    custodyAccountId: payout.custodyAccountId,
    ...present({ reference: instruction?.fields.reference ?? payout.reference }),
    ...findingOf(difference, payout.requestedAmount),
  };
}

export function aboutDeposit(deposit: ObservedDeposit, difference: Difference): Finding {
  return {
    key: keyOf(`deposit:${deposit.depositId}`, difference),
    depositId: deposit.depositId,
    custodyAccountId: deposit.custodyAccountId,
    ...present({ reference: deposit.reference }),
    ...findingOf(difference, heldBy(deposit)),
  };
}

function keyOf(subject: string, { part }: Difference): string {
  return part === undefined ? subject : `${subject}:${part}`;
}

/** `whole`: the amount at stake if the difference gives none. */
function findingOf(difference: Difference, whole: Amount | undefined): Omit<Finding, "key"> {
  const { part: _, amount: __, ...finding } = difference;
  return { ...finding, ...present({ amount: "amount" in difference ? difference.amount : whole }) };
}

/** The amount received; before any receipt, the amount requested. */
function heldBy({ receivedFunds, requestedInCrypto, requestedInFiat }: ObservedDeposit): Amount | undefined {
  return receivedFunds.length > 0 ? sumOf(receivedFunds) : (requestedInCrypto ?? requestedInFiat);
}

/** The sum of the funds; undefined if they have several currencies. */
export function sumOf(funds: readonly ObservedFunds[]): Amount | undefined {
  const amounts = funds.flatMap(({ amount }) => amount ?? []);
  const [first] = amounts;
  if (first === undefined || amounts.some(({ currency }) => currency !== first.currency)) return undefined;
  return { currency: first.currency, value: Decimal.sum(amounts.map(({ value }) => value)) };
}

/** One list for all rules, which nearly always find nothing. */
const NOTHING: readonly Finding[] = [];

export function inMatches(
  differencesIn: (match: Match, context: BreakContext) => readonly Difference[],
): BreakRule["find"] {
  return (context) => {
    if (context.matches.length === 0) return NOTHING;
    const findings: Finding[] = [];
    for (const match of context.matches)
      for (const difference of differencesIn(match, context))
        findings.push(aboutPayout(match.payout, match.instruction, difference));
    return findings;
  };
}

export function inDeposits(
  differencesIn: (deposit: ComparedDeposit, context: BreakContext) => readonly Difference[],
): BreakRule["find"] {
  return (context) => {
    if (context.deposits.length === 0) return NOTHING;
    const findings: Finding[] = [];
    for (const deposit of context.deposits)
      for (const difference of differencesIn(deposit, context))
        findings.push(aboutDeposit(deposit, difference));
    return findings;
  };
}
