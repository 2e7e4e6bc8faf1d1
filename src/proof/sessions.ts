/**
 * Signing in at the desk, by a signed statement. A session lasts as long as its statement is valid (until the key
 * or person is revoked), and until it is idle or old.
 */
import { hash } from "node:crypto";
import { isProblem } from "../faults/index.ts";
import { DAY_MS, HOUR_MS, type Instant, type Role, shifted } from "../model/index.ts";
import { type Credential, heldDecision, type Roster } from "../people/index.ts";
import { appendAudit } from "../store/audit.ts";
import {
  endSession,
  findSession,
  insertSession,
  isSignedInBy,
  lastSeenAtDesk,
  type StoredSession,
  touchSession,
} from "../store/sessions.ts";
import type { Transaction } from "../store/sql.ts";
import { findStatement, listDecisions, type StoredStatement } from "../store/statements.ts";
import { rootOf } from "../workplace/root.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { currentRoster } from "./identity.ts";
import { keepStatement, signDecision } from "./prove.ts";

export interface SignedIn {
  readonly person: string;
  readonly roles: readonly Role[];
}

export interface Sessions {
  /** Has a person sign that they sign in with `code`, and begins their session. Throws as `proveDecision`. */
  signIn(workplace: Workplace, person: string, code: string): Promise<string>;
  /**
   * Begins the session of a person who signed in with `code` elsewhere; undefined if nobody did, or if the code was
   * used.
   */
  signedInWith(code: string): Promise<string | undefined>;
  /**
   * `isAtWork`: whether the person makes the request. Requests that an open page makes by itself do not keep a
   * session alive.
   */
  find(token: string, isAtWork: boolean): Promise<SignedIn | undefined>;
  end(token: string): Promise<void>;
  /** The person of an expired session; undefined if the person ended it. Does not prove who asks. */
  formerly(token: string): Promise<string | undefined>;
  /** The keys with which a person may sign in; none for an unknown name. */
  keysOf(person: string): Promise<readonly Credential[]>;
  /** When each person was last seen at the desk, within the last month. */
  lastHere(): Promise<ReadonlyMap<string, Instant>>;
}

const SESSION_IDLE_MS = 30 * 60_000;
const SESSION_MAX_MS = 10 * HOUR_MS;

const KEPT_MS = 30 * DAY_MS;

/** How long a statement for signing in is valid. */
const SIGN_IN_MS = 300_000;

/** Requests within this time of the last one are not stored. */
const SEEN_EVERY_MS = 60_000;

/** Throws PEOPLE_ROOT_MISSING. */
export function sessionsOf(workplace: Workplace): Sessions {
  const { config, store, context } = workplace;
  const roster = currentRoster(config, rootOf(config, "sign in"));
  return {
    async signIn(asking, person, code) {
      const until = shifted(context.clock.now(), SIGN_IN_MS);
      const signed = await signDecision(asking, { decision: "sign in", person, subject: code }, until);
      return store.write(function* (): Transaction<string> {
        yield* keepStatement(signed, config);
        return yield* begin(workplace, signed);
      });
    },
    signedInWith: (code) =>
      store.write(function* (): Transaction<string | undefined> {
        const newest = (yield* listDecisions("sign in", code)).at(-1);
        if (newest === undefined || (yield* isSignedInBy(newest.hash))) return undefined;
        const isHeld = rolesBy(newest, yield* roster(), context.clock.now()) !== undefined;
        return isHeld ? yield* begin(workplace, newest) : undefined;
      }),
    async find(token, isAtWork) {
      const session = await living(workplace, token, isAtWork);
      if (session === undefined) return undefined;
      return store.read(function* (): Transaction<SignedIn | undefined> {
        const statement = yield* findStatement(session.statement ?? "");
        if (statement === undefined || statement.person !== session.person) return undefined;
        if (shifted(statement.at, SESSION_MAX_MS) <= context.clock.now()) return undefined;
        // Judged as of its own time: the statement has expired since, so that nobody can sign in with it again.
        const roles = rolesBy(statement, yield* roster(), statement.at);
        return roles && { person: session.person, roles };
      });
    },
    end: (token) => end(workplace, token),
    formerly: (token) => formerly(workplace, token),
    keysOf: (person) =>
      store.read(function* (): Transaction<Credential[]> {
        const { people } = yield* roster();
        return [...(people.get(person)?.credentials.values() ?? [])].map(({ credential }) => credential);
      }),
    lastHere: () => store.read(() => lastSeenAtDesk()),
  };
}

/** The roles of the person who signed in, if the statement is valid at `at`. */
function rolesBy(statement: StoredStatement, roster: Roster, at: Instant): readonly Role[] | undefined {
  const held = heldDecision(statement, roster, at);
  if (isProblem(held) || held.statement.decision !== "sign in") return undefined;
  return held.person.roles;
}

function* begin({ context }: Workplace, by: StoredStatement): Transaction<string> {
  const { random, clock } = context;
  const { person } = by;
  const token = hash("sha256", Array.from({ length: 4 }, () => random.uuid()).join(), "base64url");
  const at = clock.now();
  const session = { token: hash("sha256", token), person, beganAt: at, seenAt: at };
  const old = shifted(at, -KEPT_MS);
  yield* insertSession({ ...session, statement: by.hash }, old);
  const detail = { statement: by.hash };
  yield* appendAudit({ at, person, action: "sign in", subject: "desk", detail });
  return token;
}

/** The session of a token that has not ended. */
async function living(
  { store, context }: Workplace,
  token: string,
  isAtWork: boolean,
): Promise<StoredSession | undefined> {
  const session = await store.read(() => findSession(hash("sha256", token)));
  const now = context.clock.now();
  if (session === undefined || session.endedAt !== undefined) return undefined;
  if (shifted(session.beganAt, SESSION_MAX_MS) <= now || shifted(session.seenAt, SESSION_IDLE_MS) <= now)
    return undefined;
  if (isAtWork && shifted(session.seenAt, SEEN_EVERY_MS) <= now)
    await store.write(() => touchSession(session.token, now));
  return session;
}

async function formerly({ store }: Workplace, token: string): Promise<string | undefined> {
  const session = await store.read(() => findSession(hash("sha256", token)));
  return session?.endedAt === undefined ? session?.person : undefined;
}

function end({ store, context }: Workplace, token: string): Promise<void> {
  return store.write(() => endSession(hash("sha256", token), context.clock.now()));
}
