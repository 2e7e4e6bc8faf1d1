/** How a face obtains signatures: the terminal by OpenSSH, a browser by passkeys. */
import { fault } from "../faults/index.ts";
import type { Credential, SignedStatement } from "../people/index.ts";

/** A request for a signature. */
export interface AskedToSign {
  readonly person: string;
  /** Canonical JSON. */
  readonly text: string;
  /** One of these must sign. */
  readonly credentials: readonly Credential[];
  /** Fingerprints of further keys that may sign although the roster does not have them yet: those of the root. */
  readonly orKeys?: readonly string[];
}

/**
 * Shows a statement to its person and has them sign it. A face may return the same statement in the form that it
 * showed some minutes earlier. Throws PROOF_MISSING, SIGNING_FAILED and NOT_CONFIRMED.
 */
export type Sign = (asked: AskedToSign) => Promise<SignedStatement>;

export function signNobody({ person }: AskedToSign): Promise<SignedStatement> {
  return Promise.reject(fault("PROOF_MISSING", { person, reason: "unattended" }));
}
