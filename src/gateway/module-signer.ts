/** Signing by a module that the user provides, for services whose scheme is not HMAC-SHA-256. */
import { pathToFileURL } from "node:url";
import type { SignedHeaders, Signer, SigningInput } from "./signing.ts";

/** The argument of the module's default export. */
export interface ModuleSigningInput extends SigningInput {
  /** PAYDROP_KEY. */
  readonly key: string;
  /** PAYDROP_SIGNING_SECRET, if it is set. */
  readonly secret: string | undefined;
}

type SigningModule = (input: ModuleSigningInput) => unknown;

/** Headers for message framing and routing, which a signer must not set. */
const FORBIDDEN_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** `token` and `field-value` of RFC 9110, 5.1 and 5.5. Signatures often end in a line feed by mistake. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * A signer that loads the module when it first signs. It rejects, naming the module, if the module cannot be
 * loaded, has no default function, throws, or returns anything but header texts that include `key` and `signature`.
 */
export function moduleSigner(modulePath: string, key: string, secret: string | undefined): Signer {
  let loading: Promise<SigningModule> | undefined;
  return async (input) => {
    try {
      loading ??= load(modulePath);
      const sign = await loading;
      // A copy, so that the module cannot change the bytes that are sent.
      return checkedHeaders(await sign({ ...input, body: Buffer.from(input.body), key, secret }));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`${modulePath}: ${reason}`, { cause });
    }
  };
}

async function load(modulePath: string): Promise<SigningModule> {
  const loaded: { default?: unknown } = await import(pathToFileURL(modulePath).href);
  if (typeof loaded.default !== "function") throw new Error("it has no function as its default export");
  return loaded.default as SigningModule;
}

function checkedHeaders(returned: unknown): SignedHeaders {
  if (typeof returned !== "object" || returned === null) throw new Error("it returned no headers");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(returned)) {
    if (typeof value !== "string") throw new Error(`the header ${name} is not a text`);
    if (!HEADER_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a header`);
    if (!HEADER_VALUE.test(value))
      throw new Error(`the header ${name} has a line feed or another character that no header can have`);
    if (FORBIDDEN_HEADERS.has(name.toLowerCase()))
      throw new Error(`the header ${name} is not its own to set`);
    headers[name.toLowerCase()] = value;
  }
  for (const name of ["key", "signature"]) {
    if (headers[name] === undefined) throw new Error(`the header ${name} is missing`);
  }
  return headers;
}
