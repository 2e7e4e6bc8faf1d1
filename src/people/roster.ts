/**
 * The roster: the people, their roles, and the credentials that prove their identity. It is derived only from the
 * chain of signed changes and from the root; Paydrop trusts no other data about people in the database.
 */
import { type Fault, fault, invariant, type Reason } from "../faults/index.ts";
import { type Instant, isMailAddress, isPersonName, isRosterName, type Role } from "../model/index.ts";
import { present } from "../model/present.ts";
import { type Credential, fingerprintOf, keyOf } from "./public-key.ts";
import {
  type Namespace,
  SIGNATURE_NAMESPACE,
  signatureKey,
  TRIAL_NAMESPACE,
  whyNotSigned,
} from "./ssh-signature.ts";
import {
  type RosterChange,
  type RosterRoot,
  readRosterChange,
  rootHash,
  type SignedStatement,
  statementHash,
} from "./statement.ts";

export interface Person {
  readonly name: string;
  readonly roles: readonly Role[];
  /** By fingerprint. */
  readonly credentials: ReadonlyMap<string, Enrolled>;
  readonly invitation?: { readonly key: string; readonly until: Instant };
  /** The address for their notices. */
  readonly mail?: string;
}

export interface Enrolled {
  readonly credential: Credential;
  readonly since: Instant;
}

export type People = ReadonlyMap<string, Person>;

export interface Roster {
  readonly root: string;
  readonly installation: string;
  /** The namespace in which its people sign. */
  readonly namespace: Namespace;
  /** The number of the newest change; 0 without one. */
  readonly number: number;
  /** Hash of the newest change, or of the root. */
  readonly head: string;
  readonly people: People;
  /** The state after each change, by its number; the root's at 0. */
  readonly states: readonly RosterState[];
  readonly changes: readonly RosterChange[];
}

interface RosterState {
  readonly hash: string;
  readonly people: People;
}

/** Far more changes than a company makes in its lifetime. */
const CHANGES_MAX = 10_000;

/**
 * The roster after a chain of changes. `before`: a roster of the same root, after the changes that precede the
 * chain. Throws ROSTER_BROKEN at the first change that does not follow from the root and the changes before it.
 */
export function rosterFrom(root: RosterRoot, chain: readonly SignedStatement[], before?: Roster): Roster {
  const hashOfRoot = rootHash(root);
  const { installation } = root;
  const changes = [...(before?.changes ?? [])];
  const states: RosterState[] = [...(before?.states ?? [{ hash: hashOfRoot, people: new Map() }])];
  const revoked = new Set(changes.flatMap((change, at) => revokedBy(change, peopleAt(states, at))));
  let state: RosterState = { hash: before?.head ?? hashOfRoot, people: peopleAt(states, changes.length) };
  if (changes.length + chain.length > CHANGES_MAX)
    throw broken(CHANGES_MAX + 1, { reason: "long", most: CHANGES_MAX });
  for (const statement of chain) {
    const number = states.length;
    const { hash: preceding, people } = state;
    const change = readRosterChange(statement.text);
    if (change === undefined) throw broken(number, { reason: "statement" });
    if (change.installation !== installation || change.root !== hashOfRoot)
      throw broken(number, { reason: "root" });
    if (change.number !== number || change.before !== preceding) throw broken(number, { reason: "order" });
    // Otherwise an enrolment could be back-dated to use an expired code.
    if (change.at < (changes.at(-1)?.at ?? "")) throw broken(number, { reason: "dated" });
    const why = whyNotAllowed(change, statement, people, root, revoked);
    if (why !== undefined) throw broken(number, why);
    for (const fingerprint of revokedBy(change, people)) revoked.add(fingerprint);
    state = { hash: statementHash(statement.text), people: peopleAfter(change, people) };
    states.push(state);
    changes.push(change);
  }
  const { hash: head, people } = state;
  return {
    root: hashOfRoot,
    installation,
    namespace: namespaceOf(root),
    number: changes.length,
    head,
    people,
    states,
    changes,
  };
}

function peopleAt(states: readonly RosterState[], number: number): People {
  const state = states[number];
  invariant(state !== undefined, "a roster has no state after one of its changes");
  return state.people;
}

function broken(number: number, reason: Broken): Fault {
  return fault("ROSTER_BROKEN", { number, ...reason });
}

type Broken = Reason<"ROSTER_BROKEN">;

/** Why a change is not valid; undefined if it is. */
function whyNotAllowed(
  change: RosterChange,
  signed: SignedStatement,
  people: People,
  root: RosterRoot,
  revoked: ReadonlySet<string>,
): Broken | undefined {
  const malformed = whyMalformed(change, people, root, revoked);
  if (malformed !== undefined) return malformed;
  return change.change === "enroll"
    ? whyNotEnrolled(change, signed, people, namespaceOf(root))
    : whyNotByAdmin(change, signed, people, root, revoked);
}

