/** Validates a cron expression. Also refuses what node-cron accepts but never means: a step longer than its field. */
import cron from "node-cron";
import { z } from "zod";

/** Highest step of each field: minute, hour, day of the month, month, day of the week. */
const STEPS_MAX = [59, 23, 31, 12, 7];
const SECOND_STEP_MAX = 59;

export const cronExpression = z
  .string()
  .refine((text) => cron.validate(text), 'expected a cron expression, such as "*/5 * * * *"')
  .refine((text) => tooLongStep(text) === undefined, {
    error: ({ input }) =>
      `a step is longer than its field: "${tooLongStep(String(input))}" is met once only; write the one value, such as 0`,
  });

/** The first field whose step leads beyond it; undefined if there is none. */
function tooLongStep(text: string): string | undefined {
  const fields = text.trim().split(/\s+/);
  const limits = fields.length === 6 ? [SECOND_STEP_MAX, ...STEPS_MAX] : STEPS_MAX;
  return fields.find((field, index) =>
    [...field.matchAll(/\/(\d+)/g)].some(([, step = ""]) => Number.parseInt(step, 10) > (limits[index] ?? 0)),
  );
}
