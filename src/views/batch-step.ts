/**
 * One batch for people who decide about it: its status, the findings that need a second look, and a page of its
 * payments. Never asks the service. Findings that need a scan of all payments are cached until the record or the
 * day changes.
 */
import { hash } from "node:crypto";
import { isProblem, type Problem } from "../faults/index.ts";
import { textsOfBatch } from "../files/intake/texts-beside.ts";
import type { LastTime } from "../files/reading/index.ts";
import { type Lineage, lineageOf } from "../files/repair/lineage.ts";
import { lastTimeOfBatch } from "../files/screening/last-time.ts";
import { type BatchScreening, isUnsent, screenBatch } from "../files/screening/screening.ts";
import type { BatchReading } from "../model/batch-reading.ts";
import {
  type Approval,
  type Batch,
  type BatchId,
  type ControlTotal,
  type Day,
  type DraftInstruction,
  dayIn,
  findCustodyAccount,
  type Instant,
  type ShownStanding,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import type { TextsBeside } from "../model/sheet-reading.ts";
import { Decimal } from "../money/index.ts";
import {
  type CountedWarning,
  countedWarnings,
  type Evidence,
  evidenceOf,
} from "../payments/decision-evidence.ts";
import { type Asked, askedAbout } from "../payments/layout-step.ts";
import { type BalanceEffect, balanceEffects } from "../payments/named/balance-effects.ts";
import { findBatch } from "../payments/named/named.ts";
import { sendingNow, whyKeyUnknown, whyUnfitToday } from "../payments/run/approved-now.ts";
import { wordsOf } from "../payments/run/spoken-words.ts";
import { moreFor, peopleNeededFor, withApproval } from "../people/decide.ts";
import { givenInVain, isApproved, peopleMissing } from "../people/index.ts";
import { identityShown } from "../proof/identity.ts";
import { judgedApprovals, sumsNow } from "../proof/judged-approvals.ts";
import { auditLength } from "../store/audit.ts";
import { type BalanceSnapshot, listBalances } from "../store/balances.ts";
import {
  countStandingsOf,
  isAnyHeldBack,
  listApprovedDays,
  listRejections,
  listRows,
  type RowsWanted,
} from "../store/batch-rows.ts";
import { findBatchReading } from "../store/batches.ts";
import { sumApproved } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { listSentBefore, type SentPayment } from "../store/submissions.ts";
import { batchWindows, inWindows } from "../store/windows.ts";
import { differs, disagreements } from "../workplace/agreement.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type PaymentStatus, statusesOf } from "./payment-status.ts";

export type { RowsWanted } from "../store/batch-rows.ts";

export interface BatchStanding {
  readonly batch: Batch;
  readonly standings: ReadonlyMap<ShownStanding, number>;
  /** Who rejected payments of the batch, and why: "rejected by carol: not ours". */
  readonly rejections: readonly string[];
  /** Only approvals that count. */
  readonly approvals: readonly Approval[];
  /** People whose next approval changes nothing, because others must approve. */
  readonly given: readonly string[];
  /** Undefined if no rule covers the sums. */
  readonly peopleNeeded?: number;
  /** The sums together with those released shortly before, if these are the reason that more people are needed. */
  readonly together?: readonly ControlTotal[];
  /** One more person than the rule says, because nothing proves who submitted it. */
  readonly isSubmitterUnproven: boolean;
  /** Whether any payment awaits an approval, for the first time or again. */
  readonly isOpen: boolean;
  /** Set while an approval is awaited; absent if no rule covers the sums. */
  readonly peopleMissing?: number;
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
  const { rules } = config.approval;
  const identity = await identityShown(workplace);
  const unfitToday = await whyUnfitToday(workplace);
  const at = context.clock.now();
  return store.read(function* (): Transaction<BatchStanding | undefined> {
    const batch = yield* findBatch(id);
    if (batch === undefined) return undefined;
    const standings = yield* countStandingsOf(batch.id);
    // What has left was sent as it was approved, whatever is configured since.
    const whyUnfit = standings.has("received") || standings.has("approved") ? unfitToday : undefined;
    const released = yield* judgedApprovals(identity, batch, config.approval, at, whyUnfit);
    const isPastItsEnd = (payOn?: Day) => !isApproved(released.stateOf({ at, payOn }));
    const isRunOut =
      (standings.has("approved") && (yield* isAnyHeldBack(batch.id))) ||
      (isPastItsEnd() && (yield* listApprovedDays(batch.id)).some(isPastItsEnd));
    const isOpen = standings.has("received") || isRunOut;
    const now = yield* sumsNow(identity, batch, config.approval, at);
    const sums = isOpen ? now : released.sums;
    const approvals = isOpen ? released.countingAt(at) : released.approvals;
    const peopleNeeded = peopleNeededFor(sums, rules);
    const approvedBy = approvals.map((each) => each.person);
    const decided = withApproval(now, approvals, yield* identity.approver(person), rules);
    return {
      rejections: standings.has("withdrawn") ? yield* listRejections(batch.id) : [],
      batch,
      standings,
      approvals,
      given: givenInVain(approvedBy, isOpen ? peopleNeeded : undefined),
      isOpen,
      ...moreFor(sums, rules),
      isSubmitterUnproven: (sums.morePeople ?? 0) > 0,
      ...present({
        peopleNeeded,
        peopleMissing: isOpen ? peopleMissing(peopleNeeded, approvals.length) : undefined,
      }),
      ...(isProblem(decided) && { whyNot: decided }),
    };
  });
}

/** How the batch's file was repaired or corrected before it was taken in; undefined if it is as it was sent. */
export async function batchLineage(
  { store }: Workplace,
  { id, fileName: name, fileSha256: sha256 }: Batch,
): Promise<Lineage | undefined> {
  return store.read(function* () {
    const reading = yield* findBatchReading(id);
    return reading && (yield* lineageOf({ name, sha256 }, reading.header));
  });
}

/**
 * The findings that the batch's approvers saw and accepted, and how its file was read; undefined if they were not
 * stored.
 */
export async function batchEvidence(
  { store }: Workplace,
  { id }: Batch,
): Promise<(Evidence & { readonly reading?: BatchReading }) | undefined> {
  return store.read(function* () {
    const evidence = yield* evidenceOf(id);
    return evidence && { ...evidence, ...present({ reading: yield* findBatchReading(id) }) };
  });
}

/** A page of the batch's payments, each with its payout as last seen. */
export async function batchRows(
  workplace: Workplace,
  batch: BatchId,
  wanted: RowsWanted,
): Promise<readonly PaymentStatus[]> {
  return statusesOf(workplace, await workplace.store.read(() => listRows(batch, wanted)));
}

/** Texts of some of the batch's payments, from columns that are not read; undefined without such columns. */
export function batchTexts(
  { store }: Workplace,
  { id }: Batch,
  rows: readonly number[],
): Promise<TextsBeside | undefined> {
  return store.read(function* () {
    return yield* textsOfBatch(id, yield* findBatchReading(id), rows);
  });
}

/** The effect of the payments on a custody account, with its balance as last seen. */
export interface KnownEffect extends BalanceEffect {
  readonly there?: BalanceSnapshot;
  /** What was sent, or may have been, since that balance was seen; not included in it, and not in `left`. */
  readonly sentSince?: Decimal;
}

export interface BatchFindings extends Omit<BatchScreening, "warnings"> {
  readonly warnings: readonly CountedWarning[];
  readonly asked: Asked;
  readonly sending: Awaited<ReturnType<typeof sendingNow>>;
  /** The content to approve, as words that approvers compare by telephone. */
  readonly words: string;
  /** The comparison with the last approved file of its layout. */
  readonly lastTime?: LastTime;
  readonly effects: readonly KnownEffect[];
  /** Changes whenever a finding that must be accepted changes. */
  readonly stamp: string;
}

interface Kept {
  readonly asOf: string;
  readonly sinceMs: number;
  readonly findings: Promise<BatchFindings>;
  isDone: boolean;
}

const kept = new WeakMap<Store, Map<BatchId, Kept>>();

const KEPT_MAX = 10;
const KEPT_MS = 300_000;

/** Larger batches are scanned in the background; meanwhile findings up to this old are shown. */
const LARGE_ROWS = 2_000;
const SHOWN_MS = 60_000;

/** The findings that an approver must see with the payments, as of now. Throws what `screenBatch` throws. */
export async function batchFindings(workplace: Workplace, batch: Batch): Promise<BatchFindings> {
  return keptOrFailed(workplace, batch, await keptFindings(workplace, batch, 0));
}

/** Why nobody can approve the batch at this desk yet, whoever they are; undefined if somebody can. */
export async function whyNobodyCan(workplace: Workplace, batch: Batch): Promise<Problem | undefined> {
  const { binding } = await disagreements(workplace);
  return binding === undefined ? whyKeyUnknown(workplace, batch) : differs(binding).problem;
}

/** As `batchFindings`, but possibly some seconds out of date; undefined while a large batch is scanned. */
export async function batchFindingsShown(
  workplace: Workplace,
  batch: Batch,
): Promise<BatchFindings | undefined> {
  if (batch.rowCount <= LARGE_ROWS) return batchFindings(workplace, batch);
  const looked = await keptFindings(workplace, batch, SHOWN_MS);
  return looked.isDone ? keptOrFailed(workplace, batch, looked) : undefined;
}

async function keptFindings(workplace: Workplace, batch: Batch, mayBeOldMs: number): Promise<Kept> {
  const { store, config, context } = workplace;
  const ofStore = kept.get(store) ?? new Map<BatchId, Kept>();
  kept.set(store, ofStore);
  const length = await store.read(() => auditLength());
  const asOf = `${length} ${dayIn(config.ledger.timeZone, context.clock.now())}`;
  const known = ofStore.get(batch.id);
  const nowMs = context.clock.monotonicMs();
  if (known !== undefined && nowMs - known.sinceMs < (known.asOf === asOf ? KEPT_MS : mayBeOldMs))
    return known;
  const findings = found(workplace, batch);
  const begun: Kept = { asOf, sinceMs: nowMs, findings, isDone: false };
  ofStore.delete(batch.id);
  ofStore.set(batch.id, begun);
  for (const oldest of [...ofStore.keys()].slice(0, -KEPT_MAX)) ofStore.delete(oldest);
  const end = () => {
    begun.isDone = true;
  };
  findings.then(end, end);
  return begun;
}

/** A failed scan is reported once; the next request starts a new one. */
async function keptOrFailed({ store }: Workplace, { id }: Batch, { findings }: Kept): Promise<BatchFindings> {
  try {
    return await findings;
  } catch (error) {
    kept.get(store)?.delete(id);
    throw error;
  }
}

async function found(workplace: Workplace, batch: Batch): Promise<BatchFindings> {
  const screened = await screenBatch(workplace, batch.id);
  const asked = await workplace.store.read(() => askedAbout(batch));
  const stamp = hash("sha256", JSON.stringify([screened.questions, asked.open, batch.digest]));
  const unsent = await unsentOf(workplace, batch);
  const effects = await effectsOf(workplace, batch, unsent);
  const lastTime = await lastTimeOfBatch(workplace, batch, unsent);
  const warnings = countedWarnings(screened.warnings);
  const words = await wordsOf(workplace, batch);
  const sending = await sendingNow(workplace, batch);
  return { ...screened, warnings, asked, sending, words, effects, stamp, ...present({ lastTime }) };
}

async function unsentOf({ store }: Workplace, { id }: Batch): Promise<readonly DraftInstruction[]> {
  const unsent: DraftInstruction[] = [];
  for await (const window of batchWindows(store, id)) unsent.push(...window.filter(isUnsent));
  return unsent;
}

async function effectsOf(
  { store, config, scales }: Workplace,
  { id }: Batch,
  unsent: readonly DraftInstruction[],
): Promise<KnownEffect[]> {
  const approved = await store.read(() => sumApproved(id));
  const seen = await store.read(() => listBalances("latest"));
  const { custodyAccounts } = config;
  const sent = await sentSince(store, seen);
  return balanceEffects(unsent, custodyAccounts, [], approved, scales).effects.map((effect) => {
    const account = findCustodyAccount(effect.custodyAccount, custodyAccounts);
    const there = seen.find(({ custodyAccountId }) => custodyAccountId === account?.id);
    if (there === undefined || there.total.currency !== effect.currency) return effect;
    const { approvedBefore, paid, fees } = effect;
    const since = sent.get(there.custodyAccountId) ?? Decimal.zero;
    const ofFees = fees === undefined ? [] : [fees.approvedBefore, fees.paid];
    const needed = [since, approvedBefore, paid, ...ofFees];
    const left = needed.reduce((rest, amount) => rest.minus(amount), there.total.value);
    return { ...effect, there, left, ...(!since.isZero() && { sentSince: since }) };
  });
}

/** Per custody account, what was sent since its balance was seen. A payout that failed since counts as well. */
async function sentSince(
  store: Store,
  seen: readonly BalanceSnapshot[],
): Promise<ReadonlyMap<string, Decimal>> {
  const sums = new Map<string, Decimal>();
  const seenAt = new Map<string, Instant>(
    seen.map(({ custodyAccountId, observedAt }) => [custodyAccountId, observedAt]),
  );
  const [oldest] = [...seenAt.values()].toSorted();
  if (oldest === undefined) return sums;
  for await (const window of inWindows<SentPayment>(store, (last) => listSentBefore(last?.id, SENT))) {
    const later = window.filter(({ intended_at: at }) => at >= oldest);
    for (const { intended_at: at, custody_account: account, amount } of later)
      if (at >= (seenAt.get(account) ?? at))
        sums.set(account, (sums.get(account) ?? Decimal.zero).plus(Decimal.of(amount)));
    if (later.length === 0) break;
  }
  return sums;
}

/** Payments read at a time, newest first. */
const SENT = 1000;
