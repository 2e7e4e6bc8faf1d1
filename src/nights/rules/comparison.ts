/**
 * Compares, in both directions, what we asked for with what the service shows, and proves the balances. Cleared
 * payments are only counted, so that memory holds only the rest, however many years are compared. Uses neither the
 * clock nor the service.
 */
import {
  BREAK_KINDS,
  type Break,
  type BreakSeverity,
  depositStateMeaning,
  hasEnded,
  type Instant,
  type Instruction,
  type ObservedFunds,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
  type StateMeaning,
  shownCallbackUrl,
} from "../../model/index.ts";
import { balanceProofOf } from "./balance-proof.ts";
import { BooksTie } from "./books-tie.ts";
import { type BreakContext, breaksOf, type ClaimedPayout } from "./breaks/break-rule.ts";
import { BREAK_RULES } from "./breaks/index.ts";
import { isToldApart } from "./breaks/sent-claimed-twice.ts";
import { isToConfirm } from "./breaks/waiting.ts";
import { matchPayouts } from "./match.ts";
import type {
  ComparedDeposit,
  ComparisonInput,
  Departures,
  Match,
  PayoutClass,
  Reconciliation,
  ReconciliationPolicy,
  StatesBefore,
} from "./reconciliation.ts";
import { type AccountShare, KeptSums, type Share } from "./shares.ts";
import { TotalsByClass, totalsOf } from "./totals.ts";

export interface Sighted {
  readonly beforeBaseline: boolean;
  /** For the payout of an accepted payment: its class, if nothing differs. */
  readonly payoutClass: Exclude<PayoutClass, "differ">;
  /** If it is proven to be no longer shown: when it was last seen. */
  readonly notShownSince?: Instant | undefined;
}

/**
 * `share`: the amounts counted; absent if the element must be compared again, because it differs, is unexpectedly
 * absent, or time alone may turn it into a break.
 */
export interface Cleared {
  readonly share?: Share;
}

export class Comparison {
  private readonly input: ComparisonInput;
  private readonly policy: ReconciliationPolicy;
  /** A context in which no rule finds anything; one element is added to it and judged. */
  private readonly bareContext: BreakContext;
  private readonly proof: ReturnType<typeof balanceProofOf>;
  /** By payout that lists a movement of another one: its figures. */
  private readonly claimed = new Map<PayoutId, readonly AccountShare[]>();
  private readonly booksTie: BooksTie;
  private readonly instructions: Instruction[] = [];
  private readonly payouts = new Map<PayoutId, ObservedPayout>();
  private readonly ignoredPayoutIds = new Set<PayoutId>();
  private readonly notShown = new Map<string, Instant>();
  /** Elements from before the baseline may disappear. */
  private readonly ignoredNotShown = new Map<string, Instant>();
  /** Cleared and awaited payments by class, and the payouts of those cleared. */
  private readonly counted = new TotalsByClass();
  private payoutsCleared = 0;
  private readonly classes = new Map<PayoutId, Sighted["payoutClass"]>();
  private payoutsSetAside = 0;
  /** Only deposits with differences. */
  private readonly deposits: ComparedDeposit[] = [];
  private depositsSeen = 0;
  private depositsBeforeBaseline = 0;

  /** `kept`: the sums of elements that were compared before, have not changed, and are not added. */
  constructor(input: ComparisonInput, policy: ReconciliationPolicy, kept = new KeptSums()) {
    this.input = input;
    this.policy = policy;
    this.bareContext = {
      matches: [],
      missing: [],
      duplicates: [],
      unexpected: [],
      deposits: [],
      missingOrFailedDeposits: [],
      troubledAnswers: [],
      unanswered: [],
      claimedPayouts: [],
      balanceProof: [],
      untiedLedger: [],
      departures: new Map(),
      statesBefore: new Map(),
      notShown: this.notShown,
      paidAgain: input.paidAgain ?? new Map(),
      submittedSince: input.submittedSince ?? new Map(),
      settled: input.settled ?? new Map(),
      unreadable: input.unreadable ?? new Set(),
      policy,
    };
    this.proof = balanceProofOf(input, policy, kept.accounts());
    this.booksTie = new BooksTie(input.ledger);
    for (const payoutClass of ["agree", "gone"] as const) {
      this.counted.addTotals(payoutClass, kept.paymentsOf(payoutClass));
      this.payoutsCleared += kept.countOf(payoutClass);
    }
    this.payoutsSetAside = kept.countOf("set aside");
    this.depositsBeforeBaseline = kept.countOf("deposit before baseline");
    this.depositsSeen = kept.countOf("deposit") + this.depositsBeforeBaseline;
  }

