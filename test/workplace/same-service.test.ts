/**
 * A changed address must not send payments to another environment: the service there must show the last paid
 * payout, or a person starts again with it.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { approveStep, createPayoutStep, payStep, type Workplace } from "../../src/index.ts";
import { batchId } from "../../src/model/index.ts";
import { baselineStep } from "../../src/nights/index.ts";
import { demoSeed, startSandbox } from "../../src/sandbox/index.ts";
import { getBatch } from "../../src/store/batches.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { startOddService } from "../gateway/odd-service.ts";
import { ADDRESS, openSite } from "../site/service.ts";

const ANOTHER = { problem: { code: "ANOTHER_SERVICE", next: "needs-person", key: "service.baseUrl" } };

function ask(workplace: Workplace, reference: string) {
  const cells = { reference, amount: `0.001${reference.at(-1)}`, destinationAddress: ADDRESS };
  return createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
}

async function anotherEnvironment() {
  const other = await startSandbox({ seed: demoSeed, stepMs: 5 });
  onTestFinished(() => other.close());
  return other;
}

/** PAY-1 was paid; PAY-2 is refused at the address of another environment. */
async function refusedElsewhere() {
  const site = await openSite();
  const other = await anotherEnvironment();
  await ask(site.workplace, "PAY-1");
  await site.workplace.close();
  const elsewhere = site.openAgain({ PAYDROP_SERVICE_BASE_URL: other.url });
  await expect(ask(elsewhere, "PAY-2")).rejects.toMatchObject(ANOTHER);
  return { site, other, elsewhere };
}

describe("a payment at another address than the last one", () => {
  test("is not sent where the service does not show the last one, and goes out once the address is back", async () => {
    const { site, other, elsewhere } = await refusedElsewhere();
    await expect(payStep(elsewhere)).rejects.toMatchObject(ANOTHER);
    expect(other.creations()).toEqual([]);
    await elsewhere.close();
    const back = site.openAgain();
    await expect(payStep(back)).rejects.toMatchObject({ problem: { code: "APPROVAL_UNFIT" } });
    const { digest } = await back.store.read(() => getBatch(batchId("B-000002")));
    await approveStep(back, digest, "bob");
    expect(await payStep(back)).toMatchObject({ accepted: 1 });
    expect(site.sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-1", "PAY-2"]);
  });

  test("is sent there once a person has taken a baseline of it", async () => {
    const { other, elsewhere } = await refusedElsewhere();
    await baselineStep(elsewhere, "tess");
    expect(await payStep(elsewhere)).toMatchObject({ accepted: 1 });
    expect(other.creations().map(({ reference }) => reference)).toEqual(["PAY-2"]);
  });

  test("is sent where the same service has another name", async () => {
    const odd = await startOddService(() => false);
    const site = await openSite();
    await site.workplace.close();
    const first = site.openAgain({ PAYDROP_SERVICE_BASE_URL: odd.url });
    await ask(first, "PAY-1");
    await first.close();
    const renamed = site.openAgain({ PAYDROP_SERVICE_BASE_URL: odd.url.replace("127.0.0.1", "localhost") });
    await ask(renamed, "PAY-2");
    expect(await renamed.store.read(() => findByReference("PAY-2"))).toMatchObject({ standing: "accepted" });
  });
});
