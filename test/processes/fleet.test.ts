/** Daemons on one PostgreSQL database: who is woken, who works which key, and what follows when a machine is gone. */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { paydrop } from "../cli/program.ts";
import { query } from "../postgres.ts";
import { makeCluster } from "../postgres-server.ts";
import { type Fleet, fleet, linesOf } from "./fleet.ts";

test("an approval on one machine is paid by another before its schedule, and after a cut connection", async () => {
  const { service, submit, approve, start, cutOff, arrived, judged } = await fleet(1);
  const [first, second] = [await submit(3), await submit(3)];
  const { child, log } = await start();
  await approve(first);
  await arrived(3);
  await cutOff();
  await approve(second);
  await arrived(6);
  expect(await judged()).toEqual({ created: 6, twice: [] });
  child.kill("SIGTERM");
  await once(child, "close");
  expect(await log).toContain("this machine does not hear what the others do");
  expect(await log).toContain("this machine hears again what the others do");
  await service.close();
});

describe("several keys", () => {
  test.each([
    [2, [2, 2]],
    [4, [1, 1, 1, 1]],
  ])("are divided among %i machines, which pay side by side", async (machines, keysOfEach) => {
    const { service, submit, approve, start, arrived, holders, judged } = await fleet(4);
    const digest = await submit(10);
    const daemons = await Promise.all(Array.from({ length: machines }, () => start()));
    await approve(digest);
    // As soon as each key has one: a machine that has ended may take a key that another has ended with.
    while ((await holders()).length < 4) await wait(20);
    const keys = Map.groupBy(await holders(), (pid) => pid);
    await arrived(40);
    expect([...keys.values()].map(({ length }) => length)).toEqual(keysOfEach);
    expect(daemons.map(({ child }) => child.pid).toSorted()).toEqual([...keys.keys()].toSorted());
    expect(await judged()).toEqual({ created: 40, twice: [] });
    for (const { child } of daemons) child.kill("SIGKILL");
    await service.close();
  });
});

async function isUnderWay(standings: Fleet["standings"]): Promise<boolean> {
  const { approved = 0, sending = 0 } = await standings();
  return approved + sending > 0;
}

