/** Escapes characters that control a terminal or break a line, in every text for a terminal, a log or a script. */

/** Control characters except line feed and tab, direction marks and line separators: all have four digits. */
const STEERING = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** An escaped JSON text keeps its meaning. */
export function printableText(text: string): string {
  return text.replace(STEERING, escapedCharacter);
}

/** As `printableText`, for a text that must stay on one line. */
export function printableLine(text: string): string {
  return printableText(text).replace(/[\n\t]/g, escapedCharacter);
}

/** `\u200b`, or `\u{1f600}` beyond four digits. */
export function escapedCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
}
