/**
 * Sends only what was approved (stored-batch.ts): by the calls, with the key and to the address that were approved.
 * The sender also applies its own policies: a finding that no approval has accepted holds a payment back.
 */
import type { Config } from "../../config/index.ts";
import { fault, invariant, type Problem, problem } from "../../faults/index.ts";
import { asksRepeats, refusalsOfBatch, visitFindings } from "../../files/screening/screening.ts";
import {
  acceptedBy,
  type BatchId,
  canonicalFields,
  dayIn,
  type Instant,
  type Instruction,
  isOfDestination,
  isOfPayee,
  PAYEES_COMPARED,
  type Sending,
} from "../../model/index.ts";
import { type Identity, identityOf } from "../../proof/identity.ts";
import { refuseUnlessSandbox, requireSandbox } from "../../proof/sandbox-only.ts";
import { getBatch, listBatchesAt } from "../../store/batches.ts";
import { listDueBatches } from "../../store/begin-sending.ts";
import type { Transaction } from "../../store/sql.ts";
import { underKeyOf, type Workplace } from "../../workplace/workplace.ts";
import type { ReleaseStamps } from "../sending/index.ts";
import { approvedFor, type Releases, releasesBy } from "./releases.ts";
import { hashesOf, isAmong, isOnRecord, type StoredBatch, storedBatches, valuesOf } from "./stored-batch.ts";

export interface ApprovedBatches {
  /**
   * Compares all batches with payments that may be sent with what was approved. Throws BATCH_ALTERED if anything
   * but Paydrop changed a batch, and APPROVAL_UNFIT if everything due was approved for another service address; no
   * request is sent then.
   */
  compareAll(): Promise<void>;
  /**
   * Compares those of the batches that were not compared yet, and screens those that were not screened yet: once in
   * a run, so what a later approval accepts counts from the next run on. Throws BATCH_ALTERED, and what screening
   * throws.
   */
  prepare(ids: readonly BatchId[]): Promise<void>;
  /**
   * Why a payment of a prepared batch may not be sent by this call; undefined if it may. Throws BATCH_ALTERED if
   * its row is not among those compared.
   */
  whyNotReleased(
    instruction: Instruction,
    sending: Sending,
    at: Instant,
    stamps?: ReleaseStamps,
  ): Transaction<Problem | undefined>;
}

export function approvedBatches(workplace: Workplace): ApprovedBatches {
  const { store, config, context } = workplace;
  let identity: Identity | undefined;
  let releases: Releases | undefined;
  /** By batch, the hashes of the compared rows. */
  const compared = new Map<BatchId, Buffer>();
  /**
   * Payments whose row is known to be among the compared ones. An instruction does not change once it has been
   * read.
   */
  const among = new WeakSet<Instruction>();
  const screening = new Map<BatchId, Promise<void>>();
  const screened = new Map<BatchId, Screened>();
  return { compareAll, prepare, whyNotReleased };

  async function compareAll(): Promise<void> {
    const people = await identityOf(workplace, "send");
    await store.read(() => people.verify());
    identity = people;
    // Includes payments in doubt, which may be sent again, and payments being sent, which become doubts if their
    // process has died.
    const found = await store.read(function* () {
      return yield* storedBatches(yield* listBatchesAt(["approved", "sending", "in doubt"]));
    });
    for (const batch of found) await compare(batch);
    const today = dayIn(config.ledger.timeZone, context.clock.now());
    const due = new Set(await store.read(() => listDueBatches(today)));
    refuseOtherAddress(
      found.filter(({ batch }) => due.has(batch.id)),
      config,
    );
  }

  async function compare(stored: StoredBatch): Promise<void> {
    const rows = isOnRecord(stored) ? await hashesOf(stored, store) : undefined;
    if (rows === undefined) throw altered(stored.batch.id);
    compared.set(stored.batch.id, rows);
  }

  async function prepare(ids: readonly BatchId[]): Promise<void> {
    const people = identity ?? (await identityOf(workplace, "send"));
    identity = people;
    for (const view of workplace.underKeys) await requireSandbox(view);
    releases ??= releasesBy(people, config);
    const unknown = ids.filter((id) => !compared.has(id));
    for (const batch of await store.read(() => storedBatches(unknown))) await compare(batch);
    releases.lookAgain();
    for (const id of ids) {
      const under =
        screening.get(id) ?? screen(workplace, people, id).then((found) => void screened.set(id, found));
      screening.set(id, under);
      await under;
    }
  }

  function* whyNotReleased(
    instruction: Instruction,
    sending: Sending,
    at: Instant,
    stamps?: ReleaseStamps,
  ): Transaction<Problem | undefined> {
    const { batchId: batch, row, fields } = instruction;
    if (!among.has(instruction) && !isAmong(compared.get(batch), row, canonicalFields(fields)))
      throw altered(batch);
    among.add(instruction);
    refuseUnlessSandbox(underKeyOf(workplace, fields.custodyAccountId));
    invariant(releases !== undefined, "people are not known before payments are sent");
    const why = yield* releases.whyNot(batch, fields, { sending, at, stamps });
    if (why !== undefined) return why;
    const found = screened.get(batch);
    invariant(found !== undefined, `batch ${batch} was not screened before its payments were sent`);
    const finding = found.rows.get(row) ?? found.currencies.get(fields.amount.currency);
    return (
      finding &&
      problem(
        "APPROVAL_UNFIT",
        { batch, reason: `not accepted by its approvals: ${finding.message}` },
        { reference: fields.reference },
      )
    );
  }
}

