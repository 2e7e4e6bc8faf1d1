/** Time passes: everything due on the agenda happens in order, each at the instant it was due. */
import { Decimal } from "../../money/index.ts";
import { addressFormat } from "../rules/addresses.ts";
import { feeOf } from "../rules/fees.ts";
import type { ForeignPayout } from "../seed.ts";
import type { Service } from "../service.ts";
import type { AgendaKind } from "../state/agenda.ts";
import { depositCreated, depositExpires, partArrives, partConfirms, partMoves } from "./deposit-life.ts";
import { beginPayout, stepPayout } from "./payout-life.ts";

export function tick(service: Service, nowMs: number): void {
  for (let due = service.agenda.take(nowMs); due !== undefined; due = service.agenda.take(nowMs)) {
    HAPPENINGS[due.kind](service, due.subject, due.dueAt);
  }
}

type Happening = (service: Service, subject: string, dueAt: number) => void;

const HAPPENINGS: Readonly<Record<AgendaKind, Happening>> = {
  "payout-step": stepPayout,
  "deposit-created": depositCreated,
  "deposit-expires": depositExpires,
  "part-arrives": partArrives,
  "part-confirms": partConfirms,
  "part-moves": partMoves,
  "foreign-payout": arriveForeignPayout,
};

/**
 * Plans a payout that none of our requests asks for: another client uses the same accounts. The agenda keeps all of
 * it, so it survives a restart with another seed.
 */
export function planForeignPayout(service: Service, foreign: ForeignPayout, startMs: number): void {
  service.agenda.add("foreign-payout", JSON.stringify(foreign), startMs + foreign.afterMs);
}

function arriveForeignPayout(service: Service, text: string, atMs: number): void {
  const foreign: ForeignPayout = JSON.parse(text);
  const amount = Decimal.of(foreign.amount);
  const currency = service.accounts.find(foreign.accountId)?.currency ?? "BTC";
  const format = addressFormat(foreign.destinationAddress, currency, service.policy) ?? "P2WPKH";
  const fee = { currency, feePolicy: "NORMAL", useCoinConsolidation: false } as const;
  beginPayout(service, {
    payoutId: service.policy.uuid(),
    creation: {
      accountId: foreign.accountId,
      reference: foreign.reference,
      callbackUrl: "https://elsewhere.example.com/hook",
      requestedAmount: { currency, amount },
      destinationAddress: foreign.destinationAddress,
      feePolicy: "NORMAL",
    },
    clientId: service.directory.clients[0]?.clientId ?? service.policy.uuid(),
    createdAt: atMs,
    visibleAt: atMs,
    amount,
    fee: feeOf(fee, format, service.policy.feeRates),
    authorization: { id: service.policy.uuid(), state: "PENDING", cosigners: [] },
    arrival: undefined,
  });
}
