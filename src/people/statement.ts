/**
 * The texts that people sign: canonical JSON about a change of the roster, or a decision about money. A statement
 * names the installation, its signer and its time. Each text has one hash.
 */
import { hash } from "node:crypto";
import { z } from "zod";
import { ROLES, withSortedMembers } from "../model/index.ts";

/** A statement as it is stored. */
export interface SignedStatement {
  readonly text: string;
  readonly signature: string;
  /** The new key's own signature of its enrolment, which proves that its person has the key. */
  readonly possession?: string | undefined;
}

const instant = z.iso.datetime({ precision: 3 });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const credential = z.strictObject({
  key: z.string(),
  passkey: z.strictObject({ id: z.string(), rp: z.string() }).optional(),
});

/** Changes form a chain: each has a number, from 1, and the hash of the one before, or of the root. */
const rosterChange = z.strictObject({
  statement: z.literal("paydrop roster v1"),
  installation: z.string(),
  root: sha256,
  number: z.int().min(1),
  before: sha256,
  at: instant,
  /** The signer. */
  person: z.string(),
  /**
   * add: a person, or another key; `roles` are all roles from then on. revoke: a person, or one key of theirs.
   * mail: their address.
   */
  change: z.enum(["add", "enroll", "revoke", "mail"]),
  name: z.string(),
  roles: z.array(z.enum(ROLES)).optional(),
  credential: credential.optional(),
  /** The public half of a one-time code, which may sign the enrolment of one key until then. */
  invitation: z.strictObject({ key: z.string(), until: instant }).optional(),
  /** The fingerprint of the key that is revoked. */
  key: z.string().optional(),
  /** The address for the person's notices; empty for none. */
  mail: z.string().optional(),
  reason: z.string().optional(),
});

const decisionStatement = z.strictObject({
  statement: z.literal("paydrop decision v1"),
  installation: z.string(),
  /** The newest change that the signer knew. */
  roster: z.strictObject({ number: z.int().min(1), hash: sha256, root: sha256 }),
  person: z.string(),
  at: instant,
  expires: instant,
  /** "approve", "recall" */
  decision: z.string(),
  /** A batch, a reference, or another subject of the decision. */
  subject: z.string(),
  reason: z.string().optional(),
  /**
   * The details of the decision. For an approval: the approved value (model/approved.ts), the file, and its
   * submitter.
   */
  detail: z.record(z.string(), z.json()),
});

export type RosterChange = z.output<typeof rosterChange>;
export type DecisionStatement = z.output<typeof decisionStatement>;

/**
 * Longer statements are refused. An approval may name 100,000 rows, each with a sentence about an accepted finding.
 */
const STATEMENT_LENGTH_MAX = 16_000_000;

/** Canonical JSON: members sorted at every depth, absent ones left out, no white space. */
export function statementText(statement: RosterChange | DecisionStatement): string {
  return canonicalText(statement);
}

export function canonicalText(value: unknown): string {
  return JSON.stringify(value, withSortedMembers);
}

/** SHA-256, lower-case hex. */
export function statementHash(text: string): string {
  return hash("sha256", text);
}

/** Undefined unless the text is a canonical statement of this kind. */
export function readRosterChange(text: string): RosterChange | undefined {
  return readAs(rosterChange, text);
}

/** As `readRosterChange`. */
export function readDecision(text: string): DecisionStatement | undefined {
  return readAs(decisionStatement, text);
}

function readAs<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  if (text.length > STATEMENT_LENGTH_MAX) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const read = schema.safeParse(value);
    return read.success && canonicalText(value) === text ? read.data : undefined;
  } catch (error) {
    // RangeError: its nesting is deeper than that of any statement that people are asked to sign.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The root of a roster. It is in the configuration, so that no change of the database can alter it. */
export interface RosterRoot {
  readonly installation: string;
  /** The fingerprints of the credentials that may make the first admins. */
  readonly fingerprints: readonly string[];
  /** Whether its keys are a trial's, with which the trial signs for any person. */
  readonly isTrial?: boolean;
}

/** Names a root: the first change has it as `before`. Another root or installation begins another roster. */
export function rootHash({ installation, fingerprints, isTrial = false }: RosterRoot): string {
  return statementHash(
    canonicalText({ installation, root: fingerprints.toSorted(), ...(isTrial && { trial: true }) }),
  );
}
