/** The age of breaks, relative to what their severity allows, and how much is at stake in them. */
import { type BreakSeverity, compareText, DAY_MS, type Instant } from "../../model/index.ts";
import { type Amount, addAmounts } from "../../money/index.ts";

/** Each but the last holds breaks that are open for at most this many days. */
export const AGE_BUCKETS = ["up to 1 day", "2 to 7 days", "8 to 30 days", "over 30 days"] as const;

export type AgeBucket = (typeof AGE_BUCKETS)[number];

const BUCKET_DAYS = [1, 7, 30] as const;

export interface Age {
  /** Never negative, even if the clock was set back. */
  readonly ms: number;
  readonly allowedDays: number;
  readonly isOver: boolean;
  readonly bucket: AgeBucket;
}

export type AllowedDays = Readonly<Record<BreakSeverity, number>>;

/** The age of an opening when it closed, or now. */
export function ageOf(
  {
    severity,
    openedAt,
    closedAt,
  }: { readonly severity: BreakSeverity; readonly openedAt: Instant; readonly closedAt?: Instant },
  now: Instant,
  allowed: AllowedDays,
): Age {
  const ms = Math.max(0, Date.parse(closedAt ?? now) - Date.parse(openedAt));
  const allowedDays = allowed[severity];
  const index = BUCKET_DAYS.findIndex((days) => ms <= days * DAY_MS);
  const bucket = AGE_BUCKETS[index < 0 ? AGE_BUCKETS.length - 1 : index] ?? "over 30 days";
  return { ms, allowedDays, isOver: ms > allowedDays * DAY_MS, bucket };
}

interface AtStake {
  readonly amount?: Amount;
}

/** A sum by currency, ordered by currency; breaks without a known amount are left out. */
export function atStakeIn(breaks: readonly AtStake[]): Amount[] {
  const sums = new Map<string, Amount>();
  for (const { amount } of breaks) {
    if (amount === undefined) continue;
    const sum = sums.get(amount.currency);
    sums.set(amount.currency, sum === undefined ? amount : addAmounts(sum, amount));
  }
  return [...sums.values()].sort((one, other) => compareText(one.currency, other.currency));
}

export interface AgeClass {
  readonly bucket: AgeBucket;
  readonly count: number;
  readonly atStake: readonly Amount[];
}

/** All buckets, youngest first. */
export function ageingOf(breaks: readonly (AtStake & { readonly age: Age })[]): AgeClass[] {
  return AGE_BUCKETS.map((bucket) => {
    const old = breaks.filter(({ age }) => age.bucket === bucket);
    return { bucket, count: old.length, atStake: atStakeIn(old) };
  });
}
