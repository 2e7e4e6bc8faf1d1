/**
 * For every payout that a service may show for a payment, the person who decides has a choice that is not refused,
 * and only the right one.
 */
import { describe, expect, test } from "vitest";
import {
  createPayoutStep,
  type Environment,
  payStep,
  type Resolving,
  reopenStep,
  resolveDoubtStep,
  type Workplace,
} from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { CREATE, type Exchange, errorBody, FIND, startOddService } from "../gateway/odd-service.ts";
import { ADDRESS } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

const NOTHING = JSON.stringify({ results: { content: [], totalPages: 0, totalElements: 0, number: 0 } });

const refusal = (words: string) => ({
  problem: { code: "DECISION_REFUSED", message: expect.stringContaining(words) },
});

/** Carries the first creation out and loses its answer. `tell`, which a test may change, alters finds. */
async function afterLostAnswer(create = lost, changes: Environment = {}) {
  const told = { tell: (_body: string): string => NOTHING, answerInstead: "" };
  let payoutId = "";
  let creations = 0;
  const odd = await startOddService((exchange) => {
    const { path, honest, answer } = exchange;
    if (path === CREATE && creations++ === 0) {
      payoutId = JSON.parse(honest().body).payoutId;
      return create(exchange);
    }
    if (path === CREATE && told.answerInstead !== "") return void answer(202, told.answerInstead);
    if (path !== FIND) return false;
    const { statusCode, body } = honest();
    return void answer(statusCode, told.tell(body));
  });
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url, ...changes });
  await ask(workplace, "PAY-1", "0.001");
  const decide = (resolving: Resolving) =>
    resolveDoubtStep(
      workplace,
      { reference: "PAY-1", person: "tess", reason: "asked the operator" },
      resolving,
    );
  const standing = async () => (await workplace.store.read(() => findByReference("PAY-1")))?.standing;
  return { workplace, told, payoutId, decide, standing, creations: odd.creations };
}

function lost({ response }: Exchange): undefined {
  response.destroy();
}

function ask(workplace: Workplace, reference: string, amount: string) {
  const cells = { reference, amount, destinationAddress: ADDRESS };
  return createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
}

/** Shown only in a sweep, which asks for no reference. */
const sweptAs =
  (change: (body: string) => string) =>
  (body: string): string =>
    body.includes('"references":["') ? NOTHING : change(body);

const honestly = (body: string) => body;

describe("a doubt whose payout a sweep has shown", () => {
  test("under a changed reference is accepted by its callbackUrl, and cannot be abandoned", async () => {
    const { workplace, told, payoutId, decide } = await afterLostAnswer();
    told.tell = sweptAs((body) => body.replaceAll('"reference":"PAY-1"', '"reference":"pay-1"'));
    await reconcileStep(workplace);
    await payStep(workplace);
    await expect(decide({ by: "resend" })).rejects.toMatchObject(refusal(payoutId));
    await expect(decide({ by: "abandon" })).rejects.toMatchObject(refusal(payoutId));
    expect(await decide({ by: "accept", payoutId })).toMatchObject({ standing: "accepted", payoutId });
  });

  test("with another amount cannot be accepted, and may be abandoned", async () => {
    const { workplace, told, payoutId, decide } = await afterLostAnswer();
    told.tell = sweptAs((body) => body.replaceAll('"amount":0.001}', '"amount":0.01}'));
    await reconcileStep(workplace);
    await payStep(workplace);
    await expect(decide({ by: "resend" })).rejects.toMatchObject(refusal(payoutId));
    await expect(decide({ by: "accept", payoutId })).rejects.toMatchObject(refusal("amount 0.01 BTC"));
    expect(await decide({ by: "abandon", despiteIncompleteLook: true })).toMatchObject({
      standing: "abandoned",
      reason: expect.stringContaining(payoutId),
    });
  });
});

