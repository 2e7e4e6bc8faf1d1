/**
 * Signatures made by OpenSSH, and forgeries of them. `ssh-keygen -Y verify` must accept every signature accepted
 * here.
 */
import { execFileSync } from "node:child_process";
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import {
  type Credential,
  fingerprintOf,
  readPublicKey,
  signatureKey,
  whyNotSigned,
} from "../../src/people/index.ts";
import { ed25519Key, signatureText, signedBytes } from "../../src/people/ssh-signature.ts";
import { wireInteger, wireString } from "../../src/people/ssh-wire.ts";
import { makeKey, signBy, signByOpenssh } from "./keys.ts";
import {
  armored,
  dearmored,
  inAgent,
  opensshAccepts,
  securityKey,
  signBySecurityKey,
  sshSignature,
} from "./openssh.ts";

const TEXT = '{"batch":"B-000001","decision":"approve","file":"Löhne ✓.xlsx"}';

const KEYS = {
  ed25519: makeKey(),
  nistp256: makeKey("ecdsa", "-b", "256"),
  nistp384: makeKey("ecdsa", "-b", "384"),
  nistp521: makeKey("ecdsa", "-b", "521"),
};
const kinds = Object.entries(KEYS);
const { ed25519, nistp256 } = KEYS;
const good = signByOpenssh(ed25519, TEXT);

describe("what somebody signed", () => {
  test.each(kinds)("with an %s key of OpenSSH is theirs, and names the key", (_, key) => {
    const signature = signByOpenssh(key, TEXT);
    expect(whyNotSigned(TEXT, signature, key.credential)).toBe(undefined);
    expect(signatureKey(signature)).toBe(key.credential.key);
    expect(fingerprintOf(key.credential)).toBe(key.fingerprint);
  });

  test("with an ed25519 key is the same, byte for byte, as tests sign it without OpenSSH", () => {
    for (const namespace of ["paydrop-approval", "paydrop-trial"] as const)
      expect(signBy(ed25519, TEXT, namespace)).toBe(signByOpenssh(ed25519, TEXT, namespace));
  });

  test.each([
    ["ed25519", ""],
    ["ecdsa", "256"],
    ["ecdsa", "384"],
    ["ecdsa", "521"],
  ])("with an %s %s key that only their agent has is theirs", (type, bits) => {
    const { path, credential } = bits === "" ? makeKey(type) : makeKey(type, "-b", bits);
    const signature = inAgent(path, (env) => {
      rmSync(path);
      const call = ["-Y", "sign", "-n", "paydrop-approval", "-f", `${path}.pub`];
      return execFileSync("ssh-keygen", call, { input: TEXT, env, stdio: ["pipe", "pipe", "ignore"] });
    });
    expect(whyNotSigned(TEXT, signature.toString(), credential)).toBe(undefined);
  });

  test.each(["ed25519", "ecdsa"] as const)(
    "with a security key (%s) is theirs, and OpenSSH agrees",
    (kind) => {
      const key = securityKey(kind);
      for (const flags of [0x01, 0x05]) {
        const signature = signBySecurityKey(TEXT, key, flags);
        expect(whyNotSigned(TEXT, signature, key.credential)).toBe(undefined);
        expect(opensshAccepts(TEXT, signature, key.credential)).toBe(true);
        expect(signatureKey(signature)).toBe(key.credential.key);
      }
    },
  );

  test("with an ed25519 key of another program is theirs, and OpenSSH agrees", () => {
    const privateKey = createPrivateKey({
      key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 7)]),
      format: "der",
      type: "pkcs8",
    });
    const key = ed25519Key(privateKey);
    const signature = signatureText(key, sign(null, signedBytes(TEXT), privateKey));
    expect(whyNotSigned(TEXT, signature, { key })).toBe(undefined);
    expect(opensshAccepts(TEXT, signature, { key })).toBe(true);
  });
});

