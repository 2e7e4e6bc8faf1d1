/** When two references are the same to a person: whatever their case, their width, and the spaces in them. */
export function foldedReference(reference: string): string {
  return PLAIN.test(reference)
    ? reference
    : reference.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

const PLAIN = /^[a-z0-9._/-]*$/;
