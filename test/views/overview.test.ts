/** The first lines of `status`: what waits, for whom and since when, and how the jobs went. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { expect, test } from "vitest";
import { jobs } from "../../jobs/index.ts";
import { overviewText } from "../../src/cli/render/overview-text.ts";
import { timetable } from "../../src/daemon/index.ts";
import {
  approveStep,
  createDepositStep,
  createPayoutStep,
  giveStopOrder,
  liftStopOrder,
  listDoubts,
  overviewOf,
  payAgainStep,
  payStep,
  statusOf,
  statusOfBatches,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import type { FaultEffect } from "../../src/sandbox/index.ts";
import { demoSeed } from "../../src/sandbox/index.ts";
import { endRun, startRun } from "../../src/store/runs.ts";
import { SAMPLES } from "../cli/program.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { ADDRESS, DEPOSIT, openSite } from "../site/service.ts";

async function seen(workplace: Workplace) {
  const doubts = await listDoubts(workplace);
  const overview = await overviewOf(workplace, await statusOfBatches(workplace), doubts);
  const text = overviewText(
    overview,
    timetable(workplace.config, jobs),
    workplace.config.ledger.timeZone,
    doubts.changes.length,
    pc.createColors(false),
  );
  return { overview, text };
}

function ask(workplace: Workplace, reference: string, more: Readonly<Record<string, string>> = {}) {
  const cells = { reference, amount: `0.00${reference.at(-1)}`, destinationAddress: ADDRESS, ...more };
  return createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
}

test("where nothing waits that is said, with when each job runs next", async () => {
  const { workplace } = await openSite();
  const { text } = await seen(workplace);
  expect(text).toMatch(/^Nothing waits for anybody\.\n/);
  for (const { name } of jobs.filter(({ isOn }) => isOn === undefined))
    expect(text).toMatch(new RegExp(`^${name} +never +\\d{4}-`, "m"));
});

test("what waits is told with how much, for how long, for whom, and what comes next", async () => {
  const refused = (nth: number): { operation: string; nth: number; effect: FaultEffect } => ({
    operation: "createPayoutV2",
    nth,
    effect: { kind: "answer", statusCode: 400, body: errorBody("NO"), committed: false },
  });
  const lost = { operation: "createPayoutV2", nth: 3, effect: { kind: "cut-before-read" } } as const;
  const { workplace } = await openSite({ faults: [refused(1), refused(2), lost] });
  await ask(workplace, "PAY-1");
  await ask(workplace, "PAY-2");
  await ask(workplace, "PAY-3");
  await ask(workplace, "PAY-4", { payOn: "2099-12-31" });
  await payAgainStep(workplace, {
    reference: "PAY-2",
    newReference: "PAY-2-B",
    reason: "wrong order code",
    person: "tess",
  });
  await submitFile(workplace, join(SAMPLES, "payouts.csv"), "ann");
  const { overview, text } = await seen(workplace);
  const one = (amount: string) => ({ totals: [expect.objectContaining({ count: 1 })], amount });
  expect(overview).toMatchObject({
    inDoubt: { totals: one("0.003").totals, longestMs: expect.any(Number) },
    refused: { totals: one("0.001").totals }, // PAY-2 is paid again
    later: { totals: one("0.004").totals, firstDay: "2099-12-31" },
    dueToday: { totals: [] },
    held: { totals: [] },
  });
  expect(overview.forApproval.map(({ fileName }) => fileName).sort()).toEqual(["PAY-2-B.csv", "payouts.csv"]);
  expect(text).toMatch(
    /^approval +40 payments, .* BTC \(B-\d+ payouts\.csv\) +0 min +2 people besides ann: `paydrop approve/m,
  );
  expect(text).toMatch(/^in doubt +1 payment, 0\.003 BTC +0 min +treasury: `paydrop doubt`$/m);
  expect(text).toMatch(/^a later day +1 payment, 0\.004 BTC +from 2099-12-31 on$/m);
});

test("a deposit in doubt waits for somebody, too", async () => {
  const lost = { operation: "createDeposit", nth: 1, effect: { kind: "cut-before-read" } } as const;
  const { workplace } = await openSite({ faults: [lost] });
  await createDepositStep(workplace, DEPOSIT);
  const { text } = await seen(workplace);
  expect(text).not.toContain("Nothing waits");
  expect(text).toMatch(/^in doubt +1 deposit, void or authorization +treasury: `paydrop doubt`$/m);
});

test("a stop order, open breaks, and how each job ended last come first as well", async () => {
  const { workplace, sandbox } = await openSite({ seed: demoSeed });
  const { store } = workplace;
  for (const [job, outcome] of [
    ["pay", { outcome: "done", message: "3 accepted, 0 in doubt" }],
    ["reconcile", { outcome: "failed", code: "SERVICE_UNREACHABLE", message: "gone" }],
  ] as const) {
    const id = await store.write(() => startRun(job, "2026-11-21T02:00:00.000Z", "2026-11-21T02:00:01.000Z"));
    await store.write(() => endRun(id, JSON.stringify(outcome), "2026-11-21T02:00:09.000Z"));
  }
  await store.write(() => startRun("track", "2026-11-21T02:00:00.000Z", "2026-11-21T02:10:00.000Z"));
  sandbox.operator.passTime(3_600_000); // its seed then has a payout that nobody asked for
  await reconcileStep(workplace);
  await giveStopOrder(workplace, "tess", "audit");
  const { overview, text } = await seen(workplace);
  expect(overview.openBreaks.alarm).toBeGreaterThan(0);
  expect(text).toMatch(/^A stop order is in force, so nothing is sent: stopped by tess .*: audit\n/);
  expect(text).toMatch(/^breaks +\d+ alarms?, \d+ warnings?/m);
  expect(text).toMatch(/^pay +2026-11-21 02:00 UTC +done: 3 accepted, 0 in doubt +\d{4}-/m);
  expect(text).toMatch(/^reconcile +2026-11-21 02:00 UTC +failed: SERVICE_UNREACHABLE: gone/m);
  expect(text).toMatch(/^track +2026-11-21 02:10 UTC +under way, or its process ended/m);
});

test("what is approved and not sent any more waits for an approval, whoever looks", async () => {
  const { folder, workplace, openAgain } = await openSite();
  const file = join(folder, "july.csv");
  const rows = [`PAY-1,0.001,${ADDRESS},`, `PAY-2,0.002,${ADDRESS},2099-12-31`];
  writeFileSync(file, ["reference,amount,destinationAddress,payOn", ...rows, ""].join("\n"));
  const { digest = "" } = await submitFile(workplace, file, "alice");
  await approveStep(workplace, digest, "bob");
  const changed = openAgain({ PAYDROP_APPROVAL_RULES: "[{ people: 1, approvers: [carol, dora] }]" });

  const { overview, text } = await seen(changed);
  expect(overview).toMatchObject({ dueToday: { totals: [] }, later: { totals: [] } });
  expect(text).toMatch(
    /^approval +2 payments, 0\.003 BTC \(B-000001 july\.csv\) +to be approved again; 1 person besides alice: `paydrop approve/m,
  );
  expect(await statusOfBatches(changed)).toMatchObject([{ approvedBy: [], runOut: [{ count: 2 }] }]);
  expect(await statusOf(changed, "PAY-2")).toMatchObject([
    {
      mustBeApprovedAnew: true,
      reason: expect.stringMatching(/^the signature of bob is not valid: limits, lists/),
    },
  ]);

  const job = jobs.find(({ name }) => name === "pay");
  // It waits for people like the others, so the job has not failed.
  expect(await job?.run(changed, new AbortController().signal)).toEqual({
    count: 0,
    message: expect.stringMatching(
      /^0 accepted, 0 in doubt, problems: 1, first: PAY-1: this payout is held back/,
    ),
  });
  await giveStopOrder(changed, "dora", "an audit");
  expect(await job?.run(changed, new AbortController().signal)).toEqual({
    count: 0,
    message: expect.stringContaining("an audit"),
  });
  await liftStopOrder(changed, "dora", "it is over");

  expect(await approveStep(changed, digest, "carol")).toMatchObject({ released: 0, renewed: 2 });
  expect((await seen(changed)).overview).toMatchObject({
    forApproval: [],
    dueToday: { totals: [{ count: 1 }] },
    later: { totals: [{ count: 1 }] },
  });
  expect(await job?.run(changed, new AbortController().signal)).toMatchObject({ count: 1 });
});

test("what is due but over today's limits is not named as due today, before or after the others are sent", async () => {
  const { folder, workplace } = await openSite({}, { PAYDROP_LIMITS_PER_DAY: '{ BTC: "0.004" }' });
  const file = join(folder, "july.csv");
  const amounts = ["0.001", "0.0035", "0.003"];
  const rows = amounts.map((amount, index) => `PAY-${index + 1},${amount},${ADDRESS}`);
  writeFileSync(file, ["reference,amount,destinationAddress", ...rows, ""].join("\n"));
  const { digest = "" } = await submitFile(workplace, file, "alice");
  await approveStep(workplace, digest, "bob");
  const before = await seen(workplace);
  expect(before.text).toMatch(/^due today +2 payments, 0\.004 BTC /m);
  expect(before.text).toMatch(/^over a limit +1 payment, 0\.0035 BTC +a later day, or higher `limits`/m);

  const { problems } = await payStep(workplace);
  expect(problems.map(({ reference, code }) => `${reference} ${code}`)).toEqual(["PAY-2 DAY_LIMIT_REACHED"]);
  const after = (await seen(workplace)).overview;
  expect(after.dueToday.totals).toEqual([]);
  expect(after.beyondLimits.totals).toMatchObject([{ count: 1 }]);
});

test("the job that pays says what waits for the next day, which is no failure", async () => {
  const { workplace } = await openSite({}, { PAYDROP_LIMITS_PER_DAY: '{ BTC: "0.002" }' });
  await ask(workplace, "PAY-1");
  await ask(workplace, "PAY-2");
  const job = jobs.find(({ name }) => name === "pay");
  const ended = await job?.run(workplace, new AbortController().signal);
  expect(ended).toMatchObject({ message: expect.stringContaining("PAY-2: 0.002 BTC more would exceed") });
  expect(ended).not.toHaveProperty("code");
});

test("a payment whose payout has failed is told before the night's comparison makes a break of it", async () => {
  const { workplace, sandbox } = await openSite();
  await ask(workplace, "PAY-2026-0017", { amount: "0.001" }); // by the sandbox's seed it is not sent
  sandbox.operator.passTime(3_600_000);
  await trackStep(workplace);
  const { overview, text } = await seen(workplace);
  expect(overview.failed.totals).toMatchObject([{ count: 1 }]);
  expect(text).toMatch(
    /^failed +1 payment, 0\.001 BTC +`paydrop reconcile` says which payees were not paid/m,
  );

  await reconcileStep(workplace);
  const { overview: compared } = await seen(workplace);
  expect(compared.failed.totals).toEqual([]);
  expect(compared.openBreaks.warning).toBeGreaterThan(0);
  const order = { reference: "PAY-2026-0017", newReference: "PAY-2", reason: "failed", person: "tess" };
  await payAgainStep(workplace, order);
  await reconcileStep(workplace);
  expect((await seen(workplace)).overview.failed.totals).toEqual([]);
});