test.each([
  ["reference", "accepted"],
  ["callbackUrl", "held"],
])(
  "a doubt whose payout shows under its reference and no callbackUrl: `service.correlation: %s` makes it %s",
  async (correlation, is) => {
    const { workplace, told, standing } = await afterLostAnswer(lost, {
      PAYDROP_SERVICE_CORRELATION: correlation,
    });
    told.tell = (body) => body.replaceAll(/"callbackUrl":"[^"]*",/g, "");
    await payStep(workplace);
    expect(await standing()).toBe(is);
  },
);

describe("a doubt whose payout has failed", () => {
  test("is not abandoned: it can be accepted", async () => {
    const { told, payoutId, decide } = await afterLostAnswer();
    told.tell = (body) => body.replace(/"payoutState":"\w+"/, '"payoutState":"SEND_FAILED"');
    await expect(decide({ by: "abandon" })).rejects.toMatchObject(
      refusal(`${payoutId} for it, which is SEND_FAILED`),
    );
    expect(await decide({ by: "accept", payoutId })).toMatchObject({ standing: "accepted", payoutId });
  });
});

test("a doubt that ended by accepting its payout delays no later payment", async () => {
  const { workplace, told, payoutId, decide, creations } = await afterLostAnswer(lost, {
    PAYDROP_NONCE_RULE: "increasing",
  });
  await ask(workplace, "PAY-2", "0.002");
  expect(creations()).toEqual(["PAY-1"]);
  told.tell = honestly;
  await decide({ by: "accept", payoutId });
  await payStep(workplace);
  expect(creations()).toEqual(["PAY-1", "PAY-2"]);
});

test("a doubt whose payout cannot be read says so with its id, and is not accepted", async () => {
  const { workplace, told, payoutId, decide } = await afterLostAnswer();
  told.tell = (body) => body.replaceAll('"amount":0.001}', '"amount":"0.001"}');
  const [resolution] = (await payStep(workplace)).resolutions;
  expect(resolution?.reason).toContain(`shown and could not be read (payout ${payoutId})`);
  await expect(decide({ by: "abandon" })).rejects.toMatchObject(refusal(payoutId));
  const unread = refusal(`the service shows payout ${payoutId}, but not so that it can be read: `);
  await expect(decide({ by: "accept", payoutId })).rejects.toMatchObject(unread);
  told.tell = honestly;
  expect(await decide({ by: "accept", payoutId })).toMatchObject({ standing: "accepted", payoutId });
});

