/**
 * Whether a signed decision is valid: who made it, when, under which roster, and whether they had the role for it.
 */
import { type Problem, problem, type Reason } from "../faults/index.ts";
import { type Instant, isInFuture, ROLES, type Role } from "../model/index.ts";
import { fingerprintOf } from "./public-key.ts";
import type { People, Person, Roster } from "./roster.ts";
import { signatureKey, whyNotSigned } from "./ssh-signature.ts";
import { type DecisionStatement, readDecision, type SignedStatement } from "./statement.ts";

export type DecisionName = keyof typeof MAY_DECIDE;

/** The roles that may take each decision; one of them is enough. For approvals the rules may name other people. */
export const MAY_DECIDE = {
  "sign in": ROLES,
  submit: ["submitter"],
  approve: ["approver"],
  "accept layout": ["approver"],
  recall: ["approver", "operator"],
  "resolve doubt": ["operator"],
  reopen: ["operator"],
  "pay again": ["operator"],
  void: ["operator"],
  authorize: ["approver"],
  go: ["operator"],
  "settle break": ["controller"],
  "assign break": ["controller"],
  "note on break": ["controller"],
  "reopen break": ["controller"],
  "approve expected": ["approver"],
  "match receipt": ["controller"],
  "unmatch receipt": ["controller"],
  "end expected": ["controller"],
  "close period": ["controller"],
  "reopen period": ["controller"],
  "settle held": ["controller"],
  "excuse export": ["controller"],
  "remap suspense": ["controller"],
  "accept configuration": ["admin"],
  "hand over": ["admin"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/** Whether one of these roles may take the decision. Roles for approvals and layouts are checked by their rules. */
export function mayTake(decision: DecisionName, roles: readonly Role[]): boolean {
  const may: readonly Role[] = MAY_DECIDE[decision];
  return decision === "approve" || decision === "accept layout" || roles.some((role) => may.includes(role));
}

export interface HeldDecision {
  readonly statement: DecisionStatement;
  /** The person's present entry on the roster. */
  readonly person: Person;
  /** The roles that the person had when signing and still has. */
  readonly roles: readonly Role[];
}

/**
 * The decision of a signed statement, checked as of `at`, by default as of its own time. `people`: the roster's
 * people when it counts; by default now. Returns SIGNATURE_INVALID if the text is not a statement, is for another
 * installation, roster or time, or was not signed by a key that its person had then and still has. Also returns
 * SIGNATURE_EXPIRED and PERSON_UNKNOWN.
 */
export function heldDecision(
  { text, signature }: SignedStatement,
  roster: Roster,
  at?: Instant,
  people: People = roster.people,
): HeldDecision | Problem {
  const statement = readDecision(text);
  if (statement === undefined) return invalid("somebody", { reason: "statement" });
  const { person: name, installation, roster: known, expires } = statement;
  const now = at ?? statement.at;
  if (installation !== roster.installation) return invalid(name, { reason: "installation", installation });
  const then = roster.states[known.number];
  if (known.root !== roster.root || then === undefined || then.hash !== known.hash)
    return invalid(name, { reason: "roster" });
  if (isInFuture(statement.at, now)) return invalid(name, { reason: "future", when: statement.at });
  if (expires <= now) return problem("SIGNATURE_EXPIRED", { person: name, when: expires });
  const person = people.get(name);
  if (person === undefined) return problem("PERSON_UNKNOWN", { person: name });
  const key = signatureKey(signature);
  const fingerprint = key === undefined ? "" : fingerprintOf({ key });
  const enrolled = person.credentials.get(fingerprint);
  const before = then.people.get(name);
  if (enrolled === undefined || before?.credentials.has(fingerprint) !== true)
    return invalid(name, { reason: "owner" });
  const why = whyNotSigned(text, signature, enrolled.credential, roster.namespace);
  if (why !== undefined) return invalid(name, { reason: why });
  return { statement, person, roles: person.roles.filter((role) => before.roles.includes(role)) };
}

function invalid(person: string, reason: Reason<"SIGNATURE_INVALID">): Problem {
  return problem("SIGNATURE_INVALID", { person, ...reason });
}
