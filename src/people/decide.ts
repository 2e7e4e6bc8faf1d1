/** Maker-checker: how many people must approve a batch, and who may. */
import type { Config } from "../config/index.ts";
import { type Problem, problem } from "../faults/index.ts";
import {
  type Approval,
  type Batch,
  type BatchId,
  type ControlTotal,
  personKey,
  type Role,
} from "../model/index.ts";

export type ApprovalRule = Config["approval"]["rules"][number];

/**
 * The sums that choose a rule: those of the batch, and its sums plus those released within `approval.windowHours`.
 */
export interface RuleSums extends Pick<Batch, "controlTotals"> {
  readonly together?: readonly ControlTotal[];
  /** How many more people than the rule says are needed, because no submitter of the batch is proven. */
  readonly morePeople?: number;
}

/** The people and roles whom a rule lists; absent if it lists none. */
export interface Approvers {
  readonly approvers?: readonly string[] | undefined;
}

/** An approver, with the roles that are proven. */
export type Approver = Pick<Approval, "person" | "roles">;

export interface ApprovalDecision {
  readonly peopleNeeded: number;
  readonly approvedBy: readonly string[];
  readonly isReleased: boolean;
  /** The sums together with those released shortly before, if they are the reason that more people are needed. */
  readonly together?: readonly ControlTotal[];
}

/** What a batch's approvals amount to with one person's more, or why that person may not give it. */
export function withApproval(
  batch: Pick<Batch, "submittedBy"> & RuleSums,
  approvals: readonly Approval[],
  approver: Approver,
  rules: readonly ApprovalRule[],
): ApprovalDecision | Problem {
  const { person } = approver;
  if (samePerson(person, batch.submittedBy)) return problem("APPROVER_IS_SUBMITTER", { person });
  const rule = ruleFor(batch, rules);
  if (rule === undefined) {
    const amount = batch.controlTotals.map((total) => `${total.amount} ${total.currency}`).join(", ");
    return problem("APPROVAL_RULE_MISSING", { amount });
  }
  if (!mayApprove(approver, rule)) return notListed(approver, [rule]);
  const others = countingBy(rule, approvals)
    .map((approval) => approval.person)
    .filter((other) => !samePerson(other, person));
  const approvedBy = [...others, person];
  const { people: peopleNeeded } = rule;
  const isReleased = approvedBy.length >= peopleNeeded;
  return { peopleNeeded, approvedBy, isReleased, ...moreFor(batch, rules) };
}

/** Why a person may not approve a file, or decide how it is read. Its submitter never may. */
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

/** The role of approvers, if a rule lists no one. */
const APPROVING: Role = "approver";

/**
 * Why a batch with payments that need a second look is not approved: the approver must state how many such payments
 * there are. Undefined if there are none, or the number is right.
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

/** How many people the rules require; undefined if no rule covers the sums, so that the batch cannot be paid. */
export function peopleNeededFor(sums: RuleSums, rules: readonly ApprovalRule[]): number | undefined {
  return ruleFor(sums, rules)?.people;
}

/**
 * The sums together with those released shortly before, if these make the batch need more people than it would
 * alone.
 */
export function moreFor(
  { controlTotals, together, morePeople = 0 }: RuleSums,
  rules: readonly ApprovalRule[],
): { readonly together?: readonly ControlTotal[] } {
  const alone = peopleNeededFor({ controlTotals, morePeople }, rules);
  if (together === undefined) return {};
  return peopleNeededFor({ controlTotals, together, morePeople }, rules) === alone ? {} : { together };
}

/**
 * The first rule that covers the batch's sums; or, if it needs more people, the first rule that covers them
 * together with those released shortly before. If no rule covers these together, the rule that needs most people.
 * Undefined only if no rule covers the batch alone.
 */
export function ruleFor(
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

/**
 * A rule lists people by name or by role. A person listed by name, or under a rule without a list, needs the role
 * `approver`.
 */
export function mayApprove({ person, roles }: Approver, { approvers }: Approvers): boolean {
  if (approvers?.some((listed) => roles?.some((role) => role === listed))) return true;
  if (approvers !== undefined && !approvers.some((listed) => samePerson(listed, person))) return false;
  return roles?.includes(APPROVING) === true;
}

/** The approvals by people who are still on the rule's list. */
export function countingBy(rule: ApprovalRule, approvals: readonly Approval[]): Approval[] {
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
