/** Attacks by people who may write to the database, another machine's configuration, or the files beside it. */
import { hash } from "node:crypto";
import { copyFileSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  addPersonStep,
  approveStep,
  liftStopOrder,
  listPeopleStep,
  payStep,
  reopenStep,
  revokeStep,
  type Workplace,
} from "../../src/index.ts";
import { batchId, type Role } from "../../src/model/index.ts";
import { statementHash, statementText } from "../../src/people/index.ts";
import { handOverStep } from "../../src/proof/hand-over-step.ts";
import { listByBatch } from "../../src/store/instructions.ts";
import { first, run, sql, type Transaction } from "../../src/store/sql.ts";
import { insertStatement, listRosterChanges, newestChange } from "../../src/store/statements.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { IS_ON_POSTGRES } from "../postgres.ts";
import { batchDigest } from "../read-all.ts";
import {
  alter,
  approvedDesk,
  INSTALLATION,
  KEYS,
  openProvenDesk,
  paid,
  plantApproval,
  provenEnvironment,
  signing,
  withKey,
} from "../site/proven-desk.ts";
import { ADDRESS } from "../site/service.ts";
import { signBy } from "./keys.ts";

function* approvedDigestOf(): Transaction<string> {
  const kept = yield* first<{ approved: string }>(sql`select approved from approval`);
  return hash("sha256", kept?.approved ?? "");
}

function changesOf({ store }: Workplace) {
  return store.read(function* () {
    const head = yield* newestChange();
    return yield* listRosterChanges(head?.root ?? "");
  });
}

test("an approval that is planted as it was given is paid: these attacks fail by what they change", async () => {
  const desk = await approvedDesk();
  await alter(desk, () => plantApproval("B-000001", KEYS.ben, (statement) => statement));
  expect(await paid(desk.workplace)).toMatchObject({ accepted: 1 });
});

describe("a database that somebody edited by hand, record and all, moves nothing:", () => {
  test.each([
    ["who approved", sql`update approval set person = 'carol'`],
    ["an approval without a statement", sql`update approval set statement = null`],
    ["an earlier approval", sql`update approval set decided_at = '2026-01-01T00:00:00.000Z'`],
    ["the submitter", sql`update batch set submitted_by = 'zed'`],
    [
      "what was signed",
      sql`update statement set body = replace(body, 'A-1', 'A-2') where decision = 'approve'`,
    ],
  ])("%s", async (_, statement) => {
    const desk = await approvedDesk();
    await alter(desk, function* () {
      yield* run(statement);
      yield* run(sql`update audit set person = (select submitted_by from batch) where action = 'submit'`);
      yield* run(sql`update audit set person = (select person from approval) where action = 'approve'`);
    });
    expect(await paid(desk.workplace)).toMatchObject({ accepted: 0 });
    expect(desk.sent()).toEqual([]);
  });

  test("a payment that goes elsewhere, in all of its columns and digests", async () => {
    const other = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    const desk = await approvedDesk();
    await alter(desk, function* () {
      yield* run(
        sql`update instruction set fields = replace(fields, ${ADDRESS}, ${other}), destination = ${other}`,
      );
      const digest = batchDigest(yield* listByBatch(batchId("B-000001")));
      const before = yield* approvedDigestOf();
      yield* run(
        sql`update approval set approved = replace(approved, digest, ${digest}), digest = ${digest}`,
      );
      const now = yield* approvedDigestOf();
      yield* run(sql`update audit set detail = replace(detail, (select digest from batch), ${digest})`);
      yield* run(sql`update audit set detail = replace(detail, ${before}, ${now}) where action = 'approve'`);
      yield* run(sql`update batch set digest = ${digest}`);
    });
    expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
    expect(desk.sent()).toEqual([]);
  });

  test("a roster with somebody added, a role given, or a key exchanged", async () => {
    const desk = await approvedDesk();
    const { head = "", people } = await listPeopleStep(desk.workplace);
    expect(people.map(({ name }) => name)).toEqual(["dave", "ann", "ben", "carol"]);
    const [number = "", before = ""] = head.split(":");
    const [oldest] = await changesOf(desk.workplace);
    const change = {
      ...(JSON.parse(oldest?.text ?? "{}") as object),
      ...{ number: Number(number) + 1, before, name: "mallory", credential: KEYS.mallory.credential },
    };
    const body = statementText(change as never);
    const planted = {
      ...{ hash: statementHash(body), root: oldest?.root ?? "", number: Number(number) + 1, decision: "add" },
      ...{ subject: "mallory", person: "dave", at: "2026-11-25T00:00:00.000Z", text: body },
      signature: signBy(KEYS.mallory, body),
    };
    await alter(desk, () => insertStatement(planted));
    expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["ROSTER_BROKEN"] });
    await alter(desk, () => run(sql`delete from statement where hash = ${planted.hash}`));
    await alter(desk, () =>
      run(sql`update statement set body = replace(body, '"viewer"', '"approver"') where number = 1`),
    );
    expect(await paid(desk.workplace)).toMatchObject({ accepted: 1 });
    const others = [
      sql`update statement set body = replace(body, '"submitter"', '"admin"') where number = 2`,
      sql`update statement set body = replace(body, ${KEYS.ben.credential.key}, ${KEYS.mallory.credential.key}) where number = 3`,
    ];
    for (const statement of others) {
      const other = await approvedDesk();
      await alter(other, () => run(statement));
      expect(await paid(other.workplace)).toEqual({ accepted: 0, codes: ["ROSTER_BROKEN"] });
      expect(other.sent()).toEqual([]);
    }
  });
});

