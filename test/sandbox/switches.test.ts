/** Every choice that the interface leaves open: the sandbox's default, and the effect of the switch. */
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { creationText, found, MAIN, QUERY_DATE, seed, type Trial, trial } from "./trial.ts";

const CREATE = "/payouts/v2/create";
const FIND = "/payouts/v2/find";

const withNonce = (nonce: string) => creationText({ nonce });

test("under the nonce rule `window` a nonce may come late, within the window and once", () => {
  const { call } = trial({ nonce: { rule: "window", window: 10 } });
  const statuses = ["9007199254740993", "9007199254740983", "9007199254740982", "9007199254740983"].map(
    (nonce) => call(CREATE, withNonce(nonce)).statusCode,
  );
  expect(statuses).toEqual([202, 202, 409, 409]);
});

describe("a reference is kept", () => {
  test.each([
    ["as it was sent", {}, "  Inv-00012345 "],
    ["trimmed", { trimmed: true }, "Inv-00012345"],
    ["in lower case", { lowerCased: true }, "  inv-00012345 "],
    ["cut", { lengthMax: 8 }, "  Inv-00"],
    ["all of it", { trimmed: true, lowerCased: true, lengthMax: 8 }, "inv-0001"],
  ])("%s", (_what, reference, kept) => {
    const one = trial({ reference });
    one.call(CREATE, creationText({ reference: '"  Inv-00012345 "' }));
    expect(found(one)).toMatchObject([{ reference: kept }]);
    expect(found(one, `,"references":["${kept}"]`)).toHaveLength(1);
    const deposit = `{"accountId":"${MAIN}","nonce":1,"reference":"  Inv-00012345 ","callbackUrl":"https://x.example"}`;
    expect(one.call("/deposits/create/sync", deposit).body).toMatchObject({ reference: kept });
  });
});

test("pages count from 0 or from 1", () => {
  const one = trial({ firstPage: 1 });
  one.call(CREATE, creationText());
  const page = (filters: string) => one.call(FIND, `{${QUERY_DATE}${filters}}`);
  const first = {
    results: { number: 1, first: true, numberOfElements: 1, pageable: { offset: 0, pageNumber: 1 } },
  };
  expect(page("").body).toMatchObject(first);
  expect(page(',"page":1').body).toMatchObject(first);
  expect(page(',"page":2').body).toMatchObject({ results: { number: 2, first: false, empty: true } });
  expect(page(',"page":0').statusCode).toBe(400);
});

test("a taproot destination is a 400, or accepted", () => {
  const body = () =>
    creationText({ destinationAddress: '"bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"' });
  expect(trial().call(CREATE, body()).statusCode).toBe(400);
  expect(trial({ taprootAllowed: true }).call(CREATE, body()).statusCode).toBe(202);
});

test("a known orderCodeName passes", () => {
  const { call } = trial({ seed: { ...seed, orderCodeNames: ["FEES"] } });
  expect(call(CREATE, creationText({ orderCodeName: '"FEES"' })).statusCode).toBe(202);
});

describe("CONFLICT_EXPIRED_XRATE", () => {
  const causes = [
    ["expiry-passed", '{"currency":"EUR","amount":1}', "2026-03-02T08:00:00.000Z"],
    ["rate-unknown", '{"currency":"USD","amount":1}', "2026-03-02T10:00:00.000Z"],
  ] as const;
  const create = (one: Trial, requestedAmount: string, expiryDate: string) =>
    one.call(
      "/deposits/create",
      `{"accountId":"${MAIN}","nonce":1,"reference":"R","callbackUrl":"https://x.example",
        "requestedAmount":${requestedAmount},"expiryDate":"${expiryDate}"}`,
    );

  test.each(causes)("is the answer to %s, and a 400 where it is not listed", (cause, amount, expiry) => {
    expect(create(trial(), amount, expiry)).toMatchObject({
      statusCode: 409,
      body: [{ code: "CONFLICT_EXPIRED_XRATE" }],
    });
    const expiredRateWhen = causes.map(([one]) => one).filter((one) => one !== cause);
    const unlisted = trial({ expiredRateWhen });
    expect(create(unlisted, amount, expiry)).toMatchObject({
      statusCode: 400,
      body: [{ code: "INVALID_PARAMETER" }],
    });
  });
});

test("the signature can be checked by another scheme", () => {
  const one = trial({
    signature: (signature, secret, { body }) =>
      signature === createHmac("sha512", secret).update(body).digest("base64"),
  });
  const body = `{${QUERY_DATE}}`;
  const signature = createHmac("sha512", "trial-secret").update(body).digest("base64");
  expect(one.call(FIND, body).statusCode).toBe(401);
  expect(one.call(FIND, body, { headers: { signature } }).statusCode).toBe(200);
});

test("identifiers repeat under a random seed, and differ without one or under another", () => {
  const idsOf = (one: Trial) =>
    [1, 2].map(() => (one.call(CREATE, creationText()).body as { payoutId: string }).payoutId);
  const ids = idsOf(trial({ randomSeed: 7 }));
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(idsOf(trial({ randomSeed: 7 }))).toEqual(ids);
  expect(idsOf(trial({ randomSeed: 8 }))).not.toEqual(ids);
  expect(idsOf(trial())).not.toEqual(idsOf(trial()));
});

describe("deposits that are not created", () => {
  const text = (reference: string, nonce: number) =>
    `{"accountId":"${MAIN}","nonce":${nonce},"reference":"${reference}","callbackUrl":"https://x.example"}`;
  const stateOf = (one: Trial) => found(one, "", "/deposits/v2/find")[0]?.["depositState"];

  test.each(["CREATE_FAILED", "CREATE_TIMEOUT"] as const)("end %s by a seeded rule", (state) => {
    const one = trial({ seed: { ...seed, depositOutcomes: [{ reference: "BAD-\\d", state }] } });
    one.call("/deposits/create", text("BAD-1", 1));
    expect(stateOf(one)).toBe("REQUESTED");
    one.pass(300);
    expect(stateOf(one)).toBe(state);
  });

  test("are a 502 of the synchronous creation, which leaves nothing behind", () => {
    const depositOutcomes = [{ reference: "BAD-\\d", state: "CREATE_FAILED" as const }];
    const one = trial({ seed: { ...seed, depositOutcomes } });
    expect(one.call("/deposits/create/sync", text("BAD-1", 1))).toMatchObject({
      statusCode: 502,
      body: [{ code: "DEPOSIT_FAILED" }],
    });
    expect(stateOf(one)).toBeUndefined();
    expect(one.call("/deposits/create/sync", text("GOOD", 2)).statusCode).toBe(201);
  });
});
