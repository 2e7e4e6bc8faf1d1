/**
 * One batch for people who decide about it: how it stands, what in it needs a second look, and a page of its payments. Never
 * asks the service. What is found by going through all payments is kept until the record, or the day, is another one.
 */
import { hash } from "node:crypto";
import {
  type BalanceEffect,
  balanceEffects,
  countingApprovals,
  decide,
  moreFor,
  peopleNeededFor,
  runOutAt,
} from "../approval/index.ts";
import type { Problem } from "../faults/index.ts";
import {
  type Approval,
  type Batch,
  type BatchId,
  type ControlTotal,
  type DraftInstruction,
  dayIn,
  findCustodyAccount,
  type Standing,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { auditLength } from "../store/audit.ts";
import { type BalanceSnapshot, listBalances } from "../store/balances.ts";
import {
  countStandingsOf,
  findRowNumbers,
  isAnyHeldBack,
  listApprovedDays,
  listRowNumbers,
  listRows,
  type RowsWanted,
} from "../store/batch-rows.ts";
import { sumApproved } from "../store/instructions.ts";
import { batchAsReleased, batchReleasedAt } from "../store/releases.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { batchWindows } from "../store/windows.ts";
import { type Asked, askedAbout } from "./layout-step.ts";
import { findBatch } from "./payments/named.ts";
import { identityShown } from "./people/identity.ts";
import { type BatchScreening, isUnsent, screenBatch } from "./screening/screening.ts";
import { sendingNow } from "./sending/approved-now.ts";
import { type PaymentStatus, statusesOf } from "./status/payment-status.ts";
import type { Workplace } from "./workplace/workplace.ts";

export type { RowsWanted } from "../store/batch-rows.ts";

export interface BatchStanding {
  readonly batch: Batch;
  readonly standings: ReadonlyMap<Standing, number>;
  /** Those that hold. */
  readonly approvals: readonly Approval[];
  /** Undefined if no rule covers the sums. */
  readonly peopleNeeded?: number;
  /** The sums together with what was released shortly before, if they are why more people are needed. */
  readonly together?: readonly ControlTotal[];
  /** Whether anything waits for an approval, for the first time or again. */
  readonly isOpen: boolean;
  /** Why the approval of this person would not count. */
  readonly whyNot?: Problem;
}

/** The batch with this number, seen by a person; undefined if there is none. */
export async function batchStep(
  workplace: Workplace,
  id: string,
  person: string,
): Promise<BatchStanding | undefined> {
  const { store, config, context } = workplace;
  const { windowHours, rules } = config.approval;
  const identity = await identityShown(workplace);
  const at = context.clock.now();
  return store.read(function* (): Transaction<BatchStanding | undefined> {
    const batch = yield* findBatch(id);
    if (batch === undefined) return undefined;
    const standings = yield* countStandingsOf(batch.id);
    const holding = yield* identity.holding(batch, at);
    const released = yield* identity.judged(yield* batchAsReleased(batch, windowHours, at));
    const isPastItsEnd = runOutAt(released, holding, config.approval, at);
    const isRunOut =
      standings.has("approved") &&
      ((yield* isAnyHeldBack(batch.id)) ||
        (isPastItsEnd(undefined) && (yield* listApprovedDays(batch.id)).some(isPastItsEnd)));
    const isOpen = standings.has("received") || isRunOut;
    const now = yield* identity.judged(yield* batchReleasedAt(batch, windowHours, at));
    const sums = isOpen ? now : released;
    const approvals = isOpen ? countingApprovals(released, holding, config.approval, at) : holding;
    const decided = decide(now, approvals, yield* identity.approver(person), rules);
    return {
      ...{ batch, standings, approvals, isOpen, ...moreFor(sums, rules) },
      ...present({ peopleNeeded: peopleNeededFor(sums, rules) }),
      ...("problem" in decided && { whyNot: decided.problem }),
    };
  });
}

/** A page of its payments, each with how its payout was last seen. */
export async function batchRows(
  workplace: Workplace,
  batch: BatchId,
  { find, among, order, skip, count }: RowsWanted,
): Promise<readonly PaymentStatus[]> {
  const { store } = workplace;
  const named = find === "" ? undefined : await store.read(() => findRowNumbers(batch, find));
  const some = among && new Set(among);
  const all = await rowsInOrder(store, batch, order);
  const rows =
    named === undefined && some === undefined
      ? all
      : all.filter((row) => named?.has(row) !== false && some?.has(row) !== false);
  return statusesOf(workplace, await store.read(() => listRows(batch, [...rows.slice(skip, skip + count)])));
}

/** Rows and their amounts never change: once for each batch and order. */
async function rowsInOrder(store: Store, batch: BatchId, order: RowsWanted["order"]): Promise<Int32Array> {
  const ofStore = orders.get(store) ?? new Map<string, Int32Array>();
  orders.set(store, ofStore);
  const name = `${batch} ${order}`;
  const rows = ofStore.get(name) ?? Int32Array.from(await store.read(() => listRowNumbers(batch, order)));
  keepNewest(ofStore, name, rows);
  return rows;
}

const orders = new WeakMap<Store, Map<string, Int32Array>>();

function keepNewest<Name, Thing>(things: Map<Name, Thing>, name: Name, thing: Thing): void {
  things.delete(name);
  things.set(name, thing);
  for (const oldest of [...things.keys()].slice(0, -KEPT_MAX)) things.delete(oldest);
}

/** What the payments leave on a custody account, as it was last seen. */
export interface KnownEffect extends BalanceEffect {
  readonly there?: BalanceSnapshot;
}

export interface BatchFindings extends BatchScreening {
  readonly asked: Asked;
  readonly sending: Awaited<ReturnType<typeof sendingNow>>;
  readonly effects: readonly KnownEffect[];
  /** Another one whenever something else must be accepted. */
  readonly stamp: string;
}

interface Kept {
  readonly asOf: string;
  readonly untilMs: number;
  readonly findings: Promise<BatchFindings>;
}

const kept = new WeakMap<Store, Map<BatchId, Kept>>();

const KEPT_MAX = 10;
const KEPT_MS = 300_000;

/** What an approver must see besides the payments. Throws what `screenBatch` throws. */
export async function batchFindings(workplace: Workplace, batch: Batch): Promise<BatchFindings> {
  const { store, config, context } = workplace;
  const ofStore = kept.get(store) ?? new Map<BatchId, Kept>();
  kept.set(store, ofStore);
  const length = await store.read(() => auditLength());
  const asOf = `${length} ${dayIn(config.ledger.timeZone, context.clock.now())}`;
  const known = ofStore.get(batch.id);
  const nowMs = context.clock.monotonicMs();
  if (known !== undefined && known.asOf === asOf && nowMs < known.untilMs) return known.findings;
  const findings = found(workplace, batch);
  keepNewest(ofStore, batch.id, { asOf, untilMs: nowMs + KEPT_MS, findings });
  findings.catch(() => ofStore.delete(batch.id));
  return findings;
}

async function found(workplace: Workplace, batch: Batch): Promise<BatchFindings> {
  const screened = await screenBatch(workplace, batch.id);
  const asked = await workplace.store.read(() => askedAbout(batch));
  const stamp = hash("sha256", JSON.stringify([screened.questions, asked.open, batch.digest]));
  const effects = await effectsOf(workplace, batch);
  return { ...screened, asked, sending: await sendingNow(workplace, batch), effects, stamp };
}

async function effectsOf({ store, config, scales }: Workplace, { id }: Batch): Promise<KnownEffect[]> {
  const unsent: DraftInstruction[] = [];
  for await (const window of batchWindows(store, id)) unsent.push(...window.filter(isUnsent));
  const approved = await store.read(() => sumApproved(id));
  const seen = await store.read(() => listBalances("latest"));
  const { custodyAccounts } = config;
  return balanceEffects(unsent, custodyAccounts, [], approved, scales).effects.map((effect) => {
    const account = findCustodyAccount(effect.custodyAccount, custodyAccounts);
    const there = seen.find(({ custodyAccountId }) => custodyAccountId === account?.id);
    if (there === undefined || there.total.currency !== effect.currency) return effect;
    const { approvedBefore, paid, fees } = effect;
    const needed = [approvedBefore, paid, ...(fees === undefined ? [] : [fees.approvedBefore, fees.paid])];
    const left = needed.reduce((rest, amount) => rest.minus(amount), there.total.value);
    return { ...effect, there, left };
  });
}
