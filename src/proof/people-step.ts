/** The roster: its people, and its changes, each signed by an admin, or by a one-time code that an admin gave. */
import { Fault, fault, invariant, type Reason } from "../faults/index.ts";
import { type Instant, type Role, shifted } from "../model/index.ts";
import { present } from "../model/present.ts";
import {
  type Credential,
  canonicalText,
  enrolmentCode,
  fingerprintOf,
  INVITATION_MS,
  invitationKey,
  isNameUnder,
  namespaceOf,
  type People,
  type Roster,
  type RosterChange,
  type RosterRoot,
  readRosterChange,
  rootHash,
  rosterFrom,
  type SignedStatement,
  signByCode,
  statementHash,
  statementText,
} from "../people/index.ts";
import { appendAudit } from "../store/audit.ts";
import { claimFor } from "../store/roster-root.ts";
import type { Transaction } from "../store/sql.ts";
import { insertStatement, listRosterChanges } from "../store/statements.ts";
import { rootOf } from "../workplace/root.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { readRoster, rosterShownOf } from "./identity.ts";

export interface RosterReport {
  readonly installation: string;
  /** Fingerprints of the configured root. */
  readonly root: readonly string[];
  /** "12:HASH", as `people.head` takes it; absent before the first change. */
  readonly head?: string;
  readonly people: readonly ListedPerson[];
  readonly changes: readonly RosterChange[];
}

export interface ListedPerson {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly keys: readonly { readonly fingerprint: string; readonly kind: string; readonly since: Instant }[];
  readonly invitedUntil?: Instant;
  readonly mail?: string;
}

/** Throws PEOPLE_ROOT_MISSING and ROSTER_BROKEN. */
export async function listPeopleStep({ config, store }: Workplace): Promise<RosterReport> {
  const root = rootOf(config, "be on a roster");
  return reportOf(await store.read(() => readRoster(config, root)), root);
}

function reportOf({ number, head, people, changes }: Roster, root: RosterRoot): RosterReport {
  return {
    installation: root.installation,
    root: root.fingerprints,
    ...(number > 0 && { head: `${number}:${head}` }),
    people: [...people.values()].map(({ name, roles, credentials, invitation, mail }) => ({
      name,
      roles,
      keys: [...credentials].map(([fingerprint, { credential, since }]) => ({
        fingerprint,
        kind: kindOf(credential),
        since,
      })),
      ...present({ invitedUntil: invitation?.until, mail }),
    })),
    changes,
  };
}

/** "passkey", "ssh-ed25519" */
function kindOf({ key, passkey }: Credential): string {
  return passkey === undefined ? (key.split(" ")[0] ?? "") : "passkey";
}

export interface AddPerson {
  readonly name: string;
  readonly roles: readonly Role[];
  /** A key that the admin knows to be the person's; without one the person is invited to enrol one. */
  readonly credential?: Credential;
  /** The address for their notices; if absent, it stays as it was. */
  readonly mail?: string;
  /** The admin, who signs. */
  readonly person: string;
  /** The source of the one-time code, for a face that asks twice; by default a fresh one. */
  readonly unguessable?: string;
}

export interface AddedPerson {
  readonly roster: RosterReport;
  /** The admin gives the code to the person directly. With it one key can be enrolled before `until`. */
  readonly invitation?: { readonly code: string; readonly until: Instant };
}

/**
 * Adds a person, or gives a person other roles or another key. Throws ROSTER_CHANGE_REFUSED, what `Sign` throws,
 * and ROSTER_BROKEN.
 */
export async function addPersonStep(
  workplace: Workplace,
  { name, roles, credential, mail, person, unguessable }: AddPerson,
): Promise<AddedPerson> {
  if (!isNameUnder(rootOf(workplace.config, "be on a roster"), name)) throw refused({ reason: "name", name });
  const { random, clock } = workplace.context;
  const until = shifted(clock.now(), INVITATION_MS);
  const seed = unguessable ?? `${random.uuid()} ${random.uuid()}`;
  const code = credential === undefined ? enrolmentCode(seed) : undefined;
  const invitation = code === undefined ? undefined : { key: invitationKey(code, name), until };
  const what: Change = {
    change: "add",
    name,
    roles: [...roles],
    ...present({ credential, invitation, mail }),
  };
  const roster = await changeRoster(workplace, person, what, (text, before) =>
    signedByAdmin(workplace, before, person, text, credential),
  );
  return { roster, ...(code !== undefined && { invitation: { code, until } }) };
}

export interface Enrolment {
  readonly name: string;
  readonly code: string;
  readonly credential: Credential;
}

/** Enrols a key of a person by a one-time code. Throws ENROLMENT_REFUSED, and what `Sign` throws. */
export async function enrolStep(workplace: Workplace, enrolment: Enrolment): Promise<RosterReport> {
  await requireInvitation(workplace, enrolment);
  const { name, code, credential } = enrolment;
  const namespace = namespaceOf(rootOf(workplace.config, "enrol a key"));
  return changeRoster(workplace, name, { change: "enroll", name, credential }, async (text) => {
    const { text: signed, signature: possession } = await workplace.sign({
      person: name,
      text,
      credentials: [credential],
    });
    return { text: signed, signature: signByCode(signed, code, name, namespace), possession };
  });
}

/**
 * Throws ENROLMENT_REFUSED unless the person has this one-time code. A wrong code is not recorded and locks nobody
 * out, because a code has 100 bits: too many to guess in the eight hours that it is valid.
 */
