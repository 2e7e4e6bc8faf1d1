/**
 * Deposits, voids and authorizations with unknown outcomes are listed with their evidence; a person decides; they
 * are never sent again.
 */
import { describe, expect, test } from "vitest";
import {
  authorizeStep,
  createDepositStep,
  createPayoutStep,
  listDoubts,
  payStep,
  type ResolvingChange,
  resolveChangeStep,
  voidDepositStep,
  voidPayoutStep,
  type Workplace,
} from "../../src/index.ts";
import type { FaultEffect } from "../../src/sandbox/index.ts";
import { listAudit, verifyAudit } from "../../src/store/audit.ts";
import { onePayout } from "../../src/views/search-step.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { ADDRESS, DEPOSIT, openSite, TREASURY } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";
import { OTP_SECRET } from "./lane.ts";

const LOST: FaultEffect = { kind: "cut-before-read" };
const UNANSWERED: FaultEffect = { kind: "cut-after-commit" };
const fault = (operation: string, nth: number, effect: FaultEffect) => ({ operation, nth, effect });

function shows(body: string, statusCode = 200): FaultEffect {
  return { kind: "answer", statusCode, body, committed: false };
}
const NOTHING = shows(`{"results":{"content":[],"totalPages":0,"totalElements":0}}`);

async function resolve(workplace: Workplace, resolving: ResolvingChange): Promise<unknown> {
  const [first] = (await listDoubts(workplace)).changes;
  const number = first?.change.id ?? 0;
  return resolveChangeStep(workplace, { number, person: "tess", reason: "asked the operator" }, resolving);
}

const DESPITE = { by: "abandon", despiteIncompleteLook: true } as const;

const contradicted = (words: string) => ({
  problem: { code: "DECISION_REFUSED", message: expect.stringContaining(words) },
});

