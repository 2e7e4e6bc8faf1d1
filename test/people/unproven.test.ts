/** Attacks on who decides: no database content makes money move for people who have not proven who they are. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  addPersonStep,
  approveStep,
  giveStopOrder,
  liftStopOrder,
  payStep,
  revokeStep,
  type Sign,
  stopOrder,
  submitFile,
} from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { stopFilesOf } from "../../src/payments/run/stop-order.ts";
import { proveDecision } from "../../src/proof/prove.ts";
import { run, sql } from "../../src/store/sql.ts";
import { auditStep } from "../../src/views/audit-step.ts";
import {
  alter,
  approvedDesk,
  KEYS,
  openProvenDesk,
  paid,
  plantApproval,
  signing,
  withKey,
} from "../site/proven-desk.ts";
import { ADDRESS, byClock } from "../site/service.ts";
import { makeKey, signBy } from "./keys.ts";

const refusal = (code: string) => ({ problem: { code } });

const TWO: NodeJS.ProcessEnv = { PAYDROP_APPROVAL_RULES: "[{ people: 2 }]" };

test("what was approved by people who proved it is paid, once", async () => {
  const { workplace, sent } = await approvedDesk();
  expect(await paid(workplace)).toEqual({ accepted: 1, codes: [] });
  expect(await paid(workplace)).toEqual({ accepted: 0, codes: [] });
  expect(sent()).toEqual(["A-1"]);
});

describe("nobody approves", () => {
  test("under another name, which takes that person's key", async () => {
    const { workplace, submit } = await openProvenDesk();
    const digest = await submit("A-1");
    const asBen = signing(workplace, withKey(KEYS.ben));
    await expect(approveStep(asBen, digest, "carol")).rejects.toMatchObject(refusal("SIGNATURE_INVALID"));
  });

  test("under a name that looks like another one, nor gets it onto the roster", async () => {
    const { workplace, submit } = await openProvenDesk();
    const lookAlike = "b\u0435n";
    await expect(approveStep(workplace, await submit("A-1"), lookAlike)).rejects.toMatchObject(
      refusal("PERSON_UNKNOWN"),
    );
    const { credential } = KEYS.mallory;
    for (const name of [lookAlike, "Ben", "ben ", "be\u200bn", "b\u00e9n", "approver"])
      await expect(
        addPersonStep(workplace, { name, roles: ["approver"], credential, person: "dave" }),
      ).rejects.toMatchObject(refusal("ROSTER_CHANGE_REFUSED"));
  });

  test("twice, with a second key of theirs either", async () => {
    const { workplace, submit, sent } = await openProvenDesk(TWO);
    const digest = await submit("A-1");
    const second = makeKey("ecdsa");
    const roles = ["approver"] as const;
    await addPersonStep(workplace, { name: "ben", roles, credential: second.credential, person: "dave" });
    for (const key of [KEYS.ben, second]) {
      const report = await approveStep(signing(workplace, withKey(key)), digest, "ben");
      expect(report.isReleased).toBe(false);
    }
    expect(await paid(workplace)).toMatchObject({ accepted: 0 });
    expect(sent()).toEqual([]);
  });

  test("without the role, and nobody has another's key enrolled for them", async () => {
    const { workplace, submit } = await openProvenDesk();
    const digest = await submit("A-1");
    const { credential } = KEYS.mallory;
    await addPersonStep(workplace, { name: "mallory", roles: ["viewer"], credential, person: "dave" });
    await expect(approveStep(workplace, digest, "mallory")).rejects.toMatchObject(refusal("ROLE_LACKING"));
    await expect(
      addPersonStep(workplace, {
        name: "carol",
        roles: ["approver"],
        credential: KEYS.ben.credential,
        person: "dave",
      }),
    ).rejects.toMatchObject(refusal("ROSTER_CHANGE_REFUSED"));
  });

  test("or decides anything else without the role for it", async () => {
    const { workplace } = await openProvenDesk();
    const decisions = ["go", "reopen", "pay again", "void", "accept configuration", "settle break"] as const;
    for (const decision of decisions)
      await expect(
        proveDecision(workplace, { decision, person: "ann", subject: "A-1" }),
        decision,
      ).rejects.toMatchObject(refusal("ROLE_LACKING"));
  });
});

describe("everybody stops, and only an operator lets go:", () => {
  test("a stop takes no proof, its end does", async () => {
    const { workplace, sent } = await approvedDesk();
    await giveStopOrder(workplace, "somebody", "it looks wrong");
    await expect(liftStopOrder(workplace, "somebody", "all is well")).rejects.toMatchObject(
      refusal("PERSON_UNKNOWN"),
    );
    expect(await paid(workplace)).toMatchObject({ accepted: 0 });
    await liftStopOrder(workplace, "ben", "all is well");
    expect(await paid(workplace)).toMatchObject({ accepted: 1 });
    expect(sent()).toEqual(["A-1"]);
  });
});

/** An entry in the record about a person whom nobody has seen sign. */
const recorded = (action: string, subject: string, detail = '{"reason":"so"}') =>
  run(sql`insert into audit (seq, at, person, action, subject, detail, hash)
    select max(seq) + 1, max(at), 'ben', ${action}, ${subject}, ${detail}, '' from audit`);

