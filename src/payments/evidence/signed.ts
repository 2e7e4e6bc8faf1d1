/** Signed statements as files that OpenSSH and openssl verify (docs/verifying.md). */
import type { StoredStatement } from "../../store/statements.ts";

export interface SignedFile {
  readonly name: string;
  readonly text: string;
}

/** Digits of a change's number in its file name, so that the names sort in the order of the changes. */
export const CHANGE_DIGITS = 4;

/**
 * The statements, numbered from 1, each with its signature files. An RSA passkey's signature is JSON, so its file
 * ends in `.json`.
 */
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
