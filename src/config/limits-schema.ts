/** The sections of paydrop.yaml about what may be paid, to whom, and how often; explained in docs/policies.md. */
import { z } from "zod";
import { Decimal } from "../money/index.ts";

export const amountText = z
  .string({ error: 'expected an amount in quotes, such as "0.5"' })
  .regex(/^\d+(\.\d+)?$/, 'expected an amount in plain digits, such as "0.5"')
  .transform((text) => Decimal.of(text));

export const currencyCode = z.string().regex(/^[A-Z0-9]{2,10}$/, "expected a currency code");

/** Amounts by currency code. */
export const perCurrency = z.record(currencyCode, amountText);

export const limits = z.strictObject({
  perRow: perCurrency.default({}).describe("By currency, the largest single payment."),
  perFile: perCurrency.default({}).describe("By currency, the largest sum of a file."),
  perDay: perCurrency
    .default({})
    .describe("By currency, what may leave in a day of `ledger.timeZone`; the rest waits."),
  perDestination: perCurrency
    .default({})
    .describe("By currency, what one destination may get a day; no limit without it."),
});

export const destinations = z
  .strictObject({
    allow: z
      .enum(["any", "known", "listed"])
      .default("any")
      .describe("Who may be paid: anybody, those paid before or on the list, only those on the list."),
    allowList: z
      .string()
      .min(1)
      .optional()
      .describe("A CSV or XLSX file with a column `address`, and `name` for people."),
    onLookAlike: z
      .enum(["accept", "warn"])
      .default("accept")
      .describe("Look-alikes and known payees at another address wait for a yes, or are only reported."),
  })
  .refine(({ allow, allowList }) => allow !== "listed" || allowList !== undefined, {
    path: ["allowList"],
    error: "with `allow: listed` nothing can be paid without a list",
  });

export const repeats = z.strictObject({
  lookBackDays: z
    .int()
    .min(0)
    .max(3660)
    .default(14)
    .describe("For how long the same amount to the same destination is a repeat; 0: within the file."),
  onRepeat: z
    .enum(["accept", "warn"])
    .default("accept")
    .describe("Repeats wait until the approver accepts them, or are only reported."),
});
