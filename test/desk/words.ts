/**
 * What a person reads on a page, and what of it is not for people: instants, days, escapes, statuses, fields, options,
 * commands.
 */
import { unescaped } from "./visitor.ts";

const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  "a raw instant": /\d{4}-\d\d-\d\dT\d\d:\d\d/,
  // Not within a quoted text, a reference or the name of a file.
  "a raw day": /(?<![\w./"“'-])\d{4}-\d\d-\d\d(?![\w/"”-]|\.\w)/,
  "an escape": /\\[ux][\da-f{]/,
  "a status of HTTP": /\b(?:HTTP|status|answered|code)\W{0,3}[2-5]\d\d\b|\([45]\d\d\)/,
  // Not within a fingerprint, whose letters are chance.
  "a field or key": /(?<![\w@./“":+-])[a-z]+[A-Z][a-z][A-Za-z]*\b(?!-)|\bgeneral-ledger fields\b/,
  "a key of the configuration":
    /\b(?:approval|custodyAccounts|desk|destinations|doubt|files|folders|http|ledger|limits|nonce|otp|paging|people|reconciliation|reference|repeats|schedule|service|signing)\.[a-z]/,
  "an option": /(?<!\S)--[a-z]/,
  "a command": /\bpaydrop [a-z]/,
  "code marks": /`/,
};

/**
 * The text of a page as it is read: without tags, and without what is signed or run word by word, which stands in
 * `pre`.
 */
export function wordsOn(page: string): string {
  const [, body = page] = page.split("<body>");
  const read = body.replaceAll(/<(pre|script|svg)\b[\s\S]*?<\/\1>/g, " ").replaceAll(/<[^>]+>/g, " ");
  return unescaped(read).replaceAll(/\s+/g, " ");
}

/** "a command: … run paydrop status first …", for each place. */
export function notForPeople(text: string): string[] {
  return Object.entries(FORBIDDEN).flatMap(([what, pattern]) => {
    const all = text.matchAll(new RegExp(pattern, "g"));
    return Array.from(all, ({ index }) => `${what}: … ${text.slice(Math.max(0, index - 50), index + 50)} …`);
  });
}

/** Every page that links lead to from here, as paths with their answers; at most so many of one kind. */
export async function crawled(
  get: (path: string) => Promise<{ readonly status: number; readonly text: string }>,
  from: readonly string[],
  ofKindMax = 12,
): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const kinds = new Map<string, number>();
  const open = [...from];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    const kind = path.replace(/[?#].*/, "").replaceAll(/[\da-f]{64}|B-\d+|\d+/g, "*");
    const count = kinds.get(kind) ?? 0;
    if (pages.has(path) || count >= ofKindMax || NO_PAGE.test(path)) continue;
    kinds.set(kind, count + 1);
    const { text } = await get(path);
    pages.set(path, text);
    for (const [, href = ""] of text.matchAll(/<a\b[^>]* href="(\/[^"#]*)/g)) open.push(unescaped(href));
  }
  return pages;
}

const NO_PAGE =
  /^\/(?:assets|files\/template|files\/[^/]+\/(?:sent|answer)|books\/(?:reports|[^/]+\/\d)|nights\/\d+\/report|record\/file|payments\/file)/;
