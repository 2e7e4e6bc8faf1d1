import { join } from "node:path";
import pc from "picocolors";
import { expect, test } from "vitest";
import { reconciliationText } from "../../src/cli/render/reconciliation-text.ts";
import { approveStep } from "../../src/pipeline/approve-step.ts";
import { payStep } from "../../src/pipeline/pay-step.ts";
import { reconcileStep } from "../../src/pipeline/reconcile-step.ts";
import { submitFile } from "../../src/pipeline/submit-step.ts";
import { openSite } from "../pipeline/service.ts";
import { SAMPLES } from "./program.ts";

test("what a service does to every payout does not hide the other breaks: a kind is told ten times, then counted", async () => {
  const { workplace } = await openSite({ reference: { lowerCased: true } });
  const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.xlsx"), "alice");
  expect(await approveStep(workplace, digest, "bob")).toMatchObject({ isReleased: true });
  expect(await payStep(workplace)).toMatchObject({ accepted: 18 });
  const report = await reconcileStep(workplace);
  expect(report.openBreaks.filter(({ kind }) => kind === "reference")).toHaveLength(18);
  const text = reconciliationText(report, pc.createColors(false), (id) => id);
  expect(text.match(/ reference: /g)).toHaveLength(10);
  expect(text).toContain("... and 8 more reference; `--json` lists them all");
});
