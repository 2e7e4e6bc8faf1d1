/** Flaws of a person's key or signature: the words of the `reason` in KEY_UNUSABLE and SIGNATURE_INVALID. */

export const KEY_FLAWS = {
  unreadable: "it is not a complete public key",
  type: "it is neither an ed25519 nor an ECDSA key",
  weak: "it is too weak, or of an unusual size",
  rsa: "an RSA key is accepted only from a passkey",
  "of-a-passkey": "it belongs to a passkey, which is enrolled in the browser",
  "of-no-passkey": "it does not belong to a passkey of this site",
} as const;

export const SIGNATURE_FLAWS = {
  unreadable: "it is not a complete signature of `ssh-keygen -Y sign` or a passkey",
  "other-purpose": "it was made for another purpose than paydrop-approval",
  "other-hash": "it was made over another hash than SHA-512",
  "other-key": "it was made with another key",
  "key-unusable": "its key cannot be used",
  "other-text": "it belongs to another text, or was altered",
  "other-site": "the passkey signed for another site",
  "nobody-present": "the key was not touched when it signed",
  "nobody-verified": "the passkey did not check the PIN or fingerprint of its user",
} as const;

export type KeyFlaw = keyof typeof KEY_FLAWS;
export type SignatureFlaw = keyof typeof SIGNATURE_FLAWS;
