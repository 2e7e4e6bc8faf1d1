/** Passkeys of a browser, and forged signatures. OpenSSH or openssl confirms every signature accepted here. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import { type Credential, fingerprintOf, signatureKey, whyNotSigned } from "../../src/people/index.ts";
import {
  enrolledPasskey,
  passkeyRegistration,
  passkeyRequest,
  passkeySignature,
} from "../../src/people/passkey.ts";
import { signedBytes } from "../../src/people/ssh-signature.ts";
import { armored, dearmored, opensshAccepts, opensslAccepts, signBySecurityKey } from "./openssh.ts";
import { type Different, ecdsaPasskey, rsaPasskey, signByPasskey } from "./passkeys.ts";
import { type VirtualAuthenticator, virtualAuthenticator } from "./virtual-authenticator.ts";

const TEXT = '{"batch":"B-000001","decision":"approve","file":"Löhne ✓.xlsx"}';
const RP = "localhost";
const ES256 = -7;
const RS256 = -257;

describe("with a browser, Ann", () => {
  let browser: VirtualAuthenticator;
  let ecdsa: Credential;
  let rsa: Credential;
  beforeAll(async () => {
    browser = await virtualAuthenticator();
    ecdsa = await enrol(ES256);
    rsa = await enrol(RS256);
  });
  afterAll(() => browser[Symbol.asyncDispose]());

  /** `algorithm`: the only one that the authenticator supports. */
  async function enrol(algorithm: number, challenge = randomBytes(32)): Promise<Credential> {
    const owner = { installation: `acme ${algorithm}`, person: "ann" };
    const options = await passkeyRegistration(owner, challenge, RP);
    const pubKeyCredParams = options.pubKeyCredParams.filter(({ alg }) => alg === algorithm);
    const answer = await browser.register({ ...options, pubKeyCredParams });
    return enrolledPasskey(answer, challenge, browser.origin, RP);
  }

  async function answerOf(credential: Credential, text = TEXT): Promise<unknown> {
    return browser.sign(await passkeyRequest(text, [credential], RP));
  }

  test("enrols an ECDSA passkey and signs with it, and OpenSSH verifies the signature", async () => {
    const asked = { person: "ann", text: TEXT, credentials: [rsa, ecdsa] };
    const signature = await passkeySignature(asked, await answerOf(ecdsa), browser.origin);
    expect(whyNotSigned(TEXT, signature, ecdsa)).toBe(undefined);
    expect(opensshAccepts(TEXT, signature, ecdsa)).toBe(true);
    expect(opensshAccepts(`${TEXT} `, signature, ecdsa)).toBe(false);
    expect(signatureKey(signature)).toBe(ecdsa.key);
  });

  test("enrols an RSA passkey and signs with it, and openssl verifies the signature", async () => {
    const asked = { person: "ann", text: TEXT, credentials: [ecdsa, rsa] };
    const signature = await passkeySignature(asked, await answerOf(rsa), browser.origin);
    expect(whyNotSigned(TEXT, signature, rsa)).toBe(undefined);
    expect(opensslAccepts(signature)).toBe(true);
    expect(signatureKey(signature)).toBe(rsa.key);
    expect(fingerprintOf(rsa)).toMatch(/^SHA256:[\w+/]{43}$/);
  });

  test("is asked for her PIN or fingerprint, for either kind of passkey, and to sign with one of hers", async () => {
    const owner = { installation: "acme", person: "ann" };
    const options = await passkeyRegistration(owner, randomBytes(32), RP);
    expect(options).toMatchObject({
      rp: { id: RP },
      user: { name: "ann" },
      attestation: "none",
      authenticatorSelection: { userVerification: "required", residentKey: "preferred" },
    });
    expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([ES256, RS256]);
    const request = await passkeyRequest(TEXT, [ecdsa, ecdsaPasskey().credential], RP);
    expect(request).toMatchObject({
      challenge: signedBytes(TEXT).toString("base64url"),
      allowCredentials: [{ id: ecdsa.passkey?.id }],
      userVerification: "required",
    });
  });

  test("cannot sign if she is not verified, even if the page no longer asks for it", async () => {
    const request = await passkeyRequest(TEXT, [ecdsa], RP);
    await browser.verifiesUser(false);
    const answer = await browser.sign({ ...request, userVerification: "discouraged" });
    await browser.verifiesUser(true);
    const asked = { person: "ann", text: TEXT, credentials: [ecdsa] };
    await expect(passkeySignature(asked, answer, browser.origin)).rejects.toThrow(/did not check the PIN/);
  });

  test("signs nothing by an answer for another text, page, person or passkey", async () => {
    const answer = await answerOf(ecdsa);
    const asked = { person: "ann", text: TEXT, credentials: [ecdsa] };
    const other = { ...ecdsa, passkey: { id: "AAAA", rp: RP } };
    const wrong = [
      passkeySignature({ ...asked, text: `${TEXT} ` }, answer, browser.origin),
      passkeySignature({ ...asked, credentials: [rsa, other] }, answer, browser.origin),
      passkeySignature(asked, answer, "http://localhost:1"),
      passkeySignature(asked, answer, "https://localhost"),
      ...[undefined, null, {}, "text", { id: ecdsa.passkey?.id }].map((junk) =>
        passkeySignature(asked, junk, browser.origin),
      ),
    ];
    expect((await Promise.allSettled(wrong)).map(codeOf)).toEqual(wrong.map(() => "SIGNATURE_INVALID"));
  });

  test("enrols nothing by an answer to another challenge, or of another page or site", async () => {
    const challenge = randomBytes(32);
    const owner = { installation: "acme twice", person: "ann" };
    const answer = await browser.register(await passkeyRegistration(owner, challenge, RP));
    const wrong = [
      enrolledPasskey(answer, randomBytes(32), browser.origin, RP),
      enrolledPasskey(answer, challenge, "https://localhost", RP),
      enrolledPasskey(answer, challenge, browser.origin, "example.com"),
      enrolledPasskey({}, challenge, browser.origin, RP),
      enrolledPasskey(undefined, challenge, browser.origin, RP),
    ];
    expect((await Promise.allSettled(wrong)).map(codeOf)).toEqual(wrong.map(() => "KEY_UNUSABLE"));
  });
});

