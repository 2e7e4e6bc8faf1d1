import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Job } from "../../jobs/job.ts";
import { runScheduler } from "../../src/daemon/index.ts";
import { fault } from "../../src/faults/index.ts";
import { openWorkplace, stderrLog } from "../../src/index.ts";
import { endRun, startRun } from "../../src/store/runs.ts";
import { keepSlot, listSlots } from "../../src/store/slots.ts";
import { workFolder } from "../cli/program.ts";
import { longTest } from "../slice.ts";
import { storedRuns } from "./stored-runs.ts";

const EVERY_SECOND = "* * * * * *";

/** Once a day, half a day from now. */
function nightlyFarFromNow(): string {
  return `0 ${(new Date().getUTCHours() + 12) % 24} * * *`;
}

/** Once a day, at this minute, so many hours from now. */
function inHours(hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
}

/** Runs one job until it has been started this many times, then stops the scheduler and waits for it. */
async function scheduled(starts: number, work: (start: number) => Promise<void>, isShared = false) {
  const folder = await workFolder();
  const workplace = openWorkplace(
    `${folder}/paydrop.yaml`,
    { PAYDROP_SCHEDULE_TRACK: EVERY_SECOND },
    stderrLog("silent"),
  );
  const stop = new AbortController();
  let started = 0;
  let running = 0;
  let runningMax = 0;
  const job: Job = {
    name: "track",
    run: async () => {
      started += 1;
      running += 1;
      runningMax = Math.max(runningMax, running);
      if (started === starts) stop.abort();
      await work(started).finally(() => {
        running -= 1;
      });
      return { count: started };
    },
  };
  const store = Object.create(workplace.store, { isShared: { value: isShared } });
  await runScheduler({ ...workplace, store }, [job], stop.signal);
  await workplace.close();
  return { runs: storedRuns(folder), runningMax, runningAtEnd: running };
}

