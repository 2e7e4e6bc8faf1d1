/** What the seed and the operator begin, and what a start plans again from the rows of an earlier one. */
import { Decimal } from "../../money/index.ts";
import { addressFormat } from "../rules/addresses.ts";
import { atFixedRate } from "../rules/deposit-rules.ts";
import { feeOf } from "../rules/fees.ts";
import type { ForeignPayout, SeededDeposit } from "../seed.ts";
import type { Service } from "../service.ts";
import { freeKey } from "../state/rows.ts";
import { announceParts, beginDeposit, generatedTerms, planDeposit, planPart } from "./deposits.ts";
import { beginPayout, planPayoutStep } from "./payouts.ts";

/** Begins a service: with its seed at the first start on a file, otherwise where the last start ended. */
export function beginService(service: Service, nowMs: number): void {
  const facts = service.facts();
  service.setFacts({ clockOffsetMs: 0, ...facts, starts: (facts?.starts ?? 0) + 1 });
  if (facts === undefined) plantSeed(service, nowMs);
  else planAgain(service);
}

function plantSeed(service: Service, nowMs: number): void {
  for (const seeded of service.seed.accounts) service.money.open(seeded, nowMs);
  for (const seeded of service.seed.deposits) beginSeededDeposit(service, seeded, nowMs);
  for (const foreign of service.seed.foreignPayouts) announceForeignPayout(service, foreign, nowMs);
}

function planAgain(service: Service): void {
  for (const payout of service.payouts.all()) planPayoutStep(service, payout);
  for (const deposit of service.deposits.all()) planDeposit(service, deposit);
  for (const part of service.parts.all()) planPart(service, part);
  for (const { key, row } of service.foreignPayouts.entries()) planForeignPayout(service, key, row.dueAt);
}

/** Stores a seeded deposit and announces its funds, counted from `atMs`. */
export function beginSeededDeposit(service: Service, seeded: SeededDeposit, atMs: number): void {
  const { depositId, accountId, reference, expiryAfterMs, fixedRate, requestedAmount } = seeded;
  const { customerId, callbackUrl, duplicatedFromDepositId, listsOriginal } = seeded;
  const currency = service.money.account(accountId)?.currency ?? "BTC";
  const isPriced = requestedAmount !== undefined && fixedRate !== undefined;
  const price = isPriced ? atFixedRate(requestedAmount, fixedRate, currency) : {};
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
    terms: { ...generatedTerms(service, depositId, currency), ...price, customerId, callbackUrl },
  });
  announceParts(service, depositId, seeded.parts, atMs);
}

/** Announces a payout that none of our requests asks for: another client uses the same accounts. */
export function announceForeignPayout(service: Service, foreign: ForeignPayout, startMs: number): void {
  const key = freeKey(service.foreignPayouts, foreign.reference);
  const dueAt = startMs + foreign.afterMs;
  service.foreignPayouts.put(key, { ...foreign, dueAt });
  planForeignPayout(service, key, dueAt);
}

function planForeignPayout(service: Service, key: string, dueAt: number): void {
  service.agenda.plan(dueAt, (atMs) => {
    const foreign = service.foreignPayouts.get(key);
    if (foreign === undefined) return;
    service.foreignPayouts.remove(key);
    beginForeignPayout(service, foreign, atMs);
  });
}

function beginForeignPayout(service: Service, foreign: ForeignPayout, atMs: number): void {
  const { accountId, reference, destinationAddress } = foreign;
  const { policy, clients } = service;
  const amount = Decimal.of(foreign.amount);
  const currency = service.money.account(accountId)?.currency ?? "BTC";
  const format = addressFormat(destinationAddress, currency, policy) ?? "P2WPKH";
  const fee = { currency, feePolicy: "NORMAL", useCoinConsolidation: false } as const;
  beginPayout(service, {
    payoutId: policy.uuid(),
    creation: {
      accountId,
      reference,
      callbackUrl: "https://elsewhere.example.com/hook",
      requestedAmount: { currency, amount },
      destinationAddress,
      feePolicy: "NORMAL",
    },
    clientId: clients.first?.clientId ?? policy.uuid(),
    createdAt: atMs,
    visibleAt: atMs,
    amount,
    fee: feeOf(fee, format, policy.feeRates),
    authorization: { id: policy.uuid(), state: "PENDING", cosigners: [] },
  });
}
