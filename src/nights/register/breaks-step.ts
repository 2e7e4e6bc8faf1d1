/** The register for readers: what is open, settled or closed, how old it is, and how much is at stake. */
import { type BreakGroup, type BreakKind, DAY_MS, dayEnd, dayIn, NEVER, shifted } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { Amount, Decimal } from "../../money/index.ts";
import { personOn, readRoster } from "../../proof/identity.ts";
import {
  countNotes,
  listClosedBreaks,
  listOpenBreaks,
  listPresentBefore,
  listSettledBreaks,
  type Opening,
  type SettledBreak,
  type StoredBreak,
} from "../../store/breaks.ts";
import { type ComparisonState, readComparison } from "../../store/comparison.ts";
import type { Transaction } from "../../store/sql.ts";
import { custodyAccountNamed } from "../../workplace/custody-accounts.ts";
import { rootOf } from "../../workplace/root.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { type Age, type AgeClass, ageingOf, ageOf, atStakeIn } from "../rules/ageing.ts";

/** An opening with the other columns of a list. */
export type Listed<Kept extends StoredBreak = StoredBreak> = Kept & {
  readonly age: Age;
  readonly notes: number;
};

export interface BreaksReport extends ComparisonState {
  /** Newest first. */
  readonly open: readonly Listed[];
  readonly settled: readonly Listed<SettledBreak>[];
  /** Openings that closed in the last days, newest first; absent unless asked for. */
  readonly closed?: readonly Listed<Opening>[];
  /** The amounts at stake in open breaks, by currency. */
  readonly atStake: readonly Amount[];
  /** Open breaks by age. */
  readonly ageing: readonly AgeClass[];
}

/** Which breaks a list shows; without members, all of them. */
export interface BreakFilter {
  readonly kind?: BreakKind | BreakGroup;
  /** The name or id of a custody account. */
  readonly account?: string;
  /** At least this much at stake, in this currency if one is given. */
  readonly min?: { readonly value: Decimal; readonly currency?: string };
  /** Only breaks that opened on this day or later, in the company's time zone. */
  readonly since?: string;
  /** A name, or "nobody". */
  readonly owner?: string;
  /** Shows the breaks open and settled at the end of this day in the company's time zone. */
  readonly asOf?: string;
  /** Also lists those that have closed. */
  readonly closed?: boolean;
}

/** As an owner: breaks without one. */
const NOBODY = "nobody";

/** Limits for closed breaks in the list; `show` finds them all. */
const CLOSED_DAYS = 90;
const CLOSED_MAX = 1_000;

/**
 * The breaks of the last comparison, without asking the service. Throws NAME_UNKNOWN for an account that is not
 * ours, and PERSON_UNKNOWN for an owner who is not on the roster.
 */
export function breaksStep(workplace: Workplace, filter: BreakFilter = {}): Promise<BreaksReport> {
  const { store, context, config } = workplace;
  const then = filter.asOf ? dayEnd(config.ledger.timeZone, filter.asOf) : undefined;
  const now = then ?? context.clock.now();
  const isMeant = meantBy(filter, workplace);
  return store.read(function* (): Transaction<BreaksReport> {
    const { owner = NOBODY } = filter;
    if (owner !== NOBODY) personOn(yield* readRoster(config, rootOf(config, "look after a break")), owner);
    const notes = yield* countNotes();
    const listed = <Kept extends Opening | StoredBreak>(kept: readonly Kept[]): Listed<Kept>[] =>
      kept.filter(isMeant).map((each) => ({
        ...each,
        age: ageOf(each, now, config.reconciliation.allowedDays),
        notes: notes.get(each.opening) ?? 0,
      }));
    const was = then === undefined ? undefined : yield* listPresentBefore(then);
    const open = listed(was?.open ?? (yield* listOpenBreaks()));
    const closed = filter.closed
      ? listed(yield* listClosedBreaks(shifted(now, -CLOSED_DAYS * DAY_MS), then ?? NEVER, CLOSED_MAX))
      : undefined;
    return {
      ...(yield* readComparison()),
      open,
      settled: listed(was?.settled ?? (yield* listSettledBreaks())),
      ...present({ closed }),
      atStake: atStakeIn(open),
      ageing: ageingOf(open),
    };
  });
}

function meantBy(filter: BreakFilter, { config }: Workplace): (each: StoredBreak) => boolean {
  const { kind, min, since, owner } = filter;
  const account = filter.account === undefined ? undefined : custodyAccountNamed(config, filter.account).id;
  return (each) =>
    (kind === undefined || each.kind === kind || groupOf(each) === kind) &&
    (account === undefined || each.custodyAccountId === account) &&
    (min === undefined || isAtLeast(each, min)) &&
    (since === undefined || dayIn(config.ledger.timeZone, each.openedAt) >= since) &&
    (owner === undefined || (each.owner ?? NOBODY) === owner);
}

const BOOKS_KINDS: ReadonlySet<string> = new Set(["ledger-treasury", "erp-answer", "erp-unanswered"]);

function groupOf({ kind, depositId }: StoredBreak): BreakGroup {
  if (kind === "balance") return "balance";
  if (BOOKS_KINDS.has(kind)) return "books";
  return depositId === undefined ? "payouts" : "deposits";
}

function isAtLeast({ amount }: StoredBreak, { value, currency }: NonNullable<BreakFilter["min"]>): boolean {
  if (amount === undefined || (currency !== undefined && amount.currency !== currency)) return false;
  return amount.value.compare(value) >= 0;
}
