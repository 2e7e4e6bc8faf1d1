/** The runs that a daemon stored in its database, oldest first. */
import { join } from "node:path";
import Database from "better-sqlite3";

export interface StoredRun {
  readonly job: string;
  readonly dueAt: string;
  readonly startedAt: string;
  /** Null while it runs. */
  readonly endedAt: string | null;
  readonly outcome: Readonly<Record<string, unknown>> | null;
}

interface Row extends Omit<StoredRun, "outcome"> {
  readonly outcome: string | null;
}

export function storedRuns(folder: string): StoredRun[] {
  const database = new Database(join(folder, "paydrop.sqlite"), { readonly: true });
  const rows = database
    .prepare<[], Row>(
      "select job, due_at as dueAt, started_at as startedAt, ended_at as endedAt, outcome from run order by id",
    )
    .all();
  database.close();
  return rows.map(({ outcome, ...run }) => ({ ...run, outcome: outcome && JSON.parse(outcome) }));
}