/** An enrolment is signed by the one-time code of its person, and by the new key. */
function whyNotEnrolled(
  { credential, person, name, at }: RosterChange,
  { text, signature, possession = "" }: SignedStatement,
  people: People,
  namespace: Namespace,
): Broken | undefined {
  const invitation = people.get(name)?.invitation;
  if (credential === undefined || invitation === undefined || person !== name) return { reason: "uninvited" };
  if (at > invitation.until) return { reason: "expired" };
  const isOfCode = whyNotSigned(text, signature, { key: invitation.key }, namespace) === undefined;
  const isOfKey = whyNotSigned(text, possession, credential, namespace) === undefined;
  return isOfCode && isOfKey ? undefined : { reason: "enrolment" };
}

/** Other changes are signed by an admin, or by a key of the root, which may only add its own person as an admin. */
function whyNotByAdmin(
  asked: RosterChange,
  { text, signature }: SignedStatement,
  people: People,
  root: RosterRoot,
  revoked: ReadonlySet<string>,
): Broken | undefined {
  const { change, person, name, roles, credential } = asked;
  const key = signatureKey(signature);
  if (key === undefined) return { reason: "unsigned" };
  const signer = fingerprintOf({ key });
  const whyNotBy = (signing: Credential): Broken | undefined =>
    whyNotSigned(text, signature, signing, namespaceOf(root)) === undefined
      ? undefined
      : { reason: "signature" };
  const admin = people.get(person);
  const enrolled = admin?.credentials.get(signer);
  if (enrolled !== undefined && admin?.roles.includes("admin")) return whyNotBy(enrolled.credential);
  if (!root.fingerprints.includes(signer) || revoked.has(signer)) return { reason: "signer" };
  const isOwn = credential !== undefined && fingerprintOf(credential) === signer && name === person;
  if (!isOwn || change !== "add" || roles?.includes("admin") !== true) return { reason: "first" };
  return whyNotBy(credential);
}

/** The namespace in which the people of a root sign. Signatures in others do not count. */
export function namespaceOf({ isTrial = false }: RosterRoot): Namespace {
  return isTrial ? TRIAL_NAMESPACE : SIGNATURE_NAMESPACE;
}

/** Whether a roster may contain this name. In a trial, where people may act as anybody, every name is allowed. */
export function isNameUnder({ isTrial = false }: RosterRoot, name: string): boolean {
  return isTrial ? isPersonName(name) : isRosterName(name);
}

function whyMalformed(
  { change, name, roles, credential, invitation, key, mail }: RosterChange,
  people: People,
  root: RosterRoot,
  revoked: ReadonlySet<string>,
): Broken | undefined {
  if (!isNameUnder(root, name)) return { reason: "name", name };
  const person = people.get(name);
  if (change !== "add" && person === undefined) return { reason: "unknown", name };
  if (change === "add" && (roles === undefined || roles.length === 0)) return { reason: "roleless" };
  if (change === "revoke" && key !== undefined && person?.credentials.get(key) === undefined)
    return { reason: "keyless", name, key };
  if (invitation !== undefined && change !== "add") return { reason: "invitation" };
  if (mail !== undefined && change !== "add" && change !== "mail") return { reason: "mail" };
  if (change === "mail" && mail === undefined) return { reason: "mailless" };
  if (mail !== undefined && mail !== "" && !isMailAddress(mail)) return { reason: "address", mail };
  if (change === "mail" && credential !== undefined) return { reason: "given" };
  if (credential === undefined) return undefined;
  const fingerprint = fingerprintOf(credential);
  if (typeof keyOf(credential) === "string") return { reason: "unusable" };
  const owner = [...people.values()].find(({ credentials }) => credentials.has(fingerprint));
  if (owner !== undefined && owner.name !== name) return { reason: "taken", owner: owner.name };
  return revoked.has(fingerprint) ? { reason: "revoked" } : undefined;
}

function peopleAfter(change: RosterChange, people: People): People {
  const { name, at, credential, invitation, key, mail } = change;
  const after = new Map(people);
  const person = people.get(name) ?? { name, roles: [], credentials: new Map<string, Enrolled>() };
  const { invitation: _, ...others } = person;
  const credentials = new Map(person.credentials);
  if (credential !== undefined) credentials.set(fingerprintOf(credential), { credential, since: at });
  switch (change.change) {
    case "add":
      after.set(name, {
        ...reachedAt(others, mail),
        roles: change.roles ?? [],
        credentials,
        ...present({ invitation }),
      });
      return after;
    case "mail":
      after.set(name, reachedAt(person, mail));
      return after;
    case "enroll":
      after.set(name, { ...others, credentials });
      return after;
    case "revoke":
      after.delete(name);
      if (key === undefined) return after;
      credentials.delete(key);
      after.set(name, { ...others, credentials });
      return after;
  }
}

/** The entry with another mail address, or without one if `mail` is empty. */
function reachedAt<Named extends Partial<Person>>(person: Named, mail = person.mail) {
  const { mail: _, ...others } = person;
  return { ...others, ...(mail !== undefined && mail !== "" && { mail }) };
}

function revokedBy({ change, name, key }: RosterChange, people: People): string[] {
  if (change !== "revoke") return [];
  return key === undefined ? [...(people.get(name)?.credentials.keys() ?? [])] : [key];
}
