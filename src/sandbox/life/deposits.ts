/** The life of a deposit (states.ts), and of the parts in which its funds arrive. */
import { createHash, createHmac } from "node:crypto";
import { Decimal } from "../../money/index.ts";
import { hashOf } from "../random.ts";
import { refusal } from "../refusal.ts";
import { receiverAddressOf } from "../rules/addresses.ts";
import type { SeededPart } from "../seed.ts";
import type { Service } from "../service.ts";
import { freeKey } from "../state/rows.ts";
import type { DepositPart, DepositTerms, StoredDeposit, StoredPayout } from "../state/state.ts";
import { depositRow, type StateEvent } from "./states.ts";

/** Stores a new deposit, and starts its life. */
export function beginDeposit(service: Service, deposit: Omit<StoredDeposit, "dueAt">): void {
  const isStepping = depositRow(deposit.depositState).step !== undefined;
  const dueAt = isStepping ? deposit.createdAt + service.policy.stepMs : undefined;
  const begun = { ...deposit, dueAt };
  service.deposits.put(deposit.depositId, begun);
  planDeposit(service, begun);
}

/** Throws 404 if there is none. */
export function existingDeposit({ deposits }: Service, depositId: string): StoredDeposit {
  const deposit = deposits.get(depositId);
  if (deposit === undefined) throw refusal(404, "DEPOSIT_NOT_FOUND", `there is no deposit ${depositId}`);
  return deposit;
}

/** Whether it can still be voided: it has received nothing. */
export function isVoidable({ depositState }: StoredDeposit): boolean {
  return depositRow(depositState).void !== undefined;
}

export function voidDeposit(service: Service, { depositId }: StoredDeposit): void {
  move(service, depositId, "void");
}

/** Plans what time brings to a deposit. What its state does not know does nothing when it is due. */
export function planDeposit(service: Service, { depositId, dueAt, expiresAt }: StoredDeposit): void {
  if (dueAt !== undefined) service.agenda.plan(dueAt, () => depositCreated(service, depositId));
  if (expiresAt !== undefined) service.agenda.plan(expiresAt, () => move(service, depositId, "expiry"));
}

/** The service's additions to a deposit: the receiving address, its signature, and the order's numbers. */
export function generatedTerms(service: Service, depositId: string, currency: string): DepositTerms {
  const hash = createHash("sha256").update(`receiver ${depositId}`).digest();
  const receiverAddress = receiverAddressOf(hash.subarray(0, 20), currency, service.policy.network);
  return {
    receiverAddress,
    verificationSignature: createHmac("sha256", "sandbox").update(receiverAddress).digest("hex"),
    creditOrderId: depositId,
    creditOrderAlphanumericId: `CO-${depositId.slice(-8).toUpperCase()}`,
  };
}

/** The parts of a deposit that have arrived, oldest first. */
export function receivedParts({ parts }: Service, depositId: string): DepositPart[] {
  return parts
    .sharing("depositId", depositId)
    .map(({ row }) => row)
    .filter(({ receivedAt }) => receivedAt !== undefined)
    .sort((left, right) => {
      const difference = (left.receivedAt ?? 0) - (right.receivedAt ?? 0);
      return difference === 0 ? (left.partId < right.partId ? -1 : 1) : difference;
    });
}

/** Announces funds in parts; times count from `atMs`. */
export function announceParts(
  service: Service,
  depositId: string,
  parts: readonly SeededPart[],
  atMs: number,
): void {
  for (const { amount, fee, afterMs, confirmAfterMs, confirmations, replacedAfterMs, movesTo } of parts) {
    const partId = freeKey(service.parts, depositId);
    const arrivesAt = atMs + afterMs;
    const part: DepositPart = {
      partId,
      depositId,
      amount: Decimal.of(amount),
      fee: fee === undefined ? undefined : Decimal.of(fee),
      txHash: hashOf(`deposit ${partId}`),
      replacedAt: replacedAfterMs === undefined ? undefined : arrivesAt + replacedAfterMs,
      planned: { arrivesAt, confirmAfterMs },
      movesTo: movesTo && { depositId: movesTo.depositId, atMs: arrivesAt + movesTo.afterMs },
      confirmations,
      receivedAt: undefined,
      confirmedAt: undefined,
    };
    service.parts.put(partId, part);
    planPart(service, part);
  }
}

