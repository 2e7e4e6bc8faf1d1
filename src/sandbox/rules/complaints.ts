/** Everything that is wrong with a request at once: complaints of one status become one refusal. */
import { Refusal, type RefusalCode } from "../refusal.ts";

export interface Complaint {
  readonly error: string;
  readonly statusCode?: number;
  readonly code?: RefusalCode;
}

/** A rule that a request keeps or breaks, and what is said when it breaks it. */
export type Rule = readonly [holds: boolean, complaint: string | Complaint];

/** Throws one refusal with every broken rule that has the first broken one's status; 400 where none is named. */
export function refuseBroken(rules: readonly Rule[]): void {
  const complaints = rules
    .filter(([holds]) => !holds)
    .map(([, complaint]) => (typeof complaint === "string" ? { error: complaint } : complaint));
  const [first] = complaints;
  if (first === undefined) return;
  const statusCode = statusOf(first);
  throw new Refusal(
    statusCode,
    complaints
      .filter((complaint) => statusOf(complaint) === statusCode)
      .map(({ error, code = "INVALID_PARAMETER" }) => ({ error, code })),
  );
}

function statusOf({ statusCode = 400 }: Complaint): number {
  return statusCode;
}
