/** The people of a workplace, as proven by the roster from the root that the configuration names. */

import type { Config } from "../config/index.ts";
import { Fault, fault, isProblem, orProblem, type Problem, problem } from "../faults/index.ts";
import type { Approval, Batch, BatchId, Instant } from "../model/index.ts";
import { type Approver, mayDecide } from "../people/decide.ts";
import {
  canonicalText,
  heldDecision,
  mayTake,
  type Person,
  type Roster,
  type RosterRoot,
  rootHash,
  rosterFrom,
  statementHash,
} from "../people/index.ts";
import { findBatchReading, listApprovalStamps, listApprovals } from "../store/batches.ts";
import type { JudgedBatch } from "../store/releases.ts";
import type { Transaction } from "../store/sql.ts";
import {
  findStatement,
  listDecisions,
  listRosterChanges,
  newestKnownChange,
  rosterHead,
  type StoredStatement,
} from "../store/statements.ts";
import { rootIfAny, rootOf } from "../workplace/root.ts";
import { policyFingerprint } from "../workplace/settings.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface Identity {
  /** Verifies the roster from its root. Throws ROSTER_BROKEN. */
  verify(): Transaction<void>;
  /** Throws PERSON_UNKNOWN. */
  approver(name: string): Transaction<Required<Approver>>;
  /** The approvals of a batch that are valid at `at`, the newest of each person, with their roles. */
  holding(batch: Batch, at: Instant): Transaction<Approval[]>;
  /** Why approvals of a batch are not valid. */
  whyNotHolding(batch: Batch, at: Instant): Transaction<Problem[]>;
  /** The batch with how many more people must approve it than its rule says. */
  judged<Judged extends Batch | JudgedBatch>(
    batch: Judged,
  ): Transaction<Judged & { readonly morePeople: number }>;
  /** Changes whenever the roster or an approval of the batch changes. */
  stampOf(batch: BatchId): Transaction<string>;
}

/** Throws PEOPLE_ROOT_MISSING; its transactions also ROSTER_BROKEN. */
export async function identityOf(
  { config }: Pick<Workplace, "config">,
  action = "approve",
): Promise<Identity> {
  const root = rootOf(config, action);
  return proven(config, root, await policyFingerprint(config));
}

/**
 * As `identityOf`, for faces that only show: if identities cannot be proven, no approval counts. A roster that was
 * verified for the same configuration is verified again only after a new change.
 */
export async function identityShown({
  config,
  store,
}: Pick<Workplace, "config" | "store">): Promise<Identity> {
  const found = await orProblem(async () => {
    const root = rootOf(config, "approve");
    const current = rosterShownOf(config, root);
    const identity = proven(config, root, await policyFingerprint(config), current);
    await store.read(() => identity.verify());
    return identity;
  });
  return isProblem(found) ? NOBODY : found;
}

/**
 * The roster for visitors who only look, or who are not known yet: verified once for a configuration, and again
 * only after a new change. Throws ROSTER_BROKEN.
 */
export function rosterShownOf(config: Config, root: RosterRoot): () => Transaction<Roster> {
  const current = rosterShown.get(config) ?? currentRoster(config, root);
  rosterShown.set(config, current);
  return current;
}

const rosterShown = new WeakMap<Config, () => Transaction<Roster>>();

const NOBODY: Identity = {
  verify: () => known(undefined),
  approver: (person) => known({ person, roles: [] }),
  holding: () => known([]),
  whyNotHolding: () => known([]),
  judged: (batch) => known({ ...batch, morePeople: 0 }),
  stampOf,
};

/** A transaction that only returns this result. */
function* known<Result>(result: Result): Transaction<Result> {
  yield* [];
  return result;
}

function* stampOf(batch: BatchId): Transaction<string> {
  return (yield* listApprovalStamps(batch)).join(" ");
}

function proven(
  config: Config,
  root: RosterRoot,
  policy: string,
  current: () => Transaction<Roster> = currentRoster(config, root),
): Identity {
  const headOfRoot = rootHash(root);
  function* judgedApprovals(batch: Batch, at: Instant) {
    const roster = yield* current();
    const judged: (Approval | Problem)[] = [];
    for (const approval of yield* listApprovals(batch.id)) {
      const statement = yield* findStatement(approval.statement ?? "");
      judged.push(asHeld(approval, statement, batch, { roster, policy, rules: config.approval.rules, at }));
    }
    return judged;
  }
  return {
    *verify() {
      yield* current();
    },
    *approver(name) {
      const { roles } = personOn(yield* current(), name);
      return { person: name, roles };
    },
    *holding(batch, at) {
      return (yield* judgedApprovals(batch, at)).flatMap((found) => (isProblem(found) ? [] : [found]));
    },
    *whyNotHolding(batch, at) {
      return (yield* judgedApprovals(batch, at)).filter(isProblem);
    },
    *judged(batch) {
      const isKnown = yield* isSubmitterProven(config, yield* current(), batch);
      return { ...batch, morePeople: isKnown ? 0 : 1 };
    },
    *stampOf(batch) {
      return `${yield* rosterHead(headOfRoot)} ${yield* stampOf(batch)}`;
    },
  };
}

