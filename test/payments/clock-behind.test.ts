/**
 * The reports of a machine whose clock fell behind by a year, as without a battery clock until the network sets it.
 */
import { expect, test } from "vitest";
import { ledgerStep } from "../../src/books/index.ts";
import { createPayoutStep } from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { ADDRESS, byClock, openSite } from "../site/service.ts";

const YEAR_MS = 365 * 86_400_000;

test("what was booked is not told as gone from the service, with the advice to reverse it", async () => {
  const { workplace } = await openSite({ stepMs: 1 });
  await baselineStep(workplace, "ann");
  const cells = { reference: "PAY-1", amount: "0.01", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  await expect
    .poll(async () => {
      await reconcileStep(workplace);
      return (await ledgerStep(workplace)).posted;
    })
    .toBe(1);

  const { clock } = workplace.context;
  const behind = byClock(workplace, () => shifted(clock.now(), -YEAR_MS));
  const { posted, problems } = await ledgerStep(behind);
  expect(posted).toBe(0);
  const codes = problems.map(({ code }) => code);
  expect(codes).not.toContain("LEDGER_POSTED_FACT_GONE");
  expect(codes).not.toContain("LEDGER_FACT_UNCLEAR");
});

test("a payout that is stuck is told, although its state was seen first by a clock that was ahead", async () => {
  const { workplace, sandbox } = await openSite({ stepMs: YEAR_MS, visibilityLagMs: 60_000 });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  sandbox.operator.passTime(60_000);
  const { clock } = workplace.context;
  const kindsAfter = async (ms: number) => {
    const { openBreaks } = await reconcileStep(byClock(workplace, () => shifted(clock.now(), ms)));
    return openBreaks.map(({ kind }) => kind);
  };
  for (const ms of [YEAR_MS, 0]) expect(await kindsAfter(ms)).not.toContain("stuck");
  expect(await kindsAfter(3 * 3_600_000)).toContain("stuck");
});
