/** The sections of paydrop.yaml about what may be paid, to whom, and how often; explained in docs/policies.md. */
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
  /** Per destination and day in the company's time zone; a currency without it has no such limit. */
  perDestination: perCurrency.default({}),
});

export const destinations = z
  .strictObject({
    /** any: first-time ones are only listed. known: paid before or on the allow list. listed: on the list only. */
    allow: z.enum(["any", "known", "listed"]).default("any"),
    /** A CSV or XLSX file with a column `address`, and `name` for people. */
    allowList: z.string().min(1).optional(),
    /** For look-alike addresses. accept: the approver must accept them. warn: they are only reported. */
    onLookAlike: z.enum(["accept", "warn"]).default("accept"),
  })
  .refine(({ allow, allowList }) => allow !== "listed" || allowList !== undefined, {
    path: ["allowList"],
    error: "with `allow: listed` nothing can be paid without a list",
  });

export const repeats = z.strictObject({
  /**
   * How far back the same amount to the same destination counts as a repeat. 0: only within the file. What is in doubt,
   * held or abandoned counts however far back, until the same was paid since.
   */
  lookBackDays: z.int().min(0).max(3660).default(14),
  /** accept: the approver must accept repeats. warn: they are only reported. */
  onRepeat: z.enum(["accept", "warn"]).default("accept"),
});
