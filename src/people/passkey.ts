/**
 * Passkeys in the browser (WebAuthn): the requests to the browser, and whether its answers are valid.
 * @simplewebauthn/server checks the answers and is loaded only for that. A stored passkey is a credential like any
 * other, and so is its signature.
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { z } from "zod";
import { Fault, fault, type SignatureFlaw } from "../faults/index.ts";
import { rsaSignatureText } from "./assertion.ts";
import { type Credential, type PublicKey, readCredential } from "./public-key.ts";
import { passkeySignatureText, signedBytes, whyNotSigned } from "./ssh-signature.ts";
import { wireInteger, wireString } from "./ssh-wire.ts";

/** COSE: ECDSA with P-256, and RSA, which Windows Hello makes. SSH has no form for ed25519 passkeys. */
const [ES256, RS256] = [-7, -257];

export interface PasskeyOwner {
  readonly installation: string;
  readonly person: string;
}

/** The options of `navigator.credentials.create` for a passkey of the site `rp`. */
export async function passkeyRegistration(
  { installation, person }: PasskeyOwner,
  challenge: Buffer<ArrayBuffer>,
  rp: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return generateRegistrationOptions({
    rpName: `Paydrop ${installation}`,
    rpID: rp,
    userName: person,
    userDisplayName: person,
    // Always the same for one person, so that their device lists them only once.
    userID: signedBytes(JSON.stringify([installation, person])).subarray(-64),
    challenge,
    attestationType: "none",
    authenticatorSelection: { userVerification: "required", residentKey: "preferred" },
    supportedAlgorithmIDs: [ES256, RS256],
  });
}

const registrationSchema = z.object({
  id: z.string(),
  rawId: z.string(),
  type: z.literal("public-key"),
  response: z.object({ clientDataJSON: z.string(), attestationObject: z.string() }),
});

/** The passkey that the browser made for this challenge. Throws KEY_UNUSABLE. `origin`: of the page. */
export async function enrolledPasskey(
  answer: unknown,
  challenge: Buffer,
  origin: string,
  rp: string,
): Promise<Credential> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const response = registrationSchema.safeParse(answer);
  if (!response.success) throw unusable("it is incomplete");
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response.data, clientExtensionResults: {} },
      expectedChallenge: challenge.toString("base64url"),
      expectedOrigin: origin,
      expectedRPID: rp,
      supportedAlgorithmIDs: [ES256, RS256],
    });
    if (!verified) throw unusable("its attestation does not hold");
    const { id, publicKey } = registrationInfo.credential;
    const credential = { key: await sshKeyOf(publicKey, rp), passkey: { id, rp } };
    readCredential(credential);
    return credential;
  } catch (error) {
    if (error instanceof Fault || !(error instanceof Error)) throw error;
    throw unusable(error.message, error);
  }
}

/**
 * The options of `navigator.credentials.get`, so that one of a person's passkeys of this site signs a statement.
 */
export async function passkeyRequest(
  text: string,
  credentials: readonly Credential[],
  rp: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return generateAuthenticationOptions({
    rpID: rp,
    challenge: signedBytes(text),
    allowCredentials: credentials.flatMap(({ passkey }) => (passkey?.rp === rp ? [{ id: passkey.id }] : [])),
    userVerification: "required",
  });
}

const assertionSchema = z.object({
  id: z.string(),
  rawId: z.string(),
  type: z.literal("public-key"),
  response: z.object({
    authenticatorData: z.base64url(),
    clientDataJSON: z.base64url(),
    signature: z.base64url(),
  }),
});

export interface AskedOfPasskeys {
  readonly person: string;
  readonly text: string;
  readonly credentials: readonly Credential[];
}

