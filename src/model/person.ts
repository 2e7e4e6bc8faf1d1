/** People's names. They are typed by hand, so spellings that look alike are one person. */

/** Equal for names that differ only in case, spaces, accent forms or invisible characters. Empty for no name. */
export function personKey(name: string): string {
  return name.normalize("NFKC").replace(UNSEEN, "").trim().replace(/\s+/g, " ").toLowerCase();
}

/** Control and format characters and the blank Braille pattern; line endings and tabs count as spaces. */
const UNSEEN = /(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
