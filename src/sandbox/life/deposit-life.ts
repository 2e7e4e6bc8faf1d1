/**
 * The life of a deposit. The interface lists the states and not their transitions; these are the sandbox's own:
 *
 *   REQUESTED -> CREATED -> RECEIVING_FUNDS -> COMPLETED     CREATED -> EXPIRED | VOID
 *
 * COMPLETED needs the requested amount confirmed; an under-paid deposit stays RECEIVING_FUNDS. Funds that arrive after
 * COMPLETED, EXPIRED or VOID are received all the same and leave the state alone.
 */
import { createHash, createHmac } from "node:crypto";
import { Decimal } from "../../money/index.ts";
import { receiverAddressOf } from "../rules/addresses.ts";
import { atFixedRate } from "../rules/deposit-rules.ts";
import type { SeededDeposit } from "../seed.ts";
import type { Service } from "../service.ts";
import type { DepositTerms, StoredDeposit } from "../state/deposits.ts";

/** Stores a seeded deposit and plans the arrival of its funds, counted from `atMs`. */
export function beginSeededDeposit(service: Service, seeded: SeededDeposit, atMs: number): void {
  const { depositId, accountId, reference, expiryAfterMs, fixedRate, requestedAmount } = seeded;
  const currency = service.accounts.find(accountId)?.currency ?? "BTC";
  beginDeposit(service, {
    depositId,
    accountId,
    reference,
    depositState: "CREATED",
    createdAt: atMs,
    expiresAt: expiryAfterMs === undefined ? undefined : atMs + expiryAfterMs,
    terms: {
      ...generatedTerms(service, depositId),
      customerId: seeded.customerId,
      callbackUrl: seeded.callbackUrl,
      ...(requestedAmount !== undefined &&
        fixedRate !== undefined &&
        atFixedRate(requestedAmount, fixedRate, currency)),
    },
  });
  for (const [index, part] of seeded.parts.entries()) {
    const partId = `${depositId}/${index + 1}`;
    service.deposits.insertPart({
      partId,
      depositId,
      amount: Decimal.of(part.amount),
      confirmAfterMs: part.confirmAfterMs,
      txHash: createHash("sha256").update(`deposit ${partId}`).digest("hex"),
      receivedAt: undefined,
      confirmedAt: undefined,
    });
    service.agenda.add({ dueAt: atMs + part.afterMs, kind: "part-arrives", subject: partId });
  }
}

/** Stores a deposit and plans its expiry. */
export function beginDeposit(service: Service, deposit: StoredDeposit): void {
  service.deposits.insert(deposit);
  const { depositId, createdAt, depositState, expiresAt } = deposit;
  if (depositState === "REQUESTED") {
    service.agenda.add({
      dueAt: createdAt + service.policy.stepMs,
      kind: "deposit-created",
      subject: depositId,
    });
  }
  if (expiresAt !== undefined) {
    service.agenda.add({ dueAt: expiresAt, kind: "deposit-expires", subject: depositId });
  }
}

/** What the service itself adds to a deposit: the receiving address, its signature, and the order's numbers. */
export function generatedTerms(service: Service, depositId: string): DepositTerms {
  const hash = createHash("sha256").update(`receiver ${depositId}`).digest();
  const receiverAddress = receiverAddressOf(hash.subarray(0, 20), service.policy.network);
  return {
    receiverAddress,
    verificationSignature: createHmac("sha256", "sandbox").update(receiverAddress).digest("hex"),
    creditOrderId: depositId,
    creditOrderAlphanumericId: `CO-${depositId.slice(0, 8).toUpperCase()}`,
  };
}

export function depositCreated(service: Service, depositId: string): void {
  moveDeposit(service, depositId, "REQUESTED", "CREATED");
}

export function depositExpires(service: Service, depositId: string): void {
  moveDeposit(service, depositId, "CREATED", "EXPIRED");
}

/** Voids a deposit that has received nothing; false when it is too late. */
export function voidDeposit(service: Service, { depositId, depositState }: StoredDeposit): boolean {
  if (depositState !== "REQUESTED" && depositState !== "CREATED") return false;
  service.agenda.drop(depositId);
  service.deposits.setState(depositId, "VOID");
  return true;
}

export function partArrives(service: Service, partId: string, atMs: number): void {
  const part = service.deposits.findPart(partId);
  const deposit = part === undefined ? undefined : service.deposits.find(part.depositId);
  if (part === undefined || deposit === undefined) return;
  const { accountId, depositId } = deposit;
  service.deposits.setPartReceived(partId, atMs);
  service.accounts.post({
    accountId,
    kind: "received",
    amount: part.amount,
    subject: partId,
    createdAt: atMs,
  });
  moveDeposit(service, depositId, "CREATED", "RECEIVING_FUNDS");
  service.agenda.add({ dueAt: atMs + part.confirmAfterMs, kind: "part-confirms", subject: partId });
}

export function partConfirms(service: Service, partId: string, atMs: number): void {
  const part = service.deposits.findPart(partId);
  if (part === undefined) return;
  service.deposits.setPartConfirmed(partId, atMs);
  service.accounts.confirm(partId, atMs);
  if (isPaid(service, part.depositId)) moveDeposit(service, part.depositId, "RECEIVING_FUNDS", "COMPLETED");
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
