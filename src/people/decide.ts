/** Maker-checker: how many people must approve a batch, who may, and since when and until when an approval is valid. */
import type { Config } from "../config/index.ts";
import { type Problem, problem } from "../faults/index.ts";
import {
  type Approval,
  type Batch,
  type BatchId,
  type ControlTotal,
  DAY_MS,
  type Day,
  type Instant,
  isInFuture,
  personKey,
  type Role,
  shifted,
} from "../model/index.ts";

export type ApprovalRule = Config["approval"]["rules"][number];

type ApprovalPolicy = Pick<Config["approval"], "rules" | "validDays">;

/** The sums that choose a rule: those of the batch, and with them what was released within `approval.windowHours`. */
export interface RuleSums extends Pick<Batch, "controlTotals"> {
  readonly together?: readonly ControlTotal[];
  /** How many people more than the rule says, because nobody proved who submitted the batch. */
  readonly morePeople?: number;
}

/** Somebody who approves, with the roles that are proven. */
export type Approver = Pick<Approval, "person" | "roles">;

export interface ApprovalDecision {
  readonly peopleNeeded: number;
  readonly approvedBy: readonly string[];
  readonly isReleased: boolean;
  /** The sums together with what was released shortly before, if they are why more people are needed. */
  readonly together?: readonly ControlTotal[];
}

/** Adds one person's approval to the existing ones. */
export function decide(
  batch: Pick<Batch, "submittedBy"> & RuleSums,
  approvals: readonly Approval[],
  approver: Approver,
  rules: readonly ApprovalRule[],
): { decision: ApprovalDecision } | { problem: Problem } {
  const { person } = approver;
  if (samePerson(person, batch.submittedBy)) return { problem: problem("APPROVER_IS_SUBMITTER", { person }) };
  const rule = ruleFor(batch, rules);
  if (rule === undefined) {
    const amount = batch.controlTotals.map((total) => `${total.amount} ${total.currency}`).join(", ");
    return { problem: problem("APPROVAL_RULE_MISSING", { amount }) };
  }
  if (!mayApprove(approver, rule)) return { problem: notListed(approver, [rule]) };
  const others = countingBy(rule, approvals)
    .map((approval) => approval.person)
    .filter((other) => !samePerson(other, person));
  const approvedBy = [...others, person];
  const { people: peopleNeeded } = rule;
  const isReleased = approvedBy.length >= peopleNeeded;
  return { decision: { peopleNeeded, approvedBy, isReleased, ...moreFor(batch, rules) } };
}

/** Why a person may not decide how a file is read; who submitted it never may. */
export function mayDecide(
  approver: Approver,
  submittedBy: string | undefined,
  rules: readonly ApprovalRule[],
): Problem | undefined {
  const { person } = approver;
  if (submittedBy !== undefined && samePerson(person, submittedBy))
    return problem("APPROVER_IS_SUBMITTER", { person });
  return rules.some((rule) => mayApprove(approver, rule)) ? undefined : notListed(approver, rules);
}

function notListed({ person }: Approver, rules: readonly ApprovalRule[]): Problem {
  const approvers = new Set(rules.flatMap((rule) => rule.approvers ?? []));
  if (approvers.size === 0) return problem("ROLE_LACKING", { person, action: "approve", roles: APPROVING });
  return problem("APPROVER_NOT_LISTED", { person, approvers: [...approvers].join(", ") });
}

/** The role of those who approve, where a rule lists nobody. */
const APPROVING: Role = "approver";

/**
 * Payments that need a second look may be paid, but only if the approver states how many of them there are. Why a batch
 * with such payments is not approved; undefined if there are none, or if exactly their number was accepted.
 */
export function unaccepted(
  code: "REPEATS_NOT_ACCEPTED" | "LOOK_ALIKES_NOT_ACCEPTED" | "READING_NOT_ACCEPTED",
  batch: BatchId,
  count: number,
  accepted: number | undefined,
): Problem | undefined {
  if (count === 0 || count === accepted) return undefined;
  return problem(code, { batch, count, accepted: accepted ?? 0 });
}

/** How many people the rules require; undefined if no rule covers the sums, and the batch cannot be paid. */
export function peopleNeededFor(sums: RuleSums, rules: readonly ApprovalRule[]): number | undefined {
  return ruleFor(sums, rules)?.people;
}

