/** The answer to a creation: the reader written by hand decides as the schema does. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { asPayoutCreated, parseJson, payoutCreated } from "../../src/wire/index.ts";
import { runsOf } from "../slice.ts";

const uuid = fc.uuid();
const text = fc.oneof(
  uuid,
  uuid.map((id) => id.toUpperCase()),
  uuid.map((id) => `${id}\n`),
  uuid.map((id) => ` ${id}`),
  uuid.map((id) => id.replaceAll("-", "")),
  uuid.map((id) => id.slice(1)),
  fc.string(),
);
const payoutId = fc.oneof(
  text,
  fc.constant(null),
  fc.integer(),
  fc.array(uuid),
  fc.record({ payoutId: uuid }),
);
const answer = fc.oneof(
  fc.record({ payoutId: uuid }),
  fc.record({ payoutId }),
  fc.record({ payoutId, status: fc.string() }),
  fc.array(fc.record({ payoutId })),
  fc.json().map((json): unknown => JSON.parse(json)),
);

test("an answer read by hand says what the schema reads in it", () => {
  let decided = 0;
  fc.assert(
    fc.property(answer, (value) => {
      const json = parseJson(JSON.stringify(value));
      const byHand = asPayoutCreated(json);
      if (byHand === undefined) return;
      decided += 1;
      expect(byHand).toEqual(payoutCreated.parse(json));
    }),
    runsOf(666, 2000),
  );
  expect(decided).toBeGreaterThan(50);
});

test("whatever is not exactly one id in its usual form is left to the schema", () => {
  const id = "0d5d6e8a-0000-4000-8000-0000000000f1";
  const unusual = [
    null,
    [],
    "",
    id,
    {},
    { payoutId: id.toUpperCase() },
    { payoutId: `${id}\n` },
    { payoutId: null },
  ];
  expect([...unusual, { payoutId: id, state: "CREATED" }].map(asPayoutCreated)).toEqual(
    Array(9).fill(undefined),
  );
  expect(asPayoutCreated({ payoutId: id })).toEqual({ payoutId: id });
});