/** The signature in the browser's answer to a `passkeyRequest`. Throws SIGNATURE_INVALID. `origin`: of the page. */
export async function passkeySignature(
  { person, text, credentials }: AskedOfPasskeys,
  answer: unknown,
  origin: string,
): Promise<string> {
  const invalid = (reason: SignatureFlaw) => fault("SIGNATURE_INVALID", { person, reason });
  const read = assertionSchema.safeParse(answer);
  if (!read.success) throw invalid("unreadable");
  const response = read.data;
  const credential = credentials.find(({ passkey }) => passkey?.id === response.id);
  if (credential?.passkey === undefined) throw invalid("other-key");
  const key = readCredential(credential);
  const signature = signatureOf(response, key);
  const why = whyNotSigned(text, signature, credential);
  if (why !== undefined) throw invalid(why);
  const { id, rp } = credential.passkey;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: signedBytes(text).toString("base64url"),
      expectedOrigin: origin,
      expectedRPID: rp,
      credential: { id, publicKey: await coseKeyOf(key), counter: 0 },
    });
    if (verified) return signature;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const params = { person, reason: "browser", said: shortened(error.message) } as const;
    throw fault("SIGNATURE_INVALID", params, {}, { cause: error });
  }
  throw invalid("other-text");
}

function signatureOf({ response }: z.output<typeof assertionSchema>, { key, type }: PublicKey): string {
  const authenticatorData = Buffer.from(response.authenticatorData, "base64url");
  const clientData = Buffer.from(response.clientDataJSON, "base64url");
  const signature = Buffer.from(response.signature, "base64url");
  const assertion = { authenticatorData, clientData };
  return type === "ssh-rsa"
    ? rsaSignatureText({ ...assertion, key, signature })
    : passkeySignatureText(key, integersOf(signature), assertion);
}

/**
 * The integers in DER's SEQUENCE of two INTEGERs. For P-256 their lengths take one byte, and they already are
 * mpints.
 */
function integersOf(der: Buffer): Buffer {
  const r = der.subarray(4, 4 + (der[3] ?? 0));
  return Buffer.concat([wireString(r), wireString(der.subarray(4 + r.length + 2))]);
}

/** The labels under which COSE has the parts of a key (RFC 9053 and RFC 8230). */
const COSE = { type: 1, algorithm: 3, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 } as const;

async function sshKeyOf(cose: Uint8Array<ArrayBuffer>, rp: string): Promise<string> {
  const { isoCBOR } = await import("@simplewebauthn/server/helpers");
  const key = isoCBOR.decodeFirst<ReadonlyMap<number, unknown>>(cose);
  const bytesOf = (member: number) => z.instanceof(Uint8Array).parse(key.get(member));
  const [type, parts] =
    key.get(COSE.algorithm) === RS256
      ? ["ssh-rsa", [wireInteger(bytesOf(COSE.exponent)), wireInteger(bytesOf(COSE.modulus))]]
      : [
          "sk-ecdsa-sha2-nistp256@openssh.com",
          [
            wireString("nistp256"),
            wireString(Buffer.concat([Buffer.of(4), bytesOf(COSE.x), bytesOf(COSE.y)])),
            wireString(rp),
          ],
        ];
  return `${type} ${Buffer.concat([wireString(type), ...parts]).toString("base64")}`;
}

async function coseKeyOf({ cryptoKey }: PublicKey): Promise<Uint8Array<ArrayBuffer>> {
  const { isoCBOR } = await import("@simplewebauthn/server/helpers");
  const { kty, x = "", y = "", n = "", e = "" } = cryptoKey.export({ format: "jwk" });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
  const members: readonly (readonly [number, number | Uint8Array<ArrayBuffer>])[] =
    kty === "RSA"
      ? [
          [COSE.type, 3],
          [COSE.algorithm, RS256],
          [COSE.modulus, bytes(n)],
          [COSE.exponent, bytes(e)],
        ]
      : [
          [COSE.type, 2],
          [COSE.algorithm, ES256],
          [COSE.curve, 1],
          [COSE.x, bytes(x)],
          [COSE.y, bytes(y)],
        ];
  return isoCBOR.encode(new Map(members));
}

function unusable(what: string, cause?: Error): Fault {
  return fault("KEY_UNUSABLE", { reason: "browser", said: shortened(what) }, {}, cause && { cause });
}

const DESCRIPTION_LENGTH_MAX = 200;

function shortened(what: string): string {
  return what.slice(0, DESCRIPTION_LENGTH_MAX);
}