  /**
   * Clears a payment: counts it with its payout if it was accepted, its payout is final, nothing differs, and no
   * other payout lists its movement. Otherwise counts nothing and returns undefined; then add both. Must not be
   * called for a payment that another payout may belong to.
   */
  clear(instruction: Instruction, payout: ObservedPayout, sighted: Sighted): Cleared | undefined {
    if (this.othersListing(payout.payoutId).length > 0) return undefined;
    if (!this.isCleared({ instruction, payout }, sighted)) return undefined;
    const { payoutClass } = sighted;
    this.counted.add(payoutClass, instruction);
    this.payoutsCleared += 1;
    const accounts = this.proven(payout, sighted.beforeBaseline);
    if (payoutClass === "undecided" || payoutClass === "notShown" || !isFinalPayout(payout)) return {};
    return { share: { shareClass: payoutClass, amount: instruction.fields.amount, accounts } };
  }

  private isCleared(match: Match, { beforeBaseline, notShownSince }: Sighted): boolean {
    const { instruction, payout } = match;
    const { payoutId } = payout;
    const bearsAnother =
      this.policy.correlation === "callbackUrl" && shownCallbackUrl(instruction, payout) === "another";
    return (
      instruction.standing === "accepted" &&
      instruction.payoutId === payoutId &&
      payoutStateMeaning(payout.state) === "done" &&
      !bearsAnother &&
      (beforeBaseline || notShownSince === undefined) &&
      !this.isAnyBroken({ matches: [match] })
    );
  }

  addInstruction(instruction: Instruction): void {
    this.instructions.push(instruction);
  }

  /** Adds an accepted payment whose payout may not show yet. It is in no break, as if it were still being sent. */
  addAwaited(instruction: Instruction): void {
    this.counted.add("undecided", instruction);
    this.addInstruction({ ...instruction, standing: "sending" });
  }

  /** Adds a payout once: a payment accepted during the reading may bring one that was added before. */
  addPayout(payout: ObservedPayout, { beforeBaseline, payoutClass, notShownSince }: Sighted): void {
    if (this.payouts.has(payout.payoutId)) return;
    this.classes.set(payout.payoutId, payoutClass);
    this.payouts.set(payout.payoutId, payout);
    if (beforeBaseline) this.ignoredPayoutIds.add(payout.payoutId);
    const notShown = beforeBaseline ? this.ignoredNotShown : this.notShown;
    if (notShownSince !== undefined) notShown.set(payout.payoutId, notShownSince);
    const accounts = this.proven(payout, beforeBaseline);
    if (this.othersListing(payout.payoutId).length > 0) this.claimed.set(payout.payoutId, accounts);
  }

  /** A payout from before the baseline that belongs to no instruction. */
  setAside(payout: ObservedPayout): Cleared {
    this.payoutsSetAside += 1;
    const accounts = this.proven(payout, true);
    return isFinalPayout(payout) ? { share: { shareClass: "set aside", accounts } } : {};
  }

  /** Call after all payouts were added. */
  addDeposit(deposit: ComparedDeposit, { beforeBaseline, notShownSince }: Sighted): Cleared {
    const accounts = this.proof.addDeposit(deposit, beforeBaseline);
    this.booksTie.add(deposit.depositId, accounts);
    this.depositsSeen += 1;
    const { state, receivedFunds } = deposit;
    const mayKeep = isFinal(state, depositStateMeaning(state), receivedFunds);
    if (beforeBaseline) {
      this.depositsBeforeBaseline += 1;
      return mayKeep ? { share: { shareClass: "deposit before baseline", accounts } } : {};
    }
    if (notShownSince !== undefined) this.notShown.set(deposit.depositId, notShownSince);
    if (this.isAnyBroken({ deposits: [deposit] })) {
      this.deposits.push(deposit);
      return {};
    }
    return mayKeep && notShownSince === undefined ? { share: { shareClass: "deposit", accounts } } : {};
  }

  /** The added payouts, without cleared and set-aside ones. */
  get addedPayouts(): readonly ObservedPayout[] {
    return [...this.payouts.values()];
  }

