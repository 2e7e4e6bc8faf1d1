/**
 * The state of a batch's approvals: the one value that the approver, the sender and every face read. Whether each
 * approval is valid is proven before (proof/identity.ts); the findings of the sender's own screening are added
 * after.
 */
import type { Config } from "../../config/index.ts";
import type { Problem } from "../../faults/index.ts";
import {
  type Approval,
  DAY_MS,
  type Day,
  type Instant,
  isInFuture,
  MINUTE_MS,
  shifted,
} from "../../model/index.ts";
import { countingBy, type RuleSums, ruleFor } from "../decide.ts";

/**
 * The effect of a payment's approvals at an instant. `missing` is the number of further people who must approve, at
 * least one; undefined if no rule covers the sums, so that the batch cannot be paid.
 */
export type ApprovalState =
  | { readonly kind: "none" | "partial" | "run out"; readonly missing: number | undefined }
  | { readonly kind: "does not fit"; readonly missing: number | undefined; readonly why: string }
  /** Enough, but `approval.coolingMinutes` have not passed since the last one. */
  | { readonly kind: "held until"; readonly until: Instant }
  | { readonly kind: "approved until"; readonly until: Instant };

export interface GivenApprovals {
  readonly sums: RuleSums;
  /** The valid approvals. */
  readonly approvals: readonly Approval[];
  /** Why an approval does not cover the way of sending in question; undefined if it does. */
  readonly whyUnfit?: ((approval: Approval) => string | undefined) | undefined;
  /** When the last approval was recorded; if absent, the cooling time is ignored. */
  readonly lastAt?: Instant | undefined;
  /** Why another approval is not valid; explains why there are too few. */
  readonly notHolding?: Problem | undefined;
}

export interface AskedPayment {
  readonly at: Instant;
  readonly payOn?: Day | undefined;
  /** Why a run held the payment back until it is approved again. */
  readonly heldBack?: string | undefined;
}

/** The approvals of a batch, judged by today's rules. */
export interface JudgedApprovals {
  readonly sums: RuleSums;
  /** The valid approvals that cover the way of sending. */
  readonly approvals: readonly Approval[];
  /** Undefined if no rule covers the sums. */
  readonly peopleNeeded: number | undefined;
  /** Whether as many people have approved as are needed, however long ago. */
  readonly isEnough: boolean;
  /** The approvals that count toward a release at `at`. */
  countingAt(at: Instant): readonly Approval[];
  stateOf(payment: AskedPayment): ApprovalState;
}

export function judgeApprovals(
  { sums, approvals, whyUnfit = () => undefined, lastAt, notHolding }: GivenApprovals,
  { rules, validDays, coolingMinutes }: Omit<Config["approval"], "windowHours">,
): JudgedApprovals {
  const rule = ruleFor(sums, rules);
  const peopleNeeded = rule?.people;
  const reasons = approvals.map(whyUnfit);
  const fitting = approvals.filter((_, index) => reasons[index] === undefined);
  const since = sinceOf(fitting);
  // Cached by day: a batch has many payments and few days.
  const ends = new Map<Day | undefined, Instant>();
  return { sums, approvals: fitting, peopleNeeded, isEnough: since !== undefined, countingAt, stateOf };

  /** The instant since when enough people have approved: the oldest of the newest approvals that suffice. */
  function sinceOf(some: readonly Approval[]): Instant | undefined {
    if (rule === undefined) return undefined;
    const newestFirst = countingBy(rule, some)
      .map(({ decidedAt }) => decidedAt)
      .toSorted((a, b) => (a < b ? 1 : -1));
    return newestFirst[rule.people - 1];
  }

  function countingAt(at: Instant): readonly Approval[] {
    const valid = validApprovals(fitting, at, validDays);
    return rule === undefined ? valid : countingBy(rule, valid);
  }

  function stateOf(payment: AskedPayment): ApprovalState {
    const { at, payOn, heldBack } = payment;
    if (heldBack !== undefined) return { kind: "does not fit", missing: missingAt(at), why: heldBack };
    if (since === undefined) return whyTooFew(payment);
    const end = ends.get(payOn) ?? approvalEnds(since, payOn, validDays);
    ends.set(payOn, end);
    if (end <= at) return { kind: "run out", missing: missingAt(at) };
    const sendFrom = lastAt && coolingMinutes > 0 ? shifted(lastAt, coolingMinutes * MINUTE_MS) : at;
    return sendFrom > at ? { kind: "held until", until: sendFrom } : { kind: "approved until", until: end };
  }

  function whyTooFew({ at }: AskedPayment): ApprovalState {
    const missing = missingAt(at);
    const unfit = sinceOf(approvals) === undefined ? undefined : reasons.find(Boolean);
    if (unfit === undefined && notHolding?.code === "SIGNATURE_EXPIRED") return { kind: "run out", missing };
    const why = unfit ?? notHolding?.message;
    if (why !== undefined) return { kind: "does not fit", missing, why };
    return { kind: countingAt(at).length === 0 ? "none" : "partial", missing };
  }

  function missingAt(at: Instant): number | undefined {
    return peopleMissing(peopleNeeded, countingAt(at).length);
  }
}

/** Whether no further person has to approve. The payment may still have to wait. */
export function isApproved({ kind }: ApprovalState): boolean {
  return kind === "approved until" || kind === "held until";
}

/**
 * How many more people must approve the payments that still wait; undefined if no rule covers the sums. At least
 * one, even if enough people approved before fewer were needed, because only an approval releases payments.
 */
export function peopleMissing(peopleNeeded: number | undefined, given: number): number | undefined {
  return peopleNeeded === undefined ? undefined : Math.max(1, peopleNeeded - given);
}

/**
 * The people whose approval counts and whose next one would change nothing. Once enough people have approved, what
 * still waits was held back, or needs fewer people now: then any of them may release it by approving again.
 */
export function givenInVain(
  approvedBy: readonly string[],
  peopleNeeded: number | undefined,
): readonly string[] {
  return peopleNeeded !== undefined && approvedBy.length >= peopleNeeded ? [] : approvedBy;
}

/** When an approval expires: `validDays` after its decision or the payment date, whichever is later. */
export function approvalEnds(decidedAt: Instant, payOn: Day | undefined, validDays: number): Instant {
  const dueAt = payOn === undefined ? decidedAt : `${payOn}T00:00:00.000Z`;
  const from = dueAt > decidedAt ? dueAt : decidedAt;
  return shifted(from, validDays * DAY_MS);
}

/** Approvals that count at `at`: not expired, and not dated in the future (by a wrong clock). */
export function validApprovals(approvals: readonly Approval[], at: Instant, validDays: number): Approval[] {
  return approvals.filter(
    ({ decidedAt }) => !isInFuture(decidedAt, at) && at < approvalEnds(decidedAt, undefined, validDays),
  );
}
