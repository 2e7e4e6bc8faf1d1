/** Machines that share a PostgreSQL database, each with its own folder and process; one sends at a time. */
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { endOf, paydrop, startPaydrop, type Variables } from "../cli/program.ts";
import { IS_ON_POSTGRES } from "../postgres.ts";
import { payToTheEnd } from "./judge.ts";
import { machines } from "./machines.ts";
import { ROWS } from "./payroll.ts";
import { MOMENT, signalAt, whenSettled } from "./signalled.ts";

/** The lease's 15 seconds, the request's one and the margin of five. */
const UNTIL_FREE_MS = 22_000;

describe("machines on one database", () => {
  test("that pay at the same time: one holds the lane, the others say so, and every row is paid once", async () => {
    const { service, variables, folders } = await machines(4);
    const stopping = { ...variables, ...signalAt(MOMENT.beforeWrite, 1, "SIGSTOP") };
    const children = folders.map((folder) => startPaydrop(folder, ["--json", "pay"], stopping));
    const endings = Promise.all(children.map(endOf));
    const [holder, ...otherHolders] = await whenSettled(children);
    expect(otherHolders).toHaveLength(0);
    expect(service.arrived()).toBe(0);
    holder?.kill("SIGCONT");
    const ended = await endings;
    expect(ended.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 5, 5, 5]);
    expect(service.arrived()).toBe(ROWS.length);
    expect(await payToTheEnd(folders[0] ?? "", service, variables, ended)).toEqual([]);
    await service.close();
  });

  test.each([
    ["before its request is written", MOMENT.beforeWrite],
    ["before its answer is read", MOMENT.afterWrite],
  ])(
    "of which one is killed %s: another takes over once the lane is free, and finds or sends the rest",
    async (_when, moment) => {
      const { service, variables, folders, letTimePass } = await machines(2);
      const [first = "", second = ""] = folders;
      const killed = await paydrop(first, ["--json", "pay"], {
        ...variables,
        ...signalAt(moment, 7, "SIGKILL"),
      });
      expect(killed.exitCode).toBeNull();
      const early = await paydropInTurn(second, ["--json", "pay"], variables);
      expect(early.exitCode).toBe(5);
      expect(JSON.parse(early.stdout).problems).toMatchObject([{ code: "LANE_TAKEN" }]);
      await letTimePass();
      // Requests that were handed over but never arrived stay in doubt until their window has passed.
      await payToTheEnd(second, service, variables, [killed, early]);
      await service.close();
    },
  );
});

/**
 * A `pay` that is suspended between the intent and the socket of its seventh creation. `ended` resolves once it was
 * resumed and has ended.
 */
async function stoppedWhilePaying(folder: string, variables: Variables) {
  const stopping = { ...variables, ...signalAt(MOMENT.handedOver, 7, "SIGSTOP") };
  const stopped = startPaydrop(folder, ["--json", "pay"], stopping);
  const ended = endOf(stopped);
  await whenSettled([stopped]);
  return { stopped, ended };
}

test.runIf(IS_ON_POSTGRES)(
  "a machine with another limit sends nothing until a person says at its terminal that it is the right one",
  async () => {
    const { service, variables, folders } = await machines(2);
    const [first = "", second = ""] = folders;
    const agreed = await paydrop(first, ["configuration", "accept", "--reason", "as set up"], variables);
    expect(agreed.exitCode).toBe(0);
    const otherwise = { ...variables, PAYDROP_LIMITS_PER_DAY: '{ BTC: "9" }' };
    const refused = await paydrop(second, ["pay"], otherwise);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("CONFIGURATION_DIFFERS") });
    const accepted = await paydrop(second, ["configuration", "accept", "--reason", "a new limit"], otherwise);
    expect(accepted).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("limits.perDay.BTC is 9 here"),
    });
    expect((await paydrop(first, ["pay"], variables)).exitCode).toBe(2);
    expect(service.arrived()).toBe(0);
    // Payments approved under the other limit are approved again under this one.
    expect((await paydrop(second, ["pay"], otherwise)).exitCode).toBe(4);
    expect(service.arrived()).toBe(0);
    const again = await paydrop(second, ["approve", "B-000001", "--by", "ben"], otherwise);
    expect(again.exitCode).toBe(0);
    expect((await paydrop(second, ["pay"], otherwise)).exitCode).toBe(0);
    expect(service.arrived()).toBe(ROWS.length);
    await service.close();
  },
);

/** Their leases run out in real time, so they run only with `npm run test:postgres`. */
describe.runIf(IS_ON_POSTGRES)("a machine that is gone for long", () => {
  test("stands still, in a transaction or out of one, while another takes over: every payout is made once", async () => {
    const { service, variables, folders, letTimePass } = await machines(2);
    const [first = "", second = ""] = folders;
    const { stopped, ended } = await stoppedWhilePaying(first, variables);
    await letTimePass();
    const over = await paydrop(second, ["--json", "pay"], variables);
    expect(over.exitCode).toBe(4);
    stopped.kill("SIGCONT");
    const former = await ended;
    expect(former.exitCode).toBe(5);
    // The server has ended the transaction in which it was suspended.
    const [{ code }] = JSON.parse(former.stdout).problems;
    expect(["LANE_LOST", "DATABASE_UNREACHABLE"]).toContain(code);
    await payToTheEnd(second, service, variables, [former, over]);
    await service.close();
  });

  test("stands still until its lease has run out, and sends nothing more", async () => {
    const { service, variables, folders } = await machines(2, { PAYDROP_HTTP_TIMEOUT_MS: "1000" });
    const [first = "", second = ""] = folders;
    const { stopped, ended } = await stoppedWhilePaying(first, variables);
    await wait(UNTIL_FREE_MS);
    const over = await paydrop(second, ["--json", "pay"], variables);
    const arrived = service.arrived();
    stopped.kill("SIGCONT");
    const former = await ended;
    expect(service.arrived()).toBe(arrived);
    await payToTheEnd(second, service, variables, [former, over]);
    await service.close();
  });

  test("is killed: its lane is free for another one when its requests must have ended, and not before", async () => {
    const { service, variables, folders } = await machines(2, { PAYDROP_HTTP_TIMEOUT_MS: "1000" });
    const [first = "", second = ""] = folders;
    const killed = await paydrop(first, ["--json", "pay"], {
      ...variables,
      ...signalAt(MOMENT.afterWrite, 7, "SIGKILL"),
    });
    await wait(UNTIL_FREE_MS / 2);
    expect((await paydrop(second, ["--json", "pay"], variables)).exitCode).toBe(5);
    await wait(UNTIL_FREE_MS / 2);
    expect((await paydrop(second, ["--json", "pay"], variables)).exitCode).not.toBe(5);
    await payToTheEnd(second, service, variables, [killed]);
    await service.close();
  });
});
