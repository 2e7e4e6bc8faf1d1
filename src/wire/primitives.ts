/** The interface's scalar types as zod schemas over exactly parsed JSON (json.ts). */
import { z } from "zod";
import { Decimal } from "../money/index.ts";
import { NUMBER_MARK } from "./json.ts";

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** A JSON number of any precision, as Decimal. */
export const decimal = marked("a number").transform((digits, context): Decimal => {
  const value = Decimal.parse(digits);
  if (value !== undefined) return value;
  context.addIssue({ code: "custom", message: `the number ${digits.slice(0, 40)} is out of reach` });
  return z.NEVER;
});

/** A JSON integer within int64, as bigint. */
export const int64 = marked("an integer").transform((digits, context): bigint => {
  const value = /^-?\d+$/.test(digits) ? BigInt(digits) : undefined;
  if (value !== undefined && value >= INT64_MIN && value <= INT64_MAX) return value;
  context.addIssue({ code: "custom", message: `${digits.slice(0, 40)} is not an int64` });
  return z.NEVER;
});

/** A JSON integer that a number holds exactly (the interface's integer and int32). */
export const integer = marked("an integer").transform((digits, context): number => {
  const value = /^-?\d+$/.test(digits) ? Number.parseInt(digits, 10) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  context.addIssue({ code: "custom", message: `${digits.slice(0, 40)} is not an integer` });
  return z.NEVER;
});

export const text = z
  .string()
  .refine((value) => !value.startsWith(NUMBER_MARK), "expected a text, not a number");

/** 8-4-4-4-12 hexadecimal digits, any version; lower case. */
export const uuid = text.pipe(z.guid()).transform((value) => value.toLowerCase());

/** An ISO-8601 instant with `Z` or an offset (the interface's yyyy-MM-dd'T'HH:mm:ss.SSSZ); becomes UTC text with milliseconds. */
export const dateTime = text.transform((value, context): string => {
  const instant = readInstant(value);
  if (instant !== undefined) return instant;
  context.addIssue({ code: "custom", message: `${JSON.stringify(value.slice(0, 40))} is not a date-time` });
  return z.NEVER;
});

/** A field that may be absent or null; both read as undefined. */
export function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

const ISO_INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})$/;

function readInstant(value: string): string | undefined {
  const match = ISO_INSTANT.exec(value);
  if (match === null) return undefined;
  const [, dateAndTime = "", fraction = "", zone = "Z"] = match;
  const offset = zone === "Z" || zone.includes(":") ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const instant = new Date(`${dateAndTime}${fraction.slice(0, 4)}${offset}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

function marked(expected: string) {
  return z
    .string({ error: `expected ${expected}` })
    .refine((value) => value.startsWith(NUMBER_MARK), `expected ${expected}, not a text`)
    .transform((value) => value.slice(NUMBER_MARK.length));
}
