import { once } from "node:events";
import { cp, rename } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { jobs } from "../../jobs/index.ts";
import { approveStep, openWorkplace, statusOfBatches } from "../../src/index.ts";
import { paydrop, SAMPLES, startPaydrop, startSandboxProcess, workFolder } from "../cli/program.ts";
import { firstWordsOf } from "../first-words.ts";
import { type StoredRun, storedRuns } from "./stored-runs.ts";

const EVERY_SECOND = "* * * * * *";

const ALL_EVERY_SECOND = Object.fromEntries(
  jobs.map(({ name }) => [`PAYDROP_SCHEDULE_${name.toUpperCase()}`, EVERY_SECOND]),
);

/** Polls until a run matches. */
async function runLike(folder: string, fits: (run: StoredRun) => boolean): Promise<StoredRun> {
  for (;;) {
    const found = storedRuns(folder).find(fits);
    if (found !== undefined) return found;
    await wait(50);
  }
}

const ALWAYS_ON = jobs.filter(({ isOn }) => isOn === undefined);

test("`paydrop serve` takes a dropped file all the way, survives a failing job, and ends with 143", async () => {
  const folder = await workFolder();
  await rename(join(folder, "chart-of-accounts.csv"), join(folder, "mislaid.csv"));
  const sandbox = await startSandboxProcess(folder);
  const variables = {
    ...sandbox.variables,
    ...ALL_EVERY_SECOND,
    PAYDROP_MONITORING_LISTEN: "127.0.0.1:0",
  };
  const daemon = startPaydrop(folder, ["--json", "serve"], variables);
  const [stdout, stderr] = [text(daemon.stdout), text(daemon.stderr)];
  const greeting = await firstWordsOf(daemon, stderr);
  const { serves, monitoring } = JSON.parse(greeting);
  expect(serves).toHaveLength(ALWAYS_ON.length);

  await cp(join(SAMPLES, "payouts.csv"), join(folder, "inbox", ".payouts.csv.part"), { recursive: true });
  await rename(join(folder, "inbox", ".payouts.csv.part"), join(folder, "inbox", "payouts.csv"));
  const taken = await runLike(folder, ({ job, outcome }) => job === "intake" && outcome?.["count"] === 1);
  expect(taken).toMatchObject({ job: "intake", outcome: { message: "payouts.csv accepted" } });

  const workplace = openWorkplace(join(folder, "paydrop.yaml"), variables);
  const [batch] = await statusOfBatches(workplace);
  // No submitter has signed a file from the inbox, so it takes one person more.
  for (const person of ["bob", "carol", "dora"])
    await approveStep(workplace, batch?.batch.digest ?? "", person);
  await workplace.close();
  await runLike(folder, ({ job, outcome }) => job === "pay" && outcome?.["count"] === 40);
  expect(await sandbox.creations()).toHaveLength(40);
  const { stdout: status } = await paydrop(folder, ["status"], variables);
  expect(status).toContain("approved by bob, carol, dora (3 needed)");

  await runLike(folder, ({ job, outcome }) => job === "ledger" && outcome?.["outcome"] === "failed");
  const health = await fetch(`${monitoring}/health`);
  expect([health.status, await health.json()]).toMatchObject([
    503,
    { problems: [{ job: "ledger", code: "CHART_UNUSABLE" }] },
  ]);
  await rename(join(folder, "mislaid.csv"), join(folder, "chart-of-accounts.csv"));
  await runLike(folder, ({ job, outcome }) => job === "ledger" && outcome?.["outcome"] === "done");

  daemon.kill("SIGTERM");
  const [exitCode] = await once(daemon, "exit");
  await sandbox.stop();
  expect(exitCode).toBe(143);

  const runs = storedRuns(folder);
  for (const { name } of ALWAYS_ON) {
    const own = runs.filter(({ job }) => job === name);
    expect(own.some(({ outcome }) => outcome?.["outcome"] === "done")).toBe(true);
    for (const [index, { startedAt }] of own.entries()) {
      if (index > 0)
        expect(startedAt >= (own[index - 1]?.endedAt ?? "~"), `${name} overlaps itself`).toBe(true);
    }
  }
  expect(runs.every(({ endedAt }) => endedAt !== null)).toBe(true);
  expect(await stdout).toBe(greeting);
  const logged = (await stderr)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(logged).toContainEqual(
    expect.objectContaining({ msg: "job failed", job: "ledger", code: "CHART_UNUSABLE" }),
  );
});
