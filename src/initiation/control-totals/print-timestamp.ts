/** Recognises the line that accounting programs print below a report: the moment when it was made, and nothing else. */
import type { Cell } from "../../model/row.ts";

/** Whether all that these cells hold is a day and a time in one text: `Monday, Nov 23, 2026 10:15:32 AM GMT+1`. */
export function isPrintTimestamp(cells: readonly Cell[]): boolean {
  const [only, ...others] = cells.filter(({ kind }) => kind !== "empty");
  return only?.kind === "text" && others.length === 0 && MOMENT.test(only.text.trim());
}

const DAY_OF_WEEK = "(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,? )?";
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\\.?";
const DAY = `(?:${MONTH} \\d{1,2},? \\d{4}|\\d{1,2} ${MONTH} \\d{4}|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}([./-])\\d{1,2}\\1\\d{4})`;
const TIME = "\\d{1,2}:\\d\\d(?::\\d\\d)?(?: ?[ap]\\.?m\\.?)?";
const ZONE = "(?: ?(?:gmt|utc|z)? ?(?:[+-]\\d{1,2}(?::?\\d\\d)?)?)";

/** QuickBooks adds how the report counts. */
const MOMENT = new RegExp(
  `^${DAY_OF_WEEK}${DAY},?[ t](?:at )?${TIME}${ZONE}(?: - (?:accrual|cash) basis)?$`,
  "i",
);
