/** One sender per key when several machines share a database. */
import { describe, expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../src/store/engines/postgres-store.ts";
import { removeStopOrder, setStopOrder } from "../../src/store/engines/shared-stop-order.ts";
import { first, run, sql } from "../../src/store/sql.ts";
import { fencedStore, type Lane, type Store } from "../../src/store/store.ts";
import { listSubmissions } from "../../src/store/submissions.ts";
import { newDatabase } from "../postgres.ts";
import { storeOneEnded, tamper } from "./stored-batch.ts";

const SENDING_MS = 20_000;

/** Two machines on one database. */
async function machines() {
  const url = await newDatabase();
  const open = (): Store => {
    const store = openPostgresStore(url);
    onTestFinished(() => store.close());
    return store;
  };
  return { one: open(), other: open() };
}

async function taken(store: Store, keyId = "key-1"): Promise<Lane> {
  const lane = await store.takeLane(keyId, SENDING_MS);
  onTestFinished(() => lane.release());
  return lane;
}

/** As if the holder had not renewed its lease for so long that its requests have ended too. */
const runOut = (store: Store) => tamper(store, "update lease set until_ms = 0, free_ms = 0");

describe("a lane", () => {
  test("is refused to others with the holder's name, and free once it is given back", async () => {
    const { one, other } = await machines();
    const lane = await taken(one);
    await expect(other.takeLane("key-1", SENDING_MS)).rejects.toMatchObject({
      problem: { code: "LANE_TAKEN", message: expect.stringContaining(`process ${process.pid}`) },
    });
    await taken(other, "key-2");
    await lane.release();
    await taken(other);
  });

  test("is free only when its lease and its holder's requests have ended", async () => {
    const { one, other } = await machines();
    await taken(one);
    await tamper(one, "update lease set until_ms = 0");
    await expect(other.takeLane("key-1", 0)).rejects.toMatchObject({ problem: { code: "LANE_TAKEN" } });
    const row = await one.read(() =>
      first<{ after_ms: number }>(
        sql`select free_ms - cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as after_ms from lease`,
      ),
    );
    expect(row?.after_ms).toBeGreaterThan(SENDING_MS);
  });

  test("whose holder was taken for dead accepts none of its writes and keeps the new holder's lease", async () => {
    const { one, other } = await machines();
    const former = await taken(one);
    const formerly = fencedStore(one, former);
    await formerly.write(() => run(sql`insert into lane (key_id, last_nonce) values ('key-1', '1')`));
    await runOut(one);
    const latter = await taken(other);

    const writing = formerly.write(() => run(sql`update lane set last_nonce = '99'`));
    expect(former.whyClosed()).toBeUndefined();
    await expect(writing).rejects.toMatchObject({ problem: { code: "LANE_LOST" } });
    // At once, even if its own clocks still give it time.
    expect(former.whyClosed()).toBe("another process has taken it");
    expect(await one.read(() => first(sql`select last_nonce from lane`))).toEqual({ last_nonce: "1" });
    await former.release();
    await fencedStore(other, latter).write(() => run(sql`update lane set last_nonce = '2'`));
    await expect(one.takeLane("key-1", 0)).rejects.toMatchObject({ problem: { code: "LANE_TAKEN" } });
  });

  test("is freed in time even if the server's clock was set back by years", async () => {
    const { one, other } = await machines();
    const lane = await taken(one);
    const taking = () => other.takeLane("key-1", 0);
    await tamper(
      one,
      "update lease set until_ms = until_ms + 1000000000000, free_ms = free_ms + 1000000000000",
    );
    const refusal = /it is free in (?<seconds>\d+) s/;
    const message = await taking().catch((error: unknown) => String(error));
    expect(Number(refusal.exec(String(message))?.groups?.["seconds"])).toBeLessThanOrEqual(35);
    const later = await other.write(() => first<{ ends: number }>(sql`select free_ms as ends from lease`));
    await expect(taking()).rejects.toMatchObject({ problem: { code: "LANE_TAKEN" } });
    expect(await other.write(() => first(sql`select free_ms as ends from lease`))).toEqual(later);
    // The holder continues.
    await fencedStore(one, lane).write(() =>
      run(sql`insert into lane (key_id, last_nonce) values ('key-1', '1')`),
    );
  });
});

describe("an order to stop from another machine", () => {
  test("takes effect at the holder's next write, and so does its end", async () => {
    const { one, other } = await machines();
    const lane = await taken(one);
    const write = () => fencedStore(one, lane).write(() => run(sql`update lane set last_nonce = '1'`));
    await other.write(() => setStopOrder("stopped by ann"));
    await write();
    expect(lane.stopOrder()).toBe("stopped by ann");
    await other.write(() => removeStopOrder());
    await write();
    expect(lane.stopOrder()).toBeUndefined();
  });

  test("that is already in force is known from the start", async () => {
    const { one, other } = await machines();
    await other.write(() => setStopOrder("stopped by ann"));
    expect((await taken(one)).stopOrder()).toBe("stopped by ann");
  });
});

describe("instants of a machine with another monotonic clock", () => {
  async function afterTakeOver(formerClock: string) {
    const { one, other } = await machines();
    await (await taken(one)).release();
    const { id } = await storeOneEnded(one, { kind: "in doubt", evidence: "cut" }, 5);
    await tamper(one, `update lease set clock = '${formerClock}'`);
    await taken(other);
    const [submission] = await one.read(() => listSubmissions(id));
    return submission?.endedMonotonicMs;
  }

  test("are not compared with ours: how long a payment has been in doubt begins anew", async () => {
    expect(await afterTakeOver("another machine")).toBeGreaterThan(1000);
  });

  test("of this machine are", async () => {
    const { one } = await machines();
    await taken(one);
    const { clock } = (await one.read(() => first<{ clock: string }>(sql`select clock from lease`))) ?? {};
    expect(await afterTakeOver(clock ?? "")).toBe(5);
  });
});
