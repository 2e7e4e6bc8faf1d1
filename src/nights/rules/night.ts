/**
 * A night's findings as they are kept: a document of plain texts and counts that will read the same years later.
 * Amounts are decimal text with all their digits. Pure; other modules read its input.
 */
import {
  type BalanceProofRow,
  type BreakKind,
  type BreakSeverity,
  type ControlTotal,
  compareText,
  controlTotals,
  type Day,
  type Instant,
  type NightProofRow,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { Amount } from "../../money/index.ts";
import { type Age, type AgeBucket, ageingOf, atStakeIn } from "./ageing.ts";
import type { NightLook } from "./night-look.ts";
import { PAYOUT_CLASSES, type PayoutClass, type Reconciliation } from "./reconciliation.ts";

/** Decimal text. */
type Figure = string;

export interface Money {
  readonly currency: string;
  readonly amount: Figure;
}

export interface Sum extends Money {
  readonly count: number;
}

export interface Night {
  /** The edition of this document form. */
  readonly edition: 1;
  /** The day in the company's time zone. */
  readonly day: Day;
  readonly timeZone: string;
  readonly comparedAt: Instant;
  /** Absent if everything was seen. */
  readonly incomplete?: { readonly since: Instant; readonly code: string; readonly message: string };
  /** Absent for nights of earlier versions, which asked for everything. */
  readonly look?: NightLook;
  /** The first problems; `problemsLeftOut`: the number of the others. */
  readonly problems: readonly { readonly code: string; readonly message: string; readonly fix: string }[];
  readonly problemsLeftOut: number;
  readonly totals: NightTotals;
  readonly proof: readonly NightProofRow[];
  readonly breaks: NightBreaks;
  /**
   * When the previous night was; the following counts start there. Absent for the first night, which counts from
   * the beginning.
   */
  readonly since?: Instant;
  readonly accounts: readonly AccountChanges[];
  readonly projects: readonly ProjectArrivals[];
  /** The end of the audit record. */
  readonly audit: { readonly entries: number; readonly head: string };
}

/** accepted = the sum of the classes. */
export interface NightTotals extends Readonly<Record<PayoutClass, readonly Sum[]>> {
  readonly accepted: readonly Sum[];
  readonly payouts: Reconciliation["totals"]["payouts"];
  /** `differ`: deposits that were shown and are in a break, settled ones too. */
  readonly deposits: Reconciliation["totals"]["deposits"] & { readonly differ: number };
  /** Payouts that no file asked for, if their amounts are known. */
  readonly unexpected: readonly Sum[];
}

export interface NightBreaks {
  /** Open alarms. */
  readonly alarms: number;
  readonly warnings: number;
  readonly notes: number;
  readonly settled: number;
  /** Breaks that opened in this night. */
  readonly opened: number;
  /** Breaks that are open for longer than their severity allows. */
  readonly over: number;
  readonly atStake: readonly Money[];
  readonly ageing: readonly {
    readonly bucket: AgeBucket;
    readonly count: number;
    readonly atStake: readonly Money[];
  }[];
  /** Alarms first, then oldest first; `leftOut`: the number of other open breaks. */
  readonly listed: readonly NightBreak[];
  readonly leftOut: number;
}

export interface NightBreak {
  readonly opening: string;
  readonly kind: BreakKind;
  readonly severity: BreakSeverity;
  readonly sentence: string;
  readonly openedAt: Instant;
  readonly age: Age;
  readonly owner?: string;
  readonly reference?: string;
  readonly payoutId?: string;
  readonly depositId?: string;
  readonly custodyAccountId?: string;
  /** The name of its custody account. */
  readonly account?: string;
  readonly field?: string;
  readonly expected?: string;
  readonly found?: string;
  readonly stake?: Money;
}

/**
 * The payouts and deposits of a custody account that have changed: amounts as requested, and as received so far.
 */
export interface AccountChanges {
  readonly custodyAccountId: string;
  readonly account: string;
  readonly payouts: readonly Sum[];
  readonly deposits: readonly Sum[];
}

/** Payouts that arrived, by ledger project; empty for payouts without one. */
export interface ProjectArrivals {
  readonly project: string;
  readonly arrived: readonly Sum[];
}

/** A break as the register lists it. */
export interface FoundBreak extends Omit<NightBreak, "account" | "stake"> {
  readonly amount?: Amount;
}

export interface FoundNight
  extends Pick<Night, "day" | "timeZone" | "comparedAt" | "accounts" | "projects" | "audit"> {
  readonly incomplete?: Night["incomplete"] | undefined;
  readonly since?: Instant | undefined;
  readonly problems: Night["problems"];
  readonly result: Reconciliation;
  readonly open: readonly FoundBreak[];
  readonly settled: number;
  readonly look: NightLook;
  readonly nameOf: (custodyAccountId: string) => string;
}

const PROBLEMS_MAX = 100;
const BREAKS_MAX = 1_000;

export function nightFrom(found: FoundNight): Night {
  const { result, open, nameOf, problems, incomplete, since } = found;
  return {
    edition: 1,
    day: found.day,
    timeZone: found.timeZone,
    comparedAt: found.comparedAt,
    ...present({ incomplete, since }),
    look: found.look,
    problems: problems.slice(0, PROBLEMS_MAX).map(({ code, message, fix }) => ({ code, message, fix })),
    problemsLeftOut: Math.max(0, problems.length - PROBLEMS_MAX),
    totals: totalsIn(result),
    proof: result.balanceProof.map((row) => proofRow(row, nameOf)),
    breaks: breaksIn(open, found),
    accounts: found.accounts,
    projects: found.projects,
    audit: found.audit,
  };
}

function totalsIn({ totals, breaks }: Reconciliation): NightTotals {
  const classes = Object.fromEntries(PAYOUT_CLASSES.map((each) => [each, sumsOf(totals[each])]));
  const strangers = breaks.filter(({ kind }) => kind === "unexpected");
  const shown = breaks.filter(({ kind }) => kind !== "missing");
  const differ = new Set(shown.flatMap(({ depositId }) => depositId ?? [])).size;
  return {
    ...(classes as Record<PayoutClass, Sum[]>),
    accepted: sumsOf(totals.accepted),
    payouts: totals.payouts,
    deposits: { ...totals.deposits, differ },
    unexpected: sumsOf(controlTotals(strangers.flatMap(({ amount }) => amount ?? []))),
  };
}

export function sumsOf(totals: readonly ControlTotal[]): Sum[] {
  return totals.map(({ currency, count, amount }) => ({
    currency,
    count,
    amount: amount.normalized().toString(),
  }));
}

function proofRow(row: BalanceProofRow, nameOf: FoundNight["nameOf"]): NightProofRow {
  const { custodyAccountId, currency, openedAt, foundAt, uncountedMovements, ties } = row;
  const { opening, expected, found, difference } = row;
  return {
    custodyAccountId,
    account: nameOf(custodyAccountId),
    currency,
    ...present({ opening: opening?.toString(), openedAt }),
    received: row.received.toString(),
    transferredIn: row.transferredIn.toString(),
    sent: row.sent.toString(),
    fees: row.fees.toString(),
    sharedFees: row.sharedFees.toString(),
    depositFees: row.depositFees.toString(),
    unconfirmedIn: row.unconfirmedIn.toString(),
    unconfirmedOut: row.unconfirmedOut.toString(),
    ...present({ expected: expected?.toString(), found: found?.toString(), foundAt }),
    ...present({ difference: difference?.toString() }),
    uncountedMovements,
    ties,
  };
}

function breaksIn(open: readonly FoundBreak[], { settled, comparedAt, nameOf }: FoundNight): NightBreaks {
  const count = (severity: BreakSeverity) => open.filter((each) => each.severity === severity).length;
  return {
    alarms: count("alarm"),
    warnings: count("warning"),
    notes: count("note"),
    settled,
    opened: open.filter(({ openedAt }) => openedAt === comparedAt).length,
    over: open.filter(({ age }) => age.isOver).length,
    atStake: atStakeIn(open).map(moneyOf),
    ageing: ageingOf(open).map((each) => ({ ...each, atStake: each.atStake.map(moneyOf) })),
    listed: worstFirst(open)
      .slice(0, BREAKS_MAX)
      .map((each) => nightBreak(each, nameOf)),
    leftOut: Math.max(0, open.length - BREAKS_MAX),
  };
}

const RANK: Readonly<Record<BreakSeverity, number>> = { alarm: 0, warning: 1, note: 2 };

/** Alarms first, then oldest first. */
function worstFirst(open: readonly FoundBreak[]): readonly FoundBreak[] {
  return open.toSorted(
    (one, other) => RANK[one.severity] - RANK[other.severity] || compareText(one.openedAt, other.openedAt),
  );
}

export function nightBreak(found: FoundBreak, nameOf: FoundNight["nameOf"]): NightBreak {
  const { opening, kind, severity, sentence, openedAt, age, custodyAccountId, amount } = found;
  return {
    opening,
    kind,
    severity,
    sentence,
    openedAt,
    age,
    ...present({
      owner: found.owner,
      reference: found.reference,
      payoutId: found.payoutId,
      depositId: found.depositId,
      custodyAccountId,
      field: found.field,
      expected: found.expected,
      found: found.found,
      account: custodyAccountId && nameOf(custodyAccountId),
      stake: amount && moneyOf(amount),
    }),
  };
}

function moneyOf({ currency, value }: Amount): Money {
  return { currency, amount: value.normalized().toString() };
}
