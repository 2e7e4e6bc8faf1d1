/**
 * One machine among those that share a PostgreSQL database, over its own connection: it receives wake-ups, notices
 * expired leases, and counts the machines at work. All of this is only a hint: lanes decide who may do what
 * (lane-lease.ts), and a machine without a connection follows its schedule.
 */
import type { Client } from "pg";
import { sleepUnlessAborted, systemClock } from "../../context/clock.ts";
import type { Log } from "../../context/log.ts";
import { Fault } from "../../faults/index.ts";
import type { Heard, Machines, MachinesPlace } from "../store.ts";
import { WAKE_CHANNEL } from "../wake.ts";
import { explainedPostgres, nameOf, postgresClient } from "./postgres-client.ts";

/** How often leases are checked. A dead holder is noticed at most this long after its lease expired. */
const LOOK_MS = 2_000;
/** Without an answer for this long, the server counts as gone. */
const ANSWER_TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Every machine holds this lock in shared mode as long as its session lives, so that the server itself knows who is
 * at work: a killed process disappears at once. The key differs from that of the writers' lock.
 */
const PRESENT = "hashtext('paydrop machines'), 0";

const PREPARE = `set search_path = paydrop; set tcp_user_timeout = ${ANSWER_TIMEOUT_MS};
  select set_config(name, '0', false) from pg_settings where name = 'idle_session_timeout';
  select pg_advisory_lock_shared(${PRESENT}); listen ${WAKE_CHANNEL}`;

/** The server numbers its sessions, so all machines count each other in the same order. */
const MACHINES_AT_WORK = `select count(*) as count, count(*) filter (where pid < pg_backend_pid()) as position
  from pg_locks where locktype = 'advisory' and classid = hashtext('paydrop machines')::oid and objid = 0
    and granted and database = (select oid from pg_database where datname = current_database())`;

/** Leases that expired without being released, because their holders died or are suspended. */
const ABANDONED = `select key_id, epoch from lease
  where until_ms > 0 and free_ms <= extract(epoch from clock_timestamp()) * 1000`;

/** `prepare`: resolves once the database exists and has this version. */
export function joinMachines(url: string, prepare: () => Promise<unknown>, heard: Heard, log: Log): Machines {
  const leaving = new AbortController();
  const reported = new Set<string>();
  let present: Client | undefined;
  const ended = stayConnected();
  return {
    place: async () => {
      try {
        return present === undefined ? undefined : await placeAmong(present);
      } catch {
        // `stayConnected` notices the lost connection and logs it.
        return undefined;
      }
    },
    leave: async () => {
      leaving.abort();
      await ended;
    },
  };

  /** Never rejects. Logs once why a connection ended, then tries again. */
  async function stayConnected(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    let isFirst = true;
    while (!leaving.signal.aborted) {
      try {
        await prepare();
        await connected(() => {
          if (!isFirst) {
            log.info("machines", { message: HEARS_AGAIN });
            for (const job of heard.jobs) heard.wake(job);
          }
          isFirst = false;
          pauseMs = FIRST_PAUSE_MS;
        });
      } catch (error) {
        const message = `${HEARS_NOTHING}: ${error instanceof Error ? error.message : String(error)}`;
        if (pauseMs === FIRST_PAUSE_MS) log.warn("machines", { message, ...codeOf(error) });
      }
      if (!(await sleepUnlessAborted(systemClock, pauseMs, leaving.signal))) return;
      isFirst = false;
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  /** Resolves when the machine leaves. Throws the reason if the connection ends earlier. */
  async function connected(begin: () => void): Promise<void> {
    const client = await postgresClient(url, ANSWER_TIMEOUT_MS);
    const lost = Promise.withResolvers<never>();
    // Awaited below, together with each look.
    lost.promise.catch(() => undefined);
    client.on("error", lost.reject);
    client.on("end", () => lost.reject(new Error("the server has ended the connection")));
    client.on("notification", ({ payload }) => {
      const job = heard.jobs.find((each) => each === payload);
      if (job !== undefined) heard.wake(job);
    });
    try {
      await client.connect();
      await client.query(PREPARE);
      present = client;
      begin();
      while (!leaving.signal.aborted) {
        await Promise.race([lookForAbandoned(client), lost.promise]);
        await Promise.race([sleepUnlessAborted(systemClock, LOOK_MS, leaving.signal), lost.promise]);
      }
    } catch (error) {
      throw explainedPostgres(error, nameOf(client), true);
    } finally {
      present = undefined;
      client.connection.stream.destroy();
    }
  }

  /** Reports each lease once, because the lease of a key that is no longer in use stays expired for ever. */
  async function lookForAbandoned(client: Client): Promise<void> {
    const { rows } = await client.query<{ key_id: string; epoch: number }>(ABANDONED);
    for (const { key_id: lane, epoch } of rows) {
      const one = `${lane} ${epoch}`;
      if (reported.has(one)) continue;
      reported.add(one);
      heard.abandoned(lane);
    }
  }
}

const HEARS_NOTHING = "this machine does not hear what the others do, and goes by its schedule until it does";
const HEARS_AGAIN = "this machine hears again what the others do";

async function placeAmong(client: Client): Promise<MachinesPlace | undefined> {
  const { rows } = await client.query<MachinesPlace>(MACHINES_AT_WORK);
  return rows[0];
}

function codeOf(error: unknown): { readonly code?: string } {
  return error instanceof Fault ? { code: error.problem.code } : {};
}
