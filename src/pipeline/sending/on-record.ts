/** What the record says of a payment holds, whatever its row says: one whose last entry ended it is not sent. */
import { fault } from "../../faults/index.ts";
import type { BatchId, Instant } from "../../model/index.ts";
import { verifyAudit } from "../../store/audit.ts";
import { listAtStanding } from "../../store/begin-sending.ts";
import { listDecisionsOf } from "../../store/statements.ts";
import type { Store } from "../../store/store.ts";
import { decisionsHeld, readRoster } from "../people/identity.ts";
import { rootOf } from "../people/root.ts";
import type { Workplace } from "../workplace/workplace.ts";

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
/** By a person, who signs it where people are proven. */
const BY_PERSON = "re-open payout";
const REOPENED: ReadonlySet<string> = new Set([BY_PERSON, "payout not sent"]);

/**
 * Verifies the record, and that no payment of these custody accounts is approved or in doubt after an entry that ended it.
 * The caller holds their lane. Throws AUDIT_CHAIN_BROKEN and BATCH_ALTERED.
 */
export async function checkPaymentsOnRecord(workplace: Workplace, store: Store): Promise<void> {
  const { config } = workplace;
  const accounts = config.custodyAccounts.map(({ id }) => id);
  const standings = await store.read(() => listAtStanding(["approved", "in doubt"], accounts));
  const payments = new Map(standings.map((payment) => [payment.reference, payment]));
  const submitted = new Map<string, number>();
  const last = new Map<string, { readonly action: string; readonly seq: number }>();
  const endedAt = new Map<string, Instant>();
  await verifyAudit(store, ({ action, subject, seq, at }) => {
    if (action === "submit" && !submitted.has(subject)) submitted.set(subject, seq);
    if (payments.has(subject) && (ENDED.has(action) || REOPENED.has(action)))
      last.set(subject, { action, seq });
    if (payments.has(subject) && ENDED.has(action)) endedAt.set(subject, at);
  });
  const reopened = [...last].flatMap(([reference, { action }]) => (action === BY_PERSON ? [reference] : []));
  const signed = reopened.length === 0 ? undefined : await store.read(() => signedReopenings(workplace));
  for (const reference of reopened) {
    const batch = payments.get(reference)?.batch_id;
    const isSigned = signed?.some((each) => each.has(reference) && each.at >= (endedAt.get(reference) ?? ""));
    if (signed !== undefined && !isSigned && batch !== undefined) throw altered(batch, reference);
  }
  for (const [reference, { action, seq }] of last) {
    const payment = payments.get(reference);
    // An earlier payment of this reference was withdrawn and gave it up.
    if (payment === undefined || seq < (submitted.get(payment.batch_id) ?? 0) || REOPENED.has(action))
      continue;
    if (payment.standing === "in doubt" && action === "payout in doubt") continue;
    throw altered(payment.batch_id, reference);
  }
}

/** The references that operators have re-opened by their signature. */
function* signedReopenings({ config }: Workplace) {
  const roster = yield* readRoster(config, rootOf(config, "send"));
  const kept = yield* listDecisionsOf("reopen");
  return decisionsHeld("reopen", kept, roster).map(({ statement: { at, detail } }) => {
    const { payments } = detail;
    return { at, has: (reference: string) => Array.isArray(payments) && payments.includes(reference) };
  });
}

function altered(batch: BatchId, reference: string) {
  return fault("BATCH_ALTERED", { what: `the stored rows of batch ${batch}` }, { reference });
}
