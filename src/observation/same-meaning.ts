/**
 * Whether two sightings of one payout or deposit mean the same. Their texts seldom match: confirmations keep counting,
 * and a service may spell amounts, instants and members differently each time. Sightings that mean the same are not
 * added to the history.
 */
import { Decimal } from "../money/index.ts";
import type { ObservedKind } from "../store/observed.ts";
import { depositFromStored, payoutFromStored } from "./from-wire.ts";

/** `before` and `now`: the raw JSON texts of the element. */
export function saysTheSame(kind: ObservedKind, before: string, now: string): boolean {
  return before === now || meaningOf(kind, before) === meaningOf(kind, now);
}

function meaningOf(kind: ObservedKind, raw: string): string {
  return text(kind === "payout" ? payoutFromStored(raw, "") : depositFromStored(raw, ""));
}

/** Members that change although nothing has happened. */
const FLEETING: ReadonlySet<string> = new Set(["confirmations", "measuredAt"]);

/** A canonical text: independent of amount scale and of the order of members and funds. */
function text(value: unknown): string {
  if (value instanceof Decimal) return value.normalized().toString();
  if (Array.isArray(value)) return `[${value.map(text).sort().join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([name]) => !FLEETING.has(name));
  return `{${members
    .map(([name, member]) => `${name}:${text(member)}`)
    .sort()
    .join()}}`;
}
