import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { paydrop, startPaydrop, startSandboxProcess, workFolder } from "../cli/program.ts";

test("a run that is killed in its middle, three times, pays nobody twice and loses nobody", async () => {
  const folder = await workFolder();
  const sandbox = await startSandboxProcess(folder);
  const run = (...args: readonly string[]) => paydrop(folder, ["--json", ...args], sandbox.variables);
  const { digest } = JSON.parse((await run("submit", "payouts.csv", "--by", "alice")).stdout);
  await run("approve", digest, "--by", "bob");
  await run("approve", digest, "--by", "carol");

  await sandbox.setFaults([
    { operation: "createPayoutV2", effect: { kind: "delay", delayMs: 40, when: "after-commit" } },
  ]);
  for (const killAt of [1, 12, 25]) {
    const child = startPaydrop(folder, ["pay"], sandbox.variables);
    while ((await sandbox.creations()).length < killAt && child.exitCode === null) await wait(2);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await sandbox.setFaults([]);

  const last = await run("pay");
  const created = (await sandbox.creations()).map(({ reference }) => reference);
  expect(new Set(created).size).toBe(created.length);
  const payments: { fields: { reference: string }; standing: string }[] = JSON.parse(
    (await run("status", "B-000001")).stdout,
  );
  // What was sent is known by looking; an intent whose request never left stays in doubt, for a person to decide.
  for (const { fields, standing } of payments)
    expect(standing).toBe(created.includes(fields.reference) ? "accepted" : "in doubt");
  expect(payments).toHaveLength(40);
  expect(last.exitCode).toBe(created.length === 40 ? 0 : 4);
  const [{ standings }] = JSON.parse((await run("status")).stdout);
  expect(standings[0]).toMatchObject({ standing: "accepted", totals: [{ count: created.length }] });
  await sandbox.stop();
});
