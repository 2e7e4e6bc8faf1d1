/** How titles and notes are compared, so that next month's are the same: without numbers, months and days. */
import { wordOf } from "../../model/words.ts";

/** "November 2026", "2026-11", "KW 48", "Lohn Nov": only the first three say nothing but when. */
export function isTime(name: string): boolean {
  return wordsOf(name).every((word) => TIME_WORDS.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** The words of a title without numbers and months, by which next month's is the same. */
export function titleWord(text: string): string {
  const words = wordsOf(text).filter((word) => !MONTHS.has(word));
  return wordOf(words.join(" "));
}

/** A text without its days, months and years, as it is compared; other numbers in it stay. */
export function withoutTime(text: string): string {
  const undated =
    text
      .toLowerCase()
      .replace(DAY_OR_YEAR, " ")
      .match(/\p{L}+|[^\p{L}]+/gu) ?? [];
  return wordOf(undated.filter((part) => !MONTHS.has(part)).join(""));
}

const DAY_OR_YEAR =
  /(?<!\d)(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}[./-](?=20\d\d)|(?:20\d\d)(?:[./-]\d{1,2})?|\d{1,2}\.? (?=\p{L}{3,}\.? 20\d\d))(?!\d)/gu;

const LOCALES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "cs",
  "sv",
  "da",
  "fi",
  "hu",
  "ro",
  "tr",
  "ru",
];

/** Names of months, long and short, alone and as they stand within a date. */
const MONTHS: ReadonlySet<string> = new Set(
  LOCALES.flatMap((locale) =>
    [{ month: "long" }, { month: "short" }, { day: "numeric", month: "long" } as const].flatMap((parts) => {
      const format = new Intl.DateTimeFormat(locale, {
        ...parts,
        timeZone: "UTC",
      } as Intl.DateTimeFormatOptions);
      return Array.from({ length: 12 }, (_, at) => {
        const named = format.formatToParts(Date.UTC(2026, at, 15)).find(({ type }) => type === "month");
        return (named?.value ?? "").toLowerCase().replace(/\.$/, "");
      });
    }),
  ),
);

/** Months, and what weeks and quarters are called by. */
const TIME_WORDS: ReadonlySet<string> = new Set([
  ...["q", "h", "w", "wk", "week", "cw", "kw", "month", "quarter", "year"],
  ...MONTHS,
]);
