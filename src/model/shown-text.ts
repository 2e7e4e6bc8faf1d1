/** Quotes a cell's text in messages: visible, of limited length, and without private keys. */
import { escapedCharacter } from "./printable-text.ts";
import { holdsPrivateKey, looksLikePrivateKey } from "./private-key.ts";

/** Replaces a text that must not be repeated. */
export const SECRET_NOT_SHOWN = "(not repeated here: it looks like a private key)";

const SHOWN_LENGTH_MAX = 80;
const WHOLE_LENGTH_MAX = 4000;
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const NOT_ASCII = /[^\x20-\x7e]/gu;

/** For free text: escapes invisible characters. */
export function shownText(text: string): string {
  return shown(text, INVISIBLE);
}

/** As `shownText`, but not cut: for a text that a person must read to its end. */
export function shownWhole(text: string): string {
  return looksLikePrivateKey(text) ? SECRET_NOT_SHOWN : shownSentence(text);
}

/**
 * As `shownWhole`, for cells that were searched for keys: there a sentence of twelve short words is not a seed
 * phrase.
 */
export function shownSentence(text: string): string {
  if (holdsPrivateKey(text)) return SECRET_NOT_SHOWN;
  return text.slice(0, WHOLE_LENGTH_MAX).replace(INVISIBLE, escapedCharacter);
}

/** Escapes everything except ASCII: for addresses, amounts and identifiers, where look-alike letters matter. */
export function escapedText(text: string): string {
  return shown(text, NOT_ASCII);
}

function shown(text: string, hidden: RegExp): string {
  if (looksLikePrivateKey(text)) return SECRET_NOT_SHOWN;
  const characters = [...text.slice(0, 2 * SHOWN_LENGTH_MAX)];
  const cut = characters.slice(0, SHOWN_LENGTH_MAX).join("");
  return cut.replace(hidden, escapedCharacter) + (cut.length < text.length ? "..." : "");
}
