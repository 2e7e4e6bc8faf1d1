/**
 * Attacks by people on the roster who may also write to the database: a signature counts only for its own purpose.
 */
import { describe, expect, test } from "vitest";
import { addPersonStep, approveStep, payStep, reopenStep, type Sign } from "../../src/index.ts";
import { batchId } from "../../src/model/index.ts";
import { reconcileStep, settleStep } from "../../src/nights/index.ts";
import { statementHash } from "../../src/people/index.ts";
import { identityOf } from "../../src/proof/identity.ts";
import { getBatch } from "../../src/store/batches.ts";
import { listByBatch } from "../../src/store/instructions.ts";
import { first, run, sql } from "../../src/store/sql.ts";
import { errorBody, FIND, STRANGER, startOddService } from "../gateway/odd-service.ts";
import { batchDigest } from "../read-all.ts";
import {
  alter,
  approvedDesk,
  KEYS,
  openProvenDesk,
  paid,
  plantApproval,
  signing,
} from "../site/proven-desk.ts";
import { ADDRESS } from "../site/service.ts";

describe("an approver who may write to the database does not make a submission of their own payments", () => {
  test("out of another signature of the submitter's", async () => {
    const desk = await openProvenDesk();
    await desk.submit("A-1");
    await alter(desk, () => run(sql`update statement set subject = 'elsewhere' where decision = 'submit'`));
    await desk.submit("A-2", "0.02");
    await alter(desk, function* () {
      yield* run(sql`delete from statement where decision = 'submit' and subject <> 'elsewhere'`);
      yield* run(sql`update statement set subject = (select file_sha256 from batch where id = 'B-000002')
        where decision = 'submit'`);
    });
    expect(await approveStep(desk.workplace, "B-000002", "ben")).toMatchObject({ peopleNeeded: 2 });
    expect(await paid(desk.workplace)).toMatchObject({ accepted: 0 });
    expect(desk.sent()).toEqual([]);
  });

  test("by other rows under the submitter's file", async () => {
    const other = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
    const desk = await openProvenDesk();
    await desk.submit("A-1");
    await alter(desk, function* () {
      yield* run(
        sql`update instruction set fields = replace(fields, ${ADDRESS}, ${other}), destination = ${other}`,
      );
      const digest = batchDigest(yield* listByBatch(batchId("B-000001")));
      yield* run(sql`update audit set detail = replace(detail, (select digest from batch), ${digest})`);
      yield* run(sql`update batch set digest = ${digest}`);
    });
    expect(await approveStep(desk.workplace, "B-000001", "ben")).toMatchObject({ peopleNeeded: 2 });
    expect(await paid(desk.workplace)).toMatchObject({ accepted: 0 });
    expect(desk.sent()).toEqual([]);
  });
});

test("an approval by somebody without the role accepts nothing, though it is signed and in the database", async () => {
  const desk = await openProvenDesk();
  const { workplace } = desk;
  const { credential } = KEYS.mallory;
  await addPersonStep(workplace, { name: "mallory", roles: ["viewer"], credential, person: "dave" });
  await approveStep(workplace, await desk.submit("A-1"), "ben");
  await alter(desk, () =>
    plantApproval("B-000001", KEYS.mallory, (statement) => ({ ...statement, person: "mallory" })),
  );
  const identity = await identityOf(workplace);
  const held = await workplace.store.read(function* () {
    const batch = yield* getBatch(batchId("B-000001"));
    return yield* identity.holding(batch, workplace.context.clock.now());
  });
  expect(held).toEqual([]);
  expect(await paid(workplace)).toEqual({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
});

test("a break that is found while others under its name are being settled is not settled with them", async () => {
  const told = { ids: [STRANGER.payoutId] };
  const service = await startOddService(({ path, answer }) => {
    if (path !== FIND) return false;
    const content = told.ids.map((payoutId) => ({ ...STRANGER, reference: "EXT-1", payoutId }));
    answer(200, JSON.stringify({ results: { content, totalPages: 1, totalElements: content.length } }));
    return true;
  });
  const desk = await openProvenDesk({ PAYDROP_SERVICE_BASE_URL: service.url });
  await reconcileStep(desk.workplace);
  const meanwhile: Sign = async (asked) => {
    told.ids.push("0d5d6e8a-0000-4000-8000-000000000010");
    await reconcileStep(desk.workplace);
    return desk.workplace.sign(asked);
  };
  const decision = { names: ["EXT-1"], person: "carol", reason: "known" };
  await expect(settleStep(signing(desk.workplace, meanwhile), decision)).rejects.toMatchObject({
    problem: { code: "STATEMENT_CHANGED" },
  });
  expect(await settleStep(desk.workplace, decision)).toHaveLength(2);
});

test.each([
  ["", () => run(sql`delete from audit where 1 = 0`)],
  [", though its own entry is gone", () => run(sql`delete from audit where action = 're-open payout'`)],
])("a signed re-opening does not re-open what was refused after it%s", async (_, forget) => {
  const desk = await openProvenDesk();
  const refusing = { kind: "answer", statusCode: 400, body: errorBody("NO"), committed: false } as const;
  desk.sandbox.setFaults([
    { operation: "createPayoutV2", nth: 1, effect: refusing },
    { operation: "createPayoutV2", nth: 2, effect: refusing },
  ]);
  await approveStep(desk.workplace, await desk.submit("A-1"), "ben");
  await payStep(desk.workplace);
  await reopenStep(desk.workplace, { reference: "A-1", person: "ben", reason: "fixed" });
  expect(await paid(desk.workplace)).toMatchObject({ accepted: 0 });
  await alter(desk, function* () {
    yield* run(sql`update instruction set standing = 'approved'`);
    yield* forget();
    yield* run(sql`insert into audit (seq, at, person, action, subject, detail, hash)
      select max(seq) + 1, max(at), 'ben', 're-open payout', 'A-1', '{"reason":"fixed"}', '' from audit`);
    yield* run(sql`update statement set at = (select max(at) from audit) where decision = 'reopen'`);
  });
  expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["DECISION_UNPROVEN"] });
});

test("a statement that is nested beyond measure is no approval, and stops nobody with an error", async () => {
  const desk = await approvedDesk();
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  await alter(desk, function* () {
    const kept = yield* first<{ body: string }>(sql`select body from statement where decision = 'approve'`);
    const body = (kept?.body ?? "").replace('"detail":{', `"detail":{"a":${deep},`);
    const hash = statementHash(body);
    yield* run(sql`update statement set body = ${body}, hash = ${hash} where decision = 'approve'`);
    yield* run(sql`update approval set statement = ${hash}`);
  });
  expect(await paid(desk.workplace)).toEqual({ accepted: 0, codes: ["APPROVAL_UNFIT"] });
});
