/**
 * The root of the roster whose decisions the database accepts, and whether it is a trial's. One row, written once
 * the root is known.
 */
import { fault } from "../faults/index.ts";
import { first, run, sql, type Transaction } from "./sql.ts";

export interface RosterOwner {
  /** The hash of the root. */
  readonly root: string;
  readonly isTrial: boolean;
}

/**
 * Whether the database is known to belong to this owner; false before the first decision. Throws
 * DATABASE_OF_ANOTHER_ROOT.
 */
export function* isOwnedBy(owner: RosterOwner | undefined): Transaction<boolean> {
  const found = yield* first<{ root: string; is_trial: number }>(
    sql`select root, is_trial from roster_root limit 1`,
  );
  if (found === undefined) return false;
  const isTrial = found.is_trial === 1;
  const isOurs = owner?.isTrial === isTrial && (found.root === owner.root || found.root === UNDECIDED);
  if (!isOurs) throw fault("DATABASE_OF_ANOTHER_ROOT", { owner: described(isTrial), ours: ours(owner) });
  return found.root !== UNDECIDED;
}

/**
 * An upgrade writes this root if an older version kept changes under several roots: not a trial's, otherwise
 * unknown.
 */
const UNDECIDED = "";

function described(isTrial: boolean): string {
  return isTrial ? "a trial with other keys" : "a roster with another root";
}

function ours(owner: RosterOwner | undefined): string {
  if (owner === undefined) return "no root";
  return owner.isTrial ? "the keys of a trial" : "another `people.root` or `people.installation`";
}

/** Makes this the owner of a database that has none yet. Throws DATABASE_OF_ANOTHER_ROOT. */
export function* claimFor(owner: RosterOwner): Transaction<void> {
  if (!(yield* isOwnedBy(owner))) yield* setOwner(owner);
}

export function* setOwner({ root, isTrial }: RosterOwner): Transaction<void> {
  yield* run(sql`delete from roster_root`);
  yield* run(sql`insert into roster_root (root, is_trial) values (${root}, ${isTrial ? 1 : 0})`);
}
