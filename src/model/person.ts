/** People by the names they go by on record. A name is typed by hand, so two spellings that look alike are one person. */

/**
 * The same name typed on two keyboards: capitals, spaces, the forms of an accent and characters that nobody sees make no other person.
 * Empty for a name in which there is nothing to see.
 */
export function personKey(name: string): string {
  return name.normalize("NFKC").replace(UNSEEN, "").trim().replace(/\s+/g, " ").toLowerCase();
}

/** Control and format characters, and the Braille pattern without dots; a line ending and a tab are spaces. */
const UNSEEN = /(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