describe("what nobody signed lets nothing leave, though the record has it:", () => {
  test("a go, though its order is gone from the database and its file", async () => {
    const desk = await approvedDesk();
    await giveStopOrder(desk.workplace, "ann", "it looks wrong");
    const order = (await stopOrder(desk.workplace))?.reason;
    for (const path of stopFilesOf(desk.workplace.config)) rmSync(path, { force: true });
    await alter(desk, function* () {
      yield* run(sql`delete from stop_order`);
      yield* recorded("go", "all payments", JSON.stringify({ reason: "so", order }));
    });
    expect(await stopOrder(desk.workplace)).toEqual({ reason: order });
    expect(await paid(desk.workplace)).toMatchObject({ accepted: 0, codes: ["DECISION_UNPROVEN"] });
    expect(desk.sent()).toEqual([]);
  });

  test("any other decision", async () => {
    const desk = await approvedDesk();
    for (const [action, subject] of [
      ["recall payment", "A-1"],
      ["abandon payout", "A-9"],
      ["accept payout", "A-9"],
      ["send payout again", "A-9"],
      ["re-open payout", "A-9"],
      ["pay again", "A-9"],
      ["settle break", "A-9"],
      ["accept", "configuration"],
      ["authorize intended", "A-9"],
      ["abandon createDeposit", "A-9"],
    ] as const) {
      await alter(desk, () => recorded(action, subject));
      const refused = { accepted: 0, codes: ["DECISION_UNPROVEN"] };
      expect(await paid(desk.workplace), action).toMatchObject(refused);
      expect((await auditStep(desk.workplace)).unproven).toMatchObject([
        { action, subject, person: "ben", isTakenOver: false },
      ]);
      await alter(desk, () => run(sql`delete from audit where seq = (select max(seq) from audit)`));
    }
    expect(desk.sent()).toEqual([]);
    expect(await paid(desk.workplace)).toEqual({ accepted: 1, codes: [] });
  });

  test("until an operator has looked, and signs for the record as it is", async () => {
    const desk = await approvedDesk();
    await alter(desk, () => recorded("settle break", "A-9"));
    await expect(liftStopOrder(desk.workplace, "carol", "it is ours")).rejects.toMatchObject(
      refusal("ROLE_LACKING"),
    );
    const lifted = await liftStopOrder(desk.workplace, "ben", "it was me");
    expect(lifted?.takenOver).toMatchObject([{ action: "settle break", subject: "A-9" }]);
    expect(await paid(desk.workplace)).toEqual({ accepted: 1, codes: [] });
    expect((await auditStep(desk.workplace)).unproven).toMatchObject([{ subject: "A-9", isTakenOver: true }]);
    await alter(desk, () => recorded("settle break", "A-9"));
    expect(await paid(desk.workplace)).toMatchObject({ codes: ["DECISION_UNPROVEN"] });
  });

  test("and an approval by a name alone is named by `audit verify` as well", async () => {
    const desk = await approvedDesk();
    expect((await auditStep(desk.workplace)).unproven).toEqual([]);
    await alter(desk, () => recorded("approve", "B-000001"));
    expect((await auditStep(desk.workplace)).unproven).toMatchObject([
      { action: "approve", subject: "B-000001" },
    ]);
  });
});

