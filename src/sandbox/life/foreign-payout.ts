/** Payouts that no request of ours asked for: somebody else's use of the same accounts, from the seed. */
import { Decimal } from "../../money/index.ts";
import { bitcoinAddressFormat } from "../rules/addresses.ts";
import { feeOf, feeRateOf } from "../rules/fees.ts";
import type { ForeignPayout } from "../seed.ts";
import type { Service } from "../service.ts";
import { beginPayout } from "./payout-life.ts";

/** Plans a seeded foreign payout; the agenda keeps its text, so that it survives a restart under another seed. */
export function planForeignPayout(service: Service, foreign: ForeignPayout, startMs: number): void {
  service.agenda.add({
    dueAt: startMs + foreign.afterMs,
    kind: "foreign-payout",
    subject: JSON.stringify(foreign),
  });
}

export function arriveForeignPayout(service: Service, text: string, atMs: number): void {
  const foreign: ForeignPayout = JSON.parse(text);
  const amount = Decimal.of(foreign.amount);
  const format = bitcoinAddressFormat(foreign.destinationAddress, service.policy.network) ?? "P2WPKH";
  beginPayout(service, {
    payoutId: service.policy.uuid(),
    creation: {
      username: foreign.username,
      accountId: foreign.accountId,
      reference: foreign.reference,
      callbackUrl: "https://elsewhere.example.com/hook",
      requestedAmount: { currency: service.accounts.find(foreign.accountId)?.currency ?? "BTC", amount },
      destinationAddress: foreign.destinationAddress,
      feePolicy: "NORMAL",
    },
    clientId: service.seed.clients[0]?.clientId ?? service.policy.uuid(),
    payoutState: "REQUESTED",
    createdAt: atMs,
    visibleAt: atMs,
    amount,
    fee: feeOf(feeRateOf("NORMAL", undefined, service.policy.feeRates), format, false),
    txHash: undefined,
    sentAt: undefined,
    confirmedAt: undefined,
    authorization: { id: service.policy.uuid(), state: "PENDING", cosigners: [] },
    arrival: undefined,
  });
}
