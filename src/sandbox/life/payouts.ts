/** The life of a payout: what happens when it enters each of its states (states.ts). */
import { Decimal } from "../../money/index.ts";
import { hashOf } from "../random.ts";
import { refusal } from "../refusal.ts";
import { canonicalAddress } from "../rules/addresses.ts";
import type { Service } from "../service.ts";
import type { AuthorizationState, StoredDeposit, StoredPayout } from "../state/state.ts";
import { partConfirms, payoutReachesDeposit } from "./deposits.ts";
import { payoutRow } from "./states.ts";

type NewPayout = Omit<StoredPayout, "payoutState" | "dueAt" | "txHash" | "sentAt" | "confirmedAt">;

/** Stores a new payout, locks its cost, and starts its life. */
export function beginPayout(service: Service, payout: NewPayout): void {
  const begun = { ...payout, dueAt: undefined, txHash: undefined, sentAt: undefined, confirmedAt: undefined };
  service.money.lock(payout.creation.accountId, costOf(payout));
  enter(service, { ...begun, payoutState: "REQUESTED" }, "REQUESTED", payout.createdAt);
}

/** Throws 404 if there is none. */
export function existingPayout({ payouts }: Service, payoutId: string): StoredPayout {
  const payout = payouts.get(payoutId);
  if (payout === undefined) throw refusal(404, "PAYOUT_NOT_FOUND", `there is no payout ${payoutId}`);
  return payout;
}

/** Whether it can still be voided, authorized and rejected: its money has not begun to leave. */
export function isRevocable({ payoutState }: StoredPayout): boolean {
  return payoutRow(payoutState).void !== undefined;
}

/** Cancels a revocable payout. */
export function voidPayout(service: Service, payout: StoredPayout, atMs: number): void {
  const next = payoutRow(payout.payoutState).void;
  if (next !== undefined) enter(service, payout, next, atMs);
}

/** Records a cosigner's authorization of a revocable payout; the last one lets it continue. */
export function cosignPayout(service: Service, payout: StoredPayout, username: string, atMs: number): void {
  const cosigned = decidedBy(payout, username, "AUTHORIZED");
  const next = isCosigned(cosigned) ? payoutRow(payout.payoutState).lastCosigner : undefined;
  if (next === undefined) service.payouts.put(payout.payoutId, cosigned);
  else enter(service, cosigned, next, atMs);
}

/** Records a cosigner's rejection of a revocable payout, which cancels it. */
export function rejectPayout(service: Service, payout: StoredPayout, username: string, atMs: number): void {
  const { authorization, ...rejected } = decidedBy(payout, username, "REJECTED");
  voidPayout(service, { ...rejected, authorization: { ...authorization, state: "REJECTED" } }, atMs);
}

/** Plans its next step. One that is not the payout's next any more when it is due does nothing. */
export function planPayoutStep(service: Service, { payoutId, dueAt: planned }: StoredPayout): void {
  if (planned === undefined) return;
  service.agenda.plan(planned, (dueAt) => {
    const payout = service.payouts.get(payoutId);
    if (payout?.dueAt !== dueAt) return;
    if (payout.payoutState === "COMPLETED") return goBack(service, payout, dueAt);
    const next = nextState(service, payout);
    if (next !== undefined) enter(service, payout, next, dueAt);
  });
}

/** Shows a completed payout in an earlier state. Its money stays where it is. */
function goBack(service: Service, payout: StoredPayout, atMs: number): void {
  const rule = service.payoutReturnOf(payout.creation.reference);
  if (rule === undefined) return;
  const dueAt = atMs + rule.forMs;
  const returned = { ...payout, payoutState: rule.to, confirmedAt: undefined, wentBack: true, dueAt };
  service.payouts.put(payout.payoutId, returned);
  planPayoutStep(service, returned);
}

/** The state into which time moves a payout. */
function nextState(service: Service, payout: StoredPayout): string | undefined {
  if (payout.wentBack) return "COMPLETED";
  const { failures = [], ...after } = payoutRow(payout.payoutState);
  const outcome = service.payoutOutcomeOf(payout.creation.reference)?.state;
  if (outcome !== undefined && failures.includes(outcome)) return outcome;
  if (after.stepToCosigners !== undefined && payout.authorization.cosigners.length > 0) {
    return isCosigned(payout) ? after.stepCosigned : after.stepToCosigners;
  }
  if (after.stepUncovered !== undefined && !isCovered(service, payout)) return after.stepUncovered;
  return after.step;
}

/** Moves a payout into a state, with what that brings, and plans the step after it. */
function enter(service: Service, payout: StoredPayout, payoutState: string, atMs: number): void {
  const entered = ON_ENTERING[payoutState]?.(service, payout, atMs);
  const changed: StoredPayout = { ...payout, ...entered, payoutState };
  const dueAt = endOf(changed, atMs + service.policy.stepMs) ?? returnOf(service, changed, atMs);
  const moved = { ...changed, dueAt };
  service.payouts.put(payout.payoutId, moved);
  planPayoutStep(service, moved);
}

