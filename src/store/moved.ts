/**
 * The mark of a SQLite database that moved to a server: it stays readable, but nothing is written to it or sent
 * from it any more. The mark is in the file and in its anchor, so that a restored backup of the file sends nothing
 * either.
 */
import { type Fault, fault } from "../faults/index.ts";
import { type Instant, minuteText } from "../model/index.ts";
import { run, single, sql, type Transaction } from "./sql.ts";

export interface Moved {
  /** Host, port and database, without user and password. */
  readonly place: string;
  readonly at: Instant;
}

/** Earlier versions send nothing from a file in which any server is named (DATABASE_FROM_SERVER). */
const MARK = /^moved to (.+) at (\S+)$/;

export function* markMoved({ place, at }: Moved): Transaction<void> {
  yield* run(sql`delete from server`);
  yield* run(sql`insert into server (id, is_replicated) values (${`moved to ${place} at ${at}`}, 0)`);
}

export function* findMoved(): Transaction<Moved | undefined> {
  const server = yield* single<string>(sql`select id from server`);
  const [, place, at] = MARK.exec(server ?? "") ?? [];
  return place === undefined || at === undefined ? undefined : { place, at };
}

export function movedFault(path: string, { place, at }: Moved): Fault {
  return fault("DATABASE_MOVED", { path, place, when: minuteText(at) });
}
