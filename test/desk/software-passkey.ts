/** A passkey made of software that answers a page as a browser would, where a whole office enrols at once. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { unescaped } from "./visitor.ts";

/** CBOR of a byte string; of a text where `major` is 0x60. */
function cbor(bytes: Buffer, major = 0x40): Buffer {
  const { length } = bytes;
  const head = length < 24 ? Buffer.of(major + length) : Buffer.of(major + 24, length);
  return Buffer.concat([head, bytes]);
}

const text = (value: string) => cbor(Buffer.from(value), 0x60);
const sha256 = (value: string | Buffer) => createHash("sha256").update(value).digest();

/** `origin`: of the page, whose host name is the site. */
export function softwarePasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (flags: number) =>
    Buffer.concat([sha256(new URL(origin).hostname), Buffer.of(flags, 0, 0, 0, 0)]);
  const answer = (response: Readonly<Record<string, Buffer>>) => {
    const members = Object.entries(response).map(([name, bytes]) => [name, bytes.toString("base64url")]);
    const own = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };
    return JSON.stringify({ ...own, response: Object.fromEntries(members) });
  };
  return {
    /** `page`: with `data-registration`. */
    register(page: string): string {
      // COSE: EC2, ES256, P-256, x and y.
      const points = [x, y].map((point) => cbor(Buffer.from(point, "base64url")));
      const [first = Buffer.of(), second = Buffer.of()] = points;
      const key = Buffer.concat([Buffer.from("a501020326200121", "hex"), first, Buffer.of(0x22), second]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, key]);
      const data = Buffer.concat([authenticatorData(0x45), credential]);
      const members = [
        text("fmt"),
        text("none"),
        text("attStmt"),
        Buffer.of(0xa0),
        text("authData"),
        cbor(data),
      ];
      return answer({
        clientDataJSON: clientData("webauthn.create", challengeIn(page, "registration")),
        attestationObject: Buffer.concat([Buffer.of(0xa3), ...members]),
      });
    },
    /** `page`: with `data-request`. */
    sign(page: string): string {
      const [client, data] = [
        clientData("webauthn.get", challengeIn(page, "request")),
        authenticatorData(0x05),
      ];
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return answer({ authenticatorData: data, clientDataJSON: client, signature });
    },
  };
}

function challengeIn(page: string, which: "registration" | "request"): string {
  const [, options = "{}"] = new RegExp(`data-${which}="([^"]*)"`).exec(page) ?? [];
  return String(JSON.parse(unescaped(options)).challenge);
}
