/** Signed statements: changes of the roster, which form a chain under their root, and decisions. Append-only. */
import type { Instant } from "../model/index.ts";
import { countOf, finds, first, objects, run, type Statement, single, sql, type Transaction } from "./sql.ts";

export interface StoredStatement {
  readonly hash: string;
  readonly root: string;
  /** Only for a change of the roster. */
  readonly number?: number;
  /** The newest change that a decision was based on. */
  readonly roster?: number;
  /** "approve"; for a change of the roster, "add". */
  readonly decision: string;
  readonly subject: string;
  readonly person: string;
  readonly at: Instant;
  /** The signed text, as canonical JSON. */
  readonly text: string;
  readonly signature: string;
  readonly possession?: string;
}

/** Fails for a statement that exists, and for a second change with the same number. */
export function* insertStatement(statement: StoredStatement): Transaction<void> {
  const { hash, root, number, roster, decision, subject, person, at, text, signature, possession } =
    statement;
  yield* run(sql`insert into statement
    (hash, root, number, roster, decision, subject, person, at, body, signature, possession)
    values (${hash}, ${root}, ${number}, ${roster}, ${decision}, ${subject}, ${person}, ${at}, ${text}, ${signature},
      ${possession})`);
}

export function* findStatement(hash: string): Transaction<StoredStatement | undefined> {
  return (yield* statementsIn(sql`select * from statement where hash = ${hash}`))[0];
}

/** The changes of the roster under a root, oldest first. */
export function listRosterChanges(root: string): Transaction<StoredStatement[]> {
  return statementsIn(
    sql`select * from statement where root = ${root} and number is not null order by number`,
  );
}

/** Decisions of a kind about a subject, oldest first. */
export function listDecisions(decision: string, subject: string): Transaction<StoredStatement[]> {
  return statementsIn(
    sql`select * from statement where subject = ${subject} and decision = ${decision} and number is null order by seq`,
  );
}

/** All decisions of a kind, oldest first. */
export function listDecisionsOf(decision: string): Transaction<StoredStatement[]> {
  return statementsIn(sql`select * from statement
    where decision = ${decision} and number is null order by seq`);
}

export interface RosterHead {
  readonly root: string;
  readonly number: number;
  readonly hash: string;
}

/** The newest change of the roster under any root. */
export function newestChange(): Transaction<RosterHead | undefined> {
  return first(sql`select root, number, hash from statement
    where number is not null order by seq desc limit 1`);
}

export function isChangeThere({ root, number, hash }: RosterHead): Transaction<boolean> {
  return finds(sql`select 1 from statement where root = ${root} and number = ${number} and hash = ${hash}`);
}

/** The hash of the newest change under a root. Without the cast SQLite would plan the query again each time. */
export function rosterHead(root: string): Transaction<string | undefined> {
  return single(sql`select hash from statement
    where root = cast(${root} as text) and number is not null order by number desc limit 1`);
}

/** The number of the newest change that any decision under a root was based on; 0 if there is none. */
export function newestKnownChange(root: string): Transaction<number> {
  return countOf(sql`select roster from statement
    where root = ${root} and roster is not null order by roster desc limit 1`);
}

/** The column has another name, because `text` is a type in PostgreSQL's layout. */
function* statementsIn(statement: Statement): Transaction<StoredStatement[]> {
  const rows = yield* objects<Omit<StoredStatement, "text"> & { readonly body: string }>(statement);
  return rows.map(({ body: text, ...others }) => ({ ...others, text }));
}
