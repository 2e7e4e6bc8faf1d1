/** The mark of an element's text, by which it is recognised before it is parsed. */
import { hash } from "node:crypto";

/** A member as valid JSON has it; in a text, its quotes would be escaped. */
const CONFIRMATIONS = /"confirmations"\s*:\s*(0|[1-9]\d{0,14})(?=\s*[,}])/g;

const CREATED_DATE = /"createdDate"\s*:\s*"([\dT:.-]{10,23})/;

/** Of 6 bits each. */
const CHARACTERS = 22;

/**
 * Equal marks: equal texts, but for confirmations that are enough in both. Those that are not yet enough are shown
 * to people, and few payouts have them. Two texts that a service could choose for one mark would take it 2^66
 * attempts. A mark begins with the time of creation, in whose order pages come: those of a page are neighbours in
 * the index.
 */
export function markOf(raw: string, confirmationsMin: number): string {
  const text = raw.replace(CONFIRMATIONS, (member, digits: string) =>
    Number.parseInt(digits, 10) >= confirmationsMin ? '"confirmations":enough' : member,
  );
  const [, createdDate = ""] = CREATED_DATE.exec(text) ?? [];
  return createdDate + hash("sha256", text, "base64url").slice(0, CHARACTERS);
}