describe("the scheduler", () => {
  test.concurrent("does not start a job while it still runs, and the configured schedule counts", async () => {
    const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 1400));
    const { runs, runningMax } = await scheduled(2, slow);
    expect(runningMax).toBe(1);
    expect(runs.map(({ job }) => job)).toEqual(["track", "track"]);
    const [first, second] = runs;
    expect((second?.startedAt ?? "") >= (first?.endedAt ?? "~")).toBe(true);
  });

  test.concurrent.each([
    [true, "done"],
    [false, "failed"],
  ])("a slot that another process does is kept as such: machines share it: %s", async (isShared, outcome) => {
    const taken = async () => Promise.reject(fault("LANE_TAKEN", { holder: "" }));
    const { runs } = await scheduled(1, taken, isShared);
    expect(runs).toMatchObject([{ outcome: { outcome, code: "LANE_TAKEN" } }]);
  });

  test.concurrent("keeps a failed run with its reason, and the next slot comes", async () => {
    const { runs } = await scheduled(2, async (start) => {
      if (start === 1) throw new Error("the disk is on fire");
    });
    expect(runs).toMatchObject([
      { outcome: { outcome: "failed", message: "the disk is on fire" } },
      { outcome: { outcome: "done", count: 2 } },
    ]);
  });

  test.concurrent.each(["has passed", "failed"])(
    "a comparison whose last slot %s is caught up on at the start, and again until it succeeds",
    async (what) => {
      const folder = await workFolder();
      const nightly = { PAYDROP_SCHEDULE_RECONCILE: nightlyFarFromNow() };
      const opened = openWorkplace(`${folder}/paydrop.yaml`, nightly, stderrLog("silent"));
      const hours = what === "failed" ? 1 : 49;
      const dueAt = new Date(Date.now() - hours * 3_600_000).toISOString();
      const outcome = JSON.stringify({ outcome: what === "failed" ? "failed" : "done" });
      await opened.store.write(function* () {
        yield* endRun(yield* startRun("reconcile", dueAt, dueAt), outcome, dueAt);
      });
      const pauses: number[] = [];
      const clock = { ...opened.context.clock, sleep: async (ms: number) => void pauses.push(ms) };
      const stop = new AbortController();
      let started = 0;
      const run: Job["run"] = async () => {
        started += 1;
        if (started < 3) throw fault("LANE_TAKEN", { holder: "" });
        stop.abort();
        return {};
      };
      const job: Job = { name: "reconcile", catchesUp: true, run };
      await runScheduler({ ...opened, context: { ...opened.context, clock } }, [job], stop.signal);
      await opened.close();
      expect(pauses).toEqual([60_000, 120_000]);
      const outcomes = storedRuns(folder).map((one) => one.outcome?.["outcome"]);
      expect(outcomes.slice(1)).toEqual(["failed", "failed", "done"]);
    },
  );

  test.concurrent("accounts for every slot: run, skipped at rest, and passed without a daemon", async () => {
    const folder = await workFolder();
    const everySecond = { PAYDROP_SCHEDULE_PAY: EVERY_SECOND };
    const workplace = openWorkplace(`${folder}/paydrop.yaml`, everySecond, stderrLog("silent"));
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const overAYearAgo = new Date(Date.now() - 367 * 86_400_000).toISOString();
    await workplace.store.write(function* () {
      yield* keepSlot({ job: "pay", dueAt: overAYearAgo, how: "run" }, overAYearAgo);
      yield* keepSlot({ job: "pay", dueAt: anHourAgo, how: "run" }, anHourAgo);
    });
    const stop = new AbortController();
    let started = 0;
    const run: Job["run"] = async () => {
      started += 1;
      if (started === 4) stop.abort();
      return {};
    };
    const until = "2026-11-30T07:00:00.000Z";
    const restAt: Job["restAt"] = () => (started < 2 ? { why: "day off", until } : undefined);
    await runScheduler(workplace, [{ name: "pay", run, restAt }], stop.signal);
    const slots = await workplace.store.read(() => listSlots("pay", 10));
    await workplace.close();
    const reason = "today is a day off; sending goes on at 2026-11-30 08:00 (Europe/Madrid)";
    // On a busy machine a slot may pass, or begin, while the one before is still under way.
    const told = slots.toReversed().filter(({ reason: why = "" }) => !/under way|passed while/.test(why));
    expect(told[0]).toMatchObject({ dueAt: anHourAgo, how: "run" });
    expect([...new Set(told.map((slot) => slot.reason ?? slot.how))]).toEqual([
      "run",
      "no daemon ran",
      reason,
    ]);
    expect(told.filter(({ how }) => how === "run")).toHaveLength(3);
    expect(storedRuns(folder)).toHaveLength(4);
  });

  longTest("a slot that passed while the machine stood still begins late, and is not left out", async () => {
    const folder = await workFolder();
    const slot = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000);
    const onceAMinute = { PAYDROP_SCHEDULE_PAY: `${slot.getUTCSeconds()} * * * * *` };
    const workplace = openWorkplace(`${folder}/paydrop.yaml`, onceAMinute, stderrLog("silent"));
    const stop = new AbortController();
    const run: Job["run"] = async () => {
      stop.abort();
      return {};
    };
    const ended = runScheduler(workplace, [{ name: "pay", run }], stop.signal);
    const untilLate = slot.getTime() + 3500 - Date.now();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, untilLate);
    await ended;
    await workplace.close();
    expect(storedRuns(folder)).toMatchObject([{ job: "pay", dueAt: slot.toISOString() }]);
  });

  test.each([
    ["set back", inHours(-9), -10 * 3_600_000],
    ["set forward, or stood still while the machine slept", inHours(12), 11 * 3_600_000],
  ])("jobs go by the new time when the clock was %s", async (_what, schedule, byMs) => {
    const folder = await workFolder();
    const workplace = openWorkplace(
      `${folder}/paydrop.yaml`,
      { PAYDROP_SCHEDULE_PAY: schedule, PAYDROP_LEDGER_TIME_ZONE: "UTC" },
      stderrLog("silent"),
    );
    const stop = new AbortController();
    let hasStarted = false;
    const run: Job["run"] = async () => {
      hasStarted = true;
      return {};
    };
    vi.useFakeTimers({
      toFake: ["Date", "hrtime", "setTimeout", "setInterval", "clearTimeout", "clearInterval"],
    });
    onTestFinished(() => void vi.useRealTimers());
    let hasEnded = false;
    const ended = runScheduler(workplace, [{ name: "pay", run }], stop.signal).then(() => {
      hasEnded = true;
    });
    const passUntil = async (isDone: () => boolean) => {
      while (!isDone()) {
        await vi.advanceTimersByTimeAsync(10_000);
        await new Promise(setImmediate);
      }
    };
    const setAt = Date.now() + byMs;
    vi.setSystemTime(setAt);
    await passUntil(() => hasStarted);
    stop.abort();
    await passUntil(() => hasEnded);
    await ended;
    vi.useRealTimers();
    await workplace.close();
    const dueAt = Date.parse(storedRuns(folder)[0]?.dueAt ?? "");
    expect(dueAt).toBeGreaterThan(setAt);
    expect(dueAt).toBeLessThan(setAt + 3_600_000);
  });

  test.concurrent("does not end before the job that is running has ended", async () => {
    const { runs, runningAtEnd } = await scheduled(
      1,
      () => new Promise((resolve) => setTimeout(resolve, 200)),
    );
    expect(runningAtEnd).toBe(0);
    expect(runs).toMatchObject([{ outcome: { outcome: "done" }, endedAt: expect.any(String) }]);
  });
});