test("a refused payment is not sent again because the record says that somebody re-opened it", async () => {
  const desk = await openProvenDesk();
  const refusing = { kind: "answer", statusCode: 400, body: errorBody("NO"), committed: false } as const;
  desk.sandbox.setFaults([{ operation: "createPayoutV2", nth: 1, effect: refusing }]);
  await approveStep(desk.workplace, await desk.submit("A-1"), "ben");
  await payStep(desk.workplace);
  const forge = function* () {
    yield* run(sql`update instruction set standing = 'approved'`);
    yield* run(sql`insert into audit (seq, at, person, action, subject, detail, hash)
      select max(seq) + 1, max(at), 'ben', 're-open payout', 'A-1', '{"reason":"fixed"}', '' from audit`);
  };
  await alter(desk, forge);
  expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["DECISION_UNPROVEN"] });
  await alter(desk, function* () {
    yield* run(sql`update instruction set standing = 'refused'`);
    yield* run(sql`delete from audit where action = 're-open payout'`);
  });
  await reopenStep(desk.workplace, { reference: "A-1", person: "ben", reason: "fixed" });
  expect(await paid(desk.workplace)).toMatchObject({ accepted: 1 });
});

describe("a roster that was cut does not bring anybody back who was revoked:", () => {
  /** ben's approval waits, change 5 revokes him, and then that change is removed. */
  async function cutDesk(
    afterwards: (workplace: Workplace, submit: (name: string) => Promise<string>) => Promise<unknown>,
  ) {
    const desk = await approvedDesk();
    await revokeStep(desk.workplace, { name: "ben", reason: "left", person: "dave" });
    const { head = "" } = await listPeopleStep(desk.workplace);
    await afterwards(desk.workplace, (name) => desk.submit(name, "0.02"));
    return { ...desk, head };
  }
  const cut = function* () {
    yield* run(sql`delete from audit where action = 'roster' and detail like '%"number":5%'`);
    yield* run(sql`delete from statement where number = 5`);
  };

  test("by the newest change that any decision knew", async () => {
    const desk = await cutDesk(async (workplace, submit) =>
      approveStep(workplace, await submit("A-2"), "carol"),
    );
    await alter(desk, cut);
    expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["ROSTER_BROKEN"] });
    expect(desk.sent()).toEqual([]);
  });

  test("by the configuration's people.head", async () => {
    const desk = await cutDesk(async () => undefined);
    await alter(desk, cut);
    expect(await paid(desk.openAgain({ PAYDROP_PEOPLE_HEAD: desk.head }))).toEqual({
      accepted: 0,
      codes: ["ROSTER_BROKEN"],
    });
    expect(desk.sent()).toEqual([]);
  });

  test("by the anchor", async () => {
    const desk = await cutDesk(async () => undefined);
    const { anchorPath } = desk.workplace.config;
    copyFileSync(anchorPath, `${anchorPath}.kept`);
    await alter(desk, cut);
    copyFileSync(`${anchorPath}.kept`, anchorPath);
    expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["DATABASE_BEHIND_ANCHOR"] });
    expect(desk.sent()).toEqual([]);
  });
});