/** Leases run out in real time, so these wait side by side. */
describe.concurrent("a machine that is gone", () => {
  /** Few at once: four payouts in a row that end in doubt would pause the others for twenty minutes. */
  const SHORT = { PAYDROP_HTTP_TIMEOUT_MS: "1000", PAYDROP_HTTP_CONCURRENCY: "2" };

  test.each([
    [4, "leaves its keys to the others"],
    [1, "leaves the one key to another"],
  ])(
    "with %i keys, %s: one stands still beyond its lease, one is killed, and two pay the rest once",
    async (keys) => {
      const rows = 40;
      const { service, folder, variables, ...site } = await fleet(keys, SHORT, { latencyMs: 250 });
      const { submit, approve, start, arrived, judged, standings, holders } = site;
      const digest = await submit(rows / keys);
      const daemons = await Promise.all(Array.from({ length: 4 }, () => start()));
      await approve(digest);
      await arrived(6);
      const [holder] = await holders();
      const stopped = daemons.find(({ child }) => child.pid === holder);
      stopped?.child.kill("SIGSTOP");
      daemons.find((daemon) => daemon !== stopped)?.child.kill("SIGKILL");
      while (await isUnderWay(standings)) await wait(100);
      const before = service.arrived();
      stopped?.child.kill("SIGCONT");
      const { accepted = 0, ...left } = await standings();
      const inDoubt = left["in doubt"] ?? 0;
      expect(left).toEqual(inDoubt > 0 ? { "in doubt": inDoubt } : {});
      expect(accepted + inDoubt).toBe(rows);
      const { exitCode } = await paydrop(folder, ["status"], variables);
      // The daemons look meanwhile, and may find what is in doubt.
      const { "in doubt": stillInDoubt = 0 } = await standings();
      const [most, least] = [inDoubt, stillInDoubt].map((count) => (count > 0 ? 4 : 0));
      expect([most, least]).toContain(exitCode);
      const { created, twice } = await judged();
      expect(twice).toEqual([]);
      expect(created).toBeGreaterThanOrEqual(accepted);
      expect(service.arrived() - before).toBeLessThanOrEqual(inDoubt);
      for (const { child } of daemons) child.kill("SIGKILL");
      await service.close();
    },
  );

  test("is the server, restarted in mid-batch: the daemons go on by themselves", async () => {
    // Not by the hooks of a test: those of tests side by side cannot be told apart.
    const place = await mkdtemp(join(tmpdir(), "paydrop-server-"));
    const cluster = makeCluster(place);
    const server = await cluster.start();
    const url = `postgresql://paydrop@/postgres?host=${encodeURIComponent(place)}`;
    const { service, submit, approve, start, arrived, judged, standings } = await fleet(
      2,
      SHORT,
      { latencyMs: 250 },
      url,
    );
    const digest = await submit(20);
    const daemons = [await start(), await start()];
    await approve(digest);
    await arrived(6);
    await query(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paydrop'",
    );
    await arrived(12);
    server.kill("SIGINT");
    await once(server, "exit");
    const again = await cluster.start();
    while (await isUnderWay(standings)) await wait(100);
    for (const { child } of daemons) child.kill("SIGTERM");
    for (const { log } of daemons)
      expect(await log).toContain("this machine does not hear what the others do");
    const { accepted = 0, "in doubt": inDoubt = 0 } = await standings();
    expect(accepted + inDoubt).toBe(40);
    const { created, twice } = await judged();
    expect(twice).toEqual([]);
    expect(created).toBeGreaterThanOrEqual(accepted);
    again.kill("SIGINT");
    await once(again, "exit");
    await rm(place, { recursive: true });
    await service.close();
  });

  test.each([
    ["behind the anchor of", false],
    ["on another server than before for", true],
  ])(
    "is the database, put back as it was before the payments: it is %s its machine, which pays nothing and says so",
    async (_, isNew) => {
      const { service, url, folder, variables, submit, approve, standings } = await fleet(1);
      await approve(await submit(5));
      const name = new URL(url.replace("@/", "@host/")).pathname.slice(1);
      const elsewhere = url.replace(`/${name}?`, "/postgres?");
      await query(elsewhere, `create database ${name}_dump template ${name}`);
      expect((await paydrop(folder, ["pay"], variables)).exitCode).toBe(0);
      expect(service.arrived()).toBe(5);
      await query(elsewhere, `drop database ${name} with (force)`);
      await query(elsewhere, `alter database ${name}_dump rename to ${name}`);
      if (isNew) await rm(join(folder, "postgresql.anchor"));
      expect(await standings()).toEqual({ approved: 5 });
      const paid = await paydrop(folder, ["pay"], variables);
      expect(paid.exitCode).toBe(4);
      expect(paid.stdout + paid.stderr).toMatch(
        isNew ? /SENDING_STOPPED|not the PostgreSQL database/ : /DATABASE_BEHIND_ANCHOR/,
      );
      expect((await paydrop(folder, ["status"], variables)).exitCode).toBe(4);
      expect(service.arrived()).toBe(5);
      await service.close();
    },
  );

  test("leaves the files that it has claimed to another, which no schedule has run", async () => {
    const { service, url, folder, start } = await fleet(1);
    const first = await start({ PAYDROP_SCHEDULE_INTAKE: "* * * * * *" });
    await start();
    for (const name of ["inbox", "outbox", "work"]) await mkdir(join(folder, name), { recursive: true });
    const taken = () => readdirSync(join(folder, "outbox")).filter((name) => name.startsWith("large."));
    await writeFile(join(folder, "inbox", "large.csv"), linesOf(1_000));
    while (readdirSync(join(folder, "work")).length === 0) await wait(1);
    first.child.kill("SIGKILL");
    expect(taken()).toEqual([]);
    const [lease] = await query(
      url,
      `select free_ms - extract(epoch from clock_timestamp()) * 1000 as ms from paydrop.lease where key_id = 'intake'`,
    );
    expect(Number(lease?.["ms"])).toBeLessThan(25_000);
    // The answer's text may get its name before its rows.
    while (!taken().includes("large.accepted.csv")) await wait(100);
    await service.close();
  });
});