/** Reads the roster, and verifies it again from its root after each new change. Throws ROSTER_BROKEN. */
export function currentRoster(config: Pick<Config, "people">, root: RosterRoot): () => Transaction<Roster> {
  let verified: Roster | undefined;
  const headOfRoot = rootHash(root);
  return function* () {
    const head = (yield* rosterHead(headOfRoot)) ?? headOfRoot;
    if (verified?.head !== head) verified = yield* readRoster(config, root);
    return verified;
  };
}

/** Throws PERSON_UNKNOWN. */
export function personOn(roster: Roster, name: string): Person {
  const person = roster.people.get(name);
  if (person === undefined) throw fault("PERSON_UNKNOWN", { person: name });
  return person;
}

/**
 * The roster, verified from its root. Throws ROSTER_BROKEN, also if it lacks a change that an earlier decision or
 * `people.head` refers to: a person who was revoked in the missing part would be back.
 */
export function* readRoster(
  { people: { head } }: Pick<Config, "people">,
  root: RosterRoot,
): Transaction<Roster> {
  const name = rootHash(root);
  const roster = rosterFrom(root, yield* listRosterChanges(name));
  const newest = yield* newestKnownChange(name);
  if (newest > roster.number)
    throw fault("ROSTER_BROKEN", { number: roster.number + 1, reason: "known", newest });
  if (head === undefined) return roster;
  const [number = "", hash = ""] = head.split(":");
  if (roster.states[Number.parseInt(number, 10)]?.hash !== hash)
    throw fault("ROSTER_BROKEN", { number: roster.number + 1, reason: "head", head: number });
  return roster;
}

/** As `readRoster`; undefined without a root, and if the roster is broken: then nothing is proven. */
export function* readRosterIfAny(config: Pick<Config, "people">): Transaction<Roster | undefined> {
  const root = rootIfAny(config);
  if (root === undefined) return undefined;
  try {
    return yield* readRoster(config, root);
  } catch (error) {
    if (error instanceof Fault && error.problem.code === "ROSTER_BROKEN") return undefined;
    throw error;
  }
}

interface Judging {
  readonly roster: Roster;
  readonly policy: string;
  readonly rules: Config["approval"]["rules"];
  readonly at: Instant;
}

/** In what a stored approval disagrees with its statement. */
type Misapproval =
  | "unsigned"
  | "changed"
  | "decision"
  | "payments"
  | "file"
  | "submitter"
  | "time"
  | "policy";

/** The approval with the roles by which it counts, or why it is not valid. */
function asHeld(
  approval: Approval,
  stored: StoredStatement | undefined,
  batch: Batch,
  { roster, policy, rules, at }: Judging,
): Approval | Problem {
  const { person, approved, decidedAt } = approval;
  const invalid = (reason: Misapproval) => problem("SIGNATURE_INVALID", { person, reason });
  if (stored === undefined) return invalid("unsigned");
  if (statementHash(stored.text) !== approval.statement) return invalid("changed");
  const held = heldDecision(stored, roster, at);
  if (isProblem(held)) return held;
  const { statement, roles } = held;
  const { detail } = statement;
  if (statement.decision !== "approve" || statement.subject !== batch.id || statement.person !== person)
    return invalid("decision");
  const given = JSON.parse(approved) as { readonly policy: string; readonly rows: string };
  if (canonicalText(detail["approved"]) !== canonicalText(given) || given.rows !== batch.digest)
    return invalid("payments");
  if (detail["sha256"] !== batch.fileSha256) return invalid("file");
  if (detail["submittedBy"] !== batch.submittedBy) return invalid("submitter");
  if (statement.at !== decidedAt) return invalid("time");
  if (given.policy !== policy) return invalid("policy");
  return mayDecide({ person, roles }, batch.submittedBy, rules) ?? { ...approval, roles };
}

/**
 * Whether the submitter signed the file and its rows, or the file came from a folder that only one person fills.
 */
function* isSubmitterProven(
  { files: { senders } }: Config,
  roster: Roster,
  { id, submittedBy, fileSha256, digest }: Batch,
): Transaction<boolean> {
  const isSubmission = (stored: StoredStatement) => {
    const held = heldDecision(stored, roster);
    if (isProblem(held) || !mayTake("submit", held.roles)) return false;
    const { decision, person, subject, detail } = held.statement;
    const isSame = subject === fileSha256 && detail["digest"] === digest;
    return decision === "submit" && person === submittedBy && isSame;
  };
  if ((yield* listDecisions("submit", fileSha256)).some(isSubmission)) return true;
  const reading = yield* findBatchReading(id);
  if (!roster.people.has(submittedBy)) return false;
  return senders.some(({ name, submitter }) => name === reading?.sender && submitter === submittedBy);
}
