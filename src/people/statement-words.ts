/** A statement as its signer sees it: every member, completely, in lines. */
import { printableLine } from "../model/printable-text.ts";

/** `text`: canonical JSON. */
export function statementWords(text: string): string {
  const value: unknown = JSON.parse(text);
  return memberLines(value, "  ").join("\n");
}

/** The members that people look for first; the others follow in the order of the text. */
const FIRST = ["statement", "person", "decision", "change", "subject", "name", "roles", "reason"];

function memberLines(value: unknown, indent: string): string[] {
  if (!isObject(value)) return [`${indent}${inWords(value)}`];
  const rank = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const members = Object.entries(value).toSorted(([a], [b]) => rank(a) - rank(b));
  return members.flatMap(([name, member]) => {
    const label = `${indent}${quotedIfUnclear(name)}:`;
    if (isObject(member) && Object.keys(member).length > 0)
      return [label, ...memberLines(member, `${indent}  `)];
    if (!Array.isArray(member) || !member.some(isNested)) return [`${label} ${inWords(member)}`];
    return member.flatMap((item, index) => [
      `${label.slice(0, -1)} ${index + 1} of ${member.length}:`,
      ...memberLines(item, `${indent}  `),
    ]);
  });
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isNested(value) && !Array.isArray(value);
}

function inWords(value: unknown): string {
  if (typeof value === "string") return quotedIfUnclear(value);
  if (!Array.isArray(value)) return isNested(value) ? "nothing" : JSON.stringify(value);
  if (value.length === 0) return "none";
  if (value.some(isNested)) return JSON.stringify(value);
  return value.every(Number.isInteger) ? rangesOf(value).join(", ") : value.map(inWords).join(", ");
}

/** Puts quotes around a text that could be taken for several, or for a value that is not a text. */
function quotedIfUnclear(text: string): string {
  const isClear = /^[\p{L}\p{N}+/=.:_@-]+(?: [\p{L}\p{N}+/=.:_@-]+)*$/u.test(text) && !UNCLEAR.has(text);
  return isClear ? text : printableLine(JSON.stringify(text));
}

const UNCLEAR: ReadonlySet<string> = new Set(["none", "nothing", "true", "false", "null"]);

/** "2-14", "17": ranges of ascending whole numbers. */
function rangesOf(numbers: readonly number[]): string[] {
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
}