/** Plans what is still to happen to a part. */
export function planPart(
  service: Service,
  { partId, planned, replacedAt, movesTo, ...part }: DepositPart,
): void {
  const { agenda } = service;
  if (planned !== undefined && part.receivedAt === undefined) {
    agenda.plan(planned.arrivesAt, (dueAt) => partArrives(service, partId, dueAt));
  } else if (planned !== undefined && part.receivedAt !== undefined && part.confirmedAt === undefined) {
    const confirmsAt = part.receivedAt + planned.confirmAfterMs;
    agenda.plan(confirmsAt, (dueAt) => partConfirms(service, partId, dueAt));
  }
  if (replacedAt !== undefined) agenda.plan(replacedAt, () => partReplaced(service, partId));
  if (movesTo !== undefined) agenda.plan(movesTo.atMs, () => partMoves(service, partId));
}

/** Another transaction takes its place, unless it is confirmed; the deposit lists both. */
function partReplaced(service: Service, partId: string): void {
  const part = service.parts.get(partId);
  if (part === undefined || part.confirmedAt !== undefined) return;
  const txHash = hashOf(`in place of ${part.txHash}`);
  service.parts.put(partId, { ...part, txHash, replacedTxHash: part.txHash, replacedAt: undefined });
}

function partArrives(service: Service, partId: string, receivedAt: number): void {
  const part = service.parts.get(partId);
  const deposit = part && service.deposits.get(part.depositId);
  if (part === undefined || deposit === undefined) return;
  const arrived = { ...part, receivedAt };
  const { accountId, depositId } = deposit;
  const received = { accountId, kind: "received", amount: part.amount, subject: partId } as const;
  service.parts.put(partId, arrived);
  service.money.post({ ...received, createdAt: receivedAt });
  move(service, depositId, "funds");
  planPart(service, { ...arrived, replacedAt: undefined, movesTo: undefined });
}

/** Confirms a part and its money; a part that there is not does nothing. */
export function partConfirms(service: Service, partId: string, confirmedAt: number): void {
  const part = service.parts.get(partId);
  if (part === undefined) return;
  service.parts.put(partId, { ...part, confirmedAt });
  service.money.confirm(partId, confirmedAt);
  completeIfPaid(service, part.depositId);
}

/** Another deposit lists the part from now on. The money was received once and stays where it is. */
function partMoves(service: Service, partId: string): void {
  const part = service.parts.get(partId);
  const other = part?.movesTo?.depositId ?? "";
  if (part === undefined || service.deposits.get(other) === undefined) return;
  service.parts.remove(partId);
  service.parts.put(partId, { ...part, depositId: other, movesTo: undefined });
  move(service, other, "funds");
  completeIfPaid(service, other);
}

/** One of our payouts pays to a deposit's address: adds a part under the payoutId, which the payout confirms. */
export function payoutReachesDeposit(
  service: Service,
  { depositId }: StoredDeposit,
  { payoutId, amount }: StoredPayout,
  txHash: string,
  receivedAt: number,
): void {
  service.parts.put(payoutId, {
    partId: payoutId,
    depositId,
    amount,
    txHash,
    planned: undefined,
    movesTo: undefined,
    confirmations: 1,
    receivedAt,
    confirmedAt: undefined,
  });
  move(service, depositId, "funds");
}

/** Funds that arrived before count from now on. */
function depositCreated(service: Service, depositId: string): void {
  move(service, depositId, "step");
  if (receivedParts(service, depositId).length === 0) return;
  move(service, depositId, "funds");
  completeIfPaid(service, depositId);
}

function completeIfPaid(service: Service, depositId: string): void {
  if (isPaid(service, depositId)) move(service, depositId, "paid");
}

function isPaid(service: Service, depositId: string): boolean {
  const confirmed = receivedParts(service, depositId).filter((part) => part.confirmedAt !== undefined);
  const requested = service.deposits.get(depositId)?.terms.requestedInCrypto;
  if (requested === undefined) return confirmed.length > 0;
  return Decimal.sum(confirmed.map((part) => part.amount)).compare(Decimal.of(requested.amount)) >= 0;
}

function move(service: Service, depositId: string, event: StateEvent): void {
  const deposit = service.deposits.get(depositId);
  const { failures = [], [event]: next } = depositRow(deposit?.depositState ?? "");
  if (deposit === undefined || next === undefined) return;
  const outcome = event === "step" ? service.depositOutcomeOf(deposit.reference)?.state : undefined;
  const depositState = outcome !== undefined && failures.includes(outcome) ? outcome : next;
  service.deposits.put(depositId, { ...deposit, depositState });
}
