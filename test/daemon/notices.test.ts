/**
 * The notices that people receive over HTTP, from a daemon on a real database, with a service and a channel that
 * misbehave.
 */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { Log } from "../../src/context/log.ts";
import { runNotices } from "../../src/daemon/notices.ts";
import { UnrecordedRuns } from "../../src/daemon/unrecorded-runs.ts";
import {
  approveStep,
  baselineStep,
  type Environment,
  payStep,
  reconcileStep,
  settleStep,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import type { Break } from "../../src/model/index.ts";
import { giveStopOrder } from "../../src/payments/run/stop-order.ts";
import type { ServerOptions } from "../../src/sandbox/index.ts";
import { replaceOpenBreaks } from "../../src/store/breaks.ts";
import { endRun, startRun } from "../../src/store/runs.ts";
import type { Store } from "../../src/store/store.ts";
import { paydrop, SAMPLES, startPaydrop, workFolder } from "../cli/program.ts";
import { byClock, openSite } from "../pipeline/service.ts";
import { testWithFile } from "../postgres.ts";
import { onFullDisk } from "./full-disk.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const CANARY = "canary-7f3a";

/** A chat program's address. The notice is what follows the first line. */
async function channel() {
  const told: string[][] = [];
  const requests: IncomingMessage[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    expect(Object.keys(body)).toEqual(["text"]);
    const [first, ...lines] = body.text.split("\n");
    expect(first).toBe("Paydrop needs attention:");
    requests.push(request);
    told.push(lines);
    response.writeHead(status).end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/${CANARY}`,
    requests,
    /** What arrived since the last call. */
    heard: () => told.splice(0),
    answers: (code: number) => {
      status = code;
    },
  };
}

/** Notices of a workplace. `later` passes time until the next look has ended. */
async function noticed(
  options: ServerOptions = {},
  changes: Environment = {},
  storeOf: (store: Store) => Store = (store) => store,
) {
  const site = await openSite(options, changes);
  const channelled = await channel();
  const { workplace } = site;
  const warned: unknown[] = [];
  const log: Log = { ...workplace.context.log, warn: (...all) => void warned.push(all) };
  let passedMs = 0;
  let asleep = Promise.withResolvers<() => void>();
  const clock = {
    ...workplace.context.clock,
    now: () => new Date(Date.now() + passedMs).toISOString(),
    sleep: (_durationMs: number, signal?: AbortSignal) =>
      new Promise<void>((wake, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        asleep.resolve(wake);
      }),
  };
  const store = storeOf(workplace.store);
  const inItsTime = { ...workplace, store, context: { ...workplace.context, clock, log } };
  const unrecorded = new UnrecordedRuns();
  const begin = async () => {
    asleep = Promise.withResolvers();
    const stop = new AbortController();
    const running = runNotices(inItsTime, channelled.url, stop.signal, unrecorded);
    await asleep.promise;
    return async () => {
      stop.abort();
      await running;
    };
  };
  let end = await begin();
  onTestFinished(() => end());
  return {
    ...site,
    ...channelled,
    warned,
    unrecorded,
    now: clock.now,
    later: async (durationMs: number) => {
      const wake = await asleep.promise;
      asleep = Promise.withResolvers();
      passedMs += durationMs;
      wake();
      await asleep.promise;
    },
    restart: async () => {
      await end();
      end = await begin();
    },
  };
}

function submit(workplace: Workplace, file: string) {
  return submitFile(workplace, join(SAMPLES, file), "alice");
}

test("what waits for approval is reported once, again when it grows or is a day old, and not by a restarted daemon", async () => {
  const { workplace, heard, later, restart, requests } = await noticed();
  expect(heard()).toEqual([]);
  const { digest = "" } = await submit(workplace, "payouts.csv");
  await later(MINUTE_MS);
  expect(heard()).toEqual([["- payments that wait for approval: 40 (`paydrop status`)"]]);
  expect(requests[0]).toMatchObject({ method: "POST", headers: { "content-type": "application/json" } });
  await later(MINUTE_MS);
  await restart();
  expect(heard()).toEqual([]);

  await submit(workplace, "payouts.xlsx");
  await later(MINUTE_MS);
  expect(heard()).toEqual([["- payments that wait for approval: 60 (`paydrop status`)"]]);
  await later(DAY_MS);
  expect(heard()).toEqual([["- payments that wait for approval: 60 (`paydrop status`)"]]);

  for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
  await later(MINUTE_MS);
  expect(heard()).toEqual([]);
});

test("what was told by a clock that was a year ahead is told anew once the clock is right, and what must last counts from then", async () => {
  const { workplace, heard, later } = await noticed();
  await later(365 * DAY_MS);
  await submit(workplace, "payouts.csv");
  await workplace.store.write(function* () {
    const now = new Date(Date.now()).toISOString();
    yield* endRun(
      yield* startRun("track", now, now),
      JSON.stringify({ outcome: "failed", code: "SERVICE_OUT" }),
      now,
    );
  });
  await later(MINUTE_MS);
  expect(heard()).toEqual([["- payments that wait for approval: 40 (`paydrop status`)"]]);
  await later(-365 * DAY_MS);
  expect(heard()).toEqual([["- payments that wait for approval: 40 (`paydrop status`)"]]);
  await later(15 * MINUTE_MS);
  expect(heard()).toEqual([["- the job track did not end well: SERVICE_OUT (`paydrop jobs`)"]]);
});

test("a file that was not accepted is reported once, within a day", async () => {
  const { workplace, heard, later } = await noticed();
  await submit(workplace, "broken.csv");
  await later(MINUTE_MS);
  expect(heard()).toEqual([["- files came back in the last 24 hours: 1 (the outbox says why)"]]);
  await later(DAY_MS - 2 * MINUTE_MS);
  await later(2 * MINUTE_MS);
  expect(heard()).toEqual([]);
});

test("a doubt is reported once it has lasted, a stop order at once", async () => {
  const { workplace, heard, later } = await noticed({
    faults: [{ operation: "createPayoutV2", nth: 3, effect: { kind: "cut-after-commit" } }],
    visibilityLagMs: 3_600_000,
  });
  const { digest = "" } = await submit(workplace, "payouts.csv");
  for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
  expect(await payStep(workplace)).toMatchObject({ inDoubt: 1 });
  await later(MINUTE_MS);
  await later(13 * MINUTE_MS);
  expect(heard()).toEqual([]);
  await giveStopOrder(workplace, "dora", "an audit");
  await later(2 * MINUTE_MS);
  expect(heard()).toEqual([
    ["- payments in doubt: 1 (`paydrop doubt`)", "- nothing is sent: stop order (`paydrop status`)"],
  ]);
});

test("a payout that failed is reported when that was seen, and not only when the sides were compared", async () => {
  const { workplace, heard, later } = await noticed();
  const { digest = "" } = await submit(workplace, "payouts.csv");
  for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
  await payStep(workplace);
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  await later(MINUTE_MS);
  expect(heard()).toEqual([
    ["- payments that the service accepted and that failed since: 1 (`paydrop status`)"],
  ]);
});

test("a failed payout is reported once, not again as the comparison's, and no longer once it is settled", async () => {
  const { workplace, heard, later } = await noticed();
  await baselineStep(workplace, "ann");
  const { digest = "" } = await submit(workplace, "payouts.csv");
  for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
  await payStep(workplace);
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  await later(MINUTE_MS);
  expect(heard()).toHaveLength(1);
  const { openBreaks } = await reconcileStep(workplace);
  expect(openBreaks).toMatchObject([{ kind: "failed", severity: "warning" }]);
  await later(MINUTE_MS);
  expect(heard()).toEqual([]);
  const names = openBreaks.map(({ id }) => id);
  await settleStep(workplace, { names, person: "ann", reason: "paid by hand" });
  await later(DAY_MS);
  expect(heard()).toEqual([]);
});

test("what takes the place of what is gone is reported, though the count is the same", async () => {
  const { workplace, folder, heard, later, now } = await noticed();
  const submitted = async (name: string) => {
    const rows = `reference,amount,destinationAddress\n${name},0.001,bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n`;
    writeFileSync(join(folder, `${name}.csv`), rows);
    return (await submitFile(byClock(workplace, now), join(folder, `${name}.csv`), "alice")).digest ?? "";
  };
  const found = (id: string): Break => ({
    id,
    kind: "unexpected",
    severity: "alarm",
    sentence: "It exists.",
  });
  const compared = (id: string) => workplace.store.write(() => replaceOpenBreaks([found(id)], now()));
  const lines = [
    "- payments that wait for approval: 1 (`paydrop status`)",
    "- alarms of the comparison: 1 (`paydrop breaks`)",
  ];
  const digest = await submitted("PAY-1");
  await compared("unexpected:payout:1");
  await later(MINUTE_MS);
  await later(MINUTE_MS);
  expect(heard()).toEqual([lines]);
  await approveStep(workplace, digest, "bob");
  await submitted("PAY-2");
  await compared("unexpected:payout:2");
  await later(MINUTE_MS);
  await later(MINUTE_MS);
  expect(heard()).toEqual([lines]);
  // By a clock that is a year ahead: told with the next that come, and not at each look until then.
  await workplace.store.write(() =>
    replaceOpenBreaks([found("unexpected:payout:3")], new Date(Date.now() + 365 * DAY_MS).toISOString()),
  );
  await later(MINUTE_MS);
  expect(heard()).toEqual([]);
});

test("an approval that has run out is reported", async () => {
  const { workplace, heard, later } = await noticed({}, { PAYDROP_APPROVAL_VALID_DAYS: "1" });
  const { digest = "" } = await submit(workplace, "payouts.csv");
  for (const person of ["bob", "carol"]) await approveStep(workplace, digest, person);
  await later(MINUTE_MS);
  expect(heard()).toEqual([]);
  await later(DAY_MS);
  expect(heard()).toEqual([["- payments that must be approved again: 40 (`paydrop status`)"]]);
});

test("a job that keeps failing is reported by its code, and one that failed once is not", async () => {
  const { workplace, heard, later, now } = await noticed();
  const ran = (job: string, outcome: object) =>
    workplace.store.write(function* () {
      const id = yield* startRun(job, now(), now());
      yield* endRun(id, JSON.stringify(outcome), now());
    });
  await ran("track", { outcome: "failed", code: "SERVICE_UNREACHABLE" });
  await ran("reconcile", { outcome: "failed", message: "no" });
  await later(MINUTE_MS);
  await ran("track", { outcome: "done" });
  await later(14 * MINUTE_MS);
  await later(MINUTE_MS);
  expect(heard()).toEqual([["- the job reconcile did not end well: UNEXPECTED (`paydrop jobs`)"]]);
});

// On a shared database the right to tell is a lease, which has to be written.
testWithFile(
  "a full disk is told once it has lasted, and once, though nothing of it can be written down",
  async () => {
    const disks: ReturnType<typeof onFullDisk>[] = [];
    const { unrecorded, heard, later, now, restart } = await noticed({}, {}, (whole) => {
      const disk = onFullDisk(whole);
      disks.push(disk);
      return disk.store;
    });
    const outcome = { outcome: "failed", code: "DATABASE_UNUSABLE" };
    unrecorded.add({ job: "pay", dueAt: now(), startedAt: now(), endedAt: now(), outcome });
    await later(MINUTE_MS);
    await later(14 * MINUTE_MS);
    expect(heard()).toEqual([]);
    await later(MINUTE_MS);
    expect(heard()).toEqual([["- the job pay did not end well: DATABASE_UNUSABLE (`paydrop jobs`)"]]);
    await later(MINUTE_MS);
    for (const disk of disks) disk.makeRoom();
    await later(MINUTE_MS);
    await restart();
    expect(heard()).toEqual([]);
  },
);

test.each([302, 404, 500])(
  "a notice that is answered %i is told again, and its address is in no log",
  async (status) => {
    const { workplace, heard, later, answers, warned } = await noticed();
    const line = "- payments that wait for approval: 40 (`paydrop status`)";
    await submit(workplace, "payouts.csv");
    answers(status);
    await later(MINUTE_MS);
    await later(MINUTE_MS);
    expect(heard()).toEqual([[line], [line]]);
    expect(warned).toHaveLength(2);
    expect(JSON.stringify(warned)).toContain(`answered ${status}`);
    expect(JSON.stringify(warned)).not.toContain(CANARY);
    answers(204);
    await later(MINUTE_MS);
    await later(MINUTE_MS);
    expect(heard()).toEqual([[line]]);
  },
);

test("`paydrop serve` tells where the secret leads, and shows no more of it than the host", async () => {
  const { url, heard } = await channel();
  const folder = await workFolder();
  await paydrop(folder, ["submit", join(SAMPLES, "payouts.csv"), "--by", "ann"]);
  const daemon = startPaydrop(folder, ["serve"], { PAYDROP_NOTICES_URL: url });
  const [stdout, stderr] = [text(daemon.stdout), text(daemon.stderr)];
  await expect.poll(heard).toEqual([["- payments that wait for approval: 40 (`paydrop status`)"]]);
  daemon.kill("SIGTERM");
  await once(daemon, "exit");
  expect(await stdout).toContain(`notices are sent to ${new URL(url).host}\n`);
  expect(await stdout).not.toContain(CANARY);
  expect(await stderr).not.toContain(CANARY);
});

test("an address that is none is refused, without showing it", async () => {
  const folder = await workFolder();
  const variables = { PAYDROP_NOTICES_URL: `slack.example.com/${CANARY}` };
  const { exitCode, stdout, stderr } = await paydrop(folder, ["serve"], variables);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("SECRET_UNUSABLE in key PAYDROP_NOTICES_URL");
  expect(stderr).not.toContain(CANARY);
});
