/** The sections of paydrop.yaml that say what may be paid, to whom, and how often. docs/policies.md tells what each does. */
import { z } from "zod";
import { Decimal } from "../money/index.ts";

export const amountText = z
  .string({ error: 'expected an amount in quotes, such as "0.5"' })
  .regex(/^\d+(\.\d+)?$/, 'expected an amount in plain digits, such as "0.5"')
  .transform((text) => Decimal.of(text));

/** Amounts by currency code. */
export const perCurrency = z.record(
  z.string().regex(/^[A-Z0-9]{2,10}$/, "expected a currency code"),
  amountText,
);

export const limits = z.strictObject({
  perRow: perCurrency.default({}),
  perFile: perCurrency.default({}),
  perDay: perCurrency.default({}),
  /** What goes to one destination on one day of the company's time zone; a currency without it has no such limit. */
  perDestination: perCurrency.default({}),
});

export const destinations = z
  .strictObject({
    /** any: first-time destinations are listed. known: only what was paid before, or is on the list. listed: only what is on it. */
    allow: z.enum(["any", "known", "listed"]).default("any"),
    /** A CSV or XLSX file with a column `address`, and `name` for people. */
    allowList: z.string().min(1).optional(),
    /** A first-time address that begins and ends like another one. accept: the approver says that it is right. warn: it is only told. */
    onLookAlike: z.enum(["accept", "warn"]).default("accept"),
  })
  .refine(({ allow, allowList }) => allow !== "listed" || allowList !== undefined, {
    path: ["allowList"],
    error: "with `allow: listed` nothing can be paid without a list",
  });

export const repeats = z.strictObject({
  /** How far back the same amount to the same destination counts as a repeat. 0: only within the file. */
  lookBackDays: z.int().min(0).max(3660).default(14),
  /** accept: the approver says that repeats are meant. warn: they are only told. */
  onRepeat: z.enum(["accept", "warn"]).default("accept"),
});
