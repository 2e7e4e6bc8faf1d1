/** A payment is booked by its approved file, even if the service shows other ledger fields. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerStep } from "../../src/books/index.ts";
import { approveStep, payStep, submitFile } from "../../src/index.ts";
import { baselineStep, reconcileStep } from "../../src/nights/index.ts";
import { bookedBy } from "../site/booked-by.ts";
import { ADDRESS, openSite } from "../site/service.ts";

function showing(shown: Readonly<Record<string, string | undefined>>) {
  return Object.entries(shown).map(([field, value]) => ({
    operation: "findPayoutFilteredV2" as const,
    effect: { kind: "wrong-echo" as const, field, value: value as string },
  }));
}

test.each([
  ["shows another account and project", { generalLedgerName: "Hosting", generalLedgerProject: "BETA" }],
  ["shows neither", { generalLedgerName: undefined, generalLedgerProject: undefined }],
])("a payout of ours of which the service %s is booked as its file says, and told", async (_what, shown) => {
  const { folder, sandbox, workplace } = await openSite({ stepMs: 1 });
  await baselineStep(workplace, "ann");
  const file = join(folder, "one.csv");
  const row = `PAY-1,0.01,${ADDRESS},Contractors,PRJ-ALPHA`;
  writeFileSync(file, `reference,amount,address,generalLedgerName,generalLedgerProject\n${row}\n`);
  const { digest = "" } = await submitFile(workplace, file, "alice");
  await approveStep(workplace, digest, "bob");
  await payStep(workplace);
  sandbox.setFaults(showing(shown));
  await expect
    .poll(async () => {
      const { openBreaks } = await reconcileStep(workplace);
      const { entries } = await bookedBy(workplace);
      return { kinds: openBreaks.map(({ kind }) => kind), entries };
    })
    .toMatchObject({ entries: [{ reference: "PAY-1" }] });
  const { trialBalance, posted } = await ledgerStep(workplace);
  expect(posted).toBe(0);
  expect(trialBalance.rows.map(({ name }) => name)).toContain("expenses:contractors:alpha");
  expect(trialBalance.rows.map(({ name }) => name).join()).not.toMatch(/suspense|hosting/);
  const { openBreaks } = await reconcileStep(workplace);
  expect(openBreaks.map(({ kind }) => kind)).toContain("ledger-field");
});

test("a payout of which the service does not show who bears the fee is booked as its file says, and raises no alarm", async () => {
  const { folder, sandbox, workplace } = await openSite({ stepMs: 1 });
  await baselineStep(workplace, "ann");
  const file = join(folder, "one.csv");
  writeFileSync(file, `reference,amount,address,subtractFee\nPAY-1,0.01,${ADDRESS},true\n`);
  const { digest = "" } = await submitFile(workplace, file, "alice");
  await approveStep(workplace, digest, "bob");
  await payStep(workplace);
  sandbox.setFaults(showing({ subtractFee: undefined }));
  await expect
    .poll(async () => {
      const { openBreaks } = await reconcileStep(workplace);
      expect(openBreaks.filter(({ severity }) => severity === "alarm")).toEqual([]);
      return (await bookedBy(workplace)).entries.map(({ narration }) => narration);
    })
    .toEqual([expect.stringContaining("bore the fee")]);
});
