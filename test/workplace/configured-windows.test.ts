/** The windows in the configuration, in minutes and days, decide whether a doubted payment is re-sent. */
import { expect, test } from "vitest";
import { createPayoutStep, payStep } from "../../src/index.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test.each([
  [14 * MINUTE_MS, ["PAY-1"]],
  [16 * MINUTE_MS, ["PAY-1", "PAY-2"]],
  [47 * HOUR_MS, ["PAY-1", "PAY-2"]],
  [49 * HOUR_MS, ["PAY-1"]],
])(
  "with 15 minutes to show and nonces remembered for 2 days, after %i ms there are %j",
  async (ageMs, made) => {
    const faults = [{ operation: "createPayoutV2", nth: 2, effect: { kind: "cut-before-read" } as const }];
    const { workplace, sandbox } = await openSite(
      { faults },
      { PAYDROP_NONCE_RULE: "unique", PAYDROP_NONCE_MEMORY_DAYS: "2", PAYDROP_DOUBT_SETTLE_MINUTES: "15" },
    );
    for (const reference of ["PAY-1", "PAY-2"]) {
      const cells = { reference, amount: `0.001${reference.at(-1)}`, destinationAddress: ADDRESS };
      await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    }
    await tamper(workplace.store, `update submission set ended_monotonic_ms = ended_monotonic_ms - ${ageMs}`);
    await payStep(workplace);
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(made);
  },
);
