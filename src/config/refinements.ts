/** What several parts of the schema check: rules that a single key cannot tell. */
import type { z } from "zod";

export function refuse(context: z.RefinementCtx, path: (string | number)[], message: string): void {
  context.addIssue({ code: "custom", path, message });
}

/** No two entries of a list share the value of one of these members; `alike` gives the form in which two are the same. */
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
