/** Checks of values that several sections of the schema share, or that involve more than one key. */
import cron from "node-cron";
import { z } from "zod";

/** `flags`: as for RegExp. */
export function isExpression(text: string, flags = ""): boolean {
  try {
    return new RegExp(text, flags).source !== "";
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export function refuse(context: z.RefinementCtx, path: (string | number)[], message: string): void {
  context.addIssue({ code: "custom", path, message });
}

/**
 * Refuses list entries that share the value of one of these members; `alike` maps a value to the form that is
 * compared.
 */
export function unique<Member extends string>(
  members: readonly Member[],
  message: string,
  alike: (value: string) => string = (value) => value,
) {
  return (
    entries: readonly { readonly [Name in Member]?: string | undefined }[],
    context: z.RefinementCtx,
  ) => {
    for (const member of members) {
      const seen = new Set<string>();
      for (const [index, { [member]: value }] of entries.entries()) {
        if (value === undefined) continue;
        if (seen.has(alike(value))) refuse(context, [index, member], `${value} ${message}`);
        seen.add(alike(value));
      }
    }
  };
}

/** Highest step of each field: minute, hour, day of the month, month, day of the week. */
const STEPS_MAX = [59, 23, 31, 12, 7];
const SECOND_STEP_MAX = 59;

/** Also refuses a step longer than its field: node-cron accepts it, but it then matches only once. */
export const cronExpression = z
  .string()
  .refine((text) => cron.validate(text), 'expected a cron expression, such as "*/5 * * * *"')
  .refine((text) => tooLongStep(text) === undefined, {
    error: ({ input }) =>
      `a step is longer than its field: "${tooLongStep(String(input))}" is met once only; write the one ` +
      `value, such as 0`,
  });

/** The first field whose step leads beyond it; undefined if there is none. */
function tooLongStep(text: string): string | undefined {
  const fields = text.trim().split(/\s+/);
  const limits = fields.length === 6 ? [SECOND_STEP_MAX, ...STEPS_MAX] : STEPS_MAX;
  return fields.find((field, index) =>
    [...field.matchAll(/\/(\d+)/g)].some(([, step = ""]) => Number.parseInt(step, 10) > (limits[index] ?? 0)),
  );
}

/** The address at which a server listens. */
export const addressWithPort = z
  .string()
  .refine(isAddressWithPort, 'expected an address and a port, such as "127.0.0.1:9464"');

function isAddressWithPort(text: string): boolean {
  return /^[^/?#@]+:\d{1,5}$/.test(text) && URL.canParse(`http://${text}`);
}
