/**
 * An upgrade from the first version. first-version.sql contains its database: payments in every standing, issued
 * entries, and a payment that was being sent when its process was killed. Whoever has paid with it can continue.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { openWorkplace, stderrLog, type Workplace } from "../../src/index.ts";
import { batchId } from "../../src/model/index.ts";
import { approveStep } from "../../src/pipeline/approve-step.ts";
import { exportStep } from "../../src/pipeline/ledger-export-step.ts";
import { ledgerStep } from "../../src/pipeline/ledger-step.ts";
import { payStep } from "../../src/pipeline/pay-step.ts";
import { statusOfBatches } from "../../src/pipeline/status/batch-status.ts";
import { statusOf } from "../../src/pipeline/status/payment-status.ts";
import { verifyAudit } from "../../src/store/audit.ts";
import { getBatch } from "../../src/store/batches.ts";
import { firstLayout } from "../../src/store/first-layout.ts";
import { testWithFile } from "../postgres.ts";
import { bookedBy } from "./booked-by.ts";
import { openSite } from "./service.ts";

const CONTENTS = readFileSync(new URL("first-version.sql", import.meta.url), "utf8");
/** The payout of PAID-4, which was seen to have ended after the first version had issued its only export batch. */
const SETTLED_SINCE = "payout:01a20382-9fe1-7626-ae94-1e548b487f0d:settle:1";

const LACKING = expect.objectContaining({ code: "APPROVAL_LACKING" });

async function upgraded(settings: NodeJS.ProcessEnv = {}) {
  const { sandbox, folder, environment, workplace, arrived } = await openSite();
  await workplace.close();
  const path = join(folder, "first-version.sqlite");
  const first = new Database(path);
  first.exec(firstLayout);
  first.exec(CONTENTS.replaceAll("http://127.0.0.1:4010", sandbox.url));
  first.pragma("user_version = 1");
  first.close();
  // Its approvals end by the clock.
  const changes = { PAYDROP_DATABASE: `sqlite:${path}`, PAYDROP_APPROVAL_VALID_DAYS: "36500" };
  const opened = openWorkplace(
    join(folder, "paydrop.yaml"),
    { ...environment, ...changes, ...settings },
    stderrLog("silent"),
  );
  return { sandbox, workplace: opened, arrived };
}

async function standings(workplace: Workplace): Promise<Record<string, string[]>> {
  const rows = await Promise.all(
    (await statusOfBatches(workplace)).map(({ batch }) => statusOf(workplace, batch.id)),
  );
  const grouped = Map.groupBy(rows.flat(), ({ standing }) => standing);
  return Object.fromEntries(
    [...grouped].map(([standing, of]) => [standing, of.map(({ fields }) => fields.reference)]),
  );
}

testWithFile("what it had approved is paid once, and what it may have sent is not sent again", async () => {
  const { sandbox, workplace, arrived } = await upgraded();
  const known = {
    accepted: ["PAID-1", "PAID-2", "PAID-3", "PAID-4"],
    held: ["HELD-1"],
    refused: ["REFUSED-1"],
    received: ["WAITING-1"],
  };
  expect(await standings(workplace)).toEqual({
    ...known,
    "in doubt": ["DOUBT-1"],
    sending: ["KILLED-1"],
    approved: ["NEXT-1", "NEXT-2"],
  });
  // Its approvals do not say where and how to send.
  expect(await payStep(workplace)).toMatchObject({ postponed: 2, problems: [LACKING, LACKING] });
  const { digest } = await workplace.store.read(() => getBatch(batchId("B-000004")));
  expect(await approveStep(workplace, digest, "ben")).toMatchObject({ isReleased: true, renewed: 3 });
  expect(await payStep(workplace)).toMatchObject({ accepted: 2 });
  expect(await payStep(workplace)).toMatchObject({ accepted: 0 });
  expect(await standings(workplace)).toEqual({
    ...known,
    accepted: [...known.accepted, "NEXT-1", "NEXT-2"],
    "in doubt": ["DOUBT-1", "KILLED-1"],
  });
  expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["NEXT-1", "NEXT-2"]);
  expect(arrived("createPayoutV2")).toBe(2);
  await workplace.close();
});

testWithFile("its record verifies, and what it has issued is neither posted nor issued again", async () => {
  const { workplace } = await upgraded();
  const last = /'([0-9a-f]{64})'\);\n$/.exec(CONTENTS)?.[1];
  expect(await verifyAudit(workplace.store)).toBe(last);
  const { entries } = await bookedBy(workplace);
  expect(entries.map(({ entryId }) => entryId)).toEqual([SETTLED_SINCE]);
  expect(await exportStep(workplace)).toMatchObject({ number: 2, entries: 1 });
  expect((await ledgerStep(workplace)).posted).toBe(0);
  await workplace.close();
});

testWithFile(
  "what it has issued stands, whatever rule was chosen since for what is booked later",
  async () => {
    const { workplace } = await upgraded({ PAYDROP_LEDGER_DEPOSIT_VALUATION: "market" });
    const { entries } = await bookedBy(workplace);
    expect(entries.map(({ entryId }) => entryId)).toEqual([SETTLED_SINCE]);
    await workplace.close();
  },
);
