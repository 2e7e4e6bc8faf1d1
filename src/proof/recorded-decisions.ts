/**
 * Finds decisions in the record that no statement proves. The record says who decided what, the statements say what
 * people signed, and the root in the reader's configuration says who these people were. An entry without a valid
 * statement was written by a forger, or by an earlier version that took names without proof.
 */
import { isProblem } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";
import {
  type DecisionName,
  type HeldDecision,
  heldDecision,
  MAY_DECIDE,
  mayTake,
  type Roster,
} from "../people/index.ts";
import type { RecordedEntry } from "../store/audit.ts";
import type { Transaction } from "../store/sql.ts";
import { findStatement, listDecisionsOf, type StoredStatement } from "../store/statements.ts";

export interface RecordedDecision {
  readonly seq: number;
  readonly at: Instant;
  readonly person: string;
  readonly action: string;
  readonly subject: string;
}

/**
 * The decisions that people sign, by the entries that result from them. Approvals name their statement themselves.
 */
const PROVEN_BY: Readonly<Record<string, readonly DecisionName[]>> = {
  go: ["go"],
  "recall payment": ["recall", "accept layout"],
  "abandon payout": ["resolve doubt"],
  "accept payout": ["resolve doubt"],
  "send payout again": ["resolve doubt"],
  "re-open payout": ["reopen"],
  "pay again": ["pay again"],
  "settle break": ["settle break"],
  "propose to settle break": ["settle break"],
  "assign break": ["assign break"],
  "note on break": ["note on break"],
  "reopen break": ["reopen break"],
  "approve expected": ["approve expected"],
  "match receipt": ["match receipt"],
  "unmatch receipt": ["unmatch receipt"],
  "end expected": ["end expected"],
  "close period": ["close period"],
  "reopen period": ["reopen period"],
  "settle held": ["settle held"],
  "excuse export": ["excuse export"],
  "remap suspense": ["remap suspense"],
  "voidPayout intended": ["void"],
  "voidPayoutPathless intended": ["void"],
  "authorize intended": ["authorize"],
  accept: ["accept configuration"],
  "hand over": ["hand over"],
};

/** A person's decision about a change in doubt: "abandon createDeposit". */
const ABOUT_CHANGE = /^(?:accept|abandon) (?:create|void|authorize)/;

const DECISIONS = [...new Set([...Object.values(PROVEN_BY).flat(), "accept layout" as const])];

function provingDecisions(action: string): readonly DecisionName[] | undefined {
  if (ABOUT_CHANGE.test(action)) return ["resolve doubt"];
  return Object.hasOwn(PROVEN_BY, action) ? PROVEN_BY[action] : undefined;
}

/** Every statement that may prove an entry, without those of approvals, which may be long. */
export function* listProofs(): Transaction<ReadonlyMap<string, StoredStatement>> {
  const proofs = new Map<string, StoredStatement>();
  for (const decision of DECISIONS)
    for (const statement of yield* listDecisionsOf(decision)) proofs.set(statement.hash, statement);
  return proofs;
}

/** Reads the record from its beginning, entry by entry, and collects the decisions that are not proven. */
export class DecisionsRead {
  /** The number of this root's changes in the record so far. */
  private changes = 0;
  /** Signed decisions that may still prove entries. */
  private readonly signed: Proof[] = [];
  /** The newest entry of a refusal, by reference: a statement signed before it re-opens nothing. */
  private readonly refused = new Map<string, number>();
  private readonly found: (RecordedDecision & { readonly hash: string })[] = [];
  private takenUpTo = 0;
  private readonly approvals: {
    readonly entry: RecordedDecision;
    readonly statement: string;
    readonly changes: number;
  }[] = [];
  private readonly roster: Roster | undefined;
  private readonly proofs: ReadonlyMap<string, StoredStatement>;

  /** `roster`: undefined if there is no valid one; then nothing is proven. */
  constructor(roster: Roster | undefined, proofs: ReadonlyMap<string, StoredStatement>) {
    this.roster = roster;
    this.proofs = proofs;
  }

  visit(entry: RecordedEntry): void {
    const { action } = entry;
    if (action === "roster") this.changes += Number(isChangeOf(this.roster, entry));
    else if (action === "sign") this.sign(entry);
    else if (action === "approve") this.approve(entry);
    else if (action === "payout refused") this.refused.set(entry.subject, entry.seq);
    else this.decide(entry);
  }

  /**
   * Unproven decisions that no operator has accepted since. Includes only those approvals that name no statement.
   */
  get unproven(): readonly RecordedDecision[] {
    return this.found.filter((decision) => !this.isTakenOver(decision));
  }

  /** The newest unproven decision, with the hash of its entry, which covers the whole record up to there. */
  get newest(): readonly [seq: number, hash: string] | undefined {
    const last = this.found.at(-1);
    return last && [last.seq, last.hash];
  }

  /** All unproven decisions, including approvals whose statement is not valid. */
  *allUnproven(): Transaction<RecordedDecision[]> {
    const named = this.found.map(({ hash: _, ...decision }) => decision);
    return [...named, ...(yield* this.unprovenApprovals())].toSorted((one, other) => one.seq - other.seq);
  }

  /** Whether an operator has signed for the record up to this decision. */
  isTakenOver({ seq }: RecordedDecision): boolean {
    return seq <= this.takenUpTo;
  }

