/** The part of paydrop.yaml about when payments are sent. */
import { z } from "zod";
import { END_OF_DAY, WEEKDAYS } from "../model/index.ts";
import { refuse } from "./refinements.ts";

const DAYS_OFF_MAX = 400;

const dayOff = z
  .string()
  .refine(
    isDayOff,
    'expected a day of the week such as Saturday, a date such as 2026-12-25, or "12-25" for every year',
  );

/** `24:00` ends a day. */
const timeOfDay = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, {
  error: 'expected a time of the day in quotes, such as "16:00"',
  abort: true,
});

export const calendar = z
  .strictObject({
    daysOff: z
      .array(dayOff)
      .max(DAYS_OFF_MAX)
      .superRefine(refuseWithoutWorkingDay)
      .default([])
      .describe(
        "Days on which nothing new is sent: days of the week, dates, and `12-25` for every year. What is due then " +
          "goes on the next working day.",
      ),
    cutOff: timeOfDay.optional().describe("No run begins to send from this time on."),
    sendHours: z
      .strictObject({
        from: timeOfDay.describe("The first time of the day."),
        to: timeOfDay.describe("The end; `24:00`: midnight."),
      })
      .optional()
      .describe("Nothing new is sent outside these hours."),
  })
  .superRefine(refuseEmptyHours);

/** A yearly day is checked in a leap year. */
function isDayOff(text: string): boolean {
  if (WEEKDAYS.some((weekday) => weekday === text)) return true;
  const day = /^\d\d-\d\d$/.test(text) ? `2024-${text}` : text;
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** At most half of a year's days may be yearly days off, so that there is always a next working day. */
const EVERY_YEAR_MAX = 180;

function refuseWithoutWorkingDay(daysOff: readonly string[], context: z.RefinementCtx): void {
  const listed = new Set(daysOff);
  if (WEEKDAYS.every((weekday) => listed.has(weekday))) refuse(context, [], "no day of the week is left");
  const everyYear = [...listed].filter((text) => /^\d\d-\d\d$/.test(text)).length;
  if (everyYear > EVERY_YEAR_MAX)
    refuse(context, [], `expected at most ${EVERY_YEAR_MAX} days of every year, not ${everyYear}`);
}

interface Hours {
  readonly cutOff?: string | undefined;
  readonly sendHours?: { readonly from: string; readonly to: string } | undefined;
}

function refuseEmptyHours(
  { cutOff, sendHours = { from: "00:00", to: END_OF_DAY } }: Hours,
  context: z.RefinementCtx,
) {
  const { from, to } = sendHours;
  if (from >= to) refuse(context, ["sendHours", "to"], `expected a time after ${from}, on the same day`);
  else if (cutOff !== undefined && (cutOff <= from || cutOff > to))
    refuse(context, ["cutOff"], `expected a time after ${from}, and not after ${to}`);
}
