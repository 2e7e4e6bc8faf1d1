/** Schema checks that involve more than one key. */
import type { z } from "zod";

export function refuse(context: z.RefinementCtx, path: (string | number)[], message: string): void {
  context.addIssue({ code: "custom", path, message });
}

/**
 * Refuses list entries that share the value of one of these members; `alike` maps a value to the form that is compared.
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
