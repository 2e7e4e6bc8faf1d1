/**
 * The signature against vectors made with `printf 'POST\nPATH\nBODY' | openssl dgst -sha256 -hmac SECRET` (OpenSSL
 * 3).
 */
import { describe, expect, test } from "vitest";
import { hmacSigner } from "../../src/gateway/index.ts";

describe("the signature", () => {
  test.each([
    [
      "topsecret",
      "/payouts/v2/create",
      '{"nonce":9223372036854775807}',
      "eeeee9e088b506560a9540a9e4decfac14c049a0257d612b429843e067c812ea",
    ],
    ["s", "/a", "", "f569741bb8f9f7574d07d4116065a4634b2ee6f6d31b036d8629550c757daacb"],
    [
      "schlüssel",
      "/deposits/v2/find",
      '{"reference":"Zoë ✓"}',
      "8d9fd8fa1546541d34c26feb95029f6872e2fb25df0ca52ba991dc440b689a18",
    ],
  ])("with secret %j over %s and %j is what OpenSSL says", (secret, path, body, signature) => {
    const sign = hmacSigner("my-key", secret);
    expect(sign({ method: "POST", path, body: Buffer.from(body) })).toEqual({ key: "my-key", signature });
  });

  test("changes with every byte of path and body", () => {
    const sign = hmacSigner("my-key", "topsecret");
    const signatures = [
      sign({ method: "POST", path: "/a", body: Buffer.from("{}") }),
      sign({ method: "POST", path: "/b", body: Buffer.from("{}") }),
      sign({ method: "POST", path: "/a", body: Buffer.from("{} ") }),
    ].map(({ signature }) => signature);
    expect(new Set(signatures).size).toBe(3);
  });
});
