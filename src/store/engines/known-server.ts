/**
 * Detects that the database is on a different server. A promoted standby or a restored backup may lack the last
 * commits, so that payments already sent look unsent; or the original database still exists and sends them too. No
 * machine sends anything until a person has looked. A standby that every commit waited for is exempt.
 */
import type { Instant } from "../../model/index.ts";
import { appendAudit } from "../audit.ts";
import { first, run, sql, type Transaction } from "../sql.ts";
import { findStopOrder, setStopOrder } from "./shared-stop-order.ts";

export interface KnownServer {
  /** See `serverIdOf` in postgres-session.ts. */
  readonly id: string;
  /** Whether commits wait for a standby, so that it has all of them. */
  readonly isReplicated: boolean;
}

export function isSameServer(left: KnownServer, right: KnownServer | undefined): boolean {
  return left.id === right?.id && left.isReplicated === right.isReplicated;
}

/**
 * Remembers the present server. A different server is recorded in the audit record and gets a stop order, unless it
 * certainly has every commit.
 */
export function* noteServer({ id, isReplicated }: KnownServer, at: Instant): Transaction<void> {
  const known = yield* first<{ id: string; is_replicated: number }>(
    sql`select id, is_replicated from server`,
  );
  yield* run(sql`delete from server`);
  yield* run(sql`insert into server (id, is_replicated) values (${id}, ${isReplicated ? 1 : 0})`);
  if (known === undefined || known.id === id) return;
  const detail = { before: known.id, now: id, replicated: known.is_replicated };
  yield* appendAudit({ at, person: "paydrop", action: "another server", subject: "database", detail });
  if (known.is_replicated === 1 && isPromotion(known.id, id)) return;
  const order = `${at}: ${MAY_LACK}`;
  const standing = yield* findStopOrder();
  yield* setStopOrder(standing === undefined ? order : `${standing}; ${order}`);
  const said = { reason: MAY_LACK, order };
  yield* appendAudit({ at, person: "paydrop", action: "stop", subject: "all payments", detail: said });
}

/**
 * Whether only the timeline changed: a standby has the same ids as its primary. A backup restored from a dump does
 * not.
 */
function isPromotion(before: string, now: string): boolean {
  const [copied] = before.split("/");
  const [present] = now.split("/");
  return copied === present;
}

const MAY_LACK =
  "this is not the PostgreSQL database that it was before: a promoted standby, a restored backup or a copy. It may " +
  "lack what was stored last, so that payments look unsent that have left, and what it is a copy of may go on " +
  "paying. Let nobody pay from that any more, run `paydrop reconcile` once the service shows everything that " +
  "was sent, see what it has that is not known here, and withdraw or abandon again what was since";