test("a change of the roster cannot be taken out of it behind the anchor's back", async () => {
  const desk = await approvedDesk();
  await revokeStep(desk.workplace, { name: "ben", reason: "left", person: "dave" });
  await desk.workplace.store.write(() => run(sql`update statement set number = null where number = 5`));
  expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["AUDIT_CHAIN_BROKEN"] });
  expect(desk.sent()).toEqual([]);
});

test.skipIf(IS_ON_POSTGRES)(
  "an old database that is put back pays nothing for who was revoked since",
  async () => {
    const { workplace, openAgain, sent } = await approvedDesk();
    const { databasePath, anchorPath } = workplace.config;
    const kept = `${databasePath}.kept`;
    await workplace.store.write(() => run(sql`delete from notice_told`));
    await workplace.close();
    copyFileSync(databasePath, kept);
    const revoking = openAgain();
    await revokeStep(revoking, { name: "ben", reason: "left", person: "dave" });
    const { head = "" } = await listPeopleStep(revoking);
    await revoking.close();
    copyFileSync(kept, databasePath);
    const back = openAgain();
    expect((await paid(back)).codes).toEqual(["DATABASE_BEHIND_ANCHOR"]);
    await back.close();
    rmSync(anchorPath);
    expect((await paid(openAgain({ PAYDROP_PEOPLE_HEAD: head }))).codes).toEqual(["ROSTER_BROKEN"]);
    expect(sent()).toEqual([]);
  },
);

describe("whatever an approver's own configuration says, the sender believes its own:", () => {
  test("rules that one person fulfils", async () => {
    const desk = await openProvenDesk({ PAYDROP_APPROVAL_RULES: "[{ people: 2 }]" });
    const digest = await desk.submit("A-1");
    const own = desk.openAgain({ PAYDROP_APPROVAL_RULES: "[{ people: 1 }]" });
    expect((await approveStep(own, digest, "ben")).isReleased).toBe(true);
    expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
    expect(desk.sent()).toEqual([]);
  });

  test("a root of their own makes no roster in a database that has one", async () => {
    const desk = await openProvenDesk();
    await desk.submit("A-1");
    const own = desk.openAgain(provenEnvironment(KEYS.mallory));
    const { credential } = KEYS.mallory;
    const roles = ["admin", "approver"] as const;
    await expect(
      addPersonStep(signing(own, withKey(KEYS.mallory)), {
        name: "mallory",
        roles,
        credential,
        person: "mallory",
      }),
    ).rejects.toMatchObject({ problem: { code: "DATABASE_OF_ANOTHER_ROOT" } });
    expect(await paid(desk.workplace)).toMatchObject({ accepted: 0 });
    expect(desk.sent()).toEqual([]);
  });
});

describe("a new root", () => {
  const CAROLS = provenEnvironment(KEYS.carol);

  async function handedOver() {
    const desk = await approvedDesk();
    const { fingerprint } = KEYS.carol;
    const to = { installation: INSTALLATION, fingerprints: [fingerprint], reason: "dave leaves" };
    return { desk, handOver: (person: string) => handOverStep(desk.workplace, { ...to, person }) };
  }

  test("gets the database from an admin of the old roster alone, who signs for it", async () => {
    const { desk, handOver } = await handedOver();
    await expect(handOver("ben")).rejects.toMatchObject({ problem: { code: "ROLE_LACKING" } });
    await handOver("dave");
    await expect(desk.submit("A-2")).rejects.toMatchObject({ problem: { code: "DATABASE_OF_ANOTHER_ROOT" } });
    expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["DATABASE_OF_ANOTHER_ROOT"] });
    expect(desk.sent()).toEqual([]);
  });

  test("voids every unsent approval, until a roster under it approves and takes over what was decided", async () => {
    const { desk, handOver } = await handedOver();
    await handOver("dave");
    const renewed = desk.openAgain(CAROLS);
    const add = (name: "carol" | "ben", roles: readonly Role[]) =>
      addPersonStep(renewed, { name, roles, credential: KEYS[name].credential, person: "carol" });
    await add("carol", ["admin", "approver", "operator"]);
    await add("ben", ["approver"]);
    expect(await paid(renewed)).toMatchObject({ accepted: 0, codes: ["DECISION_UNPROVEN"] });
    await liftStopOrder(renewed, "carol", "the hand-over is right");
    expect(await paid(renewed)).toMatchObject({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
    for (const person of ["carol", "ben"]) await approveStep(renewed, "B-000001", person);
    expect(await paid(renewed)).toMatchObject({ accepted: 1 });
    expect(desk.sent()).toEqual(["A-1"]);
  });
});
