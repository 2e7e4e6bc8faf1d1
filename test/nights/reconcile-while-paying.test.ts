/** The nightly comparison while payments are sent, or while another process compares. */
import { expect, test } from "vitest";
import { createPayoutStep, trackStep } from "../../src/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { ADDRESS, openSite, settled } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

test("does not miss what was accepted behind the sweep's back or just before it, and misses it when the settle window is over", async () => {
  let paying: Promise<unknown> | undefined;
  const service = await startOddService(
    ({ path, body, honest, answer }) => {
      if (path !== FIND || body.includes("PAY-1") || paying !== undefined) return false;
      const swept = honest();
      const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
      paying = createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
      void paying.then(() => answer(swept.statusCode, swept.body));
      return true;
    },
    { visibilityLagMs: 3_600_000 },
  );
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const missing = async (by = workplace) =>
    (await reconcileStep(by)).breaks.filter(({ kind }) => kind === "missing");
  expect(await missing()).toEqual([]);
  expect(service.creations()).toEqual(["PAY-1"]);
  expect(await missing()).toEqual([]);
  expect(await missing(settled(workplace))).toMatchObject([{ reference: "PAY-1", severity: "alarm" }]);
});

test("raises no alarm over what a look that began before it stores behind its sweep", async () => {
  const asked = Promise.withResolvers<void>();
  const swept = Promise.withResolvers<void>();
  let tracking: Promise<unknown> | undefined;
  const service = await startOddService(({ path, body, honest, answer }) => {
    const isTracked = path === FIND && body.includes(`"payoutIds":["`);
    const isBehind = path === "/accounts/balance";
    if (tracking === undefined || !(isTracked || isBehind)) return false;
    if (isTracked) asked.resolve();
    else swept.resolve();
    const { statusCode, body: text } = honest();
    void (isTracked ? swept.promise : tracking).then(() => answer(statusCode, text));
    return true;
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  await reconcileStep(workplace);
  tracking = trackStep(workplace);
  await asked.promise;
  await workplace.context.clock.sleep(5);
  const { openBreaks } = await reconcileStep(workplace);
  expect(openBreaks.filter(({ kind }) => kind === "not-shown")).toEqual([]);
});

test("raises no alarm over money that moves between the sweep and the balances, and one where nothing has moved", async () => {
  const told = { total: 12.5, hasLeft: false, leavesAtBalance: false };
  const service = await startOddService(({ path, honest, answer }) => {
    if (path === "/accounts/balance") {
      const body = JSON.parse(honest().body) as { balances: [{ btcBalance: { total: { amount: number } } }] };
      if (told.leavesAtBalance) Object.assign(told, { total: 12, hasLeft: true });
      body.balances[0].btcBalance.total.amount = told.total;
      answer(200, JSON.stringify(body));
      return true;
    }
    if (path !== FIND) return false;
    const sentFunds = { txHash: "4a5e", amount: { currency: "BTC", amount: 0.5 } };
    const left = {
      payoutState: "SENT",
      sentFunds: { ...sentFunds, confirmedDate: "2026-11-22T10:00:00.000Z" },
    };
    const content = [{ ...STRANGER, payoutState: "SENDING", ...(told.hasLeft ? left : {}) }];
    answer(200, JSON.stringify({ results: { content, totalPages: 1, totalElements: 1 } }));
    return true;
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  await baselineStep(workplace, "ann");
  told.leavesAtBalance = true;
  const alarms = async () => (await reconcileStep(workplace)).breaks.filter(({ kind }) => kind === "balance");
  expect(await alarms()).toEqual([]);
  Object.assign(told, { total: 11, leavesAtBalance: false });
  expect(await alarms()).toMatchObject([{ severity: "alarm", field: "difference", found: "-1" }]);
});

test("only one process compares at a time, so that no older sweep closes what a newer one has found", async () => {
  const { workplace, openAgain, arrived } = await openSite();
  const other = openAgain();
  const lane = await other.store.takeLane("reconcile", 0);
  for (const comparing of [reconcileStep(workplace), baselineStep(workplace, "ann")])
    await expect(comparing).rejects.toMatchObject({ problem: { code: "UNDER_WAY" } });
  expect(arrived("findPayoutFilteredV2")).toBe(0);
  await lane.release();
  await baselineStep(other, "ann");
  expect((await reconcileStep(workplace)).openBreaks).toEqual([]);
});
