/**
 * The life of a payout. The interface lists the states and not their transitions; these are the sandbox's own:
 *
 *   REQUESTED -> CREATED -> AUTHORIZED -> SIGNING -> SENDING -> SENT -> COMPLETED
 *   REQUESTED -> CREATE_FAILED | CREATE_TIMEOUT     CREATED -> CANCELLED     SENDING -> SEND_FAILED
 *   CREATED -> COSIGNER_AUTHORIZATIONS_PENDING -> COSIGNER_AUTHORIZED -> AUTHORIZED   where the account has cosigners
 *   any state before SIGNING -> CANCELLED   by a void, or by a cosigner who rejects
 *
 * Each step takes the policy's `stepMs`, except the wait for cosigners, which ends with the last of them.
 */
import { createHash } from "node:crypto";
import { Decimal } from "../../money/index.ts";
import type { Service } from "../service.ts";
import type { AuthorizationState, StoredPayout } from "../state/payouts.ts";
import { partConfirms, payoutReachesDeposit } from "./deposit-life.ts";

const NEXT_STATE: Readonly<Record<string, string>> = {
  REQUESTED: "CREATED",
  CREATED: "AUTHORIZED",
  COSIGNER_AUTHORIZED: "AUTHORIZED",
  AUTHORIZED: "SIGNING",
  SIGNING: "SENDING",
  SENDING: "SENT",
  SENT: "COMPLETED",
};

/** The state from which a payout with a seeded outcome fails. */
const FAILS_FROM: Readonly<Record<string, string>> = {
  CREATE_FAILED: "REQUESTED",
  CREATE_TIMEOUT: "REQUESTED",
  CANCELLED: "CREATED",
  SEND_FAILED: "SENDING",
};

/** In these states a payout can still be authorized, rejected and voided. */
const UNSIGNED_STATES: ReadonlySet<string> = new Set([
  "REQUESTED",
  "CREATED",
  "COSIGNER_AUTHORIZATIONS_PENDING",
  "COSIGNER_AUTHORIZED",
  "AUTHORIZED",
]);

type NewPayout = Omit<StoredPayout, "payoutState" | "txHash" | "sentAt" | "confirmedAt">;

/** Stores a new payout, locks its cost, and starts its life. */
export function beginPayout(service: Service, newPayout: NewPayout): void {
  const payout: StoredPayout = {
    ...newPayout,
    payoutState: "REQUESTED",
    txHash: undefined,
    sentAt: undefined,
    confirmedAt: undefined,
  };
  service.payouts.insert(payout);
  service.accounts.lock(payout.creation.accountId, costOf(payout));
  planStep(service, payout.payoutId, payout.createdAt);
}

/** Advances the payout by one state, at the instant the step was due. */
export function stepPayout(service: Service, payoutId: string, atMs: number): void {
  const payout = service.payouts.find(payoutId);
  if (payout === undefined) return;
  const payoutState = nextStateOf(service, payout);
  if (payoutState === undefined) return;
  if (payoutState === "SENT") send(service, payout, atMs);
  else if (payoutState === "COMPLETED") complete(service, payout, atMs);
  else if (payoutState in FAILS_FROM) fail(service, payout, payoutState);
  else moveOn(service, payout, payoutState, atMs);
}

/** Records a cosigner's authorization; the last one lets the payout continue. False if it is too late. */
export function cosignPayout(
  service: Service,
  payout: StoredPayout,
  username: string,
  atMs: number,
): boolean {
  if (!UNSIGNED_STATES.has(payout.payoutState)) return false;
  const cosigners = decidedBy(payout, username, "AUTHORIZED");
  const authorization = { ...payout.authorization, cosigners };
  const isCosigned = cosigners.every((cosigner) => cosigner.state === "AUTHORIZED");
  const waiting = payout.payoutState === "COSIGNER_AUTHORIZATIONS_PENDING";
  const payoutState = isCosigned && waiting ? "COSIGNER_AUTHORIZED" : payout.payoutState;
  service.payouts.update({ ...payout, payoutState, authorization });
  if (isCosigned && waiting) planStep(service, payout.payoutId, atMs);
  return true;
}

/** Records a cosigner's rejection, which cancels the payout; false if it is too late. */
export function rejectPayout(service: Service, payout: StoredPayout, username: string): boolean {
  const cosigners = decidedBy(payout, username, "REJECTED");
  const authorization = { ...payout.authorization, state: "REJECTED" as const, cosigners };
  return voidPayout(service, { ...payout, authorization });
}

