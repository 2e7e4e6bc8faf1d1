/**
 * Signals at exact moments: a process suspended or killed between the flush of an intent and the end of its write to
 * the socket, and one asked to stop while creations are in flight.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openSqliteStoreForReading } from "../../src/store/engines/sqlite-store.ts";
import { all, sql } from "../../src/store/sql.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { endOf, paydrop, SANDBOX_SECRETS, startPaydrop, workFolder } from "../cli/program.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { sliceOf } from "../slice.ts";
import { paymentsIn, payToTheEnd } from "./judge.ts";
import { approvedPayroll, ROWS } from "./payroll.ts";
import { startService } from "./service.ts";
import { MOMENT, PATIENT, signalAt, whenSettled } from "./signalled.ts";

const NTH = 3;

describe.runIf(existsSync("/proc/self/stat"))("stopped between the flush of an intent and its write", () => {
  const MOMENTS = [
    ["after the last check", MOMENT.beforeWrite],
    ["before the last check", MOMENT.handedOver],
  ] as const;
  test.each(sliceOf<(typeof MOMENTS)[number]>(MOMENTS, 2))(
    "%s: keeps the lane, and pays once when it goes on",
    async (_when, moment) => {
      const service = await startService();
      const folder = await approvedPayroll(service.variables);
      const child = startPaydrop(folder, ["--json", "pay"], {
        ...service.variables,
        // One request at a time, so that nothing else is on its way.
        PAYDROP_NONCE_RULE: "unknown",
        ...PATIENT,
        ...signalAt(moment, NTH, "SIGSTOP"),
      });
      const ended = endOf(child);
      expect(await whenSettled([child])).toHaveLength(1);
      expect(service.arrived()).toBe(NTH - 1);

      const taker = await paydropInTurn(folder, ["--json", "pay"], service.variables);
      expect(taker.exitCode).toBe(5);
      expect(JSON.parse(taker.stdout).problems).toMatchObject([{ code: "LANE_TAKEN" }]);
      expect(service.arrived()).toBe(NTH - 1);

      child.kill("SIGCONT");
      const went = await ended;
      expect(went.exitCode).toBe(0);
      expect(service.arrived()).toBe(ROWS.length);
      expect(await payToTheEnd(folder, service, service.variables, [taker, went])).toEqual([]);
      await service.close();
    },
  );

  // With the long runs of `npm run test:kill`.
  test.runIf(process.env["KILL_RUNS"])(
    "does not take a deadline that it slept through for an answer",
    async () => {
      const service = await startService();
      const folder = await approvedPayroll(service.variables);
      const child = startPaydrop(folder, ["--json", "pay"], {
        ...service.variables,
        PAYDROP_HTTP_TIMEOUT_MS: "1000",
        ...signalAt(MOMENT.beforeWrite, NTH, "SIGSTOP"),
      });
      const ended = endOf(child);
      expect(await whenSettled([child])).toHaveLength(1);
      await wait(1100);
      child.kill("SIGCONT");
      await payToTheEnd(folder, service, service.variables, [await ended]);
      await service.close();
    },
  );
});

describe("killed at one exact moment, a creation", () => {
  test.each<[string, (typeof MOMENT)[keyof typeof MOMENT], string[]]>([
    ["before its write stays in doubt and is not sent again", MOMENT.beforeWrite, [`PAY-${NTH}`]],
    ["after its write is found at the service", MOMENT.afterWrite, []],
  ])("%s", async (_what, moment, inDoubt) => {
    const service = await startService();
    const folder = await approvedPayroll(service.variables);
    const variables = { ...service.variables, PAYDROP_NONCE_RULE: "unknown" };
    const fatal = { ...variables, ...signalAt(moment, NTH, "SIGKILL") };
    const killed = await paydrop(folder, ["--json", "pay"], fatal);
    expect(killed.exitCode).toBe(null);
    expect(await payToTheEnd(folder, service, variables, [killed])).toEqual(inDoubt);
    await service.close();
  });
});

/** The samples' configuration sends this many side by side; the first of a run goes alone. */
const CONCURRENCY = 8;
const UNDER_WAY = 1 + CONCURRENCY;

/** Long enough that the signal comes before the first answer to those in flight. */
const ANSWER_AFTER_MS = 1500;