/** The sums together, if they are why a batch needs more people than it would alone. */
export function moreFor(
  { controlTotals, together, morePeople = 0 }: RuleSums,
  rules: readonly ApprovalRule[],
): { readonly together?: readonly ControlTotal[] } {
  const alone = peopleNeededFor({ controlTotals, morePeople }, rules);
  if (together === undefined) return {};
  return peopleNeededFor({ controlTotals, together, morePeople }, rules) === alone ? {} : { together };
}

/**
 * Since when a batch has the approvals that today's rules require: of as many newest approvals, the oldest. Undefined
 * if there are too few, or no rule covers the sums.
 */
export function approvedSince(
  sums: RuleSums,
  approvals: readonly Approval[],
  rules: readonly ApprovalRule[],
): Instant | undefined {
  const rule = ruleFor(sums, rules);
  if (rule === undefined) return undefined;
  const newestFirst = countingBy(rule, approvals)
    .map(({ decidedAt }) => decidedAt)
    .toSorted((a, b) => (a < b ? 1 : -1));
  return newestFirst[rule.people - 1];
}

/** When an approval expires: `validDays` after its decision or the payment date, whichever is later. */
export function approvalEnds(decidedAt: Instant, payOn: Day | undefined, validDays: number): Instant {
  const dueAt = payOn === undefined ? decidedAt : `${payOn}T00:00:00.000Z`;
  const from = dueAt > decidedAt ? dueAt : decidedAt;
  return shifted(from, validDays * DAY_MS);
}

/**
 * Tells by its payment date whether a payment of the batch may not be sent any more at `at`: its approvals have
 * expired, or are not those that today's rules require.
 */
export function runOutAt(
  sums: RuleSums,
  approvals: readonly Approval[],
  { rules, validDays }: ApprovalPolicy,
  at: Instant,
): (payOn: Day | undefined) => boolean {
  const since = approvedSince(sums, approvals, rules);
  return (payOn) => since === undefined || approvalEnds(since, payOn, validDays) <= at;
}

/** Approvals that count by today's rules at `at`. */
export function countingApprovals(
  sums: RuleSums,
  approvals: readonly Approval[],
  { rules, validDays }: ApprovalPolicy,
  at: Instant,
): Approval[] {
  const rule = ruleFor(sums, rules);
  const valid = validApprovals(approvals, at, validDays);
  return rule === undefined ? valid : countingBy(rule, valid);
}

/** Approvals that count at `at`: not expired, and not dated in the future (by a wrong clock). */
export function validApprovals(approvals: readonly Approval[], at: Instant, validDays: number): Approval[] {
  return approvals.filter(
    ({ decidedAt }) => !isInFuture(decidedAt, at) && at < approvalEnds(decidedAt, undefined, validDays),
  );
}

/**
 * The first rule that covers the batch's sums, or that covers them together with what was released shortly before
 * if that needs more people; where none covers these, the rule that needs most. Undefined only if none covers the
 * batch alone.
 */
function ruleFor(
  { controlTotals, together = controlTotals, morePeople = 0 }: RuleSums,
  rules: readonly ApprovalRule[],
): ApprovalRule | undefined {
  const alone = rules.find((rule) => covers(rule, controlTotals));
  if (alone === undefined) return undefined;
  const ofAll = rules.find((rule) => covers(rule, together));
  const possible = ofAll === undefined ? rules : [ofAll];
  const needed = possible.reduce((most, rule) => (rule.people > most.people ? rule : most), alone);
  return { ...needed, people: needed.people + morePeople };
}

/** Listed by name, or by a role. By name, or where nobody is listed, it takes the role `approver`. */
export function mayApprove({ person, roles }: Approver, { approvers }: ApprovalRule): boolean {
  if (approvers?.some((listed) => roles?.some((role) => role === listed))) return true;
  if (approvers !== undefined && !approvers.some((listed) => samePerson(listed, person))) return false;
  return roles?.includes(APPROVING) === true;
}

/** Approvals by people who are still on the rule's list. */
function countingBy(rule: ApprovalRule, approvals: readonly Approval[]): Approval[] {
  return approvals.filter((approval) => mayApprove(approval, rule));
}

function covers(rule: ApprovalRule, totals: readonly ControlTotal[]): boolean {
  const { upTo } = rule;
  if (upTo === undefined) return true;
  return totals.every(({ currency, amount }) => {
    const limit = upTo[currency];
    return limit !== undefined && amount.compare(limit) <= 0;
  });
}

function samePerson(left: string, right: string): boolean {
  return personKey(left) === personKey(right);
}
