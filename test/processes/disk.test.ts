/** The disk under a run: what is flushed when, flushes that fail, and a full disk (a small tmpfs stands in). */
import { spawnSync } from "node:child_process";
import { statfs, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, type TestContext, test } from "vitest";
import { emptyFolder, paydrop } from "../cli/program.ts";
import { payToTheEnd } from "./judge.ts";
import { approvedPayroll, ROWS } from "./payroll.ts";
import { startService } from "./service.ts";
import { failedFlush, payTraced, unflushedCreations, WHY_NO_TRACE } from "./system-calls.ts";

describe("the system calls of a run", () => {
  test("show a flush between every intent and the first byte of its creation", async ({ skip }) => {
    skipFor(WHY_NO_TRACE, skip);
    const service = await startService();
    const folder = await approvedPayroll(service.variables);
    const { ended, lines } = await payTraced(folder, service.variables);
    expect(ended.exitCode).toBe(0);
    const created = await service.created();
    expect(created).toHaveLength(ROWS.length);
    expect(unflushedCreations(lines, created)).toEqual([]);

    // The same trace with one kind of call left out; the check must notice that for every creation.
    const without = (left: RegExp) => lines.filter((line) => !left.test(line));
    expect(unflushedCreations(without(/sync\(/), created)).toHaveLength(ROWS.length);
    expect(unflushedCreations(without(/sync\(.*-wal>/), created)).toHaveLength(ROWS.length);
    expect(unflushedCreations(without(/pwrite64\(.*-wal>/), created)).toHaveLength(ROWS.length);
    expect(unflushedCreations(without(/"POST /), created)).toHaveLength(ROWS.length);
    await service.close();
  });
});

describe("a flush that fails once and then succeeds", () => {
  test("stops the run, which sends nothing more and says so", async ({ skip }) => {
    skipFor(WHY_NO_TRACE, skip);
    // After the first payout, when several intents are written side by side.
    const { service, folder, ended, failure, unflushed } = await payWithFailingFlush(6);
    expect(failure).toBe("database");
    expect(unflushed).toEqual([]);
    expect(service.arrived()).toBeLessThan(ROWS.length);
    expect(ended.exitCode).toBe(1);
    expect(JSON.parse(ended.stdout).problems).toMatchObject([{ code: "DATABASE_UNUSABLE" }]);
    await payToTheEnd(folder, service, service.variables, [ended]);
    await service.close();
  });

  // With the long runs of `npm run test:kill`.
  test.runIf(process.env["KILL_RUNS"])(
    "whichever of a run's flushes it is",
    async ({ skip }) => {
      skipFor(WHY_NO_TRACE, skip);
      for (let nth = 1; ; nth += 1) {
        const { service, folder, ended, failure, unflushed } = await payWithFailingFlush(nth);
        if (failure === undefined) break;
        expect(unflushed, `flush ${nth}`).toEqual([]);
        // At the end nothing is left to stop.
        if (service.arrived() < ROWS.length) expect(ended.exitCode, `flush ${nth}`).toBe(1);
        await payToTheEnd(folder, service, service.variables, [ended]);
        await service.close();
      }
    },
    1_800_000,
  );
});

/** `unflushed`: the creations that left although their intents were not on disk. */
async function payWithFailingFlush(nth: number) {
  const service = await startService();
  const folder = await approvedPayroll(service.variables);
  // strace counts calls per thread, so one thread must make all flushes of the log.
  const variables = { ...service.variables, UV_THREADPOOL_SIZE: "1" };
  const { ended, lines } = await payTraced(folder, variables, `fdatasync:error=EIO:when=${nth}`);
  const unflushed = unflushedCreations(lines, await service.created());
  return { service, folder, ended, failure: failedFlush(lines), unflushed };
}

describe("a full disk", () => {
  test.for<[string, number, number]>([
    ["that does not take the first intent sends nothing", 40_000, 0],
    ["that fills up in the middle stops the run", 300_000, ROWS.length - 1],
  ])("%s, says so, and goes on when there is space", async ([_what, freeBytes, arrivedMax], { skip }) => {
    const disk = await mountSmallDisk();
    if (disk === undefined) skipFor("a small disk may not be mounted here", skip);
    const service = await startService();
    const folder = await approvedPayroll(service.variables, disk);
    const filling = await fillUpTo(freeBytes, folder);

    const stopped = await paydrop(folder, ["--json", "pay"], service.variables);
    expect(stopped.exitCode).toBe(1);
    expect(JSON.parse(stopped.stdout).problems).toMatchObject([
      { code: "DATABASE_UNUSABLE", fix: expect.stringContaining("free space") },
    ]);
    expect(service.arrived()).toBeLessThanOrEqual(arrivedMax);
    if (arrivedMax > 0) expect(service.arrived()).toBeGreaterThan(0);

    await unlink(filling);
    await payToTheEnd(folder, service, service.variables, [stopped]);
    await service.close();
  });
});

/** Undefined if the user may not mount it. */
async function mountSmallDisk(): Promise<string | undefined> {
  const folder = await emptyFolder();
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]);
  if (status !== 0) return undefined;
  onTestFinished(() => {
    spawnSync("umount", ["--lazy", folder]);
  });
  return folder;
}

/** Writes a file that leaves this much space; returns its path. */
async function fillUpTo(freeBytes: number, folder: string): Promise<string> {
  const path = join(folder, "filling");
  const { bavail, bsize } = await statfs(folder);
  await writeFile(path, Buffer.alloc(bavail * bsize - freeBytes));
  return path;
}

/** vitest shows its own note only in the verbose report. */
function skipFor(why: string | undefined, skip: TestContext["skip"]): void {
  if (why === undefined) return;
  process.stderr.write(`skipped: ${why}\n`);
  skip(why);
}
