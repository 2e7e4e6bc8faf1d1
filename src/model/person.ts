/** People: their roles, and their names. Names are typed by hand, so spellings that look alike are one person. */

/**
 * viewer: sees. submitter: sends files in. approver: approves payments of others. operator: runs, recalls,
 * resolves. controller: breaks, books. admin: the roster.
 */
export const ROLES = ["viewer", "submitter", "approver", "operator", "controller", "admin"] as const;

export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

/** Whether a name may be on the roster: small letters and digits, so that two names never look alike. */
export function isRosterName(text: string): boolean {
  return (
    /^[a-z][a-z0-9]*(?: [a-z0-9]+)*$/.test(text) && text.length <= ROSTER_NAME_LENGTH_MAX && !isRole(text)
  );
}

const ROSTER_NAME_LENGTH_MAX = 40;

/**
 * Whether a text can be the address of exactly one mailbox, without parts that a mail program would read as more.
 */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>()[\],;:"\\\p{C}]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/u.test(text);
}

/** Whether a text can be a person's name, and is not the name of a role. */
export function isPersonName(text: string): boolean {
  return personKey(text) !== "" && text.length <= PERSON_NAME_LENGTH_MAX && !isRole(text);
}

/** The limit of `--by`. */
const PERSON_NAME_LENGTH_MAX = 100;

/**
 * Equal for names that differ only in case, spaces, accent forms, invisible characters, or the form of a hyphen or
 * apostrophe, which programs replace while a person types. Empty if no name is left.
 */
export function personKey(name: string): string {
  const typed = name
    .replace(APOSTROPHES, "'")
    .normalize("NFKC")
    .replace(/\p{Pd}/gu, "-");
  const seen = typed.replace(UNSEEN, "").trim().replace(/\s+/g, " ");
  // Via capitals, because ß, ς and ı share theirs with other letters; İ becomes an i with a separate dot.
  return seen.toUpperCase().toLowerCase().replaceAll("i\u0307", "i");
}

/** Also the accents that stand alone, because NFKC would split them. */
const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4`]/g;

/** Control and format characters and the blank Braille pattern; line endings and tabs count as spaces. */
const UNSEEN = /(?!\s)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;
