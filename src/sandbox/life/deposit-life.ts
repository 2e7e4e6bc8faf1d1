/**
 * The life of a deposit. The interface lists the states but no transitions; these are the sandbox's own:
 *
 *   REQUESTED -> CREATED -> RECEIVING_FUNDS -> COMPLETED     CREATED -> EXPIRED | VOID
 *   REQUESTED -> CREATE_FAILED | CREATE_TIMEOUT | VOID
 *
 * COMPLETED needs the requested amount confirmed; an under-paid deposit stays RECEIVING_FUNDS. Funds that arrive before
 * CREATED count from then on; funds after COMPLETED, EXPIRED or VOID are received too, but do not change the state.
 */
import { createHash, createHmac } from "node:crypto";
import { Decimal } from "../../money/index.ts";
import { receiverAddressOf } from "../rules/addresses.ts";
import { atFixedRate } from "../rules/deposit-rules.ts";
import type { SeededDeposit, SeededPart } from "../seed.ts";
import type { Service } from "../service.ts";
import type { DepositTerms, StoredDeposit } from "../state/deposits.ts";
import type { StoredPayout } from "../state/payouts.ts";

/** Stores a seeded deposit and plans the arrival of its funds, counted from `atMs`. */
export function beginSeededDeposit(service: Service, seeded: SeededDeposit, atMs: number): void {
  const { depositId, accountId, reference, expiryAfterMs, fixedRate, requestedAmount } = seeded;
  const { duplicatedFromDepositId, listsOriginal } = seeded;
  const currency = service.accounts.find(accountId)?.currency ?? "BTC";
  beginDeposit(service, {
    depositId,
    accountId,
    reference,
    depositState: "CREATED",
    createdAt: atMs,
    visibleAt: atMs,
    expiresAt: expiryAfterMs === undefined ? undefined : atMs + expiryAfterMs,
    duplicatedFromDepositId,
    listsOriginal,
    terms: {
      ...generatedTerms(service, depositId, currency),
      customerId: seeded.customerId,
      callbackUrl: seeded.callbackUrl,
      ...(requestedAmount !== undefined &&
        fixedRate !== undefined &&
        atFixedRate(requestedAmount, fixedRate, currency)),
    },
  });
  planParts(service, depositId, seeded.parts, atMs);
}

/** Plans the arrival of funds in parts; times count from `atMs`. */
export function planParts(
  service: Service,
  depositId: string,
  parts: readonly SeededPart[],
  atMs: number,
): void {
  const known = service.deposits.countParts(depositId);
  for (const [index, part] of parts.entries()) {
    const partId = `${depositId}/${known + index + 1}`;
    service.deposits.insertPart({
      partId,
      depositId,
      amount: Decimal.of(part.amount),
      confirmAfterMs: part.confirmAfterMs,
      confirmations: part.confirmations,
      txHash: createHash("sha256").update(`deposit ${partId}`).digest("hex"),
    });
    service.agenda.add("part-arrives", partId, atMs + part.afterMs);
    const { movesTo } = part;
    if (movesTo === undefined) continue;
    const move: Move = { partId, depositId: movesTo.depositId };
    service.agenda.add("part-moves", JSON.stringify(move), atMs + part.afterMs + movesTo.afterMs);
  }
}

interface Move {
  readonly partId: string;
  readonly depositId: string;
}

/** Another deposit lists the part from now on. The money was received once and stays where it is. */
export function partMoves(service: Service, text: string): void {
  const { partId, depositId }: Move = JSON.parse(text);
  if (service.deposits.find(depositId) === undefined) return;
  service.deposits.movePart(partId, depositId);
  moveDeposit(service, depositId, "CREATED", "RECEIVING_FUNDS");
  completeIfPaid(service, depositId);
}

/** One of our payouts pays to a deposit's address: adds a part under the payoutId, which the payout confirms. */
export function payoutReachesDeposit(
  service: Service,
  { depositId }: StoredDeposit,
  { payoutId, amount }: StoredPayout,
  txHash: string,
  atMs: number,
): void {
  const { stepMs: confirmAfterMs } = service.policy;
  const part = { partId: payoutId, depositId, amount, confirmAfterMs, confirmations: 1, txHash };
  service.deposits.insertPart(part);
  service.deposits.setPartReceived(payoutId, atMs);
  moveDeposit(service, depositId, "CREATED", "RECEIVING_FUNDS");
}

export function beginDeposit(service: Service, deposit: StoredDeposit): void {
  service.deposits.insert(deposit);
  const { depositId, createdAt, depositState, expiresAt } = deposit;
  if (depositState === "REQUESTED") {
    service.agenda.add("deposit-created", depositId, createdAt + service.policy.stepMs);
  }
  if (expiresAt !== undefined) {
    service.agenda.add("deposit-expires", depositId, expiresAt);
  }
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

export function depositCreated(service: Service, depositId: string): void {
  const deposit = service.deposits.find(depositId);
  if (deposit?.depositState !== "REQUESTED") return;
  service.deposits.setState(depositId, service.depositOutcomeOf(deposit.reference) ?? "CREATED");
  if (service.deposits.receivedParts(depositId).length === 0) return;
  moveDeposit(service, depositId, "CREATED", "RECEIVING_FUNDS");
  completeIfPaid(service, depositId);
}

export function depositExpires(service: Service, depositId: string): void {
  moveDeposit(service, depositId, "CREATED", "EXPIRED");
}

/** Voids a deposit that has received nothing; false if it is too late. */
export function voidDeposit(service: Service, { depositId, depositState }: StoredDeposit): boolean {
  if (depositState !== "REQUESTED" && depositState !== "CREATED") return false;
  service.deposits.setState(depositId, "VOID");
  return true;
}

export function partArrives(service: Service, partId: string, atMs: number): void {
  const part = service.deposits.findPart(partId);
  const deposit = part === undefined ? undefined : service.deposits.find(part.depositId);
  if (part === undefined || deposit === undefined) return;
  const { accountId, depositId } = deposit;
  service.deposits.setPartReceived(partId, atMs);
  const received = { accountId, kind: "received", amount: part.amount, subject: partId } as const;
  service.accounts.post({ ...received, createdAt: atMs });
  moveDeposit(service, depositId, "CREATED", "RECEIVING_FUNDS");
  service.agenda.add("part-confirms", partId, atMs + part.confirmAfterMs);
}

export function partConfirms(service: Service, partId: string, atMs: number): void {
  const part = service.deposits.findPart(partId);
  if (part === undefined) return;
  service.deposits.setPartConfirmed(partId, atMs);
  service.accounts.confirm(partId, atMs);
  completeIfPaid(service, part.depositId);
}

function completeIfPaid(service: Service, depositId: string): void {
  if (isPaid(service, depositId)) moveDeposit(service, depositId, "RECEIVING_FUNDS", "COMPLETED");
}

function isPaid(service: Service, depositId: string): boolean {
  const confirmed = service.deposits
    .receivedParts(depositId)
    .filter((part) => part.confirmedAt !== undefined);
  const requested = service.deposits.find(depositId)?.terms.requestedInCrypto;
  if (requested === undefined) return confirmed.length > 0;
  return Decimal.sum(confirmed.map((part) => part.amount)).compare(Decimal.of(requested.amount)) >= 0;
}

function moveDeposit(service: Service, depositId: string, from: string, to: string): void {
  if (service.deposits.find(depositId)?.depositState === from) service.deposits.setState(depositId, to);
}
