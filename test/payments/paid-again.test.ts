/** A payment that is paid again, and the states that the earlier payout shows after that decision. */
import { describe, expect, test } from "vitest";
import {
  approveStep,
  createPayoutStep,
  listDoubts,
  payAgainStep,
  payStep,
  reopenStep,
  resolveDoubtStep,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { reconcileStep, settleStep } from "../../src/nights/index.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { CREATE, errorBody, FIND, startOddService } from "../gateway/odd-service.ts";
import { ADDRESS, openSite, settled } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { sliceOf } from "../slice.ts";

/** Happens once, while the service is asked by reference. */
type Meanwhile = () => Promise<unknown>;

const decision = (reference: string) => ({ reference, person: "tess", reason: "asked the operator" });

/** A service that shows every payout in the given state, and answers creations as given. */
async function serviceThatSays(options: SandboxOptions = {}) {
  let passedMs = 0;
  const told: { state: string; sentFunds: string; refusing: boolean; meanwhile: Meanwhile | undefined } = {
    state: "CANCELLED",
    sentFunds: "",
    refusing: false,
    meanwhile: undefined,
  };
  const odd = await startOddService(
    ({ path, honest, answer }) => {
      if (path === CREATE && told.refusing) {
        honest();
        return void answer(400, errorBody("UNKNOWN_ORDER_CODE"));
      }
      if (path !== FIND) return false;
      const { statusCode, body } = honest();
      const tell = () =>
        answer(
          statusCode,
          body.replace(/"payoutState":"\w+"/g, `"payoutState":"${told.state}"${told.sentFunds}`),
        );
      const { meanwhile } = told;
      told.meanwhile = undefined;
      if (meanwhile === undefined) tell();
      else void meanwhile().then(tell);
      return undefined;
    },
    { stepMs: 3_600_000, clock: () => Date.now() + passedMs, ...options },
  );
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  const passTime = (ms: number) => {
    passedMs += ms;
  };
  return { workplace, told, passTime, creations: odd.creations };
}

function ask(workplace: Workplace, reference: string) {
  const cells = { reference, amount: "0.001", destinationAddress: ADDRESS };
  return createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
}

async function askAgain(workplace: Workplace, reference: string, newReference: string): Promise<string> {
  const request = { reference, newReference, reason: "it never came", person: "tess" };
  const { submitted, instruction } = await payAgainStep(workplace, request);
  expect(instruction).toMatchObject({ standing: "received" });
  return submitted.digest ?? "";
}

/** Approves the payment as a repeat, and runs `paydrop pay`. */
async function send(workplace: Workplace, digest: string) {
  await approveStep(workplace, digest, "bob", { acceptRepeats: 1 });
  return payStep(workplace);
}

/** Submits the payment of PAY-1 in a new row, and sends it. */
async function submitAnew(workplace: Workplace) {
  const cells = { reference: "PAY-2", amount: "0.001", destinationAddress: ADDRESS };
  const { submitted } = await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: [] });
  return send(workplace, submitted.digest ?? "");
}