/** The findings of the sender's configuration in a batch that no approval has accepted. */
interface Screened {
  readonly rows: ReadonlyMap<number, Problem>;
  readonly currencies: ReadonlyMap<string, Problem>;
}

async function screen(workplace: Workplace, identity: Identity, id: BatchId): Promise<Screened> {
  const now = workplace.context.clock.now();
  const approvals = await workplace.store.read(function* () {
    return valuesOf(yield* identity.holding(yield* getBatch(id), now));
  });
  const isAccepted = acceptedBy(approvals.map(({ value }) => value));
  const isAsked = askedBy(workplace.config, await asksRepeats(workplace, id));
  // Approvers were not asked about findings that only today's comparison of payees makes.
  const isOfToday = approvals.some(({ value }) => value.payees === PAYEES_COMPARED);
  const rows = new Map<number, Problem>();
  await visitFindings(
    workplace,
    id,
    ({ row }, { what, isRefusal, about }) => {
      const mayBeOpen = about !== undefined && isAsked(what.code) && (isOfToday || !isOfPayee(what.code));
      const isOpen = mayBeOpen && !isAccepted(row, what.code, about);
      if ((isRefusal || isOpen) && !rows.has(row)) rows.set(row, what);
    },
    approvals
      .map(({ approval }) => approval.decidedAt)
      .toSorted()
      .at(-1),
  );
  return { rows, currencies: await refusalsOfBatch(workplace, id) };
}

/** Whether an approver must accept the findings of a code. */
function askedBy({ destinations }: Config, repeatsAreAsked: boolean): (code: string) => boolean {
  return (code) => (isOfDestination(code) ? destinations.onLookAlike === "accept" : repeatsAreAsked);
}

function altered(id: BatchId) {
  return fault("BATCH_ALTERED", { what: `the stored rows or approvals of batch ${id}` });
}

/**
 * If payments are due, an address that none of them was approved for must not receive even a look-up, because that
 * carries the client key. Without due payments nothing is compared: doubts have `checkIdentity`.
 */
function refuseOtherAddress(batches: readonly StoredBatch[], { service: { baseUrl } }: Config): void {
  const approved = batches.flatMap(({ batch, approvals }) =>
    valuesOf(approvals).map(({ value }) => ({ batch: batch.id, baseUrl: value.baseUrl })),
  );
  const [other] = approved;
  if (other === undefined || approved.some((each) => each.baseUrl === baseUrl)) return;
  const reason = approvedFor(other.batch, `service.baseUrl ${other.baseUrl}, not ${baseUrl}`);
  throw fault("APPROVAL_UNFIT", { batch: other.batch, reason }, { key: "service.baseUrl" });
}
