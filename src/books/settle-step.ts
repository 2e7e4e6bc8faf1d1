/**
 * Ends repeated reports by a controller's signature, with a reason: about a movement that posting holds back, or an
 * export batch that the ERP does not answer. Nothing is booked, and everything stays on record.
 */
import { fault } from "../faults/index.ts";
import { answeringTargets, exportNumberText } from "../model/ledger-table.ts";
import { proveDecision } from "../proof/prove.ts";
import { appendAudit } from "../store/audit.ts";
import { listUnanswered } from "../store/erp-answers.ts";
import { type ExportBatch, excuseBatch, findBatches } from "../store/export-batches.ts";
import { type Held, listHeld, settleHeld } from "../store/held.ts";
import type { Transaction } from "../store/sql.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface HeldSettling {
  /** References, payoutIds and depositIds. */
  readonly names: readonly string[];
  readonly person: string;
  readonly reason: string;
}

/**
 * Settles the held movements of `names`, and returns them. If one is held for another reason later, it is reported
 * again. Throws NAME_UNKNOWN if a name matches nothing held and unsettled; the faults of `proveDecision`;
 * STATEMENT_CHANGED if the held movements have changed when the statement is signed.
 */
export async function settleHeldStep(
  workplace: Workplace,
  { names, person, reason }: HeldSettling,
): Promise<readonly Held[]> {
  const { store, context } = workplace;
  const meant = await store.read(() => heldOf(names));
  await proveDecision(workplace, {
    decision: "settle held",
    person,
    subject: names.join(", "),
    reason,
    detail: { held: reasonsOf(meant) },
  });
  const at = context.clock.now();
  return store.write(function* (): Transaction<readonly Held[]> {
    const chosen = yield* heldOf(names);
    if (stampOf(chosen) !== stampOf(meant)) throw fault("STATEMENT_CHANGED", { reason: "held" });
    const ids = Object.keys(reasonsOf(chosen));
    yield* appendAudit(
      ...ids.map((id) => ({ at, person, action: "settle held", subject: id, detail: { reason } })),
    );
    yield* settleHeld(ids, { at, person, reason });
    return chosen.map((each) => ({ ...each, settledAt: at, settledBy: person, settledReason: reason }));
  });
}

function* heldOf(names: readonly string[]): Transaction<readonly Held[]> {
  const open = (yield* listHeld()).filter(({ settledAt }) => settledAt === undefined);
  const chosen = names.flatMap((name) => {
    const named = open.filter(({ id, reference }) => id === name || reference === name);
    const how =
      "`paydrop ledger report held` lists the held movements; name one by its payout, deposit or reference.";
    if (named.length === 0) throw fault("NAME_UNKNOWN", { what: `held movement ${name}`, how });
    return named;
  });
  return [...new Set(chosen)];
}

/** The content that is signed: by payout or deposit, why it is held. */
function reasonsOf(held: readonly Held[]): Record<string, string> {
  const byId = Map.groupBy(held, ({ id }) => id);
  return Object.fromEntries(
    [...byId].map(([id, some]) => [id, some.map(({ message }) => message).join(" ")]),
  );
}

function stampOf(held: readonly Held[]): string {
  return JSON.stringify(Object.entries(reasonsOf(held)).sort());
}

export interface BatchExcuse {
  readonly number: number;
  /** Absent: the only target that answers. */
  readonly target?: string | undefined;
  readonly person: string;
  readonly reason: string;
}

/**
 * Excuses the ERP from answering a batch, and returns the batch. A later answer still counts. Throws NAME_UNKNOWN
 * for a batch that was not issued, USAGE for one that is answered or excused, and the faults of `proveDecision`.
 */
export async function excuseExportStep(
  workplace: Workplace,
  { number, target, person, reason }: BatchExcuse,
): Promise<ExportBatch> {
  const { store, context } = workplace;
  const { batch, entries } = await store.read(() => unansweredBatch(workplace, number, target));
  await proveDecision(workplace, {
    decision: "excuse export",
    person,
    subject: nameOf(batch),
    reason,
    detail: { entries: String(entries) },
  });
  const at = context.clock.now();
  return store.write(function* (): Transaction<ExportBatch> {
    const now = yield* unansweredBatch(workplace, number, target);
    if (now.entries !== entries) throw fault("STATEMENT_CHANGED", { reason: "answer" });
    yield* appendAudit({ at, person, action: "excuse export", subject: nameOf(batch), detail: { reason } });
    yield* excuseBatch(batch.id, { at, person, reason });
    return { ...batch, excusedAt: at, excusedBy: person, excusedReason: reason };
  });
}

function* unansweredBatch({ config, context }: Workplace, number: number, target: string | undefined) {
  const answering = answeringTargets(config.ledger.exports);
  const found = (yield* findBatches(number, target)).filter((batch) => answering.includes(batch.target));
  const [batch, other] = found;
  const name = `export ${exportNumberText(number)}${target === undefined ? "" : ` of ${target}`}`;
  if (batch === undefined) {
    const how = "Name one that was issued to a target with `answers`.";
    throw fault("NAME_UNKNOWN", { what: name, how });
  }
  if (other !== undefined)
    throw fault("USAGE", { what: `${name} is of several targets`, how: "Name one with --target." });
  const unanswered = yield* listUnanswered([batch.target], context.clock.now());
  const entries = unanswered.find((each) => each.number === number)?.entries;
  if (entries === undefined) {
    const state = batch.excusedAt === undefined ? "is answered" : "is excused already";
    throw fault("USAGE", { what: `${name} ${state}`, how: "There is nothing to excuse." });
  }
  return { batch, entries };
}

function nameOf({ target, number }: ExportBatch): string {
  return `${exportNumberText(number)} of ${target}`;
}
