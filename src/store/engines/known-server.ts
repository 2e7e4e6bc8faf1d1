/**
 * The server that keeps the database, as the database itself knows it. A standby that was promoted, or a backup that was restored, may lack
 * what was committed last: payments look unsent that have left, or that the database which it is a copy of sends now. Unless it was promoted
 * and commits waited for it, nothing is sent from it until a person has looked, on any machine.
 */
import type { Instant } from "../../model/index.ts";
import { appendAudit } from "../audit.ts";
import { first, run, sql, type Transaction } from "../sql.ts";
import { findStopOrder, keepStopOrder } from "./shared-stop-order.ts";

export interface KnownServer {
  /** postgres-session.ts */
  readonly id: string;
  /** Whether its commits wait for a standby, which then has all of them. */
  readonly isReplicated: boolean;
}

export function isSameServer(left: KnownServer, right: KnownServer | undefined): boolean {
  return left.id === right?.id && left.isReplicated === right.isReplicated;
}

/** Keeps which server this is. Where it is another one than before, that goes on record, and a stop order is given unless it has every commit. */
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
  yield* keepStopOrder(standing === undefined ? order : `${standing}; ${order}`);
}

/** Of a standby, which is its primary to the last number; only its timeline is another one. A backup that is restored by a dump is not. */
function isPromotion(before: string, now: string): boolean {
  const [copied] = before.split("/");
  const [present] = now.split("/");
  return copied === present;
}

const MAY_LACK =
  "this is not the PostgreSQL database that it was before: a promoted standby, a restored backup or a copy. It may lack what was stored last, so that payments look unsent that have left, and what it is a copy of may go on paying. Let nobody pay from that any more, run `paydrop reconcile` once the service shows everything that was sent, and see what it has that is not known here";