  /** Approvals that name no statement valid under the roster of their time. */
  private *unprovenApprovals(): Transaction<RecordedDecision[]> {
    const found: RecordedDecision[] = [];
    for (const { entry, statement, changes } of this.approvals) {
      const stored = yield* findStatement(statement);
      const held = stored && heldAfter(this.roster, changes, stored);
      const { decision, subject, person } = held?.statement ?? {};
      if (decision !== "approve" || subject !== entry.subject || person !== entry.person) found.push(entry);
    }
    return found;
  }

  private approve(entry: RecordedEntry): void {
    const { statement } = readDetail(entry.detail);
    if (typeof statement !== "string") this.found.push({ ...decisionOf(entry), hash: entry.hash });
    else this.approvals.push({ entry: decisionOf(entry), statement, changes: this.changes });
  }

  private sign({ detail, seq }: RecordedEntry): void {
    const { statement } = readDetail(detail);
    const stored = typeof statement === "string" ? this.proofs.get(statement) : undefined;
    const held = stored && heldAfter(this.roster, this.changes, stored);
    if (held !== undefined) this.signed.push(proofOf(held, seq));
  }

  private decide(entry: RecordedEntry): void {
    const decisions = provingDecisions(entry.action);
    if (decisions === undefined) return;
    const about = readDetail(entry.detail);
    const key = [entry.action, entry.subject, about["break"]].join("\n");
    const proof = this.signed.find(
      (held) =>
        decisions.some((name) => name === held.statement.decision) &&
        held.statement.person === entry.person &&
        !held.proves.has(key) &&
        (entry.action !== "re-open payout" || held.seq > (this.refused.get(entry.subject) ?? 0)) &&
        covers(held, entry, about),
    );
    proof?.proves.add(key);
    if (proof === undefined) this.found.push({ ...decisionOf(entry), hash: entry.hash });
    else if (entry.action === "go") this.takeOver(proof);
  }

  private takeOver({ statement: { detail } }: HeldDecision): void {
    const [seq, hash] = Array.isArray(detail["record"]) ? detail["record"] : [];
    const newest = this.found.find((decision) => decision.seq === seq && decision.hash === hash);
    if (newest !== undefined) this.takenUpTo = newest.seq;
  }
}

/** Whether the entry belongs to a change of this roster. */
export function isChangeOf(roster: Roster | undefined, { detail }: RecordedEntry): boolean {
  return readDetail(detail)["root"] === roster?.root;
}

/**
 * The decision, if its person was on the roster with a role for it after that many changes; undefined without a
 * roster.
 */
export function heldAfter(
  roster: Roster | undefined,
  changes: number,
  stored: StoredStatement,
): HeldDecision | undefined {
  const people = roster?.states[changes]?.people;
  if (roster === undefined || people === undefined) return undefined;
  const held = heldDecision(stored, roster, stored.at, people);
  if (isProblem(held)) return undefined;
  const { decision } = held.statement;
  return isDecision(decision) && mayTake(decision, held.roles) ? held : undefined;
}

interface Proof extends HeldDecision {
  /** The number of the entry that records the signature. */
  readonly seq: number;
  /** The references that the statement names. */
  readonly named: ReadonlySet<string>;
  /** The entries that the statement has already proven. */
  readonly proves: Set<string>;
}

function proofOf(held: HeldDecision, seq: number): Proof {
  const { payments, payouts } = held.statement.detail;
  const listed = Array.isArray(payments)
    ? payments
    : Object.keys(typeof payouts === "object" ? (payouts ?? {}) : {});
  const named = new Set(listed.filter((name) => typeof name === "string"));
  return { ...held, seq, named, proves: new Set() };
}

/** Whether a statement has the same subject as an entry. */
function covers(
  { statement, named }: Proof,
  { action, subject }: RecordedEntry,
  about: Readonly<Record<string, unknown>>,
): boolean {
  const { decision, detail, reason } = statement;
  switch (decision) {
    case "go":
      return detail["order"] === about["order"];
    case "recall":
    case "reopen":
      return named.has(subject);
    case "resolve doubt":
      if (ABOUT_CHANGE.test(action)) return reason === about["reason"];
      return statement.subject === subject || named.has(subject);
    case "assign break":
      return detail["owner"] === about["owner"] && isSignedOpening(detail["breaks"], about["opening"]);
    case "settle break":
    case "note on break":
    case "reopen break":
      return reason === about["reason"] && isSignedOpening(detail["breaks"], about["opening"]);
    case "match receipt":
    case "unmatch receipt":
    case "end expected":
    case "close period":
    case "reopen period":
    case "excuse export":
      return statement.subject === subject && reason === about["reason"];
    case "settle held":
      return reason === about["reason"] && isSigned(detail["held"], subject);
    case "accept layout":
    case "accept configuration":
      return true;
    default:
      return statement.subject === subject;
  }
}

/** `signed`: by opening, its sentence. In earlier versions only the sentences; then the entries name no opening. */
function isSignedOpening(signed: unknown, opening: unknown): boolean {
  return opening === undefined ? Array.isArray(signed) : isSigned(signed, opening);
}

function isSigned(signed: unknown, name: unknown): boolean {
  return typeof name === "string" && typeof signed === "object" && Object.hasOwn(signed ?? {}, name);
}

function decisionOf({ seq, at, person, action, subject }: RecordedEntry): RecordedDecision {
  return { seq, at, person, action, subject };
}

function isDecision(name: string): name is DecisionName {
  return Object.hasOwn(MAY_DECIDE, name);
}

export function readDetail(detail: string): Readonly<Record<string, unknown>> {
  return JSON.parse(detail) as Readonly<Record<string, unknown>>;
}
