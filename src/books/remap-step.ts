/**
 * Books entries on suspense again that the chart of accounts now has a line for, by a controller's signature. A
 * changed chart has no other effect: an entry keeps its accounts.
 */
import { hash } from "node:crypto";
import { unlessStopped } from "../context/context.ts";
import { fault, type Problem } from "../faults/index.ts";
import { chunks } from "../model/chunks.ts";
import type { Day } from "../model/index.ts";
import { proveDecision } from "../proof/prove.ts";
import { anchorOf, checkAnchor } from "../store/anchor.ts";
import { appendAudit } from "../store/audit.ts";
import { insertEntries, listOnSuspense, type PostedEntry } from "../store/ledger-entries.ts";
import { addToLedgerSums } from "../store/ledger-sums.ts";
import { ITEMS_PER_STATEMENT, type Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { notePosted, readPostedSoFar, withNeighbours } from "../store/unposted.ts";
import { inWindows } from "../store/windows.ts";
import { exclusivelyOrFault } from "../workplace/exclusively.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { openChart } from "./chart/chart-file.ts";
import { postingPolicy } from "./ledger-policy.ts";
import { scopeOf, settledSources } from "./posting/settled-sources.ts";
import { inJournalOrder } from "./rules/journal-entries.ts";
import { refuseClosedAhead } from "./rules/policy.ts";
import { type Remapped, remapFacts } from "./rules/remap-facts.ts";
import { LedgerSums } from "./rules/trial-balance.ts";
import { type UnmappedValue, UnmappedValues, unmappedIn } from "./rules/unmapped-values.ts";

export interface Remapping {
  readonly person: string;
  /** Only shows what would change; signs and books nothing. */
  readonly checkOnly?: boolean;
}

/** Entries of one value that go to the same accounts. */
export interface RemappedValue extends UnmappedValue {
  /** "6300 expenses:hosting, 6310 expenses:hosting:production" */
  readonly to: string;
}

export interface Remap {
  readonly values: readonly RemappedValue[];
  /** Each entry, with the days on which its reversal and the new entry are booked. */
  readonly entries: readonly RemappedEntry[];
  /** Values for which the chart still has no line. */
  readonly unmapped: readonly UnmappedValue[];
  /** Why an ERP's file could not hold the new booking: the entry stays on suspense. */
  readonly held: readonly Problem[];
  readonly isDone: boolean;
}

export interface RemappedEntry {
  readonly entryId: string;
  readonly reference?: string | undefined;
  readonly bookedOn: Day;
  readonly reversedOn: Day;
  readonly bookedAgain: string;
  readonly bookedAgainOn: Day;
}

/**
 * Reverses and books again, each on its own day or on the first open one. Throws CHART_UNUSABLE, UNDER_WAY, the
 * faults of `checkAnchor` and `proveDecision`, and STATEMENT_CHANGED if the bookings have changed when the
 * statement is signed.
 */
export function remapStep(workplace: Workplace, { person, checkOnly }: Remapping): Promise<Remap> {
  return exclusivelyOrFault(workplace, "ledger-export", async (alone) => {
    const plan = await planOf(alone);
    const found = reportOf(plan, false);
    if (checkOnly === true || plan.remapped.length === 0) return found;
    const subject = digestOf(plan);
    const entries = String(plan.remapped.length);
    await proveDecision(alone, {
      decision: "remap suspense",
      person,
      subject,
      detail: { entries, values: Object.fromEntries(found.values.map(sentenceOf)) },
    });
    const now = await planOf(alone);
    if (digestOf(now) !== subject) throw fault("STATEMENT_CHANGED", { reason: "chart" });
    await bookAgain(alone, now, { person, subject });
    return reportOf(now, true);
  });
}

/** Values on suspense for which the chart had no line when they were booked. It may have one now. */
export async function unmappedValues({ store }: Workplace): Promise<readonly UnmappedValue[]> {
  const values = new UnmappedValues();
  for await (const window of suspenseWindows(store)) values.add(window.map(({ entry }) => entry));
  return values.values();
}

const REMAPPED_TOGETHER = 250;

function suspenseWindows(store: Store): AsyncGenerator<readonly PostedEntry[]> {
  return inWindows(store, (last) => listOnSuspense(last?.seq ?? 0, REMAPPED_TOGETHER));
}

interface Plan {
  readonly remapped: readonly Remapped[];
  readonly unmapped: readonly UnmappedValue[];
  readonly held: readonly Problem[];
}

async function planOf(workplace: Workplace): Promise<Plan> {
  const { store, context, config } = workplace;
  await store.read(checkAnchor(anchorOf(config)));
  refuseClosedAhead(config.ledger, context.clock.now());
  const chart = await openChart(config.ledger.chart);
  const soFar = await store.read(() => readPostedSoFar());
  const policy = await postingPolicy(workplace, chart, soFar?.postedAt);
  const onSuspense = new Set<string>();
  for await (const window of suspenseWindows(store))
    for (const { entry } of window) if (unmappedIn(entry).length > 0) onSuspense.add(entry.sourceId);
  const remapped: Remapped[] = [];
  const held: Problem[] = [];
  if (onSuspense.size > 0) {
    const ids = await neighboursOf(store, [...onSuspense]);
    for await (const settled of settledSources(store, policy, scopeOf(store, ids))) {
      unlessStopped(context);
      const found = remapFacts(settled.facts, settled.posted, chart, settled.policy);
      remapped.push(...found.remapped.filter(({ posted }) => onSuspense.has(posted.sourceId)));
      held.push(...found.held);
    }
  }
  const again = new Set(remapped.map(({ posted }) => posted.entryId));
  const left = new UnmappedValues();
  for await (const window of suspenseWindows(store))
    left.add(window.map(({ entry }) => entry).filter(({ entryId }) => !again.has(entryId)));
  return { remapped, held, unmapped: left.values() };
}

/** The ids, their neighbours, the neighbours of those, and so on. */
async function neighboursOf(store: Store, ids: readonly string[]): Promise<readonly string[]> {
  const known = new Set<string>(ids);
  let fresh: readonly string[] = ids;
  while (fresh.length > 0) {
    const found: string[] = [];
    for (const some of chunks(fresh, ITEMS_PER_STATEMENT))
      found.push(...(await store.read(() => withNeighbours(some))));
    fresh = found.filter((id) => !known.has(id));
    for (const id of fresh) known.add(id);
  }
  return [...known];
}

/** Writes the audit record in the transaction that books the first entry. */
async function bookAgain(
  { store, context, config }: Workplace,
  { remapped }: Plan,
  { person, subject }: { readonly person: string; readonly subject: string },
): Promise<void> {
  let isRecorded = false;
  for (const some of chunks(remapped, REMAPPED_TOGETHER)) {
    const entries = inJournalOrder(some.flatMap(({ reversal, entry }) => [reversal, entry]));
    const sums = new LedgerSums(config.ledger.functionalCurrency);
    sums.add(entries);
    const at = context.clock.now();
    const detail = { entries: String(remapped.length) };
    await store.write(function* (): Transaction<void> {
      if (!isRecorded) yield* appendAudit({ at, person, action: "remap suspense", subject, detail });
      yield* insertEntries(entries, at);
      yield* addToLedgerSums(sums.sums());
      yield* notePosted(at);
    });
    isRecorded = true;
  }
}

/** Covers everything that is booked: entries, their accounts and their days. */
function digestOf({ remapped }: Plan): string {
  const booked = remapped.map(({ reversal, entry }) => [
    ...[reversal.entryId, reversal.bookDay, entry.entryId, entry.bookDay],
    ...entry.lines.map(({ account, debit, credit }) => [
      account.code,
      String(debit ?? ""),
      String(credit ?? ""),
    ]),
  ]);
  return hash("sha256", JSON.stringify(booked.sort())).slice(0, 32);
}

function reportOf({ remapped, unmapped, held }: Plan, isDone: boolean): Remap {
  return {
    values: valuesOf(remapped),
    entries: remapped.map(({ posted, reversal, entry }) => ({
      entryId: posted.entryId,
      reference: posted.reference,
      bookedOn: posted.bookDay,
      reversedOn: reversal.bookDay,
      bookedAgain: entry.entryId,
      bookedAgainOn: entry.bookDay,
    })),
    unmapped,
    held,
    isDone,
  };
}

function valuesOf(remapped: readonly Remapped[]): readonly RemappedValue[] {
  const byAccounts = Map.groupBy(remapped, ({ posted, entry }) => {
    const keys = new Set(posted.lines.map(({ accountKey }) => accountKey));
    const fresh = entry.lines.filter(({ accountKey }) => !keys.has(accountKey));
    return [...new Set(fresh.map(({ account: { code, name } }) => `${code} ${name}`))].join(", ");
  });
  return [...byAccounts].flatMap(([to, some]) => {
    const values = new UnmappedValues();
    values.add(some.map(({ posted }) => posted));
    return values.values().map((value) => ({ ...value, to }));
  });
}

function sentenceOf({ what, to, entries, value }: RemappedValue): [string, string] {
  return [`${what} to ${to}`, `${entries} entries, ${value}`];
}
