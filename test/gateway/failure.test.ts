/**
 * The consequence of a failed answer at the service, for every effect and every status. Only proven cases are
 * called refused or not sent.
 */
import { describe, expect, test } from "vitest";
import { type FailedAnswer, failureOf, type OperationName } from "../../src/gateway/index.ts";
import { type Effect, operations } from "../../src/gateway/operations.ts";

const STATUSES = Array.from({ length: 500 }, (_, index) => 100 + index);

const errorArray = (status: number): FailedAnswer => ({ kind: "error", status, errors: [{ error: "no" }] });
const rubbish = (status: number): FailedAnswer => ({ kind: "unreadable", status, reason: "not JSON" });
const unanswered = (headWritten: boolean): FailedAnswer => ({
  kind: "unanswered",
  headWritten,
  timedOut: false,
  reason: "gone",
});

/** The statuses that, with the error array on the first send, prove that nothing was done. */
const TABLE: readonly [effect: Effect, operation: OperationName, refusedBy: readonly number[]][] = [
  ["payout creation", "createPayoutV2", [400, 404]],
  ["deposit creation", "createDeposit", [400, 404]],
  ["payout creation and authorization", "createAndFirstAuthorizationPayoutV2", []],
  ["change", "voidPayout", [400, 403, 404, 409]],
];

const consequences = (
  operation: OperationName,
  answerOf: (status: number) => FailedAnswer,
  sending: Parameters<typeof failureOf>[2] = {},
) => STATUSES.map((status) => failureOf(operation, answerOf(status), sending).consequence);

describe.each(TABLE)("a %s", (effect, operation, refusedBy) => {
  test("is refused by its statuses with the error array on the first send, and in doubt after every other", () => {
    const expected = STATUSES.map((status) => (refusedBy.includes(status) ? "refused" : "in doubt"));
    expect(consequences(operation, errorArray)).toEqual(expected);
    expect(consequences(operation, errorArray, { attempt: 1 })).toEqual(expected);
  });

  test.each([2, 3, 100])("is never refused at attempt %i: an earlier one may have been taken", (attempt) => {
    expect(new Set(consequences(operation, errorArray, { attempt }))).toEqual(new Set(["in doubt"]));
  });

  test("is in doubt whatever the status of an answer that is not the interface's", () => {
    expect(new Set(consequences(operation, rubbish))).toEqual(new Set(["in doubt"]));
  });

  test("without an answer is in doubt, and not sent only where its head was never written", () => {
    expect(failureOf(operation, unanswered(true))).toMatchObject({
      condition: "no answer",
      consequence: "in doubt",
    });
    expect(failureOf(operation, unanswered(false))).toMatchObject({
      condition: "not sent",
      consequence: "not sent",
    });
  });

  test("has this effect in the table of operations, and a caller that knows better can say so", () => {
    expect(operations[operation].effect).toBe(effect);
    expect(consequences("createPayoutWithFirstAuthorization", errorArray, { effect })).toEqual(
      consequences(operation, errorArray),
    );
  });
});

test("every operation has one of these effects, or is a look-up", () => {
  const effects = new Set<string>(Object.values(operations).map(({ effect }) => effect));
  expect(effects).toEqual(new Set(["look-up", ...TABLE.map(([effect]) => effect)]));
});

test.each([
  "createAndFirstAuthorizationPayout",
  "createAndFirstAuthorizationPayoutV2",
  "createPayoutWithFirstAuthorization",
] as const)(
  "%s is never refused: the payout may exist and only its authorization be refused",
  (operation) => {
    expect(new Set(consequences(operation, errorArray))).toEqual(new Set(["in doubt"]));
  },
);

test("a look-up leaves nothing behind, whatever happens", () => {
  for (const [name, { effect }] of Object.entries(operations)) {
    if (effect !== "look-up") continue;
    const operation = name as OperationName;
    expect(new Set(consequences(operation, errorArray))).toEqual(new Set(["nothing"]));
    expect(new Set(consequences(operation, rubbish, { attempt: 2 }))).toEqual(new Set(["nothing"]));
    for (const headWritten of [true, false])
      expect(failureOf(operation, unanswered(headWritten)).consequence).toBe("nothing");
  }
});

test("502 is the document's own condition only for the synchronous creation of a deposit", () => {
  const conditionOf = (operation: OperationName) => failureOf(operation, errorArray(502)).condition;
  expect(conditionOf("createDepositSynchronously")).toBe("deposit creation failed");
  for (const operation of Object.keys(operations) as OperationName[])
    if (operation !== "createDepositSynchronously") expect(conditionOf(operation)).toBe("service failed");
});

test("the condition is the status's, for every status", () => {
  const known = new Map([
    [400, "parameter wrong"],
    [401, "not authenticated"],
    [403, "access denied"],
    [404, "not found"],
    [409, "conflict"],
    [429, "too many requests"],
  ]);
  for (const status of STATUSES) {
    const expected = known.get(status) ?? (status >= 500 ? "service failed" : "refused");
    expect(failureOf("createPayoutV2", errorArray(status)).condition).toBe(expected);
    expect(failureOf("createPayoutV2", rubbish(status)).condition).toBe("unreadable");
  }
});

test("repeating may help only after 429, 5xx, an unreadable success, or no answer", () => {
  for (const answerOf of [errorArray, rubbish])
    for (const status of STATUSES)
      expect(failureOf("findPayoutFilteredV2", answerOf(status)).mayPass).toBe(
        status === 429 || status >= 500 || (answerOf === rubbish && status < 300),
      );
  for (const headWritten of [true, false])
    expect(failureOf("findPayoutFilteredV2", unanswered(headWritten)).mayPass).toBe(true);
  for (const unsigned of ["SIGNER_FAILED", "SIGNER_TIMEOUT"]) {
    const answer = { ...unanswered(false), unsigned } as FailedAnswer;
    expect(failureOf("findPayoutFilteredV2", answer).mayPass).toBe(false);
  }
});
