/** References as people and services compare them. */

/** Equal for references that are the same to a person, ignoring case, width and spacing. */
export function foldedReference(reference: string): string {
  return ASCII_WORD.test(reference)
    ? reference.toLowerCase()
    : reference.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

const ASCII_WORD = /^[!-~]*$/;

/** Whether every service keeps the reference as it is. Others may come back changed, or not be found. */
export function isPlainReference(reference: string): boolean {
  return PLAIN.test(reference);
}

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;
