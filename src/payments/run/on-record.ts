/**
 * The record overrides the row: a payment whose last entry ended it is not sent, even if its row says "approved".
 */
import { fault } from "../../faults/index.ts";
import { type BatchId, minuteText } from "../../model/index.ts";
import { readRoster } from "../../proof/identity.ts";
import { DecisionsRead, listProofs, type RecordedDecision } from "../../proof/recorded-decisions.ts";
import { verifyAudit } from "../../store/audit.ts";
import { listAtStanding } from "../../store/begin-sending.ts";
import type { Store } from "../../store/store.ts";
import { rootOf } from "../../workplace/root.ts";
import type { Workplace } from "../../workplace/workplace.ts";

/** The entries after which a payment is not due again, unless one of `REOPENED` follows. */
const ENDED: ReadonlySet<string> = new Set([
  "recall payment",
  "abandon payout",
  "accept payout",
  "payout accepted",
  "payout refused",
  "payout in doubt",
  "payout held",
]);
/** A person makes and signs `re-open payout`. */
const REOPENED: ReadonlySet<string> = new Set(["re-open payout", "payout not sent"]);

/**
 * Verifies the record, that people of the roster have signed each decision in it except approvals, and that no
 * payment of these custody accounts is approved, sending or in doubt after an entry that ended it. The caller holds
 * their lane. Throws AUDIT_CHAIN_BROKEN, DECISION_UNPROVEN and BATCH_ALTERED.
 */
export async function checkPaymentsOnRecord(workplace: Workplace, store: Store): Promise<void> {
  const { config } = workplace;
  const accounts = config.custodyAccounts.map(({ id }) => id);
  const standings = await store.read(() => listAtStanding(["approved", "sending", "in doubt"], accounts));
  const payments = new Map(standings.map((payment) => [payment.reference, payment]));
  const submitted = new Map<string, number>();
  const last = new Map<string, { readonly action: string; readonly seq: number }>();
  const { roster, proofs } = await store.read(function* () {
    return { roster: yield* readRoster(config, rootOf(config, "send")), proofs: yield* listProofs() };
  });
  const decisions = new DecisionsRead(roster, proofs);
  await verifyAudit(store, (entry) => {
    const { action, subject, seq } = entry;
    decisions.visit(entry);
    if (action === "submit" && !submitted.has(subject)) submitted.set(subject, seq);
    if (payments.has(subject) && (ENDED.has(action) || REOPENED.has(action)))
      last.set(subject, { action, seq });
  });
  // Approvals are verified batch by batch: an unproven one holds back only its own batch.
  const [unproven, ...others] = decisions.unproven.filter(({ action }) => action !== "approve");
  if (unproven !== undefined) throw unprovenDecision(unproven, others.length);
  for (const [reference, { action, seq }] of last) {
    const payment = payments.get(reference);
    // The entry is about an earlier payment, which was withdrawn and gave this reference up.
    if (payment === undefined || seq < (submitted.get(payment.batch_id) ?? 0) || REOPENED.has(action))
      continue;
    // A process may have died while it sent a doubt again.
    if (payment.standing !== "approved" && action === "payout in doubt") continue;
    throw altered(payment.batch_id, reference);
  }
}

function unprovenDecision({ action, subject, person, at }: RecordedDecision, others: number) {
  const what = `${action} ${subject}, by ${person} at ${minuteText(at)}`;
  const more = others === 0 ? "" : `, and ${others} more`;
  return fault("DECISION_UNPROVEN", { what, more });
}

function altered(batch: BatchId, reference: string) {
  return fault("BATCH_ALTERED", { what: `the stored rows of batch ${batch}` }, { reference });
}
