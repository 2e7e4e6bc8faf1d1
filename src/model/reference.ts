/** References as people and services compare them. */

/** When two references are the same to a person: whatever their case, their width, and the spaces in them. */
export function foldedReference(reference: string): string {
  return FOLDED.test(reference)
    ? reference
    : reference.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

const FOLDED = /^[a-z0-9._/-]*$/;

/** Whether any service keeps it as it is; another reference may come back changed, or not be found. */
export function isPlainReference(reference: string): boolean {
  return PLAIN.test(reference);
}

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;