describe("a deposit whose request was lost", () => {
  test("is listed with age, evidence and choices; abandoned with a reason, it may be requested again", async () => {
    const { workplace, arrived } = await openSite({ faults: [fault("createDeposit", 1, LOST)] });
    await createDepositStep(workplace, DEPOSIT);
    expect((await listDoubts(workplace)).changes).toMatchObject([
      {
        change: { operation: "createDeposit", subject: "DEP-1", person: "alice" },
        ageMs: expect.any(Number),
        choices: [{ option: "--accept DEPOSIT_ID" }, { option: "--abandon" }],
      },
    ]);
    const id = "0d5d6e8a-0000-4000-8000-000000000001";
    await expect(resolve(workplace, { by: "accept", id })).rejects.toMatchObject(contradicted("no deposit"));
    expect(await resolve(workplace, { by: "abandon" })).toMatchObject({ outcome: "abandoned" });
    expect((await listDoubts(workplace)).changes).toEqual([]);
    expect(await workplace.store.read(() => listAudit(["DEP-1"]))).toContainEqual(
      expect.objectContaining({
        person: "tess",
        action: "abandon createDeposit",
        detail: expect.objectContaining({ reason: "asked the operator" }),
      }),
    );
    expect(await createDepositStep(workplace, DEPOSIT)).toMatchObject({ isInDoubt: false });
    expect(arrived("createDeposit")).toBe(2);
    await verifyAudit(workplace.store);
  });

  test("is not abandoned if the look before shows it", async () => {
    const { workplace } = await openSite({
      faults: [fault("createDeposit", 1, UNANSWERED), fault("findDepositFilteredV2", 1, NOTHING)],
    });
    await createDepositStep(workplace, DEPOSIT);
    await expect(resolve(workplace, { by: "abandon" })).rejects.toMatchObject(
      contradicted("it is accepted, not in doubt"),
    );
  });

  test("that is shown later is found by the next payment run", async () => {
    const { workplace } = await openSite({
      faults: [fault("createDeposit", 1, UNANSWERED), fault("findDepositFilteredV2", 1, NOTHING)],
    });
    await createDepositStep(workplace, DEPOSIT);
    expect((await listDoubts(workplace)).changes).toHaveLength(1);
    await payStep(workplace);
    expect((await listDoubts(workplace)).changes).toEqual([]);
  });

  test("is not abandoned if one without callbackUrl is shown, and is accepted only by its own id", async () => {
    const { workplace, sandbox } = await openSite({ faults: [fault("createDeposit", 1, LOST)] });
    await createDepositStep(workplace, DEPOSIT);
    const id = "0d5d6e8a-0000-4000-8000-000000000001";
    const shown = { depositId: id, accountId: TREASURY, reference: "DEP-1", depositState: "CREATED" };
    const page = { results: { content: [shown], totalPages: 1, totalElements: 1 } };
    sandbox.setFaults([{ operation: "findDepositFilteredV2", effect: shows(JSON.stringify(page)) }]);
    await expect(resolve(workplace, { by: "abandon" })).rejects.toMatchObject(
      contradicted(`the service shows deposit ${id} under it`),
    );
    await expect(resolve(workplace, { by: "accept", id: TREASURY })).rejects.toMatchObject(
      contradicted(`no deposit ${TREASURY}`),
    );
    expect(await resolve(workplace, { by: "accept", id })).toMatchObject({
      outcome: "accepted",
      depositId: id,
    });
  });

  test("is not accepted as the deposit of an earlier request", async () => {
    const { workplace } = await openSite({ faults: [fault("createDeposit", 1, LOST)] });
    await createDepositStep(workplace, DEPOSIT);
    await resolve(workplace, { by: "abandon" });
    const { depositId: id = "" } = await createDepositStep(workplace, DEPOSIT);
    await tamper(workplace.store, "update change set outcome = 'in doubt' where outcome = 'abandoned'");
    await expect(resolve(workplace, { by: "accept", id })).rejects.toMatchObject(
      contradicted(`deposit ${id} is that of change 2`),
    );
  });

  test("is assumed if the answer is another deposit, whose address another payer has", async () => {
    const other = {
      reference: "DEP-0",
      callbackUrl: "https://elsewhere.example/hook",
      depositState: "CREATED",
    };
    const { workplace, sandbox, arrived } = await openSite();
    const { depositId = "" } = await createDepositStep(workplace, { ...DEPOSIT, reference: "DEP-0" });
    const body = JSON.stringify({ depositId, accountId: TREASURY, ...other });
    const answered = { kind: "answer", statusCode: 201, body, committed: true } as const;
    sandbox.setFaults([fault("createDepositSynchronously", 1, answered)]);
    const report = await createDepositStep(workplace, { ...DEPOSIT, by: "synchronously" });
    expect(report).toMatchObject({ isInDoubt: false, evidence: expect.stringContaining("found") });
    expect(report.depositId).not.toBe(depositId);
    expect(arrived("createDepositSynchronously")).toBe(1);
  });

  test("is reported in doubt if the look for it is not answered either", async () => {
    const broken = shows(errorBody("NO", "no deposits for you"), 403);
    const { workplace } = await openSite({
      faults: [fault("createDeposit", 1, UNANSWERED), fault("findDepositFilteredV2", 1, broken)],
    });
    expect(await createDepositStep(workplace, DEPOSIT)).toMatchObject({ isInDoubt: true });
    expect((await listDoubts(workplace)).changes).toHaveLength(1);
  });

  test("may be abandoned by a person if the service can no longer be asked", async () => {
    const { workplace, sandbox } = await openSite({ faults: [fault("createDeposit", 1, LOST)] });
    await createDepositStep(workplace, DEPOSIT);
    sandbox.setFaults([{ operation: "findDepositFilteredV2", effect: shows("", 403) }]);
    await expect(resolve(workplace, { by: "abandon" })).rejects.toThrow("SERVICE_");
    expect(await resolve(workplace, DESPITE)).toMatchObject({
      outcome: "abandoned",
      evidence: expect.stringContaining("not looked at: "),
    });
  });

  test("does not delay payments if the service cannot be asked about it", async () => {
    const broken = shows(errorBody("NO", "no deposits for you"), 403);
    const searches = [2, 3].map((nth) => fault("findDepositFilteredV2", nth, broken));
    const { workplace } = await openSite({ faults: [fault("createDeposit", 1, LOST), ...searches] });
    await createDepositStep(workplace, DEPOSIT);
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    expect(
      await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] }),
    ).toMatchObject({
      instruction: { standing: "accepted" },
      execution: { problems: [{ message: expect.stringContaining("no deposits for you") }] },
    });
  });
});

