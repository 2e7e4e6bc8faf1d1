/** A pilot finds out what a service's interface leaves open, while it pays one small payout. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type PilotReport, type PilotRequest, pilotStep } from "../../src/index.ts";
import type { ServerOptions } from "../../src/sandbox/index.ts";
import { ADDRESS, openSite } from "../site/service.ts";

const REQUEST: PilotRequest = {
  cells: { reference: "PILOT-A", amount: "0.0001", destinationAddress: ADDRESS },
  submittedBy: "alice",
  approvedBy: ["bob"],
  waitMs: 15_000,
  triesNonces: true,
};

async function pilot(options: ServerOptions = {}, changes: Partial<PilotRequest> = {}) {
  const site = await openSite(options);
  const report = await pilotStep(site.workplace, { ...REQUEST, ...changes });
  return { ...site, report };
}

function changedFields({ echoes }: PilotReport): string[] {
  return echoes.filter(({ isSame }) => !isSame).map(({ field, shown }) => `${field}: ${shown}`);
}

describe("a pilot", () => {
  test("pays one payout to its end and writes down what it saw", async () => {
    const { sandbox, report } = await pilot();
    expect(sandbox.creations()).toHaveLength(1);
    expect(report).toMatchObject({
      signature: { scheme: "hmac-sha256", isAccepted: true },
      nonce: sandbox.creations()[0]?.nonce.toString(),
      payoutState: "COMPLETED",
      instruction: { standing: "accepted" },
    });
    expect(report.echoes.map(({ field }) => field)).toEqual(
      expect.arrayContaining([
        "reference",
        "callbackUrl",
        "requestedAmount",
        "accountId",
        "destinationAddress",
      ]),
    );
    expect(changedFields(report)).toEqual([]);
    const record = JSON.parse(readFileSync(report.path ?? "", "utf8"));
    expect(record).toMatchObject({ nonce: report.nonce, payoutState: "COMPLETED" });
  });

  test.each([
    ["unique", "a nonce must be new, and may be lower than earlier ones"],
    ["increasing", "nonces must rise"],
  ] as const)(
    "sees that the service's rule is %s, and voids the deposits it made to see it",
    async (rule, verdict) => {
      const { report } = await pilot({ nonce: { rule } });
      expect(report.nonceTrial).toMatchObject({ verdict, rule, left: [], repeated: { outcome: "refused" } });
    },
  );

  test("leaves the nonce rule alone where it is asked to", async () => {
    const { report, arrived } = await pilot({}, { triesNonces: false });
    expect(report.nonceTrial).toBeUndefined();
    expect(arrived("createDeposit")).toBe(0);
  });

  test("measures how long the payout could not be found", async () => {
    const { report } = await pilot({ visibilityLagMs: 400 });
    expect(report.visibleByIdAfterMs).toBeGreaterThan(100);
    expect(report.visibleByReferenceAfterMs).toBeGreaterThan(100);
  });

  test("says that the payout was not found, where it never is", async () => {
    const { report } = await pilot({ visibilityLagMs: 3_600_000 }, { waitMs: 300, triesNonces: false });
    expect(report).not.toHaveProperty("visibleByIdAfterMs");
    expect(report).not.toHaveProperty("visibleByReferenceAfterMs");
    expect(report.echoes).toEqual([]);
  });

  test("says how the service keeps references", async () => {
    const { report } = await pilot({ reference: { lengthMax: 5 } }, { waitMs: 300, triesNonces: false });
    expect(changedFields(report)).toEqual(["reference: PILOT"]);
  });

  test("with a key that the service does not know sends nothing at all", async () => {
    const site = await openSite({}, { PAYDROP_KEY: "another-key" });
    await expect(pilotStep(site.workplace, REQUEST)).rejects.toMatchObject({
      problem: { code: "SERVICE_REFUSED_KEY" },
    });
    expect(site.sandbox.creations()).toEqual([]);
  });

  test("without an approval waits for it, and goes on when it is asked again with one", async () => {
    const { workplace, sandbox } = await openSite();
    const first = await pilotStep(workplace, { ...REQUEST, approvedBy: [], triesNonces: false });
    expect(first).toMatchObject({ instruction: { standing: "received" }, echoes: [] });
    expect(sandbox.creations()).toEqual([]);
    const second = await pilotStep(workplace, { ...REQUEST, triesNonces: false });
    expect(second).toMatchObject({ instruction: { standing: "accepted" }, payoutState: "COMPLETED" });
    const third = await pilotStep(workplace, { ...REQUEST, triesNonces: false });
    expect(third).not.toHaveProperty("instruction");
    expect(sandbox.creations()).toHaveLength(1);
  });

  test("approved by the one who asked for it is not sent", async () => {
    const { workplace, sandbox } = await openSite();
    await expect(pilotStep(workplace, { ...REQUEST, approvedBy: ["alice"] })).rejects.toMatchObject({
      problem: { code: "APPROVER_IS_SUBMITTER" },
    });
    expect(sandbox.creations()).toEqual([]);
  });
});
