/** Several processes on one state at the same time. */
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { type Ended, endOf, paydrop, startPaydrop, workFolder } from "../cli/program.ts";
import { payToTheEnd } from "./judge.ts";
import { approvedPayroll, ROWS } from "./payroll.ts";
import { startService } from "./service.ts";
import { MOMENT, PATIENT, signalAt, whenSettled } from "./signalled.ts";

describe("processes that pay side by side", () => {
  test("three: one holds the lane, the others say so and end with 5, and every row is paid once", async () => {
    const service = await startService();
    const folder = await approvedPayroll(service.variables);
    // The holder of the lane suspends itself at its first creation, so that all others find the lane taken.
    const stopped = signalAt(MOMENT.beforeWrite, 1, "SIGSTOP");
    const variables = { ...service.variables, ...PATIENT, ...stopped };
    const children = Array.from({ length: 3 }, () => startPaydrop(folder, ["--json", "pay"], variables));
    const endings = Promise.all(children.map(endOf));
    const [holder, ...otherHolders] = await whenSettled(children);
    expect(holder).toBeDefined();
    expect(otherHolders).toHaveLength(0);
    expect(service.arrived()).toBe(0);
    holder?.kill("SIGCONT");

    const ended = await endings;
    expect(ended.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 5, 5]);
    for (const { stdout } of ended.filter(({ exitCode }) => exitCode === 5))
      expect(JSON.parse(stdout).problems).toMatchObject([{ code: "LANE_TAKEN" }]);
    expect(service.arrived()).toBe(ROWS.length);
    expect(await payToTheEnd(folder, service, service.variables, ended)).toEqual([]);
    await service.close();
  });

  test("one whose lock file somebody removes goes on as the only one, and the next one is told that the lane is taken", async () => {
    const service = await startService();
    const folder = await approvedPayroll(service.variables);
    const stopped = signalAt(MOMENT.beforeWrite, 1, "SIGSTOP");
    const variables = { ...service.variables, ...PATIENT, ...stopped };
    const holder = startPaydrop(folder, ["--json", "pay"], variables);
    const ending = endOf(holder);
    await whenSettled([holder]);
    await removeLanes(folder);
    const second = await paydrop(folder, ["--json", "pay"], service.variables);
    expect(second.exitCode).toBe(5);
    expect(JSON.parse(second.stdout).problems).toMatchObject([
      { code: "LANE_TAKEN", message: expect.stringContaining(`process ${holder.pid}`) },
    ]);
    expect(service.arrived()).toBe(0);
    holder.kill("SIGCONT");
    const first = await ending;
    expect(first.exitCode).toBe(0);
    expect(service.arrived()).toBe(ROWS.length);
    expect(await payToTheEnd(folder, service, service.variables, [first, second])).toEqual([]);
    await service.close();
  });

  test("one that died leaves the lane to the next one, also where its lock file was removed since", async () => {
    const service = await startService();
    const folder = await approvedPayroll(service.variables);
    const variables = { ...service.variables, ...signalAt(MOMENT.beforeWrite, 1, "SIGKILL") };
    const killed = await paydrop(folder, ["--json", "pay"], variables);
    expect(killed.exitCode).toBe(null);
    await removeLanes(folder);
    const ended = await paydrop(folder, ["--json", "pay"], service.variables);
    expect(ended.exitCode).not.toBe(5);
    expect(service.arrived()).toBeGreaterThan(0);
    await payToTheEnd(folder, service, service.variables, [killed, ended]);
    await service.close();
  });

  test("two that nothing holds up: every row is paid once", async () => {
    const service = await startService({ latencyMs: 20 });
    const folder = await approvedPayroll(service.variables);
    const ended = await together(2, () => paydrop(folder, ["--json", "pay"], service.variables));
    // The second process finds the lane taken, or starts when all is done.
    expect(ended.map(({ exitCode }) => exitCode)).toContain(0);
    for (const { exitCode } of ended) expect([0, 5]).toContain(exitCode);
    expect(service.arrived()).toBe(ROWS.length);
    expect(await payToTheEnd(folder, service, service.variables, ended)).toEqual([]);
    await service.close();
  });
});

test("two processes that take in the same file make one batch of it, and say so to the later one", async () => {
  const folder = await workFolder();
  const ended = await together(2, () => paydrop(folder, ["--json", "submit", "payouts.csv"]));
  expect(ended.map(({ exitCode }) => exitCode).toSorted()).toEqual([3, 4]);
  const late = ended.find(({ exitCode }) => exitCode === 3);
  expect(JSON.parse(late?.stdout ?? "").problems).toMatchObject([{ code: "FILE_ALREADY_KNOWN" }]);
  expect(readdirSync(join(folder, "outbox")).toSorted()).toEqual([
    "payouts.accepted.csv",
    "payouts.accepted.csv.txt",
    "payouts.known.txt",
  ]);
  expect(JSON.parse((await paydropInTurn(folder, ["--json", "status"])).stdout).batches).toHaveLength(1);
});

/** Removes the lanes, like a person who takes them for remnants. */
async function removeLanes(folder: string): Promise<void> {
  const lanes = readdirSync(folder).filter((name) => name.includes(".lane-"));
  expect(lanes).not.toEqual([]);
  for (const name of lanes) await rm(join(folder, name));
}

function together(count: number, run: () => Promise<Ended>): Promise<Ended[]> {
  return Promise.all(Array.from({ length: count }, run));
}