describe("nobody can pass off as somebody's", () => {
  test.each([...kinds, ["security key", undefined] as const])(
    "a signature by %s with any one byte changed",
    (_, made) => {
      const hardware = securityKey("ecdsa");
      const { credential } = made ?? hardware;
      const bytes = dearmored(
        made === undefined ? signBySecurityKey(TEXT, hardware) : signByOpenssh(made, TEXT),
      );
      const accepted: number[] = [];
      for (const [at, byte] of bytes.entries()) {
        const forged = Buffer.from(bytes);
        forged.writeUInt8(byte ^ (1 << (at % 8)), at);
        if (whyNotSigned(TEXT, armored(forged), credential) === undefined) accepted.push(at);
      }
      expect(accepted).toEqual([]);
    },
  );

  test("a signature with another character anywhere in its text", () => {
    for (let at = 0; at < good.length; at += 1) {
      for (const character of ["", "A", "=", " ", "\r", "\n\n"]) {
        const changed = good.slice(0, at) + character + good.slice(at + 1);
        if (changed !== good) expect(whyNotSigned(TEXT, changed, ed25519.credential), `${at}`).toBeDefined();
      }
    }
  });

  test("a signature of another text, by another key, or for another purpose", () => {
    expect(whyNotSigned(`${TEXT} `, good, ed25519.credential)).toBe("other-text");
    expect(whyNotSigned(TEXT, signByOpenssh(makeKey(), TEXT), ed25519.credential)).toBe("other-key");
    const another = makeKey().credential;
    expect(whyNotSigned(TEXT, good, ed25519.credential)).toBe(undefined);
    expect(whyNotSigned(TEXT, sshSignature(another, rawPartOf(good)), another)).toBe("other-text");
    expect(whyNotSigned(TEXT, signByOpenssh(ed25519, TEXT, "file"), ed25519.credential)).toBe(
      "other-purpose",
    );
    expect(whyNotSigned(TEXT, signByOpenssh(ed25519, TEXT, "paydrop-approval2"), ed25519.credential)).toBe(
      "other-purpose",
    );
  });

  test("a signature over SHA-256, though OpenSSH accepts it", () => {
    const call = ["-Y", "sign", "-O", "hashalg=sha256", "-n", "paydrop-approval", "-f", ed25519.path];
    const made = execFileSync("ssh-keygen", call, { input: TEXT, stdio: ["pipe", "pipe", "ignore"] });
    expect(opensshAccepts(TEXT, made.toString(), ed25519.credential)).toBe(true);
    expect(whyNotSigned(TEXT, made.toString(), ed25519.credential)).toBe("other-hash");
  });

  test("a signature in another form: version, reserved field, bytes behind it or behind its parts", () => {
    const signature = rawPartOf(good);
    const again = sshSignature(ed25519.credential, signature);
    expect(again).toBe(good);
    const others = [
      sshSignature(ed25519.credential, signature, { version: 2 }),
      sshSignature(ed25519.credential, signature, { reserved: "x" }),
      sshSignature(ed25519.credential, signature, { behind: "x" }),
      sshSignature(ed25519.credential, Buffer.concat([signature, Buffer.of(0)])),
      sshSignature(ed25519.credential, signature.subarray(0, -1)),
      `${good}\n`,
      good.trimEnd(),
      `\n${good}`,
      good + good,
      good.replaceAll("\n", "\r\n"),
    ];
    expect(others.map((other) => whyNotSigned(TEXT, other, ed25519.credential))).toEqual(
      others.map(() => "unreadable"),
    );
  });

  test("a signature by a security key that nobody touched", () => {
    for (const key of [securityKey("ed25519"), securityKey("ecdsa")]) {
      expect(whyNotSigned(TEXT, signBySecurityKey(TEXT, key, 0), key.credential)).toBe("nobody-present");
      // The key verified a PIN, but nobody touched it.
      expect(whyNotSigned(TEXT, signBySecurityKey(TEXT, key, 4), key.credential)).toBe("nobody-present");
      // Its flags promise data that is missing.
      for (const flags of [0x41, 0x81])
        expect(whyNotSigned(TEXT, signBySecurityKey(TEXT, key, flags), key.credential)).toBe("unreadable");
    }
  });

  test("a signature by a plain key as a security key's, or the reverse", () => {
    const key = securityKey("ed25519");
    const plain = { key: ed25519Key(createPublicKey(key.privateKey)) };
    const signature = signBySecurityKey(TEXT, key);
    expect(whyNotSigned(TEXT, signature, plain)).toBe("other-key");
    expect(whyNotSigned(TEXT, sshSignature(plain, rawPartOf(signature)), plain)).toBe("unreadable");
    const made = signatureText(plain.key, sign(null, signedBytes(TEXT), key.privateKey));
    expect(whyNotSigned(TEXT, sshSignature(key.credential, rawPartOf(made)), key.credential)).toBe(
      "unreadable",
    );
  });

  test("numbers of an ECDSA signature that are swapped, zero, negative, padded or too long", () => {
    const { credential } = nistp256;
    const [r, s] = numbersOf(signByOpenssh(nistp256, TEXT));
    const zeros = (number: Buffer) => wireString(Buffer.concat([Buffer.alloc(2), number]));
    const pairs: readonly (readonly [Buffer, Buffer])[] = [
      [wireInteger(s), wireInteger(r)],
      [wireString(""), wireInteger(s)],
      [wireString(Buffer.of(0)), wireInteger(s)],
      [wireInteger(r), wireString(Buffer.of(0x80, ...s.subarray(1)))],
      [zeros(r), wireInteger(s)],
      [wireInteger(r), zeros(s)],
      // One number in 256 is shorter than 32 bytes.
      [wireInteger(Buffer.concat([Buffer.alloc(33 - r.length, 1), r])), wireInteger(s)],
    ];
    const why = pairs.map((pair) => whyNotSigned(TEXT, ofNumbers(credential, pair), credential));
    expect(why).toEqual(["other-text", ...Array.from({ length: 6 }, () => "unreadable")]);
    expect(whyNotSigned(TEXT, ofNumbers(credential, [wireInteger(r), wireInteger(s)]), credential)).toBe(
      undefined,
    );
  });

  test("anything else: empty, long, or arbitrary texts, in no time", () => {
    const start = performance.now();
    const junk = "A".repeat(1_000_000);
    const armoredJunk = armored(Buffer.alloc(750_000, 1));
    for (const text of ["", " ", "{}", "[]", "null", junk, armoredJunk, `{"key":"${junk}"}`, "é", "\0"]) {
      for (const { credential } of Object.values(KEYS))
        expect(whyNotSigned(TEXT, text, credential)).toBe("unreadable");
      expect(signatureKey(text)).toBe(undefined);
    }
    expect(performance.now() - start).toBeLessThan(500);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.string(), (bytes, text) => {
        const made = armored(Buffer.concat([Buffer.from("SSHSIG"), Buffer.of(0, 0, 0, 1), bytes]));
        expect(whyNotSigned(TEXT, made, ed25519.credential)).toBe("unreadable");
        expect(whyNotSigned(TEXT, text, { key: text })).toBe("key-unusable");
        signatureKey(made);
      }),
    );
  });
});