/** When time ends the present state: a step later, or once the first of the awaited cosigners has no time left. */
function endOf({ payoutState, authorization }: StoredPayout, stepEndsAt: number): number | undefined {
  const { step, lastCosigner } = payoutRow(payoutState);
  if (step === undefined) return undefined;
  if (lastCosigner === undefined) return stepEndsAt;
  const awaited = authorization.cosigners.filter(({ state }) => state === "PENDING");
  return Math.min(...awaited.map(({ expiresAt }) => expiresAt));
}

/** When it goes back to an earlier state; undefined if it does not, or has done so. */
function returnOf(service: Service, payout: StoredPayout, completedAt: number): number | undefined {
  const { payoutState, wentBack = false, creation } = payout;
  const rule =
    payoutState === "COMPLETED" && !wentBack ? service.payoutReturnOf(creation.reference) : undefined;
  return rule && completedAt + rule.afterMs;
}

type Entering = (service: Service, payout: StoredPayout, atMs: number) => Partial<StoredPayout>;

const ON_ENTERING: Readonly<Record<string, Entering>> = {
  AUTHORIZED: (_service, { authorization }) => ({ authorization: { ...authorization, state: "AUTHORIZED" } }),
  SENT: send,
  COMPLETED: (service, { payoutId }, confirmedAt) => {
    service.money.confirm(payoutId, confirmedAt);
    partConfirms(service, payoutId, confirmedAt);
    return { confirmedAt };
  },
  CREATE_FAILED: unlock,
  CREATE_TIMEOUT: unlock,
  CANCELLED: unlock,
  SEND_FAILED: unlock,
};

function unlock(service: Service, payout: StoredPayout): Partial<StoredPayout> {
  service.money.release(payout.creation.accountId, costOf(payout));
  return {};
}

function send(service: Service, payout: StoredPayout, atMs: number): Partial<StoredPayout> {
  const { payoutId, amount, fee, creation } = payout;
  const txHash = txHashOf(service, payout, atMs);
  const leaving = { accountId: creation.accountId, subject: payoutId, createdAt: atMs };
  const deposit = paidDeposit(service, payout);
  const payee = deposit?.accountId ?? ownPayee(service, payout);
  unlock(service, payout);
  service.money.post({ ...leaving, kind: "sent", amount });
  service.money.post({ ...leaving, kind: "fee", amount: fee });
  if (deposit !== undefined) payoutReachesDeposit(service, deposit, payout, txHash, atMs);
  if (payee !== undefined) {
    service.money.post({ ...leaving, accountId: payee, kind: "self-received", amount });
  }
  return { txHash, sentAt: atMs };
}

/** The client's own account that the payout names, if it names one. */
function ownPayee(service: Service, { creation }: StoredPayout): string | undefined {
  const payee = service.money.account(creation.destinationAccountId ?? "");
  return payee?.ownedByClient ? payee.accountId : undefined;
}

/** The deposit to whose address the payout goes, however that is spelt. */
function paidDeposit({ deposits }: Service, { creation }: StoredPayout): StoredDeposit | undefined {
  const { destinationAccountId, destinationAddress } = creation;
  if (destinationAccountId !== undefined || destinationAddress === undefined) return undefined;
  return deposits.sharing("receiver", canonicalAddress(destinationAddress))[0]?.row;
}

function decidedBy(payout: StoredPayout, username: string, state: AuthorizationState): StoredPayout {
  const { authorization } = payout;
  const cosigners = authorization.cosigners.map((cosigner) =>
    cosigner.username === username ? { ...cosigner, state } : cosigner,
  );
  return { ...payout, authorization: { ...authorization, cosigners } };
}

function isCosigned({ authorization }: StoredPayout): boolean {
  return authorization.cosigners.every((cosigner) => cosigner.state === "AUTHORIZED");
}

/** Whether confirmed money covers the payout. Other payouts' locks do not count: first come, first served. */
function isCovered(service: Service, payout: StoredPayout): boolean {
  const balance = service.money.account(payout.creation.accountId)?.balance;
  if (balance === undefined) return false;
  return balance.confirmed.minus(balance.sentUnconfirmed).compare(costOf(payout)) >= 0;
}

/** The sum that leaves the account: the payee's amount and the fee. */
function costOf({ amount, fee }: Pick<StoredPayout, "amount" | "fee">): Decimal {
  return Decimal.sum([amount, fee]);
}

/** Payouts that allow batching share a transaction if they leave one account within the same step. */
function txHashOf(service: Service, { payoutId, creation }: StoredPayout, atMs: number): string {
  const step = Math.floor(atMs / service.policy.stepMs);
  const origin = creation.batchingAllowed ? `batch ${creation.accountId} ${step}` : `payout ${payoutId}`;
  return hashOf(origin);
}