describe("a payment that is paid again", () => {
  test("is held if the earlier payout, which had failed, goes on after all", async () => {
    const { workplace, told, creations } = await serviceThatSays();
    await ask(workplace, "PAY-1");
    const digest = await askAgain(workplace, "PAY-1", "PAY-1-B");
    told.state = "SENDING";
    expect(await send(workplace, digest)).toMatchObject({ accepted: 0, held: 1 });
    expect(creations()).toEqual(["PAY-1"]);
    const [doubt] = (await listDoubts(workplace)).payments;
    expect(doubt?.instruction).toMatchObject({
      standing: "held",
      reason: expect.stringMatching(/^PAY-1, which it pays again, has payout \S+, which is SENDING$/),
    });
    const { standing } = await resolveDoubtStep(workplace, decision("PAY-1-B"), { by: "abandon" });
    expect(standing).toBe("abandoned");
    const third = await askAgain(workplace, "PAY-1-B", "PAY-1-C");
    expect(await send(workplace, third)).toMatchObject({ accepted: 0, held: 1 });
    expect(creations()).toEqual(["PAY-1"]);
  });

  test.each(["txHash", "transactionId"])(
    "is not stored if a transaction was shown before the payout failed: %s",
    async (name) => {
      const { workplace, told, creations } = await serviceThatSays();
      told.state = "SENDING";
      told.sentFunds = `,"sentFunds":{"${name}":"4a5e"}`;
      await ask(workplace, "PAY-1");
      told.state = "SEND_FAILED";
      told.sentFunds = "";
      await trackStep(workplace);
      await expect(askAgain(workplace, "PAY-1", "PAY-1-B")).rejects.toThrow(
        "was SENDING in 4a5e when it was seen at",
      );
      expect(creations()).toEqual(["PAY-1"]);
    },
  );

  test("is held if the refused payment's payout is shown after the decision", async () => {
    const { workplace, told, passTime, creations } = await serviceThatSays({ visibilityLagMs: 60_000 });
    told.refusing = true;
    await ask(workplace, "PAY-1");
    told.refusing = false;
    told.state = "CREATED";
    const digest = await askAgain(workplace, "PAY-1", "PAY-1-B");
    passTime(60_000);
    const { openBreaks } = await reconcileStep(workplace);
    expect(openBreaks.map(({ kind }) => kind)).toContain("against-standing");
    expect(await send(workplace, digest)).toMatchObject({ accepted: 0, held: 1 });
    expect(creations()).toEqual(["PAY-1"]);
  });

  test("is not stored if somebody has re-opened the earlier one since the look", async () => {
    const { workplace, told } = await serviceThatSays({ visibilityLagMs: 3_600_000 });
    told.refusing = true;
    await ask(workplace, "PAY-1");
    told.meanwhile = () => reopenStep(workplace, decision("PAY-1"));
    await expect(askAgain(workplace, "PAY-1", "PAY-1-B")).rejects.toThrow("it is approved");
    expect(await workplace.store.read(() => findByReference("PAY-1-B"))).toBeUndefined();
  });

  test("raises an alarm if the earlier payout goes on after both have left", async () => {
    const { workplace, told, creations } = await serviceThatSays();
    await ask(workplace, "PAY-1");
    const digest = await askAgain(workplace, "PAY-1", "PAY-1-B");
    const openBreaks = async () => (await reconcileStep(workplace)).openBreaks;
    const failed = expect.objectContaining({ kind: "failed", reference: "PAY-1" });
    expect(await openBreaks()).toContainEqual(failed);
    expect(await send(workplace, digest)).toMatchObject({ accepted: 1 });
    expect(creations()).toEqual(["PAY-1", "PAY-1-B"]);
    const alarms = async () => (await openBreaks()).filter(({ severity }) => severity === "alarm");
    expect(await alarms()).toEqual([]);
    // After a payment was paid again, nobody needs to look after it.
    expect((await openBreaks()).filter(({ reference }) => reference === "PAY-1")).toEqual([]);
    told.state = "SENDING";
    expect(await alarms()).toMatchObject([
      {
        kind: "paid-twice",
        reference: "PAY-1",
        sentence: expect.stringContaining('is paid again as "PAY-1-B": it may have been paid twice'),
      },
    ]);
  });
});

