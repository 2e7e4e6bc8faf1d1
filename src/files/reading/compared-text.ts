/** Makes titles and notes comparable, without numbers, months and days, so that next month's are the same. */
import { wordOf } from "../../model/words.ts";

/** Whether a name only gives a time: true for "November 2026", "2026-11" and "KW 48", false for "Lohn Nov", "Nov €". */
export function isTime(name: string): boolean {
  return OF_TIME.test(name) && wordsOf(name).every((word) => PERIOD_WORDS.has(word) || isMonth(word));
}

/** Whether a text is a day, or a month or quarter with its year. A year alone may be any number. */
export function isDatedTime(text: string): boolean {
  return /(?<!\d)(?:19|20)\d\d/.test(text) && !/^\d+$/.test(text) && isTime(text);
}

/** Letters, and figures of days, weeks, months and years; no sign of a currency, and no factor such as 1000. */
const OF_TIME = /^(?:[\p{L}\p{M}\s.,/_'’()–-]|(?<!\d)(?:\d{1,2}|(?:19|20)\d\d(?:\d\d){0,2})(?!\d))*$/u;

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** The words of a title without numbers and months, so that next month's title is the same. */
export function titleWord(text: string): string {
  const words = wordsOf(text).filter((word) => !isMonth(word));
  return wordOf(words.join(" "));
}

/**
 * A text without its days, months and years, and the time beside a day, for comparison; other numbers in it stay.
 */
export function withoutTime(text: string): string {
  const undated =
    text
      .toLowerCase()
      .replace(TIME_BESIDE_A_DAY, "$1")
      .replace(DAY_OR_YEAR, " ")
      .match(/\p{L}+|[^\p{L}]+/gu) ?? [];
  return wordOf(undated.filter((part) => !isMonth(part)).join(""));
}

/** "30.01.2027 10:22:45", "2027-01-30T10:22:45.120Z", "01/30/2027, 10:22 AM". */
const TIME_BESIDE_A_DAY =
  /(?<!\d)(\d{1,4}[./-]\d{1,2}[./-]\d{1,4})(?:[t ]|, | at )\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?z?(?![\d:])/g;

const DAY_OR_YEAR = new RegExp(
  [
    String.raw`(?<!\d)(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}`,
    String.raw`|\d{1,2}[./-](?=20\d\d)`,
    String.raw`|(?:20\d\d)(?:[./-]\d{1,2})?`,
    String.raw`|\d{1,2}\.? (?=\p{L}{3,}\.? 20\d\d))`,
    String.raw`(?!\d)`,
  ].join(""),
  "gu",
);

const LOCALES = "en de fr es it pt nl pl cs sv da fi hu ro tr ru".split(" ");

let monthsRead: ReadonlySet<string> | undefined;

/** Whether the word names a month, long or short, alone or in the form that it has within a date. */
function isMonth(word: string): boolean {
  // Computed on first use, because it takes a tenth of a short command's time.
  monthsRead ??= monthNames();
  return monthsRead.has(word);
}

function monthNames(): ReadonlySet<string> {
  const names = LOCALES.flatMap((locale) =>
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
  );
  return new Set(names);
}

/** The names of weeks and quarters. */
const PERIOD_WORDS: ReadonlySet<string> = new Set("q h w wk week cw kw month quarter year".split(" "));
