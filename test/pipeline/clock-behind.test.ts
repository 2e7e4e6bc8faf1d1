/** What a machine says whose clock fell behind by a year, as one without a battery clock does until the network tells it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveStep, payStep, submitFile } from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { baselineStep } from "../../src/pipeline/baseline-step.ts";
import { ledgerStep } from "../../src/pipeline/ledger-step.ts";
import { reconcileStep } from "../../src/pipeline/reconcile-step.ts";
import { ADDRESS, openSite } from "./service.ts";

const YEAR_MS = 365 * 86_400_000;

test("what was booked is not told as gone from the service, with the advice to reverse it", async () => {
  const { folder, workplace } = await openSite({ stepMs: 1 });
  await baselineStep(workplace, "ann");
  const file = join(folder, "one.csv");
  writeFileSync(file, `reference,amount,address\nPAY-1,0.01,${ADDRESS}\n`);
  const { digest = "" } = await submitFile(workplace, file, "alice");
  await approveStep(workplace, digest, "bob");
  await payStep(workplace);
  await expect
    .poll(async () => {
      await reconcileStep(workplace);
      return (await ledgerStep(workplace)).posted;
    })
    .toBe(1);

  const { context } = workplace;
  const clock = { ...context.clock, now: () => shifted(context.clock.now(), -YEAR_MS) };
  const { posted, problems } = await ledgerStep({ ...workplace, context: { ...context, clock } });
  expect(posted).toBe(0);
  const codes = problems.map(({ code }) => code);
  expect(codes).not.toContain("LEDGER_POSTED_FACT_GONE");
  expect(codes).not.toContain("LEDGER_FACT_UNCLEAR");
});
