/**
 * Whether two answers about one payout or deposit say the same. They seldom are the same text: confirmations are counted on for ever,
 * and a service may spell amounts, instants and members otherwise each time. What says the same is no history.
 */
import { Decimal } from "../money/index.ts";
import type { ObservedKind } from "../store/observed.ts";
import { depositFromStored, payoutFromStored } from "./from-wire.ts";

/** `before` and `now`: elements of an answer's page, as JSON text. */
export function saysTheSame(kind: ObservedKind, before: string, now: string): boolean {
  return before === now || meaningOf(kind, before) === meaningOf(kind, now);
}

function meaningOf(kind: ObservedKind, raw: string): string {
  return text(kind === "payout" ? payoutFromStored(raw, "") : depositFromStored(raw, ""));
}

/** What changes although nothing has happened. */
const FLEETING: ReadonlySet<string> = new Set(["confirmations", "measuredAt"]);

/** Equal for values that are equal, whatever the scale of an amount and the order of members and of funds. */
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