describe.each(
  sliceOf(
    [
      ["failed", "SEND_FAILED", "settle this instead of paying it again"],
      ["unknown-state", "CREATE_TIMEOUT", "and this one is made after all, it is paid twice"],
    ],
    2,
  ),
)(
  "a payment whose payout was reported (%s), and which is submitted anew instead of paid again",
  (kind, state, so) => {
    test("is named with its possible replacement, and raises an alarm if its payout goes on", async () => {
      const { workplace, told, creations } = await serviceThatSays();
      told.state = state;
      await ask(workplace, "PAY-1");
      const breaksOfFirst = async () =>
        (await reconcileStep(workplace)).openBreaks.filter(({ reference }) => reference === "PAY-1");
      expect(await breaksOfFirst()).toMatchObject([{ kind, severity: "warning" }]);
      expect(await submitAnew(workplace)).toMatchObject({ accepted: 1 });
      expect(creations()).toEqual(["PAY-1", "PAY-2"]);
      const anew = 'to the same destination as "PAY-2". If that replaces this payment, ';
      expect(await breaksOfFirst()).toMatchObject([
        { kind, sentence: expect.stringContaining(`${anew}${so}`) },
      ]);
      told.state = "SENDING";
      const alarm = {
        kind: "paid-twice",
        severity: "alarm",
        sentence: expect.stringContaining(`${anew}it may have been paid twice`),
      };
      expect(await breaksOfFirst()).toMatchObject([alarm]);
      expect(await breaksOfFirst()).toMatchObject([alarm]);
    });

    test("is named before a comparison has reported it, since the result file already shows it", async () => {
      const { workplace, told } = await serviceThatSays();
      told.state = state;
      await ask(workplace, "PAY-1");
      await trackStep(workplace);
      await submitAnew(workplace);
      const anew = expect.stringContaining('as "PAY-2". If that replaces this payment');
      const breaksOfFirst = async () =>
        (await reconcileStep(workplace)).openBreaks.filter(({ reference }) => reference === "PAY-1");
      expect(await breaksOfFirst()).toMatchObject([{ kind, sentence: anew }]);
      told.state = "SENDING";
      expect(await breaksOfFirst()).toMatchObject([{ kind: "paid-twice", sentence: anew }]);
    });

    test("raises an alarm even if its payout goes on before a comparison has reported it", async () => {
      const { workplace, told } = await serviceThatSays();
      told.state = state;
      await ask(workplace, "PAY-1");
      await trackStep(workplace);
      await submitAnew(workplace);
      told.state = "SENDING";
      await trackStep(workplace);
      const sentence = expect.stringContaining('as "PAY-2". If that replaces this payment');
      const { openBreaks } = await reconcileStep(workplace);
      expect(openBreaks.filter(({ reference }) => reference === "PAY-1")).toMatchObject([
        { kind: "paid-twice", severity: "alarm", sentence },
      ]);
    });

    test("raises an alarm, although settled as paid another way, if its payout goes on", async () => {
      const { workplace, told } = await serviceThatSays();
      told.state = state;
      await ask(workplace, "PAY-1");
      const breaksOfFirst = async () =>
        (await reconcileStep(workplace)).openBreaks.filter(({ reference }) => reference === "PAY-1");
      expect(await breaksOfFirst()).toMatchObject([{ kind }]);
      await settleStep(workplace, { names: ["PAY-1"], person: "tess", reason: "paid by bank" });
      expect(await breaksOfFirst()).toEqual([]);
      told.state = "SENDING";
      const sentence = expect.stringMatching(
        /although tess settled .*"paid by bank".*\. If the payee was paid/,
      );
      expect(await breaksOfFirst()).toMatchObject([{ kind: "paid-twice", severity: "alarm", sentence }]);
      await settleStep(workplace, { names: ["PAY-1"], person: "tess", reason: "the bank took it back" });
      expect(await breaksOfFirst()).toEqual([]);
    });

    test("has no replacement if the same is paid only after its payout went on", async () => {
      const { workplace, told } = await serviceThatSays();
      told.state = state;
      await ask(workplace, "PAY-1");
      await reconcileStep(workplace);
      told.state = "SENDING";
      await reconcileStep(workplace);
      await submitAnew(workplace);
      const { openBreaks } = await reconcileStep(workplace);
      expect(openBreaks.filter(({ kind }) => kind !== "balance")).toEqual([]);
    });
  },
);

test("a payment submitted again raises an alarm if the first one's payout is shown later", async () => {
  const HOUR_MS = 3_600_000;
  const hidden = { kind: "hide", visibilityLagMs: HOUR_MS } as const;
  const { workplace, sandbox } = await openSite({
    faults: [{ operation: "createPayoutV2", nth: 1, effect: hidden }],
  });
  await ask(workplace, "PAY-1");
  const later = settled(workplace);
  const about = async (reference: string) =>
    (await reconcileStep(later)).openBreaks.filter((one) => one.reference === reference);
  expect(await about("PAY-1")).toMatchObject([
    {
      kind: "missing",
      sentence: expect.stringMatching(/Ask its operator\. If it was never made, a new row/),
    },
  ]);
  expect(await submitAnew(later)).toMatchObject({ accepted: 1 });
  expect(await about("PAY-1")).toMatchObject([
    { kind: "missing", sentence: expect.stringMatching(/as "PAY-2"\. .* it is paid twice\.$/) },
  ]);
  sandbox.operator.passTime(HOUR_MS);
  expect(await about("PAY-1")).toMatchObject([
    { kind: "paid-twice", sentence: expect.stringContaining('as "PAY-2"') },
  ]);
});