describe.each([
  ["ECDSA", ecdsaPasskey()],
  ["RSA", rsaPasskey()],
])("the signature of an %s passkey", (_, passkey) => {
  const { credential } = passkey;
  const isRsa = credential.key.startsWith("ssh-rsa ");
  const why = (different: Different) =>
    whyNotSigned(TEXT, signByPasskey(TEXT, passkey, different), credential);

  test("holds if a person was there and verified, and the judges from outside agree", () => {
    for (const good of [
      {},
      { flags: 0x1d },
      { flags: 0x85, extensions: "\xa0" },
      { client: { more: "x" } },
    ]) {
      expect(why(good)).toBe(undefined);
      const signature = signByPasskey(TEXT, passkey, good);
      expect(isRsa ? opensslAccepts(signature) : opensshAccepts(TEXT, signature, credential)).toBe(true);
    }
  });

  test("does not hold if nobody was there, or nobody was verified", () => {
    expect(why({ flags: 0x04 })).toBe("nobody-present");
    expect(why({ flags: 0x01 })).toBe("nobody-verified");
    expect(why({ flags: 0 })).toBe("nobody-present");
  });

  test("does not hold with flags that promise what is not there, or data that they do not name", () => {
    expect(why({ flags: 0x45 })).toBe("unreadable");
    expect(why({ flags: 0x85 })).toBe("unreadable");
    expect(why({ extensions: "\xa0" })).toBe("unreadable");
  });

  test("does not hold if it was made for another site, or on a page of another one", () => {
    // OpenSSH's form has no place for a site other than the key's.
    expect(why({ site: "example.com" })).toBe(isRsa ? "other-site" : "other-text");
    for (const origin of [
      "https://pay.example.com.evil.com",
      "https://example.com",
      "https://a.pay.example.com",
      "http://pay.example.com",
      "https://pay.example.com/",
      "https://PAY.example.com",
      "https://user@pay.example.com",
      "android:apk-key-hash:AAAA",
      "null",
      "",
    ])
      expect(why({ client: { origin } }), origin).toBe("other-site");
    expect(why({ client: { origin: "https://pay.example.com:8443" } })).toBe(undefined);
  });

  test("does not hold if the page stood in another one's frame", () => {
    expect(why({ client: { crossOrigin: true } })).toBe("unreadable");
    expect(why({ client: { topOrigin: "https://evil.com" } })).toBe("unreadable");
    expect(why({ client: { crossOrigin: undefined } })).toBe(undefined);
  });

  test("does not hold for another challenge, or another ceremony", () => {
    const challenge = signedBytes(`${TEXT} `).toString("base64url");
    expect(why({ client: { challenge } })).toBe("other-text");
    expect(why({ client: { challenge: "" } })).toBe("other-text");
    expect(why({ client: { type: "webauthn.create" } })).toBe("unreadable");
    expect(why({ client: { type: "payment.get" } })).toBe("unreadable");
  });

  test("does not hold if its client data can be read in two ways", () => {
    const challenge = signedBytes(TEXT).toString("base64url");
    const other = signedBytes(`${TEXT} `).toString("base64url");
    const [type, origin] = ['"type":"webauthn.get"', '"origin":"https://pay.example.com"'];
    for (const clientText of [
      `{${type},"challenge":"${other}",${origin},"challenge":"${challenge}"}`,
      `{${type},"challenge":"${challenge}",${origin},"challenge":"${other}"}`,
      `{${type},"challenge":"${challenge}",${origin},"origin":"https://evil.com"}`,
      `{${type},${origin},"challenge":"${challenge}"}`,
      `{ ${type},"challenge":"${challenge}",${origin}}`,
      `{${type},"challenge":"${challenge}",${origin}} x`,
      `{${type},"challenge":"${challenge}",${origin}`,
      "[]",
      "null",
      "",
    ])
      expect(why({ clientText }), clientText).toBe("unreadable");
  });

  test("does not hold with any one byte changed, cut off or added", () => {
    const signature = signByPasskey(TEXT, passkey);
    const forgeries = isRsa ? changedTexts(signature) : changedBytes(signature);
    const accepted = forgeries.filter((forged) => whyNotSigned(TEXT, forged, credential) === undefined);
    expect(accepted).toEqual([]);
  });

  test("does not hold for another key, or for the same key enrolled otherwise", () => {
    const signature = signByPasskey(TEXT, passkey);
    const other = isRsa ? rsaPasskey() : ecdsaPasskey();
    expect(whyNotSigned(TEXT, signature, other.credential)).toBe("other-key");
    expect(whyNotSigned(TEXT, signature, { key: credential.key })).toBe("key-unusable");
    const elsewhere = { ...credential, passkey: { id: "cGFzc2tleQ", rp: "example.com" } };
    expect(whyNotSigned(TEXT, signature, elsewhere)).toBe(isRsa ? "other-site" : "key-unusable");
    for (const id of ["", "a=", "a b"]) {
      const unnamed = { ...credential, passkey: { id, rp: "pay.example.com" } };
      expect(whyNotSigned(TEXT, signature, unnamed)).toBe("key-unusable");
    }
  });
});

