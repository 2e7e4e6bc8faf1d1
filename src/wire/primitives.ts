/** The interface's scalar types as zod schemas over exactly parsed JSON (json.ts). */
import { z } from "zod";
import { Decimal } from "../money/index.ts";
import { NUMBER_MARK } from "./json.ts";

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Arithmetic on longer numbers takes seconds, and no amount is that long. */
const NUMBER_LENGTH_MAX = 1000;
const LONG_EXPONENT = /[eE][+-]?\d{4}/;

/** A JSON number as Decimal: up to 1000 characters, an exponent of up to three digits. */
export const decimal = marked(
  `a number of at most ${NUMBER_LENGTH_MAX} characters and three digits of exponent`,
  (digits) =>
    digits.length > NUMBER_LENGTH_MAX || LONG_EXPONENT.test(digits) ? undefined : Decimal.parse(digits),
);

/** A JSON integer within int64, as bigint. */
export const int64 = marked("an int64", (digits) => {
  const value = /^-?\d{1,19}$/.test(digits) ? BigInt(digits) : undefined;
  return value !== undefined && value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
});

/** A JSON integer, also written as 3.0, that a number holds exactly (the interface's integer and int32). */
export const integer = marked("an integer", (digits) => {
  const value = /^-?\d{1,16}(?:\.0+)?$/.test(digits) ? Number.parseInt(digits, 10) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
});

export const text = z
  .string()
  .refine((value) => !value.startsWith(NUMBER_MARK), "expected a text, not a number");

/** 8-4-4-4-12 hexadecimal digits, any version; lower case. */
export const uuid = text.pipe(z.guid()).transform((value) => value.toLowerCase());

/**
 * An ISO-8601 instant with `Z` or an offset (the interface's yyyy-MM-dd'T'HH:mm:ss.SSSZ); returned as UTC text with
 * milliseconds. Some services omit zero parts (seconds, an offset's minutes). Without a zone it is not an instant.
 */
export const dateTime = text.transform((value, context): string => {
  const instant = readInstant(value);
  if (instant !== undefined) return instant;
  context.addIssue({ code: "custom", message: `${JSON.stringify(value.slice(0, 40))} is not a date-time` });
  return z.NEVER;
});

/** In answers: some services leave an optional id or date-time empty, where others leave it out. */
const empty = z.literal("").transform(() => undefined);
export const uuidOrEmpty = uuid.or(empty);
export const dateTimeOrEmpty = dateTime.or(empty);

/** A field that may be absent or null; both read as undefined. */
export function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

const LONG_LIST = 1000;
const MISFITS_MAX = 100;

/**
 * A list of an answer. The elements of a long list are first judged one by one until too many do not fit, because
 * zod would go on to the end, for seconds, and cannot pass on a hundred thousand issues.
 */
export function bounded<List extends z.ZodType>(element: z.ZodType, list: List) {
  return z.preprocess((value, context) => {
    let misfits = 0;
    const isMisfit = (each: unknown) => !element.safeParse(each).success;
    const isUnfit = (each: unknown) => isMisfit(each) && ++misfits > MISFITS_MAX;
    if (!Array.isArray(value) || value.length <= LONG_LIST || !value.some(isUnfit)) return value;
    context.addIssue({ code: "custom", message: `more than ${MISFITS_MAX} of its elements do not fit` });
    return z.NEVER;
  }, list);
}

const ISO_INSTANT =
  /^(\d{4}-\d{2}-(\d{2}))(T\d{2}:\d{2})(?:(:\d{2})(?:[.,](\d{1,9}))?)?(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/;
/** Already UTC text with milliseconds, on a day that exists in every month. */
const UTC_INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const UTC_TEXT_LENGTH = "2026-11-20T12:00:00.000Z".length;

function readInstant(value: string): string | undefined {
  if (UTC_INSTANT.test(value)) return value;
  const match = ISO_INSTANT.exec(value);
  if (match === null) return undefined;
  const [, date = "", day = "", time = "", seconds = ":00", fraction = "0", hours = "+00", minutes = "00"] =
    match;
  // Date would turn 30 February into 2 March.
  if (new Date(`${date}T00:00:00Z`).getUTCDate() !== Number.parseInt(day, 10)) return undefined;
  const instant = new Date(`${date}${time}${seconds}.${fraction.slice(0, 3)}${hours}:${minutes}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  const text = instant.toISOString();
  // An offset can lead beyond four-digit years, and only their texts sort by time.
  return UTC_TEXT_LENGTH === text.length ? text : undefined;
}

/** One step instead of a chain of refinements, because a page has thousands of numbers. */
function marked<Value>(expected: string, read: (digits: string) => Value | undefined) {
  return z.string({ error: `expected ${expected}` }).transform((value, context): Value => {
    const isNumber = value.startsWith(NUMBER_MARK);
    const digits = isNumber ? value.slice(NUMBER_MARK.length) : value;
    const number = isNumber ? read(digits) : undefined;
    if (number !== undefined) return number;
    const message = isNumber
      ? `${digits.slice(0, 40)} is not ${expected}`
      : `expected ${expected}, not a text`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}