describe.concurrent("a run that is asked to stop", () => {
  const SIGNALS = [
    ["SIGTERM", ["SIGTERM"], 143],
    ["SIGTERM, twice at once as `timeout` sends it,", ["SIGTERM", "SIGTERM"], 143],
    ["SIGINT", ["SIGINT"], 130],
    ["SIGHUP, as often as a closing terminal says it,", ["SIGHUP", "SIGHUP"], 129],
  ] as const;
  test.each(sliceOf<(typeof SIGNALS)[number]>(SIGNALS, 2))(
    "by %s sends nothing more, awaits what is under way, and ends with its own code",
    async (_what, signals, code) => {
      const service = await startService();
      const held = Array.from({ length: CONCURRENCY }, (_, index) => index + 2);
      const effect = { kind: "delay", delayMs: ANSWER_AFTER_MS, when: "after-commit" } as const;
      service.setFaults(held.map((nth) => ({ operation: "createPayoutV2", nth, effect })));
      const folder = await approvedPayroll(service.variables);
      const child = startPaydrop(folder, ["--json", "pay"], service.variables);
      const ending = endOf(child);
      while (service.arrived() < UNDER_WAY && child.exitCode === null) await wait(2);
      for (const signal of signals) {
        child.kill(signal);
        await wait(50);
      }

      const ended = await ending;
      expect(ended.exitCode).toBe(code);
      expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: UNDER_WAY, inDoubt: 0, notSent: 0 });
      expect(service.arrived()).toBe(UNDER_WAY);
      const payments = await paymentsIn(folder);
      expect(payments.filter(({ standing }) => standing === "accepted")).toHaveLength(UNDER_WAY);
      expect(payments.filter(({ standing }) => standing === "approved")).toHaveLength(
        ROWS.length - UNDER_WAY,
      );
      expect(await payToTheEnd(folder, service, service.variables, [ended])).toEqual([]);
      await service.close();
    },
  );

  test("by a SIGTERM that is sent again later ends at once", async () => {
    const service = await startService();
    const effect = { kind: "delay", delayMs: 10_000, when: "after-commit" } as const;
    service.setFaults([{ operation: "createPayoutV2", nth: 1, effect }]);
    const child = startPaydrop(await approvedPayroll(service.variables), ["pay"], service.variables);
    const ending = endOf(child);
    while (service.arrived() < 1) await wait(2);
    while (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await wait(300);
    }
    await ending;
    expect(child.signalCode).toBe("SIGTERM");
    await service.close();
  });

  test("while the service asks for an hour's patience ends at once, as stopped, and sends nothing", async () => {
    let child: ReturnType<typeof startPaydrop> | undefined;
    let asked = 0;
    const busy = createServer((request, response) => {
      asked += 1;
      request.resume();
      response.writeHead(503, { "retry-after": "3600", server: "paydrop-sandbox" }).end(errorBody("BUSY"));
      // The first request asks whether this is the sandbox.
      if (asked === 2) child?.kill("SIGTERM");
    });
    await new Promise<void>((resolve) => busy.listen(0, "127.0.0.1", resolve));
    const address = busy.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const variables = { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: url };
    const folder = await approvedPayroll(variables);
    child = startPaydrop(folder, ["pay"], variables);
    expect(await endOf(child)).toMatchObject({ exitCode: 143, stderr: expect.stringMatching(/^Stopping: /) });
    expect(asked).toBe(2);
    expect((await paymentsIn(folder)).every(({ standing }) => standing === "approved")).toBe(true);
    busy.closeAllConnections();
    busy.close();
  });
});

/** A check of so many rows takes a second or more. */
const LONG_ROWS = 10_000;

describe("a large file that is being checked", () => {
  test("when SIGTERM comes, `submit` ends as stopped and leaves no batch; submitted again it becomes one", async () => {
    const folder = await workFolder();
    const rows = Array.from(
      { length: LONG_ROWS },
      (_, row) => `LONG-${row},0.000${10_000 + row},${ROWS[0]?.destinationAddress}`,
    );
    const header = "reference,amount,destinationAddress";
    await writeFile(join(folder, "long.csv"), [header, ...rows, ""].join("\n"));
    const submit = ["--json", "submit", "long.csv", "--by", "alice"];
    const child = startPaydrop(folder, submit, {});
    const ending = endOf(child);
    // A file is archived before it is read.
    while (!existsSync(join(folder, "archive")) && child.exitCode === null) await wait(2);
    child.kill("SIGTERM");
    const ended = await ending;
    expect(ended.exitCode).toBe(143);
    expect(JSON.parse(ended.stdout)).toMatchObject({ problems: [{ code: "INTERRUPTED" }] });
    expect(await batchesIn(folder)).toEqual([]);
    const again = await paydropInTurn(folder, submit, {});
    expect(again.exitCode).toBe(4);
    expect(await batchesIn(folder)).toEqual([{ id: "B-000001", row_count: LONG_ROWS }]);
  });
});

async function batchesIn(folder: string): Promise<unknown[]> {
  const store = openSqliteStoreForReading(join(folder, "paydrop.sqlite"));
  const batches = await store.read(() => all(sql`select id, row_count from batch`));
  await store.close();
  return [...batches];
}