describe("a held payment", () => {
  test.each([
    [
      "failed",
      /"createdDate":"20\d\d(.*?)"payoutState":"\w+"/,
      '"createdDate":"1999$1"payoutState":"SEND_FAILED"',
    ],
    [
      "bears the callbackUrl of something else",
      /"callbackUrl":"[^"]*"/,
      '"callbackUrl":"https://elsewhere.example/"',
    ],
  ])("whose payout %s may be given up", async (_, shown, instead) => {
    const { workplace, told, decide, standing } = await afterLostAnswer();
    told.tell = (body) => body.replace(shown, instead);
    await payStep(workplace);
    expect(await standing()).toBe("held");
    expect(await decide({ by: "abandon" })).toMatchObject({ standing: "abandoned" });
  });

  test("whose payout another payment has, without callbackUrl, is abandoned; the other keeps it", async () => {
    const { workplace, told, payoutId, decide, standing } = await afterLostAnswer();
    told.answerInstead = JSON.stringify({ payoutId });
    await ask(workplace, "PAY-2", "0.002");
    told.tell = (body) => body.replaceAll(/"callbackUrl":"[^"]*",/g, "");
    await payStep(workplace);
    expect(await standing()).toBe("held");
    await expect(decide({ by: "accept", payoutId })).rejects.toMatchObject(refusal("belongs to PAY-2"));
    expect(await decide({ by: "abandon" })).toMatchObject({ standing: "abandoned" });
  });

  test("whose payout was answered for another, never made payment is accepted; the other is in doubt", async () => {
    const { workplace, told, payoutId, decide, standing } = await afterLostAnswer();
    told.answerInstead = JSON.stringify({ payoutId });
    await ask(workplace, "PAY-2", "0.002");
    told.tell = honestly;
    await payStep(workplace);
    expect(await standing()).toBe("held");
    await expect(decide({ by: "abandon" })).rejects.toMatchObject(refusal(payoutId));
    expect(await decide({ by: "accept", payoutId })).toMatchObject({ standing: "accepted", payoutId });
    const other = await workplace.store.read(() => findByReference("PAY-2"));
    expect(other).toMatchObject({ standing: "in doubt", reason: expect.stringContaining("that of PAY-1") });
    expect(other).not.toHaveProperty("payoutId");
    const story = await workplace.store.read(() => listAudit(["PAY-2"]));
    expect(story.at(-1)).toMatchObject({ action: "payout in doubt", person: "paydrop" });
  });

  test("whose payout is no longer shown is accepted by what was shown", async () => {
    const { workplace, told, payoutId, decide, standing } = await afterLostAnswer();
    told.tell = (body) => body.replace(/"createdDate":"20\d\d/, '"createdDate":"1999');
    await payStep(workplace);
    expect(await standing()).toBe("held");
    told.tell = () => NOTHING;
    await expect(decide({ by: "abandon", despiteIncompleteLook: true })).rejects.toMatchObject(
      refusal(payoutId),
    );
    expect(await decide({ by: "accept", payoutId })).toMatchObject({ standing: "accepted", payoutId });
  });
});

describe("a payout that is shown after its payment ended", () => {
  test("is accepted if the payment was abandoned, as the alarm says", async () => {
    const { workplace, told, payoutId, decide } = await afterLostAnswer();
    await decide({ by: "abandon" });
    told.tell = honestly;
    const sentences = (await reconcileStep(workplace)).openBreaks.map(({ sentence }) => sentence).join("\n");
    expect(sentences).toContain(`\`paydrop doubt resolve "PAY-1" --accept ${payoutId} --reason WHY\``);
    expect(await decide({ by: "accept", payoutId })).toMatchObject({ standing: "accepted", payoutId });
    const kinds = (await reconcileStep(workplace)).openBreaks.map(({ kind }) => kind);
    expect(kinds).not.toContain("against-standing");
  });

  test("is accepted, once, if the payment was refused", async () => {
    const { workplace, told, payoutId, decide, creations } = await afterLostAnswer(
      ({ answer }) => void answer(400, errorBody("UNKNOWN_ORDER_CODE")),
    );
    told.tell = honestly;
    expect(await decide({ by: "accept", payoutId })).toMatchObject({ standing: "accepted", payoutId });
    const again = reopenStep(workplace, { reference: "PAY-1", person: "tess", reason: "why not" });
    await expect(again).rejects.toMatchObject(refusal("it is accepted"));
    await payStep(workplace);
    expect(creations()).toEqual(["PAY-1"]);
  });

  test("counts for ever: it prevents re-opening the payment even without reference and callbackUrl", async () => {
    const { workplace, told, payoutId, standing, creations } = await afterLostAnswer(
      ({ answer }) => void answer(400, errorBody("UNKNOWN_ORDER_CODE")),
    );
    told.tell = honestly;
    await reconcileStep(workplace);
    told.tell = sweptAs((body) => body.replace(/"(?:reference|callbackUrl)":"[^"]*",/g, ""));
    await reconcileStep(workplace);
    const decision = { reference: "PAY-1", person: "tess", reason: "put right" };
    expect(await reopenStep(workplace, decision)).toMatchObject([
      { standing: "held", reason: expect.stringContaining(payoutId) },
    ]);
    await payStep(workplace);
    expect([await standing(), creations()]).toEqual(["held", ["PAY-1"]]);
  });
});