test("an ECDSA signature that anybody can derive from a good one holds too, as with OpenSSH: it says the same", () => {
  const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const [r, s] = numbersOf(signByOpenssh(nistp256, TEXT));
  const other = (order - BigInt(`0x${s.toString("hex")}`)).toString(16).padStart(64, "0");
  const numbers = [wireInteger(r), wireInteger(Buffer.from(other, "hex"))] as const;
  const derived = ofNumbers(nistp256.credential, numbers);
  expect(whyNotSigned(TEXT, derived, nistp256.credential)).toBe(undefined);
  expect(opensshAccepts(TEXT, derived, nistp256.credential)).toBe(true);
});

describe("a public key", () => {
  test.each(kinds)(
    "of type %s is read from a line with a comment, as `ssh-keygen -lf` knows it",
    (_, made) => {
      const { key } = made.credential;
      const read = readPublicKey(`${key} ann@example.com of accounting\n`);
      expect(read).toMatchObject({ key, fingerprint: made.fingerprint, type: key.split(" ")[0] });
    },
  );

  test.each(["ed25519", "ecdsa"] as const)("of a security key (%s) is read", (kind) => {
    const { type, credential } = securityKey(kind);
    expect(readPublicKey(credential.key)).toMatchObject({ type, application: "ssh:" });
  });

  test("is refused whole if a byte of it is missing, added, or says something else", () => {
    for (const { credential } of [...Object.values(KEYS), securityKey("ed25519"), securityKey("ecdsa")]) {
      const [type = "", base64 = ""] = credential.key.split(" ");
      const blob = Buffer.from(base64, "base64");
      for (let length = 0; length < blob.length; length += 1)
        expect(() => readPublicKey(lineOf(type, blob.subarray(0, length)))).toThrow(Fault);
      expect(() => readPublicKey(lineOf(type, Buffer.concat([blob, Buffer.of(0)])))).toThrow(Fault);
      // The blob repeats the type, and for ECDSA the curve.
      for (const found of blob.toString("latin1").matchAll(/ed25519|nistp/g)) {
        const other = Buffer.from(blob);
        other.write("x", found.index);
        expect(() => readPublicKey(lineOf(type, other))).toThrow(Fault);
      }
      expect(() => readPublicKey(`ssh-ed25519x ${base64}`)).toThrow(/neither an ed25519 nor/);
      expect(() => readPublicKey(`${type} ${base64.slice(0, -1)}*`)).toThrow(Fault);
    }
    const { key } = ed25519.credential;
    for (const line of [
      "",
      "\n",
      key.slice(12),
      `${key}\n${key}`,
      `command="x" ${key}`,
      `${key} ${"x".repeat(1e6)}\n${key}`,
    ])
      expect(() => readPublicKey(line), line.slice(0, 99)).toThrow(Fault);
  });

  test("is refused if it is RSA or DSA, which only passkeys may be", () => {
    expect(() => readPublicKey(makeKey("rsa", "-b", "2048").credential.key)).toThrow(
      /an RSA key is accepted only from/,
    );
    expect(() => readPublicKey(lineOf("ssh-dss", wireString("ssh-dss")))).toThrow(/neither an ed25519 nor/);
  });

  test("is refused if its point is not on its curve", () => {
    const blob = dearmoredKey(nistp256.credential);
    blob.writeUInt8((blob.at(-1) ?? 0) ^ 1, blob.length - 1);
    expect(() => readPublicKey(lineOf("ecdsa-sha2-nistp256", blob))).toThrow(/not a complete public key/);
  });

  test("is refused if anybody can make its signatures", () => {
    const nothing = Buffer.concat([Buffer.of(1), Buffer.alloc(31)]);
    const credential = {
      key: lineOf("ssh-ed25519", Buffer.concat([wireString("ssh-ed25519"), wireString(nothing)])),
    };
    const forged = signatureText(credential.key, Buffer.concat([nothing, Buffer.alloc(32)]));
    expect(opensshAccepts(TEXT, forged, credential)).toBe(true);
    expect(whyNotSigned(TEXT, forged, credential)).toBe("key-unusable");
    expect(() => readPublicKey(credential.key)).toThrow(/too weak/);
  });

  test("of a security key for a site is a passkey's, and not taken as a plain one", () => {
    const { credential, ...key } = securityKey("ecdsa", "localhost");
    expect(() => readPublicKey(credential.key)).toThrow(/belongs to a passkey/);
    const signature = signBySecurityKey(TEXT, { ...key, credential });
    expect(whyNotSigned(TEXT, signature, credential)).toBe("key-unusable");
    const passkey = { id: "AAAA", rp: "localhost" };
    expect(whyNotSigned(TEXT, signature, { ...credential, passkey })).toBe("unreadable");
  });
});

