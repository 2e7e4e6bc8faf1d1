/** The mark of an element's text, which recognises it before it is parsed. */
import { hash } from "node:crypto";

/** A member in valid JSON. Within a text, its quotes would be escaped. */
const CONFIRMATIONS = /"confirmations"\s*:\s*(0|[1-9]\d{0,14})(?=\s*[,}])/g;

const CREATED_DATE = /"createdDate"\s*:\s*"([\dT:.-]{10,23})/;

/** Each has 6 bits. */
const CHARACTERS = 22;

/**
 * Texts have equal marks if they are equal except for confirmations that are enough in both. Confirmations that are
 * not yet enough are shown to people, and few payouts have them. A service would need 2^66 attempts to find two
 * texts with one mark. A mark begins with the time of creation, which is the order of pages, so that the marks of a
 * page are neighbours in the index.
 */
export function markOf(raw: string, confirmationsMin: number): string {
  const text = raw.replace(CONFIRMATIONS, (member, digits: string) =>
    Number.parseInt(digits, 10) >= confirmationsMin ? '"confirmations":enough' : member,
  );
  // Found in `raw`, which is kept anyway: a part of `text` would keep all of it in memory.
  const [, createdDate = ""] = CREATED_DATE.exec(raw) ?? [];
  return createdDate + hash("sha256", text, "base64url").slice(0, CHARACTERS);
}