/** Cancels a payout whose money has not left; false if it is too late. */
export function voidPayout(service: Service, payout: StoredPayout): boolean {
  if (!UNSIGNED_STATES.has(payout.payoutState)) return false;
  fail(service, payout, "CANCELLED");
  return true;
}

function decidedBy({ authorization }: StoredPayout, username: string, state: AuthorizationState) {
  return authorization.cosigners.map((cosigner) =>
    cosigner.username === username ? { ...cosigner, state } : cosigner,
  );
}

function nextStateOf(service: Service, payout: StoredPayout): string | undefined {
  const { payoutState, creation, authorization } = payout;
  const outcome = service.payoutOutcomeOf(creation.reference);
  if (outcome !== undefined && FAILS_FROM[outcome] === payoutState) return outcome;
  const cosigned = authorization.cosigners.every((cosigner) => cosigner.state === "AUTHORIZED");
  if (payoutState === "CREATED" && authorization.cosigners.length > 0) {
    return cosigned ? "COSIGNER_AUTHORIZED" : "COSIGNER_AUTHORIZATIONS_PENDING";
  }
  if (payoutState === "SENDING" && !isCovered(service, payout)) return "SEND_FAILED";
  return NEXT_STATE[payoutState];
}

function moveOn(service: Service, payout: StoredPayout, payoutState: string, atMs: number): void {
  const state = payoutState === "AUTHORIZED" ? "AUTHORIZED" : payout.authorization.state;
  service.payouts.update({ ...payout, payoutState, authorization: { ...payout.authorization, state } });
  if (payoutState in NEXT_STATE) planStep(service, payout.payoutId, atMs);
}

function send(service: Service, payout: StoredPayout, atMs: number): void {
  const { payoutId, amount, fee, creation } = payout;
  const { accountId } = creation;
  const txHash = txHashOf(service, payout, atMs);
  const leaving = { accountId, subject: payoutId, createdAt: atMs };
  service.accounts.release(accountId, costOf(payout));
  service.accounts.post({ ...leaving, kind: "sent", amount });
  service.accounts.post({ ...leaving, kind: "fee", amount: fee });
  const payee = ownPayee(service, payout, txHash, atMs);
  if (payee !== undefined) {
    service.accounts.post({ ...leaving, accountId: payee, kind: "self-received", amount });
  }
  service.payouts.update({ ...payout, payoutState: "SENT", txHash, sentAt: atMs });
  planStep(service, payoutId, atMs);
}

/** The client's own account that receives the money: named directly, or by the address of one of its deposits. */
function ownPayee(service: Service, payout: StoredPayout, txHash: string, atMs: number): string | undefined {
  const { destinationAccountId, destinationAddress } = payout.creation;
  if (destinationAccountId !== undefined) {
    const payee = service.accounts.find(destinationAccountId);
    return payee?.ownedByClient ? payee.accountId : undefined;
  }
  const deposit =
    destinationAddress === undefined ? undefined : service.deposits.findByReceiver(destinationAddress);
  if (deposit === undefined) return undefined;
  payoutReachesDeposit(service, deposit, payout, txHash, atMs);
  return deposit.accountId;
}

function complete(service: Service, payout: StoredPayout, atMs: number): void {
  service.accounts.confirm(payout.payoutId, atMs);
  partConfirms(service, payout.payoutId, atMs);
  service.payouts.update({ ...payout, payoutState: "COMPLETED", confirmedAt: atMs });
}

function fail(service: Service, payout: StoredPayout, payoutState: string): void {
  service.accounts.release(payout.creation.accountId, costOf(payout));
  service.payouts.update({ ...payout, payoutState });
}

/** Whether confirmed money covers the payout. Other payouts' locks do not count: first come, first served. */
function isCovered(service: Service, payout: StoredPayout): boolean {
  const balance = service.accounts.find(payout.creation.accountId)?.balance;
  if (balance === undefined) return false;
  return balance.confirmed.minus(balance.sentUnconfirmed).compare(costOf(payout)) >= 0;
}

/** The sum that leaves the account: the payee's amount and the fee. */
function costOf(payout: StoredPayout): Decimal {
  return Decimal.sum([payout.amount, payout.fee]);
}

function planStep(service: Service, payoutId: string, atMs: number): void {
  service.agenda.add("payout-step", payoutId, atMs + service.policy.stepMs);
}

/** Payouts that allow batching share a transaction if they leave one account within the same step. */
function txHashOf(service: Service, { payoutId, creation }: StoredPayout, atMs: number): string {
  const step = Math.floor(atMs / Math.max(1, service.policy.stepMs));
  const origin = creation.batchingAllowed ? `batch ${creation.accountId} ${step}` : `payout ${payoutId}`;
  return createHash("sha256").update(origin).digest("hex");
}
