/** Passkeys made of software, which sign whatever they are told to: what a browser or an authenticator never would. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { rsaSignatureText } from "../../src/people/assertion.ts";
import type { Credential } from "../../src/people/index.ts";
import { signedBytes } from "../../src/people/ssh-signature.ts";
import { wireInteger, wireString } from "../../src/people/ssh-wire.ts";
import { rawSignature, securityKey, sha256, sshSignature } from "./openssh.ts";

export interface Passkey {
  readonly credential: Credential;
  readonly privateKey: KeyObject;
}

export function ecdsaPasskey(rp = "pay.example.com"): Passkey {
  const { credential, privateKey } = securityKey("ecdsa", rp);
  return { credential: { ...credential, passkey: { id: "cGFzc2tleQ", rp } }, privateKey };
}

export function rsaPasskey(rp = "pay.example.com", modulusLength = 2048, publicExponent = 65_537): Passkey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength, publicExponent });
  const { e = "", n = "" } = publicKey.export({ format: "jwk" });
  const parts = [e, n].map((part) => wireInteger(Buffer.from(part, "base64url")));
  const blob = Buffer.concat([wireString("ssh-rsa"), ...parts]);
  return {
    credential: { key: `ssh-rsa ${blob.toString("base64")}`, passkey: { id: "cGFzc2tleQ", rp } },
    privateKey,
  };
}

/** How a signature differs from a good one. */
export interface Different {
  readonly flags?: number;
  readonly extensions?: string;
  readonly site?: string;
  readonly client?: object;
  /** The whole client data, as it stands. */
  readonly clientText?: string;
  /** As the signature has it, which only OpenSSH's form repeats. */
  readonly origin?: string;
}

const ORIGIN = "https://pay.example.com";

export function signByPasskey(text: string, passkey: Passkey, different: Different = {}): string {
  const { credential, privateKey } = passkey;
  const { flags = 0x05, extensions = "", site = credential.passkey?.rp ?? "" } = different;
  const challenge = signedBytes(text).toString("base64url");
  const client = { type: "webauthn.get", challenge, origin: ORIGIN, crossOrigin: false, ...different.client };
  const clientData = Buffer.from(different.clientText ?? JSON.stringify(client));
  const state = Buffer.of(flags, 0, 0, 0, 9);
  const authenticatorData = Buffer.concat([sha256(site), state, Buffer.from(extensions)]);
  const data = Buffer.concat([authenticatorData, sha256(clientData)]);
  if (privateKey.asymmetricKeyType === "rsa") {
    const signature = sign("sha256", data, privateKey);
    return rsaSignatureText({ authenticatorData, clientData, key: credential.key, signature });
  }
  const strings = [different.origin ?? client.origin, clientData, extensions].map((part) => wireString(part));
  const type = wireString("webauthn-sk-ecdsa-sha2-nistp256@openssh.com");
  const made = wireString(rawSignature(data, privateKey));
  return sshSignature(credential, Buffer.concat([type, made, state, ...strings]));
}
