/** Escapes what steers a terminal or breaks a line, for every text that leaves for a terminal, a log or a script. */

/** Control characters but line feed and tab, marks of direction, separators of lines: all of four digits. */
const STEERING = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** In a JSON text it means the same as before. */
export function printableText(text: string): string {
  return text.replace(STEERING, escapedCharacter);
}

/** As `printableText`, for what must stay on its line. */
export function printableLine(text: string): string {
  return printableText(text).replace(/[\n\t]/g, escapedCharacter);
}

/** `\u200b`, or `\u{1f600}` beyond four digits. */
export function escapedCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
  return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
}