  /** Throws INVARIANT_BROKEN if an instruction or a payout would be lost on the way. */
  finish(departures: Departures = new Map(), statesBefore: StatesBefore = new Map()): Reconciliation {
    const { instructions, addedPayouts: payouts, ignoredPayoutIds, deposits } = this;
    const notShown = new Map([...this.notShown, ...this.ignoredNotShown]);
    const matching = matchPayouts(
      { instructions, payouts, ignoredPayoutIds, notShown },
      this.policy.correlation,
    );
    const balanceProof = this.proof.rows();
    const claimedPayouts = payouts
      .filter(({ payoutId }) => this.claimed.has(payoutId))
      .map((payout) => this.claimedPayout(payout));
    const { missingOrFailedDeposits = [], troubledAnswers = [], unanswered = [] } = this.input;
    const context = {
      ...this.bareContext,
      ...matching,
      troubledAnswers,
      unanswered,
      deposits,
      missingOrFailedDeposits,
      claimedPayouts,
      balanceProof,
      untiedLedger: this.booksTie.untied(this.proof.moved(), this.proof.countedAgain(balanceProof)),
      departures,
      statesBefore,
    };
    const breaks = BREAK_RULES.flatMap((rule) => breaksOf(rule, context)).sort(inReportOrder);
    const counted = { payments: this.counted, payouts: this.payoutsCleared, setAside: this.payoutsSetAside };
    const totals = totalsOf(matching, breaks, this.classes, counted, {
      seen: this.depositsSeen,
      beforeBaseline: this.depositsBeforeBaseline,
    });
    return { breaks, balanceProof, figures: this.proof.figures(), totals };
  }

  /**
   * Call after `finish`: the payouts that list a movement of another one, and need not be compared again, because
   * the balance shows that the money left for each of them.
   */
  toldApart({ breaks, balanceProof }: Reconciliation): ReadonlyMap<PayoutId, Share> {
    const shares = new Map<PayoutId, Share>();
    if (this.claimed.size === 0) return shares;
    const broken = new Set(breaks.map(({ payoutId }) => payoutId));
    for (const { payoutId: id, standing, fields } of this.instructions) {
      const [payout, accounts] = [id && this.payouts.get(id), id && this.claimed.get(id)];
      if (id === undefined || !payout || !accounts || standing !== "accepted") continue;
      // A break about one of them is about all of them.
      if ([id, ...this.othersListing(id)].some((each) => broken.has(each))) continue;
      const shareClass = this.classes.get(id);
      if (shareClass !== "agree" && shareClass !== "gone") continue;
      if (payoutStateMeaning(payout.state) !== "done" || !isFinalPayout(payout)) continue;
      if (isToldApart(this.claimedPayout(payout), balanceProof))
        shares.set(id, { shareClass, amount: fields.amount, accounts });
    }
    return shares;
  }

  private claimedPayout(payout: ObservedPayout): ClaimedPayout {
    const { payoutId } = payout;
    const others = this.othersListing(payoutId);
    const [isOld, ...areOld] = [payoutId, ...others].map((id) => this.ignoredPayoutIds.has(id));
    const isInOpening = isOld === true && areOld.includes(true) && this.booksTie.isWithoutEntry(payoutId);
    return { payout, others, isInOpening };
  }

  private othersListing(payoutId: PayoutId): readonly PayoutId[] {
    return this.input.sentClaims?.othersOf(payoutId) ?? [];
  }

  private proven(payout: ObservedPayout, beforeBaseline: boolean): readonly AccountShare[] {
    const accounts = this.proof.addPayout(payout, beforeBaseline);
    this.booksTie.add(payout.payoutId, accounts);
    return accounts;
  }

  private isAnyBroken(part: Partial<BreakContext>): boolean {
    const context = { ...this.bareContext, ...part };
    return BREAK_RULES.some(({ find }) => find(context).length > 0);
  }
}

/** Whether time alone can no longer turn it into a break: it has ended, and its transactions are confirmed. */
function isFinal(state: string, meaning: StateMeaning | undefined, funds: readonly ObservedFunds[]): boolean {
  return hasEnded(meaning) && !funds.some((each) => isToConfirm(state, each));
}

function isFinalPayout({ state, sentFunds }: ObservedPayout): boolean {
  return isFinal(state, payoutStateMeaning(state), sentFunds);
}

const SEVERITY_ORDER: readonly BreakSeverity[] = ["alarm", "warning", "note"];

function inReportOrder(left: Break, right: Break): number {
  return (
    SEVERITY_ORDER.indexOf(left.severity) - SEVERITY_ORDER.indexOf(right.severity) ||
    BREAK_KINDS.indexOf(left.kind) - BREAK_KINDS.indexOf(right.kind) ||
    (left.id < right.id ? -1 : 1)
  );
}
