/**
 * Proves decisions: the person who decides about money signs before anything is done. The statement is shown first,
 * stored with its signature, and its hash goes into the audit record.
 */
import type { Config } from "../config/index.ts";
import { Fault, fault, isProblem } from "../faults/index.ts";
import { type Instant, shifted } from "../model/index.ts";
import { present } from "../model/present.ts";
import {
  canonicalText,
  type DecisionName,
  type DecisionStatement,
  type HeldDecision,
  heldDecision,
  MAY_DECIDE,
  mayTake,
  type Roster,
  type SignedStatement,
  statementHash,
  statementText,
} from "../people/index.ts";
import { appendAudit } from "../store/audit.ts";
import { claimFor } from "../store/roster-root.ts";
import type { Transaction } from "../store/sql.ts";
import { findStatement, insertStatement, type StoredStatement } from "../store/statements.ts";
import { isTrial, rootOf } from "../workplace/root.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { personOn, readRoster } from "./identity.ts";
import { requirePerson } from "./required-person.ts";
import { introduce } from "./trial.ts";

export interface DecisionToProve {
  readonly decision: DecisionName;
  readonly person: string;
  /** A batch, a reference, or another subject of the decision. */
  readonly subject: string;
  readonly reason?: string;
  readonly detail?: DecisionStatement["detail"];
}

/** How long a decision that is carried out at once stays valid. */
const DECISION_MS = 600_000;

/**
 * Has a person sign a decision that is carried out at once, and stores the statement. Throws USAGE without a name,
 * PERSON_UNKNOWN, ROLE_LACKING, what `Sign` throws, and SIGNATURE_INVALID.
 */
export async function proveDecision(workplace: Workplace, decision: DecisionToProve): Promise<void> {
  const { config, store, context } = workplace;
  requirePerson(decision.person);
  const signed = await signDecision(workplace, decision, shifted(context.clock.now(), DECISION_MS));
  await store.write(function* (): Transaction<void> {
    yield* keepStatement(signed, config);
    const { person, at, subject, hash: statement } = signed;
    const detail = { decision: decision.decision, statement };
    yield* appendAudit({ at, person, action: "sign", subject, detail });
  });
}

/** As `proveDecision`, for a decision that the caller stores and that is valid until `expires`. */
export async function signDecision(
  workplace: Workplace,
  { decision, person, subject, reason, detail = {} }: DecisionToProve,
  expires: Instant,
): Promise<StoredStatement> {
  const { config, store, context, sign } = workplace;
  const root = rootOf(config, decision);
  await introduce(workplace, person);
  const roster = await store.read(() => readRoster(config, root));
  const { roles, credentials } = personOn(roster, person);
  if (!mayTake(decision, roles))
    throw fault("ROLE_LACKING", { person, action: decision, roles: MAY_DECIDE[decision].join(" or ") });
  const statement: DecisionStatement = {
    statement: "paydrop decision v1",
    installation: root.installation,
    roster: { number: roster.number, hash: roster.head, root: roster.root },
    person,
    at: context.clock.now(),
    expires,
    decision,
    subject,
    ...present({ reason }),
    detail,
  };
  const text = statementText(statement);
  const keys = [...credentials.values()].map(({ credential }) => credential);
  if (keys.length === 0) throw fault("PROOF_MISSING", { person, reason: "unenrolled" });
  const signed = await sign({ person, text, credentials: keys });
  return asStored(signed, heldNow(signed, statement, roster, context.clock.now()));
}

/** Throws SIGNATURE_INVALID, and STATEMENT_CHANGED for a signature of something else. */
function heldNow(
  signed: SignedStatement,
  asked: DecisionStatement,
  roster: Roster,
  now: Instant,
): HeldDecision {
  const held = heldDecision(signed, roster, now);
  if (isProblem(held)) throw new Fault(held);
  const timeless = (statement: DecisionStatement) =>
    canonicalText({ ...statement, at: undefined, expires: undefined, roster: undefined });
  if (timeless(held.statement) !== timeless(asked)) throw fault("STATEMENT_CHANGED", { reason: "shown" });
  if (held.statement.at < shifted(now, -DECISION_MS)) throw fault("STATEMENT_CHANGED", { reason: "late" });
  return held;
}

function asStored({ text, signature }: SignedStatement, { statement }: HeldDecision): StoredStatement {
  const { roster, decision, subject, person, at } = statement;
  const known = { root: roster.root, roster: roster.number };
  return { hash: statementHash(text), ...known, decision, subject, person, at, text, signature };
}

/** Throws SIGNATURE_INVALID for a statement that was used before, and DATABASE_OF_ANOTHER_ROOT. */
export function* keepStatement(
  statement: StoredStatement,
  config: Pick<Config, "people">,
): Transaction<void> {
  const { person, root } = statement;
  yield* claimFor({ root, isTrial: isTrial(config) });
  if ((yield* findStatement(statement.hash)) !== undefined)
    throw fault("SIGNATURE_INVALID", { person, reason: "used" });
  yield* insertStatement(statement);
}