describe("a void whose answer is lost", () => {
  async function voided(effect: FaultEffect) {
    const { workplace, sandbox } = await openSite({ faults: [fault("voidDeposit", 1, effect)] });
    const { depositId: id = "" } = await createDepositStep(workplace, DEPOSIT);
    await voidDepositStep(workplace, { depositId: id, accountId: TREASURY }, "alice", "path");
    return { workplace, sandbox, id };
  }

  test("may be accepted, not abandoned, if the service shows it done", async () => {
    const { workplace, id } = await voided(UNANSWERED);
    await expect(resolve(workplace, { by: "abandon" })).rejects.toMatchObject(contradicted("shows it VOID"));
    const other = "0d5d6e8a-0000-4000-8000-000000000001";
    await expect(resolve(workplace, { by: "accept", id: other })).rejects.toMatchObject(contradicted(id));
    expect(await resolve(workplace, { by: "accept", id })).toMatchObject({ outcome: "accepted" });
  });

  test.each([
    ["whose deposit the service does not show any more", NOTHING, "shows no deposit"],
    ["about which the service cannot be asked any more", shows("", 403), "SERVICE_"],
  ])("%s is given up where a person says so", async (_what, effect, words) => {
    const { workplace, sandbox } = await voided(LOST);
    sandbox.setFaults([{ operation: "findDepositFilteredV2", effect }]);
    await expect(resolve(workplace, { by: "abandon" })).rejects.toThrow(words);
    expect(await resolve(workplace, DESPITE)).toMatchObject({
      outcome: "abandoned",
      evidence: expect.stringContaining("asked the operator"),
    });
    expect((await listDoubts(workplace)).changes).toEqual([]);
  });

  test("may be abandoned by a person at another address than it was sent to", async () => {
    const { workplace } = await voided(LOST);
    await tamper(workplace.store, "update change set base_url = 'https://old.example.com'");
    const sentThere = contradicted("it was sent to https://old.example.com; try again, or add --despite");
    await expect(resolve(workplace, { by: "abandon" })).rejects.toMatchObject(sentThere);
    expect(await resolve(workplace, DESPITE)).toMatchObject({ outcome: "abandoned" });
  });

  test("is never abandoned if the service shows it done", async () => {
    const { workplace } = await voided(UNANSWERED);
    await expect(resolve(workplace, DESPITE)).rejects.toMatchObject(contradicted("shows it VOID"));
  });

  test("may be abandoned, not accepted, if the service shows it not done", async () => {
    const { workplace, id } = await voided(LOST);
    await expect(resolve(workplace, { by: "accept", id })).rejects.toMatchObject(contradicted("shows it"));
    expect(await resolve(workplace, { by: "abandon" })).toMatchObject({ outcome: "abandoned" });
  });

  test.each([
    ["done", UNANSWERED, "accept"],
    ["not done", LOST, "abandon"],
  ] as const)("is told for payouts too: %s", async (_what, effect, by) => {
    const { workplace } = await openSite({ stepMs: 3_600_000, faults: [fault("voidPayout", 1, effect)] });
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    const created = await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    const id = created.instruction?.payoutId ?? "";
    await voidPayoutStep(workplace, { payoutId: id, accountId: TREASURY }, "alice", "path");
    const [right, wrong] = [{ by: "accept", id }, { by: "abandon" }].toSorted((one) =>
      one.by === by ? -1 : 1,
    ) as [ResolvingChange, ResolvingChange];
    await expect(resolve(workplace, wrong)).rejects.toMatchObject(contradicted("shows it"));
    expect(await resolve(workplace, right)).toMatchObject({
      outcome: by === "accept" ? "accepted" : "abandoned",
    });
  });
});

describe("an authorization whose answer is lost", () => {
  const [client] = NOBODY_ELSE.clients ?? [];
  const users = ["treasury-bot", "ada"].map((username) => ({ username, otpSecret: OTP_SECRET }));
  const cosigners = [{ userGroupName: "board", username: "ada" }];
  const seed = {
    ...NOBODY_ELSE,
    clients: [{ ...client, key: "demo-key", secret: "demo-signing-secret-0001", users }],
    accounts: [{ accountId: TREASURY, openingBalance: "10", cosigners }],
  };
  const body = `{ payoutId: "{payoutId}", username: "{username}", otpCode: "{otpCode}", nonce: "{nonce}" }`;

  test.each([
    ["given", UNANSWERED, "abandon"],
    ["not given", LOST, "accept"],
  ] as const)("is not decided against what the service shows: %s", async (_what, effect, wrong) => {
    const { workplace } = await openSite(
      { seed, faults: [fault("authorize", 1, effect)] },
      { PAYDROP_AUTHORIZATION_BODY: body },
    );
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    const created = await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    const id = created.instruction?.payoutId ?? "";
    const shown = async () => (await onePayout(workplace, id)).payoutState;
    await expect.poll(shown).toBe("COSIGNER_AUTHORIZATIONS_PENDING");
    await authorizeStep(workplace, { payoutId: id, accountId: TREASURY }, "ada", "alice");
    const resolving = wrong === "accept" ? ({ by: "accept", id } as const) : ({ by: "abandon" } as const);
    await expect(resolve(workplace, resolving)).rejects.toMatchObject(
      contradicted("of 1 authorizations given"),
    );
    await resolve(workplace, wrong === "accept" ? { by: "abandon" } : { by: "accept", id });
    expect((await listDoubts(workplace)).changes).toEqual([]);
  });
});