describe("an ECDSA passkey's signature", () => {
  test("does not hold in the form of a security key, which says nothing of the page", () => {
    const { credential, privateKey } = ecdsaPasskey();
    const type = "sk-ecdsa-sha2-nistp256@openssh.com";
    const key = { type, credential, privateKey, application: "pay.example.com" };
    const signature = signBySecurityKey(TEXT, key, 0x05);
    expect(opensshAccepts(TEXT, signature, credential)).toBe(true);
    expect(whyNotSigned(TEXT, signature, credential)).toBe("unreadable");
  });

  test("does not hold if its origin is not the one that was signed", () => {
    const passkey = ecdsaPasskey();
    const forged = signByPasskey(TEXT, passkey, { origin: "https://pay.example.com:1" });
    expect(whyNotSigned(TEXT, forged, passkey.credential)).toBe("unreadable");
  });

  test("does not hold for a plain key", () => {
    const key = { ...ecdsaPasskey("ssh:"), type: "" };
    expect(whyNotSigned(TEXT, signByPasskey(TEXT, key), { key: key.credential.key })).toBe("unreadable");
  });
});

test("an RSA passkey is refused if it is short, or has an unusual exponent", () => {
  for (const passkey of [rsaPasskey(undefined, 1024), rsaPasskey(undefined, 2048, 3)])
    expect(whyNotSigned(TEXT, signByPasskey(TEXT, passkey), passkey.credential)).toBe("key-unusable");
});

function codeOf(attempt: PromiseSettledResult<unknown>): unknown {
  const reason: unknown = attempt.status === "rejected" ? attempt.reason : "accepted";
  return reason instanceof Fault ? reason.problem.code : reason;
}

function* indexes(length: number): Generator<number> {
  for (let at = 0; at < length; at += 1) yield at;
}

/** For an SSH signature. */
function changedBytes(signature: string): string[] {
  const bytes = dearmored(signature);
  const changed = [...bytes.entries()].map(([at, byte]) => {
    const forged = Buffer.from(bytes);
    forged.writeUInt8(byte ^ (1 << (at % 8)), at);
    return forged;
  });
  const cut = [...indexes(bytes.length)].map((length) => bytes.subarray(0, length));
  return [...changed, ...cut, Buffer.concat([bytes, Buffer.of(0)])].map(armored);
}

/** For a signature in JSON. */
function changedTexts(signature: string): string[] {
  return [...indexes(signature.length)].map((at) => {
    const [before, after] = [signature.slice(0, at), signature.slice(at + 1)];
    const other = signature[at] === "A" ? "B" : "A";
    return before + ([other, "", `${signature[at]} `][at % 3] ?? "") + after;
  });
}