test("what somebody signed stays proven when they have left", async () => {
  const desk = await approvedDesk();
  await giveStopOrder(desk.workplace, "ann", "it looks wrong");
  await liftStopOrder(desk.workplace, "ben", "all is well");
  await revokeStep(desk.workplace, { name: "ben", reason: "left", person: "dave" });
  expect(await stopOrder(desk.workplace)).toBeUndefined();
  expect((await auditStep(desk.workplace)).unproven).toEqual([]);
});

describe("a signature that does not hold moves nothing:", () => {
  test("forged", async () => {
    const desk = await approvedDesk();
    const other = signBy(KEYS.ben, "something else");
    await alter(desk, () => run(sql`update statement set signature = ${other} where decision = 'approve'`));
    expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
    expect(desk.sent()).toEqual([]);
  });

  test("foreign: of a key that nobody enrolled, or that is another person's", async () => {
    const desk = await approvedDesk();
    for (const key of [KEYS.mallory, KEYS.carol]) {
      await alter(desk, () => plantApproval("B-000001", key, (statement) => statement));
      expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
      expect(desk.sent()).toEqual([]);
    }
  });

  test("replayed: given once for another batch", async () => {
    const desk = await approvedDesk();
    await desk.submit("A-2", "0.02");
    await alter(desk, () =>
      run(sql`insert into approval (batch_id, person, digest, decided_at, approved, statement)
        select 'B-000002', person, (select digest from batch where id = 'B-000002'), decided_at, approved, statement
        from approval`),
    );
    await alter(desk, () => run(sql`update instruction set standing = 'approved'`));
    const { codes } = await paid(desk.workplace);
    expect(codes).not.toEqual([]);
    expect(desk.sent()).not.toContain("A-2");
  });

  test("replayed: a decision that was signed before", async () => {
    const { workplace } = await openProvenDesk();
    const kept: { text: string; signature: string }[] = [];
    const recording: Sign = async (asked) => {
      const signed = await workplace.sign(asked);
      kept.push(signed);
      return signed;
    };
    const decision = { decision: "go", person: "ben", subject: "all payments" } as const;
    await proveDecision(signing(workplace, recording), decision);
    const replaying: Sign = async () => kept[0] ?? { text: "", signature: "" };
    await expect(proveDecision(signing(workplace, replaying), decision)).rejects.toMatchObject(
      refusal("SIGNATURE_INVALID"),
    );
    await expect(
      proveDecision(signing(workplace, replaying), { ...decision, subject: "other payments" }),
    ).rejects.toMatchObject(refusal("STATEMENT_CHANGED"));
  });

  test("expired", async () => {
    const { workplace, sent } = await approvedDesk();
    const later = byClock(workplace, () => shifted(workplace.context.clock.now(), 31 * 86_400_000));
    expect(await paid(later)).toMatchObject({ accepted: 0 });
    const desk = await approvedDesk();
    await alter(desk, () =>
      plantApproval("B-000001", KEYS.ben, (statement) => ({ ...statement, expires: statement.at })),
    );
    expect(await paid(desk.workplace)).toMatchObject({ accepted: 0 });
    expect([...sent(), ...desk.sent()]).toEqual([]);
  });

  test("revoked, with its key or with its person", async () => {
    for (const key of [{ key: KEYS.ben.fingerprint }, {}]) {
      const { workplace, sent } = await approvedDesk();
      await revokeStep(workplace, { name: "ben", reason: "lost", person: "dave", ...key });
      expect(await paid(workplace)).toEqual({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
      expect(sent()).toEqual([]);
    }
  });

  test("revoked while a run is under way", async () => {
    const { workplace, folder, sent } = await openProvenDesk({ PAYDROP_NONCE_RULE: "unknown" });
    const rows = Array.from({ length: 30 }, (_, index) => `A-${index},0.001${index + 10},${ADDRESS}`);
    const path = join(folder, "many.csv");
    writeFileSync(path, ["reference,amount,destinationAddress", ...rows, ""].join("\n"));
    await approveStep(workplace, (await submitFile(workplace, path, "ann")).digest ?? "", "ben");
    let revoking: Promise<unknown> | undefined;
    const report = await payStep(workplace, {
      onSubmitted: () => {
        revoking ??= revokeStep(workplace, { name: "ben", reason: "lost", person: "dave" });
      },
    });
    await revoking;
    expect(report.postponed).toBeGreaterThan(0);
    expect(sent().length).toBeLessThan(30);
  });
});

describe("a statement that its signer made for something else moves nothing:", () => {
  test("for another digest, policy, submitter or service", async () => {
    const others: Readonly<Record<string, unknown>>[] = [
      { rows: "0".repeat(64) },
      { policy: "0".repeat(64) },
      { baseUrl: "https://elsewhere.example.com" },
    ];
    for (const other of others) {
      const desk = await approvedDesk();
      await alter(desk, () =>
        plantApproval("B-000001", KEYS.ben, (statement) => ({
          ...statement,
          detail: {
            ...statement.detail,
            approved: { ...(statement.detail["approved"] as object), ...other } as never,
          },
        })),
      );
      expect(await paid(desk.workplace)).toMatchObject({ accepted: 0 });
      expect(desk.sent()).toEqual([]);
    }
    const desk = await approvedDesk();
    await alter(desk, () =>
      plantApproval("B-000001", KEYS.ben, (statement) => ({
        ...statement,
        detail: { ...statement.detail, submittedBy: "zed" },
      })),
    );
    expect(await paid(desk.workplace)).toMatchObject({ accepted: 0 });
    expect(desk.sent()).toEqual([]);
  });

  test("for another installation, or under another roster", async () => {
    for (const other of ["installation", "roster"] as const) {
      const desk = await approvedDesk();
      await alter(desk, () =>
        plantApproval("B-000001", KEYS.ben, (statement) => ({
          ...statement,
          installation: other === "installation" ? "acme-trial" : statement.installation,
          roster: { ...statement.roster, ...(other === "roster" && { hash: "0".repeat(64) }) },
        })),
      );
      expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
      expect(desk.sent()).toEqual([]);
    }
  });

  test("once limits or rules are others, until it is approved under them", async () => {
    const { workplace, openAgain, sent } = await approvedDesk();
    const stricter = openAgain({ PAYDROP_LIMITS_PER_DAY: '{ BTC: "2" }' });
    expect(await paid(stricter)).toEqual({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
    await approveStep(stricter, "B-000001", "carol");
    expect(await paid(stricter)).toMatchObject({ accepted: 1 });
    expect(sent()).toEqual(["A-1"]);
    await workplace.close();
  });

  test("a rule's role counts, and another one does not", async () => {
    const rules = { PAYDROP_APPROVAL_RULES: "[{ people: 1, approvers: [controller] }]" };
    const { workplace, submit, sent } = await openProvenDesk(rules);
    const digest = await submit("A-1");
    await expect(approveStep(workplace, digest, "ben")).rejects.toMatchObject(refusal("APPROVER_NOT_LISTED"));
    await approveStep(workplace, digest, "carol");
    expect(await paid(workplace)).toMatchObject({ accepted: 1 });
    expect(sent()).toEqual(["A-1"]);
  });
});
