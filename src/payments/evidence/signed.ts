/** What people signed, as files that OpenSSH and openssl verify (docs/verifying.md). */
import type { StoredStatement } from "../../store/statements.ts";

export interface SignedFile {
  readonly name: string;
  readonly text: string;
}

/** So that the names of a roster's changes sort in their order. */
export const CHANGE_DIGITS = 4;

/** Numbered from 1, each with its signatures beside it. What an RSA passkey signed is JSON, and is named so. */
export function signedFiles(all: readonly StoredStatement[], digits = 1): SignedFile[] {
  return all.flatMap(({ text, signature, possession }, index) => {
    const name = `${String(index + 1).padStart(digits, "0")}.json`;
    const signed = { name: `${name}.sig${ending(signature)}`, text: signature };
    if (possession === undefined) return [{ name, text }, signed];
    return [
      { name, text },
      signed,
      { name: `${name}.possession.sig${ending(possession)}`, text: possession },
    ];
  });
}

function ending(signature: string): string {
  return signature.startsWith("{") ? ".json" : "";
}
