/** The program keeps none of our secrets, in any answer of the service. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAnswer } from "../../src/gateway/answer.ts";
import { formsOf, headerSecrets, type Secret, scrubExchange, scrubFailure } from "../../src/gateway/scrub.ts";
import type { HttpExchange } from "../../src/index.ts";
import { parseJson } from "../../src/wire/index.ts";

const KEY: Secret = { name: "client key", text: "Canary/Key+5b1e" };
const SIGNATURE: Secret = { name: "signature", text: "9f86d081884c7d659a2feaa0c55ad015" };
const CODE: Secret = { name: "one-time code", text: "492817" };
const ALL = formsOf([KEY, SIGNATURE]);

function answered(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): HttpExchange {
  return { kind: "answered", status, headers, text };
}

/** The parts of a creation's answer that the program keeps. */
function kept(status: number, text: string, headers: Readonly<Record<string, string>> = {}): string {
  const exchange = scrubExchange(answered(status, text, headers), ALL);
  if (exchange.kind !== "answered") throw new Error("it was answered");
  return JSON.stringify(scrubFailure(readAnswer("createPayoutV2", exchange), [...ALL, ...formsOf([CODE])]));
}

const NONE = /canary.{0,3}key|9f86d081884c|492817/i;

describe("an answer that repeats a secret", () => {
  test.each<[string, number, string]>([
    [
      "in an error's text",
      400,
      JSON.stringify([{ error: `${KEY.text} ${SIGNATURE.text} ${CODE.text}`, code: CODE.text }]),
    ],
    ["with escapes", 400, `[{"error":"\\u0043anary\\/Key+5b1e"}]`],
    ["as a URL has it", 400, `[{"error":"?key=${encodeURIComponent(KEY.text)}"}]`],
    ["in upper case", 401, `[{"error":"${SIGNATURE.text.toUpperCase()}"}]`],
    [
      "as JSON in JSON",
      500,
      JSON.stringify([{ error: JSON.stringify({ otpCode: CODE.text, key: KEY.text }) }]),
    ],
    ["on a page", 502, `<html><body>key: ${KEY.text}, code ${CODE.text}</body></html>`],
    ["where the excerpt of a page ends", 500, `${".".repeat(110)}${KEY.text}`],
    ["in what should be a success", 202, `echo ${KEY.text} ${CODE.text}`],
    ["in the first half of a body", 400, `[{"error":"wrong ${KEY.text}`],
    ["in the first half of a body, with escapes", 400, `[{"error":"wrong \\u0043anary\\/Key+5b1e \\u00`],
    ["beside a line feed that JSON does not allow", 400, `[{"error":"\n\\u0043anary\\/Key+5b1e"}]`],
    ["outside of any text", 500, `[error] ${KEY.text} ${SIGNATURE.text}: "${KEY.text}" refused`],
    ["as a number", 400, `[{ "otpCode" : ${CODE.text}, "error": "no", "code": "otpCode ${CODE.text}" }]`],
    ["in a time", 400, JSON.stringify([{ error: "no", timestamp: SIGNATURE.text }])],
  ])("%s is kept without it", (_where, status, text) => {
    expect(kept(status, text)).not.toMatch(NONE);
  });

  // Recursive patterns end the run from some seven million parts on; quadratic ones take minutes for some 300,000.
  test.each([
    ["ten million characters that never end", '["\\n', "x", "", 10_000_000],
    ["300,000 escapes that never end", '["', '\\"', "", 300_000],
    ["ten million escapes", '["', '\\"', '"]', 10_000_000],
    ["the name of a code and ten million escapes", '["otpCode":"', '\\"', "", 10_000_000],
  ])("is read to its end in a text of %s", (_what, before, part, after, count) => {
    const text = `${before}${part.repeat(count)}${KEY.text}${after}`;
    const exchange = scrubExchange(answered(400, text), ALL);
    expect(exchange.kind === "answered" && NONE.test(exchange.text)).toBe(false);
  });

  test("in the header of a redirect or of a request's name is kept without it", () => {
    const headers = {
      location: `https://login.example.com/?key=${KEY.text}`,
      "x-request-id": SIGNATURE.text,
    };
    expect(kept(302, "", headers)).not.toMatch(NONE);
    expect(kept(302, "", headers)).toContain("(client key)");
  });

  test("or a reason for no answer is kept without it", () => {
    const reason = `parse error in ${KEY.text}`;
    const exchange = { kind: "unanswered", headWritten: true, timedOut: false, reason } as const;
    expect(scrubExchange(exchange, ALL)).toMatchObject({ reason: "parse error in (client key)" });
  });

  test("as a member of what a look-up found is stored without it", () => {
    const text = `{"content":[{"otpCode":"${CODE.text}","note":"by ${KEY.text}"},{"otpCode": 492817}]}`;
    const exchange = scrubExchange(answered(200, text), ALL);
    expect(JSON.stringify(exchange)).not.toMatch(NONE);
  });
});

test("of any case and at any place of a long answer, each secret is found", () => {
  const anyCase = fc.tuple(
    fc.constantFrom(KEY.text, SIGNATURE.text),
    fc.array(fc.boolean(), { minLength: 32, maxLength: 32 }),
  );
  const filler = fc.string({ unit: fc.constantFrom(..."Canry/Ke+5b1 9f8otp"), maxLength: 40 });
  const property = fc.property(anyCase, filler, fc.nat(12_000), ([secret, upper], around, before) => {
    const mixed = [...secret]
      .map((letter, index) => (upper[index] === true ? letter.toUpperCase() : letter.toLowerCase()))
      .join("");
    const page = `{"a":"${".".repeat(before)}${around}${mixed}${around}","b":"${"x,".repeat(12_000)}"}`;
    const exchange = scrubExchange(answered(200, page), ALL);
    expect(exchange.kind === "answered" && exchange.text).toBe(
      page.replace(mixed, secret === KEY.text ? "(client key)" : "(signature)"),
    );
  });
  fc.assert(property);
});

test("no byte of an answer without secrets is changed, and no number of one with them", () => {
  const digits = formsOf([{ name: "client key", text: "12345678" }]);
  const text = fc.json().map((json) => json.replaceAll("Canary", ""));
  fc.assert(
    fc.property(text, (json) => {
      const exchange = scrubExchange(answered(200, json), ALL);
      if (exchange.kind !== "answered") return false;
      const isJson = /^\s*[[{]/.test(json);
      return !isJson || JSON.stringify(parseJson(exchange.text)) === JSON.stringify(parseJson(json));
    }),
  );
  const page = `{"amount":12345678,"nonce": 12345678,"reference":"12345678","id":"a12345678b","longer":"912345678"}`;
  expect(scrubExchange(answered(200, page), digits)).toMatchObject({
    text: `{"amount":12345678,"nonce": 12345678,"reference":"(client key)","id":"a(client key)b","longer":"912345678"}`,
  });
});

test("whether a signer's header is secret depends on its name: a date or a version is not", () => {
  const headers = {
    key: "k",
    signature: "s",
    "x-date": "2026-11-21",
    authorization: "Bearer t",
    version: "1",
  };
  expect(headerSecrets(headers, []).map(({ name }) => name)).toEqual([
    "client key",
    "signature",
    "authorization",
  ]);
});
