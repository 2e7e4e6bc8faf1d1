/** Key, signature, nonce and one-time code. */
import { generateSync } from "otplib";
import { describe, expect, test } from "vitest";
import { codeAt, creationText, QUERY_DATE, SECRET, START_MS, seed, signedHeaders, trial } from "./trial.ts";

const OTHER_OTP = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

const CREATE = "/payouts/v2/create";

test("the signature is what the written scheme says (a fixed vector)", () => {
  // printf 'POST\n/payouts/v2/find\n{}' | openssl dgst -sha256 -hmac trial-secret
  expect(signedHeaders("POST", "/payouts/v2/find", "{}")["signature"]).toBe(
    "97af2fdd5d2fa79a325559d9f342a8f28203308c2fab46ae24243f62fc08f94d",
  );
});

describe("a request is turned away with 401", () => {
  test.each<[string, Record<string, string | undefined>]>([
    ["without a key", { key: undefined }],
    ["with an unknown key", { key: "another" }],
    ["without a signature", { signature: undefined }],
    ["with a signature that is not hexadecimal", { signature: "zz" }],
    ["with another request's signature", signedHeaders("POST", CREATE, "{}")],
    [
      "with a signature in upper case",
      { signature: signedHeaders("POST", CREATE, "{}")["signature"]?.toUpperCase() },
    ],
  ])("%s", (_what, headers) => {
    const { call, sandbox } = trial();
    expect(call(CREATE, creationText(), { headers }).statusCode).toBe(401);
    expect(sandbox.creations()).toEqual([]);
  });

  test("before its body is looked at", () => {
    expect(trial().call(CREATE, "not json", { headers: { key: "another" } }).statusCode).toBe(401);
  });
});

test("the signature covers the very bytes: one more blank is another body", () => {
  const { call } = trial();
  const body = creationText();
  const { signature } = signedHeaders("POST", CREATE, body);
  expect(call(CREATE, `${body} `, { headers: { signature } }).statusCode).toBe(401);
  expect(call(CREATE, body, { headers: { signature } }).statusCode).toBe(202);
});

test("a body that is not JSON is a 400, an unknown path a 404, another method a 405", () => {
  const { call } = trial();
  expect(call(CREATE, "{").body).toMatchObject([{ code: "BODY_NOT_JSON" }]);
  expect(call("/payouts/v3/create", "{}").statusCode).toBe(404);
  expect(call(CREATE, "", { method: "GET" }).statusCode).toBe(405);
});

describe("nonces", () => {
  const withNonce = (nonce: string, changes = {}) => creationText({ nonce, ...changes });

  test("a nonce used before is a conflict, and nothing is created", () => {
    const { call, sandbox } = trial();
    expect(call(CREATE, withNonce("7")).statusCode).toBe(202);
    const again = call(CREATE, withNonce("7"));
    expect(again).toMatchObject({ statusCode: 409, body: [{ code: "CONFLICT_NONCE" }] });
    expect(sandbox.creations()).toHaveLength(1);
  });

  test("under `unique` a lower nonce is fine", () => {
    const { call } = trial();
    call(CREATE, withNonce("7"));
    expect(call(CREATE, withNonce("6")).statusCode).toBe(202);
  });

  test("under `increasing` only a higher nonce is, up to the end of int64", () => {
    const { call } = trial({ nonce: { rule: "increasing" } });
    const statuses = ["9007199254740993", "9007199254740992", "9007199254740993", "9223372036854775807"].map(
      (nonce) => call(CREATE, withNonce(nonce)).statusCode,
    );
    expect(statuses).toEqual([202, 409, 409, 202]);
  });

  test("is not used up by a refused request, unless told so", () => {
    for (const [burnedByRefusal, then] of [
      [false, 202],
      [true, 409],
    ] as const) {
      const { call } = trial({ nonce: { burnedByRefusal } });
      expect(call(CREATE, withNonce("7", { callbackUrl: '"x"' })).statusCode).toBe(400);
      expect(call(CREATE, withNonce("7")).statusCode).toBe(then);
    }
  });

  test("is checked after the schema and before the business rules", () => {
    const { call } = trial();
    call(CREATE, withNonce("7"));
    expect(call(CREATE, withNonce("7", { reference: "5" })).statusCode).toBe(400);
    expect(call(CREATE, withNonce("7", { callbackUrl: '"x"' })).statusCode).toBe(409);
  });
});

describe("one-time codes", () => {
  const withCodeOf = (atMs: number) => creationText({ otpCode: `"${codeAt(atMs)}"` });

  test("are good for one step before and after, not for two", () => {
    const { call } = trial();
    const statuses = [-60_000, -30_000, 0, 30_000, 60_000].map(
      (offsetMs) => call(CREATE, withCodeOf(START_MS + offsetMs)).statusCode,
    );
    expect(statuses).toEqual([400, 202, 202, 202, 400]);
  });

  test("can be used again by default, and only once when single use is switched on", () => {
    for (const [otpSingleUse, then] of [
      [false, 202],
      [true, 400],
    ] as const) {
      const { call } = trial({ otpSingleUse });
      expect(call(CREATE, withCodeOf(START_MS)).statusCode).toBe(202);
      expect(call(CREATE, withCodeOf(START_MS)).statusCode).toBe(then);
    }
  });
});

test("with single use, a code of another user of the same name under another key is taken as well", () => {
  const others = {
    key: "other-key",
    secret: SECRET,
    users: [{ username: "treasury-bot", otpSecret: OTHER_OTP }],
  };
  const { call } = trial({ otpSingleUse: true, seed: { ...seed, clients: [...seed.clients, others] } });
  expect(call(CREATE, creationText()).statusCode).toBe(202);
  const otpCode = `"${generateSync({ secret: OTHER_OTP, epoch: START_MS / 1000 })}"`;
  const headers = { key: "other-key" };
  expect(call(CREATE, creationText({ otpCode }), { headers }).statusCode).toBe(202);
  expect(call(CREATE, creationText({ otpCode }), { headers }).statusCode).toBe(400);
});

test("a stale queryDate is a conflict where a tolerance is set", () => {
  const body = `{${QUERY_DATE.replace("09:00", "08:00")}}`;
  expect(trial().call("/deposits/v2/find", body).statusCode).toBe(200);
  expect(trial({ queryDateToleranceMs: 60_000 }).call("/deposits/v2/find", body).statusCode).toBe(409);
});

test("a one-time code counts as of the request's arrival, however long others keep the request waiting", () => {
  const { sandbox, pass } = trial();
  const body = creationText();
  const headers = signedHeaders("POST", CREATE, body);
  const planned = sandbox.plan({ method: "POST", path: CREATE, headers, body: Buffer.from(body) });
  pass(120_000);
  expect(planned.deliver().answer.statusCode).toBe(202);
  sandbox.close();
});
