/**
 * A schedule's cron expression: five fields, or six with seconds in front. Expressions that never come, and steps that are longer than
 * their field, are nobody's meaning and are refused.
 */
import { Cron } from "croner";
import { z } from "zod";

/** Highest step of each field: minute, hour, day of the month, month, day of the week. */
const STEPS_MAX = [59, 23, 31, 12, 7];
const SECOND_STEP_MAX = 59;

export const cronExpression = z
  .string()
  .refine(hasOnlyStepsWithin, {
    error: 'a step is longer than its field: "*/61" of minutes is once an hour, written "0 * * * *"',
    abort: true,
  })
  .refine(comes, 'expected a cron expression, such as "*/5 * * * *"');

function comes(text: string): boolean {
  if (![5, 6].includes(fieldsOf(text).length)) return false;
  try {
    return new Cron(text, { paused: true }).nextRun() !== null;
  } catch (error) {
    // The package tells what is no expression by one of these.
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
}

function hasOnlyStepsWithin(text: string): boolean {
  const fields = fieldsOf(text);
  const limits = fields.length === 6 ? [SECOND_STEP_MAX, ...STEPS_MAX] : STEPS_MAX;
  return fields.every((field, index) =>
    [...field.matchAll(/\/(\d+)/g)].every(
      ([, step = ""]) => Number.parseInt(step, 10) <= (limits[index] ?? 0),
    ),
  );
}

function fieldsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}
