/** Texts from outside as they may stand in a file for people: an invisible character can make of it what no program opens. */

/** One line: control and invisible characters and any white space become single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}