export async function requireInvitation(
  { config, store, context }: Workplace,
  { name, code }: Pick<Enrolment, "name" | "code">,
): Promise<void> {
  const root = rootOf(config, "enrol a key");
  const { people } = await store.read(rosterShownOf(config, root));
  // Same work for unknown names, so that names cannot be probed.
  const key = invitationKey(code, name);
  const invitation = people.get(name)?.invitation;
  if (invitation?.key !== key) throw notEnrolled({ reason: "unknown" });
  if (invitation.until <= context.clock.now())
    throw notEnrolled({ reason: "expired", until: invitation.until });
}

function notEnrolled(why: Reason<"ENROLMENT_REFUSED">): Fault {
  return fault("ENROLMENT_REFUSED", why);
}

export interface Revocation {
  readonly name: string;
  /** The fingerprint of the revoked key; if absent, the person is revoked. */
  readonly key?: string;
  readonly reason: string;
  /** The admin, who signs. */
  readonly person: string;
}

/**
 * Revokes a person, or one key. Approvals by the person, or by that key, become void for payments that were not
 * sent. Throws as `addPersonStep`.
 */
export function revokeStep(
  workplace: Workplace,
  { name, key, reason, person }: Revocation,
): Promise<RosterReport> {
  const what: Change = { change: "revoke", name, reason, ...present({ key }) };
  return changeRoster(workplace, person, what, (text, before) =>
    signedByAdmin(workplace, before, person, text),
  );
}

export interface Reaching {
  readonly name: string;
  /** Empty for no address. */
  readonly mail: string;
  /** The admin, who signs. */
  readonly person: string;
}

/** Sets the address for a person's notices. Throws as `addPersonStep`. */
export function reachPersonStep(
  workplace: Workplace,
  { name, mail, person }: Reaching,
): Promise<RosterReport> {
  return changeRoster(workplace, person, { change: "mail", name, mail }, (text, before) =>
    signedByAdmin(workplace, before, person, text),
  );
}

type Change = Pick<RosterChange, "change" | "name"> & Partial<RosterChange>;

/** Signs a change, checks that the roster with it still follows from the root, and stores it. */
async function changeRoster(
  { config, store, context }: Workplace,
  person: string,
  what: Change,
  signedAs: (text: string, before: Roster) => Promise<SignedStatement>,
): Promise<RosterReport> {
  const root = rootOf(config, "change the roster");
  const before = await store.read(() => readRoster(config, root));
  const change = nextChange(before, root, context.clock.now(), person, what);
  const signed = await signedAs(statementText(change), before);
  if (timeless(readRosterChange(signed.text)) !== timeless(change))
    throw fault("STATEMENT_CHANGED", { reason: "shown" });
  return store.write(function* (): Transaction<RosterReport> {
    return reportOf(yield* keepChange(root, signed), root);
  });
}

/**
 * Stores a signed change if the roster with it still follows from the root; returns that roster. Throws
 * ROSTER_CHANGE_REFUSED and DATABASE_OF_ANOTHER_ROOT.
 */
export function* keepChange(root: RosterRoot, signed: SignedStatement): Transaction<Roster> {
  const name = rootHash(root);
  yield* claimFor({ root: name, isTrial: root.isTrial === true });
  const chain = yield* listRosterChanges(name);
  const before = rosterAfter(root, chain);
  const after = rosterAfter(root, [signed], before);
  if (hasAdmin(before.people) && !hasAdmin(after.people)) throw refused({ reason: "admins" });
  const change = after.changes.at(-1);
  invariant(change !== undefined, "a roster with a change has no newest one");
  const { text, signature, possession } = signed;
  const { number, at, person, name: subject, change: decision } = change;
  const hash = statementHash(text);
  const statement = { hash, root: name, number, decision, subject, person, at, text, signature };
  yield* insertStatement({ ...statement, ...present({ possession }) });
  const detail = { change: decision, number, root: name, statement: hash };
  yield* appendAudit({ at, person, action: "roster", subject, detail });
  return after;
}

/** Not before the previous change, since its admin's clock may be ahead. */
export function nextChange(
  { root, number, head, changes }: Roster,
  { installation }: RosterRoot,
  now: Instant,
  person: string,
  what: Change,
): RosterChange {
  const last = changes.at(-1)?.at ?? now;
  return {
    statement: "paydrop roster v1",
    installation,
    root,
    number: number + 1,
    before: head,
    at: last > now ? last : now,
    person,
    ...what,
  };
}

/** The change without its times, because a face may have shown it some minutes ago. */
function timeless(change: RosterChange | undefined): string {
  return canonicalText({ ...change, at: undefined, invitation: change?.invitation?.key });
}

function rosterAfter(root: RosterRoot, chain: readonly SignedStatement[], before?: Roster): Roster {
  try {
    return rosterFrom(root, chain, before);
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.code !== "ROSTER_BROKEN") throw error;
    throw refused({ reason: "broken", problem: error.problem.message });
  }
}

/** Requires a key of the admin; before there is an admin, a key of the root, of which `own` may be one. */
function signedByAdmin(
  { sign, config }: Workplace,
  { people }: Roster,
  person: string,
  text: string,
  own?: Credential,
): Promise<SignedStatement> {
  const known = [...(people.get(person)?.credentials.values() ?? [])].map(({ credential }) => credential);
  const { root } = config.people;
  const ofRoot = own !== undefined && root.includes(fingerprintOf(own)) ? [own] : [];
  return sign({ person, text, credentials: [...known, ...ofRoot], orKeys: root });
}

function hasAdmin(people: People): boolean {
  return [...people.values()].some(
    ({ roles, credentials }) => roles.includes("admin") && credentials.size > 0,
  );
}

function refused(why: Reason<"ROSTER_CHANGE_REFUSED">): Fault {
  return fault("ROSTER_CHANGE_REFUSED", why);
}
