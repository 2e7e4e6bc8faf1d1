/**
 * One sender per key where several machines share a database. The lane is a lease with an epoch. Each transaction
 * of the holder checks the epoch, so a holder that was wrongly taken for dead can write nothing more. Another
 * process takes over only after the lease and every request of its holder must have ended. docs/safety.md describes
 * the risk that remains between the holder's last check and its socket.
 */
import { every, systemClock } from "../../context/clock.ts";
import { monotonicClockId, processName } from "../../context/machine.ts";
import { type Fault, fault } from "../../faults/index.ts";
import { countOf, finds, first, run, sql, type Transaction } from "../sql.ts";
import type { Lane, Store } from "../store.ts";
import { timeByClock } from "./lane-clocks.ts";
import { findStopOrder } from "./shared-stop-order.ts";

/** A holder that has not renewed its lease for this long stops sending. */
const LEASE_MS = 15_000;
const RENEWAL_MS = LEASE_MS / 4;

const TAKEN = "another process has taken it";

/** Takes the lane of a key whose requests are in flight for at most `sendingMs`. Throws LANE_TAKEN. */
export async function takeLease(
  store: Pick<Store, "write">,
  keyId: string,
  sendingMs: number,
): Promise<Lane> {
  let renewedAt = instants();
  const taken = await store.write(() => takeOver(keyId, sendingMs));
  if ("refusal" in taken) throw taken.refusal;
  const { epoch } = taken;
  let ordered = taken.stopOrder;
  let failure = "";
  /** Another process has taken the lane. After a clock jump that can happen before the lease has run out. */
  let isTaken = false;
  let renewing: Promise<void> = Promise.resolve();
  const stopRenewing = every(RENEWAL_MS, () => {
    renewing = renew();
  });
  return { fence, extend: () => extend(keyId, sendingMs), whyClosed, stopOrder: () => ordered, release };

  function* fence(): Transaction<void> {
    const isHeld = yield* finds(sql`select 1 from lease where key_id = ${keyId} and epoch = ${epoch}`);
    isTaken ||= !isHeld;
    if (isTaken) throw fault("LANE_LOST", { reason: TAKEN });
    ordered = yield* findStopOrder();
  }

  function whyClosed(): string | undefined {
    if (isTaken) return TAKEN;
    if (elapsedMs(renewedAt) < LEASE_MS) return undefined;
    return `the lease of its lane has run out${failure}`;
  }

  /** Never rejects: a lease that cannot be given back expires. */
  async function release(): Promise<void> {
    stopRenewing();
    await renewing;
    await Promise.allSettled([
      store.write(() =>
        run(sql`update lease set until_ms = 0, free_ms = 0 where key_id = ${keyId} and epoch = ${epoch}`),
      ),
    ]);
  }

  /** Never rejects: if renewing fails, the lease runs out and `whyClosed` gives the reason. */
  async function renew(): Promise<void> {
    const at = instants();
    try {
      await store.write(function* () {
        yield* fence();
        yield* extend(keyId, sendingMs);
      });
      renewedAt = at;
      failure = "";
    } catch (error) {
      failure = `: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

interface Lease {
  readonly epoch: number;
  readonly holder: string;
  readonly clock: string;
  readonly until_ms: number;
  readonly free_ms: number;
}

interface Taken {
  readonly epoch: number;
  readonly stopOrder: string | undefined;
}

/** Returns a refusal instead of throwing it, so that a correction of the other holder's lease is committed. */
function* takeOver(keyId: string, sendingMs: number): Transaction<Taken | { readonly refusal: Fault }> {
  const nowMs = yield* databaseNowMs();
  const held = yield* first<Lease>(
    sql`select epoch, holder, clock, until_ms, free_ms from lease where key_id = ${keyId}`,
  );
  if (held !== undefined && held.free_ms > nowMs) {
    const freeMs = yield* endOfLease(keyId, held, nowMs);
    const seconds = Math.ceil((freeMs - nowMs) / 1000);
    return {
      refusal: fault("LANE_TAKEN", {
        holder: ` (${held.holder}; if that is gone, it is free in ${seconds} s)`,
      }),
    };
  }
  const clock = monotonicClockId();
  if (held !== undefined)
    yield* timeByClock(keyId, held.clock, { clock, monotonicMs: systemClock.monotonicMs() });
  const epoch = (held?.epoch ?? 0) + 1;
  yield* run(sql`insert into lease (key_id, epoch, holder, clock, until_ms, free_ms)
    values (${keyId}, ${epoch}, ${processName()}, ${clock}, 0, 0)
    on conflict (key_id) do update set epoch = excluded.epoch, holder = excluded.holder, clock = excluded.clock`);
  yield* extend(keyId, sendingMs);
  return { epoch, stopOrder: yield* findStopOrder() };
}

/**
 * When a held lease becomes free. If it ends later than a new one would, the database's clock has since been set
 * back; the lease is then shortened to the length of a new one.
 */
function* endOfLease(keyId: string, held: Lease, nowMs: number): Transaction<number> {
  const heldSendingMs = held.free_ms - held.until_ms;
  if (held.until_ms <= nowMs + LEASE_MS) return held.free_ms;
  yield* extend(keyId, heldSendingMs);
  return nowMs + LEASE_MS + heldSendingMs;
}

function* extend(keyId: string, sendingMs: number): Transaction<void> {
  const untilMs = (yield* databaseNowMs()) + LEASE_MS;
  yield* run(
    sql`update lease set until_ms = ${untilMs}, free_ms = ${untilMs + sendingMs} where key_id = ${keyId}`,
  );
}

/** The database's clock, the only one that all machines share. */
function databaseNowMs(): Transaction<number> {
  return countOf(sql`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now_ms`);
}

/** Both clocks are read: the monotonic one may stop while a machine sleeps, and the wall clock may be set back. */
function instants() {
  return { monotonicMs: systemClock.monotonicMs(), wallMs: Date.parse(systemClock.now()) };
}

function elapsedMs(since: ReturnType<typeof instants>): number {
  const now = instants();
  return Math.max(now.monotonicMs - since.monotonicMs, now.wallMs - since.wallMs);
}