/** The raw signature at the end of an SSH signature, with its type. */
function rawPartOf(signature: string): Buffer {
  const bytes = dearmored(signature);
  let at = "SSHSIG".length + 4;
  for (let skipped = 0; skipped < 4; skipped += 1) at += 4 + bytes.readUInt32BE(at);
  return bytes.subarray(at + 4);
}

/** r and s of an ECDSA signature, as unsigned numbers. */
function numbersOf(signature: string): readonly [Buffer, Buffer] {
  const parts = rawPartOf(signature);
  const numbers = parts.subarray(4 + parts.readUInt32BE() + 4);
  const [r, s] = [
    numbers.subarray(4, 4 + numbers.readUInt32BE()),
    numbers.subarray(4 + numbers.readUInt32BE() + 4),
  ];
  return [withoutSign(r), withoutSign(s)];
}

function withoutSign(mpint: Buffer): Buffer {
  return mpint[0] === 0 ? mpint.subarray(1) : mpint;
}

function ofNumbers(credential: Credential, [r, s]: readonly [Buffer, Buffer]): string {
  const [type = ""] = credential.key.split(" ");
  return sshSignature(credential, Buffer.concat([wireString(type), wireString(Buffer.concat([r, s]))]));
}

function dearmoredKey({ key }: Credential): Buffer {
  return Buffer.from(key.split(" ")[1] ?? "", "base64");
}

function lineOf(type: string, blob: Buffer): string {
  return `${type} ${blob.toString("base64")}`;
}
